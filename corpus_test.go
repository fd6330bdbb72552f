package permission_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
)

// readCases returns a file of cases; one without any fails.
func readCases(tb testing.TB, name string) []casefile.Case {
	tb.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(tb, err)
	defer f.Close()
	cases, err := casefile.Read(name, f, casefile.Env{})
	require.NoError(tb, err)
	return cases
}

// corpus returns a file of cases that are calls.
func corpus(t *testing.T, name string) []casefile.Case {
	t.Helper()
	cases := readCases(t, name)
	for _, c := range cases {
		require.NotNil(t, c.Call, c.ID)
	}
	return cases
}

// casePolicy compiles the policy of a case.
func casePolicy(t *testing.T, c *casefile.Call) (p *permission.Policy, fallback permission.Action) {
	t.Helper()
	fallback, err := permission.ParseAction(c.Default)
	require.NoError(t, err)
	var rs []permission.Rule
	for _, r := range c.Rules {
		action, err := permission.ParseAction(r.Action)
		require.NoError(t, err)
		rs = append(rs, permission.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: action})
	}
	p, err = permission.Compile(fallback, rs, &permission.Options{Root: c.Env.Root, Home: c.Env.Home, GOOS: c.Env.GOOS})
	require.NoError(t, err)
	return p, fallback
}

func decide(t *testing.T, c *casefile.Call) permission.Decision {
	t.Helper()
	p, fallback := casePolicy(t, c)
	d := p.Evaluate(permission.ToolCall{Name: c.Tool, Input: c.Input})
	checkDeciding(t, fallback, p, d)
	return d
}

// checkDeciding fails where a decision's rule and cause do not explain its
// action.
func checkDeciding(t *testing.T, fallback permission.Action, p *permission.Policy, d permission.Decision) {
	t.Helper()
	switch d.Cause {
	case permission.CauseRule:
		assert.Equal(t, d.Rule.Action, d.Action)
		assert.Contains(t, p.Rules(), *d.Rule)
	case permission.CauseDoubt:
		assert.Equal(t, permission.Ask, d.Action)
		assert.NotEqual(t, permission.Allow, d.Rule.Action)
		assert.NotEmpty(t, d.Detail)
	case permission.CauseDefault:
		assert.Equal(t, fallback, d.Action)
		assert.Nil(t, d.Rule)
	default:
		assert.Equal(t, permission.CauseMalformed, d.Cause)
		assert.Equal(t, permission.Deny, d.Action)
		assert.NotEmpty(t, d.Detail)
	}
}

// Every case comes out as the file says, those too on which reasonable people
// differ: there is none here that we decide otherwise.
func TestCallsComeOutAsTheCorpusSays(t *testing.T) {
	for _, c := range corpus(t, "calls.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			d := decide(t, c.Call)
			assert.Equal(t, c.Call.Want, d.Action.String(), "%v %+v", d.Cause, d)
		})
	}
}

// Every command line comes out as the file says.
func TestShellLinesComeOutAsTheCorpusSays(t *testing.T) {
	for _, c := range corpus(t, "shell.jsonl") {
		t.Run(c.ID, func(t *testing.T) {
			d := decide(t, c.Call)
			assert.Equal(t, c.Call.Want, d.Action.String(), "%v %+v", d.Cause, d)
		})
	}
}
