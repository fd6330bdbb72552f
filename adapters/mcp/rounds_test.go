package permissionmcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// byHand is a client of the newest version that says that it can be asked, and
// whose rounds the test makes up.
func byHand(s *scene, w world) *mcp.ClientSession {
	s.options = &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}}
	return s.join(w, says("accept"))
}

func writes(path string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "write", Arguments: file(path)}
}

// again is a call with an answer.
func again(p *mcp.CallToolParams, state string, answers mcp.InputResponseMap) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: p.Name, Arguments: p.Arguments, RequestState: state, InputResponses: answers}
}

func yes() mcp.InputResponseMap {
	return mcp.InputResponseMap{answerKey: &mcp.ElicitResult{Action: "accept"}}
}

func send(t *testing.T, session *mcp.ClientSession, p *mcp.CallToolParams) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), p)
	require.NoError(t, err)
	return res
}

// asked checks that a result is a question, and returns its state.
func asked(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	require.True(t, res.NeedsInput(), "want a question, got %q", text(res))
	require.Contains(t, res.InputRequests, answerKey)
	require.Len(t, res.InputRequests, 1)
	require.Empty(t, res.Content)
	return res.RequestState
}

func TestRounds(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		session := byHand(s, w)
		state := asked(t, send(t, session, writes("ask/1")))
		assert.Zero(t, s.ran())
		res := send(t, session, again(writes("ask/1"), state, yes()))
		assert.Equal(t, "ran", text(res))
		require.Equal(t, 1, s.ran())
		assert.Empty(t, s.runs[0].RequestState, "what is the guard's is not for the tool")
		assert.Empty(t, s.runs[0].InputResponses)
	})
}

// Whatever a client makes of question and answer, a call that was not agreed to
// is asked about or refused.
func TestForgedAnswers(t *testing.T) {
	for name, forge := range map[string]func(state string) *mcp.CallToolParams{
		"without a question":  func(string) *mcp.CallToolParams { return again(writes("ask/1"), "", yes()) },
		"to the tool's own":   func(string) *mcp.CallToolParams { return again(writes("ask/1"), "step 2", yes()) },
		"to a made up ticket": func(string) *mcp.CallToolParams { return again(writes("ask/1"), "permission:ask:ABC:", yes()) },
		"to a made up go":     func(string) *mcp.CallToolParams { return again(writes("ask/1"), "permission:go:ABC:", yes()) },
		"with part of it":     func(s string) *mcp.CallToolParams { return again(writes("ask/1"), s[:len(s)-3], yes()) },
		"as a go": func(s string) *mcp.CallToolParams {
			return again(writes("ask/1"), strings.Replace(s, ":ask:", ":go:", 1), yes())
		},
		"with other arguments": func(s string) *mcp.CallToolParams { return again(writes("ask/2"), s, yes()) },
		"with more arguments": func(s string) *mcp.CallToolParams {
			p := again(writes("ask/1"), s, yes())
			p.Arguments = map[string]any{"path": "ask/1", "content": "more"}
			return p
		},
		"with another tool": func(s string) *mcp.CallToolParams {
			p := again(writes("ask/1"), s, yes())
			p.Name = "read"
			return p
		},
	} {
		t.Run(name, func(t *testing.T) {
			inVersion(t, newest, func(t *testing.T, w world) {
				s := newScene(t, nil)
				session := byHand(s, w)
				state := asked(t, send(t, session, writes("ask/1")))
				again := asked(t, send(t, session, forge(state)))
				assert.NotEqual(t, state, again)
				assert.Zero(t, s.ran())
			})
		})
	}
}

func TestMalformedAnswers(t *testing.T) {
	for name, answers := range map[string]mcp.InputResponseMap{
		"none":            nil,
		"under other key": {"other": &mcp.ElicitResult{Action: "accept"}},
		"of other type":   decoded(t, `{"permission":{"roots":[]}}`),
	} {
		t.Run(name, func(t *testing.T) {
			inVersion(t, newest, func(t *testing.T, w world) {
				s := newScene(t, nil)
				session := byHand(s, w)
				state := asked(t, send(t, session, writes("ask/1")))
				res := send(t, session, again(writes("ask/1"), state, answers))
				assert.True(t, res.IsError)
				assert.Contains(t, text(res), "sent no answer")
				asked(t, send(t, session, again(writes("ask/1"), state, yes()))) // the question is used up
				assert.Zero(t, s.ran())
			})
		})
	}
}

