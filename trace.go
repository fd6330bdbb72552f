package permission

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/insomnia-run/permission/internal/visible"
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
