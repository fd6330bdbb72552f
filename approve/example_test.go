package approve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// A command line tool has one Terminal for all its hooks. It may read its task
// from a pipe: the questions go to the terminal that it was started from. In a
// CI job there is none, and what asks is refused.
func ExampleNewTerminal() {
	policy, err := permission.Load("agent.toml", nil)
	if err != nil {
		log.Fatal(err)
	}
	hook, err := permission.NewHook(policy, &permission.HookOptions{
		Approver: approve.NewTerminal(nil),
	})
	if err != nil {
		log.Fatal(err)
	}
	run := hook.Wrap(func(ctx context.Context, call permission.ToolCall) permission.ToolResult {
		return permission.ToolResult{Content: call.Name + " ran"}
	})
	result := run(context.Background(), permission.ToolCall{
		ID: "1", Name: "bash", Session: "chat-7", Input: []byte(`{"command": "git push origin main"}`),
	})
	fmt.Println(result.Content)
}

// Here somebody types "n use a branch".
func ExampleTerminal() {
	policy, err := permission.Compile(permission.Allow, []permission.Rule{
		{Tool: "bash", Pattern: "git push *", Action: permission.Ask, Reason: "pushes are reviewed"},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	hook, err := permission.NewHook(policy, &permission.HookOptions{
		Approver: approve.NewTerminal(&approve.TerminalOptions{Open: func() (io.ReadWriteCloser, error) {
			return stage{io.TeeReader(strings.NewReader("n use a branch\n"), os.Stdout)}, nil
		}}),
	})
	if err != nil {
		log.Fatal(err)
	}
	verdict := hook.PreToolCall(context.Background(), permission.ToolCall{
		ID: "1", Name: "bash", Session: "chat-7", Input: []byte(`{"command": "make && git push origin main"}`),
	})
	fmt.Printf("\n%s\n", verdict.Result.Content)
	// Output:
	// Permission needed
	//   tool     bash
	//   input    command: make && git push origin main
	//   session  chat-7
	//   why      ask bash "git push *"
	//   reason   pushes are reviewed
	//   command  git push origin main
	//
	//   y        yes, this once
	//   a        yes, and always in this session:
	//            allow bash git push origin main
	//   n        no
	//   n TEXT   no, and TEXT is told to the agent
	// Run it? [y/a/n] n use a branch
	//
	// Permission denied: "bash" "git push origin main" was not run. The user refused it and says: use a branch. Do as the user says.
}

// A stage shows on stdout what a terminal would, with what is typed.
type stage struct{ io.Reader }

func (stage) Write(b []byte) (int, error) {
	fmt.Print(string(b))
	return len(b), nil
}

func (stage) Close() error { return nil }
