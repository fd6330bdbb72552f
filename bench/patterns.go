package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
)

// A nasty is a pattern with texts that are meant to make it slow.
type nasty struct {
	pattern    string
	allow      bool   // a refusal's brackets also stand for themselves, and its **/ for nothing
	unit       string // of which its texts are made
	rules      index.Walk
	expression *regexp.Regexp

	// At a first look.
	took   float64 // nanoseconds
	growth float64 // from a short text
	beside float64 // the expression, of whose time it takes so much
}

// The bytes of texts that patterns are measured with. Where patterns are looked
// at first, what is long is shorter.
const (
	shortText = 1 << 10
	firstText = 8 << 10
	longText  = 64 << 10
)

// patterns searches for the worst pattern, and returns how much its time grows
// with the text, and what it is beside a regular expression's. Those that are
// worst at a first look are measured: for the one figure those that grow most,
// for the other those that take longest, since nobody has to wait for the others.
func (b *bench) patterns() ([]figure, error) {
	growth := figure{name: "worst pattern, 64 KB ÷ 1 KB", must: 100, aim: 80}
	beside := figure{name: "worst pattern, 64 KB ÷ Go regexp", must: 2, aim: 0.3}
	reader, err := subject.NewReader(subject.Config{Root: "/", Home: "/", GOOS: "linux"})
	if err != nil {
		return nil, err
	}
	var all []*nasty
	for _, src := range nastyPatterns(b.quick, b.seed) {
		for _, allow := range []bool{true, false} {
			for _, unit := range []string{"a", "ab", "a/", "xé"} {
				n, err := newNasty(reader, src, unit, allow)
				if err == nil {
					err = n.look()
				}
				if err != nil {
					return nil, fmt.Errorf("%q: %w", src, err)
				}
				all = append(all, n)
			}
		}
	}
	b.logf("%d patterns and texts looked at", len(all))
	slices.SortFunc(all, func(a, b *nasty) int { return cmp.Compare(b.growth, a.growth) })
	b.finals(all, &growth, (*nasty).grow)
	slices.SortFunc(all, func(a, b *nasty) int { return cmp.Compare(b.took, a.took) })
	b.finals(all, &beside, (*nasty).compare)
	return []figure{growth, beside}, nil
}

// finals measures the first of what was looked at, and sets f to the largest.
func (b *bench) finals(sorted []*nasty, f *figure, measure func(n *nasty, rounds int) float64) {
	const most = 5 // rounds: some of this takes seconds
	for _, n := range sorted[:min(len(sorted), finalists)] {
		r, note := measure(n, min(b.rounds, most)), n.String()
		if n.endless() {
			note += fmt.Sprintf(", of no more than %d KB", firstText>>10)
		}
		b.logf("%26.2f %v", r, note)
		if r > f.measured {
			f.measured, f.note = r, note
		}
	}
}

// tooLong is how many nanoseconds are too many to measure something more often
// than once.
const tooLong = 5e9

// endless reports whether a long text would take too long, from how much more
// one an eighth of it takes than a short one.
func (n *nasty) endless() bool { return n.took*n.growth > tooLong }

func (n *nasty) String() string {
	action := "refusing"
	if n.allow {
		action = "allowing"
	}
	src := n.pattern
	if len(src) > 40 {
		src = fmt.Sprintf("%s… of %d bytes", src[:40], len(src))
	}
	return fmt.Sprintf("%s %q on %q", action, src, n.unit)
}

// newNasty compiles a pattern as that of a rule.
func newNasty(reader *subject.Reader, src, unit string, allow bool) (*nasty, error) {
	p, err := reader.Pattern(subject.Text, src, allow)
	if err != nil {
		return nil, err
	}
	var b index.Builder
	b.Add([]string{"bash"}, allow, &index.Patterns{subject.Text: p})
	n := &nasty{pattern: src, allow: allow, unit: unit, rules: b.Rules().For("bash")}
	n.expression, err = expressionOf(src, allow)
	return n, err
}

// text returns a text for n.
func (n *nasty) text(size int) subject.Subject {
	return textOf(strings.Repeat(n.unit, size/len(n.unit)))
}

