package shell

import (
	"errors"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// carriage stands for a carriage return while a line is parsed: to bash that is
// a character like any other, to the parser a blank.
const carriage = '\uf8ff'

// Parsers are kept for the next line. The zero value and nil are ready.
type Parsers struct{ bash, posix sync.Pool }

// parse parses src in a language of shells.
func (ps *Parsers) parse(src string, lang syntax.LangVariant) (*syntax.File, error) {
	fresh := func() *syntax.Parser { return syntax.NewParser(syntax.Variant(lang), syntax.KeepComments(true)) }
	if ps == nil {
		return fresh().Parse(strings.NewReader(src), "")
	}
	pool := &ps.bash
	if lang != syntax.LangBash {
		pool = &ps.posix
	}
	p, _ := pool.Get().(*syntax.Parser)
	if p == nil {
		p = fresh()
	}
	defer pool.Put(p)
	return p.Parse(strings.NewReader(src), "")
}

// parse parses src. Where it differs from bash in a way that is known, it says
// so to doubt and returns what it can; without anything it returns nil.
func parse(ps *Parsers, src string, lang syntax.LangVariant, doubt func(string)) (*syntax.File, string) {
	switch {
	case strings.ContainsAny(src, string([]rune{carriage, Mark, 0, '\x01', '\x7f'})): // bash marks its own texts with the last two, and loses some
		doubt("a character that has no place in a command line")
		return nil, src
	case len(src) > maxLine:
		doubt("a command line longer than 64 KiB: split it, or put it into a script")
		return nil, src
	}
	src = strings.ReplaceAll(src, "\r", string(carriage))
	if deep(src) {
		doubt("brackets that are nested too deep")
		return nil, src
	}
	for range maxRepairs {
		f, cut := parseLines(ps, src, lang)
		if cut >= 0 {
			doubt("a command line that cannot be parsed: mind quotes and brackets")
			src = src[:cut]
		}
		if f == nil {
			return nil, src
		}
		repaired, ok := repairComments(f, src)
		if ok {
			if !continuationsFit(f, src) {
				doubt("a backslash before a line end, at a place where shells differ: write one line")
			}
			return f, src
		}
		src = repaired
	}
	doubt("comments that end in a backslash: leave them out")
	return nil, src
}

// parseLines parses src or, where that fails, the lines before the one that
// cannot be parsed: a shell runs them before it comes to that one. It says where
// it has cut, or -1.
func parseLines(ps *Parsers, src string, lang syntax.LangVariant) (f *syntax.File, cut int) {
	cut = -1
	for range maxCuts {
		f, err := ps.parse(src, lang)
		if err == nil {
			return f, cut
		}
		cut = strings.LastIndexByte(src[:min(errorOffset(err), len(src))], '\n')
		if cut <= 0 {
			return nil, 0
		}
		src = src[:cut]
	}
	return nil, 0
}

// errorOffset returns where in the source the parser has failed.
func errorOffset(err error) int {
	var at syntax.Pos
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		at = parse.Pos
	case errors.As(err, &lang):
		at = lang.Pos
	}
	return int(at.Offset())
}

// restore puts carriage returns back.
func restore(s string) string { return strings.ReplaceAll(s, string(carriage), "\r") }

// repairComments ends each comment at its line, as bash does: the parser takes
// a backslash before the line end for a continuation. It returns false with a
// source to parse again.
func repairComments(f *syntax.File, src string) (repaired string, ok bool) {
	if !strings.Contains(src, "\\\n") {
		return src, true
	}
	out := []byte(src)
	ok = true
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, is := n.(*syntax.Comment); is {
			start := int(c.Hash.Offset())
			for i := start; i < start+1+len(c.Text) && i+1 < len(out); i++ {
				if out[i] == '\\' && out[i+1] == '\n' {
					out[i] = ' '
					ok = false
				}
			}
		}
		return true
	})
	return string(out), ok
}

// deep reports whether more brackets are open at once than can be read in
// reasonable time: the parser is slow behind a double parenthesis, and in the
// subscripts of arrays.
func deep(src string) bool {
	open, brackets, braces, arithmetic := 0, 0, 0, false
	for i := range len(src) {
		switch src[i] {
		case '(':
			open++
			arithmetic = arithmetic || i > 0 && src[i-1] == '('
		case '[':
			if colors(src[i+1:]) {
				continue
			}
			arithmetic = arithmetic || i > 0 && src[i-1] == '$'
			open++
			brackets++
		case '{':
			if i > 0 && src[i-1] == '$' {
				braces++
			}
		case '}':
			braces = max(0, braces-1)
		case ')':
			open = max(0, open-1)
		case ']':
			open, brackets = max(0, open-1), max(0, brackets-1)
		}
		if max(open, braces) > maxNested || brackets > maxParens || open > maxParens && arithmetic {
			return true
		}
	}
	return false
}

// colors reports whether a text behind a bracket makes that the start of a
// terminal's colors, which nothing closes.
func colors(s string) bool {
	rest := strings.TrimLeft(s[:min(len(s), 20)], "0123456789;")
	return len(rest) < min(len(s), 20) && strings.HasPrefix(rest, "m")
}
