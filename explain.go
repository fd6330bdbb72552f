package permission

import (
	"slices"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Trace bounds what it holds: a policy may have a hundred thousand rules, and
// a call thousands of parts.
const (
	maxTraced   = 64 // parts of a call
	maxTries    = 64 // rules for each part, beside those that its answer rests on
	maxReadings = 16 // spellings of each part
	maxGlobs    = 8  // tools that other rules are for
)

// A Trace tells how a policy comes to its answer for one call. It is for people
// to read, see Trace.String, and for programs that show it: its JSON form is
// stable, unknown members may be added.
type Trace struct {
	Tool     string   `json:"tool"`     // ToolCall.Name
	Decision Decision `json:"decision"` // what Evaluate returns for the call
	// Subjects are the parts of the call, each with its own answer. There are
	// none where the call cannot be read or there are no rules to put it to.
	Subjects     []SubjectTrace `json:"subjects,omitempty"`
	MoreSubjects int            `json:"more_subjects,omitempty"` // how many are left out: a call may have thousands
	OtherRules   int            `json:"other_rules,omitempty"`   // how many rules are for other tools, and were not tried
	// OtherTools are the first few tools that OtherRules are for: a rule for
	// bash is none for Bash.
	OtherTools []string `json:"other_tools,omitempty"`
	// Parts are the policies of Strictest, each with its own answer; nil for any
	// other policy.
	Parts []Trace `json:"parts,omitempty"`
	// Refusal is what the model is told if the call is refused: at once for
	// deny, for ask where nobody can be asked. It is empty for allow.
	Refusal string `json:"refusal,omitempty"`
}

// A SubjectTrace tells how a policy answers for one part of a call.
type SubjectTrace struct {
	// Decision is the answer for this part by itself.
	Decision Decision `json:"decision"`
	Decides  bool     `json:"decides,omitempty"` // the answer for the call rests on it
	// Free says that the part needs no rule: it is allowed if no rule speaks of
	// it, as a cd inside the root beside another command.
	Free bool `json:"free,omitempty"`
	// Narrow are the spellings that name exactly the part, as a pattern would
	// write them. They are escaped and shortened, and a hole in them says
	// between ⟨ and ⟩ what may stand there.
	Narrow []string `json:"narrow,omitempty"`
	// Wide are the spellings of what the part might be taken for besides. Deny
	// and ask rules are tried on them too.
	Wide         []string `json:"wide,omitempty"`
	MoreReadings int      `json:"more_readings,omitempty"` // how many spellings are left out
	// Rules are those for the tool that were tried, in their order, up to the
	// one that decides.
	Rules     []RuleTrace `json:"rules,omitempty"`
	MoreRules int         `json:"more_rules,omitempty"` // how many are left out: the answer rests on none of them
}

// A RuleTrace tells what became of one rule.
type RuleTrace struct {
	Number int  `json:"number"` // from 1, in the order of the policy
	Rule   Rule `json:"rule"`   // a copy
	// Outcome is one word:
	//
	//	match       it decides
	//	may_match   only for some of what may stand in a hole: a deny or ask
	//	            rule makes that an ask, and the walk goes on
	//	wide        an allow rule that matches only what the part might be taken
	//	            for, which is not enough
	//	default     it is for everything, and so as good as a default, which a
	//	            part that needs no rule passes over
	//	no_match    it is not for this part
	Outcome string `json:"outcome"`
	// Reading is the first spelling that it matched; empty where there is none.
	Reading string `json:"reading,omitempty"`
}

// The outcomes of a rule, as in RuleTrace.Outcome.
const (
	outcomeMatch   = "match"
	outcomeMay     = "may_match"
	outcomeWide    = "wide"
	outcomeDefault = "default"
	outcomeNone    = "no_match"
)

// Explain tells how Evaluate comes to its answer for c. It takes longer, as it
// tries one rule after the other: it is for people who ask why, not for each
// call. Like Evaluate it knows nothing of links, skills and grants, which a Hook
// looks at besides. The rules that its
// decisions point to belong to the policy; all else is the caller's own.
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
	found := false
	for i := range subjects {
		d, counts := p.judge(walk, &subjects[i])
		decides := counts && !found && d == t.Decision
		if !decides && len(t.Subjects) >= maxTraced {
			t.MoreSubjects++
			continue
		}
		found = found || decides
		st := p.explainSubject(walk, &subjects[i])
		st.Decision, st.Decides, st.Free = d, decides, subjects[i].Free
		if !counts {
			st.Decision.Action = Allow
		}
		t.Subjects = append(t.Subjects, st)
	}
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
	case p.actions[i] == Allow:
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
	if p.actions[i] != Allow {
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
