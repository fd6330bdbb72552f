package permissiontest_test

import (
	"context"
	"testing"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/permissiontest"
)

func TestTheExampleKeepsTheContract(t *testing.T) {
	permissiontest.Run(t, permissiontest.Runtime{
		Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return loop(ctx, h, calls, tool, nil)
		},
		RunRewritten: loop,
		Sequential:   true,
	})
}
