package permissiontest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
)

// brokenResults are wrong in what they run or answer.
func brokenResults() []breach {
	return []breach{
		{"runs before asking", "denied calls never run", "the tool of read secret/2 ran", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				r := tool(ctx, c)
				if v := h.PreToolCall(ctx, c); !v.Proceed {
					return v.Result
				}
				return r
			})},
		{"runs what it should ask about", "an ask is put once", "the tool of read ask/1 ran, to which nobody has agreed", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if d := h.Evaluate(ctx, c); d.Action == permission.Deny {
					return h.PreToolCall(ctx, c).Result
				}
				return tool(ctx, c)
			})},
		{"runs calls twice", "allowed calls run", "the tool of read ok/1 ran 2 times: want once", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				h.Wrap(tool)(ctx, c)
				return h.Wrap(tool)(ctx, c)
			})},
		{"judges only the first call", "denied calls never run", "the tool of read secret/2 ran, to which nobody has agreed",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
				for i, c := range calls {
					if v := h.PreToolCall(ctx, c); i == 0 && !v.Proceed {
						return []permission.ToolResult{v.Result}
					}
					results = append(results, tool(ctx, c))
				}
				return results
			}},
		{"drops the results of denied calls", "every call has one result", `0 results for "call-1" (read secret/1): want one`, after(
			func(rs []permission.ToolResult) []permission.ToolResult {
				return slices.DeleteFunc(rs, func(r permission.ToolResult) bool { return r.IsError })
			})},
		{"answers a denied call twice", "every call has one result", `2 results for "call-1" (read secret/1): want one`, after(
			func(rs []permission.ToolResult) (all []permission.ToolResult) {
				for _, r := range rs {
					if all = append(all, r); r.IsError {
						all = append(all, r)
					}
				}
				return all
			})},
		{"loses IDs", "every call has one result", `0 results for "call-1"`, after(
			func(rs []permission.ToolResult) []permission.ToolResult {
				for i := range rs {
					rs[i].CallID = ""
				}
				return rs
			})},
		{"puts refusals first", "results are in order", `result 1 is for "call-2": want "call-1"`, after(
			func(rs []permission.ToolResult) []permission.ToolResult {
				slices.SortStableFunc(rs, func(a, b permission.ToolResult) int {
					return strings.Compare(fmt.Sprint(b.IsError), fmt.Sprint(a.IsError))
				})
				return rs
			})},
		{"answers as calls are done", "results are in order", `is for "call-`, func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
			done := make(chan permission.ToolResult)
			for _, c := range calls {
				go func() { done <- h.Wrap(tool)(ctx, c) }()
			}
			for range calls {
				results = append(results, <-done)
			}
			return results
		}},
		{"ignores is_error", "a refusal is a result", "read secret/1 was refused, and is_error is not set in its result", after(
			func(rs []permission.ToolResult) []permission.ToolResult {
				for i := range rs {
					rs[i].IsError = false
				}
				return rs
			})},
		{"writes a text of its own", "a refusal is a result", "want the text of the hook", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if v := h.PreToolCall(ctx, c); !v.Proceed {
					return permission.ToolResult{Content: "Permission denied.", IsError: true}
				}
				return h.Wrap(tool)(ctx, c)
			})},
		{"shows one line of a text", "a refusal is a result", "want the text of the hook", after(
			func(rs []permission.ToolResult) []permission.ToolResult {
				for i := range rs {
					rs[i].Content, _, _ = strings.Cut(rs[i].Content, "\n")
				}
				return rs
			})},
		{"stops at the first refusal", "a refusal stops no other call", "the tool of read ok/2 ran 0 times",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
				for _, c := range calls {
					r := h.Wrap(tool)(ctx, c)
					if results = append(results, r); r.IsError {
						break
					}
				}
				return results
			}},
		{"cancels the others at a refusal", "a refusal stops no other call", "beside refused calls: want once",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				for _, c := range calls {
					r := h.Wrap(tool)(ctx, c)
					if results = append(results, r); r.IsError {
						cancel()
					}
				}
				return results
			}},
	}
}
