package permission

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Check is how one example of a rule, or one [[permissions.test]], came out.
// [CheckManifest] makes them; the zero value says nothing.
type Check struct {
	Name string // as in `rule 3: match "git push"` or `test 1: bash`
	Line int    // of the rule or test; 0 where it is not known
	// Got is for a test "allow", "ask" or "deny", or "unreadable" where the
	// argument that rules are for is missing or misspelt in it; for an example
	// "match", "no match", "may match", or "unreadable" where the tool's calls
	// cannot have such a text; for either "panic" after a fault in this library.
	Got  string
	Want string // for a test an action; for an example "match" or "no match"
	Why  string // why it came out so; it may be empty

	err ManifestError // the place, and what to say there if it fails
}

// Passed reports whether c came out as it should.
func (c Check) Passed() bool { return c.Got == c.Want }

// failure returns the error of a check that has not passed.
func (c Check) failure() error {
	e := c.err
	e.Err = fmt.Errorf("%w: got %s, want %s", e.Err, c.Got, c.Want)
	if c.Why != "" {
		e.Err = fmt.Errorf("%w: %s", e.Err, c.Why)
	}
	return &e
}

// checks returns how the examples and tests of doc, of which p is the policy, come
// out.
func (p *Policy) checks(file string, doc *manifest.Document) []Check {
	var all []Check
	for i, r := range doc.Rules {
		at := ManifestError{File: file, Line: r.Line, Rule: i + 1, Key: "match"}
		for _, example := range r.Match {
			all = append(all, p.checkExample(at, example, "match"))
		}
		at.Key = "not_match"
		for _, example := range r.NotMatch {
			all = append(all, p.checkExample(at, example, "no match"))
		}
	}
	for i, t := range doc.Tests {
		c := Check{Name: fmt.Sprintf("test %d: %s", i+1, t.Tool), Line: t.Line, Want: t.Want}
		c.err = ManifestError{File: file, Line: t.Line, Key: entryKey("test", i+1, ""), Err: errors.New(t.Tool)}
		c.run(func() {
			d := p.Evaluate(ToolCall{Name: t.Tool, Input: t.Input})
			c.Got, c.Why = d.Action.String(), p.because(&d, t.Tool)
			if p.misnames(t) {
				c.Got = "unreadable" // and denied whatever the rules say
			}
		})
		all = append(all, c)
	}
	return all
}

// misnames reports whether a test says nothing of the rules, as the argument
// that they are for is missing or misspelt in it.
func (p *Policy) misnames(t manifest.Test) bool {
	_, err := p.reader.Read(t.Tool, "", t.Input)
	m, ok := err.(*subject.Malformed)
	return ok && m.Name
}

// checkExample checks an example of the rule at a place, whose key says what it is
// an example of.
func (p *Policy) checkExample(at ManifestError, example, want string) Check {
	at.Err = errors.New(visible.Quote(example))
	c := Check{Name: fmt.Sprintf("rule %d: %s %v", at.Rule, at.Key, at.Err), Line: at.Line, Want: want, err: at}
	c.run(func() {
		switch must, may, err := p.matchExample(at.Rule-1, example); {
		case err != nil:
			c.Got, c.Why = "unreadable", err.Error()
		case must:
			c.Got = "match"
		case may:
			c.Got = "may match"
		default:
			c.Got = "no match"
		}
		if c.Why == "" && !c.Passed() {
			c.Why = cmp.Or(p.oddTool(at.Rule-1, example, want == "match"), p.spellings(at.Rule-1, example))
		}
	})
	return c
}

// matchExample reports whether rule, by itself, decides an example of its
// tool's calls: whether it must, for every tool that it is for, and whether it
// may, for any.
func (p *Policy) matchExample(rule int, example string) (must, may bool, err error) {
	tools, err := glob.Expand(p.rules[rule].Tool)
	if err != nil {
		return false, false, err
	}
	must = true
	for _, tool := range tools {
		m, y, err := p.matchFor(tool, rule, example)
		if err != nil {
			return false, false, err
		}
		must, may = must && m, may || y
	}
	return must, may, nil
}

// matchFor is matchExample for one of the tools that the rule names.
func (p *Policy) matchFor(tool string, rule int, example string) (must, may bool, err error) {
	subjects, err := p.reader.Example(tool, example)
	if err != nil {
		return false, false, err
	}
	must, may = p.matchAlone(rule, subjects)
	return must, may, nil
}

// matchAlone reports whether rule matches some of what a call touches.
func (p *Policy) matchAlone(rule int, subjects []subject.Subject) (must, may bool) {
	for i := range subjects {
		m, y := p.index.Match(rule, &subjects[i])
		must, may = must || m, may || y
	}
	return must, may
}

// spellings says how an example of a rule is read, where that is not how it is
// written: as several parts, or as another text.
func (p *Policy) spellings(rule int, example string) string {
	tools, err := glob.Expand(p.rules[rule].Tool)
	if err != nil || len(tools) == 0 {
		return ""
	}
	subjects, err := p.reader.Example(tools[0], example)
	if err != nil || len(subjects) == 0 || len(subjects) == 1 && subjects[0].Text == example {
		return ""
	}
	var read []string
	for _, s := range subjects[:min(len(subjects), 4)] {
		read = append(read, visible.Quote(s.Text))
	}
	if len(read) < len(subjects) {
		read = append(read, "…")
	}
	return "it is read as " + strings.Join(read, ", ")
}

// oddTool says for which of several tools that a rule names an example came out
// otherwise than it should.
func (p *Policy) oddTool(rule int, example string, want bool) string {
	tools, err := glob.Expand(p.rules[rule].Tool)
	if err != nil || len(tools) < 2 {
		return ""
	}
	for _, tool := range tools {
		if must, may, err := p.matchFor(tool, rule, example); err == nil && (want && !must || !want && may) {
			return "for calls of " + visible.Quote(tool)
		}
	}
	return ""
}

// run runs f, which fills c in. A panic is a check that fails.
func (c *Check) run(f func()) {
	defer func() {
		if r := recover(); r != nil {
			c.Got, c.Why = "panic", visible.Panic(r)
		}
	}()
	f()
}

// because says in short why p decided so for a call of tool.
func (p *Policy) because(d *Decision, tool string) string {
	s := d.Cause.String()
	if d.Rule != nil {
		s = fmt.Sprintf("%s %d", s, 1+slices.IndexFunc(p.rules, func(r Rule) bool { return r == *d.Rule }))
		if where := visible.Place(d.Rule.File, d.Rule.Line); where != "" {
			s += " (" + where + ")"
		}
	}
	if d.Subject.Text != "" {
		s += " on " + visible.Quote(d.Subject.Text)
	}
	if d.Detail != "" {
		s += ": " + d.Detail
	}
	if d.Cause == CauseDefault {
		s += p.otherCase(tool)
	}
	return s
}

// otherCase says that rules name a tool in another case, if none names it so.
func (p *Policy) otherCase(tool string) string {
	var tools []string
	for _, r := range p.rules {
		tools = append(tools, r.Tool)
	}
	other := glob.OtherCase(tools, tool)
	if other == "" {
		return ""
	}
	return fmt.Sprintf(": no rule is for %s, but for %s, and case counts", visible.Short(tool), visible.Text(other))
}
