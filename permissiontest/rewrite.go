package permissiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/insomnia-run/permission"
)

// turnInto returns a rewrite that replaces paths, and the calls that it got to
// see.
func turnInto(paths map[string]string) (rewrite Rewrite, seen func() []permission.ToolCall) {
	var mu sync.Mutex
	var calls []permission.ToolCall
	rewrite = func(c permission.ToolCall) json.RawMessage {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, c)
		input := string(c.Input)
		for from, to := range paths {
			if strings.Contains(input, from) {
				return json.RawMessage(strings.ReplaceAll(input, from, to))
			}
		}
		return c.Input
	}
	return rewrite, func() []permission.ToolCall {
		mu.Lock()
		defer mu.Unlock()
		return calls
	}
}

// rewrittenJudged has a user's hook turn allowed calls into denied and
// ambiguous ones.
func rewrittenJudged(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	rewrite, _ := turnInto(map[string]string{"ok/1": "secret/1", "ok/3": `ok/3","path":"secret/3`})
	calls := t.reads("ok/1", "ok/2", "ok/3")
	results, err := t.runRewritten(ctx, calls, rewrite)
	if err != nil {
		return err
	}
	if err := paired(calls, results); err != nil {
		return err
	}
	became := t.reads("secret/1", "ok/2", "secret/3") // as the last of two names has it
	err = errors.Join(t.wasRefused(became[0], results[0]), t.didRun(became[1], results[1]))
	if !r.Reencodes {
		err = errors.Join(err, t.wasRefused(became[2], results[2]))
	}
	return err
}

// rewrittenRuns has a user's hook turn one allowed call into another, and
// write over the bytes of that when it was judged.
func rewrittenRuns(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	want := strings.ReplaceAll(exact, "ask/1", "ok/2")
	var handed json.RawMessage
	t.judged = func() {
		for i := strings.LastIndex(string(handed), "caf"); i >= 0 && i < len(handed)-2; i++ {
			handed[i] = '.'
		}
	}
	calls := t.reads("ok/1")
	results, err := t.runRewritten(ctx, calls, func(permission.ToolCall) json.RawMessage {
		handed = json.RawMessage(want)
		return handed
	})
	if err != nil {
		return err
	}
	if err := paired(calls, results); err != nil {
		return err
	}
	if err := t.didRun(t.reads("ok/2")[0], results[0]); err != nil {
		return err
	}
	if got := compact(t.runs()[0].Input); got != want && !r.Reencodes {
		return fmt.Errorf("the user's hook wrote the input %s and the tool got %s", want, got)
	}
	return nil
}

// rewrittenAsks has a user's hook turn an allowed call, and one that was agreed
// to, into others that ask.
func rewrittenAsks(ctx context.Context, r Runtime) error {
	for _, path := range []string{"ok/1", "ask/1"} {
		t, err := plain(r)
		if err != nil {
			return err
		}
		t.answer = func(_ context.Context, q permission.Request) permission.Reply {
			if about(q.Call) == "read ask/2" {
				return permission.Reply{}
			}
			return permission.Reply{Answer: permission.Once}
		}
		rewrite, _ := turnInto(map[string]string{path: "ask/2"})
		calls := t.reads(path)
		results, err := t.runRewritten(ctx, calls, rewrite)
		if err != nil {
			return err
		}
		if err := paired(calls, results); err != nil {
			return err
		}
		if err := t.wasRefused(t.reads("ask/2")[0], results[0]); err != nil {
			return fmt.Errorf("%s was made another call, which asks: %w", about(calls[0]), err)
		}
	}
	return nil
}

// policyFirst has a user's hook allow denied calls, as they are and as others.
func policyFirst(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	rewrite, seen := turnInto(map[string]string{"secret/2": "ok/2"})
	calls := t.reads("secret/1", "secret/2", "ok/3")
	results, err := t.runRewritten(ctx, calls, rewrite)
	if err != nil {
		return err
	}
	for _, c := range seen() {
		if strings.HasPrefix(about(c), "read secret/") {
			return fmt.Errorf("the user's hook was called for %s, which the policy denies", about(c))
		}
	}
	return t.as(calls, results)
}
