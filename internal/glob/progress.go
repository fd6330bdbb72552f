package glob

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// A progress is where a glob is after some text: in one set of states for each way
// in which words may have vanished, as in Must.
type progress struct {
	glob     *Glob
	variants []states
	always   bool // it matches whatever follows
	never    bool // it matches nothing that follows
	lost     bool // there were more sets than are followed
}

// begin returns the progress before any text.
func (g *Glob) begin() progress { return progress{glob: g, variants: []states{g.start()}}.settle() }

// settle does what Must does after each character and hole.
func (p progress) settle() progress {
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
func (p progress) accepts() bool {
	return p.always || !p.never && !slices.ContainsFunc(p.variants, func(s states) bool { return !p.glob.accepts(s) })
}

// A letter is a character, or a hole where that is not zero.
type letter struct {
	char rune
	hole text.Hole
}

// read returns the progress of p and a letter.
func (p progress) read(l letter) progress {
	switch {
	case p.always || p.never:
		return p
	case l.hole != 0:
		return progress{glob: p.glob, variants: p.glob.coverAll(p.variants, l.hole)}.settle()
	}
	next := progress{glob: p.glob}
	for _, s := range p.variants {
		to := p.glob.none()
		floor, _ := p.glob.step(to, s, l.char)
		to.above(floor)
		next.variants = append(next.variants, to)
	}
	return next.settle()
}

// reads returns those of letters that may lead on from p.
func (p progress) reads(letters []letter) []letter {
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
func (p progress) appendKey(key []byte) []byte {
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
