package permission_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// linux is where the tests run their calls, wherever they run themselves.
func linux() *permission.Options {
	return &permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"}
}

// rules makes rules of lines such as "deny bash rm *".
func rules(t testing.TB, lines ...string) []permission.Rule {
	t.Helper()
	var rs []permission.Rule
	for _, line := range lines {
		word := strings.SplitN(line, " ", 3)
		require.Len(t, word, 3, line)
		action, err := permission.ParseAction(word[0])
		require.NoError(t, err)
		rs = append(rs, permission.Rule{Action: action, Tool: word[1], Pattern: word[2]})
	}
	return rs
}

func compile(t testing.TB, fallback permission.Action, lines ...string) *permission.Policy {
	t.Helper()
	p, err := permission.Compile(fallback, rules(t, lines...), linux())
	require.NoError(t, err)
	return p
}

func call(tool, input string) permission.ToolCall {
	return permission.ToolCall{ID: "id-1", Name: tool, Input: json.RawMessage(input)}
}

func TestTheZeroValueRefuses(t *testing.T) {
	ls := call("bash", `{"command":"ls"}`)
	var p *permission.Policy
	for name, d := range map[string]permission.Decision{
		"decision":           {},
		"nil policy":         p.Evaluate(ls),
		"zero policy":        new(permission.Policy).Evaluate(ls),
		"subjects of nil":    p.EvaluateSubjects("bash", permission.Subject{}),
		"strictest of none":  permission.Strictest().Evaluate(ls),
		"strictest with nil": permission.Strictest(compile(t, permission.Allow), nil).Evaluate(ls),
	} {
		assert.Equal(t, permission.Deny, d.Action, name)
		assert.Equal(t, permission.CauseFault, d.Cause, name)
	}
	assert.False(t, permission.Verdict{}.Proceed)
	assert.Equal(t, permission.Reject, permission.Reply{}.Answer)
	assert.True(t, p.Enabled())
	assert.True(t, p.DeniesAll("bash"))
	assert.True(t, new(permission.Policy).DeniesAll("bash"))
	assert.Empty(t, p.Rules())
	assert.Empty(t, p.Hash())
	_, err := p.Override(permission.Rule{Tool: "*", Pattern: "*", Action: permission.Allow})
	assert.Error(t, err)
}

func TestTheFirstRuleThatMatchesDecides(t *testing.T) {
	p := compile(t, permission.Ask,
		"allow bash git status *",
		"deny bash git *",
		"allow bash ls *",
		"ask mcp__*__delete* *",
		"allow mcp__db__* *",
		"deny {read,write} **/.env",
		"allow read *",
		"deny webfetch https://evil.test",
		"allow webfetch https://*.example.com/*",
	)
	for _, c := range []struct {
		tool, input string
		want        permission.Action
		cause       permission.Cause
		rule        int // counted from 1; 0 for none
	}{
		{"bash", `{"command":"git status -s"}`, permission.Allow, permission.CauseRule, 1},
		{"bash", `{"command":"git status"}`, permission.Allow, permission.CauseRule, 1},
		{"bash", `{"command":"  git   push "}`, permission.Deny, permission.CauseRule, 2},
		{"bash", `{"command":"make"}`, permission.Ask, permission.CauseDefault, 0},
		{"bash", `{"command":"$X push"}`, permission.Ask, permission.CauseDoubt, 2},
		{"bash", `{"command":"ls | git push"}`, permission.Deny, permission.CauseRule, 2},
		{"bash", `{"command":"cd src && ls"}`, permission.Allow, permission.CauseRule, 3},
		{"bash", `{"command":"cd src"}`, permission.Ask, permission.CauseDefault, 0},
		{"bash", `{"command":["ls","-l"]}`, permission.Allow, permission.CauseRule, 3},
		{"bash", `{"command":"/bin/git push"}`, permission.Deny, permission.CauseRule, 2},
		{"Bash", `{"command":"git push"}`, permission.Ask, permission.CauseDefault, 0},
		{"mcp__db__delete_row", `{"id":7}`, permission.Ask, permission.CauseRule, 4},
		{"mcp__db__read_row", `{"id":7}`, permission.Allow, permission.CauseRule, 5},
		{"write", `{"path":"a/../.env"}`, permission.Deny, permission.CauseRule, 6},
		{"read", `{"file_path":"a/b"}`, permission.Allow, permission.CauseRule, 7},
		{"webfetch", `{"url":"https://EVIL.test:443/x?y"}`, permission.Deny, permission.CauseRule, 8},
		{"webfetch", `{"url":"https://api.example.com/x"}`, permission.Allow, permission.CauseRule, 9},
		{"webfetch", `{"url":"https://evil.test.example.org/.example.com/"}`, permission.Ask, permission.CauseDefault, 0},
		{"read", `{"path":7}`, permission.Deny, permission.CauseMalformed, 0},
		{"read", ``, permission.Deny, permission.CauseMalformed, 0},
		{"read", `{"path":"a","path":"a"}`, permission.Deny, permission.CauseMalformed, 0},
		{"", `{}`, permission.Deny, permission.CauseMalformed, 0},
		{"a b", `{}`, permission.Deny, permission.CauseMalformed, 0},
	} {
		d := p.Evaluate(call(c.tool, c.input))
		assert.Equal(t, c.want, d.Action, "%s %s", c.tool, c.input)
		assert.Equal(t, c.cause, d.Cause, "%s %s", c.tool, c.input)
		if c.rule == 0 {
			assert.Nil(t, d.Rule, "%s %s", c.tool, c.input)
		} else if assert.NotNil(t, d.Rule, "%s %s", c.tool, c.input) {
			assert.Equal(t, p.Rules()[c.rule-1], *d.Rule, "%s %s", c.tool, c.input)
		}
	}
}

