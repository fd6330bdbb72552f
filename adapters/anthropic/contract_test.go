package permissionanthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
	"github.com/insomnia-run/permission/permissiontest"
)

// The loops of one's own keep the whole contract, with the stable and with the
// beta API, as a stream or not.
func TestLoopsKeepTheContract(t *testing.T) {
	for name, l := range loops() {
		t.Run(name, func(t *testing.T) {
			permissiontest.Run(t, permissiontest.Runtime{
				Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
					return runLoop(ctx, t, l, h, calls, tool)
				},
				RunRewritten: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) []permission.ToolResult {
					return runLoop(ctx, t, l, h, calls, rewritten(h, tool, rewrite))
				},
				NoMetadata: true,
			})
		})
	}
}

// Tools that are guarded keep it in each of the tool runners, as far as they
// leave the calls what they are.
func TestRunnersKeepTheContract(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "RunToCompletion" && name != "AllStreaming" {
				t.Skip("the others run tools by the same code")
			}
			permissiontest.Run(t, permissiontest.Runtime{
				Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
					return runRunner(ctx, t, start, h, calls, tool)
				},
				RunRewritten: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) []permission.ToolResult {
					return runRunner(ctx, t, start, h, calls, rewritten(h, tool, rewrite))
				},
				NoCallIDs:  true,
				NoMetadata: true,
				Reencodes:  true,
			})
		})
	}
}

// rewritten is a tool behind a hook of the user's, as a host has one: what that
// makes of a call is judged again.
func rewritten(h *permission.Hook, tool permission.ToolFunc, rewrite permissiontest.Rewrite) permission.ToolFunc {
	return func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		c.Input = rewrite(c)
		v := h.PreToolCall(ctx, c)
		if !v.Proceed {
			return v.Result
		}
		return tool(ctx, v.Call)
	}
}

// runLoop has the model write calls in one message and then stop.
func runLoop(ctx context.Context, t *testing.T, l loop, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
	server := fake.New(fake.Script(writes(calls)))
	defer server.Close()
	err := l(ctx, server.Client(), h, optionsOf(calls), tool)
	if err != nil && unique(calls) {
		t.Error(err)
	}
	return shown(server)
}

// runRunner does so with the tools in a runner. A turn that is cancelled leaves
// calls without results in its history; these are answered by hand.
func runRunner(ctx context.Context, t *testing.T, start starter, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
	server := fake.New(fake.Script(writes(calls)))
	defer server.Close()
	client := server.Client()
	r := start(client, permissionanthropic.Guard(h, toolsOf(calls, tool), optionsOf(calls)))
	if err := r.first(context.WithoutCancel(ctx)); err != nil {
		t.Error(err)
		return nil
	}
	err := r.rest(ctx)
	if err == nil {
		return shown(server)
	}
	if ctx.Err() == nil && unique(calls) {
		t.Error(err)
	}
	history := r.Messages()
	if last := history[len(history)-1]; last.OfAssistant != nil {
		answer, ok := permissionanthropic.SettleBeta(h, nil, nil)(ctx, r.LastMessage())
		if !ok {
			t.Error("there is nothing to answer")
		}
		history = append(history, answer)
	}
	_, err = client.Beta.Messages.New(context.WithoutCancel(ctx), betaParams(history))
	if err != nil && unique(calls) {
		t.Errorf("the history of a cancelled turn: %v", err)
	}
	return shown(server)
}

// writes is a message with these calls, between other blocks.
func writes(calls []permission.ToolCall) fake.Reply {
	r := fake.Reply{Content: []fake.Block{fake.Text("I look into it.")}}
	for _, c := range calls {
		r.Content = append(r.Content, fake.ToolUse(c.ID, c.Name, string(c.Input)))
	}
	return r
}

func optionsOf(calls []permission.ToolCall) *permissionanthropic.Options {
	if len(calls) == 0 {
		return nil
	}
	return &permissionanthropic.Options{Session: calls[0].Session, Dir: calls[0].Dir}
}

// shown returns the results that the model was shown last.
func shown(s *fake.Server) (results []permission.ToolResult) {
	history := s.History()
	for _, b := range history[len(history)-1].Content {
		if b.Type == "tool_result" {
			results = append(results, permission.ToolResult{CallID: b.ToolUseID, Content: b.Content.Text(), IsError: b.IsError})
		}
	}
	return results
}

// unique reports whether no two calls have the same ID: the API takes no
// message with such calls, whatever they are answered with.
func unique(calls []permission.ToolCall) bool {
	seen := make(map[string]bool)
	for _, c := range calls {
		if seen[c.ID] {
			return false
		}
		seen[c.ID] = true
	}
	return true
}

// A namedTool is a tool of a runner.
type namedTool struct {
	name string
	run  func(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error)
}

func (n namedTool) Name() string        { return n.name }
func (n namedTool) Description() string { return "what " + n.name + " does" }
func (n namedTool) InputSchema() anthropic.BetaToolInputSchemaParam {
	return anthropic.BetaToolInputSchemaParam{}
}
func (n namedTool) Execute(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	return n.run(ctx, input)
}

// toolsOf returns a tool for each name in calls. They run next, which is told
// what the runner knows of a call.
func toolsOf(calls []permission.ToolCall, next permission.ToolFunc) (tools []anthropic.BetaTool) {
	seen := make(map[string]bool)
	for _, c := range calls {
		if seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		call := permission.ToolCall{Name: c.Name, Session: c.Session, Dir: c.Dir}
		tools = append(tools, namedTool{c.Name, func(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
			call := call
			call.Input = input
			r := next(ctx, call)
			if r.IsError {
				return nil, errors.New(r.Content)
			}
			return []anthropic.BetaToolResultBlockParamContentUnion{{OfText: &anthropic.BetaTextBlockParam{Text: r.Content}}}, nil
		}})
	}
	return tools
}

func stableParams(history []anthropic.MessageParam) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{Model: "fake", MaxTokens: 1024, Messages: history}
}

func betaParams(history []anthropic.BetaMessageParam) anthropic.BetaMessageNewParams {
	return anthropic.BetaMessageNewParams{Model: "fake", MaxTokens: 1024, Messages: history}
}

func stableTool(tool permission.ToolFunc) permissionanthropic.ToolFunc {
	return func(ctx context.Context, c permission.ToolCall) anthropic.ToolResultBlockParam {
		r := tool(ctx, c)
		return *anthropic.NewToolResultBlock(c.ID, r.Content, r.IsError).OfToolResult
	}
}

func betaTool(tool permission.ToolFunc) permissionanthropic.BetaToolFunc {
	return func(ctx context.Context, c permission.ToolCall) anthropic.BetaToolResultBlockParam {
		r := tool(ctx, c)
		return anthropic.NewBetaToolResultTextBlockParam(c.ID, r.Content, r.IsError)
	}
}

// says is a tool that says which call it was run for.
func says(_ context.Context, c permission.ToolCall) permission.ToolResult {
	return permission.ToolResult{Content: fmt.Sprintf("%s ran with %s", c.Name, c.Input)}
}
