package permission_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// approver is a function that answers.
type approver func(context.Context, permission.Request) (permission.Reply, error)

func (a approver) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	return a(ctx, r)
}

func answer(a permission.Answer, message string) approver {
	return func(_ context.Context, r permission.Request) (permission.Reply, error) {
		return permission.Reply{ID: r.ID, Answer: a, Message: message}, nil
	}
}

func hook(t testing.TB, p *permission.Policy, o *permission.HookOptions) *permission.Hook {
	t.Helper()
	h, err := permission.NewHook(p, o)
	require.NoError(t, err)
	return h
}

func TestAnAllowedCallProceeds(t *testing.T) {
	h := hook(t, compile(t, permission.Deny, "allow bash ls *"), nil)
	c := call("bash", `{"command":"ls"}`)
	c.Session, c.Metadata = "s", 7
	v := h.PreToolCall(t.Context(), c)
	require.True(t, v.Proceed)
	assert.Equal(t, c, v.Call)
	assert.Empty(t, v.Result)

	// What was judged is what runs, whatever becomes of the caller's bytes.
	copy(c.Input, `{"command":"rm"}`)
	assert.JSONEq(t, `{"command":"ls"}`, string(v.Call.Input))
}

func TestARefusedCallGetsOneErrorResult(t *testing.T) {
	p := compile(t, permission.Allow, "deny bash rm *")
	v := hook(t, p, nil).PreToolCall(t.Context(), call("bash", `{"command":"rm -rf /"}`))
	assert.False(t, v.Proceed)
	assert.Equal(t, "id-1", v.Result.CallID)
	assert.True(t, v.Result.IsError)
	assert.Equal(t, permission.Deny, v.Decision.Action)
	for _, part := range []string{"bash", `"rm -rf /"`, `"rm *"`, "denied"} {
		assert.Contains(t, v.Result.Content, part)
	}
	raw, err := json.Marshal(v.Result)
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"tool_use_id":"id-1"`)
	assert.Contains(t, string(raw), `"is_error":true`)
}

// Every way in which something can go wrong ends in a refusal with its own
// cause and text.
func TestTheHookFailsClosed(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	asking := compile(t, permission.Ask)
	with := func(a approver) *permission.HookOptions { return &permission.HookOptions{Approver: a} }
	for _, c := range []struct {
		name  string
		ctx   context.Context
		p     *permission.Policy
		o     *permission.HookOptions
		cause permission.Cause
		text  string
	}{
		{"deny by default", nil, compile(t, permission.Deny), nil, permission.CauseDefault, "No rule allows it"},
		{"nobody to ask", nil, asking, &permission.HookOptions{RefuseAsks: true}, permission.CauseNoApprover, "no approver"},
		{"doubt and nobody to ask", nil, compile(t, permission.Allow, "deny bash rm *"), nil, permission.CauseNoApprover, "may be meant"},
		{"rejected", nil, asking, with(answer(permission.Reject, "")), permission.CauseRejected, "The user refused"},
		{"rejected with words", nil, asking, with(answer(permission.Reject, "use git")), permission.CauseRejected, "use git"},
		{"unknown answer", nil, asking, with(answer(99, "")), permission.CauseApproverFailed, "unknown answer 99"},
		{"error", nil, asking, with(func(context.Context, permission.Request) (permission.Reply, error) {
			return permission.Reply{Answer: permission.Once}, errors.New("no tty")
		}), permission.CauseApproverFailed, "no tty"},
		{"panic", nil, asking, with(func(context.Context, permission.Request) (permission.Reply, error) {
			panic("boom")
		}), permission.CauseApproverFailed, "boom"},
		{"exit", nil, asking, with(func(context.Context, permission.Request) (permission.Reply, error) {
			runtime.Goexit()
			return permission.Reply{Answer: permission.Once}, nil
		}), permission.CauseApproverFailed, "did not return"},
		{"reply to another", nil, asking, with(func(context.Context, permission.Request) (permission.Reply, error) {
			return permission.Reply{ID: "other", Answer: permission.Once}, nil
		}), permission.CauseApproverFailed, "another request"},
		{"cancelled before an allow", canceled, compile(t, permission.Allow), nil, permission.CauseCanceled, "cancelled"},
		{"cancelled before an ask", canceled, asking, with(answer(permission.Once, "")), permission.CauseCanceled, "cancelled"},
		{"panic of the record", nil, compile(t, permission.Allow), &permission.HookOptions{
			OnDecision: func(context.Context, permission.Record) { panic("disk full") },
		}, permission.CauseFault, "disk full"},
		{"no text", nil, compile(t, permission.Deny), &permission.HookOptions{
			Refusal: func(permission.ToolCall, permission.Decision, string) string { return "" },
		}, permission.CauseDefault, "No rule allows it"},
		{"panic of the text", nil, compile(t, permission.Deny), &permission.HookOptions{
			Refusal: func(permission.ToolCall, permission.Decision, string) string { panic("x") },
		}, permission.CauseDefault, "No rule allows it"},
		{"blanks for a text", nil, compile(t, permission.Deny), &permission.HookOptions{
			Refusal: func(permission.ToolCall, permission.Decision, string) string { return " \n" },
		}, permission.CauseDefault, "No rule allows it"},
	} {
		ctx := c.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		v := hook(t, c.p, c.o).PreToolCall(ctx, call("bash", `{"command":"$X"}`))
		assert.False(t, v.Proceed, c.name)
		assert.Equal(t, c.cause, v.Decision.Cause, c.name)
		assert.Equal(t, permission.Deny, v.Decision.Action, c.name)
		assert.Equal(t, "id-1", v.Result.CallID, c.name)
		assert.True(t, v.Result.IsError, c.name)
		assert.Contains(t, v.Result.Content, c.text, c.name)
	}
}

// A call that was cancelled is not decided, whoever asks.
func TestEvaluateOfACancelledCallRefuses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := hook(t, compile(t, permission.Allow), nil)
	ls := call("bash", `{"command":"ls"}`)
	assert.Equal(t, permission.Allow, h.Evaluate(ctx, ls).Action)
	cancel()
	d := h.Evaluate(ctx, ls)
	assert.Equal(t, permission.Deny, d.Action)
	assert.Equal(t, permission.CauseCanceled, d.Cause)
}

func TestRefusalMayAddToTheText(t *testing.T) {
	h := hook(t, compile(t, permission.Deny), &permission.HookOptions{
		Refusal: func(c permission.ToolCall, d permission.Decision, text string) string {
			return fmt.Sprintf("%s/%v: %s", c.Name, d.Cause, text)
		},
	})
	v := h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`))
	assert.Contains(t, v.Result.Content, `bash/default: Permission denied: "bash" "ls" was not run. No rule allows it.`)
}