// look measures n as quickly as can be, to see whether it is worth more. It
// fails if the expression does not match what the pattern does.
func (n *nasty) look() error {
	var d int
	var matches bool
	short, long := n.text(shortText), n.text(firstText)
	t := fastest(2, func() { n.rules.First(&short) })
	ours := fastest(2, func() { d, _ = n.rules.First(&long) })
	other := fastest(1, func() { matches = n.expression.MatchString(long.Text) })
	n.took, n.growth, n.beside = ours, ours/t, ours/other
	if matches != (d == 0) {
		return fmt.Errorf("%v: matches: %v, and as %v: %v", n, d == 0, n.expression, matches)
	}
	return nil
}

// grow measures how the time of n grows from a short text to a long one, or
// says what it grows by at least.
func (n *nasty) grow(rounds int) float64 {
	if n.endless() {
		return n.growth * longText / firstText
	}
	short, long := n.text(shortText), n.text(longText)
	return side(rounds, func() { n.rules.First(&long) }, func() { n.rules.First(&short) })
}

// compare measures n beside its expression, on a long text if there is an end
// to that.
func (n *nasty) compare(rounds int) float64 {
	if n.endless() {
		return n.beside
	}
	long := n.text(longText)
	return side(rounds, func() { n.rules.First(&long) }, func() { n.expression.MatchString(long.Text) })
}

// nastyPatterns returns patterns that are meant to be slow, and some by chance.
func nastyPatterns(quick bool, seed uint64) []string {
	repeats, chance := []int{3, 20, 60}, 60
	if quick {
		repeats, chance = []int{3, 60}, 15
	}
	var all []string
	for _, n := range repeats {
		for _, p := range []string{"*a", "a*b*c*", "*a?", "?", "*?", "[ab]", "*[ab]", "[!c]?", "*[ab]?[!c]", "**/", "a"} {
			many := strings.Repeat(p, n)
			all = append(all, many+"[c]", "*"+many+"c", "*"+many+"[c]*")
		}
	}
	if !quick {
		all = append(all, "*"+strings.Repeat("?", 4000)+"c", "*"+strings.Repeat("[ab]", 1000)+"c", strings.Repeat("*a", 2000)+"c")
	}
	for _, p := range []string{"{a,b}", "*{a,b}", "{a,ab}*", "*{[ab]*,?}", "{a,?}[ab]"} {
		all = append(all, "*"+strings.Repeat(p, 6)+"[c]")
	}
	r := rand.New(rand.NewPCG(seed, 2))
	parts := []string{"*", "?", "a", "b", "ab", "[ab]", "[!c]", "{a,b}", "/", "**/", "*a", "*?", "é"}
	for range chance {
		var b strings.Builder
		for range 2 + r.IntN(40) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		if p := b.String(); strings.Count(p, "{") < 6 {
			all = append(all, p+"[c]")
		}
	}
	return all
}

// expressionOf returns a pattern for texts as the regular expression of one
// rule.
func expressionOf(src string, allow bool) (*regexp.Regexp, error) {
	alts, err := glob.Expand(src)
	if err != nil {
		return nil, err
	}
	if plain := glob.Plain(src); !allow && plain != src {
		alts = append(alts, plain)
	}
	for i, alt := range alts {
		alts[i] = ruleExpression(pieces(alt), allow)
	}
	return regexp.Compile(`(?s)\A(?:` + strings.Join(alts, "|") + `)\z`)
}

// ruleExpression returns an alternative of a rule as an expression. It is not
// for one that ends in a blank and a star, which mean more there.
func ruleExpression(ps []piece, allow bool) string {
	if allow {
		return expression(ps)
	}
	var b strings.Builder
	component := true // a name may start here
	for i := 0; i < len(ps); i++ {
		p := ps[i]
		if n := stars(ps[i:]); component && n > 1 && i+n < len(ps) && strings.HasPrefix(ps[i+n].text, "/") {
			b.WriteString("(?:.*/)?")
			i += n
			p = piece{plain, ps[i].text[1:]}
		}
		if p.kind == class {
			b.WriteString("(?:" + expression(ps[i:i+1]) + "|" + regexp.QuoteMeta(p.text) + ")")
		} else {
			b.WriteString(expression([]piece{p}))
		}
		component = p.kind == plain && (p.text == "" || strings.HasSuffix(p.text, "/"))
	}
	return b.String()
}

// stars returns how many stars ps start with.
func stars(ps []piece) int {
	n := slices.IndexFunc(ps, func(p piece) bool { return p.kind != star })
	if n < 0 {
		return len(ps)
	}
	return n
}
