package permissiontest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/insomnia-run/permission"
)

// cancelSettles ends the turn while a call waits for an answer that does not
// come.
func cancelSettles(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls := t.reads("ok/1", "ask/2", "ok/3")
	others := newLatch(calls[0], calls[2])
	var over atomic.Bool
	t.tool = func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		if over.Load() {
			t.fault("the tool of %s started after the turn was cancelled", about(c))
		}
		others.count(c)
		return permission.ToolResult{Content: output(c)}
	}
	waited := make(chan struct{})
	defer close(waited)
	t.answer = func(ctx context.Context, _ permission.Request) permission.Reply {
		if !r.Sequential && !t.await(ctx, others) {
			t.fault("while %s waited for an answer the other calls of the message did not run", about(calls[1]))
		}
		over.Store(true)
		cancel()
		select {
		case <-ctx.Done():
		case <-waited: // nobody told the approver
		}
		return permission.Reply{Answer: permission.Once}
	}
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	for i, c := range calls {
		if t.times(c) == 0 {
			err = errors.Join(err, t.failed(c, results[i]))
		}
	}
	if len(t.questions()) == 0 {
		err = errors.Join(err, fmt.Errorf("nobody was asked about %s", about(calls[1])))
	}
	return errors.Join(err, t.ranNot(calls[1]), t.afterwards())
}

// afterwards reports what has started after Run had returned.
func (t *trial) afterwards() error {
	time.Sleep(20 * time.Millisecond)
	return t.seen()
}

func cancelledBefore(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	calls := t.reads("ok/1", "ask/2", "secret/3", "ok/4")
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	for i, c := range calls {
		err = errors.Join(err, t.failed(c, results[i]))
	}
	return errors.Join(err, t.ranNot(calls...), t.afterwards())
}

// newPolicy swaps the policy between messages, under a call that waits, and all
// the time.
func newPolicy(ctx context.Context, r Runtime) error {
	t, calls, results, err := message(ctx, r, "ok/1", "ok/2")
	if err != nil {
		return err
	}
	if err := t.as(calls, results); err != nil {
		return err
	}
	none, err := compile(permission.Deny)
	if err != nil {
		return err
	}
	if err := t.replace(none); err != nil {
		return err
	}
	again := t.reads("ok/1", "ok/2")
	results, err = t.run(ctx, again)
	if err != nil {
		return err
	}
	for _, c := range again {
		if t.times(c) != 1 {
			return fmt.Errorf("the tool of %s ran, which the policy that was swapped in denies", about(c))
		}
	}
	if err := paired(again, results); err != nil {
		return err
	}
	return errors.Join(swapWhileAsking(ctx, r, none), swapAllTheTime(ctx, r))
}

func swapWhileAsking(ctx context.Context, r Runtime, to *permission.Policy) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	t.answer = func(context.Context, permission.Request) permission.Reply {
		if err := t.hook.Swap(to); err != nil {
			t.fault("Swap: %w", err)
		}
		return permission.Reply{Answer: permission.Once}
	}
	calls := t.reads("ask/1")
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	return t.wasRefused(calls[0], results[0])
}

// swapAllTheTime swaps two policies that answer alike, each in its own way: a
// runtime that looks at both mixes them up.
func swapAllTheTime(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	other, err := compile(permission.Allow, permission.Rule{Tool: "*", Pattern: "secret/*", Action: permission.Deny})
	if err != nil {
		return err
	}
	both := []*permission.Policy{t.policies[0], other}
	var swapping sync.WaitGroup
	var done atomic.Bool
	swapping.Go(func() {
		for i := 0; !done.Load(); i++ {
			if err := t.hook.Swap(both[i%2]); err != nil {
				t.fault("Swap: %w", err)
				return
			}
			time.Sleep(50 * time.Microsecond)
		}
	})
	defer swapping.Wait()
	defer done.Store(true)
	for i := range 20 {
		calls := t.reads(fmt.Sprintf("ok/%d", i), fmt.Sprintf("secret/%d", i))
		results, err := t.run(ctx, calls)
		if err != nil {
			return err
		}
		if err := t.as(calls, results); err != nil {
			return err
		}
	}
	return nil
}

// skillRestricts runs a message in a skill that may not read.
func skillRestricts(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	inside, err := t.policies[0].WithSkill(ctx, &permission.Skill{
		Name:  "writer",
		Tools: []permission.Rule{{Tool: "write", Pattern: "*", Action: permission.Allow}},
	})
	if err != nil {
		return err
	}
	calls := []permission.ToolCall{t.reads("ok/1")[0], t.call("write", `{"path":"ok/2","content":""}`)}
	results, err := t.run(inside, calls)
	if err != nil {
		return err
	}
	if err := paired(calls, results); err != nil {
		return err
	}
	return errors.Join(t.wasRefused(calls[0], results[0]), t.didRun(calls[1], results[1]))
}
