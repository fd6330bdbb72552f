package manifest

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxFaults is how many faults of one file are reported: a file of another
// kind, or one made to be a burden, has one on every line.
const MaxFaults = 100

// More is an error that stands for so many faults that were left out.
type More int

// Error returns "and N more".
func (n More) Error() string { return fmt.Sprintf("and %d more", int(n)) }

// Section says which part of a document a fault is in.
type Section uint8

const (
	InHost  Section = iota // outside the [permissions] table
	InTable                // in the table itself
	InRules                // in a [[permissions.rule]]
	InTools                // in a [[permissions.tool]]
	InTests                // in a [[permissions.test]]
)

// A Fault is one thing that is wrong, and where.
type Fault struct {
	Section Section
	Number  int    // of the entry in its section, from 1
	Line    int    // of the entry; 0 where it is not known
	Key     string // empty where the fault is of the entry or document as a whole
	Err     error
}

// First returns the first MaxFaults of faults in the order of the source. If
// there are more, one with a More as its Err follows. Faults may hold one from an
// earlier call, whose number is added. The slice is First's from then on.
func (d *Document) First(faults []Fault) []Fault {
	var more More
	faults = slices.DeleteFunc(faults, func(f Fault) bool {
		n, ok := f.Err.(More)
		more += n
		return ok
	})
	d.sort(faults)
	if n := len(faults) - MaxFaults; n > 0 {
		faults, more = faults[:MaxFaults], more+More(n)
	}
	if more > 0 {
		faults = append(faults, Fault{Err: more})
	}
	return faults
}

// sort puts faults of d in the order of the source; those of the same key stay
// in their order.
func (d *Document) sort(faults []Fault) {
	type placed struct {
		Fault
		entry, key int
	}
	all := make([]placed, len(faults))
	for i, f := range faults {
		all[i] = placed{f, d.places.entry(f), d.places.key(f)}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(
			cmp.Compare(a.entry, b.entry),
			cmp.Compare(a.Section, b.Section),
			cmp.Compare(a.Number, b.Number),
			cmp.Compare(a.key, b.key),
			cmp.Compare(a.Key, b.Key),
		)
	})
	for i, f := range all {
		faults[i] = f.Fault
	}
}
