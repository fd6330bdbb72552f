package approve_test

import (
	"context"
	"encoding/json"
	"fmt"
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

func TestOnceIsForOneCall(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		first := s.call(command("s", "1", "make"))
		s.answer("1", permission.Once, "")
		first.hasRun()

		again := s.call(command("s", "2", "make"))
		again.waits()
		s.answer("2", permission.Once, "")
		again.hasRun()
	})
}

func TestAlwaysIsForTheSession(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		s.call(command("s", "1", "make"))
		s.answer("1", permission.Always, "")
		s.call(command("s", "2", "make")).hasRun()

		elsewhere := s.call(command("other", "3", "make"))
		elsewhere.waits()
		s.answer("3", permission.Once, "")
		elsewhere.hasRun()
	})
}

func TestAlwaysSettlesWhatWaitsAndIsCovered(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		first, same := s.call(command("s", "1", "make")), s.call(command("s", "2", "make"))
		other, elsewhere := s.call(command("s", "3", "make test")), s.call(command("t", "4", "make"))
		covered := s.ids()["2"]
		s.answer("1", permission.Always, "")
		first.hasRun()
		same.hasRun()
		assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: covered}), approve.ErrSettled)

		other.waits()
		elsewhere.waits()
		s.answer("4", permission.Once, "")
		elsewhere.hasRun()
		s.answer("3", permission.Once, "")
		other.hasRun()
	})
}

func TestRejectEndsTheOtherRequestsOfTheSession(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		first, second := s.call(command("s", "1", "make")), s.call(command("s", "2", "make test"))
		elsewhere := s.call(command("t", "3", "make"))
		s.answer("2", permission.Reject, "")
		second.isRefused(permission.CauseRejected, "The user refused it")
		first.isRefused(permission.CauseClosed, "the user refused another call of the session")
		assert.Equal(t, "1", first.settled().CallID)

		elsewhere.waits()
		s.answer("3", permission.Once, "")
		later := s.call(command("s", "4", "make"))
		later.waits()
		s.answer("4", permission.Once, "")
		later.hasRun()
	})
}

func TestRejectMayLeaveTheOthersWaiting(t *testing.T) {
	play(t, &approve.BrokerOptions{Wait: true, KeepOthers: true}, 0, func(t *testing.T, s *scene) {
		first, second := s.call(command("s", "1", "make")), s.call(command("s", "2", "make test"))
		s.answer("2", permission.Reject, "")
		second.isRefused(permission.CauseRejected, "The user refused it")
		first.waits()
		s.answer("1", permission.Once, "")
		first.hasRun()
	})
}

func TestCallsWithoutSessionAreByThemselves(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		first, second := s.call(command("", "1", "make")), s.call(command("", "2", "make"))
		s.answer("2", permission.Reject, "")
		second.isRefused(permission.CauseRejected, "The user refused it")
		first.waits()
		s.answer("1", permission.Always, "")
		first.hasRun()
		again := s.call(command("", "3", "make"))
		again.waits()
		s.answer("3", permission.Once, "")
	})
}

func TestWhatAPersonSaysReachesTheModel(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		c := s.call(command("s", "1", "make"))
		s.answer("1", permission.Reject, "use go build")
		c.isRefused(permission.CauseRejected, "use go build")
		next := s.call(command("s", "2", "go build"))
		s.answer("2", permission.Once, "")
		next.hasRun()
	})
}

func TestAReplyToNothing(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		c := s.call(command("s", "1", "make"))
		for _, id := range []string{"", "made up"} {
			assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: id, Answer: permission.Once}), approve.ErrUnknown)
		}
		c.waits()
		s.answer("1", permission.Once, "")
		c.hasRun()
	})
}

// A loser of the race changes nothing: it grants nothing either.
func TestTheFirstReplyWins(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		c := s.call(command("s", "1", "make"))
		id := s.ids()["1"]
		require.NoError(t, s.broker.Reply(permission.Reply{ID: id}))
		for _, late := range []permission.Answer{permission.Once, permission.Always, permission.Reject} {
			assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: id, Answer: late}), approve.ErrSettled)
		}
		synctest.Wait()
		c.isRefused(permission.CauseRejected, "The user refused it")
		assert.Empty(t, s.ran)

		again := s.call(command("s", "2", "make"))
		again.waits()
		s.answer("2", permission.Reject, "")
		assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: id}), approve.ErrSettled, "not forgotten yet")
	})
}

