package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPieces(t *testing.T) {
	assert.Equal(t, []piece{{plain, "ab*"}, {star, ""}, {class, "[!a-c]"}, {one, ""}, {plain, "é"}}, pieces(`ab\**[!a-c]?é`))
	for pattern, want := range map[string]test{
		"ab": whole, "ab*": starts, "*ab": ends, "*ab*": contains, "a*b": other, "a?": other, "[ab]": other, "*": other,
	} {
		got, text := testOf(pieces(pattern))
		assert.Equal(t, want, got, pattern)
		if want != other {
			assert.Equal(t, "ab", text, pattern)
		}
	}
	_, err := unclassed(pieces("[!a]"))
	assert.Error(t, err)
	_, err = cedarCondition(pieces("a?*"))
	assert.Error(t, err)
}

func TestExpressionOf(t *testing.T) {
	for _, c := range []struct {
		pattern string
		allow   bool
		want    string
	}{
		{"a*?[!b].{c,d}", true, `(?s)\A(?:a.*.[^b]\.c|a.*.[^b]\.d)\z`},
		{"[ab]", false, `(?s)\A(?:(?:[ab]|\[ab\]))\z`},
		{"**/a**/**/b", false, `(?s)\A(?:(?:.*/)?a.*.*/(?:.*/)?b)\z`},
		{"**/a", true, `(?s)\A(?:.*.*/a)\z`},
	} {
		got, err := expressionOf(c.pattern, c.allow)
		require.NoError(t, err)
		assert.Equal(t, c.want, got.String(), c.pattern)
	}
}

// Every nasty pattern is accepted, and is one.
func TestNastyPatterns(t *testing.T) {
	for _, quick := range []bool{true, false} {
		for _, src := range nastyPatterns(quick, 1) {
			assert.Regexp(t, regexp.MustCompile(`[*?\[]`), src)
			_, err := piecesOf(src)
			assert.NoError(t, err, src)
		}
	}
}
