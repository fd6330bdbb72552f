package permission

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
)

// A Policy is a compiled list of rules with a default. It is immutable and
// safe for concurrent use. A nil Policy, and the zero value, deny every call.
type Policy struct {
	state    state
	fallback Action
	rules    []Rule
	options  Options
	index    *index.Rules
	reader   *subject.Reader
	parts    []*Policy     // of Strictest; empty otherwise
	timeout  time.Duration // for an answer to an ask; 0 is no limit
	hash     string        // see Hash
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
	p, inOptions := newPolicy(stateRules, o)
	if p == nil {
		return nil, inOptions
	}
	p.fallback, p.rules = fallback, slices.Clone(rules)
	var inRules error
	p.index, inRules = compileRules(p.reader, p.rules)
	if err := errors.Join(inOptions, inRules); err != nil {
		return nil, err
	}
	p.hash = p.sum()
	return p, nil
}

// newPolicy returns a policy that reads calls as o says. With an error it is one
// that rules can be tried with, so that what is wrong with them is said too, or
// nil.
func newPolicy(s state, o *Options) (*Policy, error) {
	opts, err := o.complete()
	if err != nil {
		return nil, err
	}
	p := &Policy{state: s, options: opts}
	p.reader, err = opts.reader()
	return p, errors.Join(err, opts.checkSkills(p.reader))
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

// Input returns the input of a call of tool whose main argument is text:
// `{"command":"ls"}` for bash and ls. It is for unit tests and command lines. It
// fails for a tool that is neither declared nor in the built-in table, and for a
// policy that was not compiled or is one of Strictest: see Parts.
func (p *Policy) Input(tool, text string) (json.RawMessage, error) {
	if p != nil && p.reader != nil {
		if name, ok := p.reader.MainArgument(tool); ok {
			return json.Marshal(map[string]string{name: text})
		}
	}
	return nil, fmt.Errorf("the arguments of tool %q are not known: write its input as JSON", tool)
}
