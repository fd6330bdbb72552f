package permissionanthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/insomnia-run/permission"
)

// Guard returns tools behind h, for the tool runners of the SDK: each call of
// one is put to h first, and the tool gets the input that was judged. A refusal
// is the error of Execute, of which the runner makes an error result, and goes
// on. So is a panic of the tool, and content that cannot be sent; empty texts in
// it, which the API refuses, are left out.
//
// Every tool that a runner is given has to be guarded: those of NewToolRunner,
// NewToolRunnerStreaming, SessionToolRunnerOptions, and also those of AddTools
// and of an environment worker's ToolsFunc. One that is not runs unjudged.
//
// The runners do not tell tools the ID of a call, so the hook has none. They
// have decoded the input, too: of a name that is there twice only one is left,
// and large numbers have been rounded. The hook sees what is left, as the tool
// does. [SettleBeta] has the ID and the input as it was written.
//
// If its context ends, a runner may drop the results of the message, and leave
// the calls of its last message in the history without any. So does one that
// comes to MaxIterations. SettleBeta answers them, with a context that has ended.
// A runner whose step failed would run the calls of that step again: go on with
// a new one.
//
// Tools that implement [io.Closer] are closed by the Close of the guarded one.
// Guarded tools are as safe for concurrent use as those that they guard. With
// a nil h every call is refused.
func Guard(h *permission.Hook, tools []anthropic.BetaTool, o *Options) []anthropic.BetaTool {
	guarded := make([]anthropic.BetaTool, len(tools))
	for i, tool := range tools {
		g := &guardedTool{BetaTool: tool, name: tool.Name()}
		g.settler = settler[outcome]{
			hook: h, call: o.call(), run: g.run,
			fail: func(text string) outcome { return outcome{err: errors.New(text)} },
		}
		guarded[i] = g
	}
	return guarded
}

// A guardedTool is a tool behind a hook.
type guardedTool struct {
	anthropic.BetaTool
	// name is asked for once: the runner takes the tool down under it, and what
	// is judged may be no other.
	name    string
	settler settler[outcome]
}

// An outcome is what Execute returns.
type outcome struct {
	content []anthropic.BetaToolResultBlockParamContentUnion
	err     error
}

// Name implements [anthropic.BetaTool].
func (g *guardedTool) Name() string { return g.name }

// Execute implements [anthropic.BetaTool].
func (g *guardedTool) Execute(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	r := g.settler.one(ctx, use{name: g.name, input: input})
	return r.content, r.err
}

func (g *guardedTool) run(ctx context.Context, c permission.ToolCall) outcome {
	content, err := g.BetaTool.Execute(ctx, c.Input)
	if err != nil {
		return outcome{err: err}
	}
	content, why := sendable(content, false)
	if why != "" {
		return g.settler.fail(why)
	}
	return outcome{content: content}
}

// Close implements [io.Closer]: what closes the tools of a runner looks for it.
func (g *guardedTool) Close() error {
	if c, ok := g.BetaTool.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
