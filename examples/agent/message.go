package main

import (
	"encoding/json"
	"fmt"

	"github.com/insomnia-run/permission"
)

// A message is one turn of the conversation, as the Messages API has it.
type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// A block is a piece of a message: a text, a tool_use or a tool_result.
type block struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`

	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`

	ToolUseID string `json:"tool_use_id,omitempty"`
	Result    string `json:"content,omitempty"`
	IsError   bool   `json:"is_error,omitempty"`
}

// calls returns the tool calls of an assistant message.
func (m message) calls() []permission.ToolCall {
	var calls []permission.ToolCall
	for _, b := range m.Content {
		if b.Type == "tool_use" {
			calls = append(calls, permission.ToolCall{ID: b.ID, Name: b.Name, Input: b.Input})
		}
	}
	return calls
}

// answer returns the user message with the results of all calls.
func answer(results []permission.ToolResult) message {
	m := message{Role: "user"}
	for _, r := range results {
		m.Content = append(m.Content, block{
			Type: "tool_result", ToolUseID: r.CallID, Result: r.Content, IsError: r.IsError,
		})
	}
	return m
}

// failed reports whether a result in m is an error.
func (m message) failed() bool {
	for _, b := range m.Content {
		if b.IsError {
			return true
		}
	}
	return false
}

// checkPairs reports a tool_use of asked that got no tool_result in answered,
// or more than one, or one out of order. A model API refuses a history with
// such a turn, and then the conversation is over.
func checkPairs(asked, answered message) error {
	calls := asked.calls()
	if len(answered.Content) != len(calls) {
		return fmt.Errorf("%d tool_use and %d tool_result", len(calls), len(answered.Content))
	}
	for i, b := range answered.Content {
		if b.Type != "tool_result" || b.ToolUseID != calls[i].ID {
			return fmt.Errorf("block %d: found %s of %q, want tool_result of %q", i+1, b.Type, b.ToolUseID, calls[i].ID)
		}
	}
	return nil
}
