package permission

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
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
//   - Where no rule decides, the default does.
//
// The answer for the call is the strictest over its subjects, the earliest of
// equals. Nothing else counts: no action goes before another, and no rule
// before an earlier one.
//
// A nil policy denies, and a disabled one allows. A policy of Strictest takes
// the strictest answer of its parts.
func (p *Policy) Evaluate(c ToolCall) Decision {
	return p.evaluate(c.Name, func(r *subject.Reader) ([]subject.Subject, error) {
		return r.Read(c.Name, c.Dir, c.Input)
	})
}

// EvaluateSubjects is Evaluate for a call that touches the given subjects,
// each read by its kind. It is for unit tests, and for tools that know better
// what they touch than their input shows. Without any subject the call is
// malformed; so it is with a kind that the tool's arguments do not have.
func (p *Policy) EvaluateSubjects(tool string, subjects ...Subject) Decision {
	return p.evaluate(tool, func(r *subject.Reader) ([]subject.Subject, error) {
		return readSubjects(r, tool, subjects)
	})
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

// DeniesAll reports whether p denies every call of tool, whatever its input,
// so that a host need not offer it to the model.
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

// evaluate answers for the subjects that read finds.
func (p *Policy) evaluate(tool string, read func(*subject.Reader) ([]subject.Subject, error)) Decision {
	if p == nil {
		return Decision{Cause: CauseFault, Detail: "there is no policy"}
	}
	switch p.state {
	case stateDisabled:
		return Decision{Action: Allow, Cause: CauseDisabled}
	case stateRules:
		subjects, err := read(p.reader)
		if err != nil {
			return malformed(err)
		}
		return p.decide(tool, subjects)
	case stateStrictest:
		return strictest(len(p.parts), func(i int) Decision { return p.parts[i].evaluate(tool, read) })
	}
	return Decision{Cause: CauseFault, Detail: "the policy was not compiled"}
}

func (p *Policy) decide(tool string, subjects []subject.Subject) Decision {
	return strictest(len(subjects), func(i int) Decision { return p.judge(tool, &subjects[i]) })
}

// strictest returns the strictest of n decisions, the earliest of equals.
// Nothing is stricter than the first denial, and none of nothing is allowed.
func strictest(n int, decision func(int) Decision) Decision {
	if n == 0 {
		return Decision{Cause: CauseMalformed, Detail: "the call touches nothing that could be judged"}
	}
	worst := decision(0)
	for i := 1; i < n && worst.Action != Deny; i++ {
		if d := decision(i); d.Action < worst.Action {
			worst = d
		}
	}
	return worst
}

// asking returns the subjects of a call that p asks about.
func (p *Policy) asking(tool string, read func(*subject.Reader) ([]subject.Subject, error)) []Subject {
	var all []Subject
	for _, part := range p.parts {
		for _, s := range part.asking(tool, read) {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	if p.state != stateRules {
		return all
	}
	subjects, _ := read(p.reader)
	for i := range subjects {
		d := p.judge(tool, &subjects[i])
		if d.Action == Ask && !slices.Contains(all, d.Subject) {
			all = append(all, d.Subject)
		}
	}
	return all
}

// asks reports whether p says ask anywhere, by a rule or by default.
func (p *Policy) asks() bool {
	return p.state == stateRules && p.fallback == Ask ||
		slices.ContainsFunc(p.rules, func(r Rule) bool { return r.Action == Ask }) ||
		slices.ContainsFunc(p.parts, (*Policy).asks)
}

// judge walks the rules for one subject.
func (p *Policy) judge(tool string, s *subject.Subject) Decision {
	d := Decision{
		Action: p.fallback, Cause: CauseDefault,
		Subject: Subject{Kind(s.Kind), s.Text}, Detail: s.Unknown,
	}
	decides, doubted := p.index.First(tool, s)
	if decides >= 0 {
		d.Action, d.Cause, d.Rule = p.rules[decides].Action, CauseRule, &p.rules[decides]
	}
	if doubted >= 0 && d.Action >= Ask {
		d.Action, d.Cause, d.Rule = Ask, CauseDoubt, &p.rules[doubted]
	}
	return d
}

func malformed(err error) Decision {
	return Decision{Cause: CauseMalformed, Detail: err.Error()}
}

// readSubjects reads subjects that a host has found itself.
func readSubjects(r *subject.Reader, tool string, given []Subject) ([]subject.Subject, error) {
	if err := subject.CheckName(tool); err != nil {
		return nil, err
	}
	var all []subject.Subject
	for _, s := range given {
		if !r.Has(tool, subject.Kind(s.Kind)) {
			return nil, fmt.Errorf("the arguments of tool %q have no %v among them", tool, s.Kind)
		}
		found, err := r.Subjects(subject.Kind(s.Kind), s.Text, "")
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
		subjects, err := p.reader.Subjects(p.reader.MainKind(tool), example, "")
		if err != nil {
			return false, false, err
		}
		m, y := p.matchAlone(rule, subjects)
		must, may = must && m, may || y
	}
	return must, may, nil
}

// matchAlone reports whether rule matches what a call touches: a refusal some
// of it, a permission all of it.
func (p *Policy) matchAlone(rule int, subjects []subject.Subject) (must, may bool) {
	if len(subjects) == 0 {
		return false, false
	}
	allow := p.rules[rule].Action == Allow
	must, may = allow, allow
	for i := range subjects {
		m, y := p.index.Match(rule, &subjects[i])
		if allow {
			must, may = must && m, may && y
		} else {
			must, may = must || m, may || y
		}
	}
	return must, may
}
