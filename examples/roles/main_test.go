package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// The golden file is what the program prints:
//
//	go run . >testdata/output.txt
func TestOutput(t *testing.T) {
	want, err := os.ReadFile("testdata/output.txt")
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, run(&got))
	assert.Equal(t, string(want), got.String())
}

// policy returns that of a role by its name, with further rules over it, one
// ruleset a line. The role "none" has no rules, and no defaults below it.
func policy(t *testing.T, name string, over ...ruleset) *permission.Policy {
	t.Helper()
	p, err := layers(options(), append(below(t, name), over...)...)
	require.NoError(t, err)
	return p
}

func below(t *testing.T, name string) []ruleset {
	t.Helper()
	if name == "none" {
		return nil
	}
	for _, r := range roles() {
		if r.name == name {
			return []ruleset{defaults(), r}
		}
	}
	require.FailNow(t, "no role "+name)
	return nil
}

// rules reads a ruleset as "PERMISSION PATTERN ACTION, ...".
func rules(t *testing.T, name, list string) ruleset {
	t.Helper()
	s := ruleset{name: name}
	for _, line := range strings.Split(list, ", ") {
		if line == "" {
			continue
		}
		first, rest, _ := strings.Cut(line, " ")
		i := strings.LastIndexByte(rest, ' ')
		require.Positive(t, i, line)
		a, err := permission.ParseAction(rest[i+1:])
		require.NoError(t, err)
		s.rules = append(s.rules, rule{first, rest[:i], a})
	}
	return s
}

