package permission_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

func TestTheApproverSeesWhatItIsAskedFor(t *testing.T) {
	p := compile(t, permission.Allow, "ask read docs/*", "ask read infra/*")
	var got permission.Request
	ids := map[string]bool{}
	h := hook(t, p, &permission.HookOptions{Approver: approver(func(_ context.Context, r permission.Request) (permission.Reply, error) {
		got = r
		ids[r.ID] = true
		clear(r.Call.Input) // the request is the approver's own
		r.Decision.Rule.Action = permission.Allow
		return permission.Reply{ID: r.ID, Answer: permission.Once}, nil
	})})
	c := call("read", `{"path":["docs/a","src/b","infra/c","docs/a"]}`)
	for range 3 {
		v := h.PreToolCall(t.Context(), c)
		require.True(t, v.Proceed)
		assert.Equal(t, permission.CauseOnce, v.Decision.Cause)
		assert.Equal(t, c.Input, v.Call.Input)
	}
	assert.Equal(t, "read", got.Call.Name)
	assert.Equal(t, permission.CauseRule, got.Decision.Cause)
	assert.Equal(t, []permission.Subject{{Kind: permission.Path, Text: "docs/a"}, {Kind: permission.Path, Text: "infra/c"}}, got.Subjects)
	assert.Len(t, ids, 3, "each request has an ID of its own")
	assert.Equal(t, permission.Ask, p.Rules()[0].Action, "what is done to the request is not done to the policy")
}

func TestNobodyAnswersInTime(t *testing.T) {
	p := compile(t, permission.Ask)
	for name, a := range map[string]approver{
		"it minds the context": func(ctx context.Context, _ permission.Request) (permission.Reply, error) {
			<-ctx.Done()
			return permission.Reply{}, ctx.Err()
		},
		"it does not": func(context.Context, permission.Request) (permission.Reply, error) {
			time.Sleep(time.Hour)
			return permission.Reply{Answer: permission.Once}, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := hook(t, p, &permission.HookOptions{Approver: a, Timeout: time.Minute})
			began := time.Now()
			v := h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`))
			assert.Equal(t, time.Minute, time.Since(began), name)
			assert.Equal(t, permission.CauseTimeout, v.Decision.Cause, name)
			assert.NotContains(t, v.Result.Content, "user refused", name)

			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			v = h.PreToolCall(ctx, call("bash", `{"command":"ls"}`))
			assert.Equal(t, permission.CauseCanceled, v.Decision.Cause, name)
			time.Sleep(2 * time.Hour) // until the one that does not mind is done
		})
	}
}

// Of the timeouts of a hook, of a manifest and of several manifests the shortest
// counts.
func TestTheShortestTimeoutCounts(t *testing.T) {
	asking := func(timeout string) *permission.Policy {
		return parseManifest(t, manifestHead+"ask_timeout = '"+timeout+"'\n")
	}
	second, minute := asking("1s"), asking("1m")
	over, err := second.Override()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		p    *permission.Policy
		hook time.Duration
		want time.Duration
	}{
		"the manifest's alone":       {second, 0, time.Second},
		"the manifest's is shorter":  {second, time.Minute, time.Second},
		"the hook's is shorter":      {minute, time.Second, time.Second},
		"the hook's is none":         {second, -time.Second, time.Second},
		"with rules before it":       {over, 0, time.Second},
		"the first of two manifests": {permission.Strictest(second, minute), 0, time.Second},
		"the second of them":         {permission.Strictest(minute, compile(t, permission.Ask), second), 0, time.Second},
		"of one without any":         {permission.Strictest(compile(t, permission.Ask), second), time.Minute, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := hook(t, c.p, &permission.HookOptions{Timeout: c.hook, Approver: approver(
				func(ctx context.Context, _ permission.Request) (permission.Reply, error) {
					<-ctx.Done()
					return permission.Reply{Answer: permission.Once}, nil
				})})
			began := time.Now()
			v := h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`))
			assert.Equal(t, permission.CauseTimeout, v.Decision.Cause, name)
			assert.Equal(t, c.want, time.Since(began), name)
		})
	}
}

