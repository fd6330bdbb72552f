package glob

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

const (
	// maxPairs bounds the places of two sides that Covers and Meets visit.
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
	b  place
	as []place
}

// add adds a pair that is new and that something may follow from. It returns
// false where a text that b matches is found that none of as does.
func (s *search) add(p pair) bool {
	if slices.ContainsFunc(p.as, func(a place) bool { return a.always }) {
		return true
	}
	p.as = slices.DeleteFunc(p.as, func(a place) bool { return a.never })
	if p.b.accepts() && !slices.ContainsFunc(p.as, place.accepts) {
		return false
	}
	if len(p.as) == 0 && len(p.b.variants) <= 1 {
		return false // something takes b to its end, and nothing else
	}
	var key []byte
	for _, at := range append([]place{p.b}, p.as...) {
		key = at.appendKey(key)
	}
	if !s.seen[string(key)] {
		s.seen[string(key)] = true
		s.open = append(s.open, p)
	}
	return true
}

// A place is where a glob is after some text: in one set of states for each way
// in which words may have vanished, as in Must.
type place struct {
	glob     *Glob
	variants []states
	always   bool // it matches whatever follows
	never    bool // it matches nothing that follows
	lost     bool // there were more sets than are followed
}

// begin returns the place before any text.
func (g *Glob) begin() place { return place{glob: g, variants: []states{g.start()}}.settle() }

// settle does what Must does after each character and hole.
func (p place) settle() place {
	p.variants = slices.DeleteFunc(prune(p.variants), p.glob.certain)
	switch {
	case len(p.variants) == 0:
		p.always = true
	case len(p.variants) > maxVariants/2: // half of what Must follows, whose sets are larger
		p.never, p.lost, p.variants = true, true, nil
	case slices.ContainsFunc(p.variants, states.empty):
		p.never, p.variants = true, nil
	}
	return p
}

// accepts reports whether the glob matches the text so far.
func (p place) accepts() bool {
	return p.always || !p.never && !slices.ContainsFunc(p.variants, func(s states) bool { return !p.glob.accepts(s) })
}

// A letter is a character, or a hole where that is not zero.
type letter struct {
	char rune
	hole text.Hole
}

// read returns the place behind p and a letter.
func (p place) read(l letter) place {
	switch {
	case p.always || p.never:
		return p
	case l.hole != 0:
		return place{glob: p.glob, variants: p.glob.coverAll(p.variants, l.hole)}.settle()
	}
	next := place{glob: p.glob}
	for _, s := range p.variants {
		to := p.glob.none()
		floor, _ := p.glob.step(to, s, l.char)
		to.above(floor)
		next.variants = append(next.variants, to)
	}
	return next.settle()
}

// reads returns those of letters that may lead on from p.
func (p place) reads(letters []letter) []letter {
	if p.always {
		return letters
	}
	var own []letter
	for _, s := range p.variants {
		for i := range s.all() {
			if i == len(p.glob.prog) {
				continue
			}
			in := p.glob.prog[i]
			switch in.op() {
			case opOne, opClass, opStar:
				return letters
			case opRune:
				eachCase(rune(in.arg()), p.glob.Folds(), func(r rune) { own = append(own, letter{char: r}) })
				if in.arg() == ' ' {
					own = append(own, letter{hole: text.Args}) // of which it takes the blank
				}
			}
		}
	}
	return own
}

// appendKey adds what tells p from other places of its glob to key.
func (p place) appendKey(key []byte) []byte {
	key = append(key, byte(len(p.variants)))
	if p.always {
		key = append(key, 1)
	}
	for _, s := range p.variants {
		for _, w := range s {
			key = binary.LittleEndian.AppendUint64(key, w)
		}
	}
	return append(key, '|')
}

// eachCase calls f with r and, where case does not count, with all characters
// that differ from it in case only.
func eachCase(r rune, folded bool, f func(rune)) {
	f(r)
	if !folded {
		return
	}
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		f(other)
	}
}