// decoded are responses as they come, of any type.
func decoded(t *testing.T, data string) (m mcp.InputResponseMap) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(data), &m))
	return m
}

func TestReplayedAnswer(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		session := byHand(s, w)
		state := asked(t, send(t, session, writes("ask/1")))
		p := again(writes("ask/1"), state, yes())
		assert.Equal(t, "ran", text(send(t, session, p)))
		for range 3 {
			asked(t, send(t, session, p))
		}
		assert.Equal(t, 1, s.ran())
	})
}

// One answer that is sent many times at once runs the call once.
func TestConcurrentReplay(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		session := byHand(s, w)
		state := asked(t, send(t, session, writes("ask/1")))
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				_, err := session.CallTool(context.WithoutCancel(t.Context()), again(writes("ask/1"), state, yes()))
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.Equal(t, 1, s.ran())
	})
}

// A question that was put in one session is answered in no other. One that
// tries does not use up the answer of the session that it is of.
func TestAnotherSessionsAnswer(t *testing.T) {
	w := worlds()[1]
	s := newScene(t, nil)
	one, other := byHand(s, w), byHand(s, w)
	state := asked(t, send(t, one, writes("ask/1")))
	asked(t, send(t, other, again(writes("ask/1"), state, yes())))
	assert.Zero(t, s.ran())
	assert.Equal(t, "ran", text(send(t, one, again(writes("ask/1"), state, yes()))))
}

// Over HTTP a session of the newest version is one request. What Complete says
// is in the question, and tells clients apart where the host can.
func TestAnotherHostsSessionsAnswer(t *testing.T) {
	s := newScene(t, nil)
	s.server = newServer()
	s.server.AddReceivingMiddleware(Server(s.hook, &Options{
		Complete: func(_ context.Context, r mcp.Request, c permission.ToolCall) permission.ToolCall {
			c.Session, _ = r.GetParams().GetMeta()["user"].(string)
			return c
		},
	}))
	s.add("write", s.run)
	session := byHand(s, worlds()[3])
	as := func(user string, p *mcp.CallToolParams) *mcp.CallToolParams {
		p.Meta = mcp.Meta{"user": user}
		return p
	}
	state := asked(t, send(t, session, as("ann", writes("ask/1"))))
	asked(t, send(t, session, as("bob", again(writes("ask/1"), state, yes()))))
	assert.Zero(t, s.ran())
}

// completing is a server whose calls are completed so, with these tools.
func (s *scene) completing(complete func(permission.ToolCall) permission.ToolCall, tools ...string) {
	s.server = newServer()
	s.server.AddReceivingMiddleware(Server(s.hook, &Options{
		Complete: func(_ context.Context, _ mcp.Request, c permission.ToolCall) permission.ToolCall { return complete(c) },
	}))
	for _, name := range tools {
		s.add(name, s.run)
	}
}

// Where the rules know two tools by one name, a yes is for the one that the user
// was told of.
func TestYesIsForTheToolThatRuns(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.completing(func(c permission.ToolCall) permission.ToolCall { c.Name = "files"; return c }, "write", "wipe")
		session := byHand(s, w)
		res := send(t, session, writes("ask/1"))
		q, ok := res.InputRequests[answerKey].(*mcp.ElicitParams)
		require.True(t, ok)
		assert.Contains(t, q.Message, "Run the tool write?")
		assert.Contains(t, q.Message, "judged as: files")
		p := again(writes("ask/1"), res.RequestState, yes())
		p.Name = "wipe"
		asked(t, send(t, session, p))
		assert.Zero(t, s.ran())
	})
}

// The call with the answer is another request, and may have another ID.
func TestIDsDifferBetweenRounds(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		var n atomic.Int32
		s.completing(func(c permission.ToolCall) permission.ToolCall { c.ID = fmt.Sprint(n.Add(1)); return c }, "write")
		u := says("accept")
		_, isError := call(t, s.join(w, u), "write", file("ask/1"))
		assert.False(t, isError)
		assert.Len(t, u.questions(), 1)
		assert.Equal(t, 1, s.ran())
	})
}

