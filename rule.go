package permission

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
)

// A Rule says what happens to a subject of a call. The zero value is not a
// rule: Compile refuses it.
type Rule struct {
	// Tool is a glob over the tool's name, which must match as a whole. Case
	// counts.
	Tool string `json:"tool"`
	// Pattern is a glob over each subject of the call, which must match as a
	// whole. "*" matches any characters, slashes and blanks included, "?" any
	// one, "[a-z]" and "[!ab]" one of a class, "{a,b}" either; "\" escapes.
	//
	// A " *" at its end also matches nothing, so that "git push *" covers
	// "git push"; for paths and URLs so does a "/*" at its end, and a "**/" at
	// the start or behind a slash. Paths are matched clean, in full and from
	// Options.Root: a relative pattern allows what is inside the root alone.
	// "domain:HOST" is for the host of a URL, "> PATH" and "< PATH" are for the
	// files that a command line writes and reads.
	//
	// In a rule that denies or asks, brackets and braces also stand for
	// themselves, and a "/" at the end of a path covers what is below it.
	Pattern string `json:"pattern"`
	Action  Action `json:"action"` // what becomes of what matches; zero is Deny
	// Reason is told to the model and to the approver; it may be empty.
	Reason string `json:"reason,omitempty"`
	// File and Line say where the rule stands. Line is 0 where it is not
	// known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // from 1
}

// A Policy is a compiled list of rules with a default. It is immutable and
// safe for concurrent use. A nil Policy, and the zero value, deny every call.
type Policy struct {
	state    state
	fallback Action
	// Decisions hand out pointers into rules, so what they say is shown to
	// people, and decided by actions and index, which nobody else can change.
	rules   []Rule
	actions []Action // of rules
	options Options
	index   *index.Rules
	reader  *subject.Reader
	parts   []*Policy     // of Strictest; empty otherwise
	timeout time.Duration // for an answer to an ask; 0 is no limit
	hash    string        // see Hash
}

// state says what kind of policy a Policy is.
type state uint8

const (
	stateNone     state = iota // the zero value: denies
	stateDisabled              // no [permissions] table: allows
	stateRules
	stateStrictest
)

// Compile returns the policy of rules, in their order, with fallback for what
// none matches. It copies rules and o; a nil o is the zero Options. With an error
// there is no policy. It joins a *ManifestError for everything that is wrong;
// an unknown fallback, too many rules and a missing current directory are told
// alone.
func Compile(fallback Action, rules []Rule, o *Options) (*Policy, error) {
	if fallback > Allow {
		return nil, &ManifestError{Key: "default_action", Err: unknownAction(fallback)}
	}
	if len(rules) > manifest.MaxRules {
		return nil, &ManifestError{Key: "rule", Err: fmt.Errorf("%d rules: want %d at most", len(rules), manifest.MaxRules)}
	}
	opts, err := o.complete()
	if err != nil {
		return nil, err
	}
	p := &Policy{state: stateRules, fallback: fallback, rules: slices.Clone(rules), options: opts}
	var inOptions, inRules error
	p.reader, inOptions = opts.reader()
	inOptions = errors.Join(inOptions, opts.checkSkills(p.reader))
	p.index, inRules = compileRules(p.reader, p.rules)
	if err := errors.Join(inOptions, inRules); err != nil {
		return nil, err
	}
	for _, r := range p.rules {
		p.actions = append(p.actions, r.Action)
	}
	p.hash = p.sum()
	return p, nil
}

// compileRules compiles each rule for every kind of subject that its tools can
// have.
func compileRules(reader *subject.Reader, rules []Rule) (*index.Rules, error) {
	var b index.Builder
	var errs []error
	for i := range rules {
		r := &rules[i]
		for _, f := range compileRule(&b, reader, r) {
			errs = append(errs, &ManifestError{File: r.File, Line: r.Line, Rule: i + 1, Key: f.key, Err: f.err})
		}
	}
	return b.Rules(), errors.Join(errs...)
}

