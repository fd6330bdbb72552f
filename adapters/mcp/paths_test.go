package permissionmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// The SDK runs a tool's handler in one place, for one method. These are the ways
// of adding tools, and of getting there.
func TestDeniedToolRunsByNoPath(t *testing.T) {
	type typed struct {
		Path string `json:"path"`
	}
	handler := func(s *scene) mcp.ToolHandlerFor[typed, typed] {
		return func(ctx context.Context, r *mcp.CallToolRequest, in typed) (*mcp.CallToolResult, typed, error) {
			res, err := s.run(ctx, r)
			return res, in, err
		}
	}
	for name, add := range map[string]func(*scene){
		"by its handler": func(s *scene) { s.add("tool", s.run) },
		"by a type":      func(s *scene) { mcp.AddTool(s.server, &mcp.Tool{Name: "tool"}, handler(s)) },
		"in the place of another": func(s *scene) {
			s.add("tool", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
			s.add("tool", s.run)
		},
		"by middleware of the host's": func(s *scene) {
			s.add("tool", s.run)
			s.server.AddReceivingMiddleware(recovers)
		},
		"with input requests": func(s *scene) {
			s.add("tool", func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				_, _ = s.run(ctx, r)
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "a"}}}, nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorlds(t, func(t *testing.T, w world) {
				s := newScene(t, nil)
				add(s)
				session := s.join(w, says("accept"))
				for _, p := range []*mcp.CallToolParams{
					{Name: "tool", Arguments: file("secret/1")},
					{Name: "tool", Arguments: file("ok/../secret/1")},
					{Name: "tool", Arguments: json.RawMessage(`{"path":"ok/1","path":"secret/1"}`)},
					{Name: "tool", Arguments: json.RawMessage(`{"path":"ok/1","Path":"secret/1"}`)},
					{Name: "tool", Arguments: json.RawMessage(`[]`)},
					{Name: "tool", Arguments: json.RawMessage(`"ok/1"`)},
					{Name: "tool", Arguments: file("secret/1"), InputResponses: yes(), RequestState: "permission:go:A:"},
					{Name: "tool", Arguments: file("secret/1"), InputResponses: mcp.InputResponseMap{"a": &mcp.ElicitResult{Action: "accept"}}},
					{Name: "tool"},
				} {
					res, err := session.CallTool(t.Context(), p)
					require.NoError(t, err)
					assert.True(t, res.IsError)
					assert.Nil(t, res.StructuredContent, "no zero value beside the refusal")
					assert.Zero(t, s.ran(), "%s %s", p.Name, p.Arguments)
				}
			})
		})
	}
}

// The SDK fills in defaults behind the guard, and rounds numbers, which the
// documents say. A call without an argument that has to be there is refused.
func TestWhatTheSDKFillsIn(t *testing.T) {
	type typed struct {
		Path string  `json:"path,omitempty"`
		N    float64 `json:"n,omitempty"`
	}
	schema := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","default":"secret/1"},"n":{"type":"number"}}}`)
	for _, required := range []bool{true, false} {
		tool := permission.Tool{Name: "tool", Kind: permission.Path, Optional: []string{"path"}}
		if required {
			tool.Arguments, tool.Optional = tool.Optional, nil
		}
		policy, err := permission.Compile(permission.Allow, []permission.Rule{{Tool: "*", Pattern: "secret/*", Action: permission.Deny}},
			&permission.Options{Root: "/srv", Home: "/home/u", GOOS: "linux", Tools: []permission.Tool{tool}})
		require.NoError(t, err)
		s := newScene(t, nil)
		require.NoError(t, s.hook.Swap(policy))
		var got typed
		mcp.AddTool(s.server, &mcp.Tool{Name: "tool", InputSchema: schema}, func(_ context.Context, _ *mcp.CallToolRequest, in typed) (*mcp.CallToolResult, any, error) {
			got = in
			return nil, nil, nil
		})
		session := s.join(worlds()[1], nil)
		res := send(t, session, &mcp.CallToolParams{Name: "tool"})
		assert.Equal(t, required, res.IsError)
		assert.Equal(t, !required, got.Path == "secret/1", "where this fails the documents need not say it any more")
		send(t, session, &mcp.CallToolParams{Name: "tool", Arguments: json.RawMessage(`{"path":"a","n":9007199254740993}`)})
		assert.InDelta(t, 9007199254740992, got.N, 0)
	}
}

