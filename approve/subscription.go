package approve

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
)

// Subscribe returns the events of b from now on, after one for each request
// that waits already. The subscription begins with the call, not with the loop
// over it; it ends with the loop or with ctx, whichever is first, and the loop
// ends with ctx or when b is closed. A loop over it is for one goroutine and
// one time: a second one gets nothing. End ctx if there may be no loop at all.
//
// A subscriber may take its time. It holds up nobody, and what has come and
// gone in the meantime it is not told of: no more is kept for it than the
// requests that wait, and the end of each that it has seen.
func (b *Broker) Subscribe(ctx context.Context) iter.Seq[Event] {
	s := &subscription{broker: b, ctx: ctx, wake: make(chan struct{}, 1)}
	if !s.join() {
		return func(func(Event) bool) {} // and nothing that ctx would hold on to
	}
	s.stop = context.AfterFunc(ctx, s.leave)
	return s.events
}

// join begins s, unless its broker is closed.
func (s *subscription) join() bool {
	b := s.broker
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	s.open = true
	for _, q := range b.waiting {
		s.backlog = append(s.backlog, notice{question: q})
	}
	b.subscriptions = append(b.subscriptions, s)
	return true
}

// A subscription is what one subscriber has yet to be told.
type subscription struct {
	broker *Broker
	ctx    context.Context
	stop   func() bool   // leaving with ctx
	wake   chan struct{} // holds a token when there may be something new
	ranged atomic.Bool   // a loop has begun

	// broker.mu guards these.
	open    bool     // there may come more
	backlog []notice // in order
}

// A notice becomes an Event when it is the subscriber's turn.
type notice struct {
	question *question
	settled  bool
}

func (n notice) event() Event {
	id := n.question.request.ID
	if n.settled {
		return Event{ID: id, Cause: n.question.outcome.cause}
	}
	r := clone(n.question.request)
	return Event{ID: id, Request: &r}
}

// events is the loop of the subscriber.
func (s *subscription) events(yield func(Event) bool) {
	if s.ranged.Swap(true) {
		return
	}
	defer s.leave()
	defer s.stop()
	for {
		n, ok := s.next()
		if !ok || !yield(n.event()) {
			return
		}
	}
}

// next waits for the next notice. There is none any more if it is not ok.
func (s *subscription) next() (n notice, ok bool) {
	for {
		n, ok, open := s.take()
		if ok || !open {
			return n, ok
		}
		select {
		case <-s.wake:
		case <-s.ctx.Done():
			return notice{}, false
		}
	}
}

// take takes the next notice if there is one, and reports whether there may be
// more.
func (s *subscription) take() (n notice, ok, open bool) {
	s.broker.mu.Lock()
	defer s.broker.mu.Unlock()
	switch {
	case s.ctx.Err() != nil:
		return notice{}, false, false
	case len(s.backlog) == 0:
		return notice{}, false, s.open
	}
	n = s.backlog[0]
	s.backlog = slices.Delete(s.backlog, 0, 1)
	return n, true, s.open
}

// leave ends s. If nobody is left then, and nobody may come back, nobody waits
// for an answer either.
func (s *subscription) leave() {
	b := s.broker
	b.mu.Lock()
	defer b.mu.Unlock()
	s.open, s.backlog = false, nil
	i := slices.Index(b.subscriptions, s)
	if i < 0 {
		return
	}
	b.subscriptions = slices.Delete(b.subscriptions, i, i+1)
	if len(b.subscriptions) == 0 && !b.options.Wait {
		b.withdraw(errNobodyLeft, everyone)
	}
}

// add puts a notice into the backlog. The caller holds broker.mu, as for all
// below.
func (s *subscription) add(n notice) {
	s.backlog = append(s.backlog, n)
	s.rouse()
}

// settle tells the subscriber that q is settled, if it knows of q at all.
func (s *subscription) settle(q *question) {
	if i := slices.Index(s.backlog, notice{question: q}); i >= 0 {
		s.backlog = slices.Delete(s.backlog, i, i+1)
		return
	}
	s.add(notice{question: q, settled: true})
}

func (s *subscription) rouse() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}
