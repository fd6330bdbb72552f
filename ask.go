package permission

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// An asked is a part of a call that needs an answer.
type asked struct {
	shown  Subject          // to people
	read   *subject.Subject // as rules see it
	reader *subject.Reader  // that has read it, and reads patterns for it
	doubt  bool             // a refusal may be meant for it
}

// ask puts an ask to the approver, unless the session's grants cover it, and
// returns what becomes of it: Allow, or Deny with the cause.
func (h *Hook) ask(ctx context.Context, p *Policy, c ToolCall, ruled ruling, proposed []string) Decision {
	d := ruled.Decision
	switch {
	case len(ruled.asking) == 0:
		return refuse(d, CauseFault, "there is nothing to ask about")
	case h.options.Approver == nil:
		return refuse(d, CauseNoApprover, d.Detail)
	}
	asking := identify(c.Name, ruled.asking)
	grant, err := newGrant(asking, proposed)
	if err != nil {
		return refuse(d, CauseFault, err.Error())
	}
	wait, cancel := h.deadline(ctx, p)
	defer cancel()
	w, granted := h.sessions.enter(wait, c.Session, asking, grant)
	if granted {
		return agree(d, CauseAlways)
	}
	defer w.leave()
	r := request(c, ruled, w.grant.rules)
	reply, err := w.approve(h.options.Approver, r)
	return w.answered(ctx, d, r.ID, reply, err)
}

// answered returns what becomes of d, an ask that was put to the approver under
// that ID in a call of ctx, by what the approver returned. What ended the wait
// goes before that.
func (w *wait) answered(ctx context.Context, d Decision, id string, reply Reply, err error) Decision {
	told := err == nil && reply.ID == id // so it is an answer, whatever else has come about
	switch {
	case ctx.Err() != nil:
		return refuse(d, CauseCanceled, "")
	case errors.Is(context.Cause(w.ctx), errSessionEnded):
		return refuse(d, CauseClosed, errSessionEnded.Error())
	case w.ctx.Err() != nil:
		return refuse(d, CauseTimeout, "")
	case !told && w.isCovered():
		return agree(d, CauseAlways)
	case errors.Is(err, ErrClosed):
		return refuse(d, CauseClosed, err.Error())
	case errors.Is(err, ErrNoApprover):
		return refuse(d, CauseNoApprover, d.Detail)
	case err != nil:
		return refuse(d, CauseApproverFailed, err.Error())
	case reply.ID != "" && !told:
		return refuse(d, CauseApproverFailed, "it replied to another request")
	case reply.Answer == Reject:
		return refuse(d, CauseRejected, reply.Message)
	case reply.Answer == Always && w.always():
		return agree(d, CauseAlways)
	case reply.Answer == Always, reply.Answer == Once:
		return agree(d, CauseOnce)
	}
	return refuse(d, CauseApproverFailed, fmt.Sprintf("it gave the unknown answer %d", reply.Answer))
}

// agree returns d as allowed for that reason.
func agree(d Decision, why Cause) Decision {
	d.Action, d.Cause = Allow, why
	return d
}

// refuse returns d as denied for that reason. The detail takes the place of d's.
func refuse(d Decision, why Cause, detail string) Decision {
	d.Action, d.Cause, d.Detail = Deny, why, detail
	return d
}

// deadline returns a context that ends when nobody waits for an answer any
// more.
func (h *Hook) deadline(ctx context.Context, p *Policy) (context.Context, context.CancelFunc) {
	limit := h.options.Timeout
	if p.timeout > 0 && (limit <= 0 || p.timeout < limit) {
		limit = p.timeout
	}
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// request returns a request that shares nothing with the call that will run.
func request(c ToolCall, ruled ruling, always []Rule) Request {
	r := Request{ID: rand.Text(), Call: c, Decision: ruled.own(), Always: slices.Clone(always)}
	r.Call.Input = bytes.Clone(c.Input)
	for _, a := range ruled.asking {
		if !slices.Contains(r.Subjects, a.shown) {
			r.Subjects = append(r.Subjects, a.shown)
		}
	}
	return r
}

// grace is how long an approver has for an answer that it was about to give when
// another one covers the ask.
const grace = time.Second

// approve puts r to the approver. It returns what that says, or as soon as no
// answer counts any more, whatever the approver does. Where a grant covers the
// ask it waits for a moment still: the approver may have said no before it heard
// of that.
func (w *wait) approve(a Approver, r Request) (Reply, error) {
	type outcome struct {
		reply Reply
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("it did not return")} // it called runtime.Goexit
		defer func() {
			if v := recover(); v != nil {
				o = outcome{err: errors.New("it panicked: " + visible.Panic(v))}
			}
			done <- o
		}()
		o.reply, o.err = a.Approve(w.question, r)
	}()
	var over <-chan time.Time
	question := w.question.Done()
	for {
		select {
		case o := <-done:
			return o.reply, o.err
		case <-question: // which ends with w.ctx, too
			question, over = nil, time.After(grace)
		case <-over:
			return Reply{}, w.question.Err()
		case <-w.ctx.Done():
			return Reply{}, w.ctx.Err()
		}
	}
}
