package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"

	"github.com/insomnia-run/permission"
)

// script is what the model calls.
func script() []permission.ToolCall {
	var calls []permission.ToolCall
	for _, use := range []struct{ tool, input string }{
		{"write", `{"path": "notes/plan.md", "content": "1. publish\n"}`},
		{"read", `{"path": "notes/plan.md"}`},
		{"write", `{"path": "public/index.md", "content": "Soon.\n"}`},
		{"write", `{"path": "public/index.md", "content": "Soon.\n"}`},
		{"remove", `{"path": "public/index.md"}`},
		{"read", `{"path": "public/index.md"}`},
		{"remove", `{"path": "notes/plan.md"}`},
	} {
		calls = append(calls, permission.ToolCall{
			ID: fmt.Sprintf("toolu_%02d", len(calls)+1), Session: "s-1",
			Name: use.tool, Input: json.RawMessage(use.input),
		})
	}
	return calls
}

// A toolbox is the tools, which reach nothing outside of a folder.
type toolbox struct{ root *os.Root }

// run runs a call that may run.
func (b toolbox) run(_ context.Context, c permission.ToolCall) permission.ToolResult {
	var in struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}
	if err := json.Unmarshal(c.Input, &in); err != nil {
		return permission.ToolResult{Content: err.Error(), IsError: true}
	}
	text, err := b.dispatch(c.Name, path.Clean(in.Path), in.Content)
	if err != nil {
		return permission.ToolResult{Content: err.Error(), IsError: true}
	}
	return permission.ToolResult{Content: text}
}

func (b toolbox) dispatch(tool, file, content string) (string, error) {
	switch tool {
	case "read":
		data, err := b.root.ReadFile(file)
		return fmt.Sprintf("%q", data), err
	case "write":
		if err := b.root.MkdirAll(path.Dir(file), 0o755); err != nil {
			return "", err
		}
		return "written", b.root.WriteFile(file, []byte(content), 0o644)
	case "remove":
		return "removed", b.root.Remove(file)
	}
	return "", fmt.Errorf("there is no tool %q", tool)
}
