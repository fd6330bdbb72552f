package approve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// A thousand calls of fifty sessions wait at the same time, while clients
// answer, come and go, calls are cancelled and sessions end; and before it is
// over the broker is closed. Each call gets one verdict, those that were agreed
// to run once and the others never, and no request is left.
func TestEverythingAtOnce(t *testing.T) {
	const calls, sessions = 1000, 50
	var mu sync.Mutex
	records, ran := map[string][]permission.Record{}, map[string]int{}
	b := approve.NewBroker(&approve.BrokerOptions{Wait: true})
	hook := newHook(t, b, 0, func(r permission.Record) {
		mu.Lock()
		defer mu.Unlock()
		if records[r.CallID] = append(records[r.CallID], r); len(records) == calls*9/10 {
			go b.Close()
		}
	})
	run := hook.Wrap(func(_ context.Context, c permission.ToolCall) permission.ToolResult {
		mu.Lock()
		defer mu.Unlock()
		ran[c.ID]++
		return permission.ToolResult{Content: "done"}
	})
	watching, stop := context.WithCancel(t.Context())
	defer stop()
	var clients, asks sync.WaitGroup
	for range 4 {
		clients.Go(func() { answerAtRandom(watching, b) })
	}
	results := make([]permission.ToolResult, calls)
	for i := range calls {
		asks.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			session := fmt.Sprint("s-", i%sessions)
			switch rand.IntN(10) {
			case 0:
				time.AfterFunc(time.Duration(rand.IntN(5_000))*time.Microsecond, cancel)
			case 1:
				hook.EndSession(session)
			}
			results[i] = run(ctx, command(session, fmt.Sprint(i), fmt.Sprint("make ", i%7)))
		})
	}
	asks.Wait()
	stop()
	clients.Wait()

	assert.Empty(t, b.Pending())
	assert.Len(t, records, calls)
	for i, r := range results {
		id := fmt.Sprint(i)
		assert.Equal(t, id, r.CallID)
		require.Len(t, records[id], 1, "one verdict each")
		switch d := records[id][0].Decision; d.Action {
		case permission.Allow:
			assert.Contains(t, []permission.Cause{permission.CauseOnce, permission.CauseAlways}, d.Cause)
			assert.Equal(t, 1, ran[id])
			assert.False(t, r.IsError)
		default:
			assert.Contains(t, []permission.Cause{
				permission.CauseRejected, permission.CauseClosed, permission.CauseCanceled,
			}, d.Cause, d.Detail)
			assert.Zero(t, ran[id], "it was refused, and ran")
			assert.True(t, r.IsError)
		}
	}
}

// answerAtRandom is a client that comes and goes, until stop ends.
func answerAtRandom(stop context.Context, b *approve.Broker) {
	for stop.Err() == nil {
		ctx, cancel := context.WithTimeout(stop, 5*time.Millisecond)
		for e := range b.Subscribe(ctx) {
			if e.Request == nil {
				continue
			}
			switch rand.IntN(40) {
			case 0:
				_ = b.Reply(permission.Reply{ID: e.ID})
			case 1, 2:
				_ = b.Reply(permission.Reply{ID: e.ID, Answer: permission.Always})
			case 3, 4, 5:
				_ = b.Reply(permission.Reply{ID: e.ID, Answer: 99})
			case 6, 7, 8, 9, 10, 11, 12, 13, 14:
				_ = b.Reply(permission.Reply{ID: e.ID, Answer: permission.Once})
			case 15:
				cancel()
			}
		}
		cancel()
		time.Sleep(time.Millisecond) // a closed broker sends it away at once
	}
}
