package permission

import (
	"fmt"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
)

// Evaluate answers for one call. This comment is the specification.
//
// The call is read into subjects: each path, URL, simple command or text that
// it touches. A call that cannot be read is denied, whatever the rules say.
//
// A subject has narrow readings, which name exactly it, and wide ones, which
// it might be taken for besides: other spellings, disguises. A part of it that
// cannot be known is a hole in its readings. For each subject the rules whose
// Tool matches the call's name are walked in their order. Rule.Pattern says what
// a pattern matches.
//
//   - A deny or ask rule that matches some reading, whatever stands in the
//     holes, decides. If it matches only for some of what may stand in them,
//     the answer is at most ask, a doubt, and the walk goes on.
//   - An allow rule that matches some narrow reading, whatever stands in the
//     holes, decides.
//   - Where no rule decides, the default does. A part of a command line that
//     does nothing by itself, such as a cd inside the root before another
//     command, or that another part answers for, such as the tool that npx
//     runs, needs no rule: only deny and ask rules and doubts hold for it, but
//     no rule with the pattern "*", which is as good as a default.
//
// The answer for the call is the strictest over its subjects, the earliest of
// equals. Nothing else counts: no action goes before another, and no rule
// before an earlier one.
//
// A nil policy denies, and a disabled one allows. A policy of Strictest takes
// the strictest answer of its parts.
func (p *Policy) Evaluate(c ToolCall) Decision {
	return p.evaluate(c.Name, func(r *subject.Reader) ([]subject.Subject, error) { return readCall(r, c) }).Decision
}

// EvaluateSubjects is Evaluate for a call that touches the given subjects, each
// read by its kind: a Command may become several, and relative paths start from
// Options.Root. It is for unit tests, and for tools that know better what they
// touch than their input shows. Without any subject the call is malformed; so it
// is with a kind that the tool's arguments do not have, for which none of the
// tool's rules are compiled.
func (p *Policy) EvaluateSubjects(tool string, subjects ...Subject) Decision {
	return p.evaluate(tool, func(r *subject.Reader) ([]subject.Subject, error) {
		return readSubjects(r, ToolCall{Name: tool}, subjects)
	}).Decision
}

// DeniesAll reports whether p denies every call of tool, whatever its input, so
// that a host need not offer it to the model. It may return false where p does:
// rules that only together deny everything escape it. It is true for a nil
// policy.
func (p *Policy) DeniesAll(tool string) bool {
	if p == nil {
		return true
	}
	switch p.state {
	case stateDisabled:
		return false
	case stateRules:
		return p.index.Refuses(tool, func(rule int) bool { return p.rules[rule].Action == Deny }, p.fallback == Deny)
	case stateStrictest:
		for _, part := range p.parts {
			if part.DeniesAll(tool) {
				return true
			}
		}
		return false
	}
	return true
}

// A ruling is a decision and, where that is to ask, what there is to ask.
type ruling struct {
	Decision
	asking []asked // the parts of the call that need an answer
}

// evaluate answers for the subjects that read finds.
func (p *Policy) evaluate(tool string, read func(*subject.Reader) ([]subject.Subject, error)) ruling {
	if p == nil {
		return ruling{Decision: Decision{Cause: CauseFault, Detail: "there is no policy"}}
	}
	var all strictest
	switch p.state {
	case stateDisabled:
		return ruling{Decision: Decision{Action: Allow, Cause: CauseDisabled}}
	case stateRules:
		subjects, err := read(p.reader)
		if err != nil {
			return ruling{Decision: malformed(err)}
		}
		walk := p.index.For(tool)
		for i := 0; i < len(subjects) && !all.final(); i++ {
			if d, counts := p.decide(walk, &subjects[i]); counts {
				all.add(ruling{d, p.asking(d, &subjects[i])})
			}
		}
	case stateStrictest:
		for i := 0; i < len(p.parts) && !all.final(); i++ {
			all.add(p.parts[i].evaluate(tool, read))
		}
	default:
		return ruling{Decision: Decision{Cause: CauseFault, Detail: "the policy was not compiled"}}
	}
	return all.result()
}

// strictest takes the strictest of the rulings that are added to it, the
// earliest of equals. The zero value has none.
type strictest struct {
	worst  ruling
	any    bool    // there was one
	asking []asked // of all of them
}

func (s *strictest) add(r ruling) {
	s.asking = append(s.asking, r.asking...)
	if !s.any || r.Action < s.worst.Action {
		s.worst = r
	}
	s.any = true
}

// final reports whether no further ruling can change the result.
func (s *strictest) final() bool { return s.any && s.worst.Action == Deny }

// result returns the strictest ruling. Where there was none, there was nothing
// to rule on, which is no reason to allow.
func (s *strictest) result() ruling {
	if !s.any {
		return ruling{Decision: Decision{Cause: CauseMalformed, Detail: "the call touches nothing that could be judged"}}
	}
	r := ruling{Decision: s.worst.own()}
	if r.Action == Ask {
		r.asking = s.asking
	}
	return r
}

// own returns d with a copy of its rule. Those of the policy itself never leave
// it, so that nobody can change them.
func (d Decision) own() Decision {
	if d.Rule != nil {
		rule := *d.Rule
		d.Rule = &rule
	}
	return d
}

// asking returns what there is to ask where d, on s, says so.
func (p *Policy) asking(d Decision, s *subject.Subject) []asked {
	if d.Action != Ask {
		return nil
	}
	return []asked{{shown: d.Subject, read: s, reader: p.reader, doubt: d.Cause == CauseDoubt}}
}

// decide walks the rules for one subject. What needs no rule, and has none that
// decides or may match, does not count: it would only hide the rule that allows
// the rest of the call.
func (p *Policy) decide(walk index.Walk, s *subject.Subject) (d Decision, counts bool) {
	d = Decision{
		Action: p.fallback, Cause: CauseDefault,
		Subject: Subject{Kind(s.Kind), s.Text}, Detail: s.Unknown,
	}
	decides, doubted := walk.First(s)
	switch {
	case decides >= 0:
		d.Rule = &p.rules[decides]
		d.Action, d.Cause = d.Rule.Action, CauseRule
	case s.Free && doubted < 0:
		return d, false
	case s.Free:
		d.Action = Allow
	}
	if doubted >= 0 && d.Action >= Ask {
		d.Action, d.Cause, d.Rule = Ask, CauseDoubt, &p.rules[doubted]
	}
	return d, true
}

func malformed(err error) Decision {
	return Decision{Cause: CauseMalformed, Detail: err.Error()}
}

// readCall reads the subjects of a call from its input.
func readCall(r *subject.Reader, c ToolCall) ([]subject.Subject, error) {
	return r.Read(c.Name, c.Dir, c.Input)
}

// readSubjects reads subjects that a host has found itself.
func readSubjects(r *subject.Reader, c ToolCall, given []Subject) ([]subject.Subject, error) {
	if err := subject.CheckName(c.Name); err != nil {
		return nil, err
	}
	var all []subject.Subject
	for _, s := range given {
		if !r.Has(c.Name, subject.Kind(s.Kind)) {
			return nil, fmt.Errorf("the arguments of tool %q have no %v among them", c.Name, s.Kind)
		}
		found, err := r.Subjects(subject.Kind(s.Kind), s.Text, c.Dir)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, subject.Limit(all)
}