func TestHooksThatWereNotMadeRefuse(t *testing.T) {
	var none *permission.Hook
	for name, h := range map[string]*permission.Hook{"nil": none, "zero": {}} {
		v := h.PreToolCall(t.Context(), call("bash", `{}`))
		assert.False(t, v.Proceed, name)
		assert.Equal(t, permission.CauseFault, v.Decision.Cause, name)
		assert.True(t, v.Result.IsError, name)
		assert.Equal(t, permission.Deny, h.Evaluate(t.Context(), call("bash", `{}`)).Action, name)
		assert.Nil(t, h.Policy(), name)
	}
	//lint:ignore SA1012 a nil context is the fault that is tried
	v := hook(t, compile(t, permission.Allow), nil).PreToolCall(nil, call("bash", `{"command":"ls"}`))
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseFault, v.Decision.Cause)
}

func TestNewHookWantsAnApproverForWrittenAsks(t *testing.T) {
	ask := compile(t, permission.Ask)
	rule := compile(t, permission.Allow, "ask bash *")
	for _, p := range []*permission.Policy{nil, ask, rule, permission.Strictest(compile(t, permission.Deny), rule)} {
		_, err := permission.NewHook(p, nil)
		assert.Error(t, err)
	}
	for _, o := range []*permission.HookOptions{{RefuseAsks: true}, {Approver: answer(permission.Once, "")}} {
		_, err := permission.NewHook(ask, o)
		assert.NoError(t, err)
	}

	h := hook(t, compile(t, permission.Allow), nil)
	assert.Error(t, h.Swap(rule))
	assert.Error(t, h.Swap(nil))
	disabled, err := permission.ParseManifest("m.toml", nil, linux())
	require.NoError(t, err)
	assert.ErrorContains(t, h.Swap(disabled), "emptied", "an editor may have cut the file to nothing for a moment")
	assert.Error(t, (*permission.Hook)(nil).Swap(rule))
	assert.True(t, h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`)).Proceed, "the old policy stays")
	require.NoError(t, h.Swap(compile(t, permission.Deny)))
	assert.False(t, h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`)).Proceed)
}

