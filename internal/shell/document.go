package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func isLiteral(w *syntax.Word) bool {
	return !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return !ok || strings.Contains(lit.Value, `\`)
	})
}

// quotedDelimiter reports whether nothing is expanded in a here-document.
func quotedDelimiter(w *syntax.Word) bool {
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

func hdocLiteral(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
		}
	}
	return restore(b.String())
}

// endsEarly reports whether some line of a here-document may end it inside
// parentheses, though it is more than the delimiter: it starts with that and
// has a parenthesis behind it, if only on a line that it goes on with.
func endsEarly(body, delimiter string, quoted bool) bool {
	for line := range strings.SplitSeq(body, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), delimiter)
		if ok && (strings.Contains(rest, ")") || !quoted && strings.HasSuffix(rest, `\`)) {
			return true
		}
	}
	return false
}
