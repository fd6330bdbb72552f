package permissiontest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/insomnia-run/permission"
)

// message runs a message that reads these paths, in a trial of its own.
func message(ctx context.Context, r Runtime, paths ...string) (*trial, []permission.ToolCall, []permission.ToolResult, error) {
	t, err := plain(r)
	if err != nil {
		return nil, nil, nil, err
	}
	calls := t.reads(paths...)
	results, err := t.run(ctx, calls)
	return t, calls, results, err
}

func allowedRun(ctx context.Context, r Runtime) error {
	t, calls, results, err := message(ctx, r, "ok/1", "ok/2", "ok/3")
	if err != nil {
		return err
	}
	return t.as(calls, results)
}

func deniedNeverRun(ctx context.Context, r Runtime) error {
	t, calls, _, err := message(ctx, r, "ok/1", "secret/2", "secret/3", "ok/4", "secret/5")
	if err != nil {
		return err
	}
	return t.ranNot(calls[1], calls[2], calls[4])
}

func oneResultEach(ctx context.Context, r Runtime) error {
	for _, paths := range [][]string{nil, {"secret/1"}, {"secret/1", "ok/2", "secret/3"}} {
		_, calls, results, err := message(ctx, r, paths...)
		if err != nil {
			return err
		}
		if err := settled(calls, results); err != nil {
			return err
		}
	}
	return nil
}

// In a concurrent runtime the last call is done before the first.
func inOrder(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := t.reads("ok/1", "secret/2", "ok/3", "ok/4")
	last := newLatch(calls[3])
	t.tool = func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		if about(c) == about(calls[0]) && !r.Sequential {
			select {
			case <-last.open:
			case <-time.After(t.timeout() / 4): // whether they meet is another point
			}
		}
		last.count(c)
		return permission.ToolResult{Content: output(c)}
	}
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	return t.as(calls, results)
}

func refusalIsResult(ctx context.Context, r Runtime) error {
	for _, paths := range [][]string{{"secret/1"}, {"ok/1", "secret/2"}} {
		t, calls, results, err := message(ctx, r, paths...)
		if err != nil {
			return err
		}
		if err := settled(calls, results); err != nil {
			return err
		}
		last := calls[len(calls)-1]
		i := slices.IndexFunc(results, func(r permission.ToolResult) bool { return r.CallID == last.ID })
		if err := t.wasRefused(last, results[i]); err != nil {
			return err
		}
	}
	return nil
}

func refusalStopsNothing(ctx context.Context, r Runtime) error {
	t, calls, results, err := message(ctx, r, "secret/1", "ok/2", "secret/3", "ok/4")
	if err != nil {
		return err
	}
	for _, c := range calls {
		if n := t.times(c); !isSecret(c) && n != 1 {
			return fmt.Errorf("the tool of %s ran %d times beside refused calls: want once", about(c), n)
		}
	}
	return t.as(calls, results)
}

// All tools of the message wait for one another.
func atTheSameTime(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := t.reads("ok/1", "ok/2", "ok/3")
	all := newLatch(calls...)
	t.tool = func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		all.count(c)
		if !t.await(ctx, all) {
			t.fault("the tool of %s waited in vain for those of the other calls to start", about(c))
			for _, other := range calls {
				all.count(other) // one of them is enough
			}
		}
		return permission.ToolResult{Content: output(c)}
	}
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	return t.as(calls, results)
}

func toolFails(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	const text = "exit status 3: no such thing"
	t.tool = func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		if about(c) == "read ok/2" {
			return permission.ToolResult{Content: text, IsError: true}
		}
		return permission.ToolResult{Content: output(c)}
	}
	return oneFails(ctx, t, text)
}

func toolPanics(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	t.tool = func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		if about(c) == "read ok/2" {
			panic("the tool of " + about(c) + " has a fault")
		}
		return permission.ToolResult{Content: output(c)}
	}
	return oneFails(ctx, t, "")
}

// oneFails runs a message whose second tool fails, with that text.
func oneFails(ctx context.Context, t *trial, text string) error {
	calls := t.reads("ok/1", "ok/2", "ok/3")
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	if n := t.times(calls[1]); n != 1 {
		return fmt.Errorf("the tool of %s, which fails, ran %d times: want once", about(calls[1]), n)
	}
	if err := paired(calls, results); err != nil {
		return err
	}
	if err := t.failed(calls[1], results[1]); err != nil {
		return err
	}
	if !contains(results[1], text) {
		return fmt.Errorf("%s failed, and its result is %q: want the text of its tool, %q", about(calls[1]), results[1].Content, text)
	}
	for _, i := range []int{0, 2} {
		if err := t.didRun(calls[i], results[i]); err != nil {
			return err
		}
	}
	return nil
}

// Results of calls that share their ID are told apart by their place.
func sameIDs(ctx context.Context, r Runtime) error {
	for _, id := range []string{"same", ""} {
		t, err := plain(r)
		if err != nil {
			return err
		}
		calls := t.reads("ok/1", "secret/2", "ok/3", "secret/4")
		for i := range calls {
			calls[i].ID = id
		}
		results, err := t.run(ctx, calls)
		if err != nil {
			return err
		}
		if len(results) != len(calls) {
			return fmt.Errorf("%d results for %d calls with the ID %q", len(results), len(calls), id)
		}
		for i, c := range calls {
			check := t.failed
			if t.times(c) > 0 {
				check = t.didRun
			}
			if err := check(c, results[i]); err != nil {
				return fmt.Errorf("result %d of calls with the ID %q: %w", i+1, id, err)
			}
		}
	}
	return nil
}

// unmadeHook tries hooks that nobody has made. With a nil one a runtime may
// fail altogether, but run nothing.
func unmadeHook(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	t.unmake(new(permission.Hook))
	calls := t.reads("ok/1", "ok/2")
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	for i, c := range calls {
		if err := t.failed(c, results[i]); err != nil {
			return err
		}
	}
	t.unmake(nil)
	_, _ = t.run(ctx, calls)
	return t.ranNot(calls...)
}
