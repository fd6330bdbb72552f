// Command agent is a small agent loop with permissions. A script plays the
// model; all the rest is real: the tools write files and run commands, in a
// temporary folder. It shows
//
//   - where the hook stands: before the user's own hooks, and again behind one
//     that rewrites a call;
//   - that a refusal is a tool result like any other, after which the model
//     takes another way;
//   - that asks go to a terminal, and are refused where there is none;
//   - what the policy leaves to the scope of the tools: a link to the outside.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

//go:embed manifest.toml
var manifest []byte

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := start(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start runs the agent in a folder of its own, which is gone afterwards.
func start(ctx context.Context, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	work, err := furnish(dir)
	if err != nil {
		return err
	}
	_, err = play(ctx, work, new(approve.Terminal), out)
	return err
}

// furnish makes a work folder in dir, beside a file that is none of the
// agent's business, and in the folder a link to where that file is.
func furnish(dir string) (work string, err error) {
	work = filepath.Join(dir, "work")
	files := map[string]string{
		"secret/secret.txt": "the agent must not read this\n",
		"work/build/app.o":  "object code\n",
		"work/notes/old.md": "# Notes\n",
	}
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644))
	}
	return work, errors.Join(err, os.Symlink(filepath.Join("..", "secret"), filepath.Join(work, "shared")))
}

// play has the model play its script in the folder work, and returns the
// conversation.
func play(ctx context.Context, work string, approver permission.Approver, out io.Writer) ([]message, error) {
	policy, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: work})
	if err != nil {
		return nil, err
	}
	// HookOptions.Resolve would have the rules see where a link leads, too.
	// But links change between a look and the next, and what a call opens in
	// the end only the scope can bound.
	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: approver})
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(work)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	a := &agent{
		model:   &scripted{steps: script()},
		hook:    hook,
		session: "demo", // a runtime has another for each conversation
		rewrite: addFlags,
		tools:   (&toolbox{work, root}).run,
		out:     out,
	}
	err = a.run(ctx, "Write the plan, tidy up, and publish.")
	return a.history, err
}

// addFlags is the user's hook. It adds the options that this user likes, and
// means no harm; but with -f the rm that the rules allow is one that they do
// not.
func addFlags(c permission.ToolCall) (permission.ToolCall, bool) {
	flags := map[string]string{
		"wc notes/plan.md": "wc -l notes/plan.md",
		"rm notes/old.md":  "rm -f notes/old.md",
	}
	var in struct {
		Command string `json:"command"`
	}
	if c.Name != "bash" || json.Unmarshal(c.Input, &in) != nil || flags[in.Command] == "" {
		return c, false
	}
	in.Command = flags[in.Command]
	var err error
	c.Input, err = json.Marshal(in)
	return c, err == nil
}
