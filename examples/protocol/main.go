// Command protocol is an agent runtime that asks a client in another process.
// Both speak JSON lines over the client's stdin and stdout: the runtime sends
// the events of an approve.Broker, the client sends replies. It shows
//
//   - a call that is approved once, and one that is approved for always, after
//     which the same call runs without a question;
//   - a call that is rejected, with words for the model;
//   - that the client dies while it is asked, which refuses the call.
//
// The client is this program itself, started with the argument "client".
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

//go:embed manifest.toml
var manifest []byte

func main() {
	play := start
	if isClient() {
		play = func(context.Context, io.Writer) error { return answer(os.Stdin, os.Stdout) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := play(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// isClient reports whether the runtime has started this process.
func isClient() bool { return len(os.Args) == 2 && os.Args[1] == "client" }

// start runs the agent in a folder of its own, which is gone afterwards.
func start(ctx context.Context, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "protocol")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return converse(ctx, root, &transcript{out: out})
}

// converse makes the calls of a conversation, one after the other.
func converse(ctx context.Context, root *os.Root, t *transcript) error {
	policy, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: root.Name()})
	if err != nil {
		return err
	}
	broker := approve.NewBroker(nil)
	defer broker.Close()
	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: broker})
	if err != nil {
		return err
	}
	calls := script()
	c, err := startClient(ctx, broker, t, calls[len(calls)-1].ID)
	if err != nil {
		return err
	}
	defer c.stop()
	run := hook.Wrap(toolbox{root}.run)
	for _, call := range calls {
		t.print("call   %s %s %s", call.ID, call.Name, call.Input)
		result := run(ctx, call)
		t.print("result %s error=%v %s", result.CallID, result.IsError, result.Content)
	}
	return ctx.Err()
}
