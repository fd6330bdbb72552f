package permission_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// sessionCall is a call of a session, with its input as a value.
func sessionCall(t testing.TB, session, tool string, input map[string]any) permission.ToolCall {
	t.Helper()
	raw, err := json.Marshal(input)
	require.NoError(t, err)
	return permission.ToolCall{ID: "id-1", Name: tool, Session: session, Input: raw}
}

// A counter is an approver that gives one answer and counts what it was asked.
type counter struct {
	answer permission.Answer
	asked  []permission.Request
}

func (c *counter) Approve(_ context.Context, r permission.Request) (permission.Reply, error) {
	c.asked = append(c.asked, r)
	return permission.Reply{ID: r.ID, Answer: c.answer}, nil
}

// What was granted for always runs again without a question; what is not
// exactly that asks.
func TestAlwaysGrantsExactlyWhatWasShown(t *testing.T) {
	windows := &permission.Options{Root: `C:\proj`, Home: `C:\home`, GOOS: "windows"}
	long := strings.Repeat("x", 10_000)
	for _, tt := range []struct {
		name, tool     string
		options        *permission.Options
		granted        map[string]any
		runs, asks     []map[string]any
		never          bool // nothing is offered
		rules          []string
		deniedPatterns []string
	}{
		{
			name: "a command", tool: "bash", granted: map[string]any{"command": "git push origin main"},
			runs: []map[string]any{{"command": "git push origin main"}, {"command": "git push origin main", "cwd": "."}},
			asks: []map[string]any{
				{"command": "cd web && git push origin main"}, {"command": "git push origin main", "cwd": "web"},
				{"command": "git push origin"}, {"command": "git push origin main2"}, {"command": "git push origin main && make"},
				{"command": "git push origin $X"}, {"command": "X=1 git push origin main"}, {"command": "git push origin main > out"},
				{"command": "git push origin main", "cwd": "/tmp"},
			},
			rules: []string{`allow bash "git push origin main"`},
		},
		{
			name: "each command of a line alone", tool: "bash", granted: map[string]any{"command": "make a && make b"},
			runs:  []map[string]any{{"command": "make a"}, {"command": "make b; make a"}},
			asks:  []map[string]any{{"command": "make a b"}, {"command": "make"}},
			rules: []string{`allow bash "make a"`, `allow bash "make b"`},
		},
		{
			name: "quotes are part of it", tool: "bash", granted: map[string]any{"command": `rm "a b"`},
			runs:  []map[string]any{{"command": `rm "a b"`}},
			asks:  []map[string]any{{"command": `rm a b`}, {"command": `rm 'a' b`}},
			rules: []string{`allow bash "rm a b"`},
		},
		{
			name: "wildcards stand for themselves", tool: "bash", granted: map[string]any{"command": `ls '*' '?' '[ab]' '{a,b}'`},
			runs:  []map[string]any{{"command": `ls '*' '?' '[ab]' '{a,b}'`}},
			asks:  []map[string]any{{"command": `ls x y a a`}, {"command": `ls '**' '?' '[ab]' '{a,b}'`}, {"command": `ls * ? [ab] {a,b}`}},
			rules: []string{`allow bash "ls \\* \\? \\[ab\\] \\{a,b\\}"`},
		},
		{
			name: "what a command is fed", tool: "bash", granted: map[string]any{"command": "python3 - <<'E'\nprint(1)\nE\n"},
			runs: []map[string]any{{"command": "python3 - <<'E'\nprint(1)\nE\n"}},
			asks: []map[string]any{
				{"command": "python3 - <<'E'\nprint(2)\nE\n"}, {"command": "python3 -"}, {"command": "python3 - <<< 'print(1)'"},
				{"command": "python3 - < a.py"}, {"command": "{ python3 -; } <<'E'\nprint(1)\nE\n"}, {"command": "echo 'print(2)' | python3 -"},
				{"command": "f() { python3 -; }; f <<'E'\nprint(1)\nE\n"},
			},
		},
		{
			name: "a program at the end of a pipe", tool: "bash", granted: map[string]any{"command": "make list | sh -x run"},
			runs: []map[string]any{{"command": "make list | sh -x run"}, {"command": "make list"}},
			asks: []map[string]any{{"command": "sh -x run"}, {"command": "echo rm | sh -x run"}, {"command": "f() { make list; }; f"}},
		},
		{
			name: "a file that a command writes", tool: "bash", granted: map[string]any{"command": "make > 'out/[a].log'"},
			runs:  []map[string]any{{"command": "make > './out/[a].log'"}, {"command": "make"}},
			asks:  []map[string]any{{"command": "make > out/a.log"}, {"command": "make > out/[a].log"}, {"command": "make > $X"}, {"command": "make < out/b > out/c"}},
			rules: []string{`allow bash "> /srv/proj/out/\\[a\\].log"`, `allow bash "make"`},
		},
		{
			name: "a path", tool: "write", granted: map[string]any{"path": "scratch"},
			runs: []map[string]any{{"path": "./scratch"}, {"path": "/srv/proj/scratch"}, {"path": "a/../scratch"}},
			asks: []map[string]any{{"path": "scratch-backup"}, {"path": "scratch/x"}, {"path": "Scratch"}, {"path": "/scratch"}},
		},
		{
			name: "a path with brackets", tool: "write", granted: map[string]any{"path": "app/[id]/*.ts"},
			runs: []map[string]any{{"path": "app/[id]/*.ts"}},
			asks: []map[string]any{{"path": "app/i/x.ts"}, {"path": "app/[id]/x.ts"}},
		},
		{
			name: "two paths, each alone", tool: "read", granted: map[string]any{"path": []string{"a", "b"}},
			runs: []map[string]any{{"path": "a"}, {"path": "b"}, {"path": []string{"b", "a"}}},
			asks: []map[string]any{{"path": []string{"a", "c"}}},
		},
		{
			name: "windows", tool: "write", options: windows, granted: map[string]any{"path": `src\[a]\x`},
			runs:  []map[string]any{{"path": "src/[a]/x"}, {"path": `C:\proj\src\[a]\x`}, {"path": `c:/proj/src/[a]/x`}},
			asks:  []map[string]any{{"path": `src\a\x`}, {"path": `SRC\[a]\x`}},
			rules: []string{`allow write "C:/proj/src/[[]a]/x"`},
		},
		{
			name: "a page", tool: "webfetch", granted: map[string]any{"url": "https://docs.example.com/a?q=1"},
			runs: []map[string]any{{"url": "https://DOCS.example.com:443/a?q=1#frag"}},
			asks: []map[string]any{{"url": "https://evil.example.com/a?q=1"}, {"url": "https://docs.example.com/a"}, {"url": "https://docs.example.com/ab?q=1"}},
		},
		{
			name: "a very long one", tool: "bash", granted: map[string]any{"command": "echo " + long},
			runs: []map[string]any{{"command": "echo " + long}},
			asks: []map[string]any{{"command": "echo " + long + "x"}, {"command": "echo " + long[1:]}},
		},
		{
			name: "the input of an undeclared tool", tool: "mcp__x__drop", granted: map[string]any{"name": "a*", "dry_run": true},
			runs: []map[string]any{{"name": "a*", "dry_run": true}},
			asks: []map[string]any{
				{"name": "ab", "dry_run": true}, {"name": "a*", "dry_run": false}, {"name": "a*"}, {"name": "a*", "force": true},
				{"dry_run": "a*", "name": true}, {"to": "a*", "dry_run": true},
			},
		},
		{
			name: "the words of a list", tool: "bash", granted: map[string]any{"command": []string{"sudo", "rm", "-rf", "a b", ""}},
			runs: []map[string]any{{"command": []string{"rm", "-rf", "a b", ""}}, {"command": "sudo rm -rf 'a b' ''"}},
			asks: []map[string]any{
				{"command": []string{"sudo", "rm", "-rf", "a", "b", ""}}, {"command": []string{"rm", "-rf", "a", "b", ""}}, {"command": "rm -rf a b ''"},
				{"command": []string{"sudo", "rm", "-rf a", "b", ""}}, {"command": []string{"rm", "-rf", "a b", "''"}},
			},
			rules: []string{`allow bash "sudo rm -rf a b ''"`, `allow bash "rm -rf a b ''"`},
		},
		{
			name: "where a command runs", tool: "bash", granted: map[string]any{"command": "cd web && rm -rf build", "cwd": "a"},
			runs: []map[string]any{{"command": "cd web; rm -rf build", "cwd": "./a/"}},
			asks: []map[string]any{
				{"command": "rm -rf build"}, {"command": "rm -rf build", "cwd": "a"}, {"command": "cd web && rm -rf build"},
				{"command": `"cd" web && cd web && rm -rf build`, "cwd": "a"}, {"command": `\cd src && rm -rf build`, "cwd": "a"},
				{"command": "c''d src && rm -rf build", "cwd": "a"}, {"command": "x=cd; $x src; rm -rf build", "cwd": "a"},
				{"command": "builtin cd src && rm -rf build", "cwd": "a"}, {"command": "eval 'cd src' && rm -rf build", "cwd": "a"},
				{"command": "f() { cd src; }; f && rm -rf build", "cwd": "a"},
				{"command": "cd web && cd .. && rm -rf build", "cwd": "a"}, {"command": "cd web && rm -rf build", "cwd": "b"},
				{"command": "rm -rf build; cd web", "cwd": "a"}, {"command": "(cd web); rm -rf build", "cwd": "a"},
				{"command": "rm -rf build && (cd web)", "cwd": "a"}, {"command": "cd web & rm -rf build", "cwd": "a"},
				{"command": "cd web | rm -rf build", "cwd": "a"}, {"command": "cd web || rm -rf build", "cwd": "a"},
				{"command": "cd web && true & rm -rf build", "cwd": "a"}, {"command": "false && cd web; rm -rf build", "cwd": "a"},
				{"command": "cd web && (cd src); rm -rf build", "cwd": "a"}, {"command": "bash -c 'cd web'; rm -rf build", "cwd": "a"}, {"command": "if false; then cd web; fi; rm -rf build", "cwd": "a"},
			},
			rules: []string{`allow bash "rm -rf build"`},
		},
		{
			name: "behind a cd that goes for the whole line", tool: "bash", granted: map[string]any{"command": "cd web && rm -rf build 2>&1 | tail -5"},
			runs: []map[string]any{{"command": "cd web && rm -rf build"}, {"command": "cd web\nrm -rf build"}, {"command": " cd web ;rm -rf build 2>&1"}},
			asks: []map[string]any{{"command": "rm -rf build"}, {"command": "rm -rf build 2>&1 | tail -5 && cd web"}},
		},
		{
			name: "in a line that goes here and there", tool: "bash", granted: map[string]any{"command": "(cd web && rm -rf build); ls"},
			runs: []map[string]any{{"command": "(cd web && rm -rf build); ls"}},
			asks: []map[string]any{{"command": "cd web && rm -rf build"}, {"command": "(cd web); rm -rf build; ls"}, {"command": "ls"}},
		},
		{
			name: "a command beside a cd", tool: "bash", granted: map[string]any{"command": "cd web | rm -rf build"},
			runs: []map[string]any{{"command": "cd web | rm -rf build"}},
			asks: []map[string]any{
				{"command": "cd web || rm -rf build"}, {"command": "cd web & rm -rf build"}, {"command": "cd web && rm -rf build"},
				{"command": "rm -rf build; cd web"}, {"command": "rm -rf build"},
			},
		},
		{
			name: "what is unknown is never granted", tool: "bash", granted: map[string]any{"command": "make $TARGET"}, never: true,
			asks: []map[string]any{{"command": "make $TARGET"}, {"command": "make"}},
		},
		{
			name: "nor what a variable changes", tool: "bash", granted: map[string]any{"command": "LD_PRELOAD=x make; ls"}, never: true,
			asks: []map[string]any{{"command": "LD_PRELOAD=x make; ls"}, {"command": "LD_PRELOAD=x make"}, {"command": "ls"}},
		},
		{
			name: "nor is a doubt", tool: "bash", deniedPatterns: []string{"rm *"}, granted: map[string]any{"command": "r$X y; make"}, never: true,
			asks: []map[string]any{{"command": "r$X y; make"}, {"command": "make"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.options
			if o == nil {
				o = linux()
			}
			var rules []permission.Rule
			for _, p := range tt.deniedPatterns {
				rules = append(rules, permission.Rule{Tool: tt.tool, Pattern: p})
			}
			p, err := permission.Compile(permission.Ask, rules, o)
			require.NoError(t, err)
			a := &counter{answer: permission.Always}
			h := hook(t, p, &permission.HookOptions{Approver: a})
			v := h.PreToolCall(t.Context(), sessionCall(t, "s", tt.tool, tt.granted))
			require.True(t, v.Proceed)
			require.Len(t, a.asked, 1)
			if tt.never {
				assert.Equal(t, permission.CauseOnce, v.Decision.Cause)
				assert.Empty(t, a.asked[0].Always)
			} else {
				assert.Equal(t, permission.CauseAlways, v.Decision.Cause)
				require.NotEmpty(t, a.asked[0].Always)
				covers(t, o, tt.tool, a.asked[0], tt.granted)
			}
			for i, want := range tt.rules {
				assert.Equal(t, want, a.asked[0].Always[i].String())
			}
			a.answer = permission.Reject
			for _, in := range tt.runs {
				v := h.PreToolCall(t.Context(), sessionCall(t, "s", tt.tool, in))
				assert.True(t, v.Proceed, "%v: %v", in, v.Decision)
				assert.Equal(t, permission.CauseAlways, v.Decision.Cause)
			}
			for _, in := range tt.asks {
				v := h.PreToolCall(t.Context(), sessionCall(t, "s", tt.tool, in))
				assert.Equal(t, permission.CauseRejected, v.Decision.Cause, in)
			}
			v = h.PreToolCall(t.Context(), sessionCall(t, "other", tt.tool, tt.granted))
			assert.Equal(t, permission.CauseRejected, v.Decision.Cause, "a grant is its session's")
			h.EndSession("s")
			v = h.PreToolCall(t.Context(), sessionCall(t, "s", tt.tool, tt.granted))
			assert.Equal(t, permission.CauseRejected, v.Decision.Cause, "a grant ends with its session")
		})
	}
}

// Where a call starts from is part of what was agreed to, whatever reads it.
func TestAGrantIsForItsFolder(t *testing.T) {
	o := linux()
	o.Tools = []permission.Tool{{Name: "task", Kind: permission.Text, Arguments: []string{"text"}}}
	p, err := permission.Compile(permission.Ask, nil, o)
	require.NoError(t, err)
	for _, c := range []struct {
		tool  string
		input map[string]any
	}{
		{"bash", map[string]any{"command": "make"}},
		{"powershell", map[string]any{"command": "make"}},
		{"read", map[string]any{"path": "x"}},
		{"task", map[string]any{"text": "x"}},
		{"undeclared", map[string]any{"target": "x"}},
	} {
		a := &counter{answer: permission.Always}
		h := hook(t, p, &permission.HookOptions{Approver: a})
		call := sessionCall(t, "s", c.tool, c.input)
		call.Dir = "/srv/proj/a"
		require.True(t, h.PreToolCall(t.Context(), call).Proceed, c.tool)
		call.Dir = "/srv/proj/b/../a/"
		assert.Equal(t, permission.CauseAlways, h.PreToolCall(t.Context(), call).Decision.Cause, c.tool)
		require.Len(t, a.asked, 1, c.tool)
		a.answer = permission.Reject
		for _, dir := range []string{"", "/srv/proj", "/srv/proj/b"} {
			call.Dir = dir
			assert.Equal(t, permission.CauseRejected, h.PreToolCall(t.Context(), call).Decision.Cause, "%s in %q", c.tool, dir)
		}
	}
}

// What a grant lets through is never more than the rules that were shown allow.
func FuzzAGrantIsNoMoreThanItsRules(f *testing.F) {
	for _, c := range readCases(f, "shell.jsonl") {
		f.Add(true, commandOf(f, c.Call.Input), commandOf(f, c.Call.Input)+" x")
	}
	f.Add(false, "a/[b]", "a/b")
	f.Add(false, "~/x", "/home/u/x")
	f.Fuzz(func(t *testing.T, shell bool, granted, tried string) {
		tool, argument := "write", "path"
		if shell {
			tool, argument = "bash", "command"
		}
		a := &counter{answer: permission.Always}
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
		h.PreToolCall(t.Context(), sessionCall(t, "s", tool, map[string]any{argument: granted}))
		if len(a.asked) == 0 || len(a.asked[0].Always) == 0 || len(granted) > 2000 {
			t.Skip()
		}
		shown, err := permission.Compile(permission.Deny, a.asked[0].Always, linux())
		require.NoError(t, err)
		for _, text := range []string{granted, tried} {
			c := sessionCall(t, "s", tool, map[string]any{argument: text})
			v := h.PreToolCall(t.Context(), c)
			if v.Decision.Cause == permission.CauseAlways && len(a.asked) == 1 {
				assert.Equal(t, permission.Allow, shown.Evaluate(c).Action, "%q", text)
			}
			a.asked = a.asked[:1]
			assert.True(t, text != granted || v.Decision.Cause == permission.CauseAlways, "%q asks again", text)
		}
	})
}

// commandOf returns the command of an input, or its text.
func commandOf(t testing.TB, input json.RawMessage) string {
	t.Helper()
	var in struct{ Command any }
	require.NoError(t, json.Unmarshal(input, &in))
	s, _ := in.Command.(string)
	return s
}

// covers fails unless the rules of a request, as a policy, allow the call.
func covers(t *testing.T, o *permission.Options, tool string, r permission.Request, input map[string]any) {
	t.Helper()
	for _, rule := range r.Always {
		if len(rule.Pattern) > 4096 {
			return // more than a policy takes
		}
	}
	p, err := permission.Compile(permission.Deny, r.Always, o)
	require.NoError(t, err)
	d := p.Evaluate(sessionCall(t, "s", tool, input))
	assert.Equal(t, permission.Allow, d.Action, "%v", d)
}

func TestNothingIsGrantedWithoutASession(t *testing.T) {
	a := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	for range 2 {
		v := h.PreToolCall(t.Context(), sessionCall(t, "", "bash", map[string]any{"command": "ls"}))
		assert.Equal(t, permission.CauseOnce, v.Decision.Cause)
	}
	require.Len(t, a.asked, 2)
	assert.Empty(t, a.asked[0].Always)
}

func TestOnceIsOnce(t *testing.T) {
	a := &counter{answer: permission.Once}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	for range 2 {
		assert.True(t, h.PreToolCall(t.Context(), sessionCall(t, "s", "bash", map[string]any{"command": "ls"})).Proceed)
	}
	assert.Len(t, a.asked, 2)
}

// A grant settles an ask and nothing else.
func TestAGrantNeverOverridesARefusal(t *testing.T) {
	a := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	c := sessionCall(t, "s", "bash", map[string]any{"command": "rm x"})
	require.True(t, h.PreToolCall(t.Context(), c).Proceed)
	require.NoError(t, h.Swap(compile(t, permission.Ask, "deny bash rm *")))
	assert.Equal(t, permission.CauseRule, h.PreToolCall(t.Context(), c).Decision.Cause)
	require.NoError(t, h.Swap(compile(t, permission.Ask)))
	assert.True(t, h.PreToolCall(t.Context(), c).Proceed, "it is still granted")
	assert.Len(t, a.asked, 1)
	assert.Equal(t, permission.Ask, h.Evaluate(t.Context(), c).Action, "only those who ask look at grants")
}

// A command that was granted at one root runs elsewhere where the root is another.
func TestAGrantIsForItsRoot(t *testing.T) {
	a := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	c := sessionCall(t, "s", "bash", map[string]any{"command": "make"})
	require.True(t, h.PreToolCall(t.Context(), c).Proceed)
	moved, err := permission.Compile(permission.Ask, nil, &permission.Options{Root: "/srv/other", Home: "/home/u", GOOS: "linux"})
	require.NoError(t, err)
	require.NoError(t, h.Swap(moved))
	a.answer = permission.Reject
	assert.Equal(t, permission.CauseRejected, h.PreToolCall(t.Context(), c).Decision.Cause)
	require.NoError(t, h.Swap(compile(t, permission.Ask)))
	assert.True(t, h.PreToolCall(t.Context(), c).Proceed, "it is still granted there")
	assert.Len(t, a.asked, 2)
}

func TestAToolProposesWhatAlwaysCovers(t *testing.T) {
	a := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	at := func(path string) []permission.Subject {
		return []permission.Subject{{Kind: permission.Path, Text: path}}
	}
	c := permission.ToolCall{ID: "id-1", Name: "external_directory", Session: "s", Input: json.RawMessage(`{"filepath":"/data/a/b"}`)}
	require.True(t, h.Authorize(t.Context(), c, at("/data/a/b"), []string{"/data/a/*"}).Proceed)
	require.Len(t, a.asked, 1)
	assert.Equal(t, []permission.Rule{{Tool: "external_directory", Pattern: "/data/a/*", Action: permission.Allow}}, a.asked[0].Always)
	a.answer = permission.Reject
	assert.True(t, h.Authorize(t.Context(), c, at("/data/a/c"), nil).Proceed)
	assert.False(t, h.Authorize(t.Context(), c, at("/data/b"), nil).Proceed)
	assert.False(t, h.Authorize(t.Context(), c, []permission.Subject{{Text: "/data/a/c"}}, nil).Proceed, "a proposal is for its own kind")
	c.Name = "write"
	assert.False(t, h.Authorize(t.Context(), c, at("/data/a/c"), nil).Proceed, "a proposal is for its own permission")

	// A proposal is for the place that it was made in.
	c.Name = "dir"
	a.answer = permission.Always
	require.True(t, h.Authorize(t.Context(), c, at("a"), []string{"./*"}).Proceed)
	a.answer = permission.Reject
	assert.True(t, h.Authorize(t.Context(), c, at("b"), nil).Proceed)
	moved, err := permission.Compile(permission.Ask, nil, &permission.Options{Root: "/home/u", GOOS: "linux"})
	require.NoError(t, err)
	require.NoError(t, h.Swap(moved))
	assert.False(t, h.Authorize(t.Context(), c, at("/home/u/.ssh/id"), nil).Proceed)

	// What is unknown is not granted by a proposal either, and there are not too many.
	a.answer, a.asked = permission.Always, nil
	run := func(s string, always ...string) permission.Verdict {
		return h.Authorize(t.Context(), permission.ToolCall{Name: "run", Session: "s"}, []permission.Subject{{Kind: permission.Command, Text: s}}, always)
	}
	assert.Equal(t, permission.CauseOnce, run("rm $X", "rm *").Decision.Cause)
	assert.Equal(t, permission.CauseAlways, run("rm x", "rm *").Decision.Cause)
	a.answer = permission.Reject
	assert.Equal(t, permission.CauseAlways, run("rm y").Decision.Cause)
	assert.Equal(t, permission.CauseRejected, run("rm $Y").Decision.Cause)
	assert.Equal(t, permission.CauseRejected, run("./rm y").Decision.Cause, "as an allow it is for what is exactly it")
	assert.Equal(t, permission.CauseFault, run("ls", slices.Repeat([]string{"ls *"}, 65)...).Decision.Cause)

	for _, bad := range []string{"", " ", "[", "{a", "a\x00"} {
		v := h.Authorize(t.Context(), c, at("/data/x"), []string{bad})
		assert.Equal(t, permission.CauseFault, v.Decision.Cause, "%q", bad)
	}
	c.Input = json.RawMessage(`{"a":`)
	assert.Equal(t, permission.CauseMalformed, h.Authorize(t.Context(), c, at("/data/a/c"), nil).Decision.Cause)
}

// What an approver that always agrees grants is bounded.
func TestGrantsAreBounded(t *testing.T) {
	a := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
	var offered int
	for i := range 40 {
		c := sessionCall(t, "s", "note", map[string]any{"text": fmt.Sprint(i, strings.Repeat("x", 60_000))})
		require.True(t, h.PreToolCall(t.Context(), c).Proceed)
		offered += len(a.asked[i].Always)
	}
	assert.Equal(t, 17, offered, "a MiB of them")
}

// A model that calls the same thing forever fills no memory: there is nothing
// of a session where nothing waits and nothing was granted.
func TestRefusedCallsLeaveNothingBehind(t *testing.T) {
	a := &counter{answer: permission.Reject}
	p := compile(t, permission.Ask, "deny bash rm *")
	var refused int
	h := hook(t, p, &permission.HookOptions{Approver: a, OnDecision: func(_ context.Context, r permission.Record) {
		if r.Decision.Action == permission.Deny {
			refused++ // with which a host can guard against such a loop
		}
	}})
	for i := range 100 {
		for _, command := range []string{"rm x", "make"} {
			v := h.PreToolCall(t.Context(), sessionCall(t, fmt.Sprint("s", i%10), "bash", map[string]any{"command": command}))
			assert.True(t, v.Result.IsError)
		}
	}
	assert.Equal(t, 200, refused)
	assert.Zero(t, h.Sessions())
	a.answer = permission.Always
	h.PreToolCall(t.Context(), sessionCall(t, "s", "bash", map[string]any{"command": "make"}))
	assert.Equal(t, 1, h.Sessions())
	h.EndSession("s")
	assert.Zero(t, h.Sessions())
}

// asking is an approver that hands its requests on and waits.
type asking struct {
	requests chan permission.Request
	replies  sync.Map // of channels, by ID
}

func newAsking() *asking { return &asking{requests: make(chan permission.Request, 16)} }

func (a *asking) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	ch := make(chan permission.Reply, 1)
	a.replies.Store(r.ID, ch)
	a.requests <- r
	select {
	case reply := <-ch:
		return reply, nil
	case <-ctx.Done():
		return permission.Reply{}, ctx.Err()
	}
}

