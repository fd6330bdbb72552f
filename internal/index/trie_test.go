package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// keyedAs returns sure entries with keys, one rule each, of which what may
// follow is any of the three.
func keyedAs(keys ...string) []keyed {
	var all []keyed
	for i, k := range keys {
		place := []glob.Place{glob.Start, glob.Whole, glob.Stem}[i%3]
		e := entry{rule: int32(i), forms: text.Whole}
		all = append(all, e.found(glob.Key{Place: place, Tail: ' ', Sure: true, Text: k}))
	}
	return all
}

func firstIn(search func(*query), s string) int32 {
	q := query{text: s, key: s, form: text.Whole, narrow: true, best: none}
	search(&q)
	return q.best
}

// plainly is what a trie and a few find, by looking at one key after the other.
func plainly(all []keyed, s string, backwards bool) int32 {
	for i := range all {
		if rest, ok := cut(s, all[i].key, backwards); ok && all[i].next.allows(rest) {
			return all[i].rule
		}
	}
	return none
}

func TestTrieAndFew(t *testing.T) {
	found := 0
	for seed := range uint64(400) {
		r := random{rand.New(rand.NewPCG(seed, 2))}
		var keys []string
		for range 1 + r.IntN(maxFew) {
			keys = append(keys, r.bytes(6))
		}
		all := keyedAs(keys...)
		for _, backwards := range []bool{false, true} {
			if backwards {
				for i := range all {
					all[i].next = nextAny
				}
			}
			trie, few := newTrie(all, backwards), newFew(all, backwards)
			for range 100 {
				s := r.bytes(8)
				want := plainly(all, s, backwards)
				require.Equal(t, want, firstIn(trie.search, s), "trie of %q, %q, backwards %v", keys, s, backwards)
				require.Equal(t, want, firstIn(few.search, s), "few of %q, %q, backwards %v", keys, s, backwards)
				if want != none {
					found++
				}
			}
		}
	}
	assert.Greater(t, found, 10_000)
}

// bytes returns up to n bytes, many of which share a place with another.
func (r random) bytes(n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(r.pick("a", "a", "a", "b", "!", "A", " ", "\x00", "@", "\xe1", "\xff", "1", "q"))
	}
	return b.String()
}

// The place of a byte among 64 and which of four it is tell all bytes apart.
func TestSymbols(t *testing.T) {
	seen := make(map[string]bool)
	for c := range 1 << 8 {
		both := symbols(byte(c))
		seen[fmt.Sprint(symbolAt(both, 0), " ", symbolAt(both, 1))] = true
		assert.Less(t, symbolAt(both, 0), uint8(64))
	}
	assert.Len(t, seen, 1<<8)
	places := make(map[uint8]rune)
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789 -./" {
		place := symbolAt(symbols(byte(c)), 0)
		assert.Zero(t, places[place], "%c shares its place", c)
		places[place] = c
	}
}

// Each key of a row that starts with the one before is compared from where that
// one ends.
func BenchmarkNestedKeys(b *testing.B) {
	var keys []string
	for n := range 4000 {
		keys = append(keys, strings.Repeat("a", n+1)+"b")
		keys = append(keys, strings.Repeat("a", n+1))
	}
	all := keyedAs(keys...)
	for i := range all {
		all[i].next = nextEnd
	}
	trie := newTrie(all, false)
	s := strings.Repeat("a", 4500)
	for b.Loop() {
		firstIn(trie.search, s)
	}
}
