package glob

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobwas/glob"

	"github.com/insomnia-run/permission/internal/text"
)

// Of few characters a fuzzer soon meets the interesting combinations.
const (
	patternAlphabet = `ab/. *?[]{},!-\^1é`
	textAlphabet    = `ab/. *[]{}-\1éUAWND`
	maxFuzzed       = 40 // characters; more only cost time
)

var (
	knownAlphabet = textAlphabet[:strings.Index(textAlphabet, "U")]
	characters    = strings.NewReplacer("*", "", "?", "", `\`, "", "[", "", "]", "")
	unknown       = strings.NewReplacer("U", "日", "W", "日", "N", "日", "D", "日")
)

// confine maps the characters of s that alphabet does not have to ones that it
// has.
func confine(s, alphabet string) string {
	set := []rune(alphabet)
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > maxFuzzed {
			return -1
		}
		if strings.ContainsRune(alphabet, r) {
			return r
		}
		return set[int(r)%len(set)]
	}, s)
}

// fuzzedOptions makes every combination of options reachable.
func fuzzedOptions(n uint8) Options {
	return Options{
		Tail:   []string{"", " ", "/", " "}[n&3],
		Stars:  n&4 != 0,
		Below:  n&8 != 0,
		Loose:  n&16 != 0,
		Fold:   n&32 != 0,
		Walled: 4 * int(n>>6),
	}
}

// unfuzzed is near the inverse of fuzzedOptions, for seeds.
func unfuzzed(o Options) (n uint8) {
	if o.Tail != "" {
		n = uint8(1 + strings.Index(" /", o.Tail))
	}
	for i, set := range []bool{o.Stars, o.Below, o.Loose, o.Fold} {
		if set {
			n |= 4 << i
		}
	}
	return n | uint8(min(3, (o.Walled+3)/4))<<6
}

// seed gives every pattern and text of the tables to add.
func seed(add func(pattern, s string, n uint8)) {
	for _, tt := range expansions {
		add(tt.pattern, tt.pattern, 0)
	}
	for _, tt := range refusals {
		add(tt.pattern, tt.pattern, 0)
	}
	for _, tt := range matchings {
		for _, s := range append(tt.match, tt.not...) {
			add(tt.pattern, s, unfuzzed(tt.Options))
		}
	}
	for _, tt := range holes {
		for _, s := range append(append(tt.must, tt.may...), tt.not...) {
			add(tt.pattern, s, unfuzzed(tt.Options))
		}
	}
}

// FuzzGobwas compares what patterns are accepted, and without braces what they
// match, with gobwas/glob.
func FuzzGobwas(f *testing.F) {
	seed(func(pattern, s string, _ uint8) { f.Add(pattern, s) })
	f.Fuzz(func(t *testing.T, pattern, s string) {
		checkSyntax(t, pattern[:min(len(pattern), 4*maxFuzzed)])
		checkGobwas(t, confine(pattern, patternAlphabet), confine(s, textAlphabet))
	})
}

func checkSyntax(t *testing.T, pattern string) {
	alts, err := Expand(pattern)
	if e, ok := err.(*SyntaxError); ok && (e.Offset < 0 || e.Offset > len(pattern)) {
		t.Fatalf("%q: offset %d", pattern, e.Offset)
	}
	for _, alt := range alts {
		if got := strings.Join(Split(alt, '/'), "/"); got != alt {
			t.Fatalf("%q: split and joined: %q", alt, got)
		}
		s, ok := Literal(alt)
		if g := Compile(alt, Options{}); ok && (!g.Must(text.Of(s)) || g.May(text.Of(s+"x"))) {
			t.Fatalf("%q is not the literal %q", alt, s)
		}
		if got, err := Expand(alt); len(alt) <= MaxPattern && (err != nil || len(got) != 1 || got[0] != alt) {
			t.Fatalf("%q: expanded again: %q, %v", alt, got, err)
		}
	}
	if utf8.ValidString(pattern) && !strings.Contains(pattern, "\x00") {
		if s, ok := Literal(Quote(pattern)); !ok || s != pattern {
			t.Fatalf("%q: quoted and read back: %q", pattern, s)
		}
	}
}

func checkGobwas(t *testing.T, pattern, s string) {
	alts, err := Expand(pattern)
	g, gobwasErr := glob.Compile(pattern)
	switch {
	case err == nil && gobwasErr == nil:
	case err == nil:
		t.Fatalf("%q: accepted, but gobwas: %v", pattern, gobwasErr)
	case strings.Contains(err.Error(), "alternative \""):
		t.Fatalf("%q: %v: must be found where it stands", pattern, err)
	case gobwasErr != nil, strings.Contains(err.Error(), `"[^"`), strings.Contains(err.Error(), "more than 64"):
		return
	default:
		t.Fatalf("%q: %v, but gobwas accepts it", pattern, err)
	}
	if strings.ContainsAny(pattern, "{}") {
		return
	}
	want := g.Match(s)
	ours := Compile(alts[0], Options{})
	if got := ours.Must(text.Of(s)); got != want {
		t.Fatalf("must: %q %q: %v, but gobwas %v", pattern, s, got, want)
	}
	if got := ours.May(text.Of(s)); got != want {
		t.Fatalf("may: %q %q: %v, but gobwas %v", pattern, s, got, want)
	}
}

// FuzzRegexp compares matching under all options, without holes, with regular
// expressions.
func FuzzRegexp(f *testing.F) {
	seed(func(pattern, s string, n uint8) { f.Add(pattern, s, n) })
	f.Fuzz(func(t *testing.T, pattern, s string, n uint8) {
		checkRegexp(t, confine(pattern, patternAlphabet), fuzzedOptions(n), confine(s, textAlphabet))
	})
}

func checkRegexp(t *testing.T, pattern string, o Options, texts ...string) {
	alts, err := Expand(pattern)
	if err != nil {
		return
	}
	var globs []*Glob
	for _, alt := range alts {
		globs = append(globs, Compile(alt, o))
	}
	re := meaning(pattern, o)
	for _, s := range texts {
		if got, want := must(globs, text.Of(s)), re.MatchString(s); got != want {
			t.Fatalf("%q %+v %q: %v, but %v says %v", pattern, o, s, got, re, want)
		}
	}
}

// FuzzHoles tries values for the holes of a text: a pattern that must match
// has to match them all, one that matches for some may match.
func FuzzHoles(f *testing.F) {
	seed(func(pattern, s string, n uint8) { f.Add(pattern, s, n, uint64(n)) })
	f.Fuzz(func(t *testing.T, pattern, s string, n uint8, random uint64) {
		f := filler{rand.New(rand.NewPCG(random, 0)), confine(pattern, patternAlphabet), false}
		checkHoles(t, f, fuzzedOptions(n), confine(s, textAlphabet))
	})
}

func checkHoles(t *testing.T, f filler, o Options, s string) {
	alts, err := Expand(f.pattern)
	if err != nil {
		return
	}
	tx := holed(s)
	for _, alt := range alts {
		g := Compile(alt, o)
		must, may := g.Must(tx), g.May(tx)
		if must && !may {
			t.Fatalf("%q %+v %q: must but may not", alt, o, s)
		}
		for range 6 {
			f.wide = false
			filled := f.fill(s)
			if got := g.Matches(filled); got && !may || must && !got {
				t.Fatalf("%q %+v %q: must %v, may %v, but %q: %v", alt, o, s, must, may, filled, got)
			}
			f.wide = true
			if filled = f.fill(s); must && !g.Matches(filled) {
				t.Fatalf("%q %+v %q: must, but not %q", alt, o, s, filled)
			}
		}
		checkComplete(t, g, alt, o, s, must)
	}
}

// checkComplete holds Must to all that it can promise: only stars match a
// character that the pattern does not have, and a star that matches it matches
// whatever may stand in its place.
func checkComplete(t *testing.T, g *Glob, alt string, o Options, s string, must bool) {
	args := strings.Count(s, "A")
	if strings.ContainsAny(alt, "?[") || o.Walled > 0 || 1<<args > maxVariants {
		return
	}
	all := true
	for vanished := range uint(1) << args {
		filled := s
		for i := range args {
			value := " 日"
			if vanished>>i&1 != 0 {
				value = ""
			}
			filled = strings.Replace(filled, "A", value, 1)
		}
		all = all && g.Matches(unknown.Replace(filled))
	}
	if must != all {
		t.Fatalf("%q %+v %q: must %v, but with unknown characters %v", alt, o, s, must, all)
	}
}

// A filler makes values for holes, such that a pattern can use some of them.
type filler struct {
	*rand.Rand
	pattern string
	// Only a star promises a match, and a star takes more than a hole holds.
	wide bool
}

func (f *filler) fill(s string) string {
	var b strings.Builder
	before := '/'
	bare := false // where a name starts, of which nothing has been written yet
	for _, r := range s {
		h := marks[r]
		v := string(r)
		if h != 0 {
			v = f.value(h, before)
		}
		switch {
		case h == text.Name:
			bare = v == "" && (bare || before == '/' || before == ' ')
		case r == '.' && bare:
			b.WriteString("日")
			fallthrough
		default:
			bare = false
		}
		b.WriteString(v)
		if !bare { // or the next one is still at the start
			before = r
		}
	}
	return b.String()
}

func (f *filler) value(h text.Hole, before rune) string {
	v := f.characters()
	switch h {
	case text.Args:
		if f.IntN(3) == 0 {
			return ""
		}
		return " " + v
	case text.Word:
		if !f.wide {
			v = strings.ReplaceAll(v, " ", "")
		}
	case text.Name:
		v = strings.ReplaceAll(v, "/", "")
		if !f.wide {
			v = strings.ReplaceAll(v, " ", "")
		}
		if !f.wide && (before == '/' || before == ' ') {
			v = strings.TrimLeft(v, ".")
		}
	case text.Digits, text.Number:
		v = strings.Map(func(r rune) rune {
			if r == '1' || r == '-' && h == text.Number {
				return r
			}
			return '0' + r%10
		}, v)
	}
	return v
}

// characters returns nothing, a piece of the pattern, or anything.
func (f *filler) characters() string {
	switch f.IntN(4) {
	case 0:
		return ""
	case 1:
		return "日"
	case 2:
		return f.any(knownAlphabet, 4)
	}
	plain := characters.Replace(f.pattern)
	from := f.IntN(len(plain) + 1)
	to := from + f.IntN(min(len(plain)-from, 3)+1)
	return strings.ToValidUTF8(plain[from:to], "")
}

// any returns up to n characters of alphabet.
func (f *filler) any(alphabet string, n int) string {
	set := []rune(alphabet)
	var b strings.Builder
	for range f.IntN(n + 1) {
		b.WriteRune(set[f.IntN(len(set))])
	}
	return b.String()
}

// pieces make patterns that are accepted and come near each other's texts.
var pieces = []string{
	"a", "b", "1", ".", "é", " ", "/", "*", "*", "**", "**/", "/*", " *", "?", `\*`, `\/`, `\[`,
	"[ab]", "[!a]", "[.-1]", "[!.-1]", "[ /]", "[a*]", "[**/b]", `[\]a]`, "{a,b}", "{*,/b}", "{a,}", "{}", "{**/,a*{b,1}}",
}

// sample returns a pattern, and texts that it may match.
func (f *filler) sample(alphabet string, texts int) (pattern string, samples []string) {
	var chosen []string
	for range f.IntN(8) {
		chosen = append(chosen, pieces[f.IntN(len(pieces))])
	}
	pattern = strings.Join(chosen, "")
	for range texts {
		var b strings.Builder
		for _, p := range chosen {
			if utf8.RuneCountInString(p) == 1 && p != "*" && p != "?" && f.IntN(5) > 0 {
				b.WriteString(p)
			} else {
				b.WriteString(f.any(alphabet, 2))
			}
		}
		samples = append(samples, b.String())
	}
	return pattern, samples
}

// TestRandom runs the checks of the fuzzers on many cases of its own.
func TestRandom(t *testing.T) {
	const patterns, each = 7_000, 8
	f := filler{Rand: rand.New(rand.NewPCG(1, 2))}
	t.Run("gobwas", func(t *testing.T) {
		for range patterns {
			pattern, texts := f.sample(knownAlphabet, each)
			checkSyntax(t, pattern)
			for _, s := range texts {
				checkGobwas(t, pattern, s)
			}
		}
	})
	t.Run("regexp", func(t *testing.T) {
		for range patterns {
			pattern, texts := f.sample(knownAlphabet, each)
			checkRegexp(t, pattern, fuzzedOptions(uint8(f.Uint32())), texts...)
		}
	})
	t.Run("holes", func(t *testing.T) {
		for range patterns {
			pattern, texts := f.sample(knownAlphabet+strings.Repeat("UAWND", 10), each)
			f := filler{f.Rand, pattern, false}
			o := fuzzedOptions(uint8(f.Uint32()))
			for _, s := range texts {
				checkHoles(t, f, o, s)
			}
		}
	})
}
