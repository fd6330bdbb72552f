package index

import (
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// keys find entries by what must stand in the texts that they match.
type keys struct {
	starts edge
	ends   edge
	inside grams
	rest   []entry // that have no key worth looking for
	least  int32   // the first rule of all
}

// A keyed entry is one with a key.
type keyed struct {
	entry
	key string
}

// next says what may follow a key at the start of a text: anything, nothing, or
// nothing and what starts with that byte.
type next uint8

const (
	nextAny next = iota
	nextEnd
)

// allows reports whether rest may follow.
func (n next) allows(rest string) bool {
	return n == nextAny || rest == "" || n != nextEnd && rest[0] == byte(n)
}

// found returns e as it is to be looked at where key has been found.
func (e entry) found(key glob.Key) keyed {
	if key.Sure {
		e.glob = nil
	}
	switch key.Place {
	case glob.Whole:
		e.next = nextEnd
	case glob.Stem:
		e.next = next(key.Tail)
	}
	return keyed{e, key.Text}
}

// A query is a search for the first rule that matches a text.
type query struct {
	text   string
	key    string // the text as keys are written
	best   int32  // what has been found, or what it has to be before
	failed int32  // how many entries have the key and do not match
	form   text.Form
	narrow bool
	free   bool // what refuses everything is not for it
}

// first tries entries whose key is in the text, with rest behind it, in their
// order until one is it or none can be any more.
func (q *query) first(entries []entry, rest string) {
	for i := range entries {
		e := &entries[i]
		if e.rule >= q.best {
			return
		}
		if e.next.allows(rest) {
			q.try(e)
		}
	}
}

// try takes an entry whose key is in the text.
func (q *query) try(e *entry) {
	switch {
	case e.forms&q.form != q.form || !q.narrow && e.is(allows) || q.free && e.is(everything):
	case e.glob == nil || e.glob.Matches(q.text):
		q.best = e.rule
	default:
		q.failed++
	}
}

// newKeys returns the keys of those entries whose globs fold, or do not.
func newKeys(entries []entry, numbers []int32, folds bool) keys {
	ks := keys{least: none}
	var starts, ends []keyed
	var inside []inner
	var room [8]glob.Key
	for _, n := range numbers {
		e := entries[n]
		if e.glob.Folds() != folds {
			continue
		}
		ks.least = min(ks.least, e.rule)
		for _, k := range e.glob.AppendKeys(room[:0]) {
			switch {
			case k.Place == glob.Start && k.Text == "" && !k.Sure, k.Place == glob.Inside && len(k.Text) < minInside(k.Sure):
				ks.rest = append(ks.rest, e)
			case k.Place == glob.Inside:
				inside = append(inside, inner{e.found(k), e})
			case k.Place == glob.End:
				ends = append(ends, e.found(k))
			default:
				starts = append(starts, e.found(k))
			}
		}
	}
	ks.rest = exact(ks.rest)
	ks.starts, ks.ends, ks.inside = newEdge(starts, false), newEdge(ends, true), newGrams(inside)
	return ks
}

// minInside returns how long a key has to be that may stand anywhere. One that
// is short lets all keys be looked for in short strides, and where it is not all
// there is to look at, it is not worth that.
func minInside(sure bool) int {
	if sure {
		return gramLen
	}
	return gramLen + maxStride - 1
}

// search looks for the first entry before q.best.
func (ks *keys) search(q *query) {
	if ks.starts.least < q.best {
		ks.starts.search(q)
	}
	if ks.ends.least < q.best {
		ks.ends.search(q)
	}
	if ks.inside.least < q.best {
		ks.inside.search(q)
	}
	if len(ks.rest) > 0 {
		q.first(ks.rest, "")
	}
}

// An edge finds the keys that stand at the start of texts, or at their end.
type edge struct {
	few   *few // nil where there are more
	trie  trie
	least int32 // the first rule of all
}

func newEdge(all []keyed, backwards bool) edge {
	e := edge{least: none}
	if len(all) == 0 {
		return e
	}
	for i := range all {
		e.least = min(e.least, all[i].rule)
	}
	if len(all) <= maxFew {
		e.few = newFew(all, backwards)
	} else {
		e.trie = newTrie(all, backwards)
	}
	return e
}

// search looks for the first entry before q.best.
func (e *edge) search(q *query) {
	if e.few != nil {
		e.few.search(q)
		return
	}
	e.trie.search(q)
}

// cut returns what is left of s without a key at its start or its end.
func cut(s, key string, backwards bool) (rest string, ok bool) {
	if backwards {
		return strings.CutSuffix(s, key)
	}
	return strings.CutPrefix(s, key)
}
