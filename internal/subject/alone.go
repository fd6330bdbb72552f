package subject

import (
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// Alone returns a name that s shares with no other subject that rules can tell
// from it, and the pattern that allows just that. There is none where part of s
// is unknown. A name may be longer than patterns can be.
//
// It tells commands apart that differ in their quotes, which the pattern does
// not: rm "a b" is not rm a b.
func (r *Reader) Alone(s *Subject) (name, pattern string, ok bool) {
	for _, reading := range s.Narrow {
		mark := ""
		switch reading.Form {
		case text.Whole:
		case text.WriteWhole:
			mark = "> "
		case text.ReadWhole:
			mark = "< "
		default:
			continue
		}
		whole, known := reading.Text.Known()
		if !known {
			return "", "", false
		}
		if name = mark + whole; s.Kind == Command && mark == "" && whole != s.Text {
			name += "\x00" + s.Text
		}
		return name, mark + r.quote(s.Kind, whole), true
	}
	return "", "", false
}

// quote returns a pattern for name. Where "\" separates, a class stands for
// what it would escape.
func (r *Reader) quote(k Kind, name string) string {
	if k != Path || !r.paths.windows {
		return glob.Quote(name)
	}
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]", "}", "[}]").Replace(name)
}