func TestTheStrictestSubjectDecides(t *testing.T) {
	p := compile(t, permission.Allow, "ask read docs/*", "deny read infra/*")
	ask := permission.Subject{Kind: permission.Path, Text: "docs/a"}
	deny := permission.Subject{Kind: permission.Path, Text: "./infra/a"}
	other := permission.Subject{Kind: permission.Path, Text: "x"}

	d := p.EvaluateSubjects("read", other, ask, deny)
	assert.Equal(t, permission.Deny, d.Action)
	assert.Equal(t, "infra/a", d.Subject.Text)

	d = p.EvaluateSubjects("read", other, ask, permission.Subject{Kind: permission.Path, Text: "docs/b"})
	assert.Equal(t, permission.Ask, d.Action)
	assert.Equal(t, "docs/a", d.Subject.Text, "the earliest of equals")

	assert.Equal(t, permission.Allow, p.EvaluateSubjects("read", other).Action)
	assert.Equal(t, permission.CauseMalformed, p.EvaluateSubjects("read").Cause, "all of nothing is not allowed")
}

func TestSubjectsThatRulesCannotReach(t *testing.T) {
	// The rules of bash are compiled for commands. A path among its subjects
	// would pass all of them.
	p := compile(t, permission.Allow, "deny bash /etc/*")
	for _, s := range []permission.Subject{
		{Kind: permission.Path, Text: "/etc/passwd"},
		{Kind: permission.Kind(99), Text: "x"},
	} {
		d := p.EvaluateSubjects("bash", s)
		assert.Equal(t, permission.CauseMalformed, d.Cause, s)
		assert.Equal(t, permission.Deny, d.Action, s)
	}
	d := p.EvaluateSubjects("external_directory", permission.Subject{Kind: permission.Path, Text: "/etc"})
	assert.Equal(t, permission.Allow, d.Action, "a tool that nobody has declared can have any")
	d = p.EvaluateSubjects("external_directory", permission.Subject{Text: "\xff"})
	assert.Equal(t, permission.CauseMalformed, d.Cause, "not UTF-8")
}

func TestAnUnknownPartNeedsAStar(t *testing.T) {
	unknown := `{"command":"$X"}`
	for want, lines := range map[permission.Action][]string{
		permission.Allow: {"allow bash *"},
		permission.Deny:  {"allow bash ls *", "allow bash ?*", "deny bash **"},
		permission.Ask:   {"ask bash rm *", "allow bash *"},
	} {
		d := compile(t, permission.Deny, lines...).Evaluate(call("bash", unknown))
		assert.Equal(t, want, d.Action, lines)
		assert.NotEmpty(t, d.Detail, lines)
	}
	// A doubt makes nothing milder: what a later rule denies stays denied.
	d := compile(t, permission.Allow, "ask bash rm *", "deny bash *").Evaluate(call("bash", unknown))
	assert.Equal(t, permission.Deny, d.Action)
	assert.Equal(t, permission.CauseRule, d.Cause)
	// Where only allows are written the default decides.
	d = compile(t, permission.Deny, "allow bash cd *").Evaluate(call("bash", unknown))
	assert.Equal(t, permission.CauseDefault, d.Cause)

	// A path that may be anywhere is not inside the root.
	p := compile(t, permission.Deny, "allow read ./*", "allow read /*")
	assert.Equal(t, permission.Deny, p.Evaluate(call("read", `{"path":"file://host/x"}`)).Action)
}

