package index

import "math/bits"

// maxFew is how many keys a few can have: one for each bit of a word.
const maxFew = 64

// A few finds what a trie finds, in less time where there are few keys: two bytes
// of a text leave hardly any of them to be compared.
type few struct {
	keys []keyed // in the order of their rules
	// For each of the two bytes at the start of a text, or at its end, the keys
	// that it may have. Bytes share a place.
	first, second [32]uint64
	backwards     bool
}

// newFew returns a few of at most maxFew keys.
func newFew(all []keyed, backwards bool) *few {
	f := &few{keys: exact(all), backwards: backwards}
	for i := range f.keys {
		k, bit := &f.keys[i], uint64(1)<<i
		f.mark(&f.first, k.key, 0, bit)
		f.mark(&f.second, k.key, 1, bit)
	}
	return f
}

// mark sets bit for the bytes that a text with the key may have at a place.
func (f *few) mark(keys *[32]uint64, key string, at int, bit uint64) {
	if at < len(key) {
		keys[f.at(key, at)] |= bit
		return
	}
	for i := range keys {
		keys[i] |= bit
	}
}

// at returns the place of one of the bytes of s.
func (f *few) at(s string, i int) uint8 {
	if f.backwards {
		i = len(s) - 1 - i
	}
	return s[i] % 32
}

// search looks for keys at the start or the end of q's text.
func (f *few) search(q *query) {
	left := uint64(1)<<len(f.keys) - 1
	if s := q.key; len(s) >= 2 {
		left &= f.first[f.at(s, 0)] & f.second[f.at(s, 1)]
	}
	for ; left != 0; left &= left - 1 {
		k := &f.keys[bits.TrailingZeros64(left)]
		if k.rule >= q.best {
			return
		}
		if rest, ok := cut(q.key, k.key, f.backwards); ok && k.next.allows(rest) {
			q.try(&k.entry)
		}
	}
}
