package permission_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// parseSkill reads a skill with an allowed-tools field.
func parseSkill(t testing.TB, tools string) *permission.Skill {
	t.Helper()
	s, err := permission.ParseSkill("demo/SKILL.md", skill("allowed-tools: "+tools))
	require.NoError(t, err)
	return s
}

// within returns a context in which skills run, each inside the one before.
func within(t testing.TB, p *permission.Policy, tools ...string) context.Context {
	t.Helper()
	ctx := t.Context()
	for _, list := range tools {
		var err error
		ctx, err = p.WithSkill(ctx, parseSkill(t, list))
		require.NoError(t, err)
	}
	return ctx
}

func TestASkillRestricts(t *testing.T) {
	declared := linux()
	declared.Tools = []permission.Tool{{Name: "mcp__Files__put", Kind: permission.Path, Arguments: []string{"target"}}}
	declared.SkillAliases = map[string]string{"Read": "read_file", "write": "{write_file,append_file}"}
	declared.SkillAlways = []permission.Rule{
		{Tool: "Skill", Pattern: "*", Action: permission.Allow},
		{Tool: "read_file", Pattern: "/skills/*", Action: permission.Allow},
	}
	for _, tt := range []struct {
		name, tools string
		calls       map[string]bool // "tool input" and whether it runs
	}{
		{"a list of tools", "Read, Glob", map[string]bool{
			`read_file {"path":"a"}`: true, `glob {"pattern":"*.go"}`: true, `Glob {"pattern":"*.go"}`: true,
			`edit {"path":"a"}`: false, `bash {"command":"ls"}`: false, `Read {"path":"a"}`: false,
			`Skill {"name":"x"}`: true, `readx {"path":"a"}`: false, `Kglob {"pattern":"*.go"}`: false,
		}},
		{"commands", "Bash(git:*) Bash(go test *)", map[string]bool{
			`bash {"command":"git"}`: true, `bash {"command":"git push origin"}`: true, `bash {"command":"cd web && git log"}`: true,
			`bash {"command":"git log && go test ./..."}`: true, `bash {"command":"git log && rm x"}`: false,
			`bash {"command":"git log > out"}`: false, `bash {"command":"$GIT log"}`: false, `bash {"command":"git $X"}`: true,
			`bash {"command":"./git log"}`: false, `bash {"command":"LD_PRELOAD=x git log"}`: false, `bash {"command":"gitleaks"}`: false, `bash {"command":"go vet"}`: false, `shell {"command":"git log"}`: false,
			`bash {"command":7}`: false,
		}},
		{"a whole shell", "Bash", map[string]bool{`bash {"command":"$X > $Y"}`: true, `bash {"command":"ls"}`: true}},
		{"paths", "Write(docs/*)", map[string]bool{
			`write_file {"path":"docs/a"}`: true, `append_file {"path":"./docs/a/b"}`: true, `write_file {"path":"docs/../a"}`: false,
			`write_file {"path":["docs/a","b"]}`: false, `write {"path":"docs/a"}`: false,
		}},
		{"a tool of the operator's", "mcp__files__put(a/*)", map[string]bool{
			`mcp__Files__put {"target":"a/b"}`: true, `mcp__Files__put {"target":"b"}`: false, `mcp__Files__get {"target":"a/b"}`: false,
		}},
		{"tools by a wildcard", "mcp__files__*", map[string]bool{
			`mcp__Files__put {"target":"a/b"}`: true, `mcp__files__get {"x":"y","n":3}`: true, `mcp__mail__get {"x":"y"}`: false,
		}},
		{"none", "[]", map[string]bool{
			`read_file {"path":"a"}`: false, `read_file {"path":"/skills/demo/guide.md"}`: true, `read_file {"path":"/skills/../etc/x"}`: false,
			`Skill {"name":"x"}`: true, `bash {"command":"true"}`: false,
		}},
		{"every tool", "'*'", map[string]bool{`bash {"command":"$X"}`: true, `x {}`: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := permission.Compile(permission.Allow, nil, declared)
			require.NoError(t, err)
			disabled, err := permission.ParseManifest("m.toml", nil, declared)
			require.NoError(t, err)
			for _, p := range []*permission.Policy{p, disabled, permission.Strictest(p, disabled), permission.Strictest(disabled)} {
				h := hook(t, p, nil)
				ctx := within(t, p, tt.tools)
				for line, runs := range tt.calls {
					c := callOf(line)
					v := h.PreToolCall(ctx, c)
					assert.Equal(t, runs, v.Proceed, "%s: %v", line, v.Decision)
					assert.Equal(t, runs, h.Evaluate(ctx, c).Action == permission.Allow, line)
					assert.Equal(t, runs, v.Decision.Cause != permission.CauseSkill && v.Decision.Cause != permission.CauseMalformed, line)
				}
			}
		})
	}
}

