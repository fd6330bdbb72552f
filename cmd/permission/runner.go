package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
	"github.com/insomnia-run/permission/lint"
)

// runner runs cases of files, for which it keeps what it compiles.
type runner struct {
	manifest string // decides cases without rules; may be empty
	shell    string // runs their command lines
	policies map[casefile.Env]*permission.Policy
	*tally
}

// run runs cases, or none of them where one needs a manifest that is not to be
// had.
func (r *runner) run(cases []casefile.Case) error {
	for _, c := range cases {
		if c.Call == nil || c.Call.Default != "" {
			continue
		}
		if r.manifest == "" {
			return usage("test", "%s: case %s has no rules: name a manifest with -manifest", location(c.File, c.Line), c.ID)
		}
		if err := r.load(c.Call.Env); err != nil {
			return err
		}
	}
	for _, c := range cases {
		switch {
		case c.Call != nil:
			r.call(c)
		case c.Manifest != nil:
			r.manifestCase(c)
		case c.Skill != nil:
			r.skillCase(c)
		default:
			r.skip(c, "a course of events in words is for a test written by hand")
		}
	}
	return nil
}

// load compiles the manifest for calls in e.
func (r *runner) load(e casefile.Env) error {
	if r.policies[e] != nil {
		return nil
	}
	p, err := permission.Load(r.manifest, r.options(e))
	if err != nil {
		return err
	}
	if !p.Enabled() {
		return fmt.Errorf("%s has no [permissions] table, so there is nothing to test", r.manifest)
	}
	r.policies[e] = p
	return nil
}

func (r *runner) options(e casefile.Env) *permission.Options {
	return &permission.Options{GOOS: e.GOOS, Root: e.Root, Home: e.Home, Shell: r.shell}
}

func (r *runner) call(c casefile.Case) {
	call := c.Call
	if call.Env.CaseInsensitive != call.Env.Folds() {
		r.skip(c, fmt.Sprintf("case_insensitive is %v, and policies for %s take it the other way",
			call.Env.CaseInsensitive, call.Env.GOOS))
		return
	}
	m := mismatch{id: c.ID, want: call.Want, place: location(c.File, c.Line)}
	p, source := r.policies[call.Env], r.manifest
	if call.Default != "" {
		var err error
		if p, err = r.compile(call); err != nil {
			m.got, m.cause = "an error", err.Error()
			r.add(false, m)
			return
		}
		source = "the case"
	}
	d := p.Evaluate(permission.ToolCall{Name: call.Tool, Input: call.Input})
	m.got, m.cause = d.Action.String(), why(d, call.Tool, source)
	r.add(m.got == m.want, m)
}

// compile returns the policy that c brings.
func (r *runner) compile(c *casefile.Call) (*permission.Policy, error) {
	fallback, err := permission.ParseAction(c.Default)
	if err != nil {
		return nil, err
	}
	rules := make([]permission.Rule, len(c.Rules))
	for i, rule := range c.Rules {
		action, err := permission.ParseAction(rule.Action)
		if err != nil {
			return nil, err
		}
		rules[i] = permission.Rule{Tool: rule.Tool, Pattern: rule.Pattern, Action: action, Reason: rule.Reason}
	}
	return permission.Compile(fallback, rules, r.options(c.Env))
}

// manifestCase parses a manifest under a name that no error need mention, and
// looks at its rules where a warning is wanted.
func (r *runner) manifestCase(c casefile.Case) {
	want, warning := c.Manifest.Mention, c.Manifest.Warning
	m := mismatch{id: c.ID, got: "ok", want: "ok", cause: "it loads", place: location(c.File, c.Line)}
	switch {
	case want != "":
		m.want = "error mentioning " + want
	case warning != "":
		m.want = "a warning mentioning " + warning
	}
	p, err := permission.ParseManifest("case.toml", c.Manifest.Data,
		&permission.Options{GOOS: "linux", Root: "/srv/proj", Home: "/home/u"})
	switch {
	case err != nil:
		m.got, m.cause = "an error", err.Error()
		r.add(mentions(err, want), m)
	case want == "" && warning != "":
		warned := warnings(p)
		m.cause = "the linter has nothing to say"
		if warned != nil {
			m.got, m.cause = "other warnings", warned.Error()
		}
		r.add(mentions(warned, warning), m)
	default:
		r.add(want == "", m)
	}
}

// warnings joins what is odd about the rules of p.
func warnings(p *permission.Policy) error {
	var all []error
	for _, f := range lint.Policy(p) {
		all = append(all, errors.New(f.String()))
	}
	return errors.Join(all...)
}

// mentions reports whether err speaks of something, whose case does not count.
func mentions(err error, something string) bool {
	return err != nil && something != "" && strings.Contains(strings.ToLower(err.Error()), strings.ToLower(something))
}

// skillCase parses a SKILL.md under a name that no error need mention.
func (r *runner) skillCase(c casefile.Case) {
	m := mismatch{id: c.ID, place: location(c.File, c.Line)}
	s, err := permission.ParseSkill("case.md", c.Skill.Data)
	switch {
	case err != nil:
		m.got, m.cause = "an error", err.Error()
	default:
		m.got, m.cause = listed(s.Unrestricted, s.Tools), "it loads"
	}
	if m.want = "error mentioning " + c.Skill.Mention; c.Skill.Mention == "" {
		var tools []permission.Rule
		for _, t := range c.Skill.Tools {
			tools = append(tools, permission.Rule{Tool: t.Tool, Pattern: t.Pattern})
		}
		m.want = listed(c.Skill.Unrestricted, tools)
	}
	r.add(m.got == m.want || mentions(err, c.Skill.Mention), m)
}

// listed says what a skill lets run.
func listed(unrestricted bool, tools []permission.Rule) string {
	if unrestricted {
		return "no restriction"
	}
	list := make([]string, len(tools))
	for i, t := range tools {
		list[i] = fmt.Sprintf("%s %q", t.Tool, t.Pattern)
	}
	return "the tools [" + strings.Join(list, ", ") + "]"
}
