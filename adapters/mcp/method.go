package permissionmcp

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTool is the one method that runs tools.
const callTool = "tools/call"

// harmless is what else a client may send to a server. It runs no tool. What a
// new version brings is refused until somebody has looked at what it does.
func harmless() []string {
	return []string{
		"completion/complete",
		"initialize",
		"logging/setLevel",
		"notifications/cancelled",
		"notifications/initialized",
		"notifications/progress",
		"notifications/roots/list_changed",
		"ping",
		"prompts/get",
		"prompts/list",
		"resources/list",
		"resources/read",
		"resources/subscribe",
		"resources/templates/list",
		"resources/unsubscribe",
		"server/discover",
		"subscriptions/listen",
		"tools/list",
	}
}

// other hands on what is no tools/call, or refuses it. Whatever an
// unknown method would answer, it is no tool result.
func (g *guard) other(ctx context.Context, method string, r mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	if slices.Contains(harmless(), method) || slices.Contains(g.options.Methods, method) {
		return next(ctx, method, r)
	}
	return nil, &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidRequest,
		Message: fmt.Sprintf("permission denied: the method %q may run a tool, and is not among Options.Methods", method),
	}
}
