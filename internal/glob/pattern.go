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

// Must reports whether a matches a reading whatever stands in its holes, and
// whichever of its forms the reading has.
func (a Alternative) Must(r text.Reading) bool {
	return a.Forms&r.Form == r.Form && a.Glob.Must(r.Text)
}

// May reports whether a matches a reading for some value of its holes in one of
// its forms.
func (a Alternative) May(r text.Reading) bool {
	return a.Forms&r.Form != 0 && a.Glob.May(r.Text)
}

// A Pattern matches a reading if one of its alternatives does. It is immutable
// and safe for concurrent use; nil matches nothing.
type Pattern []Alternative

// Must reports whether an alternative of p must match one of the readings.
func (p Pattern) Must(rs []text.Reading) bool { return p.any(rs, Alternative.Must) }

// May reports whether an alternative of p may match one of the readings.
func (p Pattern) May(rs []text.Reading) bool { return p.any(rs, Alternative.May) }

func (p Pattern) any(rs []text.Reading, match func(Alternative, text.Reading) bool) bool {
	return slices.ContainsFunc(p, func(a Alternative) bool {
		return slices.ContainsFunc(rs, func(r text.Reading) bool { return match(a, r) })
	})
}
