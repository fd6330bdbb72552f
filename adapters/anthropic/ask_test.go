package permissionanthropic_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

// answering is an approver.
type answering func(context.Context, permission.Request) (permission.Reply, error)

func (a answering) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	return a(ctx, r)
}

func replies(a permission.Answer, message string) answering {
	return func(context.Context, permission.Request) (permission.Reply, error) {
		return permission.Reply{Answer: a, Message: message}, nil
	}
}

// silent does not answer before it has to.
func silent(ctx context.Context, _ permission.Request) (permission.Reply, error) {
	<-ctx.Done()
	return permission.Reply{Answer: permission.Once}, nil
}

// A seam runs one call, and says whether it failed and what the model reads.
type seam func(ctx context.Context, t *testing.T, h *permission.Hook, tool permission.ToolFunc) (failed bool, text string)

func seams() map[string]seam {
	call := fake.ToolUse("a", "read", `{"path":"ask/1"}`)
	return map[string]seam{
		"Settle": func(ctx context.Context, t *testing.T, h *permission.Hook, tool permission.ToolFunc) (bool, string) {
			message := &anthropic.Message{StopReason: anthropic.StopReasonToolUse, Content: []anthropic.ContentBlockUnion{
				{Type: call.Type, ID: call.ID, Name: call.Name, Input: call.Input},
			}}
			answer, ok := permissionanthropic.Settle(h, stableTool(tool), nil)(ctx, message)
			require.True(t, ok)
			r := answer.OfUser.Content[0].OfToolResult
			return r.IsError.Value, r.Content[0].OfText.Text
		},
		"SettleBeta": func(ctx context.Context, t *testing.T, h *permission.Hook, tool permission.ToolFunc) (bool, string) {
			message := &anthropic.BetaMessage{StopReason: anthropic.BetaStopReasonToolUse, Content: []anthropic.BetaContentBlockUnion{
				{Type: call.Type, ID: call.ID, Name: call.Name, Input: call.Input},
			}}
			answer, ok := permissionanthropic.SettleBeta(h, betaTool(tool), nil)(ctx, message)
			require.True(t, ok)
			r := answer.OfUser.Content[0].OfToolResult
			return r.IsError.Value, r.Content[0].OfText.Text
		},
		"Guard": func(ctx context.Context, t *testing.T, h *permission.Hook, tool permission.ToolFunc) (bool, string) {
			guarded := permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", tool)}, nil)[0]
			content, err := guarded.Execute(ctx, call.Input)
			if err != nil {
				return true, err.Error()
			}
			return false, content[0].OfText.Text
		},
	}
}

// An ask goes to the approver, and the call runs only if that agrees in time.
func TestAsk(t *testing.T) {
	const limit = time.Minute
	for name, c := range map[string]struct {
		approver permission.Approver
		cancel   time.Duration // of the turn
		took     time.Duration
		runs     bool
		text     string
	}{
		"yes":                 {approver: replies(permission.Once, ""), runs: true, text: "read ran"},
		"always":              {approver: replies(permission.Always, ""), runs: true, text: "read ran"},
		"no":                  {approver: replies(permission.Reject, "not today"), text: "not today"},
		"an unknown answer":   {approver: replies(7, ""), text: "approver failed"},
		"a panic":             {approver: answering(func(context.Context, permission.Request) (permission.Reply, error) { panic("boom") }), text: "approver failed"},
		"no answer":           {approver: answering(silent), took: limit, text: "nobody answered in time"},
		"the turn is ended":   {approver: answering(silent), cancel: time.Second, took: time.Second, text: "cancelled"},
		"the turn has ended":  {approver: replies(permission.Once, ""), cancel: -1, text: "cancelled"},
		"nobody is to answer": {text: "no approver is attached"},
	} {
		for where, run := range seams() {
			t.Run(name+", "+where, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					if c.cancel < 0 {
						cancel()
					} else if c.cancel > 0 {
						time.AfterFunc(c.cancel, cancel)
					}
					h := newHook(t, &permission.HookOptions{Approver: c.approver, RefuseAsks: c.approver == nil, Timeout: limit})
					ran, began := new(log), time.Now()
					failed, text := run(ctx, t, h, ran.run)
					assert.Equal(t, c.took, time.Since(began))
					assert.Equal(t, !c.runs, failed)
					assert.Equal(t, c.runs, len(ran.calls) == 1)
					assert.Contains(t, text, c.text)
				})
			})
		}
	}
}

