package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	pass   = `{"id":"good","default_action":"deny","rules":[],"tool":"bash","input":{"command":"ls"},"want":"deny"}` + "\n"
	miss   = `{"id":"bad","default_action":"ask","rules":[{"tool":"bash","pattern":"ls *","action":"allow"}],"tool":"bash","input":{"command":"ls -l"},"want":"deny"}` + "\n"
	push   = `{"id":"push","tool":"bash","input":{"command":"git push"},"want":"deny"}` + "\n"
	makeIt = `{"id":"make","tool":"bash","input":{"command":"make"},"want":"allow"}` + "\n"
	missed = `FAIL bad: got allow, want deny: rule bash "ls *" matches "ls -l" (`
)

const examples = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "deny"
match = ["git push origin"]
not_match = ["git status"]

[[permissions.test]]
tool = "bash"
input = { command = "make" }
want = "ask"
`

func TestTest(t *testing.T) {
	inDir(t, map[string]string{
		"m.toml":         manifest,
		"good.toml":      examples,
		"policy.conf":    examples,
		"off.toml":       "[agent]\n",
		"broken.toml":    "[permissions]\ndefault_action = \"Ask\"\n",
		"pass.jsonl":     pass,
		"fail.jsonl":     pass + miss,
		"push.jsonl":     push,
		"make.jsonl":     push + makeIt,
		"empty.jsonl":    "",
		"typo.jsonl":     strings.Replace(pass, "want", "wnat", 1),
		"skill.jsonl":    `{"id":"s","frontmatter":"---\nname: s\n---\n","want":"no restriction"}` + "\n",
		"flow.jsonl":     `{"id":"f","scenario":"a call","want":"an answer"}` + "\n",
		"casefold.jsonl": strings.Replace(pass, `"want"`, `"env":{"case_insensitive":true},"want"`, 1),
	})
	const needs = "Run 'permission help test' for usage.\n"
	tests := []struct {
		args   string
		code   int
		stdout string
		stderr string // its start
	}{
		{"pass.jsonl", 0, "1 passed, 0 failed\n", ""},
		{"fail.jsonl", 1, missed + "fail.jsonl:2)\n1 passed, 1 failed\n", ""},
		{"pass.jsonl fail.jsonl", 1, missed + "fail.jsonl:2)\n2 passed, 1 failed\n", ""},
		{"-manifest m.toml push.jsonl", 0, "1 passed, 0 failed\n", ""},
		{"-manifest m.toml make.jsonl", 1,
			"FAIL make: got ask, want allow: default_action of m.toml: no rule for bash matches \"make\" (make.jsonl:2)\n1 passed, 1 failed\n", ""},
		{"-manifest m.toml pass.jsonl push.jsonl", 0, "2 passed, 0 failed\n", ""},
		{"-manifest m.toml pass.jsonl", 0, "m.toml was not needed: every case has rules of its own\n1 passed, 0 failed\n", ""},

		{"good.toml", 0, "3 passed, 0 failed\n", ""},
		{"-manifest good.toml", 0, "3 passed, 0 failed\n", ""},
		{"-manifest policy.conf", 0, "3 passed, 0 failed\n", ""},
		{"-manifest m.toml good.toml", 0, "m.toml has no examples and no tests\n3 passed, 0 failed\n", ""},
		{"-manifest m.toml good.toml push.jsonl", 0, "4 passed, 0 failed\n", ""},

		{"m.toml", 1, "m.toml has no examples and no tests\n0 passed, 0 failed\n", "permission test: nothing ran\n"},
		{"off.toml", 1, "off.toml has no examples and no tests\n0 passed, 0 failed\n", "permission test: nothing ran\n"},
		{"skill.jsonl pass.jsonl", 0, "2 passed, 0 failed\n", ""},
		{"flow.jsonl", 1, "SKIP f: a course of events in words is for a test written by hand (flow.jsonl:1)\n0 passed, 0 failed, 1 skipped\n", "permission test: nothing ran\n"},
		{"flow.jsonl pass.jsonl", 0, "SKIP f: a course of events in words is for a test written by hand (flow.jsonl:1)\n1 passed, 0 failed, 1 skipped\n", ""},
		{"pass.jsonl casefold.jsonl", 0,
			"SKIP good: case_insensitive is true, and policies for linux take it the other way (casefold.jsonl:1)\n1 passed, 0 failed, 1 skipped\n", ""},

		{"missing.jsonl", 3, "0 passed, 0 failed\n", "permission test: open missing.jsonl: "},
		{"missing.toml", 3, "0 passed, 0 failed\n", "permission test: open missing.toml: "},
		{"missing.jsonl fail.jsonl", 3, missed + "fail.jsonl:2)\n1 passed, 1 failed\n", "permission test: open missing.jsonl: "},
		{"empty.jsonl", 3, "0 passed, 0 failed\n", "permission test: empty.jsonl: no cases\n"},
		{"typo.jsonl", 3, "0 passed, 0 failed\n", `permission test: typo.jsonl:1: unknown name "wnat"`},
		{"push.jsonl", 3, "0 passed, 0 failed\n", "permission test: push.jsonl:1: case push has no rules: name a manifest with -manifest\n" + needs},
		{"-manifest off.toml push.jsonl", 3, "0 passed, 0 failed\n", "permission test: off.toml has no [permissions] table"},
		{"-manifest broken.toml push.jsonl", 3, "0 passed, 0 failed\n", "permission test: broken.toml: default_action: "},
		{"broken.toml", 3, "0 passed, 0 failed\n", "permission test: broken.toml: default_action: "},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, stdout, stderr := try("", append([]string{"test"}, strings.Fields(tt.args)...)...)
			assert.Equal(t, tt.code, code)
			assert.Equal(t, tt.stdout, stdout)
			if tt.stderr == "" {
				assert.Empty(t, stderr)
			}
			assert.True(t, strings.HasPrefix(stderr, tt.stderr), stderr)
		})
	}
}

func TestTestFailingExamples(t *testing.T) {
	bad := strings.NewReplacer(`want = "ask"`, `want = "deny"`, `"git status"`, `"git push"`).Replace(examples)
	inDir(t, map[string]string{"bad.toml": bad})
	code, stdout, stderr := try("", "test", "bad.toml")
	assert.Equal(t, 1, code)
	assert.Regexp(t, `^FAIL rule 1: not_match "git push": got .+ \(bad\.toml:4\)\n`+
		`FAIL test 1: bash: got ask, want deny: .+"make".* \(bad\.toml:\d+\)\n1 passed, 2 failed\n$`, stdout)
	assert.Empty(t, stderr)
}

func TestTestRulesThatDoNotCompile(t *testing.T) {
	inDir(t, map[string]string{"c.jsonl": strings.Replace(miss, "ls *", "[", 1)})
	code, stdout, _ := try("", "test", "c.jsonl")
	assert.Equal(t, 1, code)
	assert.Regexp(t, `^FAIL bad: got an error, want deny: .+ \(c\.jsonl:1\)\n0 passed, 1 failed\n$`, stdout)
}

func TestTestManifestCases(t *testing.T) {
	const ok = `"manifest":"[permissions]\ndefault_action = \"ask\"\n"`
	const odd = `"manifest":"[permissions]\ndefault_action = \"ask\"\n[[permissions.rule]]\ntool = \"*\"\npattern = \"*\"\naction = \"allow\"\n"`
	const plural = `"manifest":"[permissions]\ndefault_action = \"ask\"\n[[permissions.rules]]\n"`
	tests := []struct{ line, want string }{
		{ok + `,"want":"ok"`, `^1 passed, 0 failed\n$`},
		{odd + `,"want":"ok"`, `^1 passed, 0 failed\n$`},
		{odd + `,"want":"ok","want_warning":"EVERYTHING"`, `^1 passed, 0 failed\n$`},
		{odd + `,"want":"ok","want_warning":"zebra"`, `^FAIL m: got other warnings, want a warning mentioning zebra: case\.toml:3: rule 1: everything.* \(c:1\)\n0 passed, 1 failed\n$`},
		{ok + `,"want":"ok","want_warning":"zebra"`, `^FAIL m: got ok, want a warning mentioning zebra: the linter has nothing to say \(c:1\)\n0 passed, 1 failed\n$`},
		{plural + `,"want":"ok","want_warning":"rules"`, `^FAIL m: got an error, want a warning mentioning rules: .* \(c:1\)\n0 passed, 1 failed\n$`},
		{plural + `,"want":"error mentioning RULES"`, `^1 passed, 0 failed\n$`},
		{ok + `,"want":"error mentioning rules"`, `^FAIL m: got ok, want error mentioning rules: it loads \(c:1\)\n0 passed, 1 failed\n$`},
		{plural + `,"want":"ok"`, `^FAIL m: got an error, want ok: .*rules.* \(c:1\)\n0 passed, 1 failed\n$`},
		{plural + `,"want":"error mentioning zebra"`, `^FAIL m: got an error, want error mentioning zebra: .*rules.* \(c:1\)\n0 passed, 1 failed\n$`},
	}
	for _, tt := range tests {
		inDir(t, map[string]string{"c": `{"id":"m",` + tt.line + "}"})
		_, stdout, stderr := try("", "test", "c")
		assert.Regexp(t, tt.want, stdout, tt.line)
		assert.Empty(t, stderr)
	}
}

func TestTestPlace(t *testing.T) {
	const line = `{"tool":"read","input":{"path":"/elsewhere/src/a"},"want":"allow"}`
	inDir(t, map[string]string{
		"m.toml":    manifest,
		"plain":     line,
		"own.jsonl": strings.Replace(line, `"want"`, `"env":{"cwd":"/elsewhere"},"want"`, 1),
	})
	tests := []struct {
		args string
		code int
	}{
		{"-manifest m.toml plain", 1},
		{"-manifest m.toml -root /elsewhere plain", 0},
		{"-manifest m.toml own.jsonl", 0},
		{"-manifest m.toml -root /srv own.jsonl", 0},
	}
	for _, tt := range tests {
		code, stdout, stderr := try("", append([]string{"test"}, strings.Fields(tt.args)...)...)
		assert.Equal(t, tt.code, code, "%s: %s%s", tt.args, stdout, stderr)
	}
}

func TestTestSkillCases(t *testing.T) {
	const reads = `"frontmatter":"---\nallowed-tools: Read Bash(git:*)\n---\n"`
	const bad = `"frontmatter":"---\nallowed-tools: Read(\n---\n"`
	const both = `"want_tools":[{"tool":"Read","pattern":"*"},{"tool":"Bash","pattern":"git *"}]`
	const list = `the tools [Read "*", Bash "git *"]`
	for line, want := range map[string]string{
		reads + "," + both:                 "1 passed, 0 failed\n",
		bad + `,"want_error":"UNBALANCED"`: "1 passed, 0 failed\n",
		reads + `,"want_tools":[]`:         "FAIL s: got " + list + ", want the tools []: it loads (c:1)\n0 passed, 1 failed\n",
		reads + `,"want":"no restriction"`: "FAIL s: got " + list + ", want no restriction: it loads (c:1)\n0 passed, 1 failed\n",
		reads + `,"want_error":"zebra"`:    "FAIL s: got " + list + ", want error mentioning zebra: it loads (c:1)\n0 passed, 1 failed\n",
		bad + "," + both: "FAIL s: got an error, want " + list + `: case.md:2: allowed-tools: invalid tool entry "Read(": ` +
			"unbalanced parenthesis: \"(\" without \")\" (c:1)\n0 passed, 1 failed\n",
		bad + `,"want_error":"zebra"`: `FAIL s: got an error, want error mentioning zebra: case.md:2: allowed-tools: invalid tool entry "Read(": ` +
			"unbalanced parenthesis: \"(\" without \")\" (c:1)\n0 passed, 1 failed\n",
	} {
		inDir(t, map[string]string{"c": `{"id":"s",` + line + "}\n"})
		_, stdout, stderr := try("", "test", "c")
		assert.Equal(t, want, stdout)
		assert.Empty(t, stderr)
	}
}
