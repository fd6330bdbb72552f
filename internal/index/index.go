// Package index finds, among many rules, the first that decides a subject.
package index

import (
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// Rules are the rules of a policy in their order. They are safe for concurrent
// use, and nothing that they answer ever changes.
type Rules struct {
	rules []rule
	lists lists
}

type rule struct {
	tools    []string // globs
	allow    bool
	patterns []kindPattern
}

// A kindPattern is what a rule's pattern is for subjects of one kind.
type kindPattern struct {
	kind    subject.Kind
	pattern glob.Pattern
}

// A Builder gathers rules. The zero value is ready.
type Builder struct{ rules []rule }

// Add adds a rule for the tools whose name one of the globs matches, with its
// pattern for each kind of subject that they can have.
func (b *Builder) Add(tools []string, allow bool, patterns map[subject.Kind]glob.Pattern) {
	r := rule{tools: tools, allow: allow}
	for k := range subject.Patch {
		if p, ok := patterns[k]; ok {
			r.patterns = append(r.patterns, kindPattern{k, p})
		}
	}
	b.rules = append(b.rules, r)
}

// Rules returns what was added.
func (b *Builder) Rules() *Rules {
	rs := &Rules{rules: b.rules}
	rs.lists.fill(b.rules)
	return rs
}

// A Walk goes through the rules for one tool, in their order.
type Walk struct{ list *list }

// For returns the walk through the rules for a tool.
func (rs *Rules) For(tool string) Walk { return Walk{rs.lists.of(rs.rules, tool)} }

// Rules returns the numbers of the rules of w. They are not the caller's to
// change.
func (w Walk) Rules() []int32 { return w.list.rules }

// First returns the number of the first rule that decides s, and that of the
// first refusing rule before it that only may match. It returns -1 for none. A
// rule that refuses everything is as good as a default, and passes over what
// needs no rule.
func (w Walk) First(s *subject.Subject) (decides, doubted int) {
	if int(s.Kind) >= len(w.list.sets) {
		return -1, -1
	}
	return w.list.sets[s.Kind].first(s)
}

// Match reports whether rule i by itself must, and whether it may, match s in
// a call of any tool of its own.
func (rs *Rules) Match(i int, s *subject.Subject) (must, may bool) {
	r := &rs.rules[i]
	p, ok := r.pattern(s.Kind)
	if !ok {
		return false, !r.allow
	}
	return p.Must(s.Narrow) || !r.allow && p.Must(s.Wide), p.May(s.Narrow) || !r.allow && p.May(s.Wide)
}

// Refuses reports whether every call of tool ends at a rule that denies, or at
// the default, which denied tells of.
func (rs *Rules) Refuses(tool string, denies func(rule int) bool, denied bool) bool {
	for _, i := range rs.lists.of(rs.rules, tool).rules {
		if !denies(int(i)) {
			return false
		}
		if rs.rules[i].all() {
			return true
		}
	}
	return denied
}

// all reports whether r matches every subject.
func (r *rule) all() bool {
	anything := []text.Reading{{Text: text.Unknown(), Form: text.Every}}
	return !slices.ContainsFunc(r.patterns, func(p kindPattern) bool { return !p.pattern.Must(anything) })
}

// pattern returns the pattern of r for subjects of kind k, if it has one.
func (r *rule) pattern(k subject.Kind) (p glob.Pattern, ok bool) {
	for _, kp := range r.patterns {
		if kp.kind == k {
			return kp.pattern, true
		}
	}
	return nil, false
}
