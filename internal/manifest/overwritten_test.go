package manifest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The decoder takes each of these and drops part of it. None may load.
func TestOverwritten(t *testing.T) {
	const inline = "{tool = 'a', pattern = 'b', action = 'allow'}"
	for src, want := range map[string]string{
		rule + head + "rule = [" + inline + "]\n":                        "rule",
		rule + rule + head + "rule = [" + inline + ", " + inline + "]\n": "rule",
		head + "rule = [" + inline + "]\nrule.x = 1\n":                   "rule.tool",
		head + rule + "match.x = 1\nmatch = ['a']\n":                     "rule.match.x",
		"permissions = [{a = 1}]\npermissions.default_action = 'ask'\n":  "a",
		head + "[[permissions.test]]\ntool = 'a'\nwant = 'ask'\n[[permissions.test.input.a]]\nb = 1\n[permissions.test.input]\na = [{c = 1}]\n": "test.input.a",
	} {
		_, faults := Read([]byte(src))
		require.NotEmpty(t, faults, src)
		found := false
		for _, f := range faults {
			found = found || f.Key == want && f.Err == errOverwritten
		}
		assert.True(t, found, "%s%q", src, report(faults))
	}
}

// Legal ways to come back to a table are none of that.
func TestNotOverwritten(t *testing.T) {
	for _, src := range []string{
		rule + head + rule,
		"[permissions.test.input]\n",
		head + "[[permissions.test]]\ntool = 'a'\nwant = 'ask'\ninput.a.b = 1\ninput.a.c = [{d = 1}, {d = 2}, [{d = 3}]]\n",
		head + "[[permissions.test]]\ntool = 'a'\nwant = 'ask'\n[permissions.test.input]\n[[permissions.test.input.a]]\nb = 1\n[[permissions.test.input.a]]\nb = 2\n[permissions.test.input.c.d]\n[permissions.test.input.c]\ne = 1\n",
		"x = [1]\nx.y = 1\n" + head,
	} {
		_, faults := Read([]byte(src))
		for _, f := range faults {
			assert.NotEqual(t, errOverwritten, f.Err, src)
		}
	}
}
