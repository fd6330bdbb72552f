package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
	"github.com/insomnia-run/permission/lint"
)

const lintHelp = `Usage:

	permission lint -manifest FILE [-skill FILE] [-root DIR] [-home DIR] [-shell SHELL] [-tools NAMES] [-strict] [-json]

Lint prints the rules of a manifest that cannot mean what they say, each with
what to write instead, and then how many there are:

	agent.toml:9: rule 2: behind-allow: it cannot deny "git push *", since the first match decides and rule 1 (bash "git *", line 4) allows that: put it before rule 1 (bash "git *", line 4)
	1 fault, 0 pieces of advice

A fault is a rule that is wrong whatever is called: it never decides, no call is
like it, or its tool is misspelt. Advice is for rules that cover more, or less,
than they seem to, and that may well be meant; its lines say so. With -strict,
advice counts as faults do.

With -tools, the names of the runtime's tools with commas between them, a rule
for any other tool is a fault. A * stands for any characters in a name.

	permission lint -manifest agent.toml -tools 'read,write,bash,mcp__*'

With -skill, the path of a SKILL.md, entries of its allowed-tools are looked at
too: one that no call is like, or for a tool that is not known, lets nothing run.

	permission lint -manifest agent.toml -skill skills/deploy/SKILL.md

With -json each finding is a JSON object on a line of its own, and there are no
totals.

Exit codes:

	0  no faults
	1  faults, or advice with -strict
	3  wrong usage, a manifest or a skill that does not load
`

// linting holds the flags of "permission lint".
type linting struct {
	manifest, skill, tools string
	strict, json           bool
	place                  place
}

func lintCommand() command {
	return command{
		name: "lint", summary: "find rules that cannot mean what they say", help: lintHelp,
		setup: func(f *flag.FlagSet) runFunc {
			var c linting
			f.StringVar(&c.manifest, "manifest", "", "the `FILE` with the [permissions] table (required)")
			f.StringVar(&c.skill, "skill", "", "the `FILE` of a skill, SKILL.md, to look at as well")
			f.StringVar(&c.tools, "tools", "", "the `NAMES` of the runtime's tools, with commas between them")
			f.BoolVar(&c.strict, "strict", false, "let advice count as faults do")
			f.BoolVar(&c.json, "json", false, "print a JSON object for each finding")
			c.place.flags(f,
				"the `DIR` that calls start from (default: the current one)",
				"the `DIR` that ~ stands for (default: the user's home)")
			return c.run
		},
	}
}

func (c *linting) run(args []string, s stdio) (int, error) {
	switch {
	case len(args) > 0:
		return exitError, usage("lint", "got the argument %q, want none: name the manifest as -manifest FILE", args[0])
	case c.manifest == "":
		return exitError, usage("lint", "-manifest FILE is required: the TOML file whose rules to look at")
	}
	o := c.place.options()
	for name := range strings.SplitSeq(c.tools, ",") {
		if name = strings.TrimSpace(name); name != "" {
			o.KnownTools = append(o.KnownTools, name)
		}
	}
	p, err := permission.Load(c.manifest, o)
	if err != nil {
		return exitError, err
	}
	if !p.Enabled() {
		return exitError, fmt.Errorf("%s has no [permissions] table, so there are no rules to look at", c.manifest)
	}
	findings := lint.Policy(p)
	ofSkill, err := c.ofSkill(p)
	if err != nil {
		return exitError, err
	}
	findings = append(findings, ofSkill...)
	if err := c.print(findings, s); err != nil {
		return exitError, err
	}
	faults, advice := count(findings)
	if faults > 0 || c.strict && advice > 0 {
		return 1, nil
	}
	return 0, nil
}

// ofSkill returns what is found in the skill, if there is one.
func (c *linting) ofSkill(p *permission.Policy) ([]lint.Finding, error) {
	if c.skill == "" {
		return nil, nil
	}
	data, err := os.ReadFile(c.skill)
	if err != nil {
		return nil, err
	}
	skill, err := permission.ParseSkill(c.skill, data)
	if err != nil {
		return nil, err
	}
	return lint.Skill(p, skill), nil
}

func (c *linting) print(findings []lint.Finding, s stdio) error {
	if c.json {
		for _, f := range findings {
			if err := printJSON(s.out, f, ""); err != nil {
				return err
			}
		}
		return nil
	}
	for _, f := range findings {
		fmt.Fprintln(s.out, visible.Text(f.String()))
	}
	faults, advice := count(findings)
	fmt.Fprintf(s.out, "%d %s, %d %s of advice\n", faults, plural(faults, "fault"), advice, plural(advice, "piece"))
	return nil
}

func count(findings []lint.Finding) (faults, advice int) {
	for _, f := range findings {
		if f.Level == lint.Fault {
			faults++
		}
	}
	return faults, len(findings) - faults
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
