package approve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/insomnia-run/permission"
)

// ErrUnknown is the error of [Broker.Reply] for a request that the broker does
// not know, or has forgotten: it keeps the IDs of the last thousand or so that
// were settled.
var ErrUnknown = errors.New("there is no such request")

// ErrSettled is the error of [Broker.Reply] for a request that needs no answer
// any more: it was answered, it timed out or it was withdrawn.
var ErrSettled = errors.New("the request is settled already")

// Why the broker refuses a request by itself.
var (
	errRefusedAnother = fmt.Errorf("%w: the user refused another call of the session", permission.ErrClosed)
	errNobodyLeft     = fmt.Errorf("%w: nobody is left to answer it", permission.ErrClosed)
	errBrokerClosed   = fmt.Errorf("%w: nobody takes answers any more", permission.ErrClosed)
	errNobodyThere    = fmt.Errorf("%w: nobody is subscribed to the broker", permission.ErrNoApprover)
)

// A Broker is a [permission.Approver] for interfaces that answer later. It
// tells its subscribers of the requests that wait, and takes replies by their
// ID from anybody; of several replies to one request the first counts.
//
// A person's no ends the other requests of its session that wait, too:
// BrokerOptions.KeepOthers says otherwise. What a yes for always covers is
// withdrawn by the hook.
//
// The zero value is ready and like NewBroker(nil). A Broker is safe for
// concurrent use and must not be copied.
type Broker struct {
	options BrokerOptions

	mu            sync.Mutex
	closed        bool
	waiting       []*question // in order of arrival
	recent        recent      // those that are settled
	subscriptions []*subscription
}

// BrokerOptions say which requests a Broker lets wait. Nil and the zero value
// let fewest. NewBroker copies them.
type BrokerOptions struct {
	// KeepOthers leaves the other requests of a session waiting when one of
	// them is rejected. Without it they are refused with an error that wraps
	// permission.ErrClosed, so that their cause is not the person's own no.
	// Requests without a session are always by themselves.
	KeepOthers bool
	// Wait lets requests wait while nobody is subscribed, for a client that
	// may come back. Set a timeout in the hook. Without it such requests are
	// refused at once, with an error that wraps permission.ErrNoApprover; and
	// when the last subscriber leaves, those that wait are refused with one
	// that wraps permission.ErrClosed.
	Wait bool
}

// NewBroker returns a broker without subscribers. A nil o is the zero
// BrokerOptions.
func NewBroker(o *BrokerOptions) *Broker {
	b := new(Broker)
	if o != nil {
		b.options = *o
	}
	return b
}

// A question is a request that waits, or that has waited, for its answer.
type question struct {
	request permission.Request // never changed, and never handed out
	ctx     context.Context    // the asker's
	done    chan struct{}      // closed when it is settled
	outcome outcome            // from then on
}

// An outcome is what became of a question.
type outcome struct {
	cause permission.Cause // for the subscribers
	reply permission.Reply
	err   error
}

// Approve implements [permission.Approver]. It returns the reply that was
// accepted before ctx ended, with its ID, even if ctx has ended since; else the
// error of ctx, or one that wraps [permission.ErrClosed], as the cause of ctx
// may, or [permission.ErrNoApprover]. It fails for a request without an ID, or with
// that of another one. As the contract of an Approver says, r is the broker's
// from then on.
func (b *Broker) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	q, err := b.ask(ctx, r)
	if err != nil {
		return permission.Reply{}, err
	}
	select {
	case <-q.done:
	case <-ctx.Done():
		b.mu.Lock()
		defer b.mu.Unlock()
		b.settle(q, outcome{}) // unless a reply was first
	}
	return q.outcome.reply, q.outcome.err
}

// ask publishes r.
func (b *Broker) ask(ctx context.Context, r permission.Request) (*question, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case b.closed:
		return nil, errBrokerClosed
	case len(b.subscriptions) == 0 && !b.options.Wait:
		return nil, errNobodyThere
	case r.ID == "":
		return nil, errors.New("a request without an ID: nobody could answer it")
	case b.find(r.ID) != nil || b.recent.holds(r.ID):
		return nil, errors.New("a request with the ID of another: an answer could be for either")
	}
	q := &question{request: r, ctx: ctx, done: make(chan struct{})}
	b.waiting = append(b.waiting, q)
	for _, s := range b.subscriptions {
		s.add(notice{question: q})
	}
	return q, nil
}