func TestAuthorizeJudgesTheSubjectsThatItIsGiven(t *testing.T) {
	h := hook(t, compile(t, permission.Deny, "allow external_directory /data/*"), nil)
	c := permission.ToolCall{ID: "id-1", Name: "external_directory"}
	path := func(s string) []permission.Subject { return []permission.Subject{{Kind: permission.Path, Text: s}} }
	assert.True(t, h.Authorize(t.Context(), c, path("/data/x"), nil).Proceed)
	assert.False(t, h.Authorize(t.Context(), c, path("/data/../etc"), nil).Proceed)
	assert.False(t, h.Authorize(t.Context(), c, nil, nil).Proceed)
	c.Dir = "/data"
	assert.True(t, h.Authorize(t.Context(), c, path("x"), nil).Proceed)
	c.Dir = "/etc"
	assert.False(t, h.Authorize(t.Context(), c, path("x"), nil).Proceed)
}

// What a tool names itself is bounded as an input is, and so are the names.
func TestAuthorizeRefusesWhatCannotBeRead(t *testing.T) {
	h := hook(t, compile(t, permission.Allow), nil)
	for _, c := range []struct {
		name string
		n    int
		want bool
	}{{"dir", 1, true}, {"dir", 4096, true}, {"dir", 4097, false}, {"", 1, false}, {"a b", 1, false}} {
		subjects := slices.Repeat([]permission.Subject{{Kind: permission.Path, Text: "a"}}, c.n)
		v := h.Authorize(t.Context(), permission.ToolCall{Name: c.name}, subjects, nil)
		assert.Equal(t, c.want, v.Proceed, "%q, %d subjects", c.name, c.n)
		assert.Equal(t, c.want, v.Decision.Cause != permission.CauseMalformed, "%q, %d subjects", c.name, c.n)
	}
}

// The tool may do with its slices what it likes while somebody thinks.
func TestAuthorizeKeepsWhatItWasGiven(t *testing.T) {
	var h *permission.Hook
	var asked []permission.Request
	subjects := []permission.Subject{{Kind: permission.Path, Text: "/a/x"}, {Kind: permission.Path, Text: "/b/x"}}
	always := []string{"/*/x"}
	next := compile(t, permission.Ask)
	h = hook(t, compile(t, permission.Allow, "ask dir /a/*"), &permission.HookOptions{Approver: approver(
		func(_ context.Context, r permission.Request) (permission.Reply, error) {
			asked = append(asked, r)
			subjects[0].Text, subjects[1].Text, always[0] = "/c", "/d", "*"
			return permission.Reply{Answer: permission.Once}, h.Swap(next)
		})})
	v := h.Authorize(t.Context(), permission.ToolCall{Name: "dir", Session: "s"}, subjects, always)
	assert.True(t, v.Proceed)
	require.Len(t, asked, 2, "the new policy asks for one more")
	assert.Equal(t, []permission.Subject{{Kind: permission.Path, Text: "/a/x"}, {Kind: permission.Path, Text: "/b/x"}}, asked[1].Subjects)
	assert.Equal(t, "/*/x", asked[1].Always[0].Pattern)
}

func TestNothingIsDecidedByTheRulesThatAreShown(t *testing.T) {
	p := compile(t, permission.Allow, "deny bash rm *")
	c := call("bash", `{"command":"rm x"}`)
	p.Evaluate(c).Rule.Action = permission.Allow
	assert.Equal(t, permission.Deny, p.Evaluate(c).Action)

	rs := rules(t, "deny bash rm *")
	p, err := permission.Compile(permission.Allow, rs, linux())
	require.NoError(t, err)
	rs[0].Pattern = "cp *"
	assert.Equal(t, "rm *", p.Rules()[0].Pattern, "what the caller does to its rules is not done to the policy")
}

