package glob

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxPairs bounds how often Covers and Meets go on from what they have come to.
	maxPairs = 600
	// maxSteps bounds the steps of single globs that they take.
	maxSteps = 20_000
	// maxFolded bounds the ranges of which the characters are looked at one by
	// one where case does not count.
	maxFolded = 512
)

// Covers reports whether every text that b must match is one that one of as
// must match, holes included. That is proved by following both through all
// texts at the same time. Where it takes too long the answer is not known, and
// covered is false.
func Covers(as []*Glob, b *Glob) (covered, known bool) {
	for _, w := range b.witnesses() {
		if !slices.ContainsFunc(as, func(a *Glob) bool { return a.Matches(w) }) {
			return false, true
		}
	}
	s := search{seen: make(map[string]bool)}
	letters, ok := alphabet(append([]*Glob{b}, as...), "")
	if !ok {
		return false, false
	}
	first := pair{b: b.begin()}
	for _, a := range as {
		first.as = append(first.as, a.begin())
	}
	if !s.add(first) {
		return false, true
	}
	for len(s.open) > 0 {
		p := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		for _, l := range p.b.reads(letters) {
			next := pair{b: p.b.read(l)}
			if next.b.lost {
				return false, false
			}
			if next.b.never {
				continue
			}
			for _, a := range p.as {
				next.as = append(next.as, a.read(l))
			}
			s.steps += len(next.as) + 1
			if !s.add(next) {
				return false, true
			}
			if len(s.seen) > maxPairs || s.steps > maxSteps {
				return false, false
			}
		}
	}
	return true, true
}

// unlikely is a character that patterns do not have.
const unlikely = '\uf8ff'

// witnesses returns texts that g matches and hardly any other pattern does:
// one with what may be missing, and one without.
func (g *Glob) witnesses() []string {
	var all []string
	for _, skip := range []bool{false, true} {
		var b strings.Builder
		for i := 0; i < len(g.prog); i++ {
			switch in := g.prog[i]; in.op() {
			case opRune:
				b.WriteRune(rune(in.arg()))
			case opOne, opStar:
				b.WriteRune(unlikely)
			case opClass:
				b.WriteRune(g.class(in).some())
			case opFork:
				if skip {
					i += in.arg() - 1
				}
			case opJump:
				i += in.arg() - 1
			}
		}
		if s := b.String(); g.Matches(s) { // but for a class that nobody would write
			all = append(all, s)
		}
	}
	return all
}

// some returns a character that c matches, where that is easy to find.
func (c *class) some() rune {
	switch {
	case c.not:
		return unlikely
	case c.set != "":
		r, _ := utf8.DecodeRuneInString(c.set)
		return r
	}
	return c.lo
}

// A search goes through the pairs that two sides come to.
type search struct {
	seen  map[string]bool
	open  []pair
	steps int
}

// A pair is where both sides are after some text.
type pair struct {
	b  progress
	as []progress
}

// add adds a pair that is new and that something may follow from. It returns
// false where a text that b matches is found that none of as does.
func (s *search) add(p pair) bool {
	if slices.ContainsFunc(p.as, func(a progress) bool { return a.always }) {
		return true
	}
	p.as = slices.DeleteFunc(p.as, func(a progress) bool { return a.never })
	if p.b.accepts() && !slices.ContainsFunc(p.as, progress.accepts) {
		return false
	}
	if len(p.as) == 0 && len(p.b.variants) <= 1 {
		return false // something takes b to its end, and nothing else
	}
	var key []byte
	for _, at := range append([]progress{p.b}, p.as...) {
		key = at.appendKey(key)
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.open = append(s.open, p)
	}
	return true
}