func TestASwapWinsOverAnAnswer(t *testing.T) {
	var h *permission.Hook
	swap := func(to *permission.Policy) approver {
		return func(context.Context, permission.Request) (permission.Reply, error) {
			return permission.Reply{Answer: permission.Once}, h.Swap(to)
		}
	}
	for want, to := range map[bool]*permission.Policy{
		false: compile(t, permission.Allow, "deny bash ls *"),
		true:  compile(t, permission.Ask),
	} {
		h = hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: swap(to)})
		assert.Equal(t, want, h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`)).Proceed)
	}
}

// Two people look at two dialogs: what one says of this request is not lost
// because the other has just said something that covers it.
func TestAReplyGoesBeforeTheGrantThatCoversIt(t *testing.T) {
	file := func(name string) []permission.Subject {
		return []permission.Subject{{Kind: permission.Path, Text: name}}
	}
	for answer, want := range map[permission.Answer]permission.Cause{
		permission.Reject: permission.CauseRejected,
		permission.Once:   permission.CauseOnce,
		permission.Always: permission.CauseAlways,
	} {
		synctest.Test(t, func(t *testing.T) {
			say, asked := make(chan struct{}), 0
			h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: approver(
				func(ctx context.Context, r permission.Request) (permission.Reply, error) {
					asked++
					if r.Call.ID == "first" {
						<-say
						return permission.Reply{ID: r.ID, Answer: permission.Always}, nil
					}
					<-ctx.Done() // covered at this moment
					return permission.Reply{ID: r.ID, Answer: answer}, nil
				})})
			c := permission.ToolCall{Name: "docs", Session: "s"}
			first, second := c, c
			first.ID = "first"
			go h.Authorize(t.Context(), first, file("docs/a"), nil)
			synctest.Wait()
			var v permission.Verdict
			go func() { v = h.Authorize(t.Context(), second, file("docs/a"), []string{"docs/*"}) }()
			synctest.Wait()
			close(say)
			synctest.Wait()
			assert.Equal(t, want, v.Decision.Cause)
			if answer == permission.Always {
				assert.True(t, h.Authorize(t.Context(), c, file("docs/b"), nil).Proceed)
				assert.Equal(t, 2, asked, "what was granted with that reply holds")
			}
		})
	}
}

// A session may be asked for much at a time, and each of it be within the
// bounds by itself.
func TestWhatASessionIsGrantedIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say := make(chan permission.Answer)
		h := hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: approver(
			func(_ context.Context, r permission.Request) (permission.Reply, error) {
				assert.Len(t, r.Always, 1)
				return permission.Reply{ID: r.ID, Answer: <-say}, nil
			})})
		var causes []permission.Cause
		for _, letter := range []string{"a", "b", "c"} {
			c := call("note", `{"text":"`+strings.Repeat(letter, 600<<10)+`"}`)
			c.Session = "s"
			go func() { causes = append(causes, h.PreToolCall(t.Context(), c).Decision.Cause) }()
			synctest.Wait()
		}
		for range 3 {
			say <- permission.Always
			synctest.Wait()
		}
		assert.Equal(t, []permission.Cause{permission.CauseAlways, permission.CauseOnce, permission.CauseOnce}, causes)
	})
}

// A yes holds for what was shown. What a new policy asks for besides, or a link
// that leads elsewhere by now, is asked for or refused.
func TestAYesHoldsForWhatWasShown(t *testing.T) {
	var h *permission.Hook
	var asked [][]permission.Subject
	then := func(next func()) approver {
		return func(_ context.Context, r permission.Request) (permission.Reply, error) {
			asked = append(asked, r.Subjects)
			if len(asked) == 1 {
				next()
			}
			return permission.Reply{Answer: permission.Once}, nil
		}
	}
	command := func(s string) []permission.Subject { return []permission.Subject{{Kind: permission.Command, Text: s}} }
	next := compile(t, permission.Allow, "ask bash rm *")
	h = hook(t, compile(t, permission.Allow, "ask bash make *"), &permission.HookOptions{Approver: then(func() { assert.NoError(t, h.Swap(next)) })})
	v := h.PreToolCall(t.Context(), call("bash", `{"command":"make; rm -rf x"}`))
	assert.True(t, v.Proceed)
	assert.Equal(t, [][]permission.Subject{command("make"), command("rm -rf x")}, asked)

	asked = nil
	next = compile(t, permission.Ask, "deny bash rm *")
	h = hook(t, compile(t, permission.Ask), &permission.HookOptions{Approver: then(func() { assert.NoError(t, h.Swap(next)) })})
	v = h.PreToolCall(t.Context(), call("bash", `{"command":"r$X y"}`))
	assert.True(t, v.Proceed)
	assert.Len(t, asked, 2, "the doubt is new")

	target := "/srv/proj/s1"
	asked = nil
	h = hook(t, compile(t, permission.Allow, "deny read s2", "ask read docs/*"), &permission.HookOptions{
		Approver: then(func() { target = "/srv/proj/s2" }),
		Resolve: func(path string) (string, error) {
			if path == "/srv/proj/docs/l" {
				return target, nil
			}
			return path, nil
		},
	})
	v = h.PreToolCall(t.Context(), call("read", `{"path":"docs/l"}`))
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseRule, v.Decision.Cause)
	assert.Len(t, asked, 1)

	n := 0
	h = hook(t, compile(t, permission.Ask), &permission.HookOptions{
		Approver: answer(permission.Once, ""),
		Resolve:  func(path string) (string, error) { n++; return fmt.Sprint(path, n), nil },
	})
	v = h.PreToolCall(t.Context(), call("read", `{"path":"l"}`))
	assert.Equal(t, permission.CauseFault, v.Decision.Cause, "it changes all the time")
}
