package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// condition reads the words of test, and reports whether none of them is more
// than a plain name to the shell. A name stands behind -v or -R, wherever in the
// words that is, and is evaluated: test x -o -v 'a[$(rm y)]' runs rm.
func (w *walker) condition(c *command) (plain bool) {
	args := c.fields[1:]
	plain = true
	names, told := false, false // the next word may stand behind -v; that has been said
	for i, f := range args {
		if names && !told && (evaluated(f) || !f.static && !counts(f)) {
			w.unknown(c.source, "a test that may evaluate the text of an operand")
			told = true // once says it all, and there may be thousands
		}
		names = names && f.vanish
		if asks(f) {
			names = true
			plain = plain && (!f.static && !f.vanish || i+1 < len(args) && args[i+1].static && isName(args[i+1].value))
		}
	}
	return plain
}

// asks reports whether a word of test is -v or -R, or may become one.
func asks(f word) bool { return mayBe(f, "-v") || mayBe(f, "-R") }

// mayBe reports whether a word is a text without blanks, or may become it.
func mayBe(f word, s string) bool {
	switch {
	case f.static:
		return f.value == s
	case f.vanish:
		return !counts(f)
	}
	all := f.text.String()
	tail := all[strings.LastIndex(all, "…")+len("…"):]
	return !counts(f) && strings.HasPrefix(s, leading(f)) && strings.HasSuffix(s, tail)
}

// hasHole reports whether there is a hole of a kind in a word.
func hasHole(f word, kind text.Hole) bool {
	for _, h := range f.text.All() {
		if h == kind {
			return true
		}
	}
	return false
}

// subscripts looks at words that may be elements of arrays.
func (d *doubter) subscripts(args []*syntax.Word) {
	for _, a := range args {
		o := operandOf(a, gap)
		if i := strings.IndexByte(o.text, '['); i > 0 && isName(o.text[:i]) {
			d.evaluates(a)
		}
	}
}

// split looks at words of test that may become several: x -o -v a[c]
func (d *doubter) split(args []*syntax.Word) {
	for _, a := range args {
		if slices.ContainsFunc(a.Parts, mayBeSeveral) {
			d.takes(a, "words of a test that may say -v: quote them, or name each")
		}
		e := expander{doubt: func(string) {}}
		if f := e.one(a); hasHole(f, text.Name) && asks(f) {
			d.doubt("names of files in a test, of which one may be -v: write the names")
		}
	}
}

// mayBeSeveral reports whether a part of a word may make several words of it:
// an expansion without quotes, or one of "$@" and its like.
func mayBeSeveral(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	case *syntax.DblQuoted:
		return slices.ContainsFunc(p.Parts, isEveryWord)
	}
	return false
}
