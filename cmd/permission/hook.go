package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/insomnia-run/permission"
)

const hookHelp = `Usage:

	permission hook -manifest FILE [-root DIR] [-shell SHELL] [-preapprove] [-refuse-asks]
	permission hook -print-config claude [-manifest FILE]

Hook answers a coding agent that runs a command before each tool call: it reads
one event from standard input, decides the call by the rules of FILE, and prints
the answer. The dialect is that of Claude Code's PreToolUse hook, which Crush
reads too. To install it, print the entry and put it into the settings,
~/.claude/settings.json or those of a project:

	permission hook -print-config claude -manifest ~/rules/agent.toml

What an answer does:

	deny   the call does not run, and the model is told why
	ask    the person at the agent is asked, whatever its own rules allow;
	       with -refuse-asks, for runs with nobody there, it is a deny
	allow  nothing is printed: this hook has no objection, and the agent's own
	       rules and questions still count. With -preapprove it also answers
	       those questions, so that only these rules ask; where default_action
	       is "allow", it then answers all that no rule speaks of

Anything that goes wrong blocks the call, with a deny, a text that says why and
the exit code 2: an event that cannot be read or is another one, a manifest that
does not load or has no [permissions] table, no answer within -timeout, a
standard output that nobody reads, -print-config or -help in the agent's
settings, where they would print and judge nothing. What keeps this program from
running at all only blocks where the entry says so, as the one that is printed
does ("onFailure": "block", from Claude Code 2.1.295 on; an older one, and Crush,
let the call run).

Calls start from the folder of the event, in which the agent may move. Without
-root that is also the root, so that what is inside moves along, and the
examples and tests in FILE may fail there: name the root. Neither FILE nor DIR
may be relative, for the same reason, and FILE should stand where the agent may
not write. Links in paths are followed, and the stricter answer counts; a
command line is taken as it is written.

Claude Code runs command lines in the user's shell if that is bash or zsh: name
it with -shell. The entry that is printed has -shell zsh where SHELL says so.

Rules name the tools as the agent does: Bash, Read, Edit, mcp__server__tool in
Claude Code, bash, view, edit in Crush. To see what a rule would say:

	permission check -manifest ~/rules/agent.toml Bash 'git push'

Exit codes:

	0  it has answered
	2  it could not, and the call is blocked
`

// exitBlocked is the exit code that blocks a call. A host takes every other one
// but 0 for a mishap, and runs the call.
const exitBlocked = 2

// defaultBudget is far below the limits of the hosts, which let a call run that
// a hook has not answered in time.
const defaultBudget = 5 * time.Second

// maxEvent bounds, in bytes, what is read of an event.
const maxEvent = 32 << 20

// hook holds the flags of "permission hook".
type hook struct {
	manifest    string
	place       place
	dialect     string
	printConfig string
	preapprove  bool
	refuseAsks  bool
	budget      time.Duration
}

func hookCommand() command {
	return command{
		name: "hook", summary: "answer a coding agent before each of its tool calls", help: hookHelp,
		setup: func(f *flag.FlagSet) runFunc {
			var h hook
			h.flags(f)
			return h.run
		},
		fail: block, idle: unjudged,
	}
}

func (h *hook) flags(f *flag.FlagSet) {
	f.StringVar(&h.manifest, "manifest", "", "the `FILE` with the [permissions] table, an absolute path (required)")
	h.place.flags(f,
		"the `DIR` that is the root, an absolute path (default: the one of the event)",
		"the `DIR` that ~ stands for (default: the user's home)")
	for _, name := range []string{"root", "home"} {
		value := f.Lookup(name)
		value.Value = absolute{value.Value}
	}
	f.StringVar(&h.dialect, "dialect", "claude", "the `HOST` whose events are read: claude")
	f.StringVar(&h.printConfig, "print-config", "", "print the entry for the settings of `HOST`: claude")
	f.BoolVar(&h.preapprove, "preapprove", false, "let an allow answer the agent's own questions, too")
	f.BoolVar(&h.refuseAsks, "refuse-asks", false, "deny what asks: nobody is there")
	f.DurationVar(&h.budget, "timeout", defaultBudget, "block the call after so long; the agent's own limit has to be longer")
}

// absolute is the value of a flag that has to be an absolute path: the agent
// moves, and what it moves into must not decide.
type absolute struct{ flag.Value }

func (a absolute) String() string {
	if a.Value == nil { // as the flag package asks for a zero value
		return ""
	}
	return a.Value.String()
}

func (a absolute) Set(s string) error {
	if !filepath.IsAbs(s) {
		return errors.New("want an absolute path, as the agent moves between folders")
	}
	return a.Value.Set(s)
}

