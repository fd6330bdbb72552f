package lint

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/visible"
)

// A linter looks at the rules of one policy.
type linter struct {
	policy   *permission.Policy
	options  permission.Options
	reader   *subject.Reader
	rules    []*rule
	findings []Finding
	tools    map[[2]string]bool // whether a glob over tool names covers another
	ends     map[*glob.Glob][2]string
	rooted   map[*glob.Glob]*glob.Glob // the globs behind the root
	real     map[spelling]bool         // whether anything is spelt as a glob has it
}

// A spelling is a glob for the readings of a form that subjects of a kind have.
type spelling struct {
	glob *glob.Glob
	kind subject.Kind
	form text.Form
}

// A rule is a rule with what it is compiled to.
type rule struct {
	permission.Rule
	number int
	tools  []string // globs without braces
	alts   []alternative
	// all is its pattern for each kind of subject.
	all map[subject.Kind]glob.Pattern
	// plain is what all would be if the rule allowed.
	plain    map[subject.Kind]glob.Pattern
	killings []*killing
}

// An alternative is one way to choose from the braces of a pattern.
type alternative struct {
	source     string // as Expand returns it
	shown      string // for people: as it is written, where it is all of a pattern
	all, plain map[subject.Kind]glob.Pattern
	need       string // a word that stands in all that it matches
	words      string // a text with all words of that sort
}

func newLinter(p *permission.Policy, rules []permission.Rule) (*linter, error) {
	l := &linter{
		policy: p, options: p.Options(), tools: make(map[[2]string]bool), ends: make(map[*glob.Glob][2]string),
		rooted: make(map[*glob.Glob]*glob.Glob), real: make(map[spelling]bool),
	}
	c, err := config(l.options)
	if err != nil {
		return nil, err
	}
	if l.reader, err = subject.NewReader(c); err != nil {
		return nil, err
	}
	for i, r := range rules {
		compiled, err := l.compile(r, i+1)
		if err != nil {
			return nil, err
		}
		l.rules = append(l.rules, compiled)
	}
	return l, nil
}

// config says how a policy of those options reads calls and patterns.
func config(o permission.Options) (subject.Config, error) {
	c := subject.Config{
		Root: o.Root, Home: o.Home, GOOS: o.GOOS,
		Shell: o.Shell, Wrappers: o.Wrappers, HarmlessEnv: o.HarmlessEnv,
	}
	for _, t := range o.Tools {
		names, err := glob.Expand(t.Name)
		if err != nil {
			return c, err
		}
		c.Tools = append(c.Tools, subject.Tool{
			Names: names, Kind: subject.Kind(t.Kind), Required: t.Arguments, Optional: t.Optional,
		})
	}
	return c, nil
}

func (l *linter) compile(r permission.Rule, number int) (*rule, error) {
	tools, err := glob.Expand(r.Tool)
	if err != nil {
		return nil, err
	}
	sources, err := glob.Expand(r.Pattern)
	if err != nil {
		return nil, err
	}
	c := &rule{Rule: r, number: number, tools: tools, alts: make([]alternative, len(sources))}
	c.all, c.plain = l.patterns(r, r.Pattern)
	for i, source := range sources {
		a := alternative{source: source, shown: visible.Quote(r.Pattern), all: c.all, plain: c.plain, need: need(source), words: l.words(source)}
		if len(sources) > 1 {
			a.shown = visible.Quote(source)
			a.all, a.plain = l.patterns(r, source)
		}
		c.alts[i] = a
	}
	return c, nil
}

// patterns compiles a pattern of r for each kind of subject that its tools have.
func (l *linter) patterns(r permission.Rule, pattern string) (all, plain map[subject.Kind]glob.Pattern) {
	all = make(map[subject.Kind]glob.Pattern)
	plain = all
	if r.Action != permission.Allow {
		plain = make(map[subject.Kind]glob.Pattern)
	}
	tools, _ := glob.Expand(r.Tool)
	for _, k := range l.reader.Kinds(tools) {
		if k == subject.Path && isURL(pattern) {
			continue // tools that take either have paths by file: URLs alone
		}
		if p, err := l.reader.Pattern(k, pattern, r.Action == permission.Allow); err == nil {
			all[k] = p
		}
		if p, err := l.reader.Pattern(k, pattern, true); err == nil {
			plain[k] = p
		}
	}
	return all, plain
}

// isURL reports whether a pattern is for URLs, and not of files.
func isURL(pattern string) bool {
	return strings.HasPrefix(pattern, "domain:") || strings.Contains(pattern, "://") && !strings.Contains(pattern, "file:")
}

// run returns what is odd about the rules. A rule with a fault gets no advice:
// it has to be written anew anyway.
func (l *linter) run() []Finding {
	faults := []func(*rule){l.cover, l.noCommand, l.impossible, l.bareName, l.otherKind, l.unknownTool}
	advice := []func(*rule){
		l.nearTool, l.everything, l.programs, l.urlTails, l.stars, l.operators, l.shellRefusal, l.brackets, l.declaredText, l.wildcardTool, l.urls, l.around, l.spellings,
	}
	for _, r := range l.rules {
		before := len(l.findings)
		for _, check := range faults {
			check(r)
		}
		for _, check := range advice {
			if len(l.findings) == before || l.findings[len(l.findings)-1].Level == Advice {
				check(r)
			}
		}
	}
	return l.findings
}

// add adds a finding, unless the same check has found something in r already:
// what is to be done is the same.
func (l *linter) add(level Level, r *rule, check, why, instead string) {
	same := func(f Finding) bool { return f.Rule == r.number && f.Check == check }
	if !slices.ContainsFunc(l.findings, same) {
		l.findings = append(l.findings, Finding{
			Level: level, File: r.File, Line: r.Line, Rule: r.number, Check: check, Why: why, Instead: instead,
		})
	}
}

func (r *rule) allows() bool { return r.Action == permission.Allow }

// only reports whether calls of all tools of r are foremost about a kind of
// subject.
func (l *linter) only(r *rule, k subject.Kind) bool {
	return !slices.ContainsFunc(r.tools, func(t string) bool { return l.reader.MainKind(t) != k })
}

// onlyShell reports whether all tools of r run command lines of which each
// command is looked at by itself.
func (l *linter) onlyShell(r *rule) bool {
	return l.only(r, subject.Command) && !slices.ContainsFunc(r.tools, l.reader.PowerShell)
}

// has reports whether calls of some tool that r names are foremost about a kind
// of subject.
func (l *linter) has(r *rule, k subject.Kind) bool {
	return slices.ContainsFunc(r.tools, func(t string) bool { return l.reader.MainKind(t) == k })
}

// answer returns what the policy says of one thing that a call of a tool
// touches.
func (l *linter) answer(tool string, k permission.Kind, text string) permission.Action {
	return l.policy.EvaluateSubjects(tool, permission.Subject{Kind: k, Text: text}).Action
}

// isStars reports whether a pattern is nothing but stars.
func isStars(pattern string) bool {
	for _, r := range pattern {
		if r != '*' {
			return false
		}
	}
	return true
}
