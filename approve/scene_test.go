package approve_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// A scene is a runtime whose hook asks about every call, over a broker.
type scene struct {
	*testing.T
	broker  *approve.Broker
	hook    *permission.Hook
	records []permission.Record // of the calls that were decided
	ran     []string            // the IDs of the calls that ran, in no order

	mu sync.Mutex
}

// play plays a script in a bubble of time.
func play(t *testing.T, o *approve.BrokerOptions, timeout time.Duration, script func(*testing.T, *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t, broker: approve.NewBroker(o)}
		s.hook = newHook(t, s.broker, timeout, func(r permission.Record) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.records = append(s.records, r)
		})
		script(t, s)
		assert.Empty(t, s.broker.Pending(), "the script leaves nothing open")
	})
}

// newHook returns a hook that asks b about every call.
func newHook(t *testing.T, b *approve.Broker, timeout time.Duration, record func(permission.Record)) *permission.Hook {
	t.Helper()
	policy, err := permission.Compile(permission.Ask, nil, &permission.Options{Root: "/srv/app", Home: "/home/u", GOOS: "linux"})
	require.NoError(t, err)
	hook, err := permission.NewHook(policy, &permission.HookOptions{
		Approver: b, Timeout: timeout,
		OnDecision: func(_ context.Context, r permission.Record) { record(r) },
	})
	require.NoError(t, err)
	return hook
}

// command is a call of bash.
func command(session, id, line string) permission.ToolCall {
	input, _ := json.Marshal(map[string]string{"command": line})
	return permission.ToolCall{ID: id, Name: "bash", Session: session, Input: input}
}

// A running call is one whose result may still be to come.
type running struct {
	scene  *scene
	result atomic.Pointer[permission.ToolResult] // nil until then
	cancel context.CancelFunc
}

// call starts a call, and returns when it is settled or waits for its answer.
func (s *scene) call(c permission.ToolCall) *running {
	ctx, cancel := context.WithCancel(s.Context())
	r := &running{scene: s, cancel: cancel}
	go func() {
		result := s.hook.Wrap(s.tool)(ctx, c)
		r.result.Store(&result)
	}()
	synctest.Wait()
	return r
}

func (s *scene) tool(_ context.Context, c permission.ToolCall) permission.ToolResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran = append(s.ran, c.ID)
	return permission.ToolResult{Content: "done"}
}

// ids returns the request of each call that waits, by the ID of the call.
func (s *scene) ids() map[string]string {
	ids := map[string]string{}
	for _, r := range s.broker.Pending() {
		ids[r.Call.ID] = r.ID
	}
	return ids
}

// answer answers the request for the call of an ID, and returns when whatever
// follows from it has happened.
func (s *scene) answer(call string, a permission.Answer, message string) {
	s.Helper()
	id := s.ids()[call]
	require.NotEmpty(s, id, "%s does not wait", call)
	require.NoError(s, s.broker.Reply(permission.Reply{ID: id, Answer: a, Message: message}))
	synctest.Wait()
}

func (r *running) waits() {
	r.scene.Helper()
	assert.Nil(r.scene, r.result.Load(), "it is settled")
}

func (r *running) hasRun() {
	r.scene.Helper()
	assert.False(r.scene, r.settled().IsError, r.settled().Content)
}

func (r *running) settled() *permission.ToolResult {
	r.scene.Helper()
	result := r.result.Load()
	require.NotNil(r.scene, result, "it still waits")
	return result
}

// isRefused checks that the result is an error for that cause, with that text.
func (r *running) isRefused(cause permission.Cause, text string) {
	r.scene.Helper()
	result := r.settled()
	assert.True(r.scene, result.IsError)
	assert.Contains(r.scene, result.Content, text)
	of := func(rec permission.Record) bool { return rec.CallID == result.CallID && rec.Decision.Cause == cause }
	assert.True(r.scene, slices.ContainsFunc(r.scene.records, of), "no record of %s says %v", result.CallID, cause)
}

func waiting() *approve.BrokerOptions { return &approve.BrokerOptions{Wait: true} }

// watch subscribes, and returns what the subscriber has been told so far.
func (s *scene) watch() *[]approve.Event {
	seen := new([]approve.Event)
	events := s.broker.Subscribe(s.Context())
	go func() {
		for e := range events {
			*seen = append(*seen, e)
		}
	}()
	synctest.Wait()
	return seen
}
