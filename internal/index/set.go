package index

import (
	"math"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// none is the number of no rule, above all others.
const none = math.MaxInt32

// A set is the entries of a list for one kind of subject.
type set struct {
	numbers []int32 // of the entries, in their order
	plain   keys    // of those for which case counts
	folded  keys    // of the others
	unaware int32   // the first refusing rule that has no pattern for the kind
}

// newSet returns the set of those of the rules for subjects of kind k.
func newSet(rs *Rules, list []int32, k subject.Kind) set {
	s := set{unaware: none}
	for _, i := range list {
		has := false
		for n := rs.from(int(i)); n < rs.rules[i].end; n++ {
			if rs.entries[n].kind == k {
				s.numbers = append(s.numbers, n)
				has = true
			}
		}
		if !has && !rs.rules[i].allow {
			s.unaware = min(s.unaware, i)
		}
	}
	s.numbers = exact(s.numbers)
	s.plain, s.folded = newKeys(rs.entries, s.numbers, false), newKeys(rs.entries, s.numbers, true)
	return s
}

// first returns the first rule that decides, and the first refusing one before
// that which only may match, or -1.
func (s *set) first(all []entry, sub *subject.Subject) (decides, doubted int) {
	q := query{narrow: true, free: sub.Free, best: none}
	d, m := int32(none), s.unaware
	if s.search(&q, sub.Narrow) && s.searchWide(&q, sub.Wide) {
		d = q.best
	} else {
		d, m = s.walk(all, sub)
	}
	if m >= d { // an earlier alternative of the rule that decides may match, too
		m = none
	}
	return number(d), number(m)
}

// number returns the number of a rule as others know it: -1 for none.
func number(rule int32) int {
	if rule == none {
		return -1
	}
	return int(rule)
}

// searchWide is search for wide readings, with which no allow rule is matched.
func (s *set) searchWide(q *query, rs []text.Reading) (known bool) {
	q.narrow = false
	return s.search(q, rs)
}

// search looks for the first rule before q.best that matches one of the
// readings. It gives up at one that is not known: one with a hole, or of several
// forms, which a pattern may match and need not.
func (s *set) search(q *query, rs []text.Reading) (known bool) {
	for i := range rs {
		r := &rs[i]
		if q.text, known = r.Text.Known(); !known || r.Form&(r.Form-1) != 0 {
			return false
		}
		q.key, q.form = q.text, r.Form
		if s.plain.least < q.best {
			s.plain.search(q)
		}
		if s.folded.least < q.best {
			q.key = glob.Fold(q.text)
			s.folded.search(q)
		}
	}
	return true
}

// walk goes through the entries in their order, for readings with holes.
func (s *set) walk(all []entry, sub *subject.Subject) (decides, doubted int32) {
	decides, doubted = none, s.unaware
	for _, n := range s.numbers {
		e := &all[n]
		if e.is(everything) && sub.Free {
			continue
		}
		if e.must(sub.Narrow) || !e.is(allows) && e.must(sub.Wide) {
			return e.rule, doubted
		}
		if !e.is(allows) && e.rule < doubted && (e.may(sub.Narrow) || e.may(sub.Wide)) {
			doubted = e.rule
		}
	}
	return decides, doubted
}

func (e *entry) is(f flags) bool { return e.flags&f != 0 }

func (e *entry) must(rs []text.Reading) bool { return e.any(rs, glob.Alternative.Must) }

func (e *entry) may(rs []text.Reading) bool { return e.any(rs, glob.Alternative.May) }

// any reports whether e matches one of the readings in a way.
func (e *entry) any(rs []text.Reading, way func(glob.Alternative, text.Reading) bool) bool {
	a := glob.Alternative{Glob: e.glob, Forms: e.forms}
	for i := range rs {
		if e.glob.Fits(rs[i].Text) && way(a, rs[i]) {
			return true
		}
	}
	return false
}
