// Command quickstart judges the tool calls of one recorded assistant message.
// It prints what the policy decides about each and why, and then the user
// message that goes back to the model. Nothing runs: the tools are stubs.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/insomnia-run/permission"
)

//go:embed manifest.toml
var manifest []byte

//go:embed message.json
var recorded []byte

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	policy, err := permission.ParseManifest("manifest.toml", manifest, options())
	if err != nil {
		return err
	}
	calls, err := toolCalls(recorded)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "What the policy decides:\n\n")
	for _, c := range calls {
		explain(w, c, policy.Evaluate(c))
	}
	// Nobody is there to answer, and that is said: a policy that asks and a
	// hook that has nobody to ask do not go together by accident.
	hook, err := permission.NewHook(policy, &permission.HookOptions{RefuseAsks: true})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "What goes back to the model:\n\n")
	return reply(w, hook.RunAll(context.Background(), calls, stub))
}

// options say where the calls would run. Without them that is here, in the
// current directory; but the example is to print the same on every machine.
func options() *permission.Options {
	return &permission.Options{Root: "/srv/app", Home: "/home/dev", GOOS: "linux"}
}

// toolCalls returns the calls of an assistant message. Each input stays as the
// model wrote it: one that was decoded and encoded again would hide what is
// wrong with it, a name that stands there twice for one.
func toolCalls(message []byte) ([]permission.ToolCall, error) {
	var m struct {
		Content []struct {
			Type  string          `json:"type"`
			ID    string          `json:"id"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		} `json:"content"`
	}
	if err := json.Unmarshal(message, &m); err != nil {
		return nil, err
	}
	var calls []permission.ToolCall
	for _, b := range m.Content {
		if b.Type == "tool_use" {
			calls = append(calls, permission.ToolCall{ID: b.ID, Name: b.Name, Input: b.Input})
		}
	}
	return calls, nil
}

// explain prints a call as the model wrote it and, below it, the decision: the
// subject that it rests on, as the rules saw it, and its cause.
func explain(w io.Writer, c permission.ToolCall, d permission.Decision) {
	line := func(label, text string) { fmt.Fprintf(w, "  %-10s %s\n", label, text) }
	fmt.Fprintf(w, "%s %s\n", c.Name, c.Input)
	what := strconv.Quote(d.Subject.Text)
	if d.Cause == permission.CauseMalformed {
		what = "the whole call"
	}
	line(d.Action.String(), what)
	switch d.Cause {
	case permission.CauseRule:
		line("rule", name(d.Rule))
		if d.Rule.Reason != "" {
			line("reason", d.Rule.Reason)
		}
	case permission.CauseDoubt:
		line("doubt", d.Detail)
		line("maybe", name(d.Rule))
	case permission.CauseDefault:
		line("default", "no rule matches")
	default:
		line(d.Cause.String(), d.Detail)
	}
	fmt.Fprintln(w)
}

func name(r *permission.Rule) string {
	return fmt.Sprintf("%s:%d: %s %q", r.File, r.Line, r.Tool, r.Pattern)
}

// stub stands for a tool. It sees only calls that may run.
func stub(_ context.Context, c permission.ToolCall) permission.ToolResult {
	return permission.ToolResult{Content: "(the output of " + c.Name + ")"}
}

// toolResult is a ToolResult as the Messages API wants it.
type toolResult struct {
	Type string `json:"type"`
	permission.ToolResult
}

// reply prints the user message that answers all calls.
func reply(w io.Writer, results []permission.ToolResult) error {
	var m struct {
		Role    string       `json:"role"`
		Content []toolResult `json:"content"`
	}
	m.Role = "user"
	for _, r := range results {
		m.Content = append(m.Content, toolResult{"tool_result", r})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false) // for people: \u0026 is no way to write &
	e.SetIndent("", "  ")
	return e.Encode(m)
}
