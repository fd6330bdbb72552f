// Command example is an MCP server for files whose writes are governed by a
// manifest, with a client that shows what becomes of its calls: one that is
// allowed, one that is denied, and one that the user is asked about. It works in
// a temporary folder.
//
//	go run ./adapters/mcp/example
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, "2026-07-28"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run has the client talk to the server in that version of the protocol, over a
// folder that is gone afterwards.
func run(ctx context.Context, out io.Writer, version string) (err error) {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := furnish(dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	server, err := newServer(dir, root)
	if err != nil {
		return err
	}
	near, far := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, far, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	return (&client{out}).play(ctx, near, version)
}

func furnish(dir string) error {
	var errs []error
	for name, content := range map[string]string{
		"notes/plan.md": "# Plan\n",
		"config.toml":   "debug = false\n",
		"server.key":    "the agent must not read this\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		errs = append(errs, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o600))
	}
	return errors.Join(errs...)
}
