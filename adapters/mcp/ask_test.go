package permissionmcp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// An answer that is no plain yes refuses, and says what it was taken for.
func TestAnswers(t *testing.T) {
	answer := func(res *mcp.ElicitResult, err error) *user {
		return &user{answer: func(*mcp.ElicitRequest) (*mcp.ElicitResult, error) { return res, err }}
	}
	for name, one := range map[string]struct {
		user  *user
		text  string
		cause permission.Cause
	}{
		"declined":  {says("decline"), "The user refused it", permission.CauseRejected},
		"dismissed": {says("cancel"), "the user has dismissed it", permission.CauseClosed},
		"nothing":   {says(""), "none of accept, decline and cancel", permission.CauseApproverFailed},
		"unknown":   {says("Accept"), "none of accept, decline and cancel", permission.CauseApproverFailed},
		"content": {
			answer(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": false}}, nil),
			"content that nobody asked for", permission.CauseApproverFailed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, w world) {
				s := newScene(t, nil)
				one.user.asked = nil
				got, isError := call(t, s.join(w, one.user), "write", file("ask/1"))
				assert.True(t, isError)
				assert.Contains(t, got, one.text)
				assert.Zero(t, s.ran())
				assert.Len(t, one.user.questions(), 1)
				causes := s.records.causes()
				assert.Equal(t, one.cause, causes[len(causes)-1])
			})
		})
	}
}

// A client whose user's answer fails is told so by its own side in rounds; no
// tool runs in either.
func TestAnswerThatFails(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		u := &user{answer: func(*mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return nil, errors.New("no window\n" + strings.Repeat("x", 5000))
		}}
		res, err := s.join(w, u).CallTool(t.Context(), &mcp.CallToolParams{Name: "write", Arguments: file("ask/1")})
		if w.version == newest {
			assert.ErrorContains(t, err, "no window")
		} else {
			require.NoError(t, err)
			assert.True(t, res.IsError)
			assert.Contains(t, text(res), `the client did not answer: calling "elicitation/create": no window\n`)
			assert.Less(t, len(text(res)), 1000, "what a client says is not the model's to read at any length")
		}
		assert.Zero(t, s.ran())
	})
}

// Without the capability an input request would be an error of the protocol, of
// which the model hears nothing.
func TestClientThatCannotBeAsked(t *testing.T) {
	for name, one := range map[string]struct {
		capabilities *mcp.ClientCapabilities
		user         *user
		text         string
	}{
		"not declared": {&mcp.ClientCapabilities{}, nil, "has not declared that it elicits"},
		"for URLs alone": {&mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}},
		}, says("accept"), "by URL alone"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, w world) {
				s := newScene(t, nil)
				s.options = &mcp.ClientOptions{Capabilities: one.capabilities}
				got, isError := call(t, s.join(w, one.user), "write", file("ask/1"))
				assert.True(t, isError)
				assert.Contains(t, got, "Permission denied")
				assert.Contains(t, got, one.text)
				assert.Zero(t, s.ran())
				assert.Equal(t, []permission.Cause{permission.CauseNoApprover}, s.records.causes())
				if one.user != nil {
					assert.Empty(t, one.user.questions())
				}
			})
		})
	}
}

// A client that says that it can be asked, and cannot, gets an error on its own
// side or a refusal from this one.
func TestClientThatLiesAboutItsCapabilities(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.options = &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}},
		}}
		res, err := s.join(w, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "write", Arguments: file("ask/1")})
		assert.True(t, err != nil || res.IsError)
		assert.Zero(t, s.ran())
	})
}

type approver func(context.Context, permission.Request) (permission.Reply, error)

func (a approver) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	return a(ctx, r)
}

func TestElse(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		var asked []string
		s := newScene(t, &permission.HookOptions{Approver: &Elicitor{
			Else: approver(func(_ context.Context, r permission.Request) (permission.Reply, error) {
				asked = append(asked, r.Subjects[0].Text)
				if r.Subjects[0].Text == "ask/1" {
					return permission.Reply{Answer: permission.Once}, nil
				}
				return permission.Reply{Message: "not that one"}, nil
			}),
		}})
		session := s.join(w, nil)
		_, isError := call(t, session, "write", file("ask/1"))
		assert.False(t, isError)
		got, isError := call(t, session, "write", file("ask/2"))
		assert.True(t, isError)
		assert.Contains(t, got, "not that one")
		assert.NotContains(t, got, "cannot be asked")
		assert.Equal(t, []string{"ask/1", "ask/2"}, asked)
		assert.Equal(t, 1, s.ran())

		u := says("decline")
		_, isError = call(t, s.join(w, u), "write", file("ask/1"))
		assert.True(t, isError, "who can be asked is asked, and nobody else")
		assert.Len(t, asked, 2)
	})
}

