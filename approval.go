package permission

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// An Approver answers the calls for which a policy says ask: a person at a
// terminal or in an editor, or a program in their place.
//
// Approve is called once for each such call, from many goroutines at once, and
// may take its time: it must return soon after ctx ends, which is when the
// call is cancelled or its time to answer is over. What it returns then is not
// looked at. An error refuses the call, and so do an unknown Answer, a reply to
// another request and a panic; each is told apart in Decision.Cause.
type Approver interface {
	Approve(ctx context.Context, r Request) (Reply, error)
}

// A Request asks for one call. It is the approver's own: changing it changes
// nothing.
type Request struct {
	// ID is unique among all requests.
	ID   string
	Call ToolCall // with an Input of its own
	// Decision says why the call asks.
	Decision Decision
	// Subjects are the parts of the call that need the answer.
	Subjects []Subject
}

// Answer is what an approver says. The zero value rejects.
type Answer uint8

const (
	Reject Answer = iota // the call does not run
	Once                 // this call runs
)

// A Reply answers a Request. The zero value rejects.
type Reply struct {
	// ID is that of the request; it may be empty.
	ID     string
	Answer Answer // zero is Reject
	// Message is told to the model with a Reject.
	Message string
}

// ask puts an ask to the approver and returns what becomes of it: Allow, or
// Deny with the cause.
func (h *Hook) ask(ctx context.Context, p *Policy, c ToolCall, j judgement) Decision {
	d := j.Decision
	switch {
	case len(j.asking) == 0:
		return refuse(d, CauseFault, "there is nothing to ask about")
	case h.options.Approver == nil:
		return refuse(d, CauseNoApprover, d.Detail)
	}
	wait, cancel := h.deadline(ctx, p)
	defer cancel()
	r := request(c, d, j.asking)
	reply, err := approve(wait, h.options.Approver, r)
	switch {
	case ctx.Err() != nil:
		return refuse(d, CauseCanceled, "")
	case wait.Err() != nil:
		return refuse(d, CauseTimeout, "")
	case err != nil:
		return refuse(d, CauseApproverFailed, err.Error())
	case reply.ID != "" && reply.ID != r.ID:
		return refuse(d, CauseApproverFailed, "it replied to another request")
	case reply.Answer == Reject:
		return refuse(d, CauseRejected, reply.Message)
	case reply.Answer != Once:
		return refuse(d, CauseApproverFailed, fmt.Sprintf("it gave the unknown answer %d", reply.Answer))
	}
	d.Action, d.Cause = Allow, CauseOnce
	return d
}

func refuse(d Decision, why Cause, detail string) Decision {
	d.Action, d.Cause, d.Detail = Deny, why, detail
	return d
}

// deadline returns a context that ends when nobody waits for an answer any
// more.
func (h *Hook) deadline(ctx context.Context, p *Policy) (context.Context, context.CancelFunc) {
	limit := h.options.Timeout
	if t := p.askTimeout(); t > 0 && (limit <= 0 || t < limit) {
		limit = t
	}
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

func (p *Policy) askTimeout() time.Duration {
	if p == nil {
		return 0
	}
	return p.timeout
}

// request returns a request that shares nothing with the call that will run.
func request(c ToolCall, d Decision, subjects []Subject) Request {
	c.Input = bytes.Clone(c.Input)
	if d.Rule != nil {
		rule := *d.Rule
		d.Rule = &rule
	}
	return Request{ID: rand.Text(), Call: c, Decision: d, Subjects: subjects}
}

// approve calls the approver and waits for it until ctx ends, whatever it
// does.
func approve(ctx context.Context, a Approver, r Request) (Reply, error) {
	type outcome struct {
		reply Reply
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("it did not return")} // it called runtime.Goexit
		defer func() {
			if v := recover(); v != nil {
				o = outcome{err: fmt.Errorf("it panicked: %v", v)}
			}
			done <- o
		}()
		o.reply, o.err = a.Approve(ctx, r)
	}()
	select {
	case o := <-done:
		return o.reply, o.err
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
}
