package approve

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

const (
	usualColumns = 80 // where the terminal does not say
	usualRows    = 24 // more than those may begin out of sight
	margin       = 11 // columns before a text
	minText      = 10 // columns of a text at least
)

// A screen is what a prompt shows. Each row of a text that is not the prompt's
// own has something of the prompt's own before it, on a terminal of at least
// that width: a text that the terminal itself would break could write the next
// row as it likes.
type screen struct {
	b     strings.Builder
	width int // columns of a text
}

// show returns all that stands before the question about r, for a terminal of
// that many columns; zero where it is unknown.
func show(r permission.Request, columns int) string {
	if columns <= 0 {
		columns = usualColumns
	}
	s := &screen{width: max(minText, columns-margin-1)} // the last column breaks rows
	s.b.WriteString("\nPermission needed\n")
	s.row("tool", visible.Plain(r.Call.Name))
	s.input(r)
	s.given("session", r.Call.Session)
	s.given("folder", r.Call.Dir)
	s.why(r.Decision)
	for _, subject := range r.Subjects {
		s.row(subject.Kind.String(), visible.Plain(subject.Text))
	}
	s.b.WriteByte('\n')
	s.row("y", "yes, this once")
	if len(r.Always) > 0 {
		s.row("a", "yes, and always in this session:")
	}
	for _, rule := range r.Always {
		s.row("", fmt.Sprintf("%v %s %s", rule.Action, visible.Plain(rule.Tool), visible.Plain(rule.Pattern)))
	}
	s.row("n", "no")
	s.row("n TEXT", "no, and TEXT is told to the agent")
	if rows := strings.Count(s.b.String(), "\n"); rows > usualRows {
		s.row("long", fmt.Sprintf("it begins %d rows above: look at all of them", rows))
	}
	return s.b.String()
}

// why shows why the call asks.
func (s *screen) why(d permission.Decision) {
	switch {
	case d.Rule == nil && d.Cause == permission.CauseDefault:
		s.row("why", "no rule decides it")
	case d.Rule == nil:
		s.row("why", d.Cause.String())
	case d.Cause == permission.CauseDoubt:
		s.row("why", "this rule may be meant for it: "+d.Rule.String())
	default:
		s.row("why", d.Rule.String())
	}
	if d.Rule != nil {
		s.given("reason", d.Rule.Reason)
	}
	s.given("unknown", d.Detail)
}

// given shows a text unless it is empty.
func (s *screen) given(label, text string) {
	if text != "" {
		s.row(label, visible.Plain(text))
	}
}

// row shows a text whole, on as many rows as it takes.
func (s *screen) row(label, text string) {
	fmt.Fprintf(&s.b, "  %-7s  ", label)
	column := 0
	for _, r := range visible.Text(text) {
		wide := 1
		if r > unicode.MaxASCII {
			wide = 2 // or less
		}
		if column += wide; column > s.width {
			s.b.WriteString("\n        |  ")
			column = wide
		}
		s.b.WriteRune(r)
	}
	s.b.WriteByte('\n')
}
