// Package index finds, among many rules, the first that decides a subject.
package index

import (
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// Rules are the rules of a policy in their order. They are immutable.
type Rules struct{ rules []rule }

type rule struct {
	tools    glob.Pattern
	allow    bool
	patterns map[subject.Kind]glob.Pattern
}

// A Builder gathers rules. The zero value is ready.
type Builder struct{ rules []rule }

// Add adds a rule for the tools whose name one of the globs matches, with its
// pattern for each kind of subject that they can have.
func (b *Builder) Add(tools []string, allow bool, patterns map[subject.Kind]glob.Pattern) {
	b.rules = append(b.rules, rule{subject.Names(tools), allow, patterns})
}

// Rules returns what was added.
func (b *Builder) Rules() *Rules { return &Rules{b.rules} }

// A Walk goes through the rules for one tool, in their order.
type Walk struct {
	rules []rule
	tools []int // the rules for the tool, by their number
}

// For returns the walk through the rules for a tool.
func (rs *Rules) For(tool string) Walk {
	w := Walk{rules: rs.rules}
	name := []text.Reading{{Text: text.Of(tool), Form: text.Whole}}
	for i := range rs.rules {
		if rs.rules[i].tools.Must(name) {
			w.tools = append(w.tools, i)
		}
	}
	return w
}

// First returns the number of the first rule that decides s, and that of the
// first refusing rule before it that only may match. It returns -1 for none.
func (w Walk) First(s *subject.Subject) (decides, doubted int) {
	doubted = -1
	for _, i := range w.tools {
		r := &w.rules[i]
		if r.must(s) {
			return i, doubted
		}
		if doubted < 0 && !r.allow && r.may(s) {
			doubted = i
		}
	}
	return -1, doubted
}

// Match reports whether rule i by itself must, and whether it may, match s in
// a call of any tool of its own.
func (rs *Rules) Match(i int, s *subject.Subject) (must, may bool) {
	r := &rs.rules[i]
	return r.must(s), r.may(s)
}

// Refuses reports whether every call of tool ends at a rule that denies, or at
// the default, which denied tells of.
func (rs *Rules) Refuses(tool string, denies func(rule int) bool, denied bool) bool {
	for _, i := range rs.For(tool).tools {
		if !denies(i) {
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
	for _, p := range r.patterns {
		if !p.Must(anything) {
			return false
		}
	}
	return true
}

// must reports whether r matches s whatever its holes stand for: an allow rule
// one of the narrow readings, any other one of all.
func (r *rule) must(s *subject.Subject) bool {
	p := r.patterns[s.Kind]
	return p.Must(s.Narrow) || !r.allow && p.Must(s.Wide)
}

// may reports whether r matches s for something that its holes may stand for.
func (r *rule) may(s *subject.Subject) bool {
	p, ok := r.patterns[s.Kind]
	if !ok {
		return !r.allow // nobody thought that the tool could have one, so nobody knows
	}
	return p.May(s.Narrow) || !r.allow && p.May(s.Wide)
}
