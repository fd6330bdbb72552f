package permissionmcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

const (
	older  = "2025-11-25" // asks by requests of its own
	newest = "2026-07-28"
)

// A world is a way in which clients and servers meet.
type world struct {
	name, version string
	http          bool
}

func worlds() []world {
	return []world{
		{"memory " + older, older, false},
		{"memory " + newest, newest, false},
		{"http " + older, older, true},
		{"http " + newest, newest, true},
	}
}

// inWorlds runs a test in each of them.
func inWorlds(t *testing.T, test func(t *testing.T, w world)) {
	for _, w := range worlds() {
		t.Run(w.name, func(t *testing.T) { test(t, w) })
	}
}

// inVersion runs a test in the worlds of one version.
func inVersion(t *testing.T, version string, test func(t *testing.T, w world)) {
	inWorlds(t, func(t *testing.T, w world) {
		if w.version == version {
			test(t, w)
		}
	})
}

// connect has a client meet a server, until the returned function is called:
// that waits for what they have begun.
func (w world) connect(server *mcp.Server, client *mcp.Client) (*mcp.ClientSession, func(), error) {
	var near mcp.Transport
	var stop func()
	if w.http {
		// The SDK serves the newest version without sessions alone.
		web := httptest.NewServer(mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return server },
			&mcp.StreamableHTTPOptions{Stateless: w.version == newest, PropagateRequestCancellation: true},
		))
		near, stop = &mcp.StreamableClientTransport{Endpoint: web.URL, HTTPClient: web.Client()}, web.Close
	} else {
		a, far := mcp.NewInMemoryTransports()
		session, err := server.Connect(context.Background(), far, nil)
		if err != nil {
			return nil, nil, err
		}
		near, stop = a, func() { _ = session.Wait() }
	}
	session, err := client.Connect(context.Background(), near, &mcp.ClientSessionOptions{ProtocolVersion: w.version})
	if err != nil {
		stop()
		return nil, nil, err
	}
	return session, func() { _ = session.Close(); stop() }, nil
}

// A scene is a server with a policy before its tools, and a client of it.
type scene struct {
	t       *testing.T
	hook    *permission.Hook
	records *records
	server  *mcp.Server
	options *mcp.ClientOptions

	mu   sync.Mutex
	runs []mcp.CallToolParamsRaw // of the tools read, write and delete
}

// records are what a hook tells of its decisions.
type records struct {
	mu  sync.Mutex
	all []permission.Record
}

func (r *records) causes() (causes []permission.Cause) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.all {
		causes = append(causes, one.Decision.Cause)
	}
	return causes
}

func rules() []permission.Rule {
	return []permission.Rule{
		{Tool: "delete", Pattern: "*", Action: permission.Deny, Reason: "nothing is deleted"},
		{Tool: "*", Pattern: "ok/*", Action: permission.Allow},
		{Tool: "*", Pattern: "ask/*", Action: permission.Ask, Reason: "somebody has to look"},
	}
}

func newPolicy(t *testing.T, rules ...permission.Rule) *permission.Policy {
	t.Helper()
	p, err := permission.Compile(permission.Deny, rules, &permission.Options{Root: "/srv", Home: "/home/u", GOOS: "linux"})
	require.NoError(t, err)
	return p
}

func newScene(t *testing.T, o *permission.HookOptions) *scene {
	t.Helper()
	if o == nil {
		o = &permission.HookOptions{Approver: new(Elicitor)}
	}
	s := &scene{t: t, records: new(records)}
	o.OnDecision = func(_ context.Context, r permission.Record) {
		s.records.mu.Lock()
		defer s.records.mu.Unlock()
		s.records.all = append(s.records.all, r)
	}
	var err error
	s.hook, err = permission.NewHook(newPolicy(t, rules()...), o)
	require.NoError(t, err)
	s.server = newServer()
	s.server.AddReceivingMiddleware(Server(s.hook, nil))
	for _, name := range []string{"read", "write", "delete"} {
		s.add(name, s.run)
	}
	return s
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "server", Version: "v0"}, nil)
}

func newClient(o *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "client", Version: "v0"}, o)
}

func (s *scene) add(name string, h mcp.ToolHandler) {
	s.server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, h)
}

// run is a tool that says that it ran.
func (s *scene) run(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, *r.Params)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ran"}}}, nil
}

func (s *scene) ran() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.runs)
}

// A user is who answers elicitations, and what they were asked.
type user struct {
	mu      sync.Mutex
	answer  func(*mcp.ElicitRequest) (*mcp.ElicitResult, error)
	asked   []string
	context func(context.Context)
}

func (u *user) elicit(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	u.mu.Lock()
	u.asked = append(u.asked, r.Params.Message)
	u.mu.Unlock()
	if u.context != nil {
		u.context(ctx)
	}
	return u.answer(r)
}

func (u *user) questions() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.asked
}

// says is a user that always gives that answer.
func says(action string) *user {
	return &user{answer: func(*mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: action}, nil
	}}
}

// join connects a client with that user, who may be nobody.
func (s *scene) join(w world, u *user) *mcp.ClientSession {
	s.t.Helper()
	o := new(mcp.ClientOptions)
	if s.options != nil {
		*o = *s.options
	}
	if u != nil {
		o.ElicitationHandler = u.elicit
	}
	session, stop, err := w.connect(s.server, newClient(o))
	require.NoError(s.t, err)
	s.t.Cleanup(stop)
	return session
}

func file(path string) map[string]any { return map[string]any{"path": path} }

// call calls a tool and returns its text, and whether it is an error.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (string, bool) {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err, "a refusal is a result, and no error of the protocol")
	return text(res), res.IsError
}

func text(res *mcp.CallToolResult) (s string) {
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			s += c.Text
		}
	}
	return s
}
