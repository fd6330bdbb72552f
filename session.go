package permission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
)

// maxGranted bounds, in bytes, what one session may be granted: an approver
// that always says always must not fill the memory.
const maxGranted = 1 << 20

var errSessionEnded = errors.New("the session has ended")

// sessions holds, for each session, what its approver has agreed to for always
// and the asks that wait for an answer. The zero value is ready.
type sessions struct {
	mu  sync.Mutex
	all map[string]*session
}

type session struct {
	grants
	waits map[*wait]bool
}

// A wait is one ask that nobody has answered yet.
type wait struct {
	sessions *sessions
	session  string
	tool     string
	asking   []asked
	grant    grant // what the answer Always adds

	ctx      context.Context // ends when nothing that the approver says counts any more
	end      context.CancelCauseFunc
	question context.Context // the approver's: it also ends when a grant covers the ask
	withdraw context.CancelFunc
	covered  bool // by a grant
}

// enter returns the wait for an ask of call c, unless what was granted before
// covers it.
func (ss *sessions) enter(ctx context.Context, c ToolCall, asking []asked, g grant) (w *wait, granted bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.all[c.Session]
	if s == nil {
		s = &session{waits: make(map[*wait]bool)}
	}
	if s.cover(c.Name, asking) {
		return nil, true
	}
	if c.Session == "" || s.size+g.size() > maxGranted {
		g = grant{}
	}
	w = &wait{sessions: ss, session: c.Session, tool: c.Name, asking: asking, grant: g}
	w.ctx, w.end = context.WithCancelCause(ctx)
	w.question, w.withdraw = context.WithCancel(w.ctx)
	s.waits[w] = true
	if ss.all == nil {
		ss.all = make(map[string]*session)
	}
	ss.all[c.Session] = s
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
		if other != w && s.cover(other.tool, other.asking) {
			other.covered = true
			other.withdraw()
		}
	}
	return true
}

func (w *wait) isCovered() bool {
	w.sessions.mu.Lock()
	defer w.sessions.mu.Unlock()
	return w.covered
}

// forget ends a session.
func (ss *sessions) forget(name string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.all[name]
	if s == nil {
		return
	}
	delete(ss.all, name)
	for w := range s.waits {
		w.end(errSessionEnded)
	}
}

// A grant is what the answer Always to one ask adds: exactly what was asked
// for, or what the tool has proposed instead.
type grant struct {
	exact    []exactly
	proposed []proposal
	rules    []Rule // the same, for people
}

// exactly names one subject of a tool's calls.
type exactly struct {
	tool string
	kind subject.Kind
	name string // see subject.Reader.Alone
}

// A proposal is a pattern for subjects of a tool's calls.
type proposal struct{ tool, pattern string }

// newGrant returns what Always grants to an ask of a tool; nothing if part of
// it is unknown. It fails for a proposal that is no pattern.
func newGrant(tool string, asking []asked, proposed []string) (grant, error) {
	var g grant
	for _, pattern := range proposed {
		for _, a := range asking {
			if _, err := a.pattern(pattern); err != nil {
				return grant{}, fmt.Errorf("the proposed pattern %q: %w", pattern, err)
			}
		}
		g.proposed = append(g.proposed, proposal{tool, pattern})
		g.show(tool, pattern)
	}
	for _, a := range asking {
		if a.doubt {
			return grant{}, nil
		}
		if len(proposed) > 0 {
			continue
		}
		key, pattern, ok := a.literal(tool)
		if !ok {
			return grant{}, nil
		}
		g.exact = append(g.exact, key)
		g.show(tool, pattern)
	}
	return g, nil
}

// show adds a rule to those that people are shown, where it is not there yet.
func (g *grant) show(tool, pattern string) {
	r := Rule{Tool: glob.Quote(tool), Pattern: pattern, Action: Allow}
	if !slices.Contains(g.rules, r) {
		g.rules = append(g.rules, r)
	}
}

func (g *grant) size() int {
	n := 0
	for _, e := range g.exact {
		n += len(e.tool) + len(e.name)
	}
	for _, p := range g.proposed {
		n += len(p.tool) + len(p.pattern)
	}
	return n
}

// grants are what a session has been granted.
type grants struct {
	exact    map[exactly]bool
	proposed map[proposal]bool
	size     int
}

func (gs *grants) add(g grant) {
	if gs.exact == nil {
		gs.exact, gs.proposed = make(map[exactly]bool), make(map[proposal]bool)
	}
	gs.size += g.size()
	for _, e := range g.exact {
		gs.exact[e] = true
	}
	for _, p := range g.proposed {
		gs.proposed[p] = true
	}
}

// cover reports whether gs hold all that an ask of a tool is for.
func (gs *grants) cover(tool string, asking []asked) bool {
	for _, a := range asking {
		if a.doubt || !gs.covers(tool, a) {
			return false
		}
	}
	return len(asking) > 0
}

func (gs *grants) covers(tool string, a asked) bool {
	if key, _, ok := a.literal(tool); ok && gs.exact[key] {
		return true
	}
	for p := range gs.proposed {
		if p.tool != tool {
			continue
		}
		if pattern, err := a.pattern(p.pattern); err == nil && pattern.Must(a.subject.Narrow) {
			return true
		}
	}
	return false
}

// An asked is a part of a call that needs an answer.
type asked struct {
	Subject
	subject *subject.Subject
	reader  *subject.Reader
	doubt   bool // part of it is unknown, so that no grant is for it
}

// pattern compiles a pattern that allows a.
func (a *asked) pattern(pattern string) (glob.Pattern, error) {
	if err := checkPattern(pattern); err != nil {
		return nil, err
	}
	return a.reader.Pattern(a.subject.Kind, pattern, true)
}

// literal returns what names a alone, and a pattern for that.
func (a *asked) literal(tool string) (key exactly, pattern string, ok bool) {
	name, pattern, ok := a.reader.Alone(a.subject)
	if !ok {
		return key, "", false
	}
	key = exactly{tool: tool, kind: a.subject.Kind, name: name}
	if len(pattern) > glob.MaxPattern { // which no manifest takes, but a session does
		return key, pattern, true
	}
	p, err := a.pattern(pattern)
	return key, pattern, err == nil && p.Must(a.subject.Narrow)
}
