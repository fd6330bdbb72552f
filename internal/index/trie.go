package index

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
)

// A trie finds the keys that a text starts with, or backwards those that it
// ends in. The zero value has none. What a step needs stands close together:
// in a large trie most of its time goes to fetching memory.
type trie struct {
	nodes   []node // the first is the root; children stand side by side
	entries []entry
	bytes   string // the labels and heads of the nodes
}

type node struct {
	child int32 // the first child
	least int32 // the first rule at this node and below
	// The entries of keys that end here: those for any text that goes on, and
	// behind them, up to end, those for the text as a whole.
	from, whole, end int32
	// In bytes: the label that leads here from the parent, and behind it the
	// first byte of each child's label.
	at           uint32
	label, heads uint16
}

// newTrie makes the trie of keys, each of which ends a text or starts one.
func newTrie(all []few) trie {
	if len(all) == 0 {
		return trie{}
	}
	slices.SortFunc(all, byText)
	b := trieBuilder{nodes: make([]node, 1, len(all)+1)}
	b.fill(0, all, "", 0)
	return trie{slices.Clip(b.nodes), b.entries, string(b.bytes)}
}

type trieBuilder struct {
	nodes   []node
	entries []entry
	bytes   []byte
}

// fill makes node n of sorted keys that all have a prefix of depth bytes, of
// which label is the end.
func (b *trieBuilder) fill(n int, all []few, label string, depth int) {
	nd := node{least: none, child: int32(len(b.nodes)), at: uint32(len(b.bytes)), label: uint16(len(label))}
	for _, f := range all {
		nd.least = min(nd.least, f.rule)
	}
	here := 0
	for here < len(all) && len(all[here].Text) == depth {
		here++
	}
	nd.from = int32(len(b.entries))
	nd.whole = b.add(all[:here], false)
	nd.end = b.add(all[:here], true)
	b.bytes = append(b.bytes, label...)
	groups := split(all[here:], depth)
	for _, g := range groups {
		b.bytes = append(b.bytes, g[0].Text[depth])
	}
	nd.heads = uint16(len(groups))
	b.nodes[n] = nd
	b.nodes = append(b.nodes, make([]node, len(groups))...)
	for i, g := range groups {
		end := shared(g[0].Text, g[len(g)-1].Text)
		b.fill(int(nd.child)+i, g, g[0].Text[depth:end], end)
	}
}

// add adds the entries of keys that are whole texts, or are not, and returns
// where they end.
func (b *trieBuilder) add(all []few, whole bool) int32 {
	for _, f := range all {
		if (f.Place == glob.Whole) == whole {
			b.entries = append(b.entries, f.entry)
		}
	}
	return int32(len(b.entries))
}

// split groups sorted keys by their byte there.
func split(all []few, at int) (groups [][]few) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Text[at] == all[0].Text[at] {
			n++
		}
		groups, all = append(groups, all[:n]), all[n:]
	}
	return groups
}

// shared returns how many bytes at their start two texts have in common.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
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
		if n = t.child(n, left[0]); n == nil || !strings.HasPrefix(left, t.label(n)) {
			return
		}
		left = left[n.label:]
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
		if n = t.child(n, left[len(left)-1]); n == nil || !endsReversed(left, t.label(n)) {
			return
		}
		left = left[:len(left)-int(n.label)]
	}
}

func (t *trie) label(n *node) string { return t.bytes[n.at : n.at+uint32(n.label)] }

// child returns the child of n whose label starts with c, or nil.
func (t *trie) child(n *node, c byte) *node {
	at := n.at + uint32(n.label)
	i := strings.IndexByte(t.bytes[at:at+uint32(n.heads)], c)
	if i < 0 {
		return nil
	}
	return &t.nodes[int(n.child)+i]
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