// Tools that are added, removed or unknown when the client comes are judged by
// their name all the same.
func TestToolsThatComeAndGo(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		session := s.join(w, nil)
		res := send(t, session, &mcp.CallToolParams{Name: "late", Arguments: file("secret/1")})
		assert.True(t, res.IsError, "whether there is such a tool is nobody's business")
		s.add("late", s.run)
		assert.True(t, send(t, session, &mcp.CallToolParams{Name: "late", Arguments: file("secret/1")}).IsError)
		assert.False(t, send(t, session, &mcp.CallToolParams{Name: "late", Arguments: file("ok/1")}).IsError)
		s.server.RemoveTools("late")
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "late", Arguments: file("ok/1")})
		var wire *jsonrpc.Error
		assert.ErrorAs(t, err, &wire, "that it is unknown is the SDK's to say")
		assert.Equal(t, 1, s.ran())
	})
}

// post sends a message as it stands, and returns all that comes back.
func post(t *testing.T, url, version, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", version)
	r.Header.Set("Mcp-Method", callTool)
	names := regexp.MustCompile(`"[nN]ame":"(\w+)"`).FindAllStringSubmatch(body, -1)
	r.Header.Set("Mcp-Name", names[len(names)-1][1]) // which the SDK compares with the body
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(data)
}

func serve(t *testing.T, s *mcp.Server) string {
	t.Helper()
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
	}))
	t.Cleanup(web.Close)
	return web.URL
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// Clients need not use the SDK. What reaches a handler has come by the guard,
// in whatever form it was sent.
func TestDeniedToolRunsForNoMessage(t *testing.T) {
	s := newScene(t, nil)
	url := serve(t, s.server)
	seen := 0
	for version, bodies := range map[string][]string{
		newest: {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/1"},` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","name":"delete","arguments":{"path":"ok/1"},` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"path":"ok/1"},"name":"delete","arguments":null,` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/1"},"inputResponses":{"permission":{"action":"accept"}},"requestState":"permission:go:A:",` + meta + `}}`,
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/1"},` + meta + `}}`,
			`{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"delete","arguments":{"path":"ok/1"},` + meta + `}}`,
		},
		older: {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/1"}}}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"Name":"delete","arguments":{"path":"ok/1"}}}`,
		},
		"2025-03-26": {
			`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/1"}}},` +
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete","arguments":{"path":"ok/2"}}}]`,
		},
	} {
		for _, body := range bodies {
			got := post(t, url, version, body)
			seen += strings.Count(got, "nothing is deleted")
			assert.Zero(t, s.ran(), body)
		}
	}
	assert.GreaterOrEqual(t, seen, 5, "most of these have reached the guard")
	got := post(t, url, older, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"ok/1"}}}`)
	assert.Contains(t, got, `"ran"`)
}

// The version is that of the request where there is no session, and current
// clients want to be told the type of a result.
func TestResultTypes(t *testing.T) {
	s := newScene(t, nil)
	url := serve(t, s.server)
	request := func(tool, path, meta string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{"path":%q}%s}}`, tool, path, meta)
	}
	deny := post(t, url, newest, request("delete", "ok/1", ","+meta))
	assert.Contains(t, deny, `"resultType":"complete"`)
	assert.Contains(t, deny, `"isError":true`)
	assert.NotContains(t, deny, `"error"`)
	assert.NotContains(t, deny, `structuredContent`)

	ask := post(t, url, newest, request("write", "ask/1", ","+meta))
	assert.Contains(t, ask, `"resultType":"input_required"`)
	assert.Contains(t, ask, `"method":"elicitation/create"`)
	assert.Contains(t, ask, `"requestState":"permission:ask:`)
	old := post(t, url, older, request("delete", "ok/1", ""))
	assert.NotContains(t, old, `resultType`)
	assert.Contains(t, old, `"isError":true`)
}

// A middleware that answers in the place of a handler has to set the type by
// itself: the SDK does so for handlers alone. Where this fails, resultOf has had
// its day.
func TestTheSDKLeavesTheTypeOut(t *testing.T) {
	server := newServer()
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == callTool {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{}}, nil
			}
			return next(ctx, method, r)
		}
	})
	got := post(t, serve(t, server), newest, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete",`+meta+`}}`)
	assert.Contains(t, got, `"isError":true`)
	assert.NotContains(t, got, `"resultType"`)
}

// strange requests are none that the SDK makes, but middleware outside may.
func TestStrangeRequests(t *testing.T) {
	ran := false
	next := func(context.Context, string, mcp.Request) (mcp.Result, error) { ran = true; return nil, nil }
	hook, err := permission.NewHook(newPolicy(t, permission.Rule{Tool: "*", Pattern: "*", Action: permission.Allow}), nil)
	require.NoError(t, err)
	var none *mcp.CallToolRequest
	var noParams *mcp.CallToolParams
	for name, r := range map[string]mcp.Request{
		"nil":               nil,
		"typed nil":         none,
		"no parameters":     &mcp.CallToolRequest{Session: new(mcp.ServerSession)},
		"no session":        &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "read"}},
		"other parameters":  &mcp.GetPromptRequest{Session: new(mcp.ServerSession), Params: new(mcp.GetPromptParams)},
		"the client's":      &mcp.ClientRequest[*mcp.CallToolParams]{Session: new(mcp.ClientSession), Params: noParams},
		"the client's nil":  &mcp.ClientRequest[mcp.Params]{Session: new(mcp.ClientSession)},
		"without a session": &mcp.ClientRequest[*mcp.PingParams]{},
	} {
		for _, middleware := range []mcp.Middleware{Server(hook, nil), Client(hook, nil)} {
			got, err := middleware(next)(t.Context(), callTool, r)
			assert.NoError(t, err, name)
			res, ok := got.(*mcp.CallToolResult)
			require.True(t, ok, "%s: %T", name, got)
			assert.True(t, res.IsError)
			assert.Contains(t, text(res), "Permission denied")
		}
	}
	assert.False(t, ran)
}

