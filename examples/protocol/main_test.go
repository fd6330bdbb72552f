package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// The runtime starts its own program as the client, which is this one here.
func TestMain(m *testing.M) {
	if isClient() {
		main()
		return
	}
	os.Exit(m.Run())
}

// lockedBuffer may be read while a process still writes.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// lines returns the rest of the lines that begin with a prefix.
func (l *lockedBuffer) lines(prefix string) (rest []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.b.String()) {
		if after, ok := strings.CutPrefix(line, prefix); ok {
			rest = append(rest, strings.TrimSpace(after))
		}
	}
	return rest
}

func TestConversation(t *testing.T) {
	var out lockedBuffer
	require.NoError(t, start(t.Context(), &out))

	var asked []string
	for _, line := range out.lines("-> ") {
		var e approve.Event
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if e.Request != nil {
			asked = append(asked, e.Request.Call.ID)
		}
	}
	assert.Equal(t, []string{"toolu_01", "toolu_03", "toolu_05", "toolu_07"}, asked, "the second of the same is not asked")
	assert.Len(t, out.lines("<- "), 3)

	results := out.lines("result ")
	require.Len(t, results, len(script()))
	for i, want := range []string{
		"toolu_01 error=false written",
		`toolu_02 error=false "1. publish\n"`,
		"toolu_03 error=false written",
		"toolu_04 error=false written",
		"toolu_05 error=true Permission denied: ",
		`toolu_06 error=false "Soon.\n"`,
		"toolu_07 error=true Permission denied: ",
	} {
		assert.True(t, strings.HasPrefix(results[i], want), results[i])
	}
	assert.Contains(t, results[4], "The user refused it and says: people have the link")
	assert.Contains(t, results[6], "nobody is left to answer it")
}

// A session is a runtime and its client.
type session struct {
	broker *approve.Broker
	hook   *permission.Hook
	client *client
	out    *lockedBuffer
}

func newSession(t *testing.T) *session {
	policy, err := permission.ParseManifest("manifest.toml", manifest, &permission.Options{Root: t.TempDir()})
	require.NoError(t, err)
	s := &session{broker: approve.NewBroker(nil), out: new(lockedBuffer)}
	s.hook, err = permission.NewHook(policy, &permission.HookOptions{Approver: s.broker})
	require.NoError(t, err)
	s.client, err = startClient(t.Context(), s.broker, &transcript{out: s.out}, "")
	require.NoError(t, err)
	t.Cleanup(s.client.stop)
	return s
}

// ask makes a call that the client thinks about, and returns when it does.
func (s *session) ask(t *testing.T) <-chan permission.Verdict {
	t.Helper()
	verdict := make(chan permission.Verdict, 1)
	call := permission.ToolCall{ID: "toolu_09", Name: "remove", Session: "s", Input: json.RawMessage(`{"path":"notes/plan.md"}`)}
	go func() { verdict <- s.hook.PreToolCall(context.Background(), call) }()
	require.Eventually(t, func() bool { return len(s.out.lines("-> ")) > 0 }, 30*time.Second, time.Millisecond)
	require.Len(t, s.broker.Pending(), 1)
	return verdict
}

func settled(t *testing.T, verdict <-chan permission.Verdict) permission.Verdict {
	t.Helper()
	select {
	case v := <-verdict:
		return v
	case <-time.After(30 * time.Second):
		require.Fail(t, "the call still waits")
		return permission.Verdict{}
	}
}

func TestTheClientIsKilledWhileItIsAsked(t *testing.T) {
	s := newSession(t)
	verdict := s.ask(t)
	s.client.kill()
	v := settled(t, verdict)
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseClosed, v.Decision.Cause)
	assert.Equal(t, "toolu_09", v.Result.CallID)
	assert.Empty(t, s.broker.Pending())

	<-s.client.done
	v = s.hook.PreToolCall(t.Context(), permission.ToolCall{Name: "write", Input: json.RawMessage(`{"path":"notes/plan.md","content":""}`)})
	assert.False(t, v.Proceed, "nor does the next one wait for a client that has gone")
	assert.Equal(t, permission.CauseNoApprover, v.Decision.Cause)
}

func TestTheRuntimeHangsUp(t *testing.T) {
	s := newSession(t)
	verdict := s.ask(t)
	s.client.stop()
	assert.Equal(t, permission.CauseClosed, settled(t, verdict).Decision.Cause)
	assert.True(t, s.client.cmd.ProcessState.Success(), "the client goes by itself")
}

// What cannot be read answers nothing, and the next line is read as ever.
func TestLinesThatCannotBeRead(t *testing.T) {
	b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
	defer b.Close()
	type outcome struct {
		reply permission.Reply
		err   error
	}
	approved := make(chan outcome, 1)
	go func() {
		reply, err := b.Approve(t.Context(), permission.Request{ID: "r-1"})
		approved <- outcome{reply, err}
	}()
	require.Eventually(t, func() bool { return len(b.Pending()) == 1 }, 30*time.Second, time.Millisecond)

	bad := []string{
		``, `yes`, `{`, `null`, `[]`, `"permission_reply"`, "\x00\xff", `{"id":"r-1","answer":"once"}`,
		`{"method":"permission_reply"}`, `{"method":"permission_reply","params":null}`,
		`{"method":"permission_reply","params":["r-1","once"]}`,
		`{"method":"permission_reply","params":{"id":"r-1","answer":"yes"}}`,
		`{"method":"permission_reply","params":{"id":"r-1","answer":"Once"}}`,
		`{"method":"permission_reply","params":{"id":"r-1","answer":1}}`,
		`{"method":"permission_reply","params":{"id":"r-2","answer":"once"}}`,
		`{"method":"permission_reply","params":{"id":"r-1","answer":"once"}} {}`,
		`{"method":"permission_allow","params":{"id":"r-1","answer":"once"}}`,
	}
	var out, sent lockedBuffer
	hear := func(lines ...string) {
		receive(b, strings.NewReader(strings.Join(lines, "\n")+"\n"), &wire{to: &sent}, &transcript{out: &out})
	}
	hear(bad...)
	assert.Len(t, b.Pending(), 1, "it still waits")
	assert.Len(t, sent.lines(`{"type":"error","error":`), len(bad), "each is told")

	const good = `{"method":"permission_reply","params":{"id":"r-1","answer":"once"}}`
	hear(strings.Repeat(" ", maxLine)+good, good)
	assert.Len(t, b.Pending(), 1, "the connection ends with a line without end")
	hear(bad[1], good)
	got := <-approved
	assert.NoError(t, got.err)
	assert.Equal(t, permission.Once, got.reply.Answer)
	hear(good)
	assert.Len(t, sent.lines(`{"type":"error","error":"the request is settled already"}`), 1, "a late one is told")
}

// A client reads on after what it cannot read.
func TestTheClientLeavesOutWhatItDoesNotKnow(t *testing.T) {
	request, err := json.Marshal(approve.Event{ID: "r-1", Request: &permission.Request{
		ID: "r-1", Call: permission.ToolCall{Name: "write"},
		Subjects: []permission.Subject{{Kind: permission.Path, Text: "notes/plan.md"}},
	}})
	require.NoError(t, err)
	var replies bytes.Buffer
	from := strings.NewReader("?\n{\"type\":\"news\"}\n" + string(request) + "\n")
	require.NoError(t, answer(from, &replies))
	assert.JSONEq(t, `{"method":"permission_reply","params":{"id":"r-1","answer":"once"}}`, replies.String())
	assert.ErrorIs(t, answer(io.MultiReader(strings.NewReader("?"), failing{}), io.Discard), os.ErrClosed)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrClosed }
