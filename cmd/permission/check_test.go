package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

const manifest = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "deny"
reason = "a person pushes"

[[permissions.rule]]
tool = "bash"
pattern = "git *"
action = "allow"

[[permissions.rule]]
tool = "{read,multi_edit}"
pattern = "src/*"
action = "allow"

[[permissions.rule]]
tool = "read"
pattern = "~/*"
action = "deny"
`

func TestCheck(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	tests := []struct {
		name        string
		tool, input string
		code        int
		want        string
	}{
		{"allow", "bash", "git status", 0,
			"allow: rule bash \"git *\" (m.toml:10) matches \"git status\"\n"},
		{"deny with a reason", "bash", "git push origin main", 2,
			"deny: rule bash \"git push *\" (m.toml:4) matches \"git push origin main\": a person pushes\n"},
		{"default", "bash", "make", 1,
			"ask: default_action of m.toml: no rule for bash matches \"make\"\n"},
		{"the part that decides", "multi_edit", `{"edits": [{"path": "src/a"}, {"path": "lib/b"}]}`, 1,
			"ask: default_action of m.toml: no rule for multi_edit matches \"lib/b\"\n"},
		{"JSON", "bash", `{"command": "git status"}`, 0,
			"allow: rule bash \"git *\" (m.toml:10) matches \"git status\"\n"},
		{"JSON after blanks", "bash", "\n {\"command\": \"git push\"}", 2,
			"deny: rule bash \"git push *\" (m.toml:4) matches \"git push\": a person pushes\n"},
		{"a path", "read", "src/main.go", 0,
			"allow: rule {read,multi_edit} \"src/*\" (m.toml:15) matches \"src/main.go\"\n"},
		{"an input that looks like a flag", "read", "-manifest", 1,
			"ask: default_action of m.toml: no rule for read matches \"-manifest\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := try("", "check", "-manifest", "m.toml", tt.tool, tt.input)
			assert.Equal(t, tt.code, code)
			assert.Equal(t, tt.want, stdout)
			assert.Empty(t, stderr)
			for _, dashed := range [][]string{{"--", tt.tool, tt.input}, {tt.tool, "--", tt.input}} {
				code, stdout, _ := try("", append([]string{"check", "-manifest", "m.toml"}, dashed...)...)
				assert.Equal(t, tt.code, code, dashed)
				assert.Equal(t, tt.want, stdout, dashed)
			}
		})
	}
}

// TestCheckExplains pins answers whose texts are the library's.
func TestCheckExplains(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest, "off.toml": "[agent]\nname = \"x\"\n"})
	tests := []struct {
		name, manifest, tool, input string
		code                        int
		begin, mention              string
	}{
		{"doubt", "m.toml", "bash", "git $verb origin", 1, `ask: rule bash "git push *" (m.toml:4) may match `, "a person pushes"},
		{"malformed", "m.toml", "bash", `{"command": "ls"`, 2, "deny: malformed: ", ""},
		{"malformed name", "m.toml", "ba sh", `{}`, 2, "deny: malformed: ", ""},
		{"disabled", "off.toml", "bash", "rm -rf /", 0, "allow: off.toml has no [permissions] table", "every call runs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := try("", "check", "-manifest", tt.manifest, tt.tool, tt.input)
			assert.Equal(t, tt.code, code)
			assert.True(t, strings.HasPrefix(stdout, tt.begin), stdout)
			assert.Contains(t, stdout, tt.mention)
			assert.Equal(t, 1, strings.Count(stdout, "\n"), stdout)
			assert.Empty(t, stderr)
		})
	}
}

func TestCheckPlace(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	root, err := filepath.Abs("elsewhere")
	require.NoError(t, err)
	tests := []struct {
		flags []string
		path  string
		code  int
	}{
		{nil, filepath.Join(root, "src", "a"), 1},
		{[]string{"-root", root}, filepath.Join(root, "src", "a"), 0},
		{[]string{"-root", "elsewhere"}, filepath.Join(root, "src", "a"), 0},
		{[]string{"-home", "elsewhere"}, filepath.Join(root, "notes"), 2},
	}
	for _, tt := range tests {
		args := append(append([]string{"check", "-manifest", "m.toml"}, tt.flags...), "read", tt.path)
		code, stdout, stderr := try("", args...)
		assert.Equal(t, tt.code, code, "%v: %s%s", args, stdout, stderr)
	}
}

func TestCheckErrors(t *testing.T) {
	inDir(t, map[string]string{
		"m.toml":   manifest,
		"bad.toml": "[permissions]\ndefault_action = \"Ask\"\n",
	})
	tests := []struct {
		name, manifest, tool, input, mention string
	}{
		{"no manifest", "missing.toml", "bash", "ls", "missing.toml"},
		{"bad manifest", "bad.toml", "bash", "ls", "default_action"},
		{"text for a tool without a main argument", "m.toml", "move", "a b", "move"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := try("", "check", "-manifest", tt.manifest, tt.tool, tt.input)
			assert.Equal(t, 3, code)
			assert.Empty(t, stdout)
			assert.True(t, strings.HasPrefix(stderr, "permission check: "), stderr)
			assert.Contains(t, stderr, tt.mention)
		})
	}
}

func TestCheckStream(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	const (
		allow = `{"type":"tool_use","id":"toolu_1","name":"bash","input":{"command":"git status"}}`
		ask   = `{"tool":"bash","input":{"command":"make"},"want":"allow"}`
		deny  = `{"name":"bash","input":{"command":"git push"}}`
		text  = `{"type":"text","text":"hello"}`

		allowed = "allow toolu_1: rule bash \"git *\" (m.toml:10) matches \"git status\"\n"
		asked   = "ask: default_action of m.toml: no rule for bash matches \"make\"\n"
		denied  = "deny: rule bash \"git push *\" (m.toml:4) matches \"git push\": a person pushes\n"
	)
	tests := []struct {
		name   string
		lines  []string
		code   int
		stdout string
		stderr string
	}{
		{"allow", []string{allow}, 0, allowed, ""},
		{"ask beats allow", []string{allow, ask, allow}, 1, allowed + asked + allowed, ""},
		{"deny beats ask", []string{deny, ask}, 2, denied + asked, ""},
		{"blank lines", []string{"", allow, " "}, 0, allowed, ""},
		{"an error beats deny, and the rest is answered", []string{text, deny}, 3,
			"error: standard input, line 1: \"type\" is \"text\", want \"tool_use\"\n" + denied,
			"permission check: 1 of 2 lines on standard input cannot be read\n"},
		{"nothing", nil, 3, "", "permission check: no calls on standard input\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := try(strings.Join(tt.lines, "\n"), "check", "-manifest", "m.toml", "-")
			assert.Equal(t, tt.code, code)
			assert.Equal(t, tt.stdout, stdout)
			assert.Equal(t, tt.stderr, stderr)
		})
	}
}

// TestCheckHidesNothing pins that a call cannot write to the terminal of the
// person who looks at it.
func TestCheckHidesNothing(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest})
	code, stdout, _ := try(`{"name":"read","id":"a\u001b[2J","input":{"path":"src/\u202e\u200b\ufe0f"}}`,
		"check", "-manifest", "m.toml", "-")
	assert.Equal(t, 0, code)
	assert.True(t, strings.HasPrefix(stdout, `allow a\x1b[2J: `), stdout)
	assert.Contains(t, stdout, `"src/\u202e\u200b\ufe0f"`)
}

func TestExitCodeOfUnknownAction(t *testing.T) {
	assert.Equal(t, 2, exitCode(permission.Allow+1))
}
