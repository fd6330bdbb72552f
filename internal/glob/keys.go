package glob

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Key is a text that must stand in a certain place of whatever a glob
// matches, in one of its ways to match. It lets an index find the glob.
type Key struct {
	Place Place
	Text  string // folded if the glob folds, see Fold
	Sure  bool   // the glob matches all that has the key there
}

// Place says where a key stands.
type Place uint8

const (
	Whole  Place = iota // it is all of the text
	Start               // the text starts with it
	End                 // the text ends in it
	Inside              // it stands anywhere
)

// maxWays bounds the ways through a glob that get a key each.
const maxWays = 8

// Keys returns keys of which every text that g matches has one.
func (g *Glob) Keys() []Key {
	ways := g.ways(nil, 0, nil)
	if len(ways) > maxWays {
		return []Key{{Place: Start}}
	}
	keys := make([]Key, len(ways))
	for i, way := range ways {
		keys[i] = g.key(way)
	}
	return keys
}

// Everything reports whether g matches every text.
func (g *Glob) Everything() bool { return len(g.prog) == 1 && anything(g.prog[0]) }

// Folds reports whether case does not count for g.
func (g *Glob) Folds() bool { return g.fold }

// ways adds the ways from state i to the end, behind those states, each
// without forks, and no more than one above maxWays.
func (g *Glob) ways(all [][]inst, i int, behind []inst) [][]inst {
	for i < len(g.prog) {
		switch in := g.prog[i]; in.op {
		case opFork:
			all = g.ways(all, i+1, slices.Clone(behind))
			i += int(in.arg)
		case opJump:
			i += int(in.arg)
		default:
			behind = append(behind, in)
			i++
		}
		if len(all) > maxWays {
			return all
		}
	}
	return append(all, behind)
}

// key returns the best key of a way.
func (g *Glob) key(way []inst) Key {
	head, tail := literals(way, false), literals(way, true)
	switch {
	case len(head) == len(way):
		return Key{Whole, string(head), true}
	case len(head) == len(way)-1 && anything(way[len(way)-1]):
		return Key{Start, string(head), true}
	case len(tail) == len(way)-1 && anything(way[0]):
		return Key{End, string(tail), true}
	}
	inner := longestRun(way)
	sure := len(way) == utf8.RuneCountInString(inner)+2 && anything(way[0]) && anything(way[len(way)-1])
	switch longest := max(len(head), len(tail), utf8.RuneCountInString(inner)); {
	case sure:
		return Key{Inside, inner, true}
	case len(head) > 0 && len(head) >= longest/2:
		return Key{Start, string(head), false}
	case len(tail) > 0 && len(tail) >= longest/2:
		return Key{End, string(tail), false}
	case inner != "":
		return Key{Inside, inner, false}
	}
	return Key{Place: Start}
}

// literals returns the plain characters that a way starts with, or ends in.
// One that also stands for what is not UTF-8 is none of them.
func literals(way []inst, back bool) []rune {
	var run []rune
	for n := range way {
		in := way[n]
		if back {
			in = way[len(way)-1-n]
		}
		if in.op != opRune || rune(in.arg) == utf8.RuneError {
			break
		}
		run = append(run, rune(in.arg))
	}
	if back {
		slices.Reverse(run)
	}
	return run
}

// anything reports whether in takes any characters or none.
func anything(in inst) bool { return in.op == opStar && !in.walled }

// Ends returns what every text that g matches starts with and what it ends in;
// nothing where case does not count.
func (g *Glob) Ends() (head, tail string) {
	if g.fold {
		return "", ""
	}
	open := 0 // where the last part that may be left out ends
	for i, in := range g.prog {
		if in.op == opFork || in.op == opJump {
			open = max(open, i+int(in.arg), i+1)
		}
	}
	return string(literals(g.prog, false)), string(literals(g.prog[open:], true))
}

// Fold returns s as keys of globs are that fold.
func Fold(s string) string { return strings.Map(fold, s) }
