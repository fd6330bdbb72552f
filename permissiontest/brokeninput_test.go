package permissiontest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/insomnia-run/permission"
)

// remarshal is what becomes of an input in a runtime that reads it for itself.
func remarshal(input json.RawMessage) json.RawMessage {
	var in map[string]any
	if json.Unmarshal(input, &in) != nil {
		return input
	}
	out, err := json.Marshal(in)
	if err != nil {
		return input
	}
	return out
}

// bypass is a runtime that runs some calls without a word.
func bypass(when func(permission.ToolCall) bool) runFunc {
	return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
		if when(c) {
			return tool(ctx, c)
		}
		return h.Wrap(tool)(ctx, c)
	})
}

func is(name string) func(permission.ToolCall) bool {
	return func(c permission.ToolCall) bool { return c.Name == name }
}

// brokenInputs are wrong in what they hand to the hook, or take from it.
func brokenInputs() []breach {
	return []breach{
		{"marshals inputs anew before the hook", "ambiguous input is refused", `with the input {"command":"rm x","command":"ls"}: the tool of bash ls ran, which was refused`, before(
			func(c permission.ToolCall) permission.ToolCall {
				c.Input = remarshal(c.Input)
				return c
			})},
		{"marshals inputs anew behind the hook", "the tool gets what was judged", "the hook judged the input", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
					c.Input = remarshal(c.Input)
					return tool(ctx, c)
				})(ctx, c)
			})},
		{"passes on what it knows", "the tool gets what was judged", "the model wrote the input", before(
			func(c permission.ToolCall) permission.ToolCall {
				var in struct {
					Path    string `json:"path,omitempty"`
					Command string `json:"command,omitempty"`
				}
				if json.Unmarshal(c.Input, &in) == nil {
					c.Input, _ = json.Marshal(in)
				}
				return c
			})},
		{"uses the caller's bytes", "the input may change afterwards", "the tool ran read ok/. instead", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if v := h.PreToolCall(ctx, c); !v.Proceed {
					return v.Result
				}
				return tool(ctx, c)
			})},
		{"knows its own tools alone", "every name goes through the hook", "docs/1 ran, to which nobody has agreed", bypass(
			func(c permission.ToolCall) bool { return !strings.Contains(c.Name, "__") })},
		{"lets searches run", "every name goes through the hook", "the tool of grep docs/", bypass(is("grep"))},
		{"lets lists be made", "every name goes through the hook", "the tool of todo_write docs/", bypass(is("todo_write"))},
		{"lets tasks run", "every name goes through the hook", "the tool of task docs/", bypass(is("task"))},
		{"lets files be read", "every name goes through the hook", "the tool of Read docs/", bypass(is("Read"))},
		{"trusts a server", "every name goes through the hook", "the tool of mcp__trusted__", bypass(
			func(c permission.ToolCall) bool { return strings.HasPrefix(c.Name, "mcp__trusted") })},
		{"lets long inputs pass", "inputs of any size", "the tool of write secret/1 ran, to which nobody has agreed", bypass(
			func(c permission.ToolCall) bool { return len(c.Input) > 1<<20 })},
		{"lets long messages pass", "messages of any length", "docs/1 ran, to which nobody has agreed",
			func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
				return bypass(func(permission.ToolCall) bool { return len(calls) > 6 })(ctx, h, calls, tool)
			}},
		{"judges in the root", "a call keeps its directory", "the tool of read ok/1 ran, to which nobody has agreed", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				there := c.Dir
				c.Dir = ""
				return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
					c.Dir = there
					return tool(ctx, c)
				})(ctx, c)
			})},
		{"runs in the root", "a call keeps its directory", "the tool of read 2 ran, to which nobody has agreed", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				return h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
					c.Dir = ""
					return tool(ctx, c)
				})(ctx, c)
			})},
		{"has one session for all", "sessions are kept apart", "the tool of read ask/1 ran, to which nobody has agreed", before(
			func(c permission.ToolCall) permission.ToolCall {
				c.Session = "agent"
				return c
			})},
		{"drops sessions", "sessions are kept apart", "the approver was asked about read ask/1 3 times: want 2", before(
			func(c permission.ToolCall) permission.ToolCall {
				c.Session = ""
				return c
			})},
		{"numbers sessions anew", "sessions are kept apart", `the tool of read ok/2 was told the session "s:`, before(
			func(c permission.ToolCall) permission.ToolCall {
				c.Session = "s:" + c.Session
				return c
			})},
		{"drops metadata", "a call keeps its metadata", "the approver of read ask/2 was not handed the metadata", before(
			func(c permission.ToolCall) permission.ToolCall {
				return permission.ToolCall{ID: c.ID, Name: c.Name, Session: c.Session, Dir: c.Dir, Input: c.Input}
			})},
		{"takes the server's name off", "every name goes through the hook", "", before(
			func(c permission.ToolCall) permission.ToolCall {
				c.Name = c.Name[strings.LastIndex(c.Name, "__")+1:]
				return c
			})},
		{"cuts long inputs", "inputs of any size", "a tool got", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if len(c.Input) > 1<<14 {
					c.Input = json.RawMessage(strings.Replace(string(c.Input), strings.Repeat(filler, 1<<10), "", 1))
				}
				return h.Wrap(tool)(ctx, c)
			})},
		{"refuses empty inputs", "inputs of any size", "the tool of now ran 0 times", each(
			func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				if len(c.Input) == 0 {
					return permission.ToolResult{Content: "no input", IsError: true}
				}
				return h.Wrap(tool)(ctx, c)
			})},
		{"pairs by ID", "IDs need not be unique", `calls with the ID "same"`, func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			results := h.RunAll(ctx, calls, tool)
			by := make(map[string]permission.ToolResult)
			for _, r := range results {
				by[r.CallID] = r
			}
			for i, c := range calls {
				results[i] = by[c.ID]
			}
			return results
		}},
		{"keeps verdicts", "a new policy holds at once", "to which nobody has agreed", func() runFunc {
			var mu sync.Mutex
			kept := make(map[string]permission.Verdict)
			return each(func(ctx context.Context, h *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
				key := fmt.Sprintf("%p %s %s", h, c.Name, c.Input)
				mu.Lock()
				v, ok := kept[key]
				mu.Unlock()
				if !ok {
					v = h.PreToolCall(ctx, c)
					mu.Lock()
					kept[key] = v
					mu.Unlock()
				}
				if !v.Proceed {
					return v.Result
				}
				return tool(ctx, v.Call)
			})
		}()},
		{"leaves the turn's context behind", "a skill restricts", "the tool of read ok/1 ran, which was refused", func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return h.RunAll(context.Background(), calls, tool)
		}},
		{"does without a hook", "a hook that was not made refuses", "the tool of read ok/1 ran", func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			if h == nil {
				return each(func(ctx context.Context, _ *permission.Hook, c permission.ToolCall, tool permission.ToolFunc) permission.ToolResult {
					return tool(ctx, c)
				})(ctx, h, calls, tool)
			}
			return h.RunAll(ctx, calls, tool)
		}},
	}
}
