package permission

import (
	"slices"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/visible"
)

// Explain tells how Evaluate comes to its answer for c. It takes longer, as it
// tries one rule after the other: it is for people who ask why, not for each
// call. Like Evaluate it knows nothing of links, skills and grants, which a Hook
// looks at besides. The Trace is the caller's own.
func (p *Policy) Explain(c ToolCall) Trace {
	t := p.trace(c)
	told := t.Decision
	switch told.Action {
	case Allow:
		return t
	case Ask:
		told = refuse(told, CauseNoApprover, told.Detail)
	}
	t.Refusal = refusal(c, told) + p.declaration(c, told)
	return t
}

// trace returns all of a Trace but what the model is told.
func (p *Policy) trace(c ToolCall) Trace {
	t := Trace{Tool: c.Name, Decision: p.Evaluate(c)}
	if p == nil {
		return t
	}
	for _, part := range p.parts {
		t.Parts = append(t.Parts, part.trace(c))
	}
	if p.state == stateRules {
		p.explain(&t, c)
	}
	return t
}

// explain adds to t what the rules of p say to the parts of c.
func (p *Policy) explain(t *Trace, c ToolCall) {
	subjects, err := readCall(p.reader, c)
	if err != nil {
		return
	}
	walk := p.index.For(c.Name)
	p.passedOver(t, walk.Rules())
	rulings, decides := p.decideEach(walk, subjects)
	for i := range subjects {
		if i != decides && len(t.Subjects) >= maxTraced {
			t.MoreSubjects++
			continue
		}
		st := p.explainSubject(walk, &subjects[i])
		st.Decision, st.Decides, st.Free = rulings[i].own(), i == decides, subjects[i].Free
		t.Subjects = append(t.Subjects, st)
	}
}

// decideEach answers for each subject by itself, and returns the number of the
// one that the answer for the call rests on; -1 if all go without a rule.
func (p *Policy) decideEach(walk index.Walk, subjects []subject.Subject) (all []Decision, decides int) {
	all, decides = make([]Decision, len(subjects)), -1
	for i := range subjects {
		d, counts := p.decide(walk, &subjects[i])
		switch {
		case !counts:
			d.Action = Allow
		case decides < 0 || d.Action < all[decides].Action:
			decides = i
		}
		all[i] = d
	}
	return all, decides
}

// passedOver adds to t the rules of p that are for other tools: all but mine,
// which are numbers in ascending order.
func (p *Policy) passedOver(t *Trace, mine []int32) {
	for i := range p.rules {
		if len(mine) > 0 && int(mine[0]) == i {
			mine = mine[1:]
			continue
		}
		t.OtherRules++
		if glob := p.rules[i].Tool; len(t.OtherTools) < maxGlobs && !slices.Contains(t.OtherTools, glob) {
			t.OtherTools = append(t.OtherTools, glob)
		}
	}
}

// explainSubject tries the rules of the walk on s, up to the one that decides.
func (p *Policy) explainSubject(walk index.Walk, s *subject.Subject) SubjectTrace {
	var st SubjectTrace
	st.readings(s)
	decides, doubted := walk.First(s)
	for _, i := range walk.Rules() {
		n := int(i)
		if len(st.Rules) < maxTries || n == decides || n == doubted {
			st.Rules = append(st.Rules, p.try(n, s, decides))
		} else {
			st.MoreRules++
		}
		if n == decides {
			break
		}
	}
	return st
}

// readings adds the spellings of s.
func (st *SubjectTrace) readings(s *subject.Subject) {
	left := maxReadings
	add := func(list *[]string, rs []text.Reading) {
		for _, r := range rs {
			shown := show(r)
			switch {
			case slices.Contains(st.Narrow, shown), slices.Contains(st.Wide, shown):
			case left == 0:
				st.MoreReadings++
			default:
				*list = append(*list, shown)
				left--
			}
		}
	}
	add(&st.Narrow, s.Narrow)
	add(&st.Wide, s.Wide)
}

// try tells what becomes of rule i on s. The number of the rule that decides s is
// in decides, or -1.
func (p *Policy) try(i int, s *subject.Subject, decides int) RuleTrace {
	t := RuleTrace{Number: i + 1, Rule: p.rules[i], Outcome: outcomeNone}
	must, may := p.index.Match(i, s)
	switch {
	case i == decides:
		t.Outcome, t.Reading = outcomeMatch, p.reading(i, s, true)
	case must: // and yet does not decide
		t.Outcome = outcomeDefault
	case may:
		t.Outcome, t.Reading = outcomeMay, p.reading(i, s, false)
	case p.rules[i].Action == Allow:
		wide := &subject.Subject{Kind: s.Kind, Narrow: s.Wide}
		if _, may := p.index.Match(i, wide); may {
			t.Outcome, t.Reading = outcomeWide, p.reading(i, wide, false)
		}
	}
	return t
}

// reading returns the first spelling of s that rule i must match, or may.
func (p *Policy) reading(i int, s *subject.Subject, must bool) string {
	all := s.Narrow
	if p.rules[i].Action != Allow {
		all = slices.Concat(s.Narrow, s.Wide)
	}
	for _, r := range all {
		m, y := p.index.Match(i, &subject.Subject{Kind: s.Kind, Narrow: []text.Reading{r}})
		if m || y && !must {
			return show(r)
		}
	}
	return ""
}

// holeName says between ⟨ and ⟩ what may stand in a hole.
func holeName(h text.Hole) string {
	switch h {
	case text.Args:
		return "⟨words⟩"
	case text.Word:
		return "⟨word⟩"
	case text.Name:
		return "⟨name⟩"
	case text.Digits:
		return "⟨digits⟩"
	case text.Number:
		return "⟨number⟩"
	}
	return "⟨anything⟩"
}

// show returns a reading as a pattern would write it, for people.
func show(r text.Reading) string {
	var known, all []byte
	for c, h := range r.Text.All() {
		if h == 0 {
			known = append(known, string(c)...)
			continue
		}
		all = append(all, visible.Short(string(known))...)
		all, known = append(all, holeName(h)...), known[:0]
	}
	shown := string(all) + visible.Short(string(known))
	switch r.Form {
	case text.WriteWhole, text.WriteInside:
		return "> " + shown
	case text.ReadWhole, text.ReadInside:
		return "< " + shown
	case text.Host:
		return "domain:" + shown
	}
	return shown
}
