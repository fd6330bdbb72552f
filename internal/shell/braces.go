package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braced reports whether braces may make several words of w.
func braced(w *syntax.Word) bool {
	return w != nil && (deepBraces(w.Parts) || syntax.SplitBraces(&syntax.Word{Parts: w.Parts}))
}

// deepBraces reports whether more braces are open at once in the literals of a
// word than are looked at.
func deepBraces(parts []syntax.WordPart) bool {
	open := 0
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			continue
		}
		for i := range len(lit.Value) {
			switch lit.Value[i] {
			case '{':
				open++
			case '}':
				open = max(0, open-1)
			}
			if open > maxBraces {
				return true
			}
		}
	}
	return false
}

// braces returns the words that the braces of w make of it, and what they cost.
func (e *expander) braces(w *syntax.Word) (words [][]syntax.WordPart, cost int) {
	anything := [][]syntax.WordPart{{&syntax.ParamExp{Short: true, Param: &syntax.Lit{Value: "@"}}}}
	if deepBraces(w.Parts) {
		e.doubt("braces that are nested too deep: write the words")
		return anything, 0
	}
	split := &syntax.Word{Parts: w.Parts}
	if !syntax.SplitBraces(split) {
		return [][]syntax.WordPart{w.Parts}, 0
	}
	if slices.ContainsFunc(w.Parts, isOperation) {
		// Which brace closes ${...} is told differently by the shell's own
		// search for braces.
		return anything, 0
	}
	count, size := expansion(split.Parts)
	if count > maxWords || size > braceSize {
		e.doubt("braces that expand to too many words: write the words")
		return anything, 0
	}
	words = expandBraces(split.Parts)
	for i, parts := range words {
		if words[i] = merged(parts); grown(words[i]) {
			words[i] = anything[0]
		}
	}
	return words, size
}

// expansion returns how many words the braces of parts expand to, and the size
// of them all, in steps. It does not go on where they are too many.
func expansion(parts []syntax.WordPart) (count, size int) {
	count = 1
	for _, part := range parts {
		n, more := 1, 1
		switch p := part.(type) {
		case *syntax.BraceExp:
			n, more = choices(p)
		case *syntax.Lit:
			more += len(p.Value) / bytesInStep
		case *syntax.SglQuoted:
			more += len(p.Value) / bytesInStep
		case *syntax.DblQuoted:
			more += (int(p.End().Offset()) - int(p.Pos().Offset())) / bytesInStep
		}
		if count, size = count*n, size*n+count*more; count > maxWords || size > braceSize {
			break
		}
	}
	return count, size
}

func choices(b *syntax.BraceExp) (count, size int) {
	if b.Sequence {
		n := length(b.Elems)
		return n, n * (2 + (len(b.Elems[0].Lit())+len(b.Elems[1].Lit()))/bytesInStep)
	}
	for _, elem := range b.Elems {
		n, more := expansion(elem.Parts)
		if count, size = count+n, size+more; count > maxWords || size > braceSize {
			break
		}
	}
	return count, size
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

func expandBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	words := [][]syntax.WordPart{nil}
	for _, part := range parts {
		choices := [][]syntax.WordPart{{part}}
		if b, ok := part.(*syntax.BraceExp); ok {
			choices = braceChoices(b)
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
		all = append(all, expandBraces(elem.Parts)...)
	}
	return all
}

// A series is what {a..b} or {1..9..2} stands for.
type series struct {
	from, to, step int
	letters        bool
}

func seriesOf(elems []*syntax.Word) (s series, ok bool) {
	from, to := elems[0].Lit(), elems[1].Lit()
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	s = series{from: a, to: b, step: 1, letters: errA != nil || errB != nil}
	if s.letters {
		s.from, s.to = int(from[0]), int(to[0])
	}
	if len(elems) > 2 {
		var err error
		if s.step, err = strconv.Atoi(elems[2].Lit()); err != nil {
			return s, false
		}
	}
	s.step = max(s.step, -s.step, 1)
	return s, abs(s.to-s.from) >= 0
}

// length returns how many texts a series has, or more than there may be.
func length(elems []*syntax.Word) int {
	s, ok := seriesOf(elems)
	if !ok || abs(s.to-s.from)/s.step >= maxWords {
		return maxWords + 1
	}
	return abs(s.to-s.from)/s.step + 1
}

// sequence returns the texts of a series.
func sequence(elems []*syntax.Word) []string {
	from, to := elems[0].Lit(), elems[1].Lit()
	s, _ := seriesOf(elems)
	width := 0
	if !s.letters && (padded(from) || padded(to)) {
		width = max(len(from), len(to))
	}
	var all []string
	for i := 0; i <= abs(s.to-s.from); i += s.step {
		n := s.from + i
		if s.to < s.from {
			n = s.from - i
		}
		switch {
		case s.letters:
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
