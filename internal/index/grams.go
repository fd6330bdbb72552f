package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

const (
	gramLen   = 4 // bytes that are looked at together
	maxStride = 4
)

// grams find the keys that stand anywhere in a text. They look at some bytes of
// it in every stride, and each key is long enough to be met by one of those
// looks. The zero value has none.
type grams struct {
	stride int
	shift  uint     // of a hash, for a slot
	filter []uint64 // a bit for each hash that a slot has, so that most looks end here
	slots  []slot
	places []place
	all    []entry // each item once, in order, to be looked at whole
	least  int32   // the first rule of all
}

// maxFailed is how many items that have a key may turn out not to match before
// all of them are looked at once: a text may have the key in thousands of
// places, and to look at a long one whole at each of them takes long.
const maxFailed = 8

// A slot is where the places of some bytes are. A free one has none.
type slot struct {
	bytes    uint32
	from, to int32 // among the places
}

// A place is one of those in a key that may be met.
type place struct {
	entry
	at    int32 // where its bytes stand in the key
	key   string
	bytes uint32
}

// filterBits is how many bits of the filter there are for each slot, as a
// power of two.
const filterBits = 4

func newGrams(all []few) grams {
	if len(all) == 0 {
		return grams{least: none}
	}
	g := grams{stride: maxStride, least: none}
	count := make(map[uint32]int)
	for _, f := range all {
		g.stride = min(g.stride, len(f.Text)-gramLen+1)
		g.least = min(g.least, f.rule)
		for i := range len(f.Text) - gramLen + 1 {
			count[bytesAt(f.Text, i)]++
		}
	}
	for _, f := range all {
		at := g.rarest(f.Text, count)
		for i := at; i < at+g.stride; i++ {
			g.places = append(g.places, place{f.entry, int32(i), f.Text, bytesAt(f.Text, i)})
		}
	}
	for _, f := range all {
		f.sure = false
		g.all = append(g.all, f.entry)
	}
	slices.SortFunc(g.all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.item, b.item)) })
	g.all = slices.Compact(g.all)
	slices.SortFunc(g.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.rule, b.rule))
	})
	g.fill()
	return g
}

// fill makes the slots of the sorted places.
func (g *grams) fill() {
	size := bits.Len(uint(2 * len(g.places))) // at most half of the slots are taken
	g.shift = uint(32 - size)
	g.slots = make([]slot, 1<<size)
	g.filter = make([]uint64, max(1, 1<<(size+filterBits)/64))
	for from := 0; from < len(g.places); {
		b, to := g.places[from].bytes, from+1
		for to < len(g.places) && g.places[to].bytes == b {
			to++
		}
		h := hash(b)
		bit := h >> (g.shift - filterBits)
		g.filter[bit/64] |= 1 << (bit % 64)
		i := h >> g.shift
		for g.slots[i].to > 0 {
			i = (i + 1) & uint32(len(g.slots)-1)
		}
		g.slots[i] = slot{b, int32(from), int32(to)}
		from = to
	}
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
	s = s[i : i+gramLen]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func hash(b uint32) uint32 { return b * 0x9E3779B1 }

// search looks for keys in q's text.
func (g *grams) search(q *query) {
	if g.least >= q.best || g.stride == 0 {
		return
	}
	s, filter, shift := q.key, g.filter, g.shift-filterBits
	for i := 0; i+gramLen <= len(s); i += g.stride {
		b := bytesAt(s, i)
		bit := hash(b) >> shift
		if filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		g.met(q, b, i)
		if g.least >= q.best {
			return
		}
		if q.failed > maxFailed {
			q.first(g.all)
			return
		}
	}
}

// met tries the keys that have bytes b, which stand in the text at i.
func (g *grams) met(q *query, b uint32, i int) {
	at := hash(b) >> g.shift
	for g.slots[at].bytes != b || g.slots[at].to == 0 {
		if g.slots[at].to == 0 {
			return
		}
		at = (at + 1) & uint32(len(g.slots)-1)
	}
	list := g.places[g.slots[at].from:g.slots[at].to]
	for j := range list {
		p := &list[j]
		if p.rule >= q.best || q.failed > maxFailed {
			return
		}
		if start := i - int(p.at); start >= 0 && strings.HasPrefix(q.key[start:], p.key) {
			q.try(&p.entry)
		}
	}
}