// What another part answers for needs no rule, and is in doubt all the same.
func TestAPartThatNeedsNoRuleMayBeInDoubt(t *testing.T) {
	p := compile(t, permission.Deny, "deny bash rm *", "allow bash npx *")
	assert.Equal(t, permission.Allow, p.Evaluate(call("bash", `{"command":"npx eslint"}`)).Action)
	d := p.Evaluate(call("bash", `{"command":"npx -- $X y"}`))
	assert.Equal(t, permission.Ask, d.Action)
	assert.Equal(t, permission.CauseDoubt, d.Cause)
}

func TestOverridingRulesGoFirst(t *testing.T) {
	base := compile(t, permission.Ask, "deny bash rm *", "allow bash ls *")
	over, err := base.Override(rules(t, "allow bash rm -i *")...)
	require.NoError(t, err)
	for cmd, want := range map[string]permission.Action{
		"rm -i x": permission.Allow,
		"rm x":    permission.Deny,
		"ls":      permission.Allow,
		"make":    permission.Ask,
	} {
		in, err := over.Input("bash", cmd)
		require.NoError(t, err)
		assert.Equal(t, want, over.Evaluate(call("bash", string(in))).Action, cmd)
	}
	assert.NotEqual(t, base.Hash(), over.Hash())
	assert.Equal(t, permission.Deny, base.Evaluate(call("bash", `{"command":"rm -i x"}`)).Action, "the base is what it was")

	_, err = permission.Strictest(base).Override()
	assert.ErrorContains(t, err, "Strictest")
	_, err = base.Override(permission.Rule{Tool: "bash", Pattern: "[", Action: permission.Allow})
	assert.ErrorContains(t, err, "rule 1")
	disabled, err := permission.ParseManifest("m.toml", nil, linux())
	require.NoError(t, err)
	_, err = disabled.Override(rules(t, "allow bash *")...)
	assert.ErrorContains(t, err, "disabled")
	_, err = base.Input("mcp__x__y", "a")
	assert.Error(t, err, "its arguments are not known")
}

func TestTheStrictestPolicyDecides(t *testing.T) {
	user := compile(t, permission.Ask, "allow bash ls *", "allow bash git *")
	project := compile(t, permission.Allow, "deny bash git push *")
	both := permission.Strictest(user, project)
	for cmd, want := range map[string]permission.Action{
		"ls":       permission.Allow,
		"git log":  permission.Allow,
		"git push": permission.Deny,
		"make":     permission.Ask,
	} {
		in, err := user.Input("bash", cmd)
		require.NoError(t, err)
		assert.Equal(t, want, both.Evaluate(call("bash", string(in))).Action, cmd)
	}
	assert.Len(t, both.Rules(), 3)
	assert.NotEmpty(t, both.Hash())
	assert.True(t, both.Enabled())
}

func TestDeniesAllIsTrueOnlyWhereNothingPasses(t *testing.T) {
	for _, c := range []struct {
		fallback permission.Action
		rules    []string
		want     bool
	}{
		{permission.Deny, nil, true},
		{permission.Ask, nil, false},
		{permission.Allow, []string{"deny bash *"}, true},
		{permission.Allow, []string{"deny b* {x,**}"}, true},
		{permission.Allow, []string{"deny bash rm *"}, false},
		{permission.Deny, []string{"deny bash rm *"}, true},
		{permission.Deny, []string{"allow bash ls"}, false},
		{permission.Deny, []string{"ask bash ls"}, false},
		{permission.Deny, []string{"allow read *"}, true},
		{permission.Allow, []string{"deny bash ls *", "deny bash *"}, true},
		{permission.Allow, []string{"allow bash ls *", "deny bash *"}, false},
		{permission.Allow, []string{"deny bash ?*"}, false},
	} {
		p := compile(t, c.fallback, c.rules...)
		assert.Equal(t, c.want, p.DeniesAll("bash"), "%v %v", c.fallback, c.rules)
		assert.Equal(t, c.want, permission.Strictest(compile(t, permission.Allow), p).DeniesAll("bash"))
	}
}