func TestPanics(t *testing.T) {
	panics := &Options{Complete: func(context.Context, mcp.Request, permission.ToolCall) permission.ToolCall { panic("no") }}
	for name, o := range map[string]*permission.HookOptions{
		"approver":    {Approver: approver(func(context.Context, permission.Request) (permission.Reply, error) { panic("no") })},
		"on decision": {Approver: new(Elicitor)},
	} {
		inWorlds(t, func(t *testing.T, w world) {
			s := newScene(t, o)
			if name == "on decision" {
				o.OnDecision = func(context.Context, permission.Record) { panic("no") }
				var err error
				s.hook, err = permission.NewHook(s.hook.Policy(), o)
				require.NoError(t, err)
				s.server = newServer()
				s.server.AddReceivingMiddleware(Server(s.hook, nil))
				s.add("write", s.run)
			}
			got, isError := call(t, s.join(w, says("accept")), "write", file("ask/1"))
			assert.True(t, isError, name)
			assert.Contains(t, got, "failed", name)
			assert.Zero(t, s.ran())
		})
	}
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.server.AddReceivingMiddleware(Server(s.hook, panics))
		got, isError := call(t, s.join(w, nil), "read", file("ok/1"))
		assert.True(t, isError)
		assert.Contains(t, got, "The permission layer failed")
		assert.Zero(t, s.ran())
	})
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		s.add("fall", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("no") })
		s.add("die", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic(poison{}) })
		client := s.join(w, nil)
		for tool, want := range map[string]string{"fall": "no", "die": "a permissionmcp.poison"} {
			got, isError := call(t, client, tool, file("ok/1"))
			assert.True(t, isError)
			assert.Equal(t, "the tool panicked: "+want, got)
		}
	})
}

// A caller without arguments may hand in a nil map, which is null by the time that
// it is sent. It is judged as none, on either side, and so it runs.
func TestNullIsNoArguments(t *testing.T) {
	now := newPolicy(t, permission.Rule{Tool: "now", Pattern: "*", Action: permission.Allow})
	h, err := permission.NewHook(now, nil)
	require.NoError(t, err)
	inWorlds(t, func(t *testing.T, w world) {
		for _, guardsServer := range []bool{true, false} {
			s := &scene{t: t, server: newServer()}
			for _, name := range []string{"now", "then"} {
				s.add(name, s.run)
			}
			client := newClient(nil)
			if guardsServer {
				s.server.AddReceivingMiddleware(Server(h, nil))
			} else {
				client.AddSendingMiddleware(Client(h, nil))
			}
			session, stop, err := w.connect(s.server, client)
			require.NoError(t, err)
			t.Cleanup(stop)
			for _, none := range []any{nil, map[string]any(nil), json.RawMessage(nil), json.RawMessage(" null "), map[string]any{}} {
				got, isError := call(t, session, "now", none)
				assert.False(t, isError, got)
				_, isError = call(t, session, "then", none)
				assert.True(t, isError, "%T", none)
			}
			for _, ran := range s.runs {
				assert.Contains(t, []string{"", "{}"}, string(ran.Arguments))
			}
			assert.Equal(t, 5, s.ran())
			_, isError := call(t, session, "now", json.RawMessage("[]"))
			assert.True(t, isError, "a list is no arguments that anybody can read")
		}
	})
}

