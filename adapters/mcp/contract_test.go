package permissionmcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/permissiontest"
)

// A seam is one of the places where the hook may stand, with what a host can
// tell it there.
type seam struct {
	world
	guard  func(*mcp.Server, *mcp.Client, *permission.Hook)
	params func(permission.ToolCall) *mcp.CallToolParams
	told   func(*mcp.CallToolRequest) permission.ToolCall // what a tool knows
}

// run runs the calls of one message at the same time, as an agent does that has
// its tools on a server.
func (s seam) run(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
	results := make([]permission.ToolResult, len(calls))
	if len(calls) == 0 {
		return results
	}
	var all []*mcp.CallToolParams
	for _, c := range calls {
		c.Input = slices.Clone(c.Input)
		all = append(all, s.params(c))
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "server"}, &mcp.ServerOptions{
		GetSessionID: func() string { return calls[0].Session },
	})
	client := newClient(nil)
	s.guard(server, client, h)
	var running sync.WaitGroup
	server.AddReceivingMiddleware(counted(&running))
	for _, c := range calls {
		server.AddTool(&mcp.Tool{Name: c.Name, InputSchema: map[string]any{"type": "object"}}, s.tool(tool))
	}
	session, stop, err := s.connect(server, client)
	if err != nil {
		panic(err)
	}
	defer stop()
	var wg sync.WaitGroup
	for i, p := range all {
		wg.Go(func() {
			results[i] = s.call(ctx, session, p)
			results[i].CallID = calls[i].ID
		})
	}
	wg.Wait()
	running.Wait() // a connection that is closed carries no cancellation
	return results
}

// counted tells when all calls that a server has received are done.
func counted(running *sync.WaitGroup) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == callTool {
				running.Add(1)
				defer running.Done()
			}
			return next(ctx, method, r)
		}
	}
}

func (s seam) tool(tool permission.ToolFunc) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := permission.ToolCall{}
		if s.told != nil {
			c = s.told(r)
		}
		c.Name, c.Input = r.Params.Name, r.Params.Arguments
		res := tool(ctx, c)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Content}}, IsError: res.IsError}, nil
	}
}

func (s seam) call(ctx context.Context, session *mcp.ClientSession, p *mcp.CallToolParams) permission.ToolResult {
	if err := ctx.Err(); err != nil {
		return permission.ToolResult{Content: err.Error(), IsError: true} // the SDK would send it
	}
	res, err := session.CallTool(ctx, p)
	if err != nil {
		return permission.ToolResult{Content: err.Error(), IsError: true}
	}
	return permission.ToolResult{Content: text(res), IsError: res.IsError}
}

// plainly sends a call and no more than MCP has of it.
func plainly(c permission.ToolCall) *mcp.CallToolParams {
	p := &mcp.CallToolParams{Name: c.Name}
	if len(c.Input) > 0 {
		p.Arguments = c.Input
	}
	return p
}

// facts are what does not get through a connection.
func facts(r permissiontest.Runtime) permissiontest.Runtime {
	r.NoCallIDs, r.Detached, r.NoSessions, r.NoDirs, r.NoMetadata = true, true, true, true, true
	return r
}

func TestServerKeepsTheContract(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := seam{world: w, params: plainly, guard: func(server *mcp.Server, _ *mcp.Client, h *permission.Hook) {
			server.AddReceivingMiddleware(Server(h, nil))
		}}
		permissiontest.Run(t, facts(permissiontest.Runtime{Run: s.run, RunRewritten: s.runRewritten}))
	})
}

// runRewritten is run where middleware of the host's rewrites calls, with the
// guard on both sides of it.
func (s seam) runRewritten(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite permissiontest.Rewrite) []permission.ToolResult {
	s.guard = func(server *mcp.Server, _ *mcp.Client, h *permission.Hook) {
		server.AddReceivingMiddleware(Server(h, nil), rewriting(rewrite), Server(h, nil))
	}
	return s.run(ctx, h, calls, tool)
}

// rewriting is middleware that puts other arguments into calls.
func rewriting(rewrite permissiontest.Rewrite) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if r, ok := r.(*mcp.CallToolRequest); ok {
				r.Params.Arguments = rewrite(permission.ToolCall{Name: r.Params.Name, Input: r.Params.Arguments})
			}
			return next(ctx, method, r)
		}
	}
}

func TestClientKeepsTheContract(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := seam{world: w, params: plainly, guard: func(server *mcp.Server, client *mcp.Client, h *permission.Hook) {
			client.AddSendingMiddleware(Client(h, nil))
			server.AddReceivingMiddleware(recovers)
		}}
		permissiontest.Run(t, facts(permissiontest.Runtime{Run: s.run}))
	})
}

// recovers is a server that survives its tools, behind a guarded client.
func recovers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				res, err = nil, fmt.Errorf("panic: %v", v)
			}
		}()
		return next(ctx, method, r)
	}
}

const metaKey = "agent.test/call"

// A host that sends along what it knows of a call hands it to the hook by
// Options.Complete.
func TestCompletedCallsKeepTheContract(t *testing.T) {
	told := func(meta map[string]any) (c permission.ToolCall) {
		data, _ := json.Marshal(meta[metaKey])
		_ = json.Unmarshal(data, &c)
		return c
	}
	complete := func(_ context.Context, r mcp.Request, c permission.ToolCall) permission.ToolCall {
		sent := told(r.GetParams().GetMeta())
		c.ID, c.Session, c.Dir = sent.ID, sent.Session, sent.Dir
		return c
	}
	params := func(c permission.ToolCall) *mcp.CallToolParams {
		p := plainly(c)
		c.Input = nil
		p.Meta = mcp.Meta{metaKey: c}
		return p
	}
	for name, guard := range map[string]func(*mcp.Server, *mcp.Client, *permission.Hook){
		"server": func(server *mcp.Server, _ *mcp.Client, h *permission.Hook) {
			server.AddReceivingMiddleware(Server(h, &Options{Complete: complete}))
		},
		"client": func(server *mcp.Server, client *mcp.Client, h *permission.Hook) {
			client.AddSendingMiddleware(Client(h, &Options{Complete: complete}))
			server.AddReceivingMiddleware(recovers)
		},
	} {
		for _, w := range worlds()[:2] {
			t.Run(name+" "+w.name, func(t *testing.T) {
				s := seam{world: w, params: params, guard: guard, told: func(r *mcp.CallToolRequest) permission.ToolCall {
					return told(r.Params.Meta)
				}}
				permissiontest.Run(t, permissiontest.Runtime{Run: s.run, Detached: true, NoMetadata: true})
			})
		}
	}
}

// Over HTTP the SDK has sessions in the older versions, and their names can be
// those of the hook's sessions.
func TestSessionsOfTheProtocol(t *testing.T) {
	s := seam{
		world:  world{"http " + older, older, true},
		params: plainly,
		guard: func(server *mcp.Server, _ *mcp.Client, h *permission.Hook) {
			server.AddReceivingMiddleware(Server(h, &Options{
				Complete: func(_ context.Context, r mcp.Request, c permission.ToolCall) permission.ToolCall {
					c.Session = r.GetSession().ID()
					return c
				},
			}))
		},
		told: func(r *mcp.CallToolRequest) permission.ToolCall {
			return permission.ToolCall{Session: r.Session.ID()}
		},
	}
	r := facts(permissiontest.Runtime{Run: s.run})
	r.NoSessions = false
	permissiontest.Run(t, r)
}