func TestADisabledPolicyDeniesNothing(t *testing.T) {
	p, err := permission.ParseManifest("m.toml", nil, linux())
	require.NoError(t, err)
	assert.False(t, p.DeniesAll("bash"))
}

// A pattern for what is inside the root says nothing of what is not.
func TestARuleForTheRootDeniesNotAllPaths(t *testing.T) {
	for rule, want := range map[string]bool{
		"deny read *":    true,
		"deny read **":   true,
		"deny * *":       true,
		"deny read ./*":  false,
		"deny read ./**": false,
	} {
		p := compile(t, permission.Allow, rule)
		assert.Equal(t, want, p.DeniesAll("read"), rule)
	}
}

func TestCompileRefuses(t *testing.T) {
	ok := permission.Rule{Tool: "bash", Pattern: "ls", Action: permission.Allow}
	for want, change := range map[string]func(*permission.Rule, *permission.Options){
		"tool: empty":              func(r *permission.Rule, _ *permission.Options) { r.Tool = "" },
		"tool: \"b c\"":            func(r *permission.Rule, _ *permission.Options) { r.Tool = "b c" },
		"tool: at offset 0":        func(r *permission.Rule, _ *permission.Options) { r.Tool = "[" },
		"pattern: empty":           func(r *permission.Rule, _ *permission.Options) { r.Pattern = " " },
		"pattern: at offset":       func(r *permission.Rule, _ *permission.Options) { r.Pattern = "a{b,c" },
		"action: unknown":          func(r *permission.Rule, _ *permission.Options) { r.Action = 3 },
		"Options: Root is":         func(_ *permission.Rule, o *permission.Options) { o.Root = "proj" },
		"Options: Home is":         func(_ *permission.Rule, o *permission.Options) { o.Home = "u" },
		"Options: Shell is":        func(_ *permission.Rule, o *permission.Options) { o.Shell = "fish" },
		"Options: Wrappers has":    func(_ *permission.Rule, o *permission.Options) { o.Wrappers = []string{"a b"} },
		"Options: HarmlessEnv has": func(_ *permission.Rule, o *permission.Options) { o.HarmlessEnv = []string{"A-B"} },
		"a blank or line end":      func(r *permission.Rule, _ *permission.Options) { r.Pattern = "**/.env\n" },
		"a control character":      func(r *permission.Rule, _ *permission.Options) { r.Pattern = "a\bin" },
		"takes the name of a host": func(r *permission.Rule, _ *permission.Options) {
			r.Tool, r.Pattern = "webfetch", "domain:https://evil.test"
		},
		"which no tool's name has": func(r *permission.Rule, _ *permission.Options) { r.Tool = "read|write" },
		"tool[1]: name":            func(_ *permission.Rule, o *permission.Options) { o.Tools = []permission.Tool{{}} },
		"tool[1]: arguments":       func(_ *permission.Rule, o *permission.Options) { o.Tools = []permission.Tool{{Name: "x"}} },
		"arguments: an empty name": func(_ *permission.Rule, o *permission.Options) {
			o.Tools = []permission.Tool{{Name: "x", Arguments: []string{""}}}
		},
		"tool[1]: kind": func(_ *permission.Rule, o *permission.Options) {
			o.Tools = []permission.Tool{{Name: "x", Kind: 9, Arguments: []string{"a"}}}
		},
	} {
		r, o := ok, linux()
		change(&r, o)
		p, err := permission.Compile(permission.Ask, []permission.Rule{ok, r}, o)
		assert.ErrorContains(t, err, want)
		assert.Nil(t, p)
	}
	_, err := permission.Compile(permission.Action(7), nil, linux())
	assert.ErrorContains(t, err, "default_action: unknown action Action(7): want Deny, Ask or Allow")
	_, err = permission.Compile(permission.Ask, make([]permission.Rule, 100_001), linux())
	assert.ErrorContains(t, err, "100000 at most")

	// Everything that is wrong is said at once.
	_, err = permission.Compile(permission.Ask, []permission.Rule{{}, ok, {Tool: "a", Pattern: "["}}, linux())
	assert.ErrorContains(t, err, "rule 1")
	assert.ErrorContains(t, err, "rule 3")
}

