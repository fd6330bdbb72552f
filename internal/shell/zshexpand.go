package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word looks at a word that is not in quotes.
func (z *zshDoubter) word(w *syntax.Word) {
	if z.quoted { // it is inside ${...}
		z.parts(w.Parts, true)
		return
	}
	z.parts(w.Parts, false)
	z.equals(w)
	z.brackets(w)
}

// opening returns the literal that a word starts with.
func opening(w *syntax.Word) string {
	if lit, ok := first(w.Parts).(*syntax.Lit); ok {
		return lit.Value
	}
	return ""
}

// equals looks for =name, which is the path of a command, at the start of a
// word, or behind an expansion that may be empty; there a ~ is a home, too.
func (z *zshDoubter) equals(w *syntax.Word) {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			whole := len(w.Parts) == 1 && (p.Value == "=" || p.Value == "==")
			if strings.HasPrefix(p.Value, "=") && !whole || strings.HasPrefix(p.Value, "~") && i > 0 {
				z.doubt("= or ~ at the start of a word, which zsh replaces: quote it")
			}
			return
		default:
			if !mayBeEmpty(part) {
				return
			}
		}
	}
}

// mayBeEmpty reports whether a part of a word may be nothing, so that the word
// starts behind it: quotes with nothing in them are none.
func mayBeEmpty(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	case *syntax.SglQuoted:
		return p.Value == ""
	case *syntax.DblQuoted:
		return !slices.ContainsFunc(p.Parts, func(q syntax.WordPart) bool { return !mayBeEmpty(q) })
	}
	return false
}

var (
	braceRange      = regexp.MustCompile(`\{[^{},]*\.\.[^{},]*\}`)
	slashInBrackets = regexp.MustCompile(`\[[^\]]*/`)
	braceDigits     = regexp.MustCompile(`^\{[0-9]{1,5}\.\.[0-9]{1,5}\}$`)
)

// brackets looks at the brackets and braces of a word.
func (z *zshDoubter) brackets(w *syntax.Word) {
	if !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(lit.Value, "{}[")
	}) {
		return
	}
	flat := flatten(w.Parts)
	if slashInBrackets.MatchString(flat) {
		z.doubt("a slash in brackets, which are a wildcard in zsh: quote them")
	}
	if strings.ContainsAny(flat, "{}") {
		z.braces(flat)
	}
}

// braces looks at the braces of a word. zsh expands them behind variables, keeps
// an empty word that they make, and takes one that closes what nothing opens for
// the end of a block.
func (z *zshDoubter) braces(flat string) {
	if flat[0] == '{' && flat[len(flat)-1] == '}' && containsAny(flat, "{,", ",}", ",,") {
		z.doubt("braces that make an empty word, which stays one in zsh: write the words")
	}
	open := 0
	for i := range len(flat) {
		switch flat[i] {
		case '{':
			open++
			if i > 0 && flat[i-1] == shortExpansion {
				z.doubt("braces right behind a variable: write ${name}")
			}
		case '}':
			if open--; open < 0 {
				z.doubt("a brace that nothing opens, which ends a block in zsh: quote it")
				return
			}
		case '$':
			z.doubt("a $ in a word with braces: quote it")
		}
	}
	for _, r := range braceRange.FindAllString(flat, -1) {
		if !braceDigits.MatchString(r) {
			z.doubt("a range in braces that shells read in different ways: write the words")
		}
	}
}

// What stands in a flat word for what is no literal.
const (
	otherPart      = 1
	shortExpansion = 2 // $name
)

// flatten returns the literals of a word, with a byte for each other part and
// for what is escaped.
func flatten(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			for i := 0; i < len(p.Value); i++ {
				c := p.Value[i]
				if c == '\\' {
					i++
					c = otherPart
				}
				b.WriteByte(c)
			}
		case *syntax.ParamExp:
			if p.Short {
				b.WriteByte(shortExpansion)
			} else {
				b.WriteByte(otherPart)
			}
		default:
			b.WriteByte(otherPart)
		}
	}
	return b.String()
}

// parts looks at each $ of a word, or of what is in quotes.
func (z *zshDoubter) parts(parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		var next syntax.WordPart
		if i+1 < len(parts) {
			next = parts[i+1]
		}
		switch p := part.(type) {
		case *syntax.Lit:
			s := p.Value
			if lit, ok := next.(*syntax.Lit); ok {
				s += lit.Value
			}
			z.dollars(s, next != nil && s == p.Value)
		case *syntax.ParamExp:
			if p.Short && p.Param != nil && next != nil && growsInZsh(p.Param.Value, next) {
				z.doubt("what stands right behind a variable is part of the expansion in zsh: write ${name}")
			}
		case *syntax.ProcSubst:
			if i > 0 && !quoted {
				z.doubt("a substitution in the middle of a word: write it as a word of its own")
			}
		}
	}
}

// dollars looks at a literal $, behind which zsh knows more than bash does.
func (z *zshDoubter) dollars(s string, more bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 == len(s):
			z.doubt("a backslash with nothing behind it: leave it out")
		case s[i] == '\\':
			i++
		case s[i] == '$' && (i+1 == len(s) && more || i+1 < len(s) && strings.IndexByte(" \t\n|)/,.;:%\\'\"]", s[i+1]) < 0):
			z.doubt("a $ that starts an expansion in zsh: quote it")
			return
		}
	}
}

// modifiers are the letters that change a value behind $name and a colon.
const modifiers = "aAcCefFghlpPqQrstuwWx&"

// growsInZsh reports whether zsh takes some of what follows $name for a part of
// the expansion: a subscript, a modifier, or the name behind $# of which it is
// the length.
func growsInZsh(name string, next syntax.WordPart) bool {
	lit, ok := next.(*syntax.Lit)
	if !ok || lit.Value == "" {
		return name == "#"
	}
	s := lit.Value
	switch {
	case s[0] == '[':
		return true
	case s[0] == ':' && len(s) > 1 && strings.IndexByte(modifiers, s[1]) >= 0:
		return true
	case name == "#":
		return isName("x"+s[:1]) || strings.IndexByte("#-!?$*@+=^~:{", s[0]) >= 0
	}
	return isPositional(name) && '0' <= s[0] && s[0] <= '9'
}

// ansiCAlike reports whether the text in $'...' has only escapes that all shells
// read alike.
func ansiCAlike(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		switch rest := s[min(i, len(s)):]; {
		case rest == "":
			return false
		case strings.IndexByte(`abefnrtv\'"`, rest[0]) >= 0:
		case rest[0] == 'x':
			n, digits := number(rest[1:], 16, 2)
			if digits != 2 || n == 0 || n >= 0x80 {
				return false
			}
		default:
			n, digits := number(rest, 8, 3)
			if digits != 3 && !(digits == 2 && rest[0] == '0') || n == 0 || n >= 0x80 {
				return false
			}
		}
	}
	return true
}
