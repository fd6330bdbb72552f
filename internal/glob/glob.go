// Package glob compiles patterns, and tells whether one must or may match a text
// with holes.
//
// A pattern must match a text if it matches whatever stands in the holes,
// which only a star in the place of each hole can promise. It may match if it
// matches for some value of them. Without holes both are plain matching.
//
// gobwas/glob says which patterns are well formed. The matcher is this
// package's own: gobwas v1.1.0 loses matches of patterns with alternatives and
// can take exponential time on them.
package glob

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Options say what a pattern means beyond the plain syntax.
type Options struct {
	Tail   string // where the pattern ends in Tail and a star, the two may be missing
	Stars  bool   // **/ at the start or after a slash also matches nothing
	Below  bool   // a slash and anything may follow
	Loose  bool   // what stands in brackets is also taken as plain characters
	Fold   bool   // case does not count
	Walled int    // in so many bytes at the start no wildcard matches a slash
}

// A Glob is one compiled alternative of a pattern. It is immutable and safe for
// concurrent use.
type Glob struct {
	prog  []inst
	needs string // plain characters that stand in every text that it matches
	more  *more  // nil for most
}

// more is what few globs have.
type more struct {
	classes []class
	fold    bool // case does not count
}

// Compile compiles an alternative, which has to be one that Expand returns: of
// any other it makes what it likes, for it looks for no error.
func Compile(alt string, o Options) *Glob {
	var room [64]inst
	c := compiler{Options: o, prog: room[:0]}
	for at := 0; at < len(alt); {
		c.walled = at < o.Walled
		at += c.piece(alt[at:])
	}
	if o.Below {
		c.walled = false
		c.optional("/", true)
	}
	g := &Glob{prog: append([]inst(nil), c.prog...)}
	if len(c.classes) > 0 || o.Fold {
		g.more = &more{c.classes, o.Fold}
	}
	if !o.Fold {
		g.needs = shared(longestRun(g.prog), alt)
	}
	return g
}

// shared returns plain characters as a string: as a part of source, which takes
// no memory, if they are one.
func shared(run []inst, source string) string {
	var room [64]byte
	s := appendPlain(room[:0], run)
	if i := strings.Index(source, string(s)); i >= 0 {
		return source[i : i+len(s)]
	}
	return string(s)
}

// appendPlain adds plain characters to b.
func appendPlain(b []byte, run []inst) []byte {
	for _, in := range run {
		b = utf8.AppendRune(b, rune(in.arg()))
	}
	return b
}

// longestRun returns the states of the most plain characters in a row that no
// way through prog leaves out.
func longestRun(prog []inst) []inst {
	from, to, start := 0, 0, 0 // the longest, and where the present one starts
	for i := 0; i < len(prog); i++ {
		if prog[i].plain() {
			if i+1-start > to-from {
				from, to = start, i+1
			}
			continue
		}
		if prog[i].op() == opFork {
			i = behind(prog, i) - 1
		}
		start = i + 1
	}
	return prog[from:to]
}

// behind returns the state where both ways from a fork have come together.
func behind(prog []inst, fork int) int {
	at := fork + prog[fork].arg()
	if before := at - 1; prog[before].op() == opJump {
		return before + prog[before].arg()
	}
	return at
}

// A compiler compiles one alternative.
type compiler struct {
	Options
	prog    []inst
	classes []class
	walled  bool // wildcards match no slash here, see Options.Walled
	aside   bool // in one of two ways that both go on behind it, see inst.aside
}

// piece compiles what rest starts with and returns its length.
func (c *compiler) piece(rest string) int {
	if n := starsSlash(rest); n > 0 && c.Stars && c.atComponent() {
		c.optional("/", false)
		return n
	}
	if c.isTail(rest) {
		c.optional(c.Tail, true)
		return len(rest)
	}
	n := unit(rest)
	switch rest[0] {
	case '*':
		c.star()
	case '?':
		c.emit(opOne, 0)
	case '[':
		c.class(rest[:n])
	case '\\':
		c.literal(rest[1:n])
	default:
		c.literal(rest[:n])
	}
	return n
}

// atComponent reports whether a path component may start here.
func (c *compiler) atComponent() bool {
	n := len(c.prog)
	return n == 0 || c.prog[n-1].reads('/')
}

// starsSlash returns the length of the **/ that s starts with, where more than
// two stars are as good as two, or 0.
func starsSlash(s string) int {
	stars := len(s) - len(strings.TrimLeft(s, "*"))
	if stars < 2 || !strings.HasPrefix(s[stars:], "/") {
		return 0
	}
	return stars + 1
}

// isTail reports whether rest is the tail of the pattern that may be missing.
// There must be something before it. Where **/ may match nothing, it may do so
// in the tail too.
func (c *compiler) isTail(rest string) bool {
	stars, ok := strings.CutPrefix(rest, c.Tail)
	if !ok || c.Tail == "" || len(c.prog) == 0 {
		return false
	}
	for c.Stars && c.Tail == "/" && starsSlash(stars) > 0 {
		stars = stars[starsSlash(stars):]
	}
	return stars != "" && IsStars(stars)
}

// IsStars reports whether a pattern is nothing but stars.
func IsStars(pattern string) bool { return strings.Trim(pattern, "*") == "" }

func (c *compiler) emit(o op, arg int) {
	wild := o == opOne || o == opClass || o == opStar
	c.prog = append(c.prog, newInst(o, arg, wild && c.walled, c.aside))
}

func (c *compiler) literal(s string) {
	for _, r := range s {
		if c.Fold {
			r = fold(r)
		}
		c.emit(opRune, int(r))
	}
}

func (c *compiler) star() {
	if n := len(c.prog); n > 0 && c.prog[n-1].op() == opStar && c.prog[n-1].walled() == c.walled {
		return
	}
	c.emit(opStar, 0)
}

// class compiles a class and, where it is loose, beside it what its source
// means where brackets are plain characters.
func (c *compiler) class(src string) {
	cl, _ := readClass(src)
	c.classes = append(c.classes, cl)
	if !c.Loose {
		c.emit(opClass, len(c.classes)-1)
		return
	}
	fork := len(c.prog)
	c.emit(opFork, 3)
	c.emit(opClass, len(c.classes)-1)
	c.emit(opJump, 0)
	c.aside = true
	for at := 0; at < len(src); {
		if src[at] == '[' {
			c.literal("[")
			at++
			continue
		}
		at += c.piece(src[at:])
	}
	c.aside = false
	c.prog[fork+2] = newInst(opJump, len(c.prog)-fork-2, false, false)
}

// optional compiles a star behind plain characters, or before them, so that all
// of it may be left out.
func (c *compiler) optional(plain string, behind bool) {
	fork := len(c.prog)
	c.emit(opFork, 0)
	if !behind {
		c.star()
	}
	c.literal(plain)
	if behind {
		c.star()
	}
	c.prog[fork] = newInst(opFork, len(c.prog)-fork, false, c.aside)
}

// fold returns the least of the characters that differ from r in case only.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// Behind returns a glob that matches s and, behind it, what g matches.
func (g *Glob) Behind(s string) *Glob {
	c := compiler{Options: Options{Fold: g.Folds()}}
	c.literal(s)
	return &Glob{prog: append(c.prog, g.prog...), more: g.more}
}
