// Package subject turns the JSON input of a tool call into its subjects: the
// things that the call touches, each with the readings in which patterns may
// find it. It also compiles patterns for each kind of subject, so that one
// place knows how a path or a URL is spelt on both sides.
package subject

import (
	"fmt"
	"slices"

	"github.com/insomnia-run/permission/internal/text"
)

// A Kind says how a text is read. The values are those of permission.Kind.
type Kind uint8

const (
	Text Kind = iota
	Command
	Path
	URL
	Patch // read into Paths, so that no subject is one

	kinds // how many there are
)

var kindNames = [kinds]string{"text", "command", "path", "url", "patch"}

func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Subject is one thing that a call touches. It is not changed once it is read,
// so copies may share its readings.
type Subject struct {
	Kind Kind   // Text, Command, Path or URL
	Text string // for people: the plainest spelling that is known
	// Narrow readings name exactly the subject, Wide ones are what it might
	// be taken for besides. An allow rule is matched with the narrow ones
	// only.
	Narrow, Wide []text.Reading
	// Unknown says what could not be read, where a reading has a hole.
	Unknown string

	// Free subjects need no rule that allows them; deny and ask rules hold.
	Free bool

	bound string      // what else names it, see Alone
	files []string    // of a Path or redirection: the absolute paths in which links may stand
	dirs  []directory // of the first one: those that the call runs in besides its own
	forms fileForms   // of a redirection
}

// A directory is one that a call changes to, as an absolute path in which links
// may stand.
type directory struct {
	path   string
	inLine bool // a command line changes to it, and not the input as a whole
}

// unknown returns a subject that is one hole. Nothing but a pattern for
// everything allows it, not even one for everything inside the root; any
// refusal may be meant for it.
func unknown(k Kind, source, why string) Subject {
	return Subject{
		Kind: k, Text: source, Unknown: why,
		Narrow: []text.Reading{{Text: text.Unknown(), Form: text.Whole}},
		Wide:   []text.Reading{{Text: text.Unknown(), Form: text.Every}},
	}
}

// isInside reports whether s is a path that is inside the root.
func (s *Subject) isInside() bool {
	return slices.ContainsFunc(s.Narrow, func(r text.Reading) bool { return r.Form == text.Inside })
}

// whole returns the reading of a text in full.
func whole(s string) text.Reading { return text.Reading{Text: text.Of(s), Form: text.Whole} }

// A Malformed error says why a call cannot be read at all. It never holds the
// value of an argument.
type Malformed struct {
	Reason string
	Name   bool // for an argument that is missing, or that has another name
}

func (m *Malformed) Error() string { return m.Reason }

func malformed(format string, args ...any) error {
	return &Malformed{Reason: fmt.Sprintf(format, args...)}
}

// misnamed is malformed for an argument that is not there by its name.
func misnamed(format string, args ...any) error {
	return &Malformed{Reason: fmt.Sprintf(format, args...), Name: true}
}
