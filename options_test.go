package permission_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

func TestOptionsAreCompletedAndCopied(t *testing.T) {
	o := permission.Options{Root: "/srv", KnownTools: []string{"read", "mcp__*"}, Wrappers: []string{"run"}}
	p, err := permission.Compile(permission.Deny, nil, &o)
	require.NoError(t, err)
	got := p.Options()
	assert.Equal(t, "/srv", got.Root)
	assert.NotEmpty(t, got.GOOS, "what the process knows")
	got.KnownTools[0], o.Wrappers[0] = "x", "x"
	assert.Equal(t, []string{"read", "mcp__*"}, p.Options().KnownTools)
	assert.Equal(t, []string{"run"}, p.Options().Wrappers)
	assert.Zero(t, (*permission.Policy)(nil).Options())

	_, err = permission.Compile(permission.Deny, nil, &permission.Options{KnownTools: []string{"a b"}})
	assert.ErrorContains(t, err, `KnownTools has "a b"`)
}

// A name that is none would switch off what is special about the system that
// is meant: case and backslashes, and with them what is refused.
func TestUnknownSystemsAreRefused(t *testing.T) {
	for _, name := range []string{"macos", "Darwin", "Windows", "win32", "linux ", "unix"} {
		_, err := permission.Compile(permission.Deny, nil, &permission.Options{Root: "/srv", GOOS: name})
		assert.ErrorContains(t, err, `GOOS is "`+name+`"`)
	}
	for _, name := range []string{"freebsd", "android", "wasip1", ""} {
		_, err := permission.Compile(permission.Deny, nil, &permission.Options{Root: "/srv", GOOS: name})
		assert.NoError(t, err, name)
	}
}

func TestPartsAreThePoliciesOfStrictest(t *testing.T) {
	p, err := permission.Compile(permission.Deny, nil, nil)
	require.NoError(t, err)
	q, err := p.Override(permission.Rule{Tool: "read", Pattern: "*"})
	require.NoError(t, err)
	assert.Equal(t, []*permission.Policy{p}, p.Parts())
	assert.Equal(t, []*permission.Policy{p, q}, permission.Strictest(p, q).Parts())
	assert.Equal(t, []*permission.Policy{nil}, (*permission.Policy)(nil).Parts())
}

// The declared tools of a policy are those of its parts, and its own copies.
func TestDeclaredToolsOfAPolicy(t *testing.T) {
	declare := func(name string) *permission.Policy {
		p, err := permission.Compile(permission.Deny, nil, &permission.Options{Tools: []permission.Tool{{Name: name, Arguments: []string{"a"}}}})
		require.NoError(t, err)
		return p
	}
	p := permission.Strictest(declare("x"), declare("y"))
	tools := p.Tools()
	require.Len(t, tools, 2)
	assert.Equal(t, []string{"x", "y"}, []string{tools[0].Name, tools[1].Name})
	tools[0].Arguments[0] = "b"
	assert.Equal(t, "a", p.Tools()[0].Arguments[0])
	assert.Empty(t, (*permission.Policy)(nil).Tools())
}

// What runs a line decides how it is read: an allow holds where the shell reads
// it alike, and a refusal always.
func TestTheShellDecidesHowLinesAreRead(t *testing.T) {
	rules := []permission.Rule{
		{Tool: "bash", Pattern: "rm *", Action: permission.Deny},
		{Tool: "bash", Pattern: "{ls,cat,repeat} *", Action: permission.Allow},
	}
	for _, r := range []struct {
		line      string
		bash, zsh permission.Action
	}{
		{"ls -la", permission.Allow, permission.Allow},
		{"cat a && ls *.go | cat", permission.Allow, permission.Allow},
		{"repeat 2 ls", permission.Allow, permission.Ask},
		{"cat $X:h", permission.Allow, permission.Ask},
		{"cat =ls", permission.Allow, permission.Ask},
		{"ls a && cat ''=ls", permission.Allow, permission.Ask},
		{"rm x; cat $X:h", permission.Deny, permission.Deny},
		{"zsh -c 'rm x'", permission.Deny, permission.Deny},
	} {
		for shell, want := range map[string]permission.Action{"": r.bash, "bash": r.bash, "zsh": r.zsh} {
			p, err := permission.Compile(permission.Ask, rules, &permission.Options{Shell: shell})
			require.NoError(t, err)
			d := p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: r.line})
			assert.Equal(t, want, d.Action, "%s: %s", shell, r.line)
		}
	}
}