func (a *asking) reply(id string, answer permission.Answer) {
	ch, _ := a.replies.Load(id)
	ch.(chan permission.Reply) <- permission.Reply{ID: id, Answer: answer}
}

// waiting starts a call and returns its request and where its verdict comes.
func (a *asking) waiting(h *permission.Hook, ctx context.Context, c permission.ToolCall) (permission.Request, chan permission.Verdict) {
	verdict := make(chan permission.Verdict, 1)
	go func() { verdict <- h.PreToolCall(ctx, c) }()
	return <-a.requests, verdict
}

func TestAlwaysSettlesWhatWaitsAndIsCovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking()
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
		ls := map[string]any{"command": "ls"}
		first, one := a.waiting(h, t.Context(), sessionCall(t, "s", "bash", ls))
		_, same := a.waiting(h, t.Context(), sessionCall(t, "s", "bash", ls))
		other, more := a.waiting(h, t.Context(), sessionCall(t, "s", "bash", map[string]any{"command": "ls; make"}))
		foreign, another := a.waiting(h, t.Context(), sessionCall(t, "t", "bash", ls))
		a.reply(first.ID, permission.Always)
		assert.Equal(t, permission.CauseAlways, (<-one).Decision.Cause)
		assert.Equal(t, permission.CauseAlways, (<-same).Decision.Cause)
		synctest.Wait()
		assert.Empty(t, more, "make was not granted")
		assert.Empty(t, another, "nor was the other session")
		a.reply(other.ID, permission.Once)
		a.reply(foreign.ID, permission.Reject)
		assert.True(t, (<-more).Proceed)
		assert.Equal(t, permission.CauseRejected, (<-another).Decision.Cause)
	})
}