func TestManyReplyAtTheSameTime(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		seen := s.watch()
		c := s.call(command("s", "1", "make"))
		id := s.ids()["1"]
		var won atomic.Int32
		for i := range 10 {
			go func() {
				switch err := s.broker.Reply(permission.Reply{ID: id, Answer: permission.Answer(i % 3)}); err {
				case nil:
					won.Add(1)
				default:
					assert.ErrorIs(t, err, approve.ErrSettled)
				}
			}()
		}
		synctest.Wait()
		assert.EqualValues(t, 1, won.Load())
		c.settled()
		assert.Len(t, s.records, 1)
		require.Len(t, *seen, 2, "the request, and that it is settled")
		assert.Equal(t, s.records[0].Decision.Cause, (*seen)[1].Cause)
	})
}

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

func TestTheEndOfASessionEndsItsRequests(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		seen := s.watch()
		c, elsewhere := s.call(command("s", "1", "make")), s.call(command("t", "2", "make"))
		s.hook.EndSession("s")
		synctest.Wait()
		c.isRefused(permission.CauseClosed, "the session has ended")
		assert.Equal(t, permission.CauseCanceled, (*seen)[2].Cause)
		elsewhere.waits()
		s.answer("2", permission.Once, "")
	})
}

func TestACancelledCallIsNotAskedAboutAnyMore(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		seen := s.watch()
		c := s.call(command("s", "1", "make"))
		id := s.ids()["1"]
		c.cancel()
		assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: id, Answer: permission.Once}), approve.ErrSettled)
		synctest.Wait()
		c.isRefused(permission.CauseCanceled, "cancelled")
		assert.Equal(t, "1", c.settled().CallID)
		assert.Equal(t, []approve.Event{{ID: id, Cause: permission.CauseCanceled}}, (*seen)[1:])
	})
}

// Silence is no consent, and nobody's no.
func TestNobodyAnswers(t *testing.T) {
	play(t, waiting(), time.Minute, func(t *testing.T, s *scene) {
		seen := s.watch()
		c := s.call(command("s", "1", "make"))
		id := s.ids()["1"]
		time.Sleep(time.Minute)
		synctest.Wait()
		c.isRefused(permission.CauseTimeout, "nobody answered in time, which is no consent")
		assert.NotContains(t, c.settled().Content, "user refused")
		assert.Equal(t, time.Minute, s.records[0].Duration)
		assert.Equal(t, []approve.Event{{ID: id, Cause: permission.CauseTimeout}}, (*seen)[1:])

		assert.Empty(t, s.broker.Pending())
		assert.ErrorIs(t, s.broker.Reply(permission.Reply{ID: id, Answer: permission.Once}), approve.ErrSettled)
		assert.Empty(t, s.ran, "a late yes runs nothing")

		next := s.call(command("s", "2", "make"))
		s.answer("2", permission.Once, "")
		next.hasRun()
	})
}

// A child's requests go to its parent's interface, which does not look.
func TestNobodyLooks(t *testing.T) {
	play(t, nil, time.Minute, func(t *testing.T, s *scene) {
		s.broker.Subscribe(t.Context())
		c := s.call(command("child", "1", "make"))
		c.waits()
		time.Sleep(time.Minute)
		synctest.Wait()
		c.isRefused(permission.CauseTimeout, "nobody answered in time")
	})
}

func TestCallsOfOneMessageAreAnsweredInAnyOrder(t *testing.T) {
	play(t, &approve.BrokerOptions{Wait: true, KeepOthers: true}, 0, func(t *testing.T, s *scene) {
		calls := []permission.ToolCall{command("s", "1", "make a"), command("s", "2", "make b"), command("s", "3", "make c")}
		var results []permission.ToolResult
		go func() { results = s.hook.RunAll(t.Context(), calls, s.tool) }()
		synctest.Wait()
		ids := s.ids()
		require.Len(t, ids, 3)
		assert.NotEqual(t, ids["1"], ids["2"])

		s.answer("2", permission.Once, "")
		assert.Equal(t, []string{"2"}, s.ran)
		assert.Len(t, s.records, 1, "none is decided before its own answer")
		s.answer("3", permission.Reject, "not c")
		s.answer("1", permission.Once, "")
		for i, r := range results {
			assert.Equal(t, calls[i].ID, r.CallID)
			assert.Equal(t, i == 2, r.IsError)
		}
		assert.Contains(t, results[2].Content, "not c")
	})
}

// An interface that shows one dialog at a time gets to all of them.
func TestOneDialogAtATime(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		var agents []*running
		for i := range 7 {
			id := fmt.Sprint(i)
			agents = append(agents, s.call(command("agent-"+id, id, "make")))
		}
		var shown []string
		for e := range s.broker.Subscribe(t.Context()) {
			if e.Request == nil {
				continue
			}
			shown = append(shown, e.Request.Call.ID)
			time.Sleep(time.Second) // the person thinks, and others wait
			s.answer(e.Request.Call.ID, permission.Once, "")
			if len(shown) == len(agents) {
				break
			}
		}
		assert.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6"}, shown)
		for _, a := range agents {
			a.hasRun()
		}
	})
}
