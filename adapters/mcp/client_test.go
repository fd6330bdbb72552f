package permissionmcp

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// A stage is a server without a guard, and a client with one.
type stage struct {
	*scene
	client *mcp.Client
}

func newStage(t *testing.T, o *Options, ho *permission.HookOptions, rules ...permission.Rule) *stage {
	t.Helper()
	s := &stage{scene: &scene{t: t, server: newServer()}, client: newClient(nil)}
	for _, name := range []string{"read", "write", "delete"} {
		s.add(name, s.run)
	}
	var err error
	s.hook, err = permission.NewHook(newPolicy(t, rules...), ho)
	require.NoError(t, err)
	s.client.AddSendingMiddleware(Client(s.hook, o))
	return s
}

func (s *stage) join(w world) *mcp.ClientSession {
	s.t.Helper()
	session, stop, err := w.connect(s.server, s.client)
	require.NoError(s.t, err)
	s.t.Cleanup(stop)
	return session
}

// calls connects the two and makes these calls.
func (s *stage) calls(w world, p ...*mcp.CallToolParams) (results []*mcp.CallToolResult) {
	s.t.Helper()
	session := s.join(w)
	for _, one := range p {
		results = append(results, send(s.t, session, one))
	}
	return results
}

func TestClientNamesTools(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newStage(t, &Options{Server: "files"}, nil,
			permission.Rule{Tool: "mcp__files__read", Pattern: "*", Action: permission.Allow},
			permission.Rule{Tool: "write", Pattern: "*", Action: permission.Allow},
		)
		results := s.calls(w, &mcp.CallToolParams{Name: "read", Arguments: file("a")}, writes("a"))
		assert.False(t, results[0].IsError)
		assert.True(t, results[1].IsError, "a rule for a tool of the host's own is none for the server's")
		assert.Contains(t, text(results[1]), `"mcp__files__write"`)
		require.Equal(t, 1, s.ran())
		assert.Equal(t, "read", s.runs[0].Name, "the server knows it by its own name")
	})
}

// With a "__" in its name a server could take the tools of another one's name.
func TestAmbiguousServerNames(t *testing.T) {
	allow := permission.Rule{Tool: "*", Pattern: "*", Action: permission.Allow}
	for name, fine := range map[string]bool{
		"a": true, "a_b": true, "_a": true, "a-b.c": true, "a__b": false, "a_": false, "__": false, "_": false, "a b": false,
	} {
		s := newStage(t, &Options{Server: name}, nil, allow)
		res := s.calls(worlds()[0], &mcp.CallToolParams{Name: "read"})[0]
		assert.Equal(t, !fine, res.IsError, name)
		assert.Equal(t, fine, s.ran() == 1, name)
		if !fine {
			assert.Contains(t, text(res), "Permission denied")
		}
	}
	// So it is where there are no rules at all.
	off, err := permission.ParseManifest("off.toml", nil, nil)
	require.NoError(t, err)
	hook, err := permission.NewHook(off, nil)
	require.NoError(t, err)
	s := newStage(t, nil, nil, allow)
	s.client = newClient(nil)
	s.client.AddSendingMiddleware(Client(hook, &Options{Server: "a__b"}))
	assert.True(t, s.calls(worlds()[0], &mcp.CallToolParams{Name: "read"})[0].IsError)
	assert.Zero(t, s.ran())
}

func TestCompleteCannotChangeWhatRuns(t *testing.T) {
	var got permission.ToolCall
	o := &Options{Complete: func(_ context.Context, r mcp.Request, c permission.ToolCall) permission.ToolCall {
		for i := range c.Input {
			c.Input[i] = ' '
		}
		c.Name, c.Input, c.Metadata = "renamed", json.RawMessage(`{"path":"other"}`), "mine"
		return c
	}}
	ho := &permission.HookOptions{Approver: approver(func(_ context.Context, r permission.Request) (permission.Reply, error) {
		got = r.Call
		return permission.Reply{Answer: permission.Once}, nil
	})}
	s := newStage(t, o, ho, permission.Rule{Tool: "renamed", Pattern: "*", Action: permission.Ask})
	res := s.calls(worlds()[1], writes("a"))[0]
	assert.False(t, res.IsError, text(res))
	assert.Equal(t, "renamed", got.Name)
	assert.Equal(t, "mine", got.Metadata)
	assert.JSONEq(t, `{"path":"a"}`, string(got.Input))
	assert.Equal(t, "write", s.runs[0].Name)
	assert.JSONEq(t, `{"path":"a"}`, string(s.runs[0].Arguments))
}

// A refused call is not sent, and its caller gets a result.
func TestClientSendsNothingThatIsRefused(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newStage(t, nil, nil, rules()[:2]...)
		reached := 0
		s.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
				if method == callTool {
					reached++
				}
				return next(ctx, method, r)
			}
		})
		results := s.calls(w,
			&mcp.CallToolParams{Name: "delete", Arguments: file("ok/1")},
			&mcp.CallToolParams{Name: "read", Arguments: json.RawMessage(`{"path":"ok/1","path":"etc"}`)},
			&mcp.CallToolParams{Name: "read", Arguments: []string{"ok/1"}},
			&mcp.CallToolParams{Name: "read", Arguments: func() {}},
			&mcp.CallToolParams{Name: "read", Arguments: json.RawMessage(`{"path"`)},
			&mcp.CallToolParams{Name: "read", Arguments: falls{}},
			&mcp.CallToolParams{Name: "read", Arguments: file("ok/1")},
		)
		for _, res := range results[:6] {
			assert.True(t, res.IsError)
			assert.Contains(t, text(res), "Permission denied")
		}
		assert.False(t, results[6].IsError)
		assert.Equal(t, 1, reached)
	})
}

