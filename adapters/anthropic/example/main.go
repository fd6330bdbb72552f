// Command example is a small coding agent on the Messages API, whose tools read
// and write files and run commands in a temporary folder. A manifest governs
// what they may do, and a scope (os.Root) below it where files can be.
//
// Without a key a script plays the model, behind a loopback API that checks
// the history as the real one does:
//
//	go run ./adapters/anthropic/example
//	ANTHROPIC_API_KEY=... go run ./adapters/anthropic/example -task 'Explain main.go.'
//
// What the manifest asks about, the terminal is asked; where there is none the
// call is refused.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
	"github.com/insomnia-run/permission/approve"
)

//go:embed manifest.toml
var manifest []byte

func main() {
	key := flag.String("key", "", "`key` of the Anthropic API, in place of $ANTHROPIC_API_KEY; without either a script plays the model")
	model := flag.String("model", string(anthropic.ModelClaudeSonnet5_5), "`name` of the model")
	task := flag.String("task", "Have main.go say hello to the world, and publish it.", "what the agent is to do")
	flag.Parse()
	if *key == "" {
		*key = os.Getenv("ANTHROPIC_API_KEY") // no default of the flag, which -help prints
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := start(ctx, *key, *model, *task); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start runs the agent in a folder of its own, which is gone afterwards.
func start(ctx context.Context, key, model, task string) (err error) {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	work, err := furnish(dir)
	if err != nil {
		return err
	}
	var client anthropic.Client
	if key == "" {
		server := fake.New(fake.Script(script()...))
		defer server.Close()
		client = server.Client()
	} else {
		client = anthropic.NewClient(option.WithAPIKey(key))
	}
	return play(ctx, &agent{client: client, model: model, out: os.Stdout}, work, new(approve.Terminal), task)
}

// furnish makes a work folder in dir, beside a file that is none of the
// agent's business, and in the folder a link to where that file is.
func furnish(dir string) (work string, err error) {
	work = filepath.Join(dir, "work")
	files := map[string]string{
		"keys/key.txt": "none of the agent's business\n",
		"work/main.go": "package main\n\nfunc main() { println(\"hello\") }\n",
		"work/.env":    "TOKEN=none of its business either\n",
	}
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644))
	}
	return work, errors.Join(err, os.Symlink(filepath.Join("..", "keys"), filepath.Join(work, "shared")))
}

// play has the agent do its task in the folder work.
func play(ctx context.Context, a *agent, work string, approver permission.Approver, task string) error {
	policy, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: work})
	if err != nil {
		return err
	}
	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: approver})
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(work)
	if err != nil {
		return err
	}
	defer root.Close()
	tools := &toolbox{dir: work, root: root}
	a.settle = permissionanthropic.Settle(hook, tools.run, &permissionanthropic.Options{Session: "demo"})
	return a.run(ctx, task)
}
