package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// keys find items by what must stand in the texts that they match.
type keys struct {
	few    []few // where there are not many, nothing else is made
	starts trie
	ends   trie
	inside grams
	rest   []entry // that have no key worth looking for
	least  int32   // the first rule of all
}

// few is a key that is looked for by itself.
type few struct {
	glob.Key
	entry
}

// An entry says that an item has a key. What is mostly asked of the item it
// holds itself.
type entry struct {
	item, rule int32
	forms      text.Form
	allow      bool
	catchAll   bool
	sure       bool // nothing but the key is to be looked at
}

// A query is a search for the first rule that matches a text.
type query struct {
	items  []item
	text   string
	key    string // the text as keys are written
	form   text.Form
	narrow bool
	free   bool  // what refuses everything is not for it
	best   int32 // what has been found, or what it has to be before
	failed int   // how many items have the key and do not match
}

// try takes an entry whose key is in the text.
func (q *query) try(e *entry) {
	switch {
	case e.forms&q.form != q.form || !q.narrow && e.allow || q.free && e.catchAll:
	case e.sure || q.items[e.item].glob.Matches(q.text):
		q.best = e.rule
	default:
		q.failed++
	}
}

// first tries entries in their order until one is it, or none can be any more.
func (q *query) first(entries []entry) {
	for i := range entries {
		if entries[i].rule >= q.best {
			return
		}
		q.try(&entries[i])
	}
}

// build makes the keys of those items whose globs fold, or do not.
func (ks *keys) build(items []item, folds bool) {
	ks.least = none
	var all []few
	for i := range items {
		it := &items[i]
		if it.glob.Folds() != folds {
			continue
		}
		ks.least = min(ks.least, it.rule)
		for _, k := range it.glob.Keys() {
			all = append(all, few{k, entry{int32(i), it.rule, it.forms, it.allow, it.catchAll, k.Sure}})
		}
	}
	if len(all) < minIndexed {
		ks.few = slices.Clip(all)
		return
	}
	ks.index(all)
}

// index sorts keys by their place.
func (ks *keys) index(all []few) {
	var starts, ends, inside []few
	for _, f := range all {
		switch {
		case f.Place == glob.Start && f.Text == "" && !f.sure, f.Place == glob.Inside && len(f.Text) < gramLen:
			f.sure = false
			ks.rest = append(ks.rest, f.entry)
		case f.Place == glob.Inside:
			inside = append(inside, f)
		case f.Place == glob.End:
			f.Text = reversed(f.Text)
			ends = append(ends, f)
		default:
			starts = append(starts, f)
		}
	}
	ks.starts, ks.ends, ks.inside = newTrie(starts), newTrie(ends), newGrams(inside)
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// search looks for the first item before q.best.
func (ks *keys) search(q *query) {
	for i := range ks.few {
		f := &ks.few[i]
		if f.rule >= q.best {
			return
		}
		if f.in(q.key) {
			q.try(&f.entry)
		}
	}
	ks.starts.forwards(q)
	ks.ends.backwards(q)
	q.failed = 0
	ks.inside.search(q)
	q.first(ks.rest)
}

// in reports whether s has the key in its place.
func (f *few) in(s string) bool {
	switch f.Place {
	case glob.Whole:
		return s == f.Text
	case glob.Start:
		return strings.HasPrefix(s, f.Text)
	case glob.End:
		return strings.HasSuffix(s, f.Text)
	}
	return strings.Contains(s, f.Text)
}

// byText orders keys by their text, and those of one text by their rule.
func byText(a, b few) int {
	return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(a.rule, b.rule))
}
