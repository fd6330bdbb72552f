package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	permissionmcp "github.com/insomnia-run/permission/adapters/mcp"
)

//go:embed manifest.toml
var manifest []byte

// newServer returns a server for the files in dir. The manifest says what may
// be done with them; that nothing outside is touched is for root to see, which
// follows no link.
func newServer(dir string, root *os.Root) (*mcp.Server, error) {
	policy, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: dir})
	if err != nil {
		return nil, err
	}
	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: new(permissionmcp.Elicitor)})
	if err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1.0.0"}, nil)
	server.AddReceivingMiddleware(permissionmcp.Server(hook, nil)) // before any other
	f := files{root}
	mcp.AddTool(server, &mcp.Tool{Name: "read", Description: "Read a file."}, f.read)
	mcp.AddTool(server, &mcp.Tool{Name: "write", Description: "Write a file."}, f.write)
	return server, nil
}

// files are the tools.
type files struct{ root *os.Root }

type (
	readInput struct {
		Path string `json:"path"`
	}
	writeInput struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}
)

func (f files) read(_ context.Context, _ *mcp.CallToolRequest, in readInput) (*mcp.CallToolResult, any, error) {
	data, err := f.root.ReadFile(path.Clean(in.Path)) // as the rules have read it
	return says(string(data)), nil, err
}

func (f files) write(_ context.Context, _ *mcp.CallToolRequest, in writeInput) (*mcp.CallToolResult, any, error) {
	err := f.root.WriteFile(path.Clean(in.Path), []byte(in.Content), 0o644)
	return says(fmt.Sprintf("wrote %d bytes", len(in.Content))), nil, err
}

func says(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
