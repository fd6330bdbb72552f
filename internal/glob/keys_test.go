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
		{"git status", Options{}, []Key{{Whole, 0, true, "git status"}}},
		{"git push *", Options{}, []Key{{Start, 0, true, "git push "}}},
		{"git push *", Options{Tail: " "}, []Key{{Stem, ' ', true, "git push"}}},
		{"src/*", Options{Tail: "/"}, []Key{{Stem, '/', true, "src"}}},
		{"src/", Options{Below: true}, []Key{{Stem, '/', true, "src/"}}},
		{"[ab]c *", Options{Tail: " "}, []Key{{Stem, ' ', true, "ac"}, {Stem, ' ', true, "bc"}}},
		{"*git *", Options{Tail: " "}, []Key{{Inside, 0, true, "git "}, {End, 0, true, "git"}}},
		{"*.env", Options{}, []Key{{End, 0, true, ".env"}}},
		{"**/.env", Options{Stars: true}, []Key{{End, 0, true, "/.env"}, {Whole, 0, true, ".env"}}},
		{"*secret*", Options{}, []Key{{Inside, 0, true, "secret"}}},
		{"*", Options{}, []Key{{Start, 0, true, ""}}},
		{"*", Options{Walled: 1}, []Key{{Start, 0, false, ""}}},
		{"", Options{}, []Key{{Whole, 0, true, ""}}},
		{"a*b", Options{}, []Key{{Start, 0, false, "a"}}},
		{"a*bcdef", Options{}, []Key{{End, 0, false, "bcdef"}}},
		{"?secret[!ab]", Options{}, []Key{{Inside, 0, false, "secret"}}},
		{"?secret[ab]", Options{}, []Key{{End, 0, false, "secreta"}, {End, 0, false, "secretb"}}},
		{"*.[ch]", Options{}, []Key{{End, 0, true, ".c"}, {End, 0, true, ".h"}}},
		{"[0-7]*", Options{}, []Key{
			{Start, 0, true, "0"}, {Start, 0, true, "1"}, {Start, 0, true, "2"}, {Start, 0, true, "3"},
			{Start, 0, true, "4"}, {Start, 0, true, "5"}, {Start, 0, true, "6"}, {Start, 0, true, "7"},
		}},
		{"[0-8]*", Options{}, []Key{{Start, 0, false, ""}}},
		{"[ab]*", Options{Fold: true}, []Key{{Start, 0, false, ""}}},
		{"[/a]*", Options{Walled: 1}, []Key{{Start, 0, false, ""}}},
		{"a[bc][bc][bc][bc]", Options{}, []Key{{Start, 0, false, "a"}}}, // too many to have a key each
		{"??", Options{}, []Key{{Start, 0, false, ""}}},
		{"a[bc]", Options{Loose: true}, []Key{{Whole, 0, true, "ab"}, {Whole, 0, true, "ac"}, {Whole, 0, true, "a[bc]"}}},
		{"Git *", Options{Fold: true}, []Key{{Start, 0, true, "GIT "}}},
		{"a\ufffd*", Options{}, []Key{{Start, 0, false, "a"}}},
		{strings.Repeat("**/", 8), Options{Stars: true}, []Key{{Start, 0, false, ""}}},
	} {
		assert.Equal(t, c.want, Compile(c.pattern, c.o).AppendKeys(nil), "%q %+v", c.pattern, c.o)
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
	case Stem:
		return s == k.Text || strings.HasPrefix(s, k.Text+string(rune(k.Tail)))
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
			for _, k := range g.AppendKeys(nil) {
				any = any || k.has(key)
				require.False(t, k.Sure && k.has(key) && !matches, "%q has the sure key %+v of %q %+v", s, k, alt, o)
			}
			require.False(t, matches && !any, "%q has no key of %q %+v: %+v", s, alt, o, g.AppendKeys(nil))
			head, tail := g.Ends()
			require.False(t, matches && !(strings.HasPrefix(s, head) && strings.HasSuffix(s, tail)), "%q %q: %q %q", s, alt, head, tail)
		}
	})
}
