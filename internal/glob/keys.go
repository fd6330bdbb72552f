package glob

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// A Key is a text that must stand in a certain place of whatever a glob
// matches, in one of its ways to match. It lets an index find the glob.
type Key struct {
	Place Place
	Tail  byte   // what may follow a Stem; 0 for other places
	Sure  bool   // the glob matches all that has the key there
	Text  string // folded if the glob folds, see Fold
}

// Place says where a key stands.
type Place uint8

const (
	Whole  Place = iota // it is all of the text
	Start               // the text starts with it
	Stem                // it is all of the text, or the text starts with it and Tail
	End                 // the text ends in it
	Inside              // it stands anywhere
)

// maxWays bounds the ways through a glob that get a key each.
const maxWays = 8

// AppendKeys adds keys to some of which every text that g matches has one.
func (g *Glob) AppendKeys(keys []Key) []Key {
	if g.single() {
		return append(keys, key(g.prog))
	}
	ways := g.ways(nil, way{spell: true})
	if len(ways) > maxWays {
		ways = g.ways(nil, way{})
	}
	if len(ways) > maxWays {
		return append(keys, Key{Place: Start})
	}
	for _, w := range ways {
		keys = append(keys, key(w.states))
	}
	return keys
}

// Everything reports whether g matches every text.
func (g *Glob) Everything() bool { return len(g.prog) == 1 && g.prog[0].anything() }

// Folds reports whether case does not count for g.
func (g *Glob) Folds() bool { return g.more != nil && g.more.fold }

// single reports whether there is one way through g that is worth a key.
func (g *Glob) single() bool {
	for i, in := range g.prog {
		switch in.op() {
		case opFork:
			return i == len(plainHead(g.prog)) && isTail(g.prog[i:])
		case opJump, opClass:
			return false
		}
	}
	return true
}

// isTail reports whether states are a plain byte and anything behind it, which
// may be missing.
func isTail(states []inst) bool {
	return len(states) == 3 && states[0].op() == opFork && states[1].plain() &&
		states[1].arg() < utf8.RuneSelf && states[2].anything()
}

// A way is one of those through a glob, without forks but for a tail behind
// plain characters.
type way struct {
	states []inst
	next   int  // the state of the glob where it goes on
	spell  bool // a class is a way for each of its characters
}

// fork returns another way that has come as far as w and goes on elsewhere.
func (w way) fork(next int, more ...inst) way {
	w.states, w.next = slices.Concat(w.states, more), next
	return w
}

// ways adds the ways that w may go on to the end, and no more than one above
// maxWays.
func (g *Glob) ways(all []way, w way) []way {
	for w.next < len(g.prog) && len(all) <= maxWays {
		switch in := g.prog[w.next]; {
		case in.op() == opFork && isTail(g.prog[w.next:]) && len(plainHead(w.states)) == len(w.states):
			return append(all, w.fork(len(g.prog), g.prog[w.next:]...))
		case in.op() == opFork:
			all = g.ways(all, w.fork(w.next+1))
			w.next += in.arg()
		case in.op() == opJump:
			w.next += in.arg()
		case in.op() == opClass && w.spell && g.class(in).few() && !in.walled() && !g.Folds():
			for r := range g.class(in).each {
				all = g.ways(all, w.fork(w.next+1, newInst(opRune, int(r), false, false)))
			}
			return all
		default:
			w.states = append(w.states, in)
			w.next++
		}
	}
	return append(all, w)
}

// key returns the best key of a way through states.
func key(states []inst) Key {
	n := len(states)
	head, tail, inner := plainHead(states), plainTail(states), longestRun(states)
	open, ends := n > 0 && states[0].anything(), n > 0 && states[n-1].anything()
	longest := max(len(head), len(tail), len(inner))
	switch {
	case len(head) == n:
		return Key{Place: Whole, Text: plainText(head), Sure: true}
	case len(head) == n-1 && ends:
		return Key{Place: Start, Text: plainText(head), Sure: true}
	case isTail(states[len(head):]):
		return Key{Place: Stem, Text: plainText(head), Tail: byte(states[n-2].arg()), Sure: true}
	case len(tail) == n-1 && open:
		return Key{Place: End, Text: plainText(tail), Sure: true}
	case len(inner) == n-2 && open && ends:
		return Key{Place: Inside, Text: plainText(inner), Sure: true}
	case len(head) > 0 && len(head) >= longest/2:
		return Key{Place: Start, Text: plainText(head)}
	case len(tail) > 0 && len(tail) >= longest/2:
		return Key{Place: End, Text: plainText(tail)}
	case len(inner) > 0:
		return Key{Place: Inside, Text: plainText(inner)}
	}
	return Key{Place: Start}
}

// plainHead returns the plain characters that states start with.
func plainHead(states []inst) []inst {
	n := 0
	for n < len(states) && states[n].plain() {
		n++
	}
	return states[:n]
}

// plainTail returns the plain characters that states end in.
func plainTail(states []inst) []inst {
	n := len(states)
	for n > 0 && states[n-1].plain() {
		n--
	}
	return states[n:]
}

// plainText returns plain characters as a string.
func plainText(run []inst) string {
	var room [64]byte
	return string(appendPlain(room[:0], run))
}

// Ends returns what every text that g matches starts with and what it ends in;
// nothing where case does not count.
func (g *Glob) Ends() (head, tail string) {
	if g.Folds() {
		return "", ""
	}
	return plainText(plainHead(g.prog)), plainText(plainTail(g.prog[g.open():]))
}

// open returns where the last part of g that may be left out ends.
func (g *Glob) open() (end int) {
	for i, in := range g.prog {
		if in.op() == opFork || in.op() == opJump {
			end = max(end, i+in.arg(), i+1)
		}
	}
	return end
}

// Fits reports whether t, as far as it is known before its first hole and
// behind its last one, starts and ends as what g matches. It is quick; Must and
// May say no where it does.
func (g *Glob) Fits(t text.Text) bool {
	if g.Folds() {
		return true
	}
	head, tail := t.Ends()
	return startsAlike(plainHead(g.prog), head) && endsAlike(plainTail(g.prog[g.open():]), tail)
}

// startsAlike reports whether a text that starts with s may start with run: one
// may be longer than the other.
func startsAlike(run []inst, s string) bool {
	for _, in := range run {
		if s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		if !in.reads(r) {
			return false
		}
		s = s[size:]
	}
	return true
}

// endsAlike is startsAlike for the end.
func endsAlike(run []inst, s string) bool {
	for i := len(run) - 1; i >= 0 && s != ""; i-- {
		r, size := utf8.DecodeLastRuneInString(s)
		if !run[i].reads(r) {
			return false
		}
		s = s[:len(s)-size]
	}
	return true
}

// Fold returns s in the one case in which globs that fold have their keys.
func Fold(s string) string { return strings.Map(fold, s) }
