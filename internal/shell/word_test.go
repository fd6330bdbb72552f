package shell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"
)

// A literal word is what it becomes by all expansions.
func TestLiteralWords(t *testing.T) {
	m := listMaker{rand.New(rand.NewPCG(1, 0))}
	literals := 0
	for range 50_000 {
		line := "prog " + m.quoted() + m.pick("", "", m.quoted(), m.odd())
		f, _ := parse(nil, line, syntax.LangBash, func(string) {})
		if f == nil || len(f.Stmts) != 1 {
			continue
		}
		c, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok {
			continue
		}
		for _, w := range c.Args {
			s, ok := literal(w)
			if !ok {
				continue
			}
			literals++
			e := expander{home: "/home/u", doubt: func(why string) { t.Errorf("%q: %s", line, why) }}
			for _, assigned := range []bool{false, true} {
				b := builder{expander: &e, listed: assigned, assigned: assigned}
				f, ok := b.all(w.Parts)
				require.True(t, ok, "%q", line)
				require.Equal(t, known(s), f, "%q", line)
			}
			words, cost := e.braces(w)
			require.Len(t, words, 1, "%q", line)
			require.Zero(t, cost)
			require.False(t, strings.ContainsRune(s, carriage))
		}
	}
	require.Greater(t, literals, 20_000)
	for _, word := range []string{"a~", "~", "{a,b}", "a*", `"$x"`, `$'a'`, `"$(a)"`, "a[b]", `\a`, "a#é", "@(a)"} {
		f, err := syntax.NewParser().Parse(strings.NewReader("prog "+word), "")
		require.NoError(t, err)
		_, ok := literal(f.Stmts[0].Cmd.(*syntax.CallExpr).Args[1])
		assert.False(t, ok, word)
	}
}
