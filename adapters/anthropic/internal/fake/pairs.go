package fake

import (
	"fmt"
	"slices"
	"strings"
)

// check returns why the API would refuse a history; nil where it takes it. The
// words are about those of the real one.
func check(history []Message) error {
	if len(history) == 0 || history[0].Role != "user" {
		return fmt.Errorf("messages: first message must use the \"user\" role")
	}
	seen := make(map[string]bool)
	for i, m := range history {
		var calls []Block
		if i > 0 {
			calls = wantResults(history[i-1])
		}
		if err := checkResults(m, calls); err != nil {
			return fmt.Errorf("messages.%d: %w", i, err)
		}
		for _, b := range m.Content {
			if b.Type == "tool_use" && seen[b.ID] {
				return fmt.Errorf("messages.%d: `tool_use` ids must be unique", i)
			}
			seen[b.ID] = seen[b.ID] || b.Type == "tool_use"
		}
	}
	if calls := wantResults(history[len(history)-1]); len(calls) > 0 {
		return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s", len(history)-1, calls[0].ID)
	}
	return nil
}

// wantResults returns the calls of m that the next message has to answer.
// What the API ran itself is none, and neither is what stands before a
// fallback to another model.
func wantResults(m Message) (calls []Block) {
	if m.Role != "assistant" {
		return nil
	}
	for _, b := range m.Content {
		switch b.Type {
		case "tool_use":
			calls = append(calls, b)
		case "fallback":
			calls = nil
		}
	}
	return calls
}

// checkResults checks that m answers calls, each once, and before all else.
func checkResults(m Message, calls []Block) error {
	other := false
	for i, b := range m.Content {
		if b.Type != "tool_result" {
			other = true
			continue
		}
		at := slices.IndexFunc(calls, func(c Block) bool { return c.ID == b.ToolUseID })
		switch {
		case m.Role != "user":
			return fmt.Errorf("`tool_result` blocks can only be in `user` messages")
		case at < 0:
			return fmt.Errorf("content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message", i, b.ToolUseID)
		case other:
			return fmt.Errorf("content.%d: `tool_result` blocks must come first", i)
		case calls[at].ToolsetName != b.ToolsetName:
			return fmt.Errorf("content.%d: toolset_name %q does not match that of the `tool_use`, %q", i, b.ToolsetName, calls[at].ToolsetName)
		}
		if err := checkContent(b); err != nil {
			return fmt.Errorf("content.%d.tool_result: %w", i, err)
		}
		calls = slices.Delete(slices.Clone(calls), at, at+1)
	}
	if len(calls) > 0 {
		return fmt.Errorf("`tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message", calls[0].ID)
	}
	return nil
}

func checkContent(result Block) error {
	for _, b := range result.Content {
		switch {
		case b.Type == "":
			return fmt.Errorf("content blocks must have a type")
		case b.Type == "text" && strings.TrimSpace(b.Text) == "":
			return fmt.Errorf("text content blocks must be non-empty")
		case b.Type != "text" && result.IsError:
			return fmt.Errorf("all content must be type `text` if `is_error` is true")
		}
	}
	if result.IsError && len(result.Content) == 0 {
		return fmt.Errorf("content cannot be empty if `is_error` is true")
	}
	return nil
}