func TestLateAnswer(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, &permission.HookOptions{Approver: new(Elicitor), Timeout: 20 * time.Millisecond})
		session := byHand(s, w)
		state := asked(t, send(t, session, writes("ask/1")))
		time.Sleep(40 * time.Millisecond)
		res := send(t, session, again(writes("ask/1"), state, yes()))
		assert.True(t, res.IsError)
		assert.Contains(t, text(res), "the answer came too late")
		assert.Zero(t, s.ran())
	})
}

// A request's own deadline is none for the answer, which comes with another. It
// does not stand in for the time to answer either.
func TestDeadlines(t *testing.T) {
	for _, limit := range []time.Duration{0, time.Minute, time.Hour} {
		s := newScene(t, &permission.HookOptions{Approver: new(Elicitor), Timeout: limit})
		g := newGuard(s.hook, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, _, refused := g.receive(ctx, &mcp.CallToolRequest{
			Session: new(mcp.ServerSession),
			Params: &mcp.CallToolParamsRaw{Name: "write", Arguments: []byte(`{"path":"ask/1"}`), Meta: mcp.Meta{
				mcp.MetaKeyProtocolVersion:    newest,
				mcp.MetaKeyClientCapabilities: map[string]any{"elicitation": map[string]any{}},
			}},
		})
		cancel()
		asked(t, refused)
		want := min(limit, patience)
		if limit == 0 {
			want = patience
		}
		for _, open := range g.open.issued {
			assert.WithinDuration(t, time.Now().Add(want), open.until, 5*time.Second)
		}
		assert.Len(t, g.open.issued, 1)
	}
}

// A request that ends takes its hook along, which waits for nobody then.
func TestEndOfRequestEndsTheAsk(t *testing.T) {
	began, over := make(chan bool), make(chan error, 1)
	s := newScene(t, &permission.HookOptions{Approver: approver(func(ctx context.Context, _ permission.Request) (permission.Reply, error) {
		close(began)
		<-ctx.Done()
		over <- ctx.Err()
		return permission.Reply{}, ctx.Err()
	})})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	_, _, refused := newGuard(s.hook, nil).receive(ctx, &mcp.CallToolRequest{
		Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "write", Arguments: []byte(`{"path":"ask/1"}`)},
	})
	assert.Contains(t, text(refused), "The call was cancelled")
	assert.ErrorIs(t, <-over, context.Canceled)
}

// dialogue is a tool that asks for input twice, with a state of its own or none.
func dialogue(s *scene, state string, bodies *atomic.Int32) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		bodies.Add(1)
		_, first := r.Params.InputResponses["first"]
		_, second := r.Params.InputResponses["second"]
		key := "first"
		switch {
		case second:
			return s.run(ctx, r)
		case first:
			key = "second"
		}
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{key: &mcp.ElicitParams{Message: "The tool asks: " + key + "?"}},
			RequestState:  state,
		}, nil
	}
}

// The rounds of a tool's own dialogue are one call, and asked about once. The
// SDK bridges one round for older clients.
func TestToolsOwnDialogue(t *testing.T) {
	for _, state := range []string{"", "the tool's own: {}"} {
		inVersion(t, newest, func(t *testing.T, w world) {
			s := newScene(t, nil)
			var bodies atomic.Int32
			s.add("dialogue", dialogue(s, state, &bodies))
			u := says("accept")
			got, isError := call(t, s.join(w, u), "dialogue", file("ask/1"))
			assert.False(t, isError)
			assert.Equal(t, "ran", got)
			require.Len(t, u.questions(), 3)
			assert.Contains(t, u.questions()[0], "Run the tool dialogue?")
			assert.Equal(t, []string{"The tool asks: first?", "The tool asks: second?"}, u.questions()[1:])
			assert.EqualValues(t, 3, bodies.Load())
			assert.Equal(t, state, s.runs[0].RequestState, "the tool gets back what it gave")
		})
	}
}

