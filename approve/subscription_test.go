package approve_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

func TestTheLastSubscriberLeaves(t *testing.T) {
	for name, leave := range map[string]func(*testing.T, *approve.Broker, context.CancelFunc){
		"its context ends": func(t *testing.T, b *approve.Broker, end context.CancelFunc) { end() },
		"another's loop ends last": func(t *testing.T, b *approve.Broker, end context.CancelFunc) {
			events := b.Subscribe(t.Context())
			end()
			synctest.Wait()
			require.Len(t, b.Pending(), 1, "one of them is still there")
			for range events {
				break
			}
		},
		"another's loop panics": func(t *testing.T, b *approve.Broker, end context.CancelFunc) {
			events := b.Subscribe(t.Context())
			end()
			assert.Panics(t, func() {
				for range events {
					panic("no screen")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := new(approve.Broker)
				ctx, end := context.WithCancel(t.Context())
				b.Subscribe(ctx)
				a := ask(t.Context(), b, full("1"))
				require.True(t, a.waits())
				leave(t, b, end)
				_, err := a.result(t)
				assert.ErrorIs(t, err, permission.ErrClosed)
				assert.Empty(t, b.Pending())
				_, err = b.Approve(t.Context(), full("2"))
				assert.ErrorIs(t, err, permission.ErrNoApprover)
			})
		})
	}
}

func TestAClientComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
		ctx, end := context.WithCancel(t.Context())
		b.Subscribe(ctx)
		first := ask(t.Context(), b, full("1"))
		end()
		second := ask(t.Context(), b, full("2"))
		require.True(t, first.waits() && second.waits())

		var seen []approve.Event
		for e := range b.Subscribe(t.Context()) {
			seen = append(seen, e)
			require.NoError(t, b.Reply(permission.Reply{ID: e.ID, Answer: permission.Once}), "from inside the loop")
			if e.ID == "2" {
				break
			}
		}
		assert.Equal(t, []string{"1 asks", "2 asks"}, lines(seen), "what waits already, in order")
		for _, a := range []*asking{first, second} {
			reply, err := a.result(t)
			assert.NoError(t, err)
			assert.Equal(t, permission.Once, reply.Answer)
		}
	})
}

// A subscriber that does not look holds up nobody, and is told later of what
// still matters to it, which is not much.
func TestASubscriberThatDoesNotLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approve.NewBroker(&approve.BrokerOptions{KeepOthers: true})
		come, again := make(chan struct{}), make(chan struct{})
		var seen []approve.Event
		events := b.Subscribe(t.Context())
		go func() {
			for e := range events {
				if seen = append(seen, e); len(seen) == 2 {
					close(come)
					<-again
				}
			}
		}()
		ask(t.Context(), b, full("seen 1"))
		ask(t.Context(), b, full("seen 2"))
		<-come
		ask(t.Context(), b, full("unseen"))
		for i := range 3000 {
			id := fmt.Sprint(i)
			a := ask(t.Context(), b, full(id))
			require.NoError(t, b.Reply(permission.Reply{ID: id, Answer: permission.Once}))
			_, err := a.result(t)
			require.NoError(t, err)
		}
		require.NoError(t, b.Reply(permission.Reply{ID: "seen 2", Answer: permission.Once}))
		require.NoError(t, b.Reply(permission.Reply{ID: "seen 1"}))
		close(again)
		synctest.Wait()
		assert.Equal(t, []string{"seen 1 asks", "seen 2 asks", "unseen asks", "seen 2 once", "seen 1 rejected"}, lines(seen))
		b.Close()
	})
}

func TestASubscriptionBeginsWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := new(approve.Broker)
		events := b.Subscribe(t.Context())
		a := ask(t.Context(), b, full("1"))
		require.True(t, a.waits(), "there is a subscriber, although it does not look yet")
		for e := range events {
			assert.Equal(t, "1", e.ID)
			break
		}
		for e := range events {
			assert.Fail(t, "a second loop", e)
		}
		_, err := a.result(t)
		assert.ErrorIs(t, err, permission.ErrClosed)

		ctx, end := context.WithCancel(t.Context())
		events = b.Subscribe(ctx)
		ask(t.Context(), b, full("2"))
		end()
		for e := range events {
			assert.Fail(t, "its context has ended", e)
		}
	})
}

func TestASubscriptionIsNoGoroutine(t *testing.T) {
	b := new(approve.Broker)
	before := runtime.NumGoroutine()
	for range 100 {
		b.Subscribe(t.Context())
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// held is a context that counts what it has to do at its end.
type held struct {
	context.Context
	done chan struct{}
	n    int
}

func (h *held) Done() <-chan struct{} { return h.done }

func (h *held) AfterFunc(func()) (stop func() bool) {
	h.n++
	return func() bool { return true }
}

func TestAClosedBrokerHoldsOnToNobody(t *testing.T) {
	b := new(approve.Broker)
	ctx := &held{Context: t.Context(), done: make(chan struct{})}
	b.Subscribe(ctx)
	assert.Equal(t, 1, ctx.n)
	b.Close()
	for range b.Subscribe(ctx) {
		assert.Fail(t, "an event")
	}
	assert.Equal(t, 1, ctx.n)
}