func TestRoles(t *testing.T) {
	file := func(path string) string { return fmt.Sprintf(`{"filePath":%q}`, path) }
	for _, c := range []struct {
		role, user, session string
		tool, input         string
		want                permission.Action
		rule                string // its place
	}{
		// What the defaults let in, and take back.
		{"build", "", "", "read", file("src/main.go"), allow, "defaults:1"},
		{"build", "", "", "edit", file("src/config.ts"), allow, "defaults:1"},
		{"build", "", "", "bash", `{"command":"rm -rf build"}`, allow, "defaults:1"},
		{"build", "", "", "some_new_tool", `{"what":"ever"}`, allow, "defaults:1"},
		{"build", "", "", "read", file(".env"), ask, "defaults:11"},
		{"build", "", "", "read", file("web/prod.env"), ask, "defaults:11"},
		{"build", "", "", "read", file("/srv/app/.env"), ask, "defaults:11"},
		{"build", "", "", "read", file("web/.env.local"), ask, "defaults:12"},
		{"build", "", "", "read", file(".env.example"), allow, "defaults:13"},
		{"build", "", "", "read", file("src/env.go"), allow, "defaults:1"},
		{"plan", "", "", "read", file(".env"), ask, "defaults:11"},

		// Tools that not every role has.
		{"build", "", "", "question", `{"question":"?"}`, allow, "build:1"},
		{"build", "", "", "plan_enter", "", allow, "build:2"},
		{"build", "", "", "plan_exit", "", deny, "defaults:8"},
		{"build", "", "", "repo_clone", `{"url":"https://git.test/x"}`, deny, "defaults:9"},
		{"build", "", "", "repo_overview", "", deny, "defaults:10"},
		{"plan", "", "", "question", `{"question":"?"}`, allow, "plan:1"},
		{"plan", "", "", "plan_enter", "", deny, "defaults:7"},
		{"plan", "", "", "plan_exit", "", allow, "plan:2"},
		{"explore", "", "", "question", `{"question":"?"}`, deny, "explore:1"},

		// A plan is all that plan writes.
		{"plan", "", "", "edit", file("src/config.ts"), deny, "plan:4"},
		{"plan", "", "", "write", file("new.md"), deny, "plan:4"},
		{"plan", "", "", "apply_patch", `{"patchText":"*** Begin Patch\n*** Delete File: a.go\n*** End Patch"}`, deny, "plan:4"},
		{"plan", "", "", "edit", file(".opencode/plans/cache.md"), allow, "plan:5"},
		{"plan", "", "", "edit", file(".opencode/plans/../../main.go"), deny, "plan:4"},
		{"plan", "", "", "edit", file(".opencode/plans/run.sh"), deny, "plan:4"},
		{"plan", "", "", "write", file("/home/dev/.local/share/opencode/plans/a.md"), allow, "plan:3"},
		{"plan", "", "", "multiedit", `{"edits":[{"filePath":".opencode/plans/a.md"},{"filePath":"a.go"}]}`, deny, "plan:4"},
		{"plan", "", "", "bash", `{"command":"ls"}`, allow, "defaults:1"},

		// explore looks, and does nothing else.
		{"explore", "", "", "grep", `{"pattern":"x"}`, allow, "explore:2"},
		{"explore", "", "", "glob", `{"pattern":"*.go"}`, allow, "explore:3"},
		{"explore", "", "", "list", `{"path":"src"}`, allow, "explore:4"},
		{"explore", "", "", "bash", `{"command":"git log"}`, allow, "explore:5"},
		{"explore", "", "", "webfetch", `{"url":"https://go.dev/"}`, allow, "explore:6"},
		{"explore", "", "", "websearch", `{"query":"go"}`, allow, "explore:7"},
		{"explore", "", "", "read", file("src/main.go"), allow, "explore:8"},
		{"explore", "", "", "read", file(".env"), allow, "explore:8"},
		{"explore", "", "", "edit", file("a.go"), deny, "explore:1"},
		{"explore", "", "", "write", file(".opencode/plans/a.md"), deny, "explore:1"},
		{"explore", "", "", "task", `{"prompt":"go on"}`, deny, "explore:1"},
		{"explore", "", "", "read", file("/etc/hosts"), ask, "explore:9"},
		{"explore", "", "", "read", file("/tmp/opencode/x"), allow, "explore:10"},

		// Outside of the project, but for some places.
		{"build", "", "", "read", file("/etc/hosts"), ask, "defaults:3"},
		{"build", "", "", "read", file("../other/main.go"), ask, "defaults:3"},
		{"build", "", "", "write", file("/tmp/opencode/deep/er"), allow, "defaults:4"},
		{"build", "", "", "read", file("/tmp/opencode/../hosts"), ask, "defaults:3"},
		{"build", "", "", "read", file("/home/dev/.config/opencode/skills/go/SKILL.md"), allow, "defaults:5"},
		{"build", "", "", "bash", `{"command":"make","workdir":"/opt"}`, ask, "defaults:3"},
		{"build", "", "", "bash", `{"command":"make","cwd":"/opt"}`, ask, "defaults:3"},
		{"build", "", "", "bash", `{"command":"make","cwd":"src"}`, allow, "defaults:1"},
		{"build", "", "", "read", `{"file_path":"/etc/hosts"}`, ask, "defaults:3"},
		{"build", "", "", "read", file("~/notes.txt"), ask, "defaults:3"},
		{"build", "", "", "read", file("$HOME/notes.txt"), ask, "defaults:3"},
		{"build", "", "", "read", file("src/~/notes.txt"), allow, "defaults:1"},
		{"build", "", "", "list", `{"path":"~"}`, ask, "defaults:3"},
		{"build", "", "", "mine", `{"filePath":"a.go","cwd":"/opt"}`, ask, "defaults:3"},
		{"plan", "", "", "edit", file("/tmp/opencode/x"), deny, "plan:4"},

		// A user's rules go over the role's, and a session's over all.
		{"plan", "edit docs/* allow", "", "edit", file("docs/a.md"), allow, "user:1"},
		{"plan", "edit docs/* allow", "", "edit", file("src/a.go"), deny, "plan:4"},
		{"plan", "edit docs/* allow", "edit docs/secret/* deny", "edit", file("docs/secret/a.md"), deny, "session:1"},
		{"plan", "edit docs/* allow", "edit docs/secret/* deny", "edit", file("docs/a.md"), allow, "user:1"},
		{"build", "bash * ask, bash git * allow", "", "bash", `{"command":"git status"}`, allow, "user:2"},
		{"build", "bash git * allow, bash * ask", "", "bash", `{"command":"git status"}`, ask, "user:2"},
		{"build", "bash * ask", "* * allow", "bash", `{"command":"make"}`, allow, "session:1"},
		{"build", "read * allow", "", "read", file(".env"), allow, "user:1"},
		{"build", "read app/[id]/* deny", "", "read", file("app/[id]/page.tsx"), deny, "user:1"},
		{"build", "read app/[id]/* deny", "", "read", file("app/i/page.tsx"), allow, "defaults:1"},
		{"build", "external_directory /opt/* deny", "", "read", file("/opt/x"), deny, "user:1"},

		// What no rule matches is asked.
		{"none", "", "", "read", file("a.go"), ask, ""},
		{"none", "read *.go allow", "", "read", file("a.go"), allow, "user:1"},
		{"none", "read *.go allow", "", "read", file("a.md"), ask, ""},
		{"none", "read *.go allow", "", "edit", file("a.go"), ask, ""},
	} {
		p := policy(t, c.role, rules(t, "user", c.user), rules(t, "session", c.session))
		asked := call{ToolCall: permission.ToolCall{Name: c.tool, Input: json.RawMessage(c.input)}}
		d := asked.judge(p, options())
		place := ""
		if d.Rule != nil {
			place = fmt.Sprintf("%s:%d", d.Rule.File, d.Rule.Line)
		}
		assert.Equal(t, fmt.Sprint(c.want, " by ", c.rule), fmt.Sprint(d.Action, " by ", place), "%s: %v", c.role, asked)
	}
}

