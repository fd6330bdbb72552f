package approve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// full is a request in which everything is set that can be.
func full(id string) permission.Request {
	return permission.Request{
		ID: id,
		Call: permission.ToolCall{
			ID: "toolu_1", Name: "bash", Session: "s", Dir: "web",
			Input: json.RawMessage(`{"command":"make <all> && rm \"a b\""}`), Metadata: 7,
		},
		Decision: permission.Decision{
			Action: permission.Ask, Cause: permission.CauseRule,
			Rule:    &permission.Rule{Tool: "bash", Pattern: "make *", Action: permission.Ask, Reason: "it takes long", File: "agent.toml", Line: 3},
			Subject: permission.Subject{Kind: permission.Command, Text: "make <all>"},
			Detail:  "a detail",
		},
		Subjects: []permission.Subject{{Kind: permission.Command, Text: "make <all>"}, {Kind: permission.Command, Text: `rm "a b"`}},
		Always:   []permission.Rule{{Tool: "bash", Pattern: "make <all>", Action: permission.Allow}},
	}
}

// An asking is one Approve.
type asking struct {
	done  chan struct{} // closed when it has returned
	reply permission.Reply
	err   error
}

// ask has b approve r, and returns when it waits or has returned.
func ask(ctx context.Context, b *approve.Broker, r permission.Request) *asking {
	a := &asking{done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.reply, a.err = b.Approve(ctx, r)
	}()
	synctest.Wait()
	return a
}

// result returns what Approve has returned.
func (a *asking) result(t *testing.T) (permission.Reply, error) {
	t.Helper()
	synctest.Wait()
	select {
	case <-a.done:
		return a.reply, a.err
	default:
		require.Fail(t, "it still waits")
		return permission.Reply{}, nil
	}
}

func (a *asking) waits() bool {
	synctest.Wait()
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}

// lines says what events are, one line each.
func lines(events []approve.Event) (all []string) {
	for _, e := range events {
		if e.Request != nil {
			all = append(all, e.ID+" asks")
		} else {
			all = append(all, e.ID+" "+e.Cause.String())
		}
	}
	return all
}

func TestWithoutSubscribersThereIsNobodyToAsk(t *testing.T) {
	for name, b := range map[string]*approve.Broker{
		"zero": {}, "nil options": approve.NewBroker(nil), "zero options": approve.NewBroker(&approve.BrokerOptions{}),
	} {
		_, err := b.Approve(t.Context(), full("1"))
		assert.ErrorIs(t, err, permission.ErrNoApprover, name)
		assert.ErrorContains(t, err, "nobody is subscribed", name)
		assert.Empty(t, b.Pending())
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "1"}), approve.ErrUnknown)
	}
	hook := newHook(t, new(approve.Broker), 0, func(permission.Record) {})
	v := hook.PreToolCall(t.Context(), command("s", "1", "make"))
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseNoApprover, v.Decision.Cause)
}

func TestCloseRefusesEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(approve.Broker)
		events, late := b.Subscribe(t.Context()), b.Subscribe(t.Context())
		a := ask(t.Context(), b, full("1"))
		var seen []approve.Event
		for e := range events {
			if seen = append(seen, e); len(seen) == 1 {
				go b.Close()
				synctest.Wait()
			}
		}
		assert.Equal(t, []string{"1 asks", "1 closed"}, lines(seen), "and then the loop ends")
		for e := range late {
			assert.Fail(t, "it is told of a request that is settled", e)
		}
		_, err := a.result(t)
		assert.ErrorIs(t, err, permission.ErrClosed)

		_, err = b.Approve(t.Context(), full("2"))
		assert.ErrorIs(t, err, permission.ErrClosed)
		assert.Empty(t, b.Pending())
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "1", Answer: permission.Once}), approve.ErrSettled)
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "2", Answer: permission.Once}), approve.ErrUnknown)
		for e := range b.Subscribe(t.Context()) {
			assert.Fail(t, "there is nothing any more", e)
		}
		b.Close()
	})
}

func TestAnUnknownAnswerChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
		a := ask(t.Context(), b, full("1"))
		assert.ErrorContains(t, b.Reply(permission.Reply{ID: "1", Answer: 3}), "unknown answer 3")
		assert.True(t, a.waits())
		require.NoError(t, b.Reply(permission.Reply{ID: "1", Answer: permission.Always, Message: "fine"}))
		reply, err := a.result(t)
		assert.NoError(t, err)
		assert.Equal(t, permission.Reply{ID: "1", Answer: permission.Always, Message: "fine"}, reply)
	})
}

// Whichever of the two is first counts, whichever of them Approve sees first.
func TestAReplyAndTheEndOfTheContext(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
			ctx, end := context.WithCancel(t.Context())
			a := ask(ctx, b, full("1"))
			require.NoError(t, b.Reply(permission.Reply{ID: "1", Answer: permission.Once}))
			end()
			reply, err := a.result(t)
			assert.NoError(t, err)
			assert.Equal(t, permission.Reply{ID: "1", Answer: permission.Once}, reply)

			ctx, end = context.WithCancel(t.Context())
			a = ask(ctx, b, full("2"))
			end()
			assert.Empty(t, b.Pending())
			assert.ErrorIs(t, b.Reply(permission.Reply{ID: "2", Answer: permission.Once}), approve.ErrSettled)
			_, err = a.result(t)
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
}

