package permission

import (
	"context"
	"fmt"
	"sync"
)

// maxGranted bounds, in bytes, what one session may be granted: an approver
// that always says always must not fill the memory.
const maxGranted = 1 << 20

var errSessionEnded = fmt.Errorf("%w: the session has ended", ErrClosed)

// sessions holds, for each session, what its approver has agreed to for always
// and the asks that wait for an answer. The zero value is ready.
type sessions struct {
	mu  sync.Mutex
	all map[string]*session
}

// A session is what one conversation was granted, and who waits in it.
type session struct {
	grants
	waits map[*wait]bool
}

// A wait is one ask that nobody has answered yet.
type wait struct {
	sessions *sessions
	session  string
	asking   []grantable
	grant    grant // what the answer Always adds

	ctx      context.Context // ends when nothing that the approver says counts any more
	end      context.CancelCauseFunc
	question context.Context // the approver's: it also ends when a grant covers the ask
	withdraw context.CancelFunc
	covered  bool // by a grant
}

// enter returns the wait for an ask, which has to leave, unless what was granted
// to its session before covers the ask.
func (ss *sessions) enter(ctx context.Context, name string, asking []grantable, g grant) (w *wait, granted bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.all[name]
	if s == nil {
		s = &session{waits: make(map[*wait]bool)}
	}
	if s.cover(asking) {
		return nil, true
	}
	if name == "" || s.size+g.size() > maxGranted {
		g = grant{}
	}
	w = &wait{sessions: ss, session: name, asking: asking, grant: g}
	w.ctx, w.end = context.WithCancelCause(ctx)
	w.question, w.withdraw = context.WithCancel(w.ctx)
	s.waits[w] = true
	if ss.all == nil {
		ss.all = make(map[string]*session)
	}
	ss.all[name] = s
	return w, false
}

// leave ends w.
func (w *wait) leave() {
	w.sessions.mu.Lock()
	defer w.sessions.mu.Unlock()
	w.withdraw()
	w.end(nil)
	s := w.sessions.all[w.session]
	if s == nil || !s.waits[w] {
		return // the session has ended, and there may be another of its name
	}
	if delete(s.waits, w); len(s.waits) == 0 && s.size == 0 {
		delete(w.sessions.all, w.session)
	}
}

// always grants what w wants, and withdraws the questions that wait in the same
// session and are covered by that. It reports whether it has: there may be
// nothing to grant, the session may have ended, or have been granted too much
// since w began to wait.
func (w *wait) always() bool {
	w.sessions.mu.Lock()
	defer w.sessions.mu.Unlock()
	if w.ctx.Err() != nil || w.grant.size() == 0 {
		return false
	}
	s := w.sessions.all[w.session]
	if s.size+w.grant.size() > maxGranted {
		return false
	}
	s.add(w.grant)
	for other := range s.waits {
		if other != w && s.cover(other.asking) {
			other.covered = true
			other.withdraw()
		}
	}
	return true
}

// isCovered reports whether a grant to another ask of the session covers w.
func (w *wait) isCovered() bool {
	w.sessions.mu.Lock()
	defer w.sessions.mu.Unlock()
	return w.covered
}

// forget ends a session, unless the name is empty: calls without a session do
// not make up one.
func (ss *sessions) forget(name string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.all[name]
	if s == nil || name == "" {
		return
	}
	delete(ss.all, name)
	for w := range s.waits {
		w.end(errSessionEnded)
	}
}