func TestBridgedDialogue(t *testing.T) {
	inVersion(t, older, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.add("bridged", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(r.Params.InputResponses) > 0 {
				return s.run(ctx, r)
			}
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"it": &mcp.ElicitParams{Message: "The tool asks"}}}, nil
		})
		u := says("accept")
		got, isError := call(t, s.join(w, u), "bridged", file("ask/1"))
		assert.False(t, isError, got)
		assert.Len(t, u.questions(), 2)

		_, isError = call(t, s.join(w, u), "bridged", file("secret/1"))
		assert.True(t, isError)
		assert.Equal(t, 1, s.ran())
	})
}

// The ticket of a dialogue lets the agreed call go on, once, and no other.
func TestGoingOnIsForTheAgreedCall(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		var bodies atomic.Int32
		s.add("dialogue", dialogue(s, "step", &bodies))
		session := byHand(s, w)
		p := &mcp.CallToolParams{Name: "dialogue", Arguments: file("ask/1")}
		state := asked(t, send(t, session, p))
		own := send(t, session, again(p, state, yes()))
		require.Contains(t, own.InputRequests, "first")
		input := mcp.InputResponseMap{"first": &mcp.ElicitResult{Action: "accept"}}

		other := again(p, own.RequestState, input)
		other.Arguments = file("ask/2")
		asked(t, send(t, session, other))
		state = asked(t, send(t, session, again(p, own.RequestState, input))) // used up by that
		assert.EqualValues(t, 1, bodies.Load())

		own = send(t, session, again(p, state, yes()))
		asked(t, send(t, session, again(p, own.RequestState+" 2", input))) // at another step than the tool said
		assert.EqualValues(t, 2, bodies.Load())
	})
}

// What an allowed tool and its client say to one another is theirs.
func TestAllowedDialogueIsLeftAlone(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		var bodies atomic.Int32
		s.add("dialogue", dialogue(s, "step", &bodies))
		session := byHand(s, w)
		p := &mcp.CallToolParams{Name: "dialogue", Arguments: file("ok/1")}
		assert.Equal(t, "step", send(t, session, p).RequestState)
		res := send(t, session, again(p, "step", mcp.InputResponseMap{"first": &mcp.ElicitResult{Action: "accept"}}))
		assert.Contains(t, res.InputRequests, "second")
		res = send(t, session, again(p, "step", mcp.InputResponseMap{
			"second": &mcp.ElicitResult{Action: "accept"}, answerKey: &mcp.ElicitResult{Action: "decline"},
		}))
		assert.Equal(t, "ran", text(res))
		assert.Len(t, s.runs[0].InputResponses, 2)
	})
}

// A denied call is denied in every round.
func TestAnswersDoNotSoftenADeny(t *testing.T) {
	inVersion(t, newest, func(t *testing.T, w world) {
		s := newScene(t, nil)
		session := byHand(s, w)
		state := asked(t, send(t, session, writes("ask/1")))
		p := again(writes("ask/1"), state, yes())
		p.Name = "delete"
		res := send(t, session, p)
		assert.True(t, res.IsError)
		assert.Contains(t, text(res), "nothing is deleted")
		assert.Zero(t, s.ran())
	})
}

func TestTicketsAreBounded(t *testing.T) {
	var ts tickets
	first := ts.issue(ticket{kind: asking, until: time.Now().Add(time.Hour)}, "")
	for range maxTickets + 100 {
		ts.issue(ticket{kind: asking, until: time.Now().Add(2 * time.Hour)}, "")
	}
	assert.LessOrEqual(t, len(ts.issued), maxTickets)
	_, number, _ := cut(first)
	assert.Equal(t, none, ts.take(number, nil).kind, "what is gone is no yes")

	ts = tickets{}
	for range maxTickets {
		ts.issue(ticket{kind: asking}, "")
	}
	ts.issue(ticket{kind: asking}, "")
	assert.Len(t, ts.issued, 1, "those that are late go first, all of them")
}