// Subscribers are told what the hook makes of it.
func TestWhyAContextEnds(t *testing.T) {
	closed := fmt.Errorf("%w: its session has ended", permission.ErrClosed)
	for cause, want := range map[error]struct {
		event string
		err   error
	}{
		closed:                {"1 closed", closed},
		nil:                   {"1 canceled", context.Canceled},
		errors.New("no more"): {"1 canceled", context.Canceled},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := new(approve.Broker)
			var seen []approve.Event
			events := b.Subscribe(t.Context())
			go func() {
				for e := range events {
					seen = append(seen, e)
				}
			}()
			ctx, end := context.WithCancelCause(t.Context())
			question, withdraw := context.WithCancel(ctx) // as the hook's is
			defer withdraw()
			a := ask(question, b, full("1"))
			end(cause)
			_, err := a.result(t)
			assert.Equal(t, want.err, err)
			assert.Equal(t, []string{"1 asks", want.event}, lines(seen))
			assert.ErrorIs(t, b.Reply(permission.Reply{ID: "1"}), approve.ErrSettled)
		})
	}
}

func TestRequestsThatCannotBeAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
		ended, end := context.WithCancel(t.Context())
		end()
		_, err := b.Approve(ended, full("1"))
		assert.ErrorIs(t, err, context.Canceled)
		_, err = b.Approve(t.Context(), full(""))
		assert.ErrorContains(t, err, "without an ID")
		assert.Empty(t, b.Pending())

		// A reply may be on its way for the one or the other.
		a := ask(t.Context(), b, full("2"))
		_, err = b.Approve(t.Context(), full("2"))
		assert.ErrorContains(t, err, "ID of another")
		require.NoError(t, b.Reply(permission.Reply{ID: "2"}))
		_, err = a.result(t)
		assert.NoError(t, err)
		_, err = b.Approve(t.Context(), full("2"))
		assert.ErrorContains(t, err, "ID of another")
	})
}

// What one receiver does to its request is nobody else's business.
func TestEachReceiverHasARequestOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
		early := b.Subscribe(t.Context())
		ask(t.Context(), b, full("1"))
		spoil := func(r *permission.Request) {
			require.Equal(t, full("1"), *r)
			clear(r.Call.Input)
			*r.Decision.Rule = permission.Rule{}
			clear(r.Subjects)
			clear(r.Always)
		}
		for _, events := range []func(func(approve.Event) bool){early, b.Subscribe(t.Context()), b.Subscribe(t.Context())} {
			for e := range events {
				spoil(e.Request)
				break
			}
		}
		for range 2 {
			pending := b.Pending()
			require.Len(t, pending, 1)
			spoil(&pending[0])
		}
		b.Close()
	})
}

func TestPendingIsInOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true, KeepOthers: true})
		for i := range 5 {
			ask(t.Context(), b, full(fmt.Sprint(i)))
		}
		require.NoError(t, b.Reply(permission.Reply{ID: "2"}))
		var ids []string
		for _, r := range b.Pending() {
			ids = append(ids, r.ID)
		}
		assert.Equal(t, []string{"0", "1", "3", "4"}, ids)
		b.Close()
	})
}

func TestWhatWasSettledIsNotRememberedForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true, KeepOthers: true})
		for i := range 1025 {
			ask(t.Context(), b, full(fmt.Sprint(i)))
			require.NoError(t, b.Reply(permission.Reply{ID: fmt.Sprint(i)}))
		}
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "0"}), approve.ErrUnknown)
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "1"}), approve.ErrSettled)
		assert.ErrorIs(t, b.Reply(permission.Reply{ID: "1024"}), approve.ErrSettled)
	})
}

// A bubble does not end while a goroutine of it is left.
func TestNothingIsLeftRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(approve.Broker)
		hook := newHook(t, b, time.Hour, func(permission.Record) {})
		for range 3 {
			b.Subscribe(t.Context()) // and never look
			go func() {
				for range b.Subscribe(t.Context()) {
				}
			}()
		}
		synctest.Wait()
		for i := range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			go hook.PreToolCall(ctx, command("s", "1", fmt.Sprint("make ", i)))
			synctest.Wait()
			switch pending := b.Pending(); i % 4 {
			case 0:
				cancel()
			case 1:
				time.Sleep(time.Hour)
			case 2:
				require.NoError(t, b.Reply(permission.Reply{ID: pending[0].ID, Answer: permission.Always}))
			case 3: // until the broker is closed, or the test ends
			}
			defer cancel()
		}
		assert.Len(t, b.Pending(), 1)
		b.Close()
	})
}
