package permissiontest

import (
	"context"
	"strings"
	"sync"

	"github.com/insomnia-run/permission"
)

// within is a runtime that hands tools another context.
func within(other func(context.Context) context.Context) runFunc {
	return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
		return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
			return tool(other(ctx), c)
		})(ctx, c)
	})
}

// lenient is a runtime that runs calls which were refused for that reason.
func lenient(why permission.Cause) runFunc {
	return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
		v := h.PreToolCall(ctx, c)
		if !v.Proceed && v.Decision.Cause != why {
			return v.Result
		}
		return tool(ctx, v.Call)
	})
}

// brokenTurns are wrong in how the calls of a message go together.
func brokenTurns() []breach {
	return []breach{
		{"runs one call after the other", "calls run at the same time", "waited in vain for those of the other calls", oneByOne().Run},
		{"asks before it runs anything", "an ask holds up no other call", "while read ask/1 waited for an answer the other calls of the message did not run",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
				verdicts := make(map[string]permission.Verdict)
				for _, c := range calls {
					verdicts[c.ID] = h.PreToolCall(ctx, c)
				}
				return each(func(ctx context.Context, _ *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
					if v := verdicts[c.ID]; !v.Proceed {
						return v.Result
					}
					return tool(ctx, verdicts[c.ID].Call)
				})(ctx, h, calls, tool)
			}},
		{"holds a lock while it asks", "an ask holds up no other call", "while read ask/1 waited for an answer", func() runFunc {
			var mu sync.Mutex
			asking := make(chan struct{})
			return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if !strings.Contains(string(c.Input), "ask/") {
					<-asking // or these would be first
				}
				mu.Lock()
				defer mu.Unlock()
				if strings.Contains(string(c.Input), "ask/") {
					close(asking)
				}
				return h.Wrap(tool)(ctx, c)
			})
		}()},
		{"never comes back from an ask", "an ask is put once", "Run has not returned within " + impatient.String(), each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if h.Evaluate(ctx, c).Action == permission.Ask {
					<-ctx.Done() // for an answer from elsewhere
				}
				return h.Wrap(tool)(ctx, c)
			})},
		{"tries again after a refusal", "an ask is put once", "the approver was asked about read ask/2 2 times: want once", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				r := h.Wrap(tool)(ctx, c)
				if r.IsError {
					r = h.Wrap(tool)(ctx, c)
				}
				return r
			})},
		{"takes silence for consent", "an ask without an answer refuses", "when nobody answered in time: ", lenient(permission.CauseTimeout)},
		{"needs nobody to ask", "an ask without an answer refuses", "when nobody was there to ask: ", lenient(permission.CauseNoApprover)},
		{"runs what was withdrawn", "an ask without an answer refuses", "when the question was withdrawn: ", lenient(permission.CauseClosed)},
		{"goes on without its approver", "an ask without an answer refuses", "when the approver failed: ", lenient(permission.CauseApproverFailed)},
		{"asks the policy past the hook", "allowed calls run", "ran, and Hook.PreToolCall has let no call of read", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if h.Evaluate(ctx, c).Action == permission.Allow {
					return tool(ctx, c)
				}
				return h.Wrap(tool)(ctx, c)
			})},
		{"keeps approvals", "an approval is for one call", "to which nobody has agreed", func() runFunc {
			var approved sync.Map
			return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				key := c.Name + string(c.Input)
				if _, ok := approved.Load(key); ok {
					return tool(ctx, c)
				}
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				approved.Store(key, true)
				return tool(ctx, v.Call)
			})
		}()},
		{"numbers calls anew", "an ask is put once", `with the ID "1": want "call-1"`, func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				c.ID = strings.TrimPrefix(c.ID, "call-")
				return h.Wrap(tool)(ctx, c)
			})(ctx, h, calls, tool)
		}},
		{"takes a failure for a success", "a tool that fails has a result", "read ok/2 failed, and is_error is not set", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
					return permission.ToolResult{Content: tool(ctx, c).Content}
				})(ctx, c)
			})},
		{"tries a failing tool again", "a tool that fails has a result", "the tool of read ok/2, which fails, ran 2 times: want once", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
					r := tool(ctx, c)
					if r.IsError {
						r = tool(ctx, c)
					}
					return r
				})(ctx, c)
			})},
		{"runs tools outside of the turn", "a tool has the turn's context", "the context of the tool of read ok/1 did not end with the turn", within(
			func(ctx context.Context) context.Context { return context.WithoutCancel(ctx) })},
		{"runs tools in a turn of their own", "a tool has the turn's context", "the context of the tool of read ok/1 has not the values of the turn's", within(
			func(ctx context.Context) context.Context {
				own, cancel := context.WithCancel(context.Background())
				context.AfterFunc(ctx, cancel)
				return own
			})},
		{"swallows the result of a panic", "a tool that panics has a result", "0 results for",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
				defer func() { _ = recover() }()
				for _, c := range calls {
					v := h.PreToolCall(ctx, c)
					if v.Proceed {
						v.Result = tool(ctx, v.Call)
						v.Result.CallID = c.ID
					}
					results = append(results, v.Result)
				}
				return results
			}},
		{"lets a panic out", "a tool that panics has a result", "Run panicked: the tool of read ok/2 has a fault",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
				for _, c := range calls {
					v := h.PreToolCall(ctx, c)
					if v.Proceed {
						v.Result = tool(ctx, v.Call)
						v.Result.CallID = c.ID
					}
					results = append(results, v.Result)
				}
				return results
			}},
		{"answers nothing when cancelled", "cancelling settles every call", "0 results for", func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			results := h.RunAll(ctx, calls, tool)
			if ctx.Err() != nil {
				return nil
			}
			return results
		}},
		{"asks outside of the turn", "cancelling settles every call", "Run has not returned within " + impatient.String(), func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return h.RunAll(context.WithoutCancel(ctx), calls, tool)
		}},
		{"goes on when cancelled", "cancelling settles every call", "the tool of read ok/1 started after the turn was cancelled", func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			results := h.RunAll(ctx, calls, tool)
			if ctx.Err() != nil {
				h.RunAll(context.WithoutCancel(ctx), calls[:1], tool)
			}
			return results
		}},
		{"runs cancelled turns", "a cancelled turn runs nothing", "the tool of read ok/1 ran", func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return h.RunAll(context.WithoutCancel(ctx), calls, tool)
		}},
	}
}
