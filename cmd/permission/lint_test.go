package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/lint"
)

const (
	clean = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git status *"
action = "allow"
`
	wide = clean + `
[[permissions.rule]]
tool = "bash"
pattern = "make*"
action = "allow"
`
	dead = wide + `
[[permissions.rule]]
tool = "bash"
pattern = "git status -s"
action = "deny"
`
	adviceLine = `FILE:9: rule 2: letter-star (advice): "make*" also covers what only begins so, such as "makex": write "make *"` + "\n"
	faultLine  = `FILE:14: rule 3: behind-allow: it cannot deny "git status -s", since the first match decides and ` +
		`rule 1 (bash "git status *", line 4) allows that: put it before rule 1 (bash "git status *", line 4)` + "\n"
)

func TestLint(t *testing.T) {
	inDir(t, map[string]string{
		"clean.toml":  clean,
		"wide.toml":   wide,
		"dead.toml":   dead,
		"home.toml":   strings.NewReplacer(`"bash"`, `"read"`, `"git status *"`, `"~/x"`).Replace(clean),
		"off.toml":    "[agent]\n",
		"broken.toml": "[permissions]\ndefault_action = \"Ask\"\n",
	})
	tests := []struct {
		args   string
		code   int
		stdout string
		stderr string // its start
	}{
		{"-manifest clean.toml", 0, "0 faults, 0 pieces of advice\n", ""},
		{"-manifest clean.toml -strict", 0, "0 faults, 0 pieces of advice\n", ""},
		{"-manifest wide.toml", 0, adviceLine + "0 faults, 1 piece of advice\n", ""},
		{"-manifest wide.toml -strict", 1, adviceLine + "0 faults, 1 piece of advice\n", ""},
		{"-manifest dead.toml", 1, adviceLine + faultLine + "1 fault, 1 piece of advice\n", ""},
		{"-manifest home.toml -root /srv -home /home/u", 0, "0 faults, 0 pieces of advice\n", ""},
		{"-manifest clean.toml -tools bash,read", 0, "0 faults, 0 pieces of advice\n", ""},
		{"-manifest clean.toml -tools b*,read", 0, "0 faults, 0 pieces of advice\n", ""},
		{"-manifest clean.toml -tools sh,read", 1,
			`FILE:4: rule 1: unknown-tool: the runtime has no tool "bash": write the name that calls have` + "\n1 fault, 0 pieces of advice\n", ""},

		{"-manifest missing.toml", 3, "", "permission lint: missing.toml: cannot be read: "},
		{"-manifest broken.toml", 3, "", "permission lint: broken.toml: default_action: "},
		{"-manifest off.toml", 3, "", "permission lint: off.toml has no [permissions] table"},
		{"-manifest clean.toml -tools a(b", 3, "", "permission lint: permission: Options: KnownTools has"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			words := strings.Fields(tt.args)
			code, stdout, stderr := try("", append([]string{"lint"}, words...)...)
			assert.Equal(t, tt.code, code)
			assert.Equal(t, strings.ReplaceAll(tt.stdout, "FILE", words[1]), stdout)
			if tt.stderr == "" {
				assert.Empty(t, stderr)
			}
			assert.True(t, strings.HasPrefix(stderr, tt.stderr), stderr)
		})
	}
}

func TestLintJSON(t *testing.T) {
	inDir(t, map[string]string{"dead.toml": dead, "clean.toml": clean})
	code, stdout, stderr := try("", "lint", "-manifest", "dead.toml", "-json")
	assert.Equal(t, 1, code)
	assert.Empty(t, stderr)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Len(t, lines, 2)
	for i, want := range []map[string]any{
		{"level": "advice", "file": "dead.toml", "line": 9., "rule": 2., "check": "letter-star"},
		{"level": "fault", "file": "dead.toml", "line": 14., "rule": 3., "check": "behind-allow"},
	} {
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &got))
		for key, value := range want {
			assert.Equal(t, value, got[key], key)
		}
		assert.NotEmpty(t, got["why"])
		assert.NotEmpty(t, got["instead"])
	}
	var back lint.Finding
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &back))
	assert.Equal(t, lint.Advice, back.Level)

	code, stdout, _ = try("", "lint", "-manifest", "clean.toml", "-json")
	assert.Equal(t, 0, code)
	assert.Empty(t, stdout)
}