func TestRunAllAnswersEveryCallInOrder(t *testing.T) {
	h := hook(t, compile(t, permission.Deny, "allow bash *"), nil)
	var calls []permission.ToolCall
	for i, cmd := range []string{"ok", "denied", "panic", "exit", "ok"} {
		c := call("bash", fmt.Sprintf(`{"command":%q}`, cmd))
		if cmd == "denied" {
			c.Name = "rm"
		}
		c.ID = fmt.Sprint("id-", i)
		calls = append(calls, c)
	}
	var ran sync.Map
	rs := h.RunAll(t.Context(), calls, func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		ran.Store(c.ID, true)
		switch {
		case strings.Contains(string(c.Input), "panic"):
			panic("boom")
		case strings.Contains(string(c.Input), "exit"):
			runtime.Goexit()
		}
		return permission.ToolResult{Content: "did " + c.ID}
	})
	require.Len(t, rs, len(calls))
	for i, r := range rs {
		assert.Equal(t, calls[i].ID, r.CallID)
		assert.Equal(t, i != 0 && i != 4, r.IsError)
	}
	assert.Equal(t, "did id-0", rs[0].Content)
	assert.Contains(t, rs[1].Content, "Permission denied")
	assert.Contains(t, rs[2].Content, "boom")
	assert.Equal(t, "the tool did not return", rs[3].Content, "and not that it was not run")
	_, denied := ran.Load("id-1")
	assert.False(t, denied, "a denied tool does not run")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range h.RunAll(ctx, calls, nil) {
		assert.True(t, r.IsError)
		assert.Contains(t, r.Content, "not run")
	}
	assert.Empty(t, h.RunAll(t.Context(), nil, nil))
}

// What the host has given the hook may end the goroutine that it is called in.
// The tool has not run then, and the model does not read that it has.
func TestRunAllAnswersForAHookThatDoesNotReturn(t *testing.T) {
	for name, o := range map[string]*permission.HookOptions{
		"OnDecision": {OnDecision: func(context.Context, permission.Record) { runtime.Goexit() }},
		"Refusal":    {Refusal: func(permission.ToolCall, permission.Decision, string) string { runtime.Goexit(); return "" }},
		"Resolve":    {Resolve: func(string) (string, error) { runtime.Goexit(); return "", nil }},
	} {
		file := map[string]string{"OnDecision": "ok", "Refusal": "no", "Resolve": "ok"}[name]
		c := call("read", fmt.Sprintf(`{"path":%q}`, file))
		c.ID = "id"
		h := hook(t, compile(t, permission.Deny, "allow read ok"), o)
		rs := h.RunAll(t.Context(), []permission.ToolCall{c}, func(context.Context, permission.ToolCall) permission.ToolResult {
			t.Errorf("%s: the tool ran", name)
			return permission.ToolResult{}
		})
		require.Len(t, rs, 1, name)
		assert.Equal(t, "id", rs[0].CallID, name)
		assert.True(t, rs[0].IsError, name)
		assert.Contains(t, rs[0].Content, "was not run. The permission layer failed: it did not return.", name)
	}
}

func TestWrapRunsTheJudgedCall(t *testing.T) {
	h := hook(t, compile(t, permission.Deny, "allow bash ls *"), nil)
	var got permission.ToolCall
	run := h.Wrap(func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		got = c
		return permission.ToolResult{CallID: "made up", Content: "x"}
	})
	r := run(t.Context(), call("bash", `{"command":"ls"}`))
	assert.Equal(t, permission.ToolResult{CallID: "id-1", Content: "x"}, r)
	assert.Equal(t, "bash", got.Name)

	got = permission.ToolCall{}
	r = run(t.Context(), call("bash", `{"command":"rm"}`))
	assert.True(t, r.IsError)
	assert.Empty(t, got)

	// What becomes of the caller's bytes while somebody thinks is not what runs.
	c := call("bash", `{"command":"ls"}`)
	h = hook(t, compile(t, permission.Ask, "deny bash rm *"), &permission.HookOptions{Approver: approver(
		func(context.Context, permission.Request) (permission.Reply, error) {
			copy(c.Input, `{"command":"rm"}`)
			return permission.Reply{Answer: permission.Once}, nil
		})})
	h.Wrap(func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		got = c
		return permission.ToolResult{}
	})(t.Context(), c)
	assert.JSONEq(t, `{"command":"ls"}`, string(got.Input))
}

// A loop over Wrap answers every call too.
func TestWrapAnswersForAToolThatPanics(t *testing.T) {
	run := hook(t, compile(t, permission.Allow), nil).Wrap(func(context.Context, permission.ToolCall) permission.ToolResult {
		panic("boom")
	})
	r := run(t.Context(), call("bash", `{"command":"ls"}`))
	assert.Equal(t, permission.ToolResult{CallID: "id-1", Content: "the tool panicked: boom", IsError: true}, r)
}

