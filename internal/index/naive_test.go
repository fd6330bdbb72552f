package index

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

var decisions = flag.Int("index.decisions", 20_000, "how many decisions TestIndexEqualsNaive compares")

// given is a rule as it is added.
type given struct {
	tools    []string
	allow    bool
	patterns Patterns
}

// naive answers as First does, by asking one rule after the other.
func naive(rules []given, tool string, s *subject.Subject) (decides, doubted int) {
	doubted = -1
	name := []text.Reading{{Text: text.Of(tool), Form: text.Whole}}
	for i, r := range rules {
		if !subject.Names(r.tools).Must(name) {
			continue
		}
		must, may := r.match(s)
		if must {
			return i, doubted
		}
		if doubted < 0 && !r.allow && may {
			doubted = i
		}
	}
	return -1, doubted
}

func (r given) match(s *subject.Subject) (must, may bool) {
	p := r.patterns[s.Kind]
	if len(p) == 0 {
		return false, !r.allow
	}
	if s.Free && !r.allow {
		p = slices.DeleteFunc(slices.Clone(p), func(a glob.Alternative) bool {
			return a.Forms == text.Every && a.Glob.Everything()
		})
	}
	return p.Must(s.Narrow) || !r.allow && p.Must(s.Wide), p.May(s.Narrow) || !r.allow && p.May(s.Wide)
}

// random makes rules and subjects of few letters, so that they meet.
type random struct{ *rand.Rand }

func (r random) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r random) chance(percent int) bool { return r.IntN(100) < percent }

func (r random) word(n int) string {
	var b strings.Builder
	for range r.IntN(n + 1) {
		b.WriteString(r.pick("a", "b", "ab", "/", " ", ".env", "git ", "é", "A", "secret", "\ufffd"))
	}
	return b.String()
}

func (r random) pattern() string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		b.WriteString(r.pick("", "", "*", "*", "?", "[ab]", "[!a]", "**/") + glob.Quote(r.word(4)))
	}
	return b.String() + r.pick("", "", "*", " *", "/*", "*.env")
}

func (r random) glob() glob.Alternative {
	o := glob.Options{
		Tail: r.pick("", " ", "/"), Stars: r.chance(50), Below: r.chance(10), Loose: r.chance(30), Fold: r.chance(20),
	}
	p := r.pattern()
	if r.chance(10) {
		o.Walled = r.IntN(len(p) + 1)
	}
	return glob.Alternative{Glob: glob.Compile(p, o), Forms: r.forms()}
}

func (r random) forms() text.Form {
	if r.chance(80) {
		return text.Whole
	}
	return text.Form(1 + r.IntN(int(text.Every)))
}

// size returns how many rules there are at most: more than a few now and then.
func (r random) size() int {
	if r.chance(5) {
		return 2000
	}
	return 150
}

func (r random) rules(n int) (*Rules, []given) {
	var b Builder
	var all []given
	for range n {
		var patterns Patterns
		for range 1 + r.IntN(3) {
			k := subject.Kind(r.IntN(4))
			if r.chance(5) {
				patterns[k] = glob.Pattern{{Glob: glob.Compile("*", glob.Options{}), Forms: text.Every}}
				continue
			}
			for range 1 + r.IntN(2) {
				patterns[k] = append(patterns[k], r.glob())
			}
		}
		var tools []string
		for range 1 + r.IntN(2) {
			tools = append(tools, r.pick("bash", "bash", "read", "write", "*", "b*", "[rw]*", "x?"))
		}
		all = append(all, given{tools, r.chance(60), patterns})
		b.Add(tools, all[len(all)-1].allow, &patterns)
	}
	return b.Rules(), all
}

func (r random) text(holes bool) text.Text {
	var b text.Builder
	for range 1 + r.IntN(3) {
		b.WriteString(r.word(5))
		if holes && r.chance(40) {
			b.WriteHole(text.Hole(1 + r.IntN(int(text.Number))))
		}
	}
	if r.chance(2) {
		b.WriteString("\xff\xc3")
	}
	return b.Text()
}

func (r random) subject() *subject.Subject {
	s := &subject.Subject{Kind: subject.Kind(r.IntN(4)), Free: r.chance(20)}
	holes := r.chance(30)
	readings := func() (rs []text.Reading) {
		for range r.IntN(3) {
			rs = append(rs, text.Reading{Text: r.text(holes), Form: text.Whole})
			if r.chance(10) {
				rs[len(rs)-1].Form = r.forms()
			}
		}
		return rs
	}
	s.Narrow, s.Wide = readings(), readings()
	return s
}

// The index finds what looking at one rule after the other does.
func TestIndexEqualsNaive(t *testing.T) {
	const each = 200
	found := map[string]int{}
	for seed := range uint64(*decisions / each) {
		r := random{rand.New(rand.NewPCG(seed, 1))}
		rs, all := r.rules(1 + r.IntN(r.size()))
		for range each {
			tool, s := r.pick("bash", "read", "write", "other", "b", "xy", "w"), r.subject()
			decides, doubted := rs.For(tool).First(s)
			wantDecides, wantDoubted := naive(all, tool, s)
			require.Equal(t, [2]int{wantDecides, wantDoubted}, [2]int{decides, doubted},
				"seed %d: %s of kind %v: narrow %v, wide %v", seed, tool, s.Kind, s.Narrow, s.Wide)
			found[fmt.Sprint(decides >= 0, doubted >= 0)]++
		}
	}
	t.Log(found)
	require.Len(t, found, 4, "each of the outcomes is seen")
}
