package index

import (
	"slices"
)

const (
	gramLen   = 3 // bytes that are looked at together
	maxStride = 4
)

// grams find the keys that stand anywhere in a text. They look at some bytes of
// it in every stride, and each key is long enough to be met by one of those
// looks. The zero value has none.
type grams struct {
	stride int
	shift  uint // of a hash, for a bit of filter
	filter []uint64
	table  map[uint32][]gram // by their bytes
	least  int32
}

// A gram is one of the places in a key that may be met.
type gram struct {
	entry
	key string
	at  int // where its bytes stand in the key
}

func newGrams(all []few) grams {
	if len(all) == 0 {
		return grams{least: none}
	}
	g := grams{stride: maxStride, least: none, table: make(map[uint32][]gram)}
	count := make(map[uint32]int)
	for _, f := range all {
		g.stride = min(g.stride, len(f.Text)-gramLen+1)
		g.least = min(g.least, f.rule)
		for i := range len(f.Text) - gramLen + 1 {
			count[bytesAt(f.Text, i)]++
		}
	}
	bits := 10
	for 1<<bits < 16*g.stride*len(all) {
		bits++
	}
	g.shift, g.filter = uint(32-bits), make([]uint64, 1<<bits/64)
	for _, f := range all {
		at := g.rarest(f.Text, count)
		for i := at; i < at+g.stride; i++ {
			b := bytesAt(f.Text, i)
			g.table[b] = append(g.table[b], gram{f.entry, f.Text, i})
			h := hash(b) >> g.shift
			g.filter[h/64] |= 1 << (h % 64)
		}
	}
	for _, list := range g.table {
		slices.SortStableFunc(list, func(a, b gram) int { return int(a.rule) - int(b.rule) })
	}
	return g
}

// rarest returns where the places of a key start, as many as there are bytes in
// a stride, that are in the fewest other keys.
func (g *grams) rarest(key string, count map[uint32]int) int {
	best, fewest := 0, none
	for at := range len(key) - gramLen + 2 - g.stride {
		sum := 0
		for i := at; i < at+g.stride; i++ {
			sum += count[bytesAt(key, i)]
		}
		if sum < fewest {
			best, fewest = at, sum
		}
	}
	return best
}

func bytesAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16
}

func hash(b uint32) uint32 { return b * 0x9E3779B1 }

// search looks for keys in q's text.
func (g *grams) search(q *query) {
	if g.least >= q.best || g.stride == 0 {
		return
	}
	s := q.key
	for i := 0; i+gramLen <= len(s); i += g.stride {
		b := bytesAt(s, i)
		h := hash(b) >> g.shift
		if g.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		g.met(q, b, i)
		if g.least >= q.best {
			return
		}
	}
}

// met tries the keys that have bytes b, which stand in the text at i.
func (g *grams) met(q *query, b uint32, i int) {
	list := g.table[b]
	for j := range list {
		m := &list[j]
		if m.rule >= q.best {
			return
		}
		start := i - m.at
		if start >= 0 && len(q.key)-start >= len(m.key) && q.key[start:start+len(m.key)] == m.key {
			q.try(&m.entry)
		}
	}
}