// A poison panics, and then whenever somebody asks what it says.
type poison struct{}

func (poison) String() string { panic(poison{}) }

// Whatever a panic says, it goes no further than to the result of its call.
func TestAPanicThatCannotBeToldIsARefusal(t *testing.T) {
	c := call("bash", `{"command":"ls"}`)
	r := hook(t, compile(t, permission.Allow), nil).Wrap(func(context.Context, permission.ToolCall) permission.ToolResult {
		panic(poison{})
	})(t.Context(), c)
	assert.Equal(t, permission.ToolResult{CallID: "id-1", Content: "the tool panicked: a permission_test.poison", IsError: true}, r)

	v := hook(t, compile(t, permission.Allow), &permission.HookOptions{
		OnDecision: func(context.Context, permission.Record) { panic(poison{}) },
	}).PreToolCall(t.Context(), c)
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseFault, v.Decision.Cause)

	v = hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: approver(func(context.Context, permission.Request) (permission.Reply, error) {
		panic(poison{})
	})}).PreToolCall(t.Context(), c)
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseApproverFailed, v.Decision.Cause)
}

func TestOnDecisionIsToldOfEveryCallAndOfNoArgument(t *testing.T) {
	var records []permission.Record
	o := &permission.HookOptions{
		Approver:   answer(permission.Once, ""),
		OnDecision: func(_ context.Context, r permission.Record) { records = append(records, r) },
	}
	p := compile(t, permission.Deny, "allow bash ls *", "ask bash make *")
	h := hook(t, p, o)
	for _, in := range []string{`{"command":"ls s3cret"}`, `{"command":"make s3cret"}`, `{"command":"rm s3cret"}`, `{"command":3}`, `{"s3cret":1}`, `{"command":"make $s3cret"}`} {
		c := call("bash", in)
		c.Session = "s-9"
		h.PreToolCall(t.Context(), c)
	}
	require.Len(t, records, 6)
	want := []permission.Cause{
		permission.CauseRule, permission.CauseOnce, permission.CauseDefault, permission.CauseMalformed, permission.CauseMalformed, permission.CauseOnce,
	}
	assert.Contains(t, records[5].Decision.Detail, "s3cret")
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	for i, r := range records {
		assert.Equal(t, want[i], r.Decision.Cause)
		assert.Equal(t, want[i] == permission.CauseOnce, r.Asked)
		assert.Equal(t, p.Hash(), r.PolicyHash)
		assert.Equal(t, "s-9", r.Session)
		assert.Equal(t, "id-1", r.CallID)
		assert.False(t, r.Time.IsZero())
		logger.Info("decided", "permission", r)
	}
	assert.Contains(t, log.String(), "permission.action=allow")
	assert.NotContains(t, log.String(), "s3cret", "no argument reaches a log")
}

// What the model calls a tool, and a host a call, does not turn a line of a log
// round.
func TestARecordEscapesNames(t *testing.T) {
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("decided", "permission", permission.Record{
		CallID: "\u202eid", Session: "\u2066s", Tool: "re\u200bad\x1b[2K" + strings.Repeat("x", 1000),
	})
	for _, name := range []string{"\u202e", "\u2066", "\u200b", "\x1b"} {
		assert.NotContains(t, log.String(), name)
	}
	assert.Contains(t, log.String(), `"call":"\\u202eid"`)
	assert.Contains(t, log.String(), `re\\u200bad`)
	assert.Less(t, log.Len(), 1000)
}

