package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

const (
	gramLen   = 2 // bytes that are looked at together
	maxStride = 4
	// maxFailed is how many entries that have a key may turn out not to match
	// before all of them are looked at once: a text may have the key in
	// thousands of places, and to look at a long one whole at each takes long.
	maxFailed = 8
)

// grams find the keys that stand anywhere in a text. They look at two bytes of
// it in every stride, and each key is long enough to be met by one of those
// looks. The zero value has none.
type grams struct {
	stride int
	around []around // by the hash of two bytes
	from   []int32  // where the places of that hash start, and behind them an end
	places []place
	keys   string
	all    []entry // each entry once, in order, to be looked at whole
	least  int32   // the first rule of all
}

// around says what may stand around two bytes, as sets in which bytes share
// their place. Where nothing may, they are in no key; most looks end there.
type around struct{ before, behind uint64 }

// A place is where a key may be met.
type place struct {
	entry
	at       int32 // where the bytes that are looked at stand in the key
	key, end int32 // where the key stands among the keys
}

// An inner is a keyed entry whose key may stand anywhere.
type inner struct {
	keyed
	whole entry // as it is to be looked at without its key
}

func newGrams(all []inner) grams {
	g := grams{least: none}
	if len(all) == 0 {
		return g
	}
	g.stride = maxStride
	count := make(map[uint32]int)
	for i := range all {
		p := &all[i]
		g.stride = min(g.stride, len(p.key)-gramLen+1)
		g.least = min(g.least, p.rule)
		g.all = append(g.all, p.whole)
		for at := range len(p.key) - gramLen + 1 {
			count[gram(p.key, at)]++
		}
	}
	slices.SortStableFunc(g.all, func(a, b entry) int { return cmp.Compare(a.rule, b.rule) })
	g.all = slices.Compact(g.all)
	g.place(all, count)
	g.index()
	return g
}

// place finds the places of keys, given in how many of them bytes stand.
func (g *grams) place(all []inner, count map[uint32]int) {
	var keys strings.Builder
	g.places = make([]place, 0, len(all)*g.stride)
	for i := range all {
		p := &all[i]
		at, from := g.rarest(p.key, count), int32(keys.Len())
		keys.WriteString(p.key)
		for i := at; i < at+g.stride; i++ {
			g.places = append(g.places, place{p.entry, int32(i), from, int32(keys.Len())})
		}
	}
	g.keys = strings.Clone(keys.String())
}

// rarest returns where the places of a key start, as many as there are bytes in
// a stride: those whose bytes are in the fewest other keys, and within the key
// rather than at its ends.
func (g *grams) rarest(key string, count map[uint32]int) int {
	best, fewest := 0, none
	for at := range len(key) - gramLen + 2 - g.stride {
		sum := 0
		for i := at; i < at+g.stride; i++ {
			sum += count[gram(key, i)]
		}
		if at == 0 || at+g.stride+gramLen > len(key) {
			sum *= 2
		}
		if sum < fewest {
			best, fewest = at, sum
		}
	}
	return best
}

// index sorts the places by the hash of their bytes and notes what stands
// around those.
func (g *grams) index() {
	g.around = make([]around, 2<<bits.Len(uint(len(g.places))))
	slices.SortFunc(g.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(g.hash(&a), g.hash(&b)), cmp.Compare(a.rule, b.rule))
	})
	g.from = make([]int32, 0, len(g.around)+1)
	for i := range g.places {
		p := &g.places[i]
		h := g.hash(p)
		for len(g.from) <= h {
			g.from = append(g.from, int32(i))
		}
		before, behind := uint64(1<<64-1), uint64(1<<64-1) // at its ends a key says nothing
		if p.at > 0 {
			before = 1 << (g.keys[p.key+p.at-1] % 64)
		}
		if next := p.key + p.at + gramLen; next < p.end {
			behind = 1 << (g.keys[next] % 64)
		}
		g.around[h].before |= before
		g.around[h].behind |= behind
	}
	for len(g.from) <= len(g.around) {
		g.from = append(g.from, int32(len(g.places)))
	}
}

// hash returns the hash of the bytes that are looked at in p.
func (g *grams) hash(p *place) int {
	return hash(gram(g.keys, int(p.key+p.at)), len(g.around))
}

func gram(s string, i int) uint32 { return uint32(s[i]) | uint32(s[i+1])<<8 }

// hash returns where bytes belong in a table whose size is a power of two.
func hash(gram uint32, size int) int { return int(gram*0x9E3779B1>>12) & (size - 1) }

// search looks for keys in q's text.
func (g *grams) search(q *query) {
	s := q.key
	if len(s) < gramLen {
		return
	}
	q.failed = 0
	around, i := g.around, g.stride
	if g.look(q, 0) {
		return
	}
	for ; i+gramLen < len(s); i += g.stride {
		w := uint32(s[i-1]) | uint32(s[i])<<8 | uint32(s[i+1])<<16 | uint32(s[i+2])<<24
		a := &around[hash(w>>8&0xffff, len(around))]
		if a.before>>(w%64)&(a.behind>>(w>>24%64))&1 == 1 && g.look(q, i) {
			return
		}
	}
	if i+gramLen == len(s) {
		g.look(q, i)
	}
}

// look tries the keys that are met in q's text at i. It reports whether there
// is nothing more to be found.
func (g *grams) look(q *query, i int) (over bool) {
	h := hash(gram(q.key, i), len(g.around))
	list := g.places[g.from[h]:g.from[h+1]]
	for j := range list {
		p := &list[j]
		if p.rule >= q.best {
			break
		}
		if start := i - int(p.at); start >= 0 && strings.HasPrefix(q.key[start:], g.keys[p.key:p.end]) {
			q.try(&p.entry)
		}
		if q.failed > maxFailed {
			q.first(g.all, "")
			return true
		}
	}
	return g.least >= q.best
}