// alphabet returns a letter of each kind that globs, or who asks, tell apart:
// what holds for it holds for all characters of that kind. It fails for what
// would be too many.
func alphabet(globs []*Glob, more string) (letters []letter, ok bool) {
	cuts := []rune{0, '/', '/' + 1, ' ', ' ' + 1}
	one := func(r rune) { cuts = append(cuts, r, r+1) }
	for _, r := range more {
		one(r)
	}
	for _, g := range globs {
		for _, in := range g.prog {
			if in.op() == opRune {
				eachCase(rune(in.arg()), g.Folds(), one)
			}
		}
		if g.more == nil {
			continue
		}
		for _, c := range g.more.classes {
			if c.set == "" && g.Folds() && c.hi-c.lo > maxFolded {
				return nil, false
			}
			c.mark(g.Folds(), &cuts)
		}
	}
	slices.Sort(cuts)
	for _, r := range slices.Compact(cuts) {
		if r <= utf8.MaxRune {
			letters = append(letters, letter{char: r})
		}
	}
	return append(letters, letter{hole: text.Any}, letter{hole: text.Name}, letter{hole: text.Args}), true
}

// mark adds where the characters that c tells apart begin.
func (c *class) mark(folded bool, cuts *[]rune) {
	one := func(r rune) { *cuts = append(*cuts, r, r+1) }
	for _, r := range c.set {
		eachCase(r, folded, one)
	}
	if c.set != "" {
		return
	}
	*cuts = append(*cuts, c.lo, c.hi+1)
	for r := c.lo; folded && r <= c.hi; r++ {
		eachCase(r, true, one)
	}
}

// Behind returns a glob that matches s and, behind it, what g matches.
func (g *Glob) Behind(s string) *Glob {
	c := compiler{Options: Options{Fold: g.Folds()}}
	c.literal(s)
	return &Glob{prog: append(c.prog, g.prog...), more: g.more}
}

// A Language is a set of texts, as a machine that reads one character after
// the other.
type Language struct {
	Next    func(state int, r rune) int // from 0; negative where no text of the set goes on so
	Accepts func(state int) bool
	Marks   string // the characters that it tells from others
}

// Meets reports whether g matches a text of l. Where that takes too long to
// find out, it says yes.
func (g *Glob) Meets(l Language) bool {
	letters, ok := alphabet([]*Glob{g}, l.Marks)
	if !ok {
		return true
	}
	type at struct {
		place place
		state int
	}
	open, seen := []at{{g.begin(), 0}}, make(map[string]bool)
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if p.place.accepts() && l.Accepts(p.state) || len(seen) > maxPairs {
			return true
		}
		for _, letter := range p.place.reads(letters) {
			if letter.hole != 0 {
				continue
			}
			next := at{p.place.read(letter), l.Next(p.state, letter.char)}
			if next.place.never || next.state < 0 {
				continue
			}
			key := string(next.place.appendKey([]byte{byte(next.state)}))
			if !seen[key] {
				seen[key] = true
				open = append(open, next)
			}
		}
	}
	return false
}

// Everywhere reports whether g must match a text of which nothing is known.
func (g *Glob) Everywhere() bool { return g.Must(text.Unknown()) }

// MeetsGlob reports whether there is a text without holes that both g and o
// match. Where that takes too long to find out, it says yes.
func (g *Glob) MeetsGlob(o *Glob) bool {
	letters, ok := alphabet([]*Glob{g, o}, "")
	if !ok {
		return true
	}
	type both struct{ g, o place }
	open, seen := []both{{g.begin(), o.begin()}}, make(map[string]bool)
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		if p.g.accepts() && p.o.accepts() || len(seen) > maxPairs {
			return true
		}
		for _, letter := range p.g.reads(letters) {
			if letter.hole != 0 {
				continue
			}
			next := both{p.g.read(letter), p.o.read(letter)}
			if next.g.never || next.o.never {
				continue
			}
			key := string(next.o.appendKey(next.g.appendKey(nil)))
			if !seen[key] {
				seen[key] = true
				open = append(open, next)
			}
		}
	}
	return false
}
