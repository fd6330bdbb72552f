package permissiontest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/insomnia-run/permission"
)

// askHoldsUpNothing answers an ask when the tools of the other calls are done.
func askHoldsUpNothing(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := t.reads("ask/1", "ok/2", "ok/3")
	others := newLatch(calls[1:]...)
	t.tool = func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		others.count(c)
		return permission.ToolResult{Content: output(c)}
	}
	t.answer = func(ctx context.Context, _ permission.Request) permission.Reply {
		if !t.await(ctx, others) {
			t.fault("while %s waited for an answer the other calls of the message did not run", about(calls[0]))
		}
		return permission.Reply{Answer: permission.Once}
	}
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	return t.as(calls, results)
}

// askedOnce agrees to whatever is asked a second time.
func askedOnce(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := t.reads("ask/1", "ask/2", "ok/3")
	const message = "not before Monday"
	var refused atomic.Bool
	t.answer = func(_ context.Context, r permission.Request) permission.Reply {
		if about(r.Call) == "read ask/2" && !refused.Swap(true) {
			return permission.Reply{Message: message}
		}
		return permission.Reply{Answer: permission.Once}
	}
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	if err := t.askedAbout(calls[0], calls[1]); err != nil {
		return err
	}
	if err := paired(calls, results); err != nil {
		return err
	}
	if !contains(results[1], message) {
		return fmt.Errorf("the approver said %q, and the result is %q", message, results[1].Content)
	}
	return errors.Join(t.didRun(calls[0], results[0]), t.wasRefused(calls[1], results[1]), t.didRun(calls[2], results[2]))
}

// askedAbout checks that the approver was asked about these calls, each once,
// and as they are.
func (t *trial) askedAbout(calls ...permission.ToolCall) error {
	questions := t.questions()
	for _, c := range calls {
		n := 0
		for _, q := range questions {
			if about(q.Call) != about(c) {
				continue
			}
			n++
			if q.Call.ID != c.ID && !t.runtime.NoCallIDs {
				return fmt.Errorf("the approver was asked about %s with the ID %q: want %q", about(c), q.Call.ID, c.ID)
			}
		}
		if n != 1 {
			return fmt.Errorf("the approver was asked about %s %d times: want once", about(c), n)
		}
	}
	if len(questions) != len(calls) {
		return fmt.Errorf("the approver was asked %d times: want %d", len(questions), len(calls))
	}
	return nil
}

// approvalForOneCall agrees to the first of three calls that differ in their
// IDs alone, of which the third is in a message of its own.
func approvalForOneCall(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := t.reads("ask/1", "ask/1", "ask/1")
	var agreed atomic.Bool
	t.answer = func(_ context.Context, q permission.Request) permission.Reply {
		if !r.NoCallIDs && q.Call.ID != calls[0].ID || agreed.Swap(true) {
			return permission.Reply{}
		}
		return permission.Reply{Answer: permission.Once}
	}
	results, err := t.run(ctx, calls[:2])
	if err != nil {
		return err
	}
	if err := paired(calls[:2], results); err != nil {
		return err
	}
	ran := 0
	for i := range results {
		switch {
		case contains(results[i], output(calls[i])):
			ran++
			if i != 0 && !r.NoCallIDs {
				return fmt.Errorf("the approver agreed to the call %q, and %q ran", calls[0].ID, calls[i].ID)
			}
		case t.failed(calls[i], results[i]) != nil:
			return fmt.Errorf("result %d is neither that of the tool nor an error: %q", i+1, results[i].Content)
		}
	}
	if ran != 1 {
		return fmt.Errorf("of two calls with the same input %d ran: want the one that was agreed to", ran)
	}
	results, err = t.run(ctx, calls[2:])
	if err != nil {
		return err
	}
	if n := len(t.questions()); n != 3 {
		return fmt.Errorf("the approver was asked %d times about three calls with the same input", n)
	}
	if err := paired(calls[2:], results); err != nil {
		return err
	}
	return t.failed(calls[2], results[0])
}

// unanswered has an ask end in each of the ways that are no answer: to none of
// them has anybody agreed.
func unanswered(ctx context.Context, r Runtime) error {
	waits := func(ctx context.Context, _ permission.Request) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, way := range []struct {
		says    string
		timeout time.Duration
		silent  func(context.Context, permission.Request) error
	}{
		{"nobody answered in time", 20 * time.Millisecond, waits},
		{"nobody was there to ask", 0, func(context.Context, permission.Request) error { return permission.ErrNoApprover }},
		{"the question was withdrawn", 0, func(context.Context, permission.Request) error { return permission.ErrClosed }},
		{"the approver failed", 0, func(context.Context, permission.Request) error { return errors.New("the approver has a fault") }},
		{"the approver panicked", 0, func(context.Context, permission.Request) error { panic("the approver has a fault") }},
	} {
		t, err := plain(r)
		if err != nil {
			return err
		}
		if err := t.wait(way.timeout); err != nil {
			return err
		}
		t.silent = way.silent
		calls := t.reads("ask/1", "ok/2")
		results, err := t.run(ctx, calls)
		if err == nil {
			err = paired(calls, results)
		}
		if err == nil {
			err = errors.Join(t.wasRefused(calls[0], results[0]), t.didRun(calls[1], results[1]))
		}
		if err != nil {
			return fmt.Errorf("when %s: %w", way.says, err)
		}
	}
	return nil
}