// A no that was said before the grant of another call reached it stays a no.
func TestARejectionWinsOverAGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		a := newAsking()
		slow := approver(func(ctx context.Context, r permission.Request) (permission.Reply, error) {
			if r.Call.ID != "slow" {
				return a.Approve(ctx, r)
			}
			a.requests <- r
			<-held // the person has said no, and the news takes its time
			return permission.Reply{ID: r.ID, Answer: permission.Reject}, nil
		})
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: slow})
		c := sessionCall(t, "s", "bash", map[string]any{"command": "ls"})
		first, one := a.waiting(h, t.Context(), c)
		c.ID = "slow"
		_, two := a.waiting(h, t.Context(), c)
		a.reply(first.ID, permission.Always)
		assert.True(t, (<-one).Proceed)
		synctest.Wait()
		close(held)
		assert.Equal(t, permission.CauseRejected, (<-two).Decision.Cause)
	})
}

// An approver that does not mind its context holds up no call that is covered,
// and a no that comes when nobody waits for it any more is for nothing.
func TestACoveredAskDoesNotWaitForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		a := newAsking()
		deaf := approver(func(ctx context.Context, r permission.Request) (permission.Reply, error) {
			if r.Call.ID != "deaf" {
				return a.Approve(ctx, r)
			}
			a.requests <- r
			<-held
			return permission.Reply{ID: r.ID, Answer: permission.Reject}, nil
		})
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: deaf})
		c := sessionCall(t, "s", "bash", map[string]any{"command": "ls"})
		first, one := a.waiting(h, t.Context(), c)
		c.ID = "deaf"
		_, two := a.waiting(h, t.Context(), c)
		a.reply(first.ID, permission.Always)
		assert.True(t, (<-one).Proceed)
		began := time.Now()
		assert.Equal(t, permission.CauseAlways, (<-two).Decision.Cause)
		assert.LessOrEqual(t, time.Since(began), time.Second)
		close(held)
	})
}

func TestEndSessionEndsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking()
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: a})
		c := sessionCall(t, "s", "bash", map[string]any{"command": "ls"})
		r, one := a.waiting(h, t.Context(), c)
		c.Session = "t"
		other, two := a.waiting(h, t.Context(), c)
		h.EndSession("s")
		v := <-one
		assert.Equal(t, permission.CauseClosed, v.Decision.Cause)
		assert.Contains(t, v.Result.Content, "the session has ended")
		a.reply(r.ID, permission.Always) // too late
		c.Session = "s"
		again, three := a.waiting(h, t.Context(), c)
		a.reply(other.ID, permission.Once)
		a.reply(again.ID, permission.Once)
		assert.True(t, (<-two).Proceed)
		assert.Equal(t, permission.CauseOnce, (<-three).Decision.Cause, "nothing was granted")
		h.EndSession("unknown")
		c.Session = ""
		lone, four := a.waiting(h, t.Context(), c)
		h.EndSession("")
		a.reply(lone.ID, permission.Once)
		assert.True(t, (<-four).Proceed, "calls without a session are none together")
		(*permission.Hook)(nil).EndSession("s")
	})
}

// An approver that has nobody to ask, or has closed, is told apart from one
// that fails.
func TestErrorsOfApprovers(t *testing.T) {
	for _, tt := range []struct {
		err   error
		cause permission.Cause
		text  string
	}{
		{fmt.Errorf("%w: the program ends", permission.ErrClosed), permission.CauseClosed, "the question was withdrawn: the program ends"},
		{fmt.Errorf("%w: no terminal", permission.ErrNoApprover), permission.CauseNoApprover, "no approver is attached"},
		{errors.New("disk full"), permission.CauseApproverFailed, "disk full"},
	} {
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: approver(
			func(context.Context, permission.Request) (permission.Reply, error) { return permission.Reply{}, tt.err })})
		v := h.PreToolCall(t.Context(), sessionCall(t, "s", "bash", map[string]any{"command": "ls"}))
		assert.Equal(t, tt.cause, v.Decision.Cause)
		assert.Contains(t, v.Result.Content, tt.text)
		assert.NotContains(t, v.Result.Content, "user refused")
	}
}

