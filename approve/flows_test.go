package approve_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

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

// The event and the hook's record say the same.
func TestAlwaysWithoutRulesIsOnce(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		seen := s.watch()
		c := s.call(command("", "1", "make"))
		require.Empty(t, s.broker.Pending()[0].Always)
		s.answer("1", permission.Always, "")
		c.hasRun()
		require.Len(t, *seen, 2)
		assert.Equal(t, permission.CauseOnce, (*seen)[1].Cause)
		assert.Equal(t, permission.CauseOnce, s.records[0].Decision.Cause)
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

func TestTheEndOfASessionEndsItsRequests(t *testing.T) {
	play(t, waiting(), 0, func(t *testing.T, s *scene) {
		seen := s.watch()
		c, elsewhere := s.call(command("s", "1", "make")), s.call(command("t", "2", "make"))
		s.hook.EndSession("s")
		synctest.Wait()
		c.isRefused(permission.CauseClosed, "the session has ended")
		assert.Equal(t, permission.CauseClosed, (*seen)[2].Cause)
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
