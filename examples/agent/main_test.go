package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// approver answers every request with the same function.
type approver func(permission.Request) (permission.Reply, error)

func (a approver) Approve(_ context.Context, r permission.Request) (permission.Reply, error) {
	return a(r)
}

// nobody is an approver that has nobody to ask.
var nobody = approve.NewTerminal(&approve.TerminalOptions{
	Open: func() (io.ReadWriteCloser, error) { return nil, os.ErrNotExist },
})

// folder is a furnished work folder and what the agent has left in it.
type folder struct {
	t    *testing.T
	work string
}

func newFolder(t *testing.T) folder {
	work, err := furnish(t.TempDir())
	require.NoError(t, err)
	return folder{t, work}
}

// play plays the whole script, with every call and result paired.
func (f folder) play(a permission.Approver) conversation {
	f.t.Helper()
	history, err := play(f.t.Context(), f.work, a, io.Discard)
	require.NoError(f.t, err)
	c := conversation(history)
	c.requirePairs(f.t)
	assert.Empty(f.t, history[len(history)-1].calls(), "it stops in the middle")
	return c
}

func (f folder) holds(name, content string) {
	f.t.Helper()
	data, err := os.ReadFile(filepath.Join(f.work, name))
	require.NoError(f.t, err)
	assert.Equal(f.t, content, string(data))
}

func (f folder) lacks(name string) {
	f.t.Helper()
	assert.NoFileExists(f.t, filepath.Join(f.work, name))
}

type conversation []message

// requirePairs checks that the message after each one with calls answers
// exactly those, in order.
func (c conversation) requirePairs(t *testing.T) {
	t.Helper()
	seen := make(map[string]bool)
	for i, m := range c {
		var called, answered []string
		for _, call := range m.calls() {
			require.False(t, seen[call.ID], "%s is used twice", call.ID)
			seen[call.ID] = true
			called = append(called, call.ID)
		}
		if called == nil {
			continue
		}
		require.Less(t, i+1, len(c), "nothing answers the last calls")
		require.Equal(t, "user", c[i+1].Role)
		for _, b := range c[i+1].Content {
			require.Equal(t, "tool_result", b.Type)
			answered = append(answered, b.ToolUseID)
		}
		require.Equal(t, called, answered)
	}
	require.NotEmpty(t, seen)
}

// result returns what came back for the one call of a tool whose input holds
// some text.
func (c conversation) result(t *testing.T, tool, text string) block {
	t.Helper()
	var found []block
	for i, m := range c {
		for j, call := range m.calls() {
			if call.Name == tool && strings.Contains(string(call.Input), text) {
				found = append(found, c[i+1].Content[j])
			}
		}
	}
	require.Len(t, found, 1, "calls of %s with %s", tool, text)
	return found[0]
}

func TestAllowedCallsRun(t *testing.T) {
	f := newFolder(t)
	c := f.play(nobody)
	const plan = "# Plan\n\n1. tidy up\n2. publish\n"
	f.holds("notes/plan.md", plan)
	assert.Equal(t, plan, c.result(t, "read", "plan.md").Result)
}

func TestRefusedCallTakesAnotherWay(t *testing.T) {
	f := newFolder(t)
	c := f.play(nobody)
	r := c.result(t, "bash", "rm -rf build")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Result, "never by force")
	f.holds("build/app.o", "object code\n")
	f.holds("notes/todo.md", "Please remove the folder build.\n")
}

// What the user's hook makes of a call is judged again, and the result is that
// of the call as the model wrote it.
func TestRewrittenCallIsJudgedAgain(t *testing.T) {
	f := newFolder(t)
	c := f.play(nobody)

	fine := c.result(t, "bash", "wc notes/plan.md")
	assert.False(t, fine.IsError)
	assert.Equal(t, []string{"4", "notes/plan.md"}, strings.Fields(fine.Result), "wc -l did not run")

	worse := c.result(t, "bash", "rm notes/old.md")
	assert.True(t, worse.IsError)
	assert.Contains(t, worse.Result, "rm -f notes/old.md")
	f.holds("notes/old.md", "# Notes (old, see plan.md)\n")
}

func TestAskWithoutTerminal(t *testing.T) {
	f := newFolder(t)
	c := f.play(nobody)
	r := c.result(t, "write", "public/index.md")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Result, "no approver is attached")
	assert.False(t, c.result(t, "ls", ".").IsError, "a refusal stops no other call")
	f.lacks("public/index.md")
	f.holds("notes/draft.md", "Next: we tidy up.\n")
}

func TestAskApproved(t *testing.T) {
	f := newFolder(t)
	var asked []permission.Request
	c := f.play(approver(func(r permission.Request) (permission.Reply, error) {
		asked = append(asked, r)
		return permission.Reply{ID: r.ID, Answer: permission.Once}, nil
	}))
	require.Len(t, asked, 1, "what a rule allows or denies is not asked")
	assert.Equal(t, []permission.Subject{{Kind: permission.Path, Text: "public/index.md"}}, asked[0].Subjects)
	assert.False(t, c.result(t, "write", "public/index.md").IsError)
	f.holds("public/index.md", "Next: we tidy up.\n")
	f.lacks("notes/draft.md")
}

func TestAskRejected(t *testing.T) {
	f := newFolder(t)
	c := f.play(approver(func(permission.Request) (permission.Reply, error) {
		return permission.Reply{Message: "not before Monday"}, nil
	}))
	r := c.result(t, "write", "public/index.md")
	assert.True(t, r.IsError)
	assert.Contains(t, r.Result, "not before Monday")
	f.lacks("public/index.md")
	f.holds("notes/draft.md", "Next: we tidy up.\n")
}

// The policy allows the name of a file behind a link, and the scope does not
// follow the link.
func TestScopeAndPolicyAreComplements(t *testing.T) {
	f := newFolder(t)
	p, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: f.work})
	require.NoError(t, err)
	d := p.Evaluate(permission.ToolCall{Name: "read", Input: json.RawMessage(`{"path": "shared/secret.txt"}`)})
	assert.Equal(t, permission.Allow, d.Action)

	behind, err := os.ReadFile(filepath.Join(f.work, "shared", "secret.txt"))
	require.NoError(t, err, "the link leads nowhere, and the test shows nothing")

	c := f.play(nobody)
	assert.True(t, c.result(t, "read", "shared/secret.txt").IsError)
	history, err := json.Marshal(c)
	require.NoError(t, err)
	assert.NotContains(t, string(history), strings.TrimSpace(string(behind)))
}

func TestCancelledTurnIsAnsweredToo(t *testing.T) {
	f := newFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	history, err := play(ctx, f.work, nobody, io.Discard)
	assert.ErrorIs(t, err, context.Canceled)
	conversation(history).requirePairs(t)
	f.lacks("notes/plan.md")
}

func TestCheckPairs(t *testing.T) {
	asked := message{Content: []block{{Type: "text"}, {Type: "tool_use", ID: "a"}, {Type: "tool_use", ID: "b"}}}
	results := func(ids ...string) (m message) {
		for _, id := range ids {
			m.Content = append(m.Content, block{Type: "tool_result", ToolUseID: id})
		}
		return m
	}
	assert.NoError(t, checkPairs(asked, results("a", "b")))
	for _, ids := range [][]string{{}, {"a"}, {"b", "a"}, {"a", "a"}, {"a", "b", "b"}, {"a", "c"}} {
		assert.Error(t, checkPairs(asked, results(ids...)), "%v", ids)
	}
}
