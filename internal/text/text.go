// Package text holds the texts that patterns are matched with: known
// characters with holes between them where a part cannot be known.
package text

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A Hole is an unknown part of a Text. Its kind says which values the part can
// have: the fewer, the fewer patterns are in doubt. The zero Hole is none.
type Hole uint8

const (
	_      Hole = iota
	Any         // any characters, or none
	Args        // nothing, or a blank and then any characters: words that may vanish with the blank before them
	Word        // any characters or none, none of which a blank in a pattern matches
	Name        // characters of a file's name: no blank, no slash, and no dot where a name starts, which is behind a slash, a blank, =, : or @; behind the first two it is not empty before a dot
	Digits      // decimal digits, or nothing
	Number      // decimal digits and minus signs, or nothing
)

// A Text is a run of known characters and holes. The zero value is the empty
// text. Texts are immutable.
type Text struct {
	known string
	holes []hole
}

// hole stands before the byte of known that at counts to.
type hole struct {
	at   int
	kind Hole
}

// Of returns the text of s, without holes.
func Of(s string) Text { return Text{known: s} }

// Unknown returns a text that is one hole of kind Any.
func Unknown() Text { return Text{holes: []hole{{0, Any}}} }

// Known returns the characters of t, and whether they are all of it.
func (t Text) Known() (s string, whole bool) { return t.known, len(t.holes) == 0 }

// Ends returns the characters before the first hole and those behind the last
// one; both are all of t where there is none.
func (t Text) Ends() (head, tail string) {
	if len(t.holes) == 0 {
		return t.known, t.known
	}
	return t.known[:t.holes[0].at], t.known[t.holes[len(t.holes)-1].at:]
}

// All yields the characters and holes of t in order: a character with a zero
// Hole, or a Hole.
func (t Text) All() iter.Seq2[rune, Hole] {
	return func(yield func(rune, Hole) bool) {
		holes := t.holes
		for i := 0; ; {
			for len(holes) > 0 && holes[0].at == i {
				if !yield(0, holes[0].kind) {
					return
				}
				holes = holes[1:]
			}
			if i == len(t.known) {
				return
			}
			end := len(t.known)
			if len(holes) > 0 {
				end = holes[0].at // no character goes on behind a hole
			}
			r, size := utf8.DecodeRuneInString(t.known[i:end])
			if !yield(r, 0) {
				return
			}
			i += size
		}
	}
}

// String returns t with each hole as an ellipsis, for people.
func (t Text) String() string {
	var b strings.Builder
	for r, h := range t.All() {
		if h != 0 {
			r = '…'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// A Builder makes a Text. The zero value is ready.
type Builder struct {
	known strings.Builder
	holes []hole
}

// WriteString adds known characters.
func (b *Builder) WriteString(s string) { b.known.WriteString(s) }

// WriteHole adds a hole.
func (b *Builder) WriteHole(h Hole) { b.holes = append(b.holes, hole{b.known.Len(), h}) }

// Write adds a text.
func (b *Builder) Write(t Text) {
	n := b.known.Len()
	b.known.WriteString(t.known)
	for _, h := range t.holes {
		b.holes = append(b.holes, hole{n + h.at, h.kind})
	}
}

// Text returns what was written.
func (b *Builder) Text() Text { return Text{known: b.known.String(), holes: b.holes} }

// A Form is a set of the ways in which a subject can be spelt. A pattern is
// matched only with readings of the forms that it is written for: * with all of
// them, ./* with those that are Inside.
type Form uint8

const (
	Whole       Form = 1 << iota // the text in full: a command, a URL, an absolute path
	Inside                       // a path from the root, which it is inside of
	Host                         // the host of a URL
	Link                         // a text that is a URL, spelt as one
	WriteWhole                   // a file that a command line writes, as Whole
	WriteInside                  // likewise, as Inside
	ReadWhole                    // a file that a command line reads, as Whole
	ReadInside                   // likewise, as Inside

	Every Form = 1<<iota - 1 // all of them
)

// A Reading is one way to spell a subject. Where it has several forms it is not
// known which one it is: a pattern must match only if it is for all of them.
type Reading struct {
	Text Text
	Form Form
}
