package permission

import (
	"context"
	"sync"

	"github.com/insomnia-run/permission/internal/visible"
)

// A ToolFunc runs a tool for the call that was judged, whose Input is its own.
// Its result is an error result if the tool failed; CallID is filled in by
// [Hook.Wrap]. It may be called from many goroutines at once.
type ToolFunc func(context.Context, ToolCall) ToolResult

// Wrap returns next behind the hook: it runs the call that was judged, or
// returns the error result of a refused one. If next panics, that is an error
// result as well. It runs in the goroutine of its caller: a next that ends that,
// by runtime.Goexit, has a result by [Hook.RunAll] alone.
func (h *Hook) Wrap(next ToolFunc) ToolFunc {
	return func(ctx context.Context, c ToolCall) (r ToolResult) {
		v := h.PreToolCall(ctx, c)
		if !v.Proceed {
			return v.Result
		}
		defer func() {
			if v := recover(); v != nil {
				r = ToolResult{Content: "the tool panicked: " + visible.Panic(v), IsError: true}
			}
			r.CallID = c.ID
		}()
		return next(ctx, v.Call)
	}
}

// RunAll settles all calls of one assistant message, each in a goroutine of
// its own, and returns when the last is done: as many results as calls, in the
// same order and with their IDs. A refusal stops no other call. A tool that
// panics gets an error result. Tools have to mind ctx: those that run are
// waited for, those that have not started when it ends are refused.
func (h *Hook) RunAll(ctx context.Context, calls []ToolCall, next ToolFunc) []ToolResult {
	results := make([]ToolResult, len(calls))
	var wg sync.WaitGroup
	for i, c := range calls {
		wg.Go(func() { h.runOne(ctx, c, next, &results[i]) })
	}
	wg.Wait()
	return results
}

// runOne settles a call, also where the tool or what the host has given the hook
// ends the goroutine by runtime.Goexit. The model is told which: a call that was
// not decided has done nothing.
func (h *Hook) runOne(ctx context.Context, c ToolCall, next ToolFunc, result *ToolResult) {
	started, returned := false, false
	defer func() {
		switch {
		case returned:
		case started:
			*result = ToolResult{CallID: c.ID, Content: "the tool did not return", IsError: true}
		default:
			*result = ToolResult{CallID: c.ID, Content: refusal(c, Decision{Detail: "it did not return"}), IsError: true}
		}
	}()
	run := h.Wrap(func(ctx context.Context, c ToolCall) ToolResult {
		started = true
		return next(ctx, c)
	})
	*result = run(ctx, c)
	returned = true
}
