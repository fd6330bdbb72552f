package permissionmcp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
)

// Client returns middleware for [mcp.Client.AddSendingMiddleware] that puts each
// tools/call to h before it is sent. A refused one is not sent: its result is
// the hook's. One that may run is sent with the bytes that were judged, whatever
// becomes of the arguments that the caller handed in.
//
// Asks go to the approver of h, which is not an [Elicitor]: the one to ask is
// on this side. The SDK's rounds of a call that needs more input are one call;
// where MultiRoundTripOptions.Disabled leaves them to the caller, each is judged.
//
// It may be added to several clients, and is safe for concurrent use. A nil h
// refuses every call.
func Client(h *permission.Hook, o *Options) mcp.Middleware {
	g := newGuard(h, o)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method != callTool {
				return g.other(ctx, method, r, next)
			}
			judged, refused := g.send(ctx, r)
			if refused != nil {
				return refused, nil
			}
			return next(ctx, method, judged)
		}
	}
}

// send judges a request that is about to be sent, and returns the one to send
// or the result of a refused one.
func (g *guard) send(ctx context.Context, r mcp.Request) (judged mcp.Request, refused *mcp.CallToolResult) {
	defer func() {
		if recover() != nil { // in the arguments' own code, say
			judged, refused = nil, refusal("", broken)
		}
	}()
	if r == nil {
		return nil, refusal("", unreadable)
	}
	session, ok := r.GetSession().(*mcp.ClientSession)
	p, known := r.GetParams().(*mcp.CallToolParams)
	if !ok || !known || p == nil {
		return nil, refusal("", unreadable)
	}
	params := *p
	input, err := encode(params.Arguments)
	if err != nil {
		return nil, refusal("", unreadable)
	}
	input = object(input)
	c, wrong := g.call(ctx, r, params.Name, input)
	v := g.hook.PreToolCall(ctx, c)
	if !v.Proceed || wrong != "" {
		return nil, refusal("", lines(v.Result.Content, wrong))
	}
	if len(input) > 0 {
		params.Arguments = v.Call.Input
	}
	return &mcp.ClientRequest[mcp.Params]{Session: session, Params: &params}, nil
}

// encode returns arguments as the SDK would send them. Encoding them once more
// changes nothing.
func encode(arguments any) (json.RawMessage, error) {
	if arguments == nil {
		return nil, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(arguments); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
