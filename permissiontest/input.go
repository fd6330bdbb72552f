package permissiontest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/insomnia-run/permission"
)

// bash allows ls alone.
func bash() permission.Rule {
	return permission.Rule{Tool: "bash", Pattern: "ls *", Action: permission.Allow}
}

// ambiguousInput hands in inputs that one decoder reads as an ls and another as
// an rm. Where they are decoded before the hook one of the two has gone, and
// run sees to it that no rm runs.
func ambiguousInput(ctx context.Context, r Runtime) error {
	for _, input := range []string{
		`{"command":"ls","command":"rm x"}`,
		`{"command":"rm x","command":"ls"}`,
		`{"command":"ls","Command":"rm x"}`,
		`{"command":"ls","c\u006fmmand":"rm x"}`,
	} {
		t, err := newTrial(r, bash())
		if err != nil {
			return err
		}
		calls := []permission.ToolCall{t.call("bash", input), t.call("bash", `{"command":"ls docs"}`)}
		results, err := t.run(ctx, calls)
		if err == nil {
			err = paired(calls, results)
		}
		if err == nil && !r.Reencodes {
			err = t.wasRefused(calls[0], results[0])
		}
		if err == nil {
			err = t.didRun(calls[1], results[1])
		}
		if err != nil {
			return fmt.Errorf("with the input %s: %w", input, err)
		}
	}
	return nil
}

// exact is an input that is hard to decode and encode again.
const exact = `{"path":"ask/1","z":[1.0,1e2,12345678901234567890,-0.0],"a":{"b":null,"A":""},"\u006eote":"\u0041 caf\u00e9"}`

// judgedIsRun compares what the model wrote with what ran; run does so with what
// was judged. White space is nobody's meaning.
func judgedIsRun(ctx context.Context, r Runtime) error {
	t, err := plain(r)
	if err != nil {
		return err
	}
	calls := []permission.ToolCall{t.call("read", exact)}
	results, err := t.run(ctx, calls)
	if err != nil {
		return err
	}
	if err := errors.Join(t.askedAbout(calls...), paired(calls, results)); err != nil {
		return err
	}
	if err := t.didRun(calls[0], results[0]); err != nil {
		return err
	}
	if got := compact(t.runs()[0].Input); got != exact && !r.Reencodes {
		return fmt.Errorf("the model wrote the input %s and the tool got %s", exact, got)
	}
	return nil
}

func compact(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, input) != nil {
		return string(input)
	}
	return b.String()
}

// changedAfterwards writes over the bytes that were handed in: when the call
// was judged, and while it waits for an answer.
func changedAfterwards(ctx context.Context, r Runtime) error {
	for _, path := range []string{"ok/1", "ask/1"} {
		t, err := plain(r)
		if err != nil {
			return err
		}
		spoil := func() {
			for _, c := range t.handed {
				for i := bytes.IndexByte(c.Input, '/') + 1; i < bytes.LastIndexByte(c.Input, '"'); i++ {
					c.Input[i] = '.'
				}
			}
		}
		t.judged = spoil
		t.answer = func(context.Context, permission.Request) permission.Reply {
			spoil()
			return permission.Reply{Answer: permission.Once}
		}
		calls := t.reads(path)
		results, err := t.run(ctx, calls)
		for _, ran := range t.runs() {
			if about(ran) != about(calls[0]) {
				err = errors.Join(err, fmt.Errorf("the tool ran %s instead", about(ran)))
			}
		}
		if err == nil {
			err = t.as(calls, results)
		}
		if err != nil {
			return fmt.Errorf("the bytes of %s were written over when it was judged: %w", about(calls[0]), err)
		}
	}
	return nil
}

// filler makes an input long, and says nothing.
const filler = "0123456789abcde "

func anySize(ctx context.Context, r Runtime) error {
	const size = 1<<20 + 1<<10 // more than a pipe or a reader of lines takes at once, and than a round limit
	t, err := newTrial(r, append(pathRules(), permission.Rule{Tool: "now", Pattern: "*", Action: permission.Allow})...)
	if err != nil {
		return err
	}
	large := func(path string) permission.ToolCall {
		return t.call("write", fmt.Sprintf(`{"path":%q,"content":%q}`, path, strings.Repeat(filler, size/len(filler))))
	}
	calls := []permission.ToolCall{
		t.call("now", ""), t.call("then", ""), large("ok/1"), large("secret/1"), t.call("read", ""),
	}
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	for _, c := range t.runs() {
		if s := compact(c.Input); s != "" && s != "{}" && len(s) < size {
			return fmt.Errorf("a tool got %d bytes of input: want all %d, or none", len(s), len(calls[2].Input))
		}
	}
	for i, check := range []func(permission.ToolCall, permission.ToolResult) error{
		t.didRun, t.wasRefused, t.didRun, t.wasRefused, t.wasRefused,
	} {
		if err := check(calls[i], results[i]); err != nil {
			return err
		}
	}
	return nil
}