// What ends the goroutine of a call leaves its client an answer, and the session
// one that closes.
func TestACallThatEndsItsGoroutineIsAnswered(t *testing.T) {
	const unjudged = "The permission layer failed"
	exits := func(context.Context, mcp.Request, permission.ToolCall) permission.ToolCall {
		runtime.Goexit()
		panic("no")
	}
	for name, c := range map[string]struct {
		hook       permission.HookOptions
		options    Options
		path, says string
	}{
		"tool":     {path: "ok/1", says: "the tool did not return"},
		"Complete": {options: Options{Complete: exits}, path: "ok/1", says: unjudged},
		"Refusal": {hook: permission.HookOptions{
			Refusal: func(permission.ToolCall, permission.Decision, string) string { runtime.Goexit(); return "" },
		}, path: "no/1", says: unjudged},
		"Approver": {hook: permission.HookOptions{Approver: exiting{}}, path: "ask/1", says: "it did not return"},
	} {
		inWorlds(t, func(t *testing.T, w world) {
			if c.hook.Approver == nil {
				c.hook.Approver = new(Elicitor)
			}
			h, err := permission.NewHook(newPolicy(t, rules()...), &c.hook)
			require.NoError(t, err)
			server := newServer()
			server.AddReceivingMiddleware(Server(h, &c.options))
			s := &scene{t: t, server: server}
			s.add("read", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				runtime.Goexit()
				return nil, nil
			})
			got, isError := call(t, s.join(w, nil), "read", file(c.path))
			assert.True(t, isError, name)
			assert.Contains(t, got, c.says, name)
		})
	}
}

// exiting is an approver that ends the goroutine that it is called in.
type exiting struct{}

func (exiting) Approve(context.Context, permission.Request) (permission.Reply, error) {
	runtime.Goexit()
	return permission.Reply{}, nil
}

// A poison panics whenever somebody asks what it says.
type poison struct{}

func (poison) String() string { panic(poison{}) }

func TestCancelledContext(t *testing.T) {
	s := newScene(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, errors.New("it ran") }
	res, err := Server(s.hook, nil)(next)(ctx, callTool, &mcp.CallToolRequest{
		Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "read", Arguments: []byte(`{"path":"ok/1"}`)},
	})
	require.NoError(t, err)
	assert.Contains(t, text(res.(*mcp.CallToolResult)), "The call was cancelled")
}

type (
	customParams struct{ mcp.ParamsBase }
	customResult struct{ mcp.ResultBase }
)

// A method of the host's own may do anything. It passes where the host says so.
func TestCustomMethods(t *testing.T) {
	for _, method := range []string{"acme/run", "tools/run"} {
		inWorlds(t, func(t *testing.T, w world) { customMethod(t, w, method) })
	}
	next := func(context.Context, string, mcp.Request) (mcp.Result, error) { return nil, nil }
	for _, method := range []string{"notifications/run", "Tools/call", "tools/call ", ""} {
		for _, middleware := range []mcp.Middleware{Server(nil, nil), Client(nil, nil)} {
			_, err := middleware(next)(t.Context(), method, nil)
			assert.ErrorContains(t, err, "may run a tool")
		}
	}
}

func customMethod(t *testing.T, w world, method string) {
	for _, o := range []*Options{nil, {Methods: []string{method}}} {
		s := newScene(t, nil)
		server, client, ran := newServer(), newClient(nil), false
		require.NoError(t, mcp.AddReceivingCustomMethod(server, method, func(context.Context, *mcp.ServerSession, *customParams) (*customResult, error) {
			ran = true
			return new(customResult), nil
		}))
		require.NoError(t, mcp.AddSendingCustomMethod[*customParams, *customResult](client, method))
		server.AddReceivingMiddleware(Server(s.hook, o))
		session, stop, err := w.connect(server, client)
		require.NoError(t, err)
		_, err = mcp.CallCustomMethod[*customParams, *customResult](t.Context(), session, method, new(customParams))
		stop()
		assert.Equal(t, o != nil, ran)
		if o == nil {
			assert.ErrorContains(t, err, "may run a tool")
		} else {
			assert.NoError(t, err)
		}
	}
}

// Options.Methods cannot let tools/call by.
func TestCallsAreJudgedWhateverPasses(t *testing.T) {
	s := newScene(t, nil)
	s.server = newServer()
	s.server.AddReceivingMiddleware(Server(s.hook, &Options{Methods: []string{callTool}}))
	s.add("delete", s.run)
	_, isError := call(t, s.join(worlds()[0], nil), "delete", file("ok/1"))
	assert.True(t, isError)
	assert.Zero(t, s.ran())
}

// A new version of the SDK may bring methods that nobody has looked at.
func TestMethodsOfTheSDK(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/go-sdk").Output()
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "mcp", "protocol.go"))
	require.NoError(t, err)
	toClients := []string{
		"elicitation/create", "notifications/elicitation/complete", "notifications/message",
		"notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated",
		"notifications/subscriptions/acknowledged", "notifications/tools/list_changed", "roots/list", "sampling/createMessage",
	}
	var methods []string
	for _, m := range regexp.MustCompile(`(?m)^\t(?:method|notification)\w+ += "(.+)"$`).FindAllStringSubmatch(string(source), -1) {
		if m[1] != callTool && !slices.Contains(toClients, m[1]) {
			methods = append(methods, m[1])
		}
	}
	assert.ElementsMatch(t, harmless(), methods, "what does the new one do, and does it run a tool?")
}
