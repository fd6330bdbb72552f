package permissiontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/insomnia-run/permission"
)

// sessionsApart has the approver agree for always in one session, and then runs
// the same call in another and in the first again.
func sessionsApart(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	t.answer = func(context.Context, permission.Request) permission.Reply {
		return permission.Reply{Answer: permission.Always}
	}
	first, second := t.session, t.session+"-2"
	again, says := 2, "in the session itself it holds"
	if r.NoSessions {
		again, says = 3, "and without sessions nowhere"
	}
	for _, one := range []struct {
		session string
		asked   int // by then
		says    string
	}{
		{first, 1, "once for a call that asks"},
		{second, 2, "what is agreed to for always in a session holds in no other"},
		{first, again, says},
	} {
		t.enter(one.session, "")
		calls := t.reads("ask/1", "ok/2")
		results, err := t.run(ctx, calls)
		if err != nil {
			return err
		}
		if err := paired(calls, results); err != nil {
			return err
		}
		if !contains(results[0], output(calls[0])) {
			return fmt.Errorf("%s was agreed to, and its result is %q", about(calls[0]), results[0].Content)
		}
		if n := len(t.questions()); n != one.asked {
			return fmt.Errorf("the approver was asked about %s %d times: want %d: %s", about(calls[0]), n, one.asked, one.says)
		}
	}
	return t.kept(theSession)
}

// keepsDir runs calls that are other ones in another directory.
func keepsDir(ctx context.Context, r Runtime) error {
	type message struct {
		dir, path string
		runs      bool
	}
	messages := []message{
		{"secret", "ok/1", false}, {"ok", "2", true}, {"ask", "3", true}, {"ok", "../secret/4", false},
	}
	if r.NoDirs {
		messages = []message{{"secret", "ok/1", true}, {"ok", "ask/2", true}, {"ok", "3", false}}
	}
	for _, m := range messages {
		t, err := plain(r)
		if err != nil {
			return err
		}
		t.enter(t.session, root+"/"+m.dir)
		calls := t.reads(m.path)
		results, err := t.run(ctx, calls)
		if err == nil {
			err = paired(calls, results)
		}
		check := t.wasRefused
		if m.runs {
			check = t.didRun
		}
		if err == nil {
			err = check(calls[0], results[0])
		}
		if err = errors.Join(err, t.kept(theDir)); err != nil {
			return fmt.Errorf("in the directory %s: %w", t.dir, err)
		}
	}
	return nil
}

// keepsMetadata looks at what the approver and tools are handed beside inputs.
func keepsMetadata(ctx context.Context, r Runtime) error {
	t, calls, results, err := message(ctx, r, "ok/1", "ask/2", "ok/3")
	if err != nil {
		return err
	}
	return errors.Join(t.as(calls, results), t.kept(theMetadata))
}

// rewrittenKeeps has a user's hook rewrite a call that is in a directory.
func rewrittenKeeps(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	from, to := "ok/1", "ask/2"
	if !r.NoDirs {
		t.enter(t.session, root+"/ok")
		from, to = "1", "../ask/2"
	}
	calls, became := t.reads(from), t.reads(to)
	t.metadata[about(became[0])] = calls[0].Metadata
	results, err := t.runRewritten(ctx, calls, func(permission.ToolCall) json.RawMessage { return became[0].Input })
	if err == nil {
		err = paired(calls, results)
	}
	if err == nil {
		err = t.didRun(became[0], results[0])
	}
	return errors.Join(err, t.kept(theSession, theDir, theMetadata))
}

// turnsContext has a tool end the turn that it runs in.
func turnsContext(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, key{}, t))
	defer cancel()
	calls := t.reads("ok/1")
	name := about(calls[0])
	said := make(chan error, 1)
	t.tool = func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		cancel()
		var err error
		select {
		case <-ctx.Done():
		case <-time.After(t.timeout() / 2):
			err = fmt.Errorf("the context of the tool of %s did not end with the turn", name)
		}
		if ctx.Value(key{}) != t && !r.Detached {
			err = errors.Join(err, fmt.Errorf("the context of the tool of %s has not the values of the turn's", name))
		}
		select {
		case said <- err:
		default: // it has run before
		}
		return permission.ToolResult{Content: output(c)}
	}
	if _, err := t.answers(ctx, calls); err != nil {
		return err
	}
	if n := t.times(calls[0]); n != 1 {
		return fmt.Errorf("the tool of %s ran %d times: want once", name, n)
	}
	select {
	case err := <-said:
		return err
	case <-time.After(t.timeout()): // the tool may go on where nobody waits for it any more
		return fmt.Errorf("the tool of %s has not come to its end", name)
	}
}
