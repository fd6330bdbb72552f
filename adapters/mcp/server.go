package permissionmcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

// Server returns middleware for [mcp.Server.AddReceivingMiddleware] that puts
// each tools/call to h before the tool's handler runs. The handler of a call
// that may run gets the bytes that were judged. If it panics or ends its
// goroutine that is an error result as well, as with [permission.Hook.RunAll];
// the SDK recovers nothing.
//
// Where the approver of h is an [Elicitor], a call that asks is put to the user
// of the client. A client of 2026-07-28 or later is then answered with an input
// request, and calls again with what its user says; until then the hook's
// OnDecision is told that the call is closed.
//
// It may be added to several servers, and is safe for concurrent use. A nil h
// refuses every call.
func Server(h *permission.Hook, o *Options) mcp.Middleware {
	g := newGuard(h, o)
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method != callTool {
				return g.other(ctx, method, r, next)
			}
			return g.serve(ctx, r, next)
		}
	}
}

// serve judges a request and runs what may run. It does so in a goroutine of its
// own, which the handler, or what the host has given the hook, may end by
// runtime.Goexit: the client would wait for its result, and whoever closes the
// session for that.
func (g *guard) serve(ctx context.Context, r mcp.Request, next mcp.MethodHandler) (result mcp.Result, err error) {
	version, left := rounds, broken
	done := make(chan struct{})
	go func() {
		defer close(done)
		x, judged, refused := g.receive(ctx, r)
		if refused != nil {
			result, left = refused, ""
			return
		}
		version, left = x.version, "the tool did not return"
		result, err = x.run(ctx, judged, next)
		left = ""
	}()
	<-done
	if left != "" {
		return refusal(version, left), nil
	}
	return result, err
}

// receive judges a request that has come in, and returns the one to run or the
// result of one that does not run now.
func (g *guard) receive(ctx context.Context, r mcp.Request) (x *exchange, judged *mcp.CallToolRequest, refused *mcp.CallToolResult) {
	defer func() {
		if recover() != nil { // in Options.Complete, say
			x, judged, refused = nil, nil, refusal(rounds, broken)
		}
	}()
	request, ok := r.(*mcp.CallToolRequest)
	if !ok || request == nil || request.Params == nil || request.Session == nil {
		return nil, nil, refusal(rounds, unreadable)
	}
	x = g.exchange(request)
	c, wrong := g.call(ctx, request, x.params.Name, x.params.Arguments)
	v := g.hook.PreToolCall(context.WithValue(untimed{ctx}, exchangeKey{}, x), c)
	if !v.Proceed || wrong != "" {
		return nil, nil, x.refuse(v, wrong)
	}
	x.params.Arguments = v.Call.Input
	return x, &mcp.CallToolRequest{Session: request.Session, Params: &x.params, Extra: request.Extra}, nil
}

// refuse returns the result of a call that does not run now: the question that
// its client has to answer first, or why it does not run.
func (x *exchange) refuse(v permission.Verdict, wrong string) *mcp.CallToolResult {
	question, why := x.outcome()
	if question != nil && v.Decision.Cause == permission.CauseClosed {
		return question
	}
	return refusal(x.version, lines(v.Result.Content, why, wrong))
}

// run runs a call that may run. If its tool asks for input, the client calls
// once more with that, and is not to be asked again about the call itself.
func (x *exchange) run(ctx context.Context, r *mcp.CallToolRequest, next mcp.MethodHandler) (result mcp.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = refusal(x.version, "the tool panicked: "+visible.Panic(v)), nil
		}
	}()
	result, err = next(ctx, callTool, r)
	if res, ok := result.(*mcp.CallToolResult); ok && err == nil && res != nil && res.NeedsInput() {
		return x.goOn(res), nil
	}
	return result, err
}

// lines joins those texts that are not empty.
func lines(texts ...string) string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return strings.Join(some, "\n")
}