// A call that does not come through Server has no client.
func TestElicitorByItself(t *testing.T) {
	for _, e := range []*Elicitor{nil, {}} {
		_, err := e.Approve(t.Context(), permission.Request{})
		assert.ErrorIs(t, err, permission.ErrNoApprover)
	}
	yes := approver(func(context.Context, permission.Request) (permission.Reply, error) {
		return permission.Reply{Answer: permission.Once}, nil
	})
	got, err := (&Elicitor{Else: yes}).Approve(t.Context(), permission.Request{})
	assert.NoError(t, err)
	assert.Equal(t, permission.Once, got.Answer)
}

// An older client is waited for no longer than the hook says.
func TestNobodyAnswersInTime(t *testing.T) {
	inVersion(t, older, func(t *testing.T, w world) {
		s := newScene(t, &permission.HookOptions{Approver: new(Elicitor), Timeout: 30 * time.Millisecond})
		u := says("accept")
		answer := make(chan bool)
		u.context = func(context.Context) { <-answer }
		defer close(answer)
		got, isError := call(t, s.join(w, u), "write", file("ask/1"))
		assert.True(t, isError)
		assert.Contains(t, got, "nobody answered in time")
		assert.Zero(t, s.ran())
	})
}

// Cancelling a call reaches the hook that waits, and its yes comes to nothing.
func TestCancelledWhileAsking(t *testing.T) {
	inVersion(t, older, func(t *testing.T, w world) {
		s := newScene(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		u := says("accept")
		answer := make(chan bool)
		u.context = func(context.Context) { cancel(); <-answer }
		defer close(answer)
		_, err := s.join(w, u).CallTool(ctx, &mcp.CallToolParams{Name: "write", Arguments: file("ask/1")})
		assert.ErrorIs(t, err, context.Canceled)
		assert.Eventually(t, func() bool { return len(s.records.causes()) == 1 }, 5*time.Second, time.Millisecond)
		assert.Equal(t, permission.CauseCanceled, s.records.causes()[0])
		assert.Zero(t, s.ran())
	})
}

func TestAskHoldsUpNoOtherCall(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		asked, answer := make(chan bool), make(chan bool)
		u := says("accept")
		u.context = func(context.Context) { asked <- true; <-answer }
		session := s.join(w, u)
		done := make(chan bool)
		go func() {
			defer close(done)
			_, isError := call(t, session, "write", file("ask/1"))
			assert.False(t, isError)
		}()
		<-asked
		_, isError := call(t, session, "read", file("ok/1"))
		assert.False(t, isError)
		close(answer)
		<-done
		assert.Equal(t, 2, s.ran())
	})
}

// A policy that is swapped in while somebody thinks decides about the yes.
func TestSwapWhileAsking(t *testing.T) {
	none := []permission.Rule{{Tool: "*", Pattern: "ask/*", Action: permission.Deny}}
	other := []permission.Rule{{Tool: "*", Pattern: "ask/*", Action: permission.Ask, Reason: "another reason"}}
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		u := says("accept")
		u.context = func(context.Context) { assert.NoError(t, s.hook.Swap(newPolicy(t, none...))) }
		_, isError := call(t, s.join(w, u), "write", file("ask/1"))
		assert.True(t, isError)
		assert.Zero(t, s.ran())
		assert.Len(t, u.questions(), 1)

		if w.version != newest {
			return
		}
		s = newScene(t, nil)
		u.context = func(context.Context) { assert.NoError(t, s.hook.Swap(newPolicy(t, other...))) }
		u.asked = nil
		_, isError = call(t, s.join(w, u), "write", file("ask/1"))
		assert.False(t, isError)
		require.Len(t, u.questions(), 2, "a yes is for the reason that was given")
		assert.Contains(t, u.questions()[1], "another reason")
	})
}

// The SDK's documents say that a server may elicit in every version. Its code
// does not, from 2026-07-28 on.
func TestNewestSessionsRefuseElicitation(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		var got error
		s.add("elicit", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			_, got = r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Well?"})
			return &mcp.CallToolResult{}, nil
		})
		call(t, s.join(w, says("accept")), "elicit", file("ok/1"))
		if w.version == newest {
			assert.ErrorContains(t, got, "cannot be sent")
		} else {
			assert.NoError(t, got)
		}
	})
}

// What a tool asks in the middle of its work is no part of the call that it runs
// in: its context does not lead to the client.
func TestToolHasNoExchange(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		var got permission.Verdict
		s.add("nested", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			got = s.hook.PreToolCall(ctx, permission.ToolCall{Name: "write", Input: []byte(`{"path":"ask/2"}`)})
			return &mcp.CallToolResult{}, nil
		})
		u := says("accept")
		call(t, s.join(w, u), "nested", file("ask/1"))
		assert.False(t, got.Proceed)
		assert.Equal(t, permission.CauseNoApprover, got.Decision.Cause)
		assert.Len(t, u.questions(), 1)
	})
}
