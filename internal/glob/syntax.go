package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
)

// The limits of one pattern.
const (
	MaxPattern      = 4096 // bytes
	MaxAlternatives = 64   // after the braces are expanded
)

// special are the characters that can make a pattern have alternatives or be
// refused: stars and plain characters are always well formed.
const special = `[]{}\`

// A SyntaxError says what is wrong with a pattern, and where.
type SyntaxError struct {
	Offset int // in bytes from the start of the pattern
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("at offset %d: %s", e.Offset, e.Reason)
}

// Expand returns the alternatives of a pattern: every way to choose one from
// each {a,b}. Braces without a comma are plain characters and come out
// escaped. Each alternative is a pattern without braces that gobwas/glob
// accepts.
func Expand(pattern string) ([]string, error) {
	if len(pattern) > MaxPattern {
		return nil, &SyntaxError{MaxPattern, fmt.Sprintf("longer than %d bytes", MaxPattern)}
	}
	if at := strings.IndexByte(pattern, 0); at >= 0 {
		return nil, &SyntaxError{at, "a NUL character, which nothing can match"}
	}
	if at := invalid(pattern); at >= 0 {
		return nil, &SyntaxError{at, "not UTF-8"}
	}
	if !strings.ContainsAny(pattern, special) {
		return []string{pattern}, nil
	}
	p := &parser{src: pattern}
	alts, err := p.sequence(0)
	if err != nil {
		return nil, err
	}
	for _, alt := range alts {
		if !strings.ContainsAny(alt, special) {
			continue
		}
		if _, err := glob.Compile(alt); err != nil {
			return nil, &SyntaxError{0, fmt.Sprintf("alternative %q: %v", alt, err)}
		}
	}
	return alts, nil
}

// invalid returns where s is not UTF-8, or -1.
func invalid(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// Plain returns pattern with its braces as plain characters.
func Plain(pattern string) string {
	if !strings.ContainsAny(pattern, "{}") {
		return pattern
	}
	var b strings.Builder
	for i := 0; i < len(pattern); {
		n := unit(pattern[i:])
		if pattern[i] == '{' || pattern[i] == '}' {
			b.WriteByte('\\')
		}
		b.WriteString(pattern[i : i+n])
		i += n
	}
	return b.String()
}

// Quote returns a pattern that matches s alone.
func Quote(s string) string { return glob.QuoteMeta(s) }

// Split cuts an alternative at each plain sep that is neither escaped nor in
// a class.
func Split(alt string, sep byte) []string {
	var parts []string
	start := 0
	for i := 0; i < len(alt); {
		n := unit(alt[i:])
		if alt[i] == sep {
			parts = append(parts, alt[start:i])
			start = i + 1
		}
		i += n
	}
	return append(parts, alt[start:])
}

// Literal returns the only text that an alternative matches, if it has no
// wildcard.
func Literal(alt string) (s string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(alt); {
		n := unit(alt[i:])
		switch alt[i] {
		case '*', '?', '[':
			return "", false
		case '\\':
			b.WriteString(alt[i+1 : i+n])
		default:
			b.WriteString(alt[i : i+n])
		}
		i += n
	}
	return b.String(), true
}

// unit returns the length of the piece that s starts with: a class, an escaped
// character, or one character.
func unit(s string) int {
	switch s[0] {
	case '\\':
		_, size := utf8.DecodeRuneInString(s[1:])
		return 1 + size
	case '[':
		if c, err := readClass(s); err == nil {
			return c.size
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return size
}

// parser expands the braces of src, which it reads once from the left.
type parser struct {
	src string
	pos int
}

// sequence reads up to the end of the source or, below the top, to the comma
// or brace that ends it, and returns its alternatives.
func (p *parser) sequence(depth int) ([]string, error) {
	alts := []string{""}
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if depth > 0 && (c == ',' || c == '}') {
			break
		}
		var next []string
		var err error
		at := p.pos
		if c == '{' {
			next, err = p.group(depth)
		} else {
			var s string
			s, err = p.run(depth)
			next = []string{s}
		}
		if err != nil {
			return nil, err
		}
		if len(alts)*len(next) > MaxAlternatives {
			return nil, tooMany(at)
		}
		alts = product(alts, next)
	}
	return alts, nil
}

// group reads a pair of braces and what is in them.
func (p *parser) group(depth int) ([]string, error) {
	open := p.pos
	if depth >= MaxAlternatives {
		return nil, &SyntaxError{open, fmt.Sprintf("braces nested deeper than %d", MaxAlternatives)}
	}
	p.pos++
	var all []string
	for commas := 0; ; commas++ {
		alts, err := p.sequence(depth + 1)
		if err != nil {
			return nil, err
		}
		if all = append(all, alts...); len(all) > MaxAlternatives {
			return nil, tooMany(open)
		}
		if p.pos == len(p.src) {
			return nil, &SyntaxError{open, `"{" is never closed: write "\{" for the character`}
		}
		p.pos++
		if p.src[p.pos-1] == ',' {
			continue
		}
		if commas == 0 {
			for i := range all {
				all[i] = `\{` + all[i] + `\}`
			}
		}
		return all, nil
	}
}

// run reads everything up to the next brace or, below the top, comma.
func (p *parser) run(depth int) (string, error) {
	var b strings.Builder
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '{' || depth > 0 && (c == ',' || c == '}') {
			break
		}
		if c == '}' {
			b.WriteByte('\\')
		}
		n, err := p.piece()
		if err != nil {
			return "", err
		}
		b.WriteString(p.src[p.pos : p.pos+n])
		p.pos += n
	}
	return b.String(), nil
}

// piece returns the length of the class, escaped character, or character that
// comes next.
func (p *parser) piece() (int, error) {
	rest := p.src[p.pos:]
	switch {
	case rest == `\`:
		return 0, &SyntaxError{p.pos, `"\" at the end: write "\\" for the character`}
	case rest[0] == '[':
		if c, err := readClass(rest); err != nil {
			return 0, &SyntaxError{p.pos + c.size, err.Error()}
		}
	}
	return unit(rest), nil
}

// product returns every pairing of a left with a right part.
func product(left, right []string) []string {
	out := make([]string, 0, len(left)*len(right))
	for _, l := range left {
		for _, r := range right {
			out = append(out, l+r)
		}
	}
	return out
}

func tooMany(at int) error {
	return &SyntaxError{at, fmt.Sprintf("more than %d alternatives: write several rules", MaxAlternatives)}
}

// OtherCase returns that of the alternatives of patterns which differs from name
// in nothing but case, or nothing where one is name itself.
func OtherCase(patterns []string, name string) string {
	other := ""
	for _, pattern := range patterns {
		alts, err := Expand(pattern)
		if err != nil {
			continue
		}
		for _, alt := range alts {
			switch {
			case alt == name:
				return ""
			case other == "" && strings.EqualFold(alt, name):
				other = alt
			}
		}
	}
	return other
}