// compileRule adds r to b, or returns what is wrong with each of its keys.
func compileRule(b *index.Builder, reader *subject.Reader, r *Rule) (faults []keyFault) {
	fault := func(key string, err error) {
		if err != nil {
			faults = append(faults, keyFault{key, err})
		}
	}
	tools, err := toolGlobs(r.Tool)
	fault("tool", err)
	patterns, err := compilePattern(reader, r, tools)
	fault("pattern", err)
	if r.Action > Allow {
		fault("action", unknownAction(r.Action))
	}
	if len(faults) == 0 {
		b.Add(tools, r.Action == Allow, patterns)
	}
	return faults
}

func unknownAction(a Action) error {
	return fmt.Errorf("unknown action %v: want Deny, Ask or Allow", a)
}

// A keyFault is what is wrong with one key of a rule.
type keyFault struct {
	key string
	err error
}

// compilePattern compiles the pattern of r for every kind of subject that its
// tools can have, or for all kinds where nobody can tell what those are.
func compilePattern(reader *subject.Reader, r *Rule, tools []string) (*index.Patterns, error) {
	if err := checkPattern(r.Pattern); err != nil {
		return nil, err
	}
	if tools == nil {
		tools = []string{"*"}
	}
	var patterns index.Patterns
	for _, k := range reader.Kinds(tools) {
		var err error
		if patterns[k], err = reader.Pattern(k, r.Pattern, r.Action == Allow); err != nil {
			return nil, err
		}
	}
	return &patterns, nil
}

// checkPattern reports what is wrong with a pattern for any kind of subject. A
// rule that can never match is one that is missing.
func checkPattern(pattern string) error {
	if strings.TrimSpace(pattern) == "" {
		return errors.New(`empty: write "*" for everything`)
	}
	for i, r := range pattern {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return fmt.Errorf(`a control character at offset %d: write the string in single quotes if a "\" is meant`, i)
		}
	}
	if strings.TrimSpace(pattern) != pattern {
		return errors.New(`a blank or line end before or after it, which nothing has: write "[ ]" for a blank`)
	}
	return nil
}

// Enabled reports whether p decides calls at all. A manifest without a
// [permissions] table gives a policy that does not: it allows every call. A nil
// policy decides them all: it denies.
func (p *Policy) Enabled() bool { return p == nil || p.state != stateDisabled }

// asks reports whether p says ask anywhere, by a rule or by default.
func (p *Policy) asks() bool {
	return p.state == stateRules && p.fallback == Ask ||
		slices.ContainsFunc(p.rules, func(r Rule) bool { return r.Action == Ask }) ||
		slices.ContainsFunc(p.parts, (*Policy).asks)
}

// Rules returns a copy of the rules of p in their order; for a policy of
// Strictest those of each part, one part after the other.
func (p *Policy) Rules() []Rule {
	if p == nil {
		return nil
	}
	all := slices.Clone(p.rules)
	for _, part := range p.parts {
		all = append(all, part.Rules()...)
	}
	return all
}

// Tools returns a copy of the tools that p has been told how to read: those of
// its manifest, and then those of Options.Tools; for a policy of Strictest those
// of each part, one part after the other. The built-in table is not among them.
func (p *Policy) Tools() []Tool {
	if p == nil {
		return nil
	}
	all := p.options.tools()
	for _, part := range p.parts {
		all = append(all, part.Tools()...)
	}
	return all
}

// Options returns a copy of the options that p was compiled with. Root, Home and
// GOOS are filled in where they were empty, and the tools and harmless variables
// of the manifest stand before those that were given, so that Compile makes
// another policy for the same place of them. A nil policy and one of Strictest
// have none: see Parts.
func (p *Policy) Options() Options {
	if p == nil {
		return Options{}
	}
	o := p.options
	o.clone()
	return o
}

