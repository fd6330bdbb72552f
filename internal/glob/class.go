package glob

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// A class is what stands in brackets: a range, or a set of characters.
type class struct {
	not    bool
	lo, hi rune   // the range, where set is empty
	set    string // the characters
	size   int    // in the pattern, brackets included; with an error, where it is
}

// holds reports whether r is among the characters that c names.
func (c *class) holds(r rune) bool {
	if c.set != "" {
		return strings.ContainsRune(c.set, r)
	}
	return c.lo <= r && r <= c.hi
}

// few reports whether c has so few characters that each can be looked for.
func (c *class) few() bool {
	return !c.not && len(c.set) <= maxWays && (c.set != "" || c.hi-c.lo < maxWays)
}

// each yields the characters that c names.
func (c *class) each(yield func(rune) bool) {
	for _, r := range c.set {
		if !yield(r) {
			return
		}
	}
	for r := c.lo; c.set == "" && r <= c.hi && yield(r); r++ {
	}
}

// matches reports whether the class matches r or, where case does not count,
// some character that differs from r in case only. What is left out is left out
// as it is written: whoever says so in one case has not said it of the other.
func (c *class) matches(r rune, fold bool) bool {
	if c.not {
		return !c.holds(r)
	}
	in := c.holds(r)
	if fold {
		for f := unicode.SimpleFold(r); f != r && !in; f = unicode.SimpleFold(f) {
			in = c.holds(f)
		}
	}
	return in
}

// meets reports whether the class matches some character that a hole of kind h
// can hold. Where it is not certain it says yes.
func (c *class) meets(h text.Hole) bool {
	if c.not {
		return true
	}
	switch h {
	case text.Digits:
		return strings.ContainsFunc("0123456789", c.holds)
	case text.Number:
		return strings.ContainsFunc("-0123456789", c.holds)
	}
	can := func(r rune) bool { return supplies(h, r) }
	if c.set != "" {
		return strings.ContainsFunc(c.set, can)
	}
	for r := c.lo; r <= c.hi; r++ {
		if can(r) {
			return true
		}
	}
	return false
}

var (
	errUnclosed = errors.New(`"[" is never closed: write "\[" for the character`)
	errEmpty    = errors.New(`"[]" has no characters: write "\[\]" for the two`)
	errCaret    = errors.New(`"[^" does not negate: write "[!", or "[\^" for the character`)
	errRange    = errors.New("a range must stand alone in its brackets, as [a-z]: write {[a-z],[0-9]} for several")
	errReversed = errors.New("a range that ends before it starts")
)

// readClass reads the class that s starts with, by the grammar of gobwas/glob:
// a range [lo-hi] in which nothing is escaped, or a set in which a backslash
// escapes and "-" is plain; "!" before either negates.
func readClass(s string) (class, error) {
	c := class{size: 1}
	if strings.HasPrefix(s[1:], "^") {
		return c, errCaret
	}
	if strings.HasPrefix(s[1:], "!") {
		c.not = true
		c.size++
	}
	lo, size := utf8.DecodeRuneInString(s[c.size:])
	if rest := s[c.size+size:]; strings.HasPrefix(rest, "-") {
		return c.readRange(s, lo, c.size+size+1)
	}
	return c.readSet(s)
}

func (c class) readRange(s string, lo rune, at int) (class, error) {
	hi, size := utf8.DecodeRuneInString(s[at:])
	end := at + size
	switch {
	case end == len(s):
		return class{}, errUnclosed
	case s[end] != ']':
		return class{size: end}, errRange
	case hi < lo:
		return class{size: at}, errReversed
	}
	c.lo, c.hi, c.size = lo, hi, end+1
	return c, nil
}

func (c class) readSet(s string) (class, error) {
	var set strings.Builder
	for c.size < len(s) {
		switch s[c.size] {
		case ']':
			if c.set = set.String(); c.set == "" {
				return c, errEmpty
			}
			c.size++
			return c, nil
		case '\\':
			c.size++
		}
		r, size := utf8.DecodeRuneInString(s[c.size:])
		if size == 0 {
			break
		}
		set.WriteRune(r)
		c.size += size
	}
	return class{}, errUnclosed
}
