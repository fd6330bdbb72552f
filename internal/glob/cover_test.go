package glob

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

var coverings = []struct {
	a, b    string
	options Options
	covered bool
}{
	{"*", "a*b", Options{}, true},
	{"a*", "a*b", Options{}, true},
	{"a*b", "a*", Options{}, false},
	{"a*", "a?c", Options{}, true},
	{"a?c", "a*c", Options{}, false},
	{"*a*", "*a*b*", Options{}, true},
	{"*b*a*", "*a*b*", Options{}, false},
	{"[abc]", "[ab]", Options{}, true},
	{"[ab]", "[abc]", Options{}, false},
	{"[!a]", "[bc]", Options{}, true},
	{"[!a]", "?", Options{}, false},
	{"[a-z]x", "[e-g]x", Options{}, true},
	{"{[a-m],[n-z]}x", "[a-z]x", Options{}, true},
	{"{[a-m],[o-z]}x", "[a-z]x", Options{}, false},
	{"{a,[!a]}", "?", Options{}, true},
	{"{a*,[!a]*}", "?*", Options{}, false}, // "$@"a
	{"{a?,[!a]?}", "??", Options{}, true},
	{"{a*,[!a]*}", "*", Options{}, false}, // the empty text
	// A text of which nothing is known is matched by the one star alone.
	{"{a*,[!a]*,}", "*", Options{}, false},
	{"git *", "git push *", Options{Tail: " "}, true},
	{"git push *", "git push", Options{Tail: " "}, true},
	{"git push *", "git push *", Options{Tail: " "}, true},
	{"git push", "git push *", Options{Tail: " "}, false},
	{"git push *", "git pus*", Options{Tail: " "}, false},
	{"{git push,git push ?*}", "git push *", Options{Tail: " "}, false}, // git push $X
	{"{rm,rm[ ]*}", "rm *", Options{Tail: " "}, false},                  // rm "$@"
	{"**/.env", "web/.env", Options{Tail: "/", Stars: true}, true},
	{"**/.env", ".env", Options{Tail: "/", Stars: true}, true},
	{"web/**/.env", "web/a/.env", Options{Tail: "/", Stars: true}, true},
	{"**/.env", "a.env", Options{Tail: "/", Stars: true}, false},
	{"secrets/*", "secrets", Options{Tail: "/", Stars: true}, true},
	{"ABC*", "abcd", Options{Fold: true}, true},
	{"[a-c]", "B", Options{Fold: true}, true},
	{"*s", "*ſ", Options{Fold: true}, true}, // of which the capital is S
	{"x*/y", "xa/y", Options{Walled: 8}, true},
	{"x*/y", "xa/b/y", Options{Walled: 2}, false},
	{"", "", Options{}, true},
	{"", "a", Options{}, false},
}

func TestCovers(t *testing.T) {
	for _, tt := range coverings {
		as := compileAll(t, tt.a, tt.options)
		for _, b := range compileAll(t, tt.b, tt.options) {
			covered, known := Covers(as, b)
			assert.True(t, known, "%q, %q", tt.a, tt.b)
			assert.Equal(t, tt.covered, covered, "%q, %q", tt.a, tt.b)
		}
	}
	covered, known := Covers(nil, Compile("a", Options{}))
	assert.Equal(t, []bool{false, true}, []bool{covered, known})
}

func TestCoversGivesUp(t *testing.T) {
	wide := Compile("*"+strings.Repeat("[ab]?", 60)+"*", Options{})
	start := time.Now()
	covered, known := Covers([]*Glob{wide}, Compile("*"+strings.Repeat("a?", 60)+"*", Options{}))
	assert.Less(t, time.Since(start), 10*time.Second)
	assert.True(t, known || !covered)
	covered, known = Covers([]*Glob{Compile("[a-\U0010ffff]", Options{Fold: true})}, Compile("a", Options{Fold: true}))
	assert.False(t, covered)
	assert.False(t, known)
}

// FuzzCovers holds what Covers says to texts: one that b must match and none
// of as does refutes it.
func FuzzCovers(f *testing.F) {
	for _, tt := range coverings {
		f.Add(tt.a, tt.b, tt.b, unfuzzed(tt.options))
	}
	f.Fuzz(func(t *testing.T, a, b, s string, n uint8) {
		checkCovers(t, confine(a, patternAlphabet), confine(b, patternAlphabet), fuzzedOptions(n), confine(s, textAlphabet))
	})
}

func checkCovers(t *testing.T, a, b string, o Options, texts ...string) {
	alts, errA := Expand(a)
	others, errB := Expand(b)
	if errA != nil || errB != nil {
		return
	}
	var as []*Glob
	for _, alt := range alts {
		as = append(as, Compile(alt, o))
	}
	for _, other := range others {
		one := Compile(other, o)
		covered, known := Covers(as, one)
		for _, s := range texts {
			if tx := holed(s); covered && one.Must(tx) && !must(as, tx) {
				t.Fatalf("%q %+v: said to cover %q, but not %q", a, o, other, s)
			}
		}
		if itself, sure := Covers([]*Glob{one}, one); sure && !itself {
			t.Fatalf("%q %+v does not cover itself", other, o)
		}
		if covered && !known {
			t.Fatalf("%q %+v: covers %q, and it is not known", a, o, other)
		}
	}
}

// Pairs of patterns of which one is made from the other are often covered.
func TestRandomCovers(t *testing.T) {
	const pairs, each = 400, 12
	f := filler{Rand: rand.New(rand.NewPCG(3, 4))}
	for range pairs {
		b, texts := f.sample(knownAlphabet+strings.Repeat("UAWND", 4), each)
		a := b
		for range f.IntN(3) + 1 {
			from := f.IntN(len(a) + 1)
			to := min(len(a), from+f.IntN(3))
			a = strings.ToValidUTF8(a[:from]+[]string{"*", "?", "", "{a,b}", " *"}[f.IntN(5)]+a[to:], "")
		}
		o := fuzzedOptions(uint8(f.Uint32()))
		checkCovers(t, a, b, o, texts...)
		checkCovers(t, "{"+a+",*"+b+"}", b, o, texts...)
	}
}

func TestMeets(t *testing.T) {
	small := Language{ // small letters with one dash between them
		Next: func(state int, r rune) int {
			switch {
			case 'a' <= r && r <= 'z':
				return state
			case r == '-' && state == 0:
				return 1
			}
			return -1
		},
		Accepts: func(state int) bool { return state == 1 },
		Marks:   "az{-",
	}
	for pattern, want := range map[string]bool{
		"*": true, "a-b": true, "a*b": true, "a--b": false, "A*": false, "?": true, "??": true, "[!-]": false, "-": true, "": false,
	} {
		assert.Equal(t, want, Compile(pattern, Options{}).Meets(small), pattern)
	}
}

func TestBehind(t *testing.T) {
	g := Compile("**/.env", Options{Stars: true}).Behind("/srv/")
	for s, want := range map[string]bool{"/srv/.env": true, "/srv/a/.env": true, ".env": false, "/srv/a.env": false} {
		assert.Equal(t, want, g.Matches(s), s)
	}
}