// Reply answers the request with the ID of r. The first reply counts: for a
// later one, or one that comes when the request's context has ended, the error
// is [ErrSettled], and [ErrUnknown] for a request that never was. An Answer
// that is none of those of package permission is an error, too. A reply with an
// error has changed nothing. Always is taken as Once for a request without
// Request.Always.
//
// An error of nil says that the reply was taken. The call may still be refused
// by its hook, because its context or its session ends at that moment, say.
func (b *Broker) Reply(r permission.Reply) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.find(r.ID)
	if q != nil && r.Answer == permission.Always && len(q.request.Always) == 0 {
		r.Answer = permission.Once // it grants nothing
	}
	cause, err := causeOf(r.Answer)
	switch {
	case err != nil:
		return err
	case q == nil && b.recent.holds(r.ID):
		return ErrSettled
	case q == nil:
		return ErrUnknown
	case !b.settle(q, outcome{cause: cause, reply: r}):
		return ErrSettled
	}
	if session := q.request.Call.Session; r.Answer == permission.Reject && session != "" && !b.options.KeepOthers {
		b.withdraw(errRefusedAnother, func(q *question) bool { return q.request.Call.Session == session })
	}
	return nil
}

// causeOf returns what a request that was answered so was settled by.
func causeOf(a permission.Answer) (permission.Cause, error) {
	switch a {
	case permission.Reject:
		return permission.CauseRejected, nil
	case permission.Once:
		return permission.CauseOnce, nil
	case permission.Always:
		return permission.CauseAlways, nil
	}
	return permission.CauseFault, fmt.Errorf("unknown answer %d: want reject, once or always", uint8(a))
}

// Pending returns the requests that wait, in order of arrival. They are the
// caller's own.
func (b *Broker) Pending() []permission.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []permission.Request
	for _, q := range b.waiting {
		if q.ctx.Err() == nil { // else its asker has yet to notice, and may have returned
			all = append(all, clone(q.request))
		}
	}
	return all
}

// Close refuses all requests, those that wait and those to come, with an error
// that wraps [permission.ErrClosed]. Subscribers get the events that are left
// for them, and then their loops end. Closing again does nothing.
func (b *Broker) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.withdraw(errBrokerClosed, everyone)
	for _, s := range b.subscriptions {
		s.open = false
		s.rouse()
	}
	b.subscriptions = nil
}

// find returns the question that waits under an ID. The caller holds b.mu, as
// for all below.
func (b *Broker) find(id string) *question {
	for _, q := range b.waiting {
		if q.request.ID == id {
			return q
		}
	}
	return nil
}

// settle ends q with o, and reports whether that was in time: it does nothing
// if q is settled, and an end of q's context was before o.
func (b *Broker) settle(q *question, o outcome) bool {
	i := slices.Index(b.waiting, q)
	if i < 0 {
		return false
	}
	err := q.ctx.Err()
	if err != nil {
		o = ended(q.ctx)
	}
	q.outcome = o
	close(q.done)
	b.waiting = slices.Delete(b.waiting, i, i+1)
	b.recent.add(q.request.ID)
	for _, s := range b.subscriptions {
		s.settle(q)
	}
	return err == nil
}

// ended returns what becomes of a question whose context has ended.
func ended(ctx context.Context) outcome {
	err, why := ctx.Err(), context.Cause(ctx)
	switch {
	case errors.Is(why, permission.ErrClosed): // as when its session has ended
		return outcome{cause: permission.CauseClosed, err: why}
	case errors.Is(err, context.DeadlineExceeded):
		return outcome{cause: permission.CauseTimeout, err: err}
	}
	return outcome{cause: permission.CauseCanceled, err: err}
}

// withdraw ends the questions of which that holds.
func (b *Broker) withdraw(why error, of func(*question) bool) {
	for _, q := range slices.Clone(b.waiting) {
		if of(q) {
			b.settle(q, outcome{cause: permission.CauseClosed, err: why})
		}
	}
}

func everyone(*question) bool { return true }

// maxRecent bounds how many settled requests are told from unknown ones.
const maxRecent = 1024

// recent holds the IDs of the requests that were settled last.
type recent struct {
	ids  []string
	next int // to be replaced, once ids is full
}

// add takes an ID in, in the place of the oldest once there are maxRecent.
func (r *recent) add(id string) {
	if len(r.ids) < maxRecent {
		r.ids = append(r.ids, id)
		return
	}
	r.ids[r.next] = id
	r.next = (r.next + 1) % maxRecent
}

func (r *recent) holds(id string) bool { return slices.Contains(r.ids, id) }
