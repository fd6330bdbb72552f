package permission

import (
	"fmt"
	"strconv"
	"strings"

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

// String returns t for a person to read: the answer, then each part of the call
// with its own answer, how it was read and what became of each rule, and what
// the model is told. It ends in a line end. What the model wrote is shortened
// and escaped.
func (t Trace) String() string {
	var b strings.Builder
	t.write(&b, "")
	if t.Refusal != "" {
		b.WriteString("\nWhat the model is told")
		if t.Decision.Action == Ask {
			b.WriteString(" where nobody can be asked")
		}
		b.WriteString(":\n")
		writeLines(&b, "    ", t.Refusal)
	}
	return b.String()
}

// write writes all of t but what the model is told.
func (t *Trace) write(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%v\n", indent, t.Decision)
	if t.Decision.Cause == CauseDisabled {
		fmt.Fprintf(b, "%sThere is no [permissions] table, so every call runs.\n", indent)
	}
	for i := range t.Parts {
		fmt.Fprintf(b, "\n%sPolicy %d of %d:\n", indent, i+1, len(t.Parts))
		t.Parts[i].write(b, indent+"    ")
	}
	for i := range t.Subjects {
		b.WriteString("\n")
		t.Subjects[i].write(b, indent, len(t.Subjects) > 1)
	}
	if t.MoreSubjects > 0 {
		fmt.Fprintf(b, "\n%sand %d more parts\n", indent, t.MoreSubjects)
	}
	if t.OtherRules == 0 {
		return
	}
	tools := make([]string, len(t.OtherTools))
	for i, glob := range t.OtherTools {
		tools[i] = visible.Short(glob)
	}
	if len(tools) == maxGlobs {
		tools = append(tools, "...")
	}
	fmt.Fprintf(b, "\n%s%s for other tools: %s\n", indent, counted(t.OtherRules, "rule"), strings.Join(tools, ", "))
}

// write writes a part of a call, of several or the only one.
func (st *SubjectTrace) write(b *strings.Builder, indent string, several bool) {
	s := st.Decision.Subject
	fmt.Fprintf(b, "%s%v %s\n", indent, s.Kind, visible.Quote(s.Text))
	indent += "    "
	fmt.Fprintf(b, "%s%v: %s", indent, st.Decision.Action, st.why())
	if several && st.Decides {
		b.WriteString(" (the answer for the call)")
	}
	b.WriteString("\n")
	if st.Decision.Detail != "" {
		fmt.Fprintf(b, "%sunknown: %s\n", indent, visible.Short(st.Decision.Detail))
	}
	if len(st.Narrow) > 1 || len(st.Narrow) == 1 && st.Narrow[0] != s.Text {
		fmt.Fprintf(b, "%sread as: %s\n", indent, strings.Join(st.Narrow, "  or  "))
	}
	if len(st.Wide) > 0 {
		fmt.Fprintf(b, "%sto deny and ask also: %s\n", indent, strings.Join(st.Wide, "  or  "))
	}
	if st.MoreReadings > 0 {
		fmt.Fprintf(b, "%sand %d more ways to read it\n", indent, st.MoreReadings)
	}
	for i := range st.Rules {
		st.Rules[i].write(b, indent, s.Text)
	}
	if st.MoreRules > 0 {
		fmt.Fprintf(b, "%sand %d more that did not decide\n", indent, st.MoreRules)
	}
}

// why says what the answer for a part rests on.
func (st *SubjectTrace) why() string {
	switch d := &st.Decision; {
	case d.Cause == CauseRule:
		return fmt.Sprintf("rule %d says so", st.number(outcomeMatch))
	case d.Cause == CauseDoubt:
		return fmt.Sprintf("rule %d may be meant for it", st.number(outcomeMay))
	case st.Free:
		return "it needs no rule, and none speaks of it"
	}
	return "the default, as no rule decides"
}

// number returns the number of the rule that the answer names, which is among
// those with that outcome.
func (st *SubjectTrace) number(outcome string) int {
	for i := range st.Rules {
		if r := &st.Rules[i]; r.Outcome == outcome && r.Rule == *st.Decision.Rule {
			return r.Number
		}
	}
	return 0
}

// write writes what became of a rule on a part with that text.
func (r *RuleTrace) write(b *strings.Builder, indent, subject string) {
	fmt.Fprintf(b, "%s%4d  %-9s  %v%s\n", indent, r.Number, strings.ReplaceAll(r.Outcome, "_", " "), r.Rule, r.note(subject))
}

// note says what the word for the outcome does not.
func (r *RuleTrace) note(subject string) string {
	as := ""
	if r.Reading != "" && r.Reading != subject {
		as = ": as " + r.Reading
	}
	switch r.Outcome {
	case outcomeMatch:
		return as
	case outcomeMay:
		if r.Rule.Action == Allow {
			return as + ": but not whatever stands there, as an allow has to"
		}
		return as + ": so the answer is ask at most"
	case outcomeWide:
		return as + ": which does not do for an allow"
	case outcomeDefault:
		return ": for everything, which a part that needs no rule does not hear"
	}
	return ""
}

// counted returns a number of things, of which what is the word for one.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// writeLines writes s with indent before each line.
func writeLines(b *strings.Builder, indent, s string) {
	for line := range strings.Lines(s) {
		b.WriteString(indent + line)
	}
	b.WriteString("\n")
}
