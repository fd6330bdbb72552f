package index

import (
	"math"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// none is the number of no rule, above all others.
const none = math.MaxInt32

// minIndexed is how many patterns a set has from which on it is worth an index:
// below it, looking at each of them is as fast.
const minIndexed = 20

// A set is the patterns of a list for one kind of subject.
type set struct {
	items   []item // in the order of their rules
	plain   keys   // of the globs for which case counts
	folded  keys   // of the others
	unaware int32  // the first refusing rule that has no pattern for the kind
}

// An item is one alternative of a rule's pattern.
type item struct {
	glob       *glob.Glob
	head, tail string // of every text that it matches
	rule       int32
	forms      text.Form
	allow      bool
	catchAll   bool // it refuses everything
}

// newSet returns the set of those of the rules for subjects of kind k.
func newSet(rules []rule, list []int32, k subject.Kind) set {
	s := set{unaware: none}
	for _, i := range list {
		r := &rules[i]
		p, ok := r.pattern(k)
		if !ok && !r.allow {
			s.unaware = min(s.unaware, i)
		}
		for _, a := range p {
			it := item{glob: a.Glob, rule: i, forms: a.Forms, allow: r.allow}
			it.head, it.tail = a.Glob.Ends()
			it.catchAll = !r.allow && a.Forms == text.Every && a.Glob.Everything()
			s.items = append(s.items, it)
		}
	}
	s.plain.build(s.items, false)
	s.folded.build(s.items, true)
	return s
}

// first returns the first rule that decides, and the first refusing one before
// that which only may match, or -1.
func (s *set) first(sub *subject.Subject) (decides, doubted int) {
	d, m := int32(none), s.unaware
	if whole(sub.Narrow) && whole(sub.Wide) {
		d = s.narrowest(sub)
	} else {
		d, m = s.walk(sub)
	}
	if m >= d { // an earlier alternative of the rule that decides may match, too
		m = none
	}
	return number(d), number(m)
}

func number(rule int32) int {
	if rule == none {
		return -1
	}
	return int(rule)
}

// whole reports whether a pattern that may match one of the readings must do so:
// they have no holes, and one form each.
func whole(rs []text.Reading) bool {
	for i := range rs {
		if _, known := rs[i].Text.Known(); !known || rs[i].Form&(rs[i].Form-1) != 0 {
			return false
		}
	}
	return true
}

// narrowest returns the first rule that matches one of the readings, which
// have no holes.
func (s *set) narrowest(sub *subject.Subject) int32 {
	best := int32(none)
	for i := range sub.Narrow {
		best = s.search(&sub.Narrow[i], query{narrow: true, free: sub.Free, best: best})
	}
	for i := range sub.Wide {
		best = s.search(&sub.Wide[i], query{free: sub.Free, best: best})
	}
	return best
}

// search returns the first rule before q.best that matches a reading without
// holes, or q.best.
func (s *set) search(r *text.Reading, q query) int32 {
	known, _ := r.Text.Known()
	q.items, q.text, q.key, q.form = s.items, known, known, r.Form
	s.plain.search(&q)
	if s.folded.least < q.best {
		q.key = glob.Fold(known)
		s.folded.search(&q)
	}
	return q.best
}

// walk goes through the items in their order, for readings with holes.
func (s *set) walk(sub *subject.Subject) (decides, doubted int32) {
	decides, doubted = none, s.unaware
	for i := range s.items {
		it := &s.items[i]
		if it.catchAll && sub.Free {
			continue
		}
		if it.must(sub.Narrow) || !it.allow && it.must(sub.Wide) {
			return it.rule, doubted
		}
		if !it.allow && it.rule < doubted && (it.may(sub.Narrow) || it.may(sub.Wide)) {
			doubted = it.rule
		}
	}
	return decides, doubted
}

func (it *item) must(rs []text.Reading) bool {
	for i := range rs {
		if it.forms&rs[i].Form == rs[i].Form && it.could(&rs[i]) && it.glob.Must(rs[i].Text) {
			return true
		}
	}
	return false
}

func (it *item) may(rs []text.Reading) bool {
	for i := range rs {
		if it.forms&rs[i].Form != 0 && it.could(&rs[i]) && it.glob.May(rs[i].Text) {
			return true
		}
	}
	return false
}

// could reports whether the ends of a reading, as far as they are known, are
// those of what it matches.
func (it *item) could(r *text.Reading) bool {
	head, tail := r.Text.Ends()
	return startsAlike(it.head, head) && endsAlike(it.tail, tail)
}

func startsAlike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a)
}

func endsAlike(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasSuffix(b, a)
}
