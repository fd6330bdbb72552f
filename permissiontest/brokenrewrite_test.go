package permissiontest

import (
	"bytes"
	"context"

	"github.com/insomnia-run/permission"
)

// rewriter is what one call becomes in a runtime with hooks of its user's.
type rewriter func(context.Context, *permission.Hook, permission.ToolCall, permission.ToolFunc, Rewrite) permission.ToolResult

// A rewritingBreach is a breach in such a runtime.
type rewritingBreach struct {
	name, point, says string
	one               rewriter
}

// brokenRewriters are wrong in what they make of a user's hook.
func brokenRewriters() []rewritingBreach {
	return []rewritingBreach{
		{"judges before the rewrite only", "a rewritten call is judged again", "the tool of read secret/1 ran, to which nobody has agreed",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				v.Call.Input = rewrite(v.Call)
				return tool(ctx, v.Call)
			}},
		{"judges a rewrite by evaluating it", "a rewritten call asks anew", "the tool of read ask/2 ran, to which nobody has agreed",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				v.Call.Input = rewrite(v.Call)
				if h.Evaluate(ctx, v.Call).Action == permission.Deny {
					return h.PreToolCall(ctx, v.Call).Result
				}
				return tool(ctx, v.Call)
			}},
		{"lets the user's hook overrule", "the policy goes before user hooks", "the tool of read secret/1 ran, to which nobody has agreed",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				h.PreToolCall(ctx, c)
				c.Input = rewrite(c)
				return tool(ctx, c) // it said allow
			}},
		{"calls the user's hook first", "the policy goes before user hooks", "the user's hook was called for read secret/1, which the policy denies",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				c.Input = rewrite(c)
				return h.Wrap(tool)(ctx, c)
			}},
		{"runs the call from before the rewrite", "a rewritten call runs as rewritten", "the tool of read ok/2 ran 0 times: want once",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				changed := v.Call
				changed.Input = rewrite(v.Call)
				if again := h.PreToolCall(ctx, changed); !again.Proceed {
					return again.Result
				}
				return tool(ctx, v.Call)
			}},
		{"runs the bytes of the user's hook", "a rewritten call runs as rewritten", "the user's hook wrote the input",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				c.Input = rewrite(v.Call)
				if again := h.PreToolCall(ctx, c); !again.Proceed {
					return again.Result
				}
				return tool(ctx, c)
			}},
		{"makes a call of its own of a rewrite", "a rewritten call keeps its place", "the tool of read ../ask/2 ran 0 times: want once",
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				return h.Wrap(tool)(ctx, permission.ToolCall{ID: c.ID, Name: c.Name, Input: rewrite(v.Call)})
			}},
		{"loses the session in a rewrite", "a rewritten call keeps its place", `the approver of read ../ask/2 was told the session ""`,
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				v.Call.Input, v.Call.Session = rewrite(v.Call), ""
				return h.Wrap(tool)(ctx, v.Call)
			}},
		{"gives the rewritten call an ID of its own", "a rewritten call runs as rewritten", `0 results for "call-1"`,
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) permission.ToolResult {
				v := h.PreToolCall(ctx, c)
				if !v.Proceed {
					return v.Result
				}
				v.Call.ID += "-rewritten"
				if input := rewrite(v.Call); !bytes.Equal(input, v.Call.Input) {
					v.Call.Input = input
					return h.Wrap(tool)(ctx, v.Call)
				}
				r := tool(ctx, v.Call)
				r.CallID = c.ID
				return r
			}},
	}
}
