package permission

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Hook is the built-in PreToolCall hook of a runtime. The runtime calls
// [Hook.PreToolCall] for each tool call before any hook of the user's, and
// again if one of them has rewritten the input.
//
// If the user's hook rewrites a call that was approved and the new one asks
// too, the approver is asked again: it agreed to something else.
//
// A Hook is safe for concurrent use. A nil Hook and the zero value refuse every
// call; make one with [NewHook].
type Hook struct {
	policy   atomic.Pointer[Policy]
	options  HookOptions
	sessions sessions
}

// HookOptions say what a Hook does beside the policy. Nil and the zero value
// are ready to use for a policy that never asks. NewHook copies them.
type HookOptions struct {
	// Approver answers asks. It may be nil where none is written, or where
	// RefuseAsks is set.
	Approver Approver
	// RefuseAsks says that without an Approver asks are refused: nobody is
	// there to answer. It is not looked at where there is an Approver.
	RefuseAsks bool
	// Timeout bounds the wait for an answer; the shorter of it and the
	// policy's ask_timeout counts. Zero or less is no bound.
	Timeout time.Duration
	// Resolve follows the links in an absolute path, for rules to be matched
	// with the file that it leads to as well; the stricter answer counts. A
	// directory that a call changes to is followed, too: one out of the root needs
	// a rule. It is called from many goroutines at once. An error refuses the call, and is not
	// told: it might hold the path. Nil means that a path is judged as it is
	// written; [ResolveSymlinks] is for files of this machine.
	Resolve func(path string) (string, error)
	// Refusal returns the content of the tool result for a refused call. It is
	// handed the text that is used where it is nil, panics or returns nothing
	// but blanks: what was refused, why, and what to do next. It is called from
	// many goroutines at once and does not change its arguments.
	Refusal func(c ToolCall, d Decision, text string) string
	// OnDecision is told of every call that PreToolCall and Authorize have
	// decided, before it runs, from many goroutines at once. If it panics the
	// call is refused: what cannot be recorded does not run.
	OnDecision func(context.Context, Record)
}

// A Verdict says what to do with a call. The zero value refuses.
type Verdict struct {
	// Proceed says to run Call. If it is false, put Result into the history
	// and go on with the turn.
	Proceed bool
	// Call is the call that was judged, with an Input of its own. Run this
	// one, whatever has become of the one that was handed in.
	Call ToolCall
	// Result is the error result of a refused call.
	Result ToolResult
	// Decision says why.
	Decision Decision
}

// NewHook returns a hook that decides by p. It fails for a nil policy, and for
// one that asks, by a rule or by default, where o has no Approver and does not
// say RefuseAsks. A nil o is the zero HookOptions.
func NewHook(p *Policy, o *HookOptions) (*Hook, error) {
	h := new(Hook)
	if o != nil {
		h.options = *o
	}
	if err := h.Swap(p); err != nil {
		return nil, err
	}
	return h, nil
}

// Swap puts p in the place of the hook's policy, as after a manifest was
// edited. Each call sees one of the two whole; one that waits for an answer is
// refused if p denies it. If Swap fails, for the reasons of NewHook or because
// a policy that decides would go for one that is disabled, the old one stays.
func (h *Hook) Swap(p *Policy) error {
	switch {
	case h == nil:
		return errors.New("permission: Swap of a nil hook")
	case p == nil:
		return errors.New("permission: a hook needs a policy")
	case !p.Enabled() && h.policy.Load() != nil && h.policy.Load().Enabled():
		return errors.New("permission: a policy that decides is not swapped for a disabled one: if its manifest was not emptied by mistake, make a new hook")
	}
	if h.options.Approver == nil && !h.options.RefuseAsks && p.asks() {
		return errors.New("permission: the policy asks and there is no approver: set HookOptions.Approver, or RefuseAsks to refuse what asks")
	}
	h.policy.Store(p)
	return nil
}

// PreToolCall decides one call, which takes as long as the approver does where
// the policy says ask. It never returns an error and never panics: every fault
// is a refusal. So is a context that has ended.
func (h *Hook) PreToolCall(ctx context.Context, c ToolCall) Verdict {
	return h.settle(ctx, c, inquiry{read: readCall, byInput: true})
}

// Authorize is PreToolCall for a tool that asks in the middle of its work,
// about subjects that it names itself. The call's Name is then that of the
// permission, which rules name as their tool; its Input is shown to the
// approver and not read. The patterns of always are what the answer [Always]
// allows from then on, in place of the subjects themselves.
func (h *Hook) Authorize(ctx context.Context, c ToolCall, subjects []Subject, always []string) Verdict {
	subjects = slices.Clone(subjects)
	return h.settle(ctx, c, inquiry{
		read: func(r *subject.Reader, c ToolCall) ([]subject.Subject, error) {
			if len(c.Input) > 0 && !json.Valid(c.Input) {
				return nil, errors.New("the input is not JSON")
			}
			return readSubjects(r, c, subjects)
		},
		always: slices.Clone(always),
	})
}

// Evaluate decides one call by the policy, the links in its paths and the skills
// that run in ctx, and may return [Ask]: it asks nobody, knows nothing of what a
// session has been granted and does not tell OnDecision. It is for runtimes with
// a dialog of their own, which then have to keep the rules that PreToolCall
// keeps. It never panics: every fault is a refusal, and so is a context that has
// ended.
func (h *Hook) Evaluate(ctx context.Context, c ToolCall) Decision {
	return guard(func() Decision {
		if ctx.Err() != nil {
			return Decision{Cause: CauseCanceled}
		}
		return h.evaluate(ctx, h.current(), c, inquiry{read: readCall}).Decision
	})
}