// Where relative paths start from has to be known.
func TestThereIsNoPolicyWithoutARoot(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not every system lets the current directory go")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PWD", "")
	require.NoError(t, os.Remove(dir))
	for _, src := range []string{"", manifestHead} {
		p, err := permission.ParseManifest("m.toml", []byte(src), nil)
		assert.ErrorContains(t, err, "Root is empty")
		assert.Nil(t, p)
	}
}

func TestDeclaredToolsAreReadAsDeclared(t *testing.T) {
	o := linux()
	o.Tools = []permission.Tool{
		{Name: "mcp__files__*", Kind: permission.Path, Arguments: []string{"target"}, Optional: []string{"also"}},
		{Name: "mcp__{files,web}__put", Kind: permission.URL, Optional: []string{"from"}},
	}
	p, err := permission.Compile(permission.Deny, rules(t, "allow mcp__files__* ./*", "allow mcp__files__put https://a.test/*"), o)
	require.NoError(t, err)
	for input, want := range map[string]permission.Action{
		`{"target":"a/b","note":"free text is no subject"}`: permission.Allow,
		`{"target":"../b"}`:                          permission.Deny,
		`{"target":"a","also":["b","/etc"]}`:         permission.Deny,
		`{"target":"a","also":["b","c"]}`:            permission.Allow,
		`{"target":"a","from":"https://a.test/x"}`:   permission.Allow,
		`{"target":"a","from":"https://b.test/x"}`:   permission.Deny,
		`{"target":["a"],"from":"https://a.test/x"}`: permission.Allow,
		`{"Target":"a"}`:                             permission.Deny,
		`{"target":"a","TARGET":"b"}`:                permission.Deny,
		`{"also":"a"}`:                               permission.Deny,
		`{"target":null}`:                            permission.Deny,
		`{"target":[]}`:                              permission.Deny,
		`{"target":{}}`:                              permission.Deny,
		`{"target":["a",1]}`:                         permission.Deny,
	} {
		assert.Equal(t, want, p.Evaluate(call("mcp__files__put", input)).Action, input)
	}
}

func FuzzNoInputPanicsOrPasses(f *testing.F) {
	for _, in := range []string{``, `{}`, `{"command":"ls"}`, `{"path":"a"}`, `{"edits":[{"path":"a"}]}`, `{"url":"https://a.test/%2e%2e"}`, `[`, "\xff"} {
		for _, tool := range []string{"bash", "read", "multi_edit", "glob", "grep", "webfetch", "apply_patch", "other", ""} {
			f.Add(tool, "", []byte(in))
		}
	}
	nothing, err := permission.Compile(permission.Ask, []permission.Rule{{Tool: "*", Pattern: "a*"}, {Tool: "*", Pattern: "*b", Action: permission.Ask}}, linux())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, tool, dir string, input []byte) {
		d := nothing.Evaluate(permission.ToolCall{Name: tool, Dir: dir, Input: input})
		if d.Action == permission.Allow {
			t.Fatalf("a policy without allows allows %q %q", tool, input)
		}
		if d.Cause == permission.CauseFault {
			t.Fatalf("a fault: %v", fmt.Sprint(d))
		}
	})
}

// What a decision holds is its owner's: to change it changes no later answer,
// neither of the policy nor of one that is made of it.
func TestTheRuleOfADecisionIsACopy(t *testing.T) {
	p := compile(t, permission.Allow, "ask bash *")
	c := call("bash", `{"command":"ls"}`)
	for _, d := range []permission.Decision{
		p.Evaluate(c), p.Explain(c).Decision, p.Explain(c).Subjects[0].Decision, permission.Strictest(p).Evaluate(c),
	} {
		*d.Rule = permission.Rule{Tool: "x", Pattern: "x", Action: permission.Allow}
	}
	assert.Equal(t, permission.Ask, p.Evaluate(c).Action)
	assert.Equal(t, "*", p.Evaluate(c).Rule.Pattern)
	over, err := p.Override()
	require.NoError(t, err)
	assert.Equal(t, permission.Ask, over.Evaluate(c).Action)
	_, err = permission.NewHook(p, nil)
	assert.ErrorContains(t, err, "approver")
}
