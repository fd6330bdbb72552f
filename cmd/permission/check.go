package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/visible"
)

const checkHelp = `Usage:

	permission check -manifest FILE [-root DIR] [-home DIR] [-shell SHELL] TOOL [--] INPUT
	permission check -manifest FILE [-root DIR] [-home DIR] [-shell SHELL] -

Check prints what a manifest decides for one call of TOOL, and why. Nothing is
run. INPUT that begins with { is the call's JSON; any other is the text of the
tool's main argument: the command of bash, the path of read, the URL of
webfetch.

	permission check -manifest agent.toml bash 'git push origin main'
	permission check -manifest agent.toml move '{"src": "a.txt", "dst": "b.txt"}'

So a command that begins with { has to be written as JSON:

	permission check -manifest agent.toml bash '{"command": "{ ls; pwd; }"}'

With - in place of a call, check reads tool_use blocks from standard input, one
JSON object a line, and prints one line for each. It uses their name (or tool),
input and id; blank lines are left out.

	{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}}

Exit codes; of several calls the highest counts:

	0  allow
	1  ask
	2  deny
	3  wrong usage, a manifest that does not load, a line that cannot be read
`

// check holds the flags of "permission check".
type check struct{ single }

func checkCommand() command {
	return command{
		name: "check", summary: "say what a manifest decides for a call, and why", help: checkHelp,
		setup: func(f *flag.FlagSet) runFunc {
			var c check
			c.flags(f)
			return c.run
		},
	}
}

func (c *check) run(args []string, s stdio) (int, error) {
	if len(args) == 1 && args[0] == "-" && c.manifest != "" {
		p, err := permission.Load(c.manifest, c.place.options())
		if err != nil {
			return exitError, err
		}
		return c.stream(p, s)
	}
	p, call, err := c.load("check", args)
	if err != nil {
		return exitError, err
	}
	d := p.Evaluate(call)
	fmt.Fprintf(s.out, "%v: %s%s\n", d.Action, why(d, call.Name, c.manifest), otherCase(p, d, call.Name))
	return exitCode(d.Action), nil
}

// otherCase says of a call that no rule decides where the rules name its tool in
// another case.
func otherCase(p *permission.Policy, d permission.Decision, tool string) string {
	if d.Cause != permission.CauseDefault {
		return ""
	}
	var tools []string
	for _, r := range p.Rules() {
		tools = append(tools, r.Tool)
	}
	other := glob.OtherCase(tools, tool)
	if other == "" {
		return ""
	}
	return ": its rules are for " + visible.Text(other) + ", and case counts"
}

// stream answers each line of standard input by one line, a bad one too, so
// that a program on the other end of a pipe can pair them.
func (c *check) stream(p *permission.Policy, s stdio) (int, error) {
	worst, lines, bad := 0, 0, 0
	for use, err := range casefile.ToolUses(s.in) {
		lines++
		if err != nil {
			bad++
			fmt.Fprintf(s.out, "error: standard input, %s\n", visible.Text(err.Error()))
			continue
		}
		d := p.Evaluate(permission.ToolCall{ID: use.ID, Name: use.Name, Input: use.Input})
		fmt.Fprintf(s.out, "%v%s: %s\n", d.Action, visible.Text(label(use.ID)), why(d, use.Name, c.manifest))
		worst = max(worst, exitCode(d.Action))
	}
	switch {
	case lines == 0:
		return exitError, errors.New("no calls on standard input")
	case bad > 0:
		return exitError, fmt.Errorf("%d of %d lines on standard input cannot be read", bad, lines)
	}
	return worst, nil
}

// label returns what stands for a call's ID in a line of the stream.
func label(id string) string {
	if id == "" {
		return ""
	}
	return " " + visible.Short(id)
}

// exitCode is higher for the stricter action; one that is unknown denies.
func exitCode(a permission.Action) int {
	switch a {
	case permission.Allow:
		return 0
	case permission.Ask:
		return 1
	}
	return 2
}
