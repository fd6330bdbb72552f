package permission

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
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
// tool matches the call's name are walked in their order:
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

// EvaluateSubjects is Evaluate for a call that touches the given subjects,
// each read by its kind. It is for unit tests, and for tools that know better
// what they touch than their input shows. Without any subject the call is
// malformed; so it is with a kind that the tool's arguments do not have.
func (p *Policy) EvaluateSubjects(tool string, subjects ...Subject) Decision {
	return p.evaluate(tool, func(r *subject.Reader) ([]subject.Subject, error) {
		return readSubjects(r, ToolCall{Name: tool}, subjects)
	}).Decision
}

// Input returns the input of a call of tool whose main argument is text, as
// `{"command":"ls"}` for bash and ls. It is for unit tests and command lines.
// It fails for a tool whose arguments are not known.
func (p *Policy) Input(tool, text string) (json.RawMessage, error) {
	if p != nil && p.reader != nil {
		if name, ok := p.reader.MainArgument(tool); ok {
			return json.Marshal(map[string]string{name: text})
		}
	}
	return nil, fmt.Errorf("the arguments of tool %q are not known: write its input as JSON", tool)
}

// DeniesAll returns true only if p denies every call of tool, whatever its
// input, so that a host need not offer it to the model. It looks at one rule
// after the other, so rules that deny everything between them may escape it.
func (p *Policy) DeniesAll(tool string) bool {
	if p == nil {
		return true
	}
	switch p.state {
	case stateDisabled:
		return false
	case stateRules:
		return p.index.Refuses(tool, func(rule int) bool { return p.actions[rule] == Deny }, p.fallback == Deny)
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

// A judgement is a decision and, where that is to ask, what there is to ask.
type judgement struct {
	Decision
	asking []asked // the parts of the call that need an answer
}

// evaluate answers for the subjects that read finds.
func (p *Policy) evaluate(tool string, read func(*subject.Reader) ([]subject.Subject, error)) judgement {
	if p == nil {
		return judgement{Decision: Decision{Cause: CauseFault, Detail: "there is no policy"}}
	}
	var j judging
	switch p.state {
	case stateDisabled:
		return judgement{Decision: Decision{Action: Allow, Cause: CauseDisabled}}
	case stateRules:
		subjects, err := read(p.reader)
		if err != nil {
			return judgement{Decision: malformed(err)}
		}
		walk := p.index.For(tool)
		for i := 0; i < len(subjects) && !j.over(); i++ {
			if d, counts := p.judge(walk, &subjects[i]); counts {
				j.add(p.judgement(d, &subjects[i]))
			}
		}
	case stateStrictest:
		for i := 0; i < len(p.parts) && !j.over(); i++ {
			j.add(p.parts[i].evaluate(tool, read))
		}
	default:
		return judgement{Decision: Decision{Cause: CauseFault, Detail: "the policy was not compiled"}}
	}
	return j.result()
}

// judging takes the strictest of several judgements, the earliest of equals.
type judging struct {
	worst  judgement
	any    bool
	asking []asked
}

func (j *judging) add(one judgement) {
	j.asking = append(j.asking, one.asking...)
	if !j.any || one.Action < j.worst.Action {
		j.worst = one
	}
	j.any = true
}

// over reports whether nothing can be stricter.
func (j *judging) over() bool { return j.any && j.worst.Action == Deny }

// result returns what was taken. None of nothing is allowed.
func (j *judging) result() judgement {
	if !j.any {
		return judgement{Decision: Decision{Cause: CauseMalformed, Detail: "the call touches nothing that could be judged"}}
	}
	j.worst.asking = nil
	if j.worst.Action == Ask {
		j.worst.asking = j.asking
	}
	return j.worst
}

// judgement returns d, on s, with what there is to ask.
func (p *Policy) judgement(d Decision, s *subject.Subject) judgement {
	j := judgement{Decision: d}
	if d.Action == Ask {
		j.asking = []asked{{Subject: d.Subject, subject: s, reader: p.reader, doubt: d.Cause == CauseDoubt}}
	}
	return j
}

// asks reports whether p says ask anywhere, by a rule or by default.
func (p *Policy) asks() bool {
	return p.state == stateRules && p.fallback == Ask ||
		slices.ContainsFunc(p.rules, func(r Rule) bool { return r.Action == Ask }) ||
		slices.ContainsFunc(p.parts, (*Policy).asks)
}

// judge walks the rules for one subject. What needs no rule and has none does
// not count: it would only stand before the rule that allows the rest.
func (p *Policy) judge(walk index.Walk, s *subject.Subject) (d Decision, counts bool) {
	d = Decision{
		Action: p.fallback, Cause: CauseDefault,
		Subject: Subject{Kind(s.Kind), s.Text}, Detail: s.Unknown,
	}
	decides, doubted := walk.First(s)
	switch {
	case decides >= 0:
		d.Action, d.Cause, d.Rule = p.actions[decides], CauseRule, &p.rules[decides]
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

// matchExample reports whether rule, by itself, decides an example of its
// tool's calls: whether it must, for every tool that it is for, and whether it
// may, for any.
func (p *Policy) matchExample(rule int, example string) (must, may bool, err error) {
	tools, err := glob.Expand(p.rules[rule].Tool)
	if err != nil {
		return false, false, err
	}
	must = true
	for _, tool := range tools {
		m, y, err := p.matchFor(tool, rule, example)
		if err != nil {
			return false, false, err
		}
		must, may = must && m, may || y
	}
	return must, may, nil
}

// matchFor is matchExample for one of the tools that the rule names.
func (p *Policy) matchFor(tool string, rule int, example string) (must, may bool, err error) {
	subjects, err := p.reader.Example(tool, example)
	if err != nil {
		return false, false, err
	}
	must, may = p.matchAlone(rule, subjects)
	return must, may, nil
}

// matchAlone reports whether rule matches some of what a call touches.
func (p *Policy) matchAlone(rule int, subjects []subject.Subject) (must, may bool) {
	for i := range subjects {
		m, y := p.index.Match(rule, &subjects[i])
		must, may = must || m, may || y
	}
	return must, may
}