// falls are arguments that cannot be encoded.
type falls struct{}

func (falls) MarshalJSON() ([]byte, error) { panic("no") }

// turns are arguments that are others each time that somebody looks.
type turns struct{ n *int }

func (a turns) MarshalJSON() ([]byte, error) {
	*a.n++
	if *a.n == 1 {
		return []byte(`{"path":"ok/1"}`), nil
	}
	return []byte(`{"path":"etc/passwd"}`), nil
}

// What is sent is what was judged, whatever becomes of the caller's arguments.
func TestClientFreezesArguments(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		arguments := map[string]any{"path": "ok/1", "note": "<a> & \u2028", "n": json.Number("12345678901234567890")}
		s := newStage(t, nil, &permission.HookOptions{
			OnDecision: func(context.Context, permission.Record) { arguments["path"] = "etc/passwd" },
		}, rules()[:2]...)
		raw := json.RawMessage(`{"path":"ok/1","z":[1.0,1e2,-0.0],"html":"<&>","\u006eote":"\u0041"}`)
		n := 0
		p := &mcp.CallToolParams{Name: "read", Arguments: raw}
		results := s.calls(w, &mcp.CallToolParams{Name: "read", Arguments: arguments}, p, &mcp.CallToolParams{Name: "read", Arguments: turns{&n}})
		for _, res := range results {
			assert.Equal(t, "ran", text(res))
		}
		require.Equal(t, 3, s.ran())
		assert.Equal(t, `{"n":12345678901234567890,"note":"<a> & \u2028","path":"ok/1"}`, string(s.runs[0].Arguments))
		assert.Equal(t, string(raw), string(s.runs[1].Arguments))
		assert.Equal(t, `{"path":"ok/1"}`, string(s.runs[2].Arguments))
		assert.Equal(t, 1, n)
		assert.Equal(t, raw, p.Arguments, "the caller's parameters are the caller's")
	})
}

// The context of a call reaches the hook of a client, and with it the skills
// that run.
func TestSkillRestrictsAClient(t *testing.T) {
	s := newStage(t, nil, nil, rules()[:2]...)
	ctx, err := s.hook.Policy().WithSkill(t.Context(), &permission.Skill{
		Name: "writer", Tools: []permission.Rule{{Tool: "write", Pattern: "*", Action: permission.Allow}},
	})
	require.NoError(t, err)
	session := s.join(worlds()[1])
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "read", Arguments: file("ok/1")})
	require.NoError(t, err)
	assert.Contains(t, text(res), "writer")
	res, err = session.CallTool(ctx, writes("ok/1"))
	require.NoError(t, err)
	assert.False(t, res.IsError)
}

// Rounds of a tool's dialogue are one call of the client's, which is asked
// about once, and an Elicitor has no one to ask there.
func TestClientAsksOnce(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		n := 0
		s := newStage(t, nil, &permission.HookOptions{Approver: &Elicitor{
			Else: approver(func(context.Context, permission.Request) (permission.Reply, error) {
				n++
				return permission.Reply{Answer: permission.Once}, nil
			}),
		}}, rules()...)
		s.add("dialogue", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if len(r.Params.InputResponses) > 0 {
				return s.run(ctx, r)
			}
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"it": &mcp.ElicitParams{Message: "Well?"}}}, nil
		})
		u := says("accept")
		s.client = newClient(&mcp.ClientOptions{ElicitationHandler: u.elicit})
		s.client.AddSendingMiddleware(Client(s.hook, nil))
		res := s.calls(w, &mcp.CallToolParams{Name: "dialogue", Arguments: file("ask/1")})[0]
		assert.Equal(t, "ran", text(res))
		assert.Equal(t, 1, n)
		assert.Equal(t, []string{"Well?"}, u.questions())
	})
}

func TestNilHookRefuses(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		for _, h := range []*permission.Hook{nil, {}} {
			s := newStage(t, nil, nil, rules()[:2]...)
			s.client = newClient(nil)
			s.client.AddSendingMiddleware(Client(h, nil))
			assert.True(t, s.calls(w, &mcp.CallToolParams{Name: "read", Arguments: file("ok/1")})[0].IsError)

			s.client = newClient(nil)
			s.server.AddReceivingMiddleware(Server(h, nil))
			assert.True(t, s.calls(w, &mcp.CallToolParams{Name: "read", Arguments: file("ok/1")})[0].IsError)
			assert.Zero(t, s.ran())
		}
	})
}

// The SDK runs the middleware first that was added last. One that was added
// behind the guard is judged; one that was added before it is not, which the
// documents say.
func TestOrderOfMiddleware(t *testing.T) {
	rewrite := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if r, ok := r.(*mcp.CallToolRequest); ok {
				r.Params.Arguments = json.RawMessage(`{"path":"secret/1"}`)
			}
			return next(ctx, method, r)
		}
	}
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.server.AddReceivingMiddleware(rewrite)
		_, isError := call(t, s.join(w, nil), "read", file("ok/1"))
		assert.True(t, isError)
		assert.Zero(t, s.ran())

		s.server = newServer()
		s.server.AddReceivingMiddleware(rewrite, Server(s.hook, nil))
		s.add("read", s.run)
		_, isError = call(t, s.join(w, nil), "read", file("ok/1"))
		assert.True(t, isError, "of those that are added together the first runs first")

		s.server = newServer()
		s.server.AddReceivingMiddleware(rewrite)
		s.server.AddReceivingMiddleware(Server(s.hook, nil))
		s.add("read", s.run)
		_, isError = call(t, s.join(w, nil), "read", file("ok/1"))
		assert.False(t, isError)
	})
}