// The reason of a rule is told where the rule is why, and not where it only may
// be meant.
func TestARefusalTellsTheReasonOfItsRule(t *testing.T) {
	p, err := permission.Compile(permission.Allow, []permission.Rule{
		{Tool: "bash", Pattern: "rm *", Reason: "nothing is removed"},
		{Tool: "bash", Pattern: "git push *", Action: permission.Ask, Reason: "pushes are reviewed"},
	}, linux())
	require.NoError(t, err)
	closed := &permission.HookOptions{Approver: approver(func(context.Context, permission.Request) (permission.Reply, error) {
		return permission.Reply{}, permission.ErrClosed
	})}
	const pushes, removes = "Reason: pushes are reviewed.", "Reason: nothing is removed."
	for _, c := range []struct {
		command, with, without string
		o                      *permission.HookOptions
	}{
		{"git push", pushes, removes, &permission.HookOptions{RefuseAsks: true}},
		{"git push", pushes, removes, closed},
		{"rm x", removes, pushes, closed},
		{"r$X y", "may be meant for it", removes, closed},
		{"r$X y", "may be meant", removes, &permission.HookOptions{RefuseAsks: true}},
	} {
		v := hook(t, p, c.o).PreToolCall(t.Context(), call("bash", fmt.Sprintf(`{"command":%q}`, c.command)))
		assert.False(t, v.Proceed, c.command)
		assert.Contains(t, v.Result.Content, c.with, c.command)
		assert.NotContains(t, v.Result.Content, c.without, c.command)
	}
}

// A rule may be of a file that is not trusted, such as a project's.
func TestAReasonIsPlain(t *testing.T) {
	p, err := permission.Compile(permission.Allow, []permission.Rule{
		{Tool: "bash", Pattern: "rm *", Reason: "no\x1b[2K\u202e way\nat all."},
	}, linux())
	require.NoError(t, err)
	v := hook(t, p, nil).PreToolCall(t.Context(), call("bash", `{"command":"rm x"}`))
	assert.Contains(t, v.Result.Content, `Reason: no\x1b[2K\u202e way at all. `)
}

func TestRefusalTextsAreBoundedAndPlain(t *testing.T) {
	h := hook(t, compile(t, permission.Deny), nil)
	for in, parts := range map[string][]string{
		"a\u202eb\u200bc\x1bd\u3164e":        {`\u202e`, `\u200b`, `\x1b`, `\u3164`},
		strings.Repeat("é", 1<<16) + `"end\`: {"[65361 characters]", `\"end\\`},
	} {
		raw, err := json.Marshal(map[string]string{"text": in})
		require.NoError(t, err)
		v := h.PreToolCall(t.Context(), call("note", string(raw)))
		for _, p := range parts {
			assert.Contains(t, v.Result.Content, p)
		}
		assert.Less(t, len(v.Result.Content), 1000)
	}
}

func TestARefusalOffersTheDeclarationOfAnUnknownTool(t *testing.T) {
	for _, p := range []*permission.Policy{compile(t, permission.Deny), permission.Strictest(compile(t, permission.Deny))} {
		h := hook(t, p, nil)
		v := h.PreToolCall(t.Context(), call("mcp__files__put", `{"note":"x","path":"a","dst":["b","c"],"n":1}`))
		assert.Contains(t, v.Result.Content, "[[permissions.tool]]\nname = \"mcp__files__put\"\nkind = \"path\"\narguments = [\"path\", \"dst\"]")
		v = h.PreToolCall(t.Context(), call("mcp__db__query", `{"sql":"SELECT 1"}`))
		assert.Contains(t, v.Result.Content, "kind = \"text\"\narguments = [\"sql\"]")
		for _, c := range []permission.ToolCall{call("read", `{"path":"a"}`), call("mcp__db__list", `{"n":1}`), call("other", `{`)} {
			assert.NotContains(t, h.PreToolCall(t.Context(), c).Result.Content, "permissions.tool", c.Name)
		}
		v = h.Authorize(t.Context(), call("external_directory", `{"path":"a"}`), []permission.Subject{{Text: "a"}}, nil)
		assert.NotContains(t, v.Result.Content, "permissions.tool", "its subjects are not read from the input")
	}
}

func TestSwapWhileCallsAreJudged(t *testing.T) {
	// Each policy by itself allows; a call that saw half of each would not.
	a := compile(t, permission.Deny, "allow bash a *", "allow bash ls *")
	b := compile(t, permission.Allow, "deny bash a *")
	h := hook(t, a, nil)
	var readers, writer sync.WaitGroup
	var done atomic.Bool
	writer.Go(func() {
		for i := 0; !done.Load(); i++ {
			_ = h.Swap([]*permission.Policy{a, b}[i%2])
		}
	})
	for range 4 {
		readers.Go(func() {
			for range 500 {
				if !h.PreToolCall(context.Background(), call("bash", `{"command":"ls"}`)).Proceed {
					t.Error("refused by a policy that was never there")
				}
			}
		})
	}
	readers.Wait()
	done.Store(true)
	writer.Wait()
}
