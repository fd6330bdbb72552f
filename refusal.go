package permission

import (
	"fmt"
	"strings"

	"github.com/insomnia-run/permission/internal/visible"
)

// refusal tells the model that a call was refused, why, and what to do next.
func refusal(c ToolCall, d Decision) string {
	what := "The call of tool " + visible.Quote(c.Name)
	if d.Subject.Text != "" {
		what = visible.Quote(c.Name) + " " + visible.Quote(d.Subject.Text)
	}
	why, next := d.why()
	s := fmt.Sprintf("Permission denied: %s was not run. %s.", what, why)
	if d.Rule != nil && d.Rule.Reason != "" && d.isRules() {
		// A project's file may say what it likes, but not to the terminal.
		reason := strings.Join(strings.FieldsFunc(d.Rule.Reason, isLineEnd), " ")
		s += " Reason: " + visible.Text(strings.TrimSuffix(reason, ".")) + "."
	}
	return s + " " + next
}

// declaration returns the [[permissions.tool]] entry that would let rules read
// the arguments of a tool that nobody has declared, where that may be what the
// call lacks.
func (p *Policy) declaration(c ToolCall, d Decision) string {
	if p == nil || d.Cause != CauseDefault && d.Cause != CauseNoApprover {
		return ""
	}
	for _, part := range p.parts {
		if s := part.declaration(c, d); s != "" {
			return s
		}
	}
	if p.reader == nil {
		return ""
	}
	kind, arguments, ok := p.reader.Undeclared(c.Name, c.Input)
	if !ok {
		return ""
	}
	for i, a := range arguments {
		arguments[i] = visible.Quote(a)
	}
	return fmt.Sprintf("\nThe tool is not declared, so each of its arguments has to be allowed by itself. "+
		"Its operator can say which ones count:\n[[permissions.tool]]\nname = %s\nkind = %q\narguments = [%s]",
		visible.Quote(c.Name), kind, strings.Join(arguments, ", "))
}

// why says why a call was refused, and what its author can do.
func (d *Decision) why() (why, next string) {
	const (
		other   = "Take another way, or tell the user what you need and why."
		plainly = "Write it plainly, or tell the user what you need and why."
	)
	switch d.Cause {
	case CauseRule:
		return fmt.Sprintf("The %v says %v", d.Rule.place(), d.Rule.Action), other
	case CauseDefault:
		if d.Detail != "" {
			return "No rule allows it, and it could not be read: " + d.Detail, plainly
		}
		return "No rule allows it", other
	case CauseMalformed:
		return "The call cannot be read: " + d.Detail, "Correct the input and call again."
	case CauseSkill:
		return d.Detail, other
	case CauseRejected:
		if d.Detail != "" {
			return "The user refused it and says: " + d.Detail, "Do as the user says."
		}
		return "The user refused it", other
	case CauseTimeout:
		return d.needs() + ", and nobody answered in time, which is no consent", other
	case CauseCanceled:
		return "The call was cancelled", "Nothing was decided about it."
	case CauseClosed:
		return d.needs() + ", and " + d.Detail, other
	case CauseNoApprover:
		if d.Detail != "" {
			return d.needs() + ". It needs approval, and no approver is attached", plainly
		}
		return d.needs() + ", and no approver is attached", other
	case CauseApproverFailed:
		return d.needs() + ", and the approver failed: " + d.Detail, other
	}
	return "The permission layer failed: " + d.Detail, "Tell the user."
}

// isRules reports whether a refusal is for the reason that its rule gives: not
// where the rule only may be meant, nor where something else went wrong.
func (d *Decision) isRules() bool {
	switch d.Cause {
	case CauseRule:
		return true
	case CauseNoApprover:
		return d.Detail == ""
	case CauseTimeout, CauseClosed, CauseApproverFailed:
		return d.Rule.Action == Ask
	}
	return false
}

// needs says what it is that wants approval.
func (d *Decision) needs() string {
	unread := d.Cause == CauseNoApprover && d.Detail != ""
	switch {
	case d.Rule == nil && unread:
		return "It could not be read: " + d.Detail
	case d.Rule == nil:
		return "It needs approval, as whatever no rule decides"
	case unread:
		return d.inDoubt()
	case d.Rule.Action != Ask:
		return "It needs approval, as the " + d.Rule.place() + " may be meant for it"
	}
	return "The " + d.Rule.place() + " wants approval"
}

func (d *Decision) inDoubt() string {
	return fmt.Sprintf("It could not be read: %s. The %s may be meant for it", d.Detail, d.Rule.place())
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }
