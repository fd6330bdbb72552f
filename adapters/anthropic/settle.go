package permissionanthropic

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/insomnia-run/permission"
)

// A ToolFunc runs a call of the stable API that may run, from many goroutines
// at once. Its result may hold whatever the API takes, and no content at all:
//
//	return *anthropic.NewToolResultBlock(call.ID, text, err != nil).OfToolResult
//
// ToolUseID and ToolsetName are filled in. Of an error result only the texts
// are sent, since the API takes nothing else there. Extra fields are left out,
// and a result that was made with [param.Override] is an error: they would go
// before the ID. A call of a tool that there is not is answered with an error
// result, too. Call.Input is the function's own.
type ToolFunc func(ctx context.Context, call permission.ToolCall) anthropic.ToolResultBlockParam

// A BetaToolFunc is a [ToolFunc] of the beta API:
//
//	return anthropic.NewBetaToolResultTextBlockParam(call.ID, text, err != nil)
type BetaToolFunc func(ctx context.Context, call permission.ToolCall) anthropic.BetaToolResultBlockParam

// Settle returns a function that settles the tool calls of one message: each is
// put to h and, if that lets it, to run. It returns the user message that
// answers them, with one tool_result for each tool_use, in order and under its
// ID, whatever happens: a call that was refused, a tool that panics, a context
// that ended. These are error results with a text that says why. A refusal
// stops no other call. The calls of a message run at the same time; those that
// run are waited for.
//
// Judged is the input as the model wrote it, byte for byte, and that is what
// run gets. A member of a toolset has its set before its name: browser.click.
//
// It returns false where there is nothing to answer: the message calls no
// tool, or is paused and goes back as it is. Only the calls of a message that
// stopped for them (stop_reason tool_use) are judged and run. Those of one
// that was cut off or refused are answered with errors; whether to go on then
// is up to the caller.
//
// A stream is settled when it was accumulated to its end. What the SDK could
// not read as JSON has become an empty input by then, and is judged as that.
//
// The function may be used by several goroutines, and runs the tools whenever
// it is called: where the request that follows fails, send the same answer
// again. With a nil h every call is refused, with a nil run none has a tool.
func Settle(h *permission.Hook, run ToolFunc, o *Options) func(context.Context, *anthropic.Message) (anthropic.MessageParam, bool) {
	s := &settler[anthropic.ToolResultBlockParam]{
		hook: h, call: o.call(), fail: stableError,
		run: func(ctx context.Context, c permission.ToolCall) anthropic.ToolResultBlockParam {
			if run == nil {
				return stableError(noTool(c))
			}
			return stableResult(run(ctx, c))
		},
	}
	return func(ctx context.Context, m *anthropic.Message) (anthropic.MessageParam, bool) {
		uses := stableUses(m)
		if len(uses) == 0 {
			return anthropic.MessageParam{}, false
		}
		content := make([]anthropic.ContentBlockParamUnion, len(uses))
		for i, r := range s.settle(ctx, string(m.StopReason), uses) {
			r.ToolUseID, r.ToolsetName = uses[i].id, uses[i].toolsetName()
			content[i].OfToolResult = &r
		}
		return anthropic.NewUserMessage(content...), true
	}
}

// SettleBeta is [Settle] for the messages of the beta API. Calls before a
// fallback block of such a message get no result: they are those of a model
// that refused, and never go back.
func SettleBeta(h *permission.Hook, run BetaToolFunc, o *Options) func(context.Context, *anthropic.BetaMessage) (anthropic.BetaMessageParam, bool) {
	s := &settler[anthropic.BetaToolResultBlockParam]{
		hook: h, call: o.call(), fail: betaError,
		run: func(ctx context.Context, c permission.ToolCall) anthropic.BetaToolResultBlockParam {
			if run == nil {
				return betaError(noTool(c))
			}
			return betaResult(run(ctx, c))
		},
	}
	return func(ctx context.Context, m *anthropic.BetaMessage) (anthropic.BetaMessageParam, bool) {
		uses := betaUses(m)
		if len(uses) == 0 {
			return anthropic.BetaMessageParam{}, false
		}
		content := make([]anthropic.BetaContentBlockParamUnion, len(uses))
		for i, r := range s.settle(ctx, string(m.StopReason), uses) {
			r.ToolUseID, r.ToolsetName = uses[i].id, uses[i].toolsetName()
			content[i].OfToolResult = &r
		}
		return anthropic.NewBetaUserMessage(content...), true
	}
}

// stableUses returns the calls of m that want a result. Input is a field of the
// block's own, with the bytes of the wire; the typed block has them decoded
// again in the beta API.
func stableUses(m *anthropic.Message) []use {
	if m == nil {
		return nil
	}
	var blocks []use
	for _, b := range m.Content {
		blocks = append(blocks, use{b.Type, b.ID, b.Name, b.ToolsetName, b.Input})
	}
	return toAnswer(string(m.StopReason), blocks)
}

func betaUses(m *anthropic.BetaMessage) []use {
	if m == nil {
		return nil
	}
	var blocks []use
	for _, b := range m.Content {
		blocks = append(blocks, use{b.Type, b.ID, b.Name, b.ToolsetName, b.Input})
	}
	return toAnswer(string(m.StopReason), blocks)
}

// stableResult returns r as the API takes it. It is made anew: what else a param
// holds is written over its fields, the ID of the call among them.
func stableResult(r anthropic.ToolResultBlockParam) anthropic.ToolResultBlockParam {
	content, why := sendable(r.Content, r.IsError.Value)
	if _, other := r.Overrides(); other {
		why = unsendable
	}
	if why != "" {
		return stableError(why)
	}
	return anthropic.ToolResultBlockParam{Content: content, IsError: param.Opt[bool]{Value: r.IsError.Value}, CacheControl: r.CacheControl}
}

func betaResult(r anthropic.BetaToolResultBlockParam) anthropic.BetaToolResultBlockParam {
	content, why := sendable(r.Content, r.IsError.Value)
	if _, other := r.Overrides(); other {
		why = unsendable
	}
	if why != "" {
		return betaError(why)
	}
	return anthropic.BetaToolResultBlockParam{Content: content, IsError: param.Opt[bool]{Value: r.IsError.Value}, CacheControl: r.CacheControl}
}

func stableError(text string) anthropic.ToolResultBlockParam {
	return *anthropic.NewToolResultBlock("", text, true).OfToolResult
}

func betaError(text string) anthropic.BetaToolResultBlockParam {
	return anthropic.NewBetaToolResultTextBlockParam("", text, true)
}

// toolsetName is that of the result: the API wants it there if the call had it.
func (u use) toolsetName() param.Opt[string] {
	if u.toolset == "" {
		return param.Opt[string]{}
	}
	return anthropic.String(u.toolset)
}

func noTool(c permission.ToolCall) string { return "There is no tool " + c.Name + "." }
