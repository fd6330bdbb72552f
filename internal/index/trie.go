package index

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
)

// A trie finds the keys that a text starts with, or backwards those that it
// ends in. The zero value has none.
type trie struct {
	nodes   []node // the first is the root; children stand side by side
	entries []entry
}

type node struct {
	label string // what leads here from the parent
	heads string // the first byte of each child's label
	child int32  // the first child
	least int32  // the first rule at this node and below
	// The entries of keys that end here: those for any text that goes on, and
	// behind them, up to end, those for the text as a whole.
	from, whole, end int32
}

// newTrie makes the trie of keys, each of which ends a text or starts one.
func newTrie(all []few) trie {
	var t trie
	if len(all) == 0 {
		return t
	}
	slices.SortFunc(all, byText)
	t.nodes = make([]node, 1, len(all)+1)
	t.fill(0, all, 0)
	return t
}

// fill makes node n of keys that all have a prefix of depth bytes, which leads
// there.
func (t *trie) fill(n int, all []few, depth int) {
	here := 0
	for here < len(all) && len(all[here].Text) == depth {
		here++
	}
	nd := node{label: t.nodes[n].label, least: none}
	nd.from = int32(len(t.entries))
	for _, wholes := range []bool{false, true} {
		if wholes {
			nd.whole = int32(len(t.entries))
		}
		for _, f := range all[:here] {
			if (f.Place == glob.Whole) == wholes {
				t.entries = append(t.entries, f.entry)
			}
		}
	}
	nd.end = int32(len(t.entries))
	for _, f := range all {
		nd.least = min(nd.least, f.rule)
	}
	rest := all[here:]
	nd.child = int32(len(t.nodes))
	var heads []byte
	var groups [][]few
	for len(rest) > 0 {
		group := rest[:sharing(rest, depth)]
		rest = rest[len(group):]
		first, last := group[0].Text, group[len(group)-1].Text
		end := depth + 1
		for end < len(first) && end < len(last) && first[end] == last[end] {
			end++
		}
		heads = append(heads, first[depth])
		groups = append(groups, group)
		t.nodes = append(t.nodes, node{label: first[depth:end]})
	}
	nd.heads = string(heads)
	t.nodes[n] = nd
	for i, group := range groups {
		t.fill(int(nd.child)+i, group, depth+len(t.nodes[int(nd.child)+i].label))
	}
}

// sharing returns how many of the sorted keys have the first one's byte there.
func sharing(all []few, at int) int {
	n := 1
	for n < len(all) && all[n].Text[at] == all[0].Text[at] {
		n++
	}
	return n
}

// forwards looks for the keys that q's text starts with.
func (t *trie) forwards(q *query) {
	if len(t.nodes) == 0 {
		return
	}
	left := q.key
	for n := &t.nodes[0]; n.least < q.best; {
		q.first(t.entries[n.from:n.whole])
		if left == "" {
			q.first(t.entries[n.whole:n.end])
			return
		}
		i := strings.IndexByte(n.heads, left[0])
		if i < 0 {
			return
		}
		n = &t.nodes[int(n.child)+i]
		if !strings.HasPrefix(left, n.label) {
			return
		}
		left = left[len(n.label):]
	}
}

// backwards looks for the keys that q's text ends in, which are reversed.
func (t *trie) backwards(q *query) {
	if len(t.nodes) == 0 {
		return
	}
	left := q.key
	for n := &t.nodes[0]; n.least < q.best; {
		q.first(t.entries[n.from:n.whole])
		if left == "" {
			return
		}
		i := strings.IndexByte(n.heads, left[len(left)-1])
		if i < 0 {
			return
		}
		n = &t.nodes[int(n.child)+i]
		if !endsReversed(left, n.label) {
			return
		}
		left = left[:len(left)-len(n.label)]
	}
}

func endsReversed(s, label string) bool {
	if len(s) < len(label) {
		return false
	}
	for i := range len(label) {
		if s[len(s)-1-i] != label[i] {
			return false
		}
	}
	return true
}
