package permissionmcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTool is the one method that runs tools.
const callTool = "tools/call"

// harmless are the other requests that a client may send to a server. They run
// no tool. A new one is refused until somebody has looked at what it does.
func harmless() []string {
	return []string{
		"completion/complete",
		"initialize",
		"logging/setLevel",
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

// passes reports whether a method other than callTool is none of the guard's
// business. A notification has no result, and so is no call of a tool.
func (g *guard) passes(method string) bool {
	return strings.HasPrefix(method, "notifications/") ||
		slices.Contains(harmless(), method) || slices.Contains(g.options.Methods, method)
}

// other hands on a request that is no tools/call, or refuses it. Whatever an
// unknown method would answer, it is no tool result.
func (g *guard) other(ctx context.Context, method string, r mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	if method != callTool && g.passes(method) {
		return next(ctx, method, r)
	}
	return nil, &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidRequest,
		Message: fmt.Sprintf("permission denied: the method %q may run a tool, and is not among Options.Methods", method),
	}
}
