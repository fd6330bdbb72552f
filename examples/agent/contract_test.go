package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/permissiontest"
)

// once is a model that says one thing.
type once message

func (o once) next(history []message) message {
	if len(history) == 1 {
		return message(o)
	}
	return message{Role: "assistant"}
}

// loop has the agent run the calls of one message.
func loop(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) (results []permission.ToolResult) {
	asks := message{Role: "assistant"}
	for _, c := range calls {
		asks.Content = append(asks.Content, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: c.Input})
	}
	a := &agent{model: once(asks), hook: h, tools: tool, out: io.Discard}
	if len(calls) > 0 {
		a.session = calls[0].Session
	}
	a.rewrite = func(c permission.ToolCall) (permission.ToolCall, bool) {
		before := c.Input
		c.Input = rewrite(c)
		return c, !bytes.Equal(before, c.Input)
	}
	_ = a.run(ctx, "go") // which a cancelled turn ends with
	if len(calls) == 0 {
		return nil
	}
	for _, b := range a.history[2].Content {
		results = append(results, permission.ToolResult{CallID: b.ToolUseID, Content: b.Result, IsError: b.IsError})
	}
	return results
}

func TestTheLoopKeepsTheContract(t *testing.T) {
	permissiontest.Run(t, permissiontest.Runtime{
		Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return loop(ctx, h, calls, tool, func(c permission.ToolCall) json.RawMessage { return c.Input })
		},
		RunRewritten: loop,
		NoDirs:       true, // all work is in one folder
		NoMetadata:   true,
	})
}
