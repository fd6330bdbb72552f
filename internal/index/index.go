// Package index finds, among many rules, the first that decides a subject.
package index

import (
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// Rules are the rules of a policy in their order, counted from 0. They are safe
// for concurrent use, and nothing that they answer ever changes. The zero value
// has none.
type Rules struct {
	rules   []rule
	entries []entry // of all rules, one rule after the other
	lists   lists
}

type rule struct {
	end   int32 // of its entries, which start where those of the rule before end
	allow bool
}

// An entry is one alternative of a rule's pattern for subjects of a kind.
type entry struct {
	glob  *glob.Glob // nil where a key that has been found is all there is to look at
	rule  int32      // its number
	kind  subject.Kind
	forms text.Form // which readings it is for, see glob.Alternative
	flags flags
	next  next // what may follow a key that has been found at the start of a text
}

type flags uint8

const (
	allows     flags = 1 << iota // its rule does
	everything                   // it refuses all there is
)

// Patterns are what a rule's pattern is for subjects of each kind. A kind that
// calls of its tools do not have has none.
type Patterns [subject.Patch]glob.Pattern

// A Builder gathers rules. The zero value is ready.
type Builder struct {
	rules   []rule
	entries []entry
	tools   [][]string // of each rule
	spread  int
}

// Spread returns how many alternatives the patterns have beside the one that each
// has for a kind of subject.
func (b *Builder) Spread() int { return b.spread }

// Add adds a rule for the tools whose name one of the globs matches.
func (b *Builder) Add(tools []string, allow bool, patterns *Patterns) {
	for k, p := range patterns {
		b.spread += max(0, len(p)-1)
		for _, a := range p {
			e := entry{glob: a.Glob, rule: int32(len(b.rules)), kind: subject.Kind(k), forms: a.Forms}
			switch {
			case allow:
				e.flags = allows
			case a.Forms == text.Every && a.Glob.Everything():
				e.flags = everything
			}
			b.entries = append(b.entries, e)
		}
	}
	b.rules = append(b.rules, rule{int32(len(b.entries)), allow})
	b.tools = append(b.tools, tools)
}

// Rules returns what was added.
func (b *Builder) Rules() *Rules {
	rs := &Rules{rules: exact(b.rules), entries: exact(b.entries)}
	rs.lists.fill(rs, b.tools)
	return rs
}

// exact returns a copy of s that takes no more memory than it has to.
func exact[E any](s []E) []E { return append([]E(nil), s...) }

// A Walk goes through the rules for one tool, in their order. The zero value
// has none to go through.
type Walk struct {
	entries []entry
	list    *list
}

// For returns the walk through the rules for a tool.
func (rs *Rules) For(tool string) Walk { return Walk{rs.entries, rs.lists.of(rs, tool)} }

// Rules returns the numbers of the rules of w. They are not the caller's to
// change.
func (w Walk) Rules() []int32 {
	if w.list == nil {
		return nil
	}
	return w.list.rules
}

// First returns the number of the first rule that decides s, and that of the
// first refusing rule before it that only may match, and -1 where there is none.
// A rule that refuses everything is as good as a default: it is passed over for a
// subject that needs no rule.
// A subject of a kind that no pattern is for is decided by none, and each rule
// that refuses may be meant for it.
func (w Walk) First(s *subject.Subject) (decides, doubted int) {
	if w.list == nil || int(s.Kind) >= len(w.list.sets) {
		return -1, w.refusal()
	}
	return w.list.sets[s.Kind].first(w.entries, s)
}

// refusal returns the number of the first rule of w that refuses anything.
func (w Walk) refusal() int {
	rules := w.Rules()
	for _, e := range w.entries {
		if _, own := slices.BinarySearch(rules, e.rule); own && e.flags&allows == 0 {
			return int(e.rule)
		}
	}
	return -1
}

// Match reports whether rule i by itself must, and whether it may, match s in a
// call of any tool of its own. A refusing rule that was not compiled for the kind
// of s may match it.
func (rs *Rules) Match(i int, s *subject.Subject) (must, may bool) {
	refuses, has := !rs.rules[i].allow, false
	for _, e := range rs.of(i) {
		if e.kind == s.Kind {
			has = true
			must = must || e.must(s.Narrow) || refuses && e.must(s.Wide)
			may = may || e.may(s.Narrow) || refuses && e.may(s.Wide)
		}
	}
	return must, may || refuses && !has
}

// of returns the entries of rule i.
func (rs *Rules) of(i int) []entry { return rs.entries[rs.from(i):rs.rules[i].end] }

// from returns where the entries of rule i start.
func (rs *Rules) from(i int) int32 {
	if i == 0 {
		return 0
	}
	return rs.rules[i-1].end
}

// Refuses reports whether every call of tool ends at a rule that denies, or at
// the default, which denied tells of.
func (rs *Rules) Refuses(tool string, denies func(rule int) bool, denied bool) bool {
	for _, i := range rs.For(tool).Rules() {
		if !denies(int(i)) {
			return false
		}
		if rs.all(int(i)) {
			return true
		}
	}
	return denied
}

// all reports whether rule i matches every subject.
func (rs *Rules) all(i int) bool {
	var has, all [subject.Patch]bool
	for _, e := range rs.of(i) {
		has[e.kind] = true
		all[e.kind] = all[e.kind] || e.forms == text.Every && e.glob.Must(text.Unknown())
	}
	return has == all
}
