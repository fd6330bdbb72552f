package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func braced(w *syntax.Word) bool {
	return w != nil && syntax.SplitBraces(&syntax.Word{Parts: w.Parts})
}

// braces returns the words that the braces of w make of it.
func (e *expander) braces(w *syntax.Word) [][]syntax.WordPart {
	split := &syntax.Word{Parts: w.Parts}
	if !syntax.SplitBraces(split) {
		return [][]syntax.WordPart{w.Parts}
	}
	anything := []syntax.WordPart{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "@"}}}
	if slices.ContainsFunc(w.Parts, isOperation) {
		// Which brace closes ${...} is told differently by the shell's own
		// search for braces.
		return [][]syntax.WordPart{anything}
	}
	words := expandBraces(split.Parts)
	if words == nil {
		e.doubt("braces that expand to too many words: write the words")
		return [][]syntax.WordPart{anything}
	}
	for i, parts := range words {
		if words[i] = merged(parts); grown(words[i]) {
			words[i] = anything
		}
	}
	return words
}

// merged returns parts with one literal for several in a row.
func merged(parts []syntax.WordPart) []syntax.WordPart {
	var out []syntax.WordPart
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if ok && len(out) > 0 {
			if before, ok := out[len(out)-1].(*syntax.Lit); ok {
				out[len(out)-1] = &syntax.Lit{Value: before.Value + lit.Value}
				continue
			}
		}
		out = append(out, part)
	}
	return out
}

// grown reports whether braces have put together an expansion that stands
// nowhere in the source: $x{a,b} is $xa and $xb, and {$,}HOME is $HOME.
func grown(parts []syntax.WordPart) bool {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.ParamExp:
			if lit, ok := first(parts[i+1:]).(*syntax.Lit); ok && p.Short && lit.Value != "" && (lit.Value[0] == '[' || isName("x"+lit.Value[:1])) {
				return true
			}
		case *syntax.Lit:
			for j := range len(p.Value) {
				if p.Value[j] != '$' || escaped(p.Value, j) {
					continue
				}
				if j+1 == len(p.Value) && i+1 < len(parts) || j+1 < len(p.Value) && p.Value[j+1] != '/' && p.Value[j+1] != '.' && p.Value[j+1] != ',' {
					return true
				}
			}
		}
	}
	return false
}

// isOperation reports whether a part is ${...} with more than a name in it.
func isOperation(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		return false
	}
	_, plainly := simpleName(p)
	return !plainly
}

// expandBraces returns nil for more than maxWords words.
func expandBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	words := [][]syntax.WordPart{nil}
	for _, part := range parts {
		choices := [][]syntax.WordPart{{part}}
		if b, ok := part.(*syntax.BraceExp); ok {
			choices = braceChoices(b)
		}
		if choices == nil || len(words)*len(choices) > maxWords {
			return nil
		}
		var next [][]syntax.WordPart
		for _, left := range words {
			for _, right := range choices {
				next = append(next, append(left[:len(left):len(left)], right...))
			}
		}
		words = next
	}
	return words
}

func braceChoices(b *syntax.BraceExp) [][]syntax.WordPart {
	var all [][]syntax.WordPart
	if b.Sequence {
		for _, s := range sequence(b.Elems) {
			all = append(all, []syntax.WordPart{&syntax.SglQuoted{Value: s}})
		}
		return all
	}
	for _, elem := range b.Elems {
		words := expandBraces(elem.Parts)
		if words == nil || len(all)+len(words) > maxWords {
			return nil
		}
		all = append(all, words...)
	}
	return all
}

// sequence returns the texts of {a..b} or {1..9..2}, or nil for too many.
func sequence(elems []*syntax.Word) []string {
	from, to := elems[0].Lit(), elems[1].Lit()
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	letters := errA != nil || errB != nil
	if letters {
		a, b = int(from[0]), int(to[0])
	}
	step := 1
	if len(elems) > 2 {
		var err error
		if step, err = strconv.Atoi(elems[2].Lit()); err != nil {
			return nil
		}
	}
	step = max(step, -step, 1)
	if abs(b-a)/step >= maxWords || abs(b-a) < 0 {
		return nil
	}
	width := 0
	if !letters && (padded(from) || padded(to)) {
		width = max(len(from), len(to))
	}
	var all []string
	for i := 0; i <= abs(b-a); i += step {
		n := a + i
		if b < a {
			n = a - i
		}
		switch {
		case letters:
			all = append(all, string(rune(n)))
		case n < 0:
			all = append(all, "-"+pad(strconv.Itoa(-n), width-1))
		default:
			all = append(all, pad(strconv.Itoa(n), width))
		}
	}
	return all
}

func abs(n int) int { return max(n, -n) }

func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func pad(s string, width int) string {
	return strings.Repeat("0", max(0, width-len(s))) + s
}