// wildcard reports whether a pattern of * and ? matches all of a text.
func wildcard(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return wildcard(pattern[1:], text) || text != "" && wildcard(pattern, text[1:])
	case text == "":
		return false
	}
	return (pattern[0] == '?' || pattern[0] == text[0]) && wildcard(pattern[1:], text[1:])
}

// lastMatch is what OpenCode makes of its rulesets.
func lastMatch(sets []ruleset, permission, text string) permission.Action {
	action := ask
	for _, s := range sets {
		for _, r := range s.rules {
			if wildcard(r.permission, permission) && wildcard(r.pattern, text) {
				action = r.action
			}
		}
	}
	return action
}

// The reversed lists answer as the lists do, for things that have one spelling.
func TestFirstMatchOfTheReverseIsLastMatch(t *testing.T) {
	permissions := []string{"read", "edit", "grep", "bash", "task", "question", "plan_enter", "plan_exit", "repo_clone", "lsp"}
	texts := []string{
		".env", "web/.env", "a.env.b", "web/.env.example", "src/a.go", ".opencode/plans/a.md", ".opencode/plans/a.txt",
		"docs/a", "docs/b/c", "x",
	}
	session := rules(t, "session", "re?d docs/* deny, * *.md ask, *_exit * allow, read docs/a* allow, task ? deny")
	n := 0
	for _, role := range []string{"none", "build", "plan", "explore"} {
		sets := append(below(t, role), session)
		p := policy(t, role, session)
		for _, name := range permissions {
			kind := permission.Text
			if name == "read" || name == "edit" || name == "grep" {
				kind = permission.Path
			}
			if name == "bash" {
				kind = permission.Command
			}
			for _, text := range texts {
				d := p.EvaluateSubjects(name, permission.Subject{Kind: kind, Text: text})
				assert.Equal(t, lastMatch(sets, name, text), d.Action, "%s: %s %s: %v", role, name, text, d)
				n++
			}
		}
	}
	assert.Equal(t, 400, n)
}

// Tools that a role can never use need not be shown to the model.
func TestToolsThatARoleDoesNotHave(t *testing.T) {
	for role, none := range map[string][]string{
		"build":   {"plan_exit", "repo_clone", "repo_overview"},
		"plan":    {"plan_enter", "repo_clone", "repo_overview"},
		"explore": {"edit", "write", "task", "question", "plan_enter", "plan_exit", "repo_clone", "repo_overview"},
	} {
		var got []string
		for _, tool := range []string{"read", "edit", "write", "grep", "bash", "task", "question", "plan_enter", "plan_exit", "repo_clone", "repo_overview"} {
			if policy(t, role).DeniesAll(tool) {
				got = append(got, tool)
			}
		}
		assert.Equal(t, none, got, role)
	}
}

func TestConsumer(t *testing.T) {
	for yes, want := range map[bool]int{false: 0, true: 1} {
		var out strings.Builder
		a, ran := start(t, policy(t, "build"), consumer{yes: yes, out: &out})
		r := a.call(context.Background(), read("1", ".env"))
		assert.Equal(t, !yes, r.IsError)
		assert.Len(t, ran(), want)
		assert.Equal(t, !yes, strings.Contains(out.String(), `read asks for ".env"`))
		assert.NotContains(t, r.Content, "user refused", "nobody was there to say so")
	}
}