// However grants, rejections, ends of sessions, swaps and cancellations meet,
// each call gets one verdict, and a refused one does not proceed.
func TestManyAsksAtOnce(t *testing.T) {
	p := compile(t, permission.Ask)
	h := hook(t, p, &permission.HookOptions{
		Timeout: 50 * time.Millisecond,
		Approver: approver(func(ctx context.Context, r permission.Request) (permission.Reply, error) {
			switch n := len(r.ID) + int(r.ID[0]); n % 5 {
			case 0:
				<-ctx.Done()
				return permission.Reply{}, ctx.Err()
			case 1:
				return permission.Reply{ID: r.ID, Answer: permission.Always}, nil
			case 2:
				return permission.Reply{ID: r.ID, Answer: permission.Once}, nil
			}
			return permission.Reply{ID: r.ID}, nil
		}),
	})
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			session := fmt.Sprint("s", i%50)
			c := sessionCall(t, session, "bash", map[string]any{"command": fmt.Sprint("make ", i%7)})
			v := h.PreToolCall(t.Context(), c)
			if v.Proceed != (v.Decision.Action == permission.Allow) || !v.Proceed && !v.Result.IsError {
				t.Errorf("%v", v)
			}
			switch {
			case i%97 == 0:
				h.EndSession(session)
			case i%101 == 0:
				_ = h.Swap(p)
			}
		})
	}
	wg.Wait()
}

// A file that a command reads asks where a rule says so, and is granted alone.
func TestAlwaysGrantsAFileThatIsRead(t *testing.T) {
	c := &counter{answer: permission.Always}
	h := hook(t, compile(t, permission.Allow, "ask bash < secrets/*"), &permission.HookOptions{Approver: c})
	for i, line := range []string{"cat < secrets/a", "wc < secrets/a", "cat < secrets/b", "cat > secrets/a"} {
		assert.True(t, h.PreToolCall(t.Context(), sessionCall(t, "s", "bash", map[string]any{"command": line})).Proceed, line)
		assert.Len(t, c.asked, []int{1, 1, 2, 2}[i], line)
	}
	assert.Equal(t, "< /srv/proj/secrets/a", c.asked[0].Always[0].Pattern)
}
