package glob

import (
	"slices"

	"github.com/insomnia-run/permission/internal/text"
)

// An Alternative is one alternative of a pattern, with the forms of the
// readings that it is written for.
type Alternative struct {
	Glob  *Glob
	Forms text.Form
}

// A Pattern matches a reading if one of its alternatives does. It is
// immutable.
type Pattern []Alternative

// Must reports whether p matches one of the readings whatever stands in its
// holes.
func (p Pattern) Must(rs []text.Reading) bool { return p.any(rs, (*Glob).Must) }

// May reports whether p matches one of the readings for some value of its
// holes.
func (p Pattern) May(rs []text.Reading) bool { return p.any(rs, (*Glob).May) }

func (p Pattern) any(rs []text.Reading, match func(*Glob, text.Text) bool) bool {
	return slices.ContainsFunc(p, func(a Alternative) bool {
		return slices.ContainsFunc(rs, func(r text.Reading) bool {
			return a.Forms&r.Form != 0 && match(a.Glob, r.Text)
		})
	})
}
