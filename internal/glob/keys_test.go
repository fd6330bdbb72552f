package glob

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		pattern string
		o       Options
		want    []Key
	}{
		{"git status", Options{}, []Key{{Whole, "git status", true}}},
		{"git push *", Options{}, []Key{{Start, "git push ", true}}},
		{"git push *", Options{Tail: " "}, []Key{{Start, "git push ", true}, {Whole, "git push", true}}},
		{"src/*", Options{Tail: "/"}, []Key{{Start, "src/", true}, {Whole, "src", true}}},
		{"*.env", Options{}, []Key{{End, ".env", true}}},
		{"**/.env", Options{Stars: true}, []Key{{End, "/.env", true}, {Whole, ".env", true}}},
		{"*secret*", Options{}, []Key{{Inside, "secret", true}}},
		{"*", Options{}, []Key{{Start, "", true}}},
		{"*", Options{Walled: 1}, []Key{{Start, "", false}}},
		{"", Options{}, []Key{{Whole, "", true}}},
		{"a*b", Options{}, []Key{{Start, "a", false}}},
		{"a*bcdef", Options{}, []Key{{End, "bcdef", false}}},
		{"?secret[ab]", Options{}, []Key{{Inside, "secret", false}}},
		{"??", Options{}, []Key{{Start, "", false}}},
		{"a[bc]", Options{Loose: true}, []Key{{Start, "a", false}, {Whole, "a[bc]", true}}},
		{"Git *", Options{Fold: true}, []Key{{Start, "GIT ", true}}},
		{"a\ufffd*", Options{}, []Key{{Start, "a", false}}},
		{strings.Repeat("**/", 8), Options{Stars: true}, []Key{{Start, "", false}}},
	} {
		assert.Equal(t, c.want, Compile(c.pattern, c.o).Keys(), "%q %+v", c.pattern, c.o)
	}
}

func TestEnds(t *testing.T) {
	for pattern, want := range map[string][2]string{
		"git push *": {"git push", ""}, "*.env": {"", ".env"}, "a*b": {"a", "b"}, "abc": {"abc", "abc"},
		"**/.env": {"", ".env"}, "x/**/y": {"x/", "y"}, "[ab]c": {"", "c"}, "*": {"", ""},
	} {
		head, tail := Compile(pattern, Options{Tail: " ", Stars: true}).Ends()
		assert.Equal(t, want, [2]string{head, tail}, pattern)
	}
	head, tail := Compile("abc", Options{Fold: true}).Ends()
	assert.Empty(t, head+tail, "case does not count")
}

// has reports whether s has the key in its place.
func (k Key) has(s string) bool {
	switch k.Place {
	case Whole:
		return s == k.Text
	case Start:
		return strings.HasPrefix(s, k.Text)
	case End:
		return strings.HasSuffix(s, k.Text)
	}
	return strings.Contains(s, k.Text)
}

// What a glob matches has one of its keys and its ends, and it matches what has
// a key that is sure.
func FuzzKeys(f *testing.F) {
	f.Add("**/a*[bc]?", "x/abbc", uint8(0b1011), uint8(1))
	f.Add("A *", "a", uint8(0b10001), uint8(0))
	f.Add("a\ufffd*", "a\xff", uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, pattern, s string, options, walled uint8) {
		alts, err := Expand(pattern)
		if err != nil || len(s) > 200 || len(pattern) > 200 {
			t.Skip()
		}
		o := Options{
			Stars: options&1 != 0, Below: options&2 != 0, Loose: options&4 != 0, Fold: options&8 != 0,
			Tail: []string{"", " ", "/"}[options>>4%3], Walled: int(walled),
		}
		for _, alt := range alts {
			g := Compile(alt, o)
			key := s
			if g.Folds() {
				key = Fold(s)
			}
			matches, any := g.Matches(s), false
			for _, k := range g.Keys() {
				any = any || k.has(key)
				require.False(t, k.Sure && k.has(key) && !matches, "%q has the sure key %+v of %q %+v", s, k, alt, o)
			}
			require.False(t, matches && !any, "%q has no key of %q %+v: %+v", s, alt, o, g.Keys())
			head, tail := g.Ends()
			require.False(t, matches && !(strings.HasPrefix(s, head) && strings.HasSuffix(s, tail)), "%q %q: %q %q", s, alt, head, tail)
		}
	})
}