// Parts returns the policies that a policy of Strictest asks, in their order and
// without the disabled ones; for any other policy, a nil one included, that
// policy alone.
func (p *Policy) Parts() []*Policy {
	if p == nil || p.state != stateStrictest {
		return []*Policy{p}
	}
	return slices.Clone(p.parts)
}

// Hash returns a name for what p decides: policies with the same hash answer
// every call alike. It is stable within one version of this module, and empty
// for a policy that was not compiled.
func (p *Policy) Hash() string {
	if p == nil {
		return ""
	}
	return p.hash
}

// sum returns the hash of everything that a decision can depend on. Reasons and
// places of rules are not part of it.
func (p *Policy) sum() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %q %q %q %d\n", p.state, p.fallback, p.options.Root, p.options.Home, p.options.GOOS, p.timeout)
	fmt.Fprintf(h, "shell %q %q %q\n", p.options.Shell, p.options.Wrappers, p.options.HarmlessEnv)
	for _, t := range p.options.Tools {
		fmt.Fprintf(h, "tool %q %d %q %q\n", t.Name, t.Kind, t.Arguments, t.Optional)
	}
	for _, name := range slices.Sorted(maps.Keys(p.options.SkillAliases)) {
		fmt.Fprintf(h, "alias %q %q\n", name, p.options.SkillAliases[name])
	}
	for _, r := range p.options.SkillAlways {
		fmt.Fprintf(h, "always %q %q\n", r.Tool, r.Pattern)
	}
	var line []byte
	for i := range p.rules {
		r := &p.rules[i]
		line = strconv.AppendQuote(append(line[:0], "rule "...), r.Tool)
		line = strconv.AppendQuote(append(line, ' '), r.Pattern)
		line = append(line, ' ', '0'+byte(r.Action), '\n')
		h.Write(line)
	}
	for _, part := range p.parts {
		fmt.Fprintf(h, "part %s\n", part.hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Override returns a policy that looks at rules before those of p, which stays
// as it is; the default, the options and the ask timeout of p stand. It is how a
// session's rules go over a role's, and a role's over the product's. It fails as
// Compile does, for a disabled policy, which has no default, and for one of
// Strictest, whose parts are ceilings that nothing may lift.
func (p *Policy) Override(rules ...Rule) (*Policy, error) {
	switch {
	case p == nil || p.state == stateNone:
		return nil, errors.New("permission: Override of a policy that was not compiled")
	case p.state == stateDisabled:
		return nil, errors.New("permission: Override of a disabled policy, which has no default: compile the rules with one")
	case p.state == stateStrictest:
		return nil, errors.New("permission: Override of a policy of Strictest: override its parts and combine them again")
	}
	over, err := Compile(p.fallback, slices.Concat(rules, p.rules), &p.options)
	if err != nil {
		return nil, err
	}
	over.timeout = p.timeout
	over.hash = over.sum()
	return over, nil
}

// Strictest returns a policy that asks each of ps and takes the strictest
// answer, the earliest of equals: a project's manifest that is not trusted can
// then only tighten the user's, and a sub-agent's parent is its ceiling.
// Disabled policies are left out; if all are, the result is disabled. Without
// any policy, or with a nil one, it denies. The shortest ask timeout counts.
func Strictest(ps ...*Policy) *Policy {
	s := &Policy{state: stateStrictest}
	for _, p := range ps {
		if p == nil || p.state == stateNone {
			return &Policy{}
		}
		if p.state == stateDisabled {
			continue
		}
		s.parts = append(s.parts, p)
		if s.timeout == 0 || p.timeout > 0 && p.timeout < s.timeout {
			s.timeout = p.timeout
		}
	}
	switch {
	case len(ps) == 0:
		return &Policy{}
	case len(s.parts) == 0:
		return ps[0]
	}
	s.hash = s.sum()
	return s
}
