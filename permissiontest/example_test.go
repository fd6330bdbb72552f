package permissiontest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/permissiontest"
)

// loop stands for a runtime: it runs the calls of a message one after the
// other, and its user has a hook that changes inputs.
func loop(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) []permission.ToolResult {
	results := make([]permission.ToolResult, len(calls))
	for i, c := range calls {
		results[i] = one(ctx, h, c, tool, rewrite)
		results[i].CallID = c.ID
	}
	return results
}

func one(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) (r permission.ToolResult) {
	defer func() {
		if v := recover(); v != nil {
			r = permission.ToolResult{Content: fmt.Sprintf("the tool panicked: %v", v), IsError: true}
		}
	}()
	v := h.PreToolCall(ctx, c)
	if v.Proceed && rewrite != nil {
		changed := v.Call
		changed.Input = rewrite(v.Call)
		v = h.PreToolCall(ctx, changed)
	}
	if !v.Proceed {
		return v.Result
	}
	return tool(ctx, v.Call)
}

// A test of the runtime's hands in how it runs the calls of one message, and
// says what it does not do.
func ExampleRun() {
	var t *testing.T // of TestPermissions, say

	permissiontest.Run(t, permissiontest.Runtime{
		Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return loop(ctx, h, calls, tool, nil)
		},
		RunRewritten: loop,
		Sequential:   true,
	})
}