// EndSession ends a session: what it has been granted is forgotten, and its
// calls that wait for an answer are refused. It does nothing for the empty name:
// calls without a session do not make up one.
func (h *Hook) EndSession(session string) {
	if h != nil {
		h.sessions.forget(session)
	}
}

// An inquiry is how a call is put to the hook, by PreToolCall or Authorize.
type inquiry struct {
	read   func(*subject.Reader, ToolCall) ([]subject.Subject, error) // finds what it touches
	always []string                                                   // the patterns that its tool proposes
	// byInput says that the input is what is read, which a declaration of the
	// tool may help with.
	byInput bool
}

// evaluate returns what p, and then the skills that run in ctx, say to a call.
func (h *Hook) evaluate(ctx context.Context, p *Policy, c ToolCall, q inquiry) ruling {
	find := func(r *subject.Reader) ([]subject.Subject, error) {
		subjects, err := q.read(r, c)
		if err != nil || h == nil || h.options.Resolve == nil {
			return subjects, err
		}
		return r.Resolve(subjects, h.options.Resolve)
	}
	ruled := p.evaluate(c.Name, find)
	if ruled.Action == Deny {
		return ruled
	}
	if d, refused := skillsIn(ctx).refuse(c.Name, find); refused {
		return ruling{Decision: d}
	}
	return ruled
}

// settle decides a call and reports it.
func (h *Hook) settle(ctx context.Context, c ToolCall, q inquiry) Verdict {
	began := time.Now()
	c.Input = bytes.Clone(c.Input)
	t := trial{hook: h, policy: h.current()}
	d := guard(func() Decision { return t.decide(ctx, c, q) })
	d = guard(func() Decision {
		if h != nil && h.options.OnDecision != nil {
			h.options.OnDecision(ctx, Record{
				Time: began, CallID: c.ID, Session: c.Session, Tool: c.Name,
				Decision: d, Asked: t.asked, PolicyHash: t.policy.Hash(), Duration: time.Since(began),
			})
		}
		return d
	})
	if d.Action == Allow {
		return Verdict{Proceed: true, Call: c, Decision: d}
	}
	d.Action = Deny
	return Verdict{
		Call: c, Decision: d,
		Result: ToolResult{CallID: c.ID, Content: h.refusal(t.policy, q, c, d), IsError: true},
	}
}

// maxRounds is how often a call is put to the approver. It is put once more only
// where the policy or a link has changed while the approver thought.
const maxRounds = 4

// A trial is what a hook goes through with one call.
type trial struct {
	hook   *Hook
	policy *Policy // that has judged last
	asked  bool    // the policy has said ask
	agreed []shown // what the approver has said yes to
}

// shown is a part of a call that the approver was asked about, and whether it
// was told of a doubt.
type shown struct {
	Subject
	doubt bool
}

// decide asks the policy and, if that says so, the approver. While somebody
// thinks, the policy may be swapped and a link may come to lead elsewhere. So
// the call is judged again behind a yes, which holds for no more than what was
// shown.
func (t *trial) decide(ctx context.Context, c ToolCall, q inquiry) Decision {
	var yes Decision
	for range maxRounds {
		t.policy = t.hook.current()
		ruled := t.hook.evaluate(ctx, t.policy, c, q)
		switch {
		case ruled.Action == Deny:
			return ruled.Decision
		case ctx.Err() != nil:
			return refuse(ruled.Decision, CauseCanceled, "")
		case ruled.Action == Allow && !t.asked:
			return ruled.Decision
		case ruled.Action == Allow, t.asked && t.hasAgreed(ruled.asking):
			return yes
		}
		t.asked = true
		if yes = t.hook.ask(ctx, t.policy, c, ruled, q.always); yes.Action != Allow {
			return yes
		}
		for _, a := range ruled.asking {
			t.agreed = append(t.agreed, shown{a.shown, a.doubt})
		}
	}
	return Decision{Cause: CauseFault, Detail: "what the call needs approval for changes all the time"}
}

// hasAgreed reports whether the approver has said yes to all of it. Who has
// agreed to a part in doubt has agreed to it without one, too.
func (t *trial) hasAgreed(asking []asked) bool {
	return !slices.ContainsFunc(asking, func(a asked) bool {
		return !slices.Contains(t.agreed, shown{a.shown, a.doubt}) && !slices.Contains(t.agreed, shown{a.shown, true})
	})
}

// Policy returns the policy of the hook as of now: the last that Swap took. It is
// nil for a hook that was not made.
func (h *Hook) Policy() *Policy { return h.current() }

func (h *Hook) current() *Policy {
	if h == nil {
		return nil
	}
	return h.policy.Load()
}

// refusal returns the content of a refused call's result, for a call that p
// has judged.
func (h *Hook) refusal(p *Policy, q inquiry, c ToolCall, d Decision) (content string) {
	text := refusal(c, d)
	defer func() {
		if recover() != nil || strings.TrimSpace(content) == "" { // the Messages API takes no result of blanks
			content = text
		}
	}()
	if q.byInput {
		text += p.declaration(c, d)
	}
	if h != nil && h.options.Refusal != nil {
		return h.options.Refusal(c, d, text)
	}
	return text
}

// guard returns what decide returns, and a refusal if it panics.
func guard(decide func() Decision) (d Decision) {
	defer func() {
		if v := recover(); v != nil {
			d = Decision{Cause: CauseFault, Detail: "panic: " + visible.Panic(v)}
		}
	}()
	return decide()
}
