package glob

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file says a second time what a pattern means, by a translation to
// regular expressions that shares nothing with the package and does not care
// how long it takes. It expects a pattern that Expand accepts.

// token is a piece of a pattern: the source of a class, of an escaped
// character, or one character.
type token string

func (t token) class() bool { return len(t) > 1 && t[0] == '[' }

func (t token) plain() string {
	if len(t) > 1 && t[0] == '\\' {
		return string(t[1:])
	}
	return string(t)
}

var (
	tokens  = regexp.MustCompile(`(?s)\[!.-.\]|\[[^!]-.\]|\[!?(?:\\.|[^\\\]])+\]|\\.|.`)
	singles = regexp.MustCompile(`(?s)\\.|.`)
)

func tokenize(pattern string) (out []token) {
	for _, s := range tokens.FindAllString(pattern, -1) {
		out = append(out, token(s))
	}
	return out
}

// choose replaces the first pair of braces, and so on until there is none.
func choose(ts []token) [][]token {
	open := slices.Index(ts, "{")
	if open < 0 {
		for i := range ts {
			if ts[i] == "}" {
				ts[i] = `\}`
			}
		}
		return [][]token{ts}
	}
	if stray := slices.Index(ts[:open], "}"); stray >= 0 {
		ts[stray] = `\}`
		return choose(ts)
	}
	parts := [][]token{nil}
	end := open + 1
	for depth := 1; ; end++ {
		t := ts[end]
		switch t {
		case "{":
			depth++
		case "}":
			depth--
		}
		if depth == 0 {
			break
		}
		if t == "," && depth == 1 {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], t)
	}
	if len(parts) == 1 {
		ts[open], ts[end] = `\{`, `\}`
		return choose(ts)
	}
	var all [][]token
	for _, p := range parts {
		all = append(all, choose(slices.Concat(ts[:open], p, ts[end+1:]))...)
	}
	return all
}

// meaning returns the regular expression of a pattern.
func meaning(pattern string, o Options) *regexp.Regexp {
	var alts []string
	for _, ts := range choose(tokenize(pattern)) {
		alts = append(alts, translate(ts, o))
	}
	flags := "(?s)"
	if o.Fold {
		flags = "(?is)"
	}
	return regexp.MustCompile(flags + "^(?:" + strings.Join(alts, "|") + ")$")
}

func translate(ts []token, o Options) string {
	var b strings.Builder
	at := 0 // in bytes
	for i := 0; i < len(ts); {
		walled := at < o.Walled
		n := 1
		stars := countStars(ts[i:])
		switch {
		case o.Stars && stars > 1 && i+stars < len(ts) && ts[i+stars] == "/" && (i == 0 || ts[i-1].plain() == "/"):
			n = stars + 1
			fmt.Fprintf(&b, "(?:%s*/)?", one(walled))
		case o.Tail != "" && i > 0 && string(ts[i]) == o.Tail && tail(o).MatchString(source(ts[i+1:])):
			n = len(ts) - i
			fmt.Fprintf(&b, "(?:%s%s*)?", o.Tail, one(walled))
		case ts[i].class() && o.Loose:
			fmt.Fprintf(&b, "(?:%s|%s)", classRegexp(ts[i], walled), bracketed(ts[i], o, walled))
		default:
			b.WriteString(piece(ts[i], walled))
		}
		for range n {
			at += len(ts[i])
			i++
		}
	}
	if o.Below {
		b.WriteString("(?:/.*)?")
	}
	return b.String()
}

// tail matches what stands behind Options.Tail in a tail that may be missing.
func tail(o Options) *regexp.Regexp {
	if o.Stars && o.Tail == "/" {
		return regexp.MustCompile(`^(\*{2,}/)*\*+$`)
	}
	return regexp.MustCompile(`^\*+$`)
}

func source(ts []token) string {
	var b strings.Builder
	for _, t := range ts {
		b.WriteString(string(t))
	}
	return b.String()
}

func countStars(ts []token) (n int) {
	for n < len(ts) && ts[n] == "*" {
		n++
	}
	return n
}

func one(walled bool) string {
	if walled {
		return "[^/]"
	}
	return "."
}

func piece(t token, walled bool) string {
	switch {
	case t == "*":
		return one(walled) + "*"
	case t == "?":
		return one(walled)
	case t.class():
		return classRegexp(t, walled)
	}
	return regexp.QuoteMeta(t.plain())
}

// bracketed is what a class means where brackets are plain characters.
func bracketed(t token, o Options, walled bool) string {
	o = Options{Stars: o.Stars}
	if walled {
		o.Walled = len(t)
	}
	var ts []token
	for _, s := range singles.FindAllString(string(t), -1) {
		ts = append(ts, token(s))
	}
	return translate(ts, o)
}

// classRegexp spells each character in hexadecimal, so that none has a meaning.
func classRegexp(t token, walled bool) string {
	body, not := strings.CutPrefix(string(t[1:len(t)-1]), "!")
	var ranges [][2]rune
	if r := []rune(body); len(r) == 3 && r[1] == '-' {
		ranges = append(ranges, [2]rune{r[0], r[2]})
	} else {
		for _, s := range singles.FindAllString(body, -1) {
			r := []rune(token(s).plain())[0]
			ranges = append(ranges, [2]rune{r, r})
		}
	}
	b := strings.Builder{}
	for _, r := range ranges {
		if walled && !not && r[0] <= '/' && '/' <= r[1] {
			b.WriteString(span(r[0], '/'-1) + span('/'+1, r[1]))
			continue
		}
		b.WriteString(span(r[0], r[1]))
	}
	switch {
	case not && walled:
		return "(?-i:[^/" + b.String() + "])"
	case not:
		return "(?-i:[^" + b.String() + "])"
	case b.Len() == 0:
		return `[^\x00-\x{10FFFF}]`
	}
	return "[" + b.String() + "]"
}

func span(lo, hi rune) string {
	if lo > hi {
		return ""
	}
	return fmt.Sprintf(`\x{%x}-\x{%x}`, lo, hi)
}
