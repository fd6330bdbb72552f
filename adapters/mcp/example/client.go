package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client plays an agent with its user, by a script.
type client struct{ out io.Writer }

// A step is one call, and what the user says if they are asked about it.
type step struct {
	tool      string
	arguments map[string]any
	user      string
}

func script() []step {
	write := func(path, content string) map[string]any {
		return map[string]any{"path": path, "content": content}
	}
	return []step{
		{tool: "read", arguments: map[string]any{"path": "notes/plan.md"}},
		{tool: "read", arguments: map[string]any{"path": "notes/../server.key"}},
		{tool: "write", arguments: write("config.toml", "debug = true\n")},
		{tool: "write", arguments: write("notes/plan.md", "# Plan\n\n1. ship it\n"), user: "accept"},
		{tool: "write", arguments: write("notes/todo.md", "everything\n"), user: "decline"},
		{tool: "read", arguments: map[string]any{"path": "notes/plan.md"}},
	}
}

// play connects to a server by t, in that version of the protocol, and plays
// the script.
func (c *client) play(ctx context.Context, t mcp.Transport, version string) error {
	var user string
	agent := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			c.print("the user is asked: "+r.Params.Message, 2)
			c.print("the user says: "+user, 2)
			return &mcp.ElicitResult{Action: user}, nil
		},
	})
	session, err := agent.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer session.Close()
	for _, s := range script() {
		user = s.user
		c.print(fmt.Sprintf("%s %v", s.tool, s.arguments["path"]), 0)
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: s.tool, Arguments: s.arguments})
		if err != nil {
			return err
		}
		word := "ok: "
		if res.IsError {
			word = "error: "
		}
		for _, part := range res.Content {
			if text, ok := part.(*mcp.TextContent); ok {
				c.print(word+text.Text, 2)
			}
		}
	}
	return nil
}

// print prints a text so far in, and its further lines further.
func (c *client) print(text string, indent int) {
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		margin := strings.Repeat(" ", indent)
		if line == "\n" {
			margin = ""
		}
		fmt.Fprint(c.out, margin+line)
		indent = 4
	}
}
