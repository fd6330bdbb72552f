package permission

import (
	"fmt"
	"strconv"
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
	if d.Rule != nil && d.Rule.Reason != "" {
		s += " Reason: " + strings.TrimSuffix(d.Rule.Reason, ".") + "."
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
	const other = "Take another way, or tell the user what you need and why."
	switch d.Cause {
	case CauseRule:
		return d.Rule.says(), other
	case CauseDefault:
		if d.Doubt != "" {
			return "No rule allows it, and it could not be read: " + d.Doubt, "Write it plainly, or tell the user what you need and why."
		}
		return "No rule allows it", other
	case CauseDoubt:
		return d.inDoubt(), "Write it plainly."
	case CauseMalformed:
		return "The call cannot be read: " + d.Doubt, "Correct the input and call again."
	case CauseRejected:
		if d.Doubt != "" {
			return "The user refused it and says: " + d.Doubt, "Do as the user says."
		}
		return "The user refused it", other
	case CauseTimeout:
		return "It needs approval, and nobody answered in time, which is not a consent", other
	case CauseCanceled:
		return "The call was cancelled", "Nothing was decided about it."
	case CauseNoApprover:
		return d.needs() + ", and no approver is attached", other
	case CauseApproverFailed:
		return "It needs approval, and the approver failed: " + d.Doubt, other
	}
	return "The permission layer failed: " + d.Doubt, "Tell the user."
}

// needs says what it is that wants approval.
func (d *Decision) needs() string {
	switch {
	case d.Rule == nil:
		return "It needs approval, as whatever no rule decides"
	case d.Doubt != "":
		return d.inDoubt()
	}
	return d.Rule.name() + " wants approval for it"
}

func (d *Decision) inDoubt() string {
	return fmt.Sprintf("It could not be read: %s. %s may be meant for it", d.Doubt, d.Rule.name())
}

// says tells what a rule decided.
func (r *Rule) says() string { return fmt.Sprintf("%s says %v", r.name(), r.Action) }

// name names a rule by its pattern and its place.
func (r *Rule) name() string {
	s := "The rule " + strconv.Quote(r.Tool) + " " + strconv.Quote(r.Pattern)
	if where := r.where(); where != "" {
		s += " (" + where + ")"
	}
	return s
}

// where returns the place of a rule as file:line, as far as it is known.
func (r *Rule) where() string {
	if r.Line == 0 {
		return r.File
	}
	return r.File + ":" + strconv.Itoa(r.Line)
}