// callOf makes a call of a tool's name and its input.
func callOf(line string) permission.ToolCall {
	for i, r := range line {
		if r == ' ' {
			return call(line[:i], line[i+1:])
		}
	}
	return call(line, "{}")
}

func TestARefusalNamesTheSkillAndItsList(t *testing.T) {
	p := compile(t, permission.Allow)
	h := hook(t, p, nil)
	v := h.PreToolCall(within(t, p, "Read, Bash(git:*)"), call("edit", `{"path":"a.go"}`))
	assert.True(t, v.Result.IsError)
	assert.Equal(t, permission.CauseSkill, v.Decision.Cause)
	assert.Equal(t, `Permission denied: "edit" "a.go" was not run. The skill "demo" (demo/SKILL.md) allows only Read, Bash(git *). `+
		`Take another way, or tell the user what you need and why.`, v.Result.Content)
	v = h.PreToolCall(within(t, p, "[]"), call("read", `{"path":"a.go"}`))
	assert.Contains(t, v.Result.Content, `The skill "demo" (demo/SKILL.md) declares no tools.`)
	v = h.PreToolCall(within(t, p, "a b c d e f g h i j k l m n"), call("read", `{"path":"a.go"}`))
	assert.Contains(t, v.Result.Content, "k, l, and 2 more.")
}

// A skill's list is no approval: the policy decides as it does without.
func TestASkillNeverGrants(t *testing.T) {
	a := &counter{answer: permission.Always}
	p := compile(t, permission.Ask, "deny bash git push *")
	h := hook(t, p, &permission.HookOptions{Approver: a})
	ctx := within(t, p, "Bash(git:*), Edit")
	c := sessionCall(t, "s", "bash", map[string]any{"command": "git push"})
	assert.Equal(t, permission.CauseRule, h.PreToolCall(ctx, c).Decision.Cause)

	edit := sessionCall(t, "s", "edit", map[string]any{"path": "a"})
	assert.Equal(t, permission.CauseAlways, h.PreToolCall(ctx, edit).Decision.Cause)
	require.Len(t, a.asked, 1, "it still asks")
	assert.Equal(t, permission.CauseAlways, h.PreToolCall(t.Context(), edit).Decision.Cause, "what was granted stays after the skill")

	write := sessionCall(t, "s", "write", map[string]any{"path": "a"})
	require.True(t, h.PreToolCall(t.Context(), write).Proceed)
	assert.Equal(t, permission.CauseSkill, h.PreToolCall(ctx, write).Decision.Cause, "a grant adds nothing to the skill's list")
	assert.Len(t, a.asked, 2, "what the skill refuses is not asked about")
}

func TestSkillsInOneAnotherMustAgree(t *testing.T) {
	p := compile(t, permission.Allow)
	h := hook(t, p, nil)
	outer := within(t, p, "Read, Grep")
	inner, err := p.WithSkill(outer, parseSkill(t, "Read, Write"))
	require.NoError(t, err)
	for line, in := range map[string][2]bool{
		`read {"path":"a"}`: {true, true}, `write {"path":"a"}`: {false, false}, `grep {"pattern":"a"}`: {true, false},
	} {
		assert.Equal(t, in[0], h.PreToolCall(outer, callOf(line)).Proceed, line)
		assert.Equal(t, in[1], h.PreToolCall(inner, callOf(line)).Proceed, line)
		assert.True(t, h.PreToolCall(t.Context(), callOf(line)).Proceed, line)
	}
	free, err := p.WithSkill(outer, &permission.Skill{Unrestricted: true})
	require.NoError(t, err)
	assert.False(t, h.PreToolCall(free, call("write", `{"path":"a"}`)).Proceed, "one without a list does not lift the other's")
}

// A restriction is its context's: it ends where that is no longer used, also
// after a panic, and calls outside it are judged at the same time.
func TestARestrictionIsItsContexts(t *testing.T) {
	p := compile(t, permission.Allow)
	h := hook(t, p, nil)
	ctx := within(t, p, "Bash(git:*)")
	git, edit := call("bash", `{"command":"git log"}`), call("edit", `{"path":"a"}`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				assert.True(t, h.PreToolCall(ctx, git).Proceed, "a list is not used up")
				assert.False(t, h.PreToolCall(ctx, edit).Proceed)
				assert.True(t, h.PreToolCall(context.Background(), edit).Proceed)
			}
		})
	}
	wg.Wait()
	r := h.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		assert.False(t, h.PreToolCall(ctx, edit).Proceed, "a sub-agent's calls are restricted with its context")
		panic("x")
	})(ctx, git)
	assert.True(t, r.IsError)
	assert.True(t, h.PreToolCall(t.Context(), edit).Proceed)
}

func TestTheZeroSkillRunsNothing(t *testing.T) {
	p := compile(t, permission.Allow)
	s := new(permission.Skill)
	ctx, err := p.WithSkill(t.Context(), s)
	require.NoError(t, err)
	s.Unrestricted = true
	s.Tools = []permission.Rule{{Tool: "*", Pattern: "*", Action: permission.Allow}}
	v := hook(t, p, nil).PreToolCall(ctx, call("read", `{"path":"a"}`))
	assert.Equal(t, permission.CauseSkill, v.Decision.Cause, "the context holds what the skill said")
	assert.Contains(t, v.Result.Content, "The skill declares no tools")
}

func TestWithSkillFailsWithoutASkillOrAPolicy(t *testing.T) {
	p := compile(t, permission.Allow)
	for name, start := range map[string]func() (context.Context, error){
		"nil skill": func() (context.Context, error) { return p.WithSkill(t.Context(), nil) },
		"nil policy": func() (context.Context, error) {
			return (*permission.Policy)(nil).WithSkill(t.Context(), new(permission.Skill))
		},
		"zero policy": func() (context.Context, error) {
			return new(permission.Policy).WithSkill(t.Context(), new(permission.Skill))
		},
		"bad tool": func() (context.Context, error) {
			return p.WithSkill(t.Context(), &permission.Skill{Tools: []permission.Rule{{Tool: "[", Pattern: "*", Action: permission.Allow}}})
		},
		"bad tool for one of several policies": func() (context.Context, error) {
			return permission.Strictest(p, p).WithSkill(t.Context(), &permission.Skill{Tools: []permission.Rule{{Tool: "[", Pattern: "*", Action: permission.Allow}}})
		},
		"a rule that denies": func() (context.Context, error) {
			return p.WithSkill(t.Context(), &permission.Skill{Tools: []permission.Rule{{Tool: "bash", Pattern: "rm *"}}})
		},
		"not compiled": func() (context.Context, error) {
			return permission.Strictest().WithSkill(t.Context(), &permission.Skill{Unrestricted: true})
		},
	} {
		ctx, err := start()
		assert.Error(t, err, name)
		assert.Nil(t, ctx, name)
	}
}

func TestSkillOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]permission.Options{
		`SkillAliases has "" for "Read": empty`:                          {SkillAliases: map[string]string{"Read": ""}},
		`SkillAliases has both "READ" and "Read"`:                        {SkillAliases: map[string]string{"Read": "a", "READ": "b"}},
		`SkillAlways has a rule that says deny: want allow`:              {SkillAlways: []permission.Rule{{Tool: "skill", Pattern: "*"}}},
		`SkillAlways: rule 1: pattern: at offset 0: "[" is never closed`: {SkillAlways: []permission.Rule{{Tool: "skill", Pattern: "[", Action: permission.Allow}}},
		`SkillAlways: rule 1: tool: empty`:                               {SkillAlways: []permission.Rule{{Pattern: "*", Action: permission.Allow}}},
	} {
		o.Root = "/srv/proj"
		_, err := permission.Compile(permission.Allow, nil, &o)
		assert.ErrorContains(t, err, want)
		_, err = permission.ParseManifest("m.toml", nil, &o)
		assert.ErrorContains(t, err, want, "a skill restricts without a [permissions] table too")
	}
}

func TestSkillsThatCoverNothingWarn(t *testing.T) {
	for entry, mention := range map[string]string{
		"Bash(cd ui && npm test *)":    `"&&"`,
		"Bash(a | b)":                  `"|"`,
		"bash(a; b)":                   `"a;"`,
		"Bash(${ROOT}/bin/gen lint:*)": `"${ROOT}/bin/gen"`,
		"Bash(echo $(date))":           `"$(date)"`,
		"Bash(echo `date`)":            "\"`date`\"",
		`Bash(git commit -m "x")`:      `"\"x\"" without`,
		"run_shell_command(a || b)":    `"||"`,

		"Bash(git:*)": "", `Bash(find . -exec rm {} \\;)`: "", "Bash(curl http://x?a&b)": "", "Bash(git log --format=%h|%s)": "",
		`Grep(a && b)`: "", "Bash": "", "Bash(make a=$$)": "", "Read(${HOME}/x)": "",
	} {
		s, err := permission.ParseSkill("SKILL.md", skill("allowed-tools:", "  - '"+entry+"'"))
		require.NoError(t, err, entry)
		if mention == "" {
			assert.Empty(t, s.Warnings, entry)
			continue
		}
		require.Len(t, s.Warnings, 1, entry)
		assert.Contains(t, s.Warnings[0], "SKILL.md:4: allowed-tools: ")
		assert.Contains(t, s.Warnings[0], "covers nothing: ")
		assert.Contains(t, s.Warnings[0], mention, entry)
	}
}

// Whatever the rules, the call and the skills are, no answer is milder with a
// skill than without, and none is milder with one more.
func FuzzASkillNeverWidens(f *testing.F) {
	calls := readCases(f, "calls.jsonl")
	calls = append(calls, readCases(f, "shell.jsonl")...)
	skills := skillCases(f)
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		c := calls[r.IntN(len(calls))].Call
		p, _ := casePolicy(t, c)
		h := hook(t, p, &permission.HookOptions{RefuseAsks: true})
		made := permission.ToolCall{ID: "id-1", Name: c.Tool, Input: c.Input}
		before := h.Evaluate(t.Context(), made).Action
		ctx := t.Context()
		for range 1 + r.IntN(3) {
			s, err := permission.ParseSkill("SKILL.md", skills[r.IntN(len(skills))].Skill.Data)
			if err != nil {
				s = &permission.Skill{Tools: []permission.Rule{{Tool: c.Tool, Pattern: "*", Action: permission.Allow}}}
			}
			ctx, err = p.WithSkill(ctx, s)
			require.NoError(t, err)
			after := h.Evaluate(ctx, made).Action
			assert.LessOrEqual(t, after, before, "%s %s", c.Tool, c.Input)
			before = after
		}
	})
}
