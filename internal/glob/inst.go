package glob

import "unicode/utf8"

// inst is one state of the matcher. States are numbered in the order of the
// pattern, so that every way on leads to a higher number or stays. It is the
// op, two flags, and above them the argument.
type inst uint32

type op uint8

const (
	opRune  op = iota // the character arg
	opOne             // any one character
	opClass           // one character of class arg
	opStar            // any characters, which stay in this state, or none
	opFork            // nothing: goes on both at the next state and arg states ahead
	opJump            // nothing: goes on arg states ahead
)

const (
	opBits    = 1<<3 - 1
	walledBit = 1 << 3
	asideBit  = 1 << 4
	argShift  = 5 // a pattern is no longer, and no character larger, than fits above
)

func newInst(o op, arg int, walled, aside bool) inst {
	in := inst(o) | inst(arg)<<argShift
	if walled {
		in |= walledBit
	}
	if aside {
		in |= asideBit
	}
	return in
}

func (in inst) op() op   { return op(in & opBits) }
func (in inst) arg() int { return int(in >> argShift) }

// walled reports whether in does not match a slash.
func (in inst) walled() bool { return in&walledBit != 0 }

// aside reports whether in stands in one of two ways that both go on behind it.
func (in inst) aside() bool { return in&asideBit != 0 }

// reads reports whether in is the character r.
func (in inst) reads(r rune) bool { return in.op() == opRune && rune(in.arg()) == r }

// plain reports whether in is one character, and not what also stands for bytes
// that are not UTF-8.
func (in inst) plain() bool { return in.op() == opRune && rune(in.arg()) != utf8.RuneError }

// anything reports whether in takes any characters or none.
func (in inst) anything() bool { return in.op() == opStar && !in.walled() }
