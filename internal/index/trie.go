package index

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// A trie finds the keys that a text starts with or, backwards, those that it
// ends in. It is a PATRICIA trie: a node looks at one place of the text, and
// what lies between is compared where keys end, all of it at once. So a step
// fetches one piece of memory, and most searches compare one key.
//
// A byte is two symbols, its place among 64 and which of the four that share
// the place it is, so that the symbols that lead on from a node are the bits of
// one word. Few nodes look at a second symbol: those of usual characters share
// their place with unusual ones.
type trie struct {
	nodes     []node // the first is the root; children stand side by side
	entries   []entry
	keys      string // those that end at the nodes
	backwards bool
}

// A node is less than half a line of a cache.
type node struct {
	heads uint64 // the symbols that lead on, as a set
	child int32  // the first child
	least int32  // the first rule at this node and below
	depth int32  // how many symbols come before the one that is looked at
	key   uint32 // where they stand among the keys, if a key ends here
	from  int32  // the entries of keys that end here, up to from of the next node
}

// symbols returns the two symbols of a byte, the second in the two lowest bits
// and the first above it. No letter shares its place with a digit or a blank.
func symbols(c byte) byte { return (c^^c>>1&32)<<2 | c>>6 }

// symbolAt returns one of them, by how many symbols come before it.
func symbolAt(both byte, depth int) uint8 {
	if depth%2 == 0 {
		return both >> 2
	}
	return both & 3
}

// search looks for keys at the start or the end of q's text.
func (t *trie) search(q *query) {
	s, left, i := q.key, q.key, 0 // what has not been compared is left
	for {
		n := &t.nodes[i]
		depth := int(n.depth)
		if n.least >= q.best || depth > 2*len(s) {
			return
		}
		if end := t.nodes[i+1].from; n.from < end { // the last node is none
			var ok bool
			if left, ok = cut(left, t.key(n, len(s)-len(left)), t.backwards); !ok {
				return
			}
			q.first(t.entries[n.from:end], left)
		}
		if depth == 2*len(s) {
			return
		}
		at := depth / 2
		if t.backwards {
			at = len(s) - 1 - at
		}
		bit := uint64(1) << symbolAt(symbols(s[at]), depth)
		if n.heads&bit == 0 {
			return
		}
		i = int(n.child) + bits.OnesCount64(n.heads&(bit-1))
	}
}

// key returns the key that ends at n without as many bytes as have been
// compared.
func (t *trie) key(n *node, compared int) string {
	key := t.keys[n.key : n.key+uint32(n.depth)/2]
	if t.backwards {
		return key[:len(key)-compared]
	}
	return key[compared:]
}

// newTrie makes the trie of keys, each of which ends a text or starts one.
func newTrie(all []keyed, backwards bool) trie {
	b := trieBuilder{nodes: make([]node, 1, len(all)+2)}
	routes := routesOf(all, backwards)
	for i, below := 0, [][]route{routes}; i < len(below); i++ {
		below = append(below, b.fill(i, below[i])...)
	}
	b.nodes = append(b.nodes, node{from: int32(len(b.entries))})
	return trie{exact(b.nodes), exact(b.entries), strings.Clone(b.keys.String()), backwards}
}

// A route is a key with its symbols in the order in which they are looked at,
// two in each byte.
type route struct {
	*keyed
	symbols []byte
}

// routesOf returns the routes of keys in the order of their symbols, and those
// of one key in that of their rules.
func routesOf(all []keyed, backwards bool) []route {
	routes := make([]route, len(all))
	size := 0
	for i := range all {
		size += len(all[i].key)
	}
	room := make([]byte, 0, size)
	for i := range all {
		from := len(room)
		for j := range len(all[i].key) {
			room = append(room, symbols(all[i].key[j]))
		}
		if backwards {
			slices.Reverse(room[from:])
		}
		routes[i] = route{&all[i], room[from:]}
	}
	slices.SortFunc(routes, func(x, y route) int {
		return cmp.Or(bytes.Compare(x.symbols, y.symbols), cmp.Compare(x.rule, y.rule))
	})
	return routes
}

type trieBuilder struct {
	nodes   []node
	entries []entry
	keys    strings.Builder
}

// fill makes node n of sorted routes and returns those of each of its children.
func (b *trieBuilder) fill(n int, all []route) (below [][]route) {
	depth := shared(all[0].symbols, all[len(all)-1].symbols)
	nd := &b.nodes[n]
	*nd = node{least: none, child: int32(len(b.nodes)), depth: int32(depth), from: int32(len(b.entries))}
	for i := range all {
		nd.least = min(nd.least, all[i].rule)
	}
	if depth == 2*len(all[0].symbols) {
		nd.key = uint32(b.keys.Len())
		b.keys.WriteString(all[0].key)
	}
	for len(all) > 0 && depth == 2*len(all[0].symbols) {
		b.entries = append(b.entries, all[0].entry)
		all = all[1:]
	}
	for len(all) > 0 {
		head, end := all[0].at(depth), 1
		for end < len(all) && all[end].at(depth) == head {
			end++
		}
		nd.heads |= 1 << head
		below, all = append(below, all[:end]), all[end:]
	}
	b.nodes = append(b.nodes, make([]node, len(below))...)
	return below
}

// at returns the symbol of r at depth.
func (r *route) at(depth int) uint8 { return symbolAt(r.symbols[depth/2], depth) }

// shared returns how many symbols two routes have in common.
func shared(x, y []byte) int {
	for i := range min(len(x), len(y)) {
		switch {
		case x[i]>>2 != y[i]>>2:
			return 2 * i
		case x[i] != y[i]:
			return 2*i + 1
		}
	}
	return 2 * min(len(x), len(y))
}
