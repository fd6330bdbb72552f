package permissionmcp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

// exchangeKey is where the context of a hook has the exchange that it decides
// in. The context of a tool has none: what a tool asks for is no part of the
// call that it runs in.
type exchangeKey struct{}

// An exchange is one tools/call that a server has received, and what passes
// between it and its client before the tool runs.
type exchange struct {
	tickets *tickets
	request *mcp.CallToolRequest
	tool    string                // that runs, whatever rules call it
	params  mcp.CallToolParamsRaw // a copy, for the tool
	version string                // of the protocol, which each request may state

	mu       sync.Mutex // an approver may go on when nobody waits for it any more
	ticket   ticket     // that came with the request, and has not been used
	answer   mcp.InputResponse
	agreed   bool // to terms
	terms    digest
	question *mcp.CallToolResult
	why      string // the client cannot be asked
}

// exchange returns that of a request, and takes out of its parameters what is
// not for the tool. A call that its client was asked about starts at its
// beginning: with a question of the guard's there is nothing of the tool's.
func (g *guard) exchange(r *mcp.CallToolRequest) *exchange {
	x := &exchange{tickets: &g.open, request: r, tool: r.Params.Name, params: *r.Params, version: r.ProtocolVersion()}
	x.params.Arguments = object(x.params.Arguments)
	kind, nonce, rest := cut(x.params.RequestState)
	if kind == none {
		return x
	}
	if t := g.open.take(nonce, x.holder()); t.kind == kind && t.rest == sha256.Sum256([]byte(rest)) {
		x.ticket = t
	}
	x.params.RequestState = rest
	if kind == asking {
		x.answer = x.params.InputResponses[answerKey]
		x.params.InputResponses, x.params.RequestState = nil, ""
	}
	return x
}

// holder tells whose request it is, and keeps no session from being forgotten.
// Over HTTP each request may have a session of its own.
func (x *exchange) holder() any {
	e := x.request.Extra
	if e == nil || e.Header == nil {
		return weak.Make(x.request.Session)
	}
	user := ""
	if e.TokenInfo != nil {
		user = e.TokenInfo.UserID
	}
	return [2]string{x.request.Session.ID(), user}
}

var (
	errPut  = fmt.Errorf("%w: the client was told to ask its user and to call again", permission.ErrClosed)
	errLate = fmt.Errorf("%w: the answer came too late", permission.ErrClosed)
)

// ask puts r to the user of the client, unless that has been done: then r has
// the ticket, and is to the letter what the ticket is for.
func (x *exchange) ask(ctx context.Context, r permission.Request, terms digest) (permission.Reply, error) {
	switch t, a := x.present(terms); {
	case t.kind == going && !t.late():
		return permission.Reply{Answer: permission.Once}, nil
	case t.kind == asking && t.late():
		return permission.Reply{}, errLate
	case t.kind == asking:
		return reply(a)
	}
	if why := cannotAsk(x.request.ClientCapabilities()); why != "" {
		return permission.Reply{}, fmt.Errorf("%w: %s", permission.ErrNoApprover, why)
	}
	q, err := question(x.tool, r)
	if err != nil {
		return permission.Reply{}, err
	}
	if x.version >= rounds {
		x.put(q, ticket{kind: asking, terms: terms, holder: x.holder(), until: until(ctx)})
		return permission.Reply{}, errPut
	}
	a, err := x.request.Session.Elicit(ctx, q)
	if err != nil {
		return permission.Reply{}, fmt.Errorf("the client did not answer: %s", visible.Short(err.Error()))
	}
	return reply(a)
}

// present returns the ticket of the request and the answer with it, if they are
// for these terms. They are good for one question.
func (x *exchange) present(terms digest) (ticket, mcp.InputResponse) {
	x.mu.Lock()
	defer x.mu.Unlock()
	t, a := x.ticket, x.answer
	if t.kind == none || t.terms != terms {
		return ticket{}, nil
	}
	x.ticket, x.answer = ticket{}, nil
	return t, a
}

// put has the request answered with a question.
func (x *exchange) put(q *mcp.ElicitParams, t ticket) {
	res := resultOf(inputRequired)
	res.InputRequests = mcp.InputRequestMap{answerKey: q}
	res.RequestState = x.tickets.issue(t, "")
	x.mu.Lock()
	defer x.mu.Unlock()
	x.question = res
}

// until returns when an answer comes too late. ctx is that of an approver, and
// ends with the time to answer.
func until(ctx context.Context) time.Time {
	limit := time.Now().Add(patience)
	if d, ok := ctx.Deadline(); ok && d.Before(limit) {
		return d
	}
	return limit
}

// untimed is a context that ends when another does, and does not say so before:
// an answer comes with another request than the question, and what time this one
// has is no measure for it.
type untimed struct{ context.Context }

func (untimed) Deadline() (time.Time, bool) { return time.Time{}, false }

// agree notes that somebody has agreed to terms.
func (x *exchange) agree(terms digest) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.agreed, x.terms = true, terms
}

func (x *exchange) explain(why string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.why = why
}

// outcome returns the question that was put, and why none could be.
func (x *exchange) outcome() (question *mcp.CallToolResult, why string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.question, x.why
}

// goOn returns the result of a tool that asks for input, with a ticket where
// somebody has agreed to the call: the client calls again with that input, and
// its user is not to be asked twice.
func (x *exchange) goOn(res *mcp.CallToolResult) *mcp.CallToolResult {
	x.mu.Lock()
	defer x.mu.Unlock()
	own := *res
	if !x.agreed {
		own.RequestState = wrap(res.RequestState)
		return &own
	}
	own.RequestState = x.tickets.issue(ticket{
		kind: going, terms: x.terms, holder: x.holder(), until: time.Now().Add(patience),
	}, res.RequestState)
	return &own
}

// reply returns what an answer says. Nothing but a plain yes agrees.
func reply(a mcp.InputResponse) (permission.Reply, error) {
	res, ok := a.(*mcp.ElicitResult)
	switch {
	case !ok || res == nil:
		return permission.Reply{}, errors.New("the client sent no answer to the elicitation")
	case res.Action == "decline":
		return permission.Reply{Answer: permission.Reject}, nil
	case res.Action == "cancel":
		return permission.Reply{}, fmt.Errorf("%w: the user has dismissed it", permission.ErrClosed)
	case res.Action != "accept":
		return permission.Reply{}, errors.New("the client's answer is none of accept, decline and cancel")
	case len(res.Content) > 0:
		return permission.Reply{}, errors.New("the client's answer has content that nobody asked for")
	}
	return permission.Reply{Answer: permission.Once}, nil
}
