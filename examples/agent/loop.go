package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"

	"github.com/insomnia-run/permission"
)

const maxTurns = 20

// A model writes the next assistant message of a conversation.
type model interface {
	next(history []message) message
}

// A rewriter is a user's PreToolUse hook: it may put another call in the place
// of one, and says whether it has.
type rewriter func(permission.ToolCall) (rewritten permission.ToolCall, changed bool)

// An agent runs one conversation.
type agent struct {
	model   model
	hook    *permission.Hook // before everything else
	session string           // what somebody agrees to for always holds for it
	rewrite rewriter
	tools   permission.ToolFunc
	history []message

	mu  sync.Mutex // the calls of one message run at the same time
	out io.Writer  // for the transcript
}

// run goes on until the model calls no tool any more. A refused call ends
// nothing: the model reads why, and goes on.
func (a *agent) run(ctx context.Context, task string) error {
	a.add(message{Role: "user", Content: []block{{Type: "text", Text: task}}})
	for range maxTurns {
		asked := a.model.next(a.history)
		a.add(asked)
		calls := asked.calls()
		if len(calls) == 0 {
			return nil
		}
		for i := range calls {
			calls[i].Session = a.session
		}
		answered := answer(a.hook.RunAll(ctx, calls, a.call))
		if err := checkPairs(asked, answered); err != nil {
			return fmt.Errorf("the history is broken: %w", err)
		}
		a.add(answered)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return errors.New("the model does not come to an end")
}

// call runs a call that the hook has let through. What the user's hook makes
// of it is another call, which nobody has judged yet. Whichever runs, RunAll
// gives the result the ID that the model knows.
func (a *agent) call(ctx context.Context, c permission.ToolCall) permission.ToolResult {
	rewritten, changed := a.rewrite(c)
	if !changed {
		return a.tools(ctx, c)
	}
	a.print("  %s the user's hook makes it %s\n", c.ID, rewritten.Input)
	v := a.hook.PreToolCall(ctx, rewritten)
	if !v.Proceed {
		return v.Result
	}
	return a.tools(ctx, v.Call)
}

// add puts a message into the history and prints it.
func (a *agent) add(m message) {
	a.history = append(a.history, m)
	for _, b := range m.Content {
		switch {
		case b.Type == "text":
			a.print("\n%s: %s\n", m.Role, b.Text)
		case b.Type == "tool_use":
			a.print("  %s %s %s\n", b.ID, b.Name, b.Input)
		case b.IsError:
			a.print("  %s error: %s\n", b.ToolUseID, indent(b.Result))
		default:
			a.print("  %s ok: %s\n", b.ToolUseID, indent(b.Result))
		}
	}
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n      ")
}

// print prints what people can see of a text: what models and files hold may
// not steer the terminal.
func (a *agent) print(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	io.WriteString(a.out, strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, fmt.Sprintf(format, args...)))
}
