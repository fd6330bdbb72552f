package glob

import "math/bits"

// states is a set of states of a matcher, as bits.
type states []uint64

func (s states) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s states) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// above drops the states below floor.
func (s states) above(floor int) {
	clear(s[:floor/64])
	s[floor/64] &^= 1<<(floor%64) - 1
}

func (s states) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s states) within(o states) bool {
	for i, w := range s {
		if w&^o[i] != 0 {
			return false
		}
	}
	return true
}

func (s states) union(o states) states {
	for i, w := range o {
		s[i] |= w
	}
	return s
}

// all yields the states of s in ascending order, those too that are added
// ahead meanwhile.
func (s states) all() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for w := range s {
			for done := uint64(0); ; {
				left := s[w] &^ done
				if left == 0 {
					break
				}
				bit := bits.TrailingZeros64(left)
				done |= 1<<bit | (1<<bit - 1)
				if !yield(w*64 + bit) {
					return
				}
			}
		}
	}
}