func TestCut(t *testing.T) {
	for state, want := range map[string][3]string{
		"":                      {"", "", ""},
		"a":                     {"", "", "a"},
		"permission:":           {"", "", "permission:"},
		"permission:ask":        {"", "", "permission:ask"},
		"permission:ask:N":      {"", "", "permission:ask:N"},
		"permission:ask:N:":     {"ask", "N", ""},
		"permission:go:N:a:b":   {"go", "N", "a:b"},
		"permission::N:a":       {"", "", "permission::N:a"},
		"permission:other:N:a":  {"", "", "permission:other:N:a"},
		" permission:ask:N:":    {"", "", " permission:ask:N:"},
		"permission:tool::a:b:": {"tool", "", "a:b:"},
		"permission:ask::rest":  {"ask", "", "rest"},
		"permission:go:N:\x00é": {"go", "N", "\x00é"},
	} {
		k, number, rest := cut(state)
		assert.Equal(t, want, [3]string{string(k), number, rest}, state)
	}
}

// With the guard on both sides of a middleware that rewrites calls, each side
// asks about what it sees, and the rounds of both go through one connection.
func TestGuardOnBothSides(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.server = newServer()
		s.server.AddReceivingMiddleware(Server(s.hook, nil), rewriting(func(permission.ToolCall) json.RawMessage {
			return json.RawMessage(`{"path":"ask/2"}`)
		}), Server(s.hook, nil))
		s.add("write", s.run)
		u := says("accept")
		got, isError := call(t, s.join(w, u), "write", file("ask/1"))
		assert.False(t, isError, got)
		require.Len(t, u.questions(), 2)
		assert.Contains(t, u.questions()[0], "ask/1")
		assert.Contains(t, u.questions()[1], "ask/2")
		assert.Equal(t, 1, s.ran())
	})
}

// Guards of several policies, one in another, know their own questions: one that
// allows a call leaves the question of the next to it.
func TestGuardBehindGuard(t *testing.T) {
	allow := newPolicy(t, permission.Rule{Tool: "*", Pattern: "*", Action: permission.Allow})
	ask := newPolicy(t, permission.Rule{Tool: "*", Pattern: "*", Action: permission.Ask, Reason: "outside"})
	inWorlds(t, func(t *testing.T, w world) {
		for want, policy := range []*permission.Policy{allow, ask} {
			outer, err := permission.NewHook(policy, &permission.HookOptions{Approver: new(Elicitor)})
			require.NoError(t, err)
			s := newScene(t, nil)
			s.server = newServer()
			s.server.AddReceivingMiddleware(Server(outer, nil), Server(outer, nil), Server(s.hook, nil))
			s.add("write", s.run)
			u := says("accept")
			got, isError := call(t, s.join(w, u), "write", file("ask/1"))
			assert.False(t, isError, got)
			assert.Len(t, u.questions(), 2*want+1)
			assert.Equal(t, 1, s.ran())

			got, isError = call(t, s.join(w, says("decline")), "write", file("ask/1"))
			assert.True(t, isError, got)
			assert.Equal(t, 1, s.ran())
		}
	})
}

// A tool's state comes back as it was given, even if it looks like a ticket.
func TestWrap(t *testing.T) {
	for _, state := range []string{"", "a", "permission:", "permission:ask:N:", "permission:go:N:a", "permission:tool::permission:ask:N:"} {
		k, _, rest := cut(wrap(state))
		assert.Equal(t, state, rest)
		assert.NotContains(t, []kind{asking, going}, k, state)
	}
}

// Over HTTP one user's question is not another's, whatever they have seen of it.
func TestHolders(t *testing.T) {
	session := new(mcp.ServerSession)
	holder := func(e *mcp.RequestExtra) any {
		return (&exchange{request: &mcp.CallToolRequest{Session: session, Extra: e}}).holder()
	}
	as := func(user string) *mcp.RequestExtra {
		return &mcp.RequestExtra{Header: http.Header{}, TokenInfo: &auth.TokenInfo{UserID: user}}
	}
	assert.Equal(t, holder(as("ann")), holder(as("ann")))
	assert.NotEqual(t, holder(as("ann")), holder(as("bob")))
	assert.NotEqual(t, holder(as("ann")), holder(&mcp.RequestExtra{Header: http.Header{}}))
	assert.True(t, holder(nil) == holder(new(mcp.RequestExtra)))
	other := &exchange{request: &mcp.CallToolRequest{Session: new(mcp.ServerSession)}}
	assert.False(t, holder(nil) == other.holder())
}