// The approver is shown the call as it will run, with its ID where the seam has
// one.
func TestTheApproverSeesTheCall(t *testing.T) {
	for where, run := range seams() {
		t.Run(where, func(t *testing.T) {
			var seen permission.Request
			h := newHook(t, &permission.HookOptions{Approver: answering(func(_ context.Context, r permission.Request) (permission.Reply, error) {
				seen = r
				return permission.Reply{Answer: permission.Once}, nil
			})})
			failed, _ := run(t.Context(), t, h, says)
			require.False(t, failed)
			assert.Equal(t, "read", seen.Call.Name)
			assert.JSONEq(t, `{"path":"ask/1"}`, string(seen.Call.Input))
			assert.Equal(t, where != "Guard", seen.Call.ID == "a")
		})
	}
}

// Always holds for the session of the Options, and without one for nothing.
func TestAlwaysHoldsForTheSession(t *testing.T) {
	for _, c := range []struct {
		first, second string
		asked         int
	}{{"s-1", "s-1", 1}, {"s-1", "s-2", 2}, {"", "", 2}} {
		asked := 0
		h := newHook(t, &permission.HookOptions{Approver: answering(func(context.Context, permission.Request) (permission.Reply, error) {
			asked++
			return permission.Reply{Answer: permission.Always}, nil
		})})
		for _, session := range []string{c.first, c.second} {
			guarded := permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", says)}, &permissionanthropic.Options{Session: session})[0]
			_, err := guarded.Execute(t.Context(), block(`{"path":"ask/1"}`))
			require.NoError(t, err)
		}
		assert.Equal(t, c.asked, asked, "%q and %q", c.first, c.second)
	}
}

// What has become of the message while somebody thought is not what runs.
func TestWhatWasJudgedRuns(t *testing.T) {
	input := block(`{"path":"ask/1"}`)
	spoil := answering(func(context.Context, permission.Request) (permission.Reply, error) {
		copy(input, `{"path":"etc/1"}`)
		return permission.Reply{Answer: permission.Once}, nil
	})
	h, ran := newHook(t, &permission.HookOptions{Approver: spoil}), new(log)
	message := &anthropic.Message{StopReason: anthropic.StopReasonToolUse, Content: []anthropic.ContentBlockUnion{
		{Type: "tool_use", ID: "a", Name: "read", Input: input},
	}}
	_, ok := permissionanthropic.Settle(h, stableTool(ran.run), nil)(t.Context(), message)
	require.True(t, ok)
	copy(input, `{"path":"ask/1"}`)
	_, err := permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", ran.run)}, nil)[0].Execute(t.Context(), input)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"path":"ask/1"}`, `{"path":"ask/1"}`}, ran.inputs())
}

// A runner whose request failed runs the tools once more at the next step. The
// approver agreed to one run, and is asked again.
func TestARepeatedStepIsJudgedAgain(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			asked := 0
			h := newHook(t, &permission.HookOptions{Approver: answering(func(context.Context, permission.Request) (permission.Reply, error) {
				asked++
				if asked > 1 {
					return permission.Reply{}, nil
				}
				return permission.Reply{Answer: permission.Once}, nil
			})})
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ask/1"}`)}}))
			ran := new(log)
			r := start(server.Client(), permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", ran.run)}, nil))
			require.NoError(t, r.first(t.Context()))
			server.Close() // so that the request with the results fails
			require.Error(t, r.rest(t.Context()))
			require.Error(t, r.rest(t.Context()))
			assert.Equal(t, 2, asked)
			assert.Len(t, ran.calls, 1)
		})
	}
}

// The results of a step whose request failed are in the history, with which a
// new runner goes on. The old one would add those of the repeated calls, and the
// API takes none of the two then.
func TestARepeatedStepSpoilsTheHistory(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ok/1"}`)}}))
			defer server.Close()
			ctx, cancel := context.WithCancel(t.Context())
			ran, client := new(log), server.Client()
			tool := calling("read", func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
				cancel() // so that the request with the results fails
				return ran.run(ctx, c)
			})
			r := start(client, permissionanthropic.Guard(newHook(t, nil), []anthropic.BetaTool{tool}, nil))
			require.NoError(t, r.first(t.Context()))
			require.ErrorIs(t, r.rest(ctx), context.Canceled)
			_, err := client.Beta.Messages.New(t.Context(), betaParams(r.Messages()))
			require.NoError(t, err)

			require.ErrorContains(t, r.rest(t.Context()), "unexpected `tool_use_id`")
			assert.Len(t, ran.calls, 2)
		})
	}
}
