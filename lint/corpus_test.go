package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
	"github.com/insomnia-run/permission/lint"
)

// What is said never to decide a call, or to say what another rule does, is
// left out of each policy of the corpus, and no answer changes.
func TestCorpus(t *testing.T) {
	looked, leftOut := 0, 0
	for _, name := range []string{"shell.jsonl", "calls.jsonl"} {
		file := filepath.Join("..", "testdata", name)
		f, err := os.Open(file)
		require.NoError(t, err)
		cases, err := casefile.Read(file, f, casefile.Env{})
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for _, c := range cases {
			if c.Call == nil || c.Call.Default == "" {
				continue
			}
			looked++
			leftOut += checkLeftOut(t, c)
		}
	}
	assert.Greater(t, looked, 300)
	t.Logf("%d policies, %d rules left out", looked, leftOut)
}

func checkLeftOut(t *testing.T, c casefile.Case) int {
	fallback, err := permission.ParseAction(c.Call.Default)
	require.NoError(t, err)
	var rules []permission.Rule
	for _, r := range c.Call.Rules {
		action, err := permission.ParseAction(r.Action)
		require.NoError(t, err)
		rules = append(rules, permission.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: action})
	}
	o := &permission.Options{GOOS: c.Call.Env.GOOS, Root: c.Call.Env.Root, Home: c.Call.Env.Home}
	p, err := permission.Compile(fallback, rules, o)
	require.NoError(t, err, c.ID)
	call := permission.ToolCall{Name: c.Call.Tool, Input: c.Call.Input}
	n := 0
	for _, f := range lint.Policy(p) {
		if f.Check != "unreachable" && f.Check != "duplicate" {
			continue
		}
		n++
		without, err := permission.Compile(fallback, slices.Delete(slices.Clone(rules), f.Rule-1, f.Rule), o)
		require.NoError(t, err)
		assert.Equal(t, p.Evaluate(call).Action, without.Evaluate(call).Action, "%s: %v", c.ID, f)
	}
	return n
}
