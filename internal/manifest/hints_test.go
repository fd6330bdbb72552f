package manifest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What people write who know another form, or who forget that a key below a
// header is the header's, is told with what to write instead.
func TestHints(t *testing.T) {
	const missing = "0 table[0] default_action: missing: the key is required"
	tool := func(name string) string { return head + strings.Replace(rule, "'read'", name, 1) }
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"[permissions]\ndefault = 'ask'\n", []string{missing, `0 table[0] default: unknown key: did you mean "default_action"?`}},
		{head + "default = 'ask'\n", []string{`0 table[0] default: unknown key: did you mean "default_action"?`}},
		{head + "action = 'ask'\n", []string{`0 table[0] action: unknown key: did you mean "default_action"?`}},
		{head + rule + "default = 'ask'\n", []string{"3 rule[1] default: unknown key: want one of tool, pattern, action, reason, match, not_match"}},

		{head + rule + "default_action = 'ask'\n", []string{"3 rule[1] default_action: unknown key: it belongs in [permissions], above the first [[permissions.rule]]"}},
		{head + rule + "ask_timeout = '5m'\n", []string{"3 rule[1] ask_timeout: unknown key: it belongs in [permissions], above the first [[permissions.rule]]"}},
		{head + "[[permissions.tool]]\nname = 'a'\nkind = 'path'\narguments = ['b']\nharmless_env = ['A']\n",
			[]string{"3 tool[1] harmless_env: unknown key: it belongs in [permissions], above the first [[permissions.tool]]"}},
		{rule + "default_action = 'ask'\n", []string{missing, "1 rule[1] default_action: unknown key: it belongs in [permissions], above the first [[permissions.rule]]"}},

		{"default_action = 'ask'\n[permissions]\n", []string{missing + ": write the one that stands outside under [permissions]"}},
		{"default_action = 'ask'\n" + rule, []string{missing + ": write the one that stands outside under [permissions]"}},
		{"default_action = 'ask'\n" + head, nil},
		{"default_action = 'ask'\n", nil},

		{"[permission]\ndefault_action = 'ask'\n", []string{`0 host[0] permission: unknown key: did you mean "permissions"?`}},
		{"[permission]\ndefault_action = 'ask'\n" + rule, []string{`0 host[0] permission: unknown key: did you mean "permissions"?`}},
		{"[permission]\n" + rule, []string{`0 host[0] permission: unknown key: did you mean "permissions"?`, missing}},
		{"[agent]\ndefault_action = 'ask'\n" + rule, []string{missing}},

		{head + "ask_timeout = 30\n", []string{`0 table[0] ask_timeout: found an integer, want a string, as in "30s"`}},

		{tool("'Bash(git *)'"), []string{`3 rule[1] tool: found "Bash(git *)": write tool = "Bash", pattern = "git *"`}},
		{tool("'Bash(git:*)'"), []string{`3 rule[1] tool: found "Bash(git:*)": write tool = "Bash", pattern = "git *"`}},
		{tool("'Bash()'"), []string{`3 rule[1] tool: found "Bash()": write tool = "Bash", pattern = "*"`}},
		{tool(`"Read(a\u202e)"`), []string{`3 rule[1] tool: found "Read(a\u202e)": write tool = "Read", pattern = "a\u202e"`}},
		{tool("'@(a|b)'"), nil}, // a form of its own, which is not looked at here
		{tool("'a)'"), nil},
		{tool("'(a)'"), nil},
	} {
		_, faults := Read([]byte(c.src))
		assert.ElementsMatch(t, c.want, report(faults), c.src)
	}
}

func TestHintForTextWithoutQuotes(t *testing.T) {
	const hint = "text goes in double or single quotes"
	for src, want := range map[string]bool{
		"p = ask": true, "p = git status": true, "p = *": true, "p = ~/x": true, "p = src/*": true, "p = ./a": true,
		"p = -rf": true, "p = 30s": true, "p = 1h30m": true, "p = “ask”": true, "p = [a, b]": true, "p = {a = b}": true,
		"p = [\na]": true, "p = Bash(git *)": true, "p = 'a' b": true,
		"[p] x": false, "p": false, "p = 'a": false, `p = "\*"`: false, "p = 1\np = 2": false, "p = 01": false,
	} {
		doc, faults := Read([]byte(head + src + "\n"))
		require.Nil(t, doc, src)
		require.Len(t, faults, 1, src)
		assert.Equal(t, want, strings.HasSuffix(faults[0].Err.Error(), ": "+hint), "%s: %v", src, faults[0].Err)
	}
}