// checkDialect reports what is wrong with the flags that an entry has, too.
func (h *hook) checkDialect() error {
	_, known := dialects()[h.dialect]
	switch {
	case !known:
		return usage("hook", "the dialect %q is not known: want claude", h.dialect)
	case h.budget <= 0:
		return usage("hook", "-timeout %v is no time to answer in", h.budget)
	}
	return nil
}

// check reports what is wrong with the flags.
func (h *hook) check(args []string) error {
	if err := h.checkDialect(); err != nil {
		return err
	}
	switch {
	case len(args) > 0:
		return usage("hook", "got %d %s, want none: the call comes on standard input", len(args), plural(len(args), "argument"))
	case h.manifest == "":
		return usage("hook", "-manifest FILE is required: the TOML file whose rules should decide")
	case !filepath.IsAbs(h.manifest):
		return usage("hook", "-manifest %s is relative: want an absolute path, as the agent moves between folders", h.manifest)
	}
	return nil
}

func (h *hook) run(args []string, s stdio) (int, error) {
	if h.printConfig != "" && len(args) == 0 {
		return h.config(s)
	}
	if err := h.check(args); err != nil {
		return exitBlocked, err
	}
	if leadsNowhere(s.out) {
		return exitBlocked, errors.New("standard output is closed or thrown away, and silence would let the call run")
	}
	outliveReaders()
	answer, err := within(h.budget, func() (string, error) { return h.answer(s.in) })
	if err != nil {
		return exitBlocked, err
	}
	if _, err := io.WriteString(s.out, answer); err != nil {
		return exitBlocked, errors.New("the answer could not be written")
	}
	return 0, nil
}

// leadsNowhere reports whether what is written to w is lost. The Go runtime puts
// the null device in the place of a closed standard output.
func leadsNowhere(w io.Writer) bool {
	f, ok := fileOf(w)
	if !ok {
		return false
	}
	this, err := f.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(this, null)
}

// outliveReaders lets writes to a closed pipe fail. Otherwise a signal would end
// this program, which is a mishap to a host and not a no.
func outliveReaders() { signal.Ignore(syscall.SIGPIPE) }

// block tells the host of a failure in each of the ways that it may listen to.
// Nothing has been read of an event where the command line is wrong: if there is
// none, it is a person who has written that.
func block(s stdio, err error) int {
	outliveReaders()
	if !errors.As(err, new(usageError)) || eventWaits(s.in) {
		text := "The call was blocked, as the permission hook failed: " + oneLine(err.Error())
		_, _ = io.WriteString(s.out, claudeAnswer("deny", text))
	}
	fail(s, "permission hook", err)
	return exitBlocked
}

// within returns what f does, or an error if it panics or takes longer than the
// budget. It says nothing of a panic's value, which may be of the call.
func within(budget time.Duration, f func() (string, error)) (string, error) {
	type outcome struct {
		answer string
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("it panicked, which is a fault in this program")}
		defer func() {
			_ = recover()
			done <- o
		}()
		answer, err := f()
		o = outcome{answer, err}
	}()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-time.After(budget):
		return "", fmt.Errorf("no answer within %v", budget)
	}
}

// answer reads an event and returns the host's form of the answer.
func (h *hook) answer(in io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	switch {
	case err != nil:
		return "", errors.New("standard input cannot be read")
	case len(data) > maxEvent:
		return "", fmt.Errorf("the event has more than %d bytes", maxEvent)
	}
	d := dialects()[h.dialect]
	call, err := d.read(data)
	if err != nil {
		return "", err
	}
	options := h.place.options()
	if options.Root == "" {
		options.Root, call.Dir = call.Dir, ""
	}
	p, err := permission.Load(h.manifest, options)
	if err != nil {
		return "", err
	}
	if !p.Enabled() {
		return "", fmt.Errorf("%s has no [permissions] table, so nothing decides: write one, or take the hook out of the settings", h.manifest)
	}
	action, why, err := h.decide(p, call)
	if err != nil || action == permission.Allow && !h.preapprove {
		return "", err
	}
	return d.answer(action.String(), why), nil
}

// decide returns the answer for a call and the reason that goes with it: the
// model's for a deny, and a person's otherwise.
func (h *hook) decide(p *permission.Policy, call permission.ToolCall) (permission.Action, string, error) {
	decider, err := permission.NewHook(p, &permission.HookOptions{RefuseAsks: true, Resolve: permission.ResolveSymlinks})
	if err != nil {
		return permission.Deny, "", err
	}
	// The host's dialog is not waited for here, whatever the ask_timeout is.
	if d := decider.Evaluate(context.Background(), call); d.Action == permission.Ask && !h.refuseAsks {
		return permission.Ask, why(d, call.Name, h.manifest), nil
	}
	v := decider.PreToolCall(context.Background(), call)
	if !v.Proceed {
		return permission.Deny, v.Result.Content, nil
	}
	return permission.Allow, why(v.Decision, call.Name, h.manifest), nil
}
