package permission

import (
	"errors"
	"fmt"
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Check is how one example of a rule, or one [[permissions.test]], came out.
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

	err ManifestError // what it is if it fails
}

// Passed reports whether c came out as it should.
func (c Check) Passed() bool { return c.Got == c.Want }

// failure returns c as an error.
func (c Check) failure() error {
	e := c.err
	e.Err = fmt.Errorf("%w: got %s, want %s", e.Err, c.Got, c.Want)
	if c.Why != "" {
		e.Err = fmt.Errorf("%w: %s", e.Err, c.Why)
	}
	return &e
}

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
		c.judge(func() {
			d := p.Evaluate(ToolCall{Name: t.Tool, Input: t.Input})
			c.Got, c.Why = d.Action.String(), p.because(&d)
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

func (p *Policy) checkExample(at ManifestError, example, want string) Check {
	at.Err = errors.New(visible.Quote(example))
	c := Check{Name: fmt.Sprintf("rule %d: %s %v", at.Rule, at.Key, at.Err), Line: at.Line, Want: want, err: at}
	c.judge(func() {
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
		if !c.Passed() && c.Why == "" {
			c.Why = p.oddTool(at.Rule-1, example, want == "match")
		}
	})
	return c
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

// judge runs f, which fills c in. A panic is a check that fails.
func (c *Check) judge(f func()) {
	defer func() {
		if r := recover(); r != nil {
			c.Got, c.Why = "panic", fmt.Sprint(r)
		}
	}()
	f()
}

// because says in short why p decided so.
func (p *Policy) because(d *Decision) string {
	s := d.Cause.String()
	if d.Rule != nil {
		s = fmt.Sprintf("%s %d", s, 1+slices.IndexFunc(p.rules, func(r Rule) bool { return r == *d.Rule }))
		if where := d.Rule.where(); where != "" {
			s += " (" + where + ")"
		}
	}
	if d.Subject.Text != "" {
		s += " on " + visible.Quote(d.Subject.Text)
	}
	if d.Detail != "" {
		s += ": " + d.Detail
	}
	return s
}
