package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

func TestExplain(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	code, stdout, stderr := try("", "explain", "-manifest", "m.toml", "bash", "git push origin main")
	assert.Equal(t, 2, code)
	assert.Empty(t, stderr)
	assert.Equal(t, `deny: rule: deny bash "git push *" (m.toml:4): "git push origin main"

command "git push origin main"
    deny: rule 1 says so
       1  match      deny bash "git push *" (m.toml:4)

2 rules for other tools: {read,multi_edit}, read

What the model is told:
    Permission denied: "bash" "git push origin main" was not run. The rule for bash "git push *" (m.toml:4) says deny. Reason: a person pushes. Take another way, or tell the user what you need and why.
`, stdout)
}

// TestExplainExits pins that explain never ends with another code than check.
func TestExplainExits(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest, "off.toml": ""})
	for _, args := range [][]string{
		{"m.toml", "bash", "git status"},
		{"m.toml", "bash", "make"},
		{"m.toml", "bash", "git push"},
		{"m.toml", "bash", `{"command": `},
		{"m.toml", "move", "a b"},
		{"m.toml", "read", "--", "-x"},
		{"off.toml", "bash", "ls"},
		{"missing.toml", "bash", "ls"},
		{"m.toml", "bash"},
		{"m.toml", "bash", "a", "b"},
	} {
		want, _, _ := try("", append([]string{"check", "-manifest"}, args...)...)
		got, stdout, stderr := try("", append([]string{"explain", "-manifest"}, args...)...)
		assert.Equal(t, want, got, args)
		assert.Equal(t, want == 3, stdout == "", args)
		assert.Equal(t, want != 3, stderr == "", args)
	}
}

func TestExplainJSON(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	code, stdout, _ := try("", "explain", "-json", "-manifest", "m.toml", "bash", "git push && git log")
	assert.Equal(t, 2, code)
	var trace permission.Trace
	require.NoError(t, json.Unmarshal([]byte(stdout), &trace))
	assert.Equal(t, permission.Deny, trace.Decision.Action)
	assert.Len(t, trace.Subjects, 2)
	assert.Contains(t, stdout, `git push *`)
}

// TestColours pins that colours add nothing but themselves, and that nothing the
// model wrote gets one.
func TestColours(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	_, plain, _ := try("", "explain", "-manifest", "m.toml", "bash", "git push; echo '\n    deny: x'")
	shown := coloured(plain)
	assert.Equal(t, plain, regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(shown, ""))
	assert.True(t, strings.HasPrefix(shown, "\x1b[1;31mdeny\x1b[0m: "), shown)
	assert.Contains(t, shown, "\n       1  \x1b[1mmatch\x1b[0m      deny")
	assert.Equal(t, 3, strings.Count(shown, "\x1b[1;3"), "the call and its two parts")
	assert.False(t, colours(new(strings.Builder)))
}

// What is printed does nothing to a terminal, whatever the call and the files
// hold.
func TestNothingIsObeyed(t *testing.T) {
	const file = "n\x1b[31m\u202e.toml"
	inDir(t, map[string]string{file: wide})
	for _, args := range [][]string{
		{"explain", "-manifest", file, "bash", "make \u202e\u009b2J\u200b x\x1b[2J"},
		{"explain", "-json", "-manifest", file, "bash", "make \u202e\u009b2J\u200b x\x1b[2J"},
		{"lint", "-manifest", file},
		{"lint", "-json", "-manifest", file},
		{"explain", "-manifest", "missing" + file, "bash", "ls"},
	} {
		_, stdout, stderr := try("", args...)
		assert.NotEmpty(t, stdout+stderr, args)
		assert.False(t, strings.ContainsAny(stdout+stderr, "\x1b\u009b\u202e\u200b"), "%q: %q", args, stdout+stderr)
	}
}
