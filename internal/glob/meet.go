package glob

import "encoding/binary"

// A Language is a set of texts, as a machine that reads one character after
// the other.
type Language struct {
	Next    func(state int, r rune) int // from 0; negative where no text of the set goes on so
	Accepts func(state int) bool
	Marks   string // the characters that it tells from others
}

// Meets reports whether g matches a text of l. Where that takes too long to
// find out, it says yes.
func (g *Glob) Meets(l Language) bool { return meet([]*Glob{g}, l) }

// MeetsGlob reports whether there is a text without holes that both g and o
// match. Where that takes too long to find out, it says yes.
func (g *Glob) MeetsGlob(o *Glob) bool {
	return meet([]*Glob{g, o}, Language{
		Next:    func(int, rune) int { return 0 },
		Accepts: func(int) bool { return true },
	})
}

// A meeting is where globs, and a machine beside them, are after some text.
type meeting struct {
	globs []progress
	state int
}

// meet reports whether there is a text of l that all globs match. It follows
// them through all texts at the same time.
func meet(globs []*Glob, l Language) bool {
	letters, ok := alphabet(globs, l.Marks)
	if !ok {
		return true
	}
	var first meeting
	for _, g := range globs {
		first.globs = append(first.globs, g.begin())
	}
	open, seen := []meeting{first}, make(map[string]bool)
	for len(open) > 0 {
		m := open[len(open)-1]
		open = open[:len(open)-1]
		if m.accepts(l) || len(seen) > maxPairs {
			return true
		}
		for _, letter := range m.globs[0].reads(letters) {
			if letter.hole != 0 {
				continue
			}
			next, ok := m.read(letter, l)
			if key := next.key(); ok && !seen[key] {
				seen[key] = true
				open = append(open, next)
			}
		}
	}
	return false
}

// accepts reports whether all match the text so far.
func (m meeting) accepts(l Language) bool {
	for _, p := range m.globs {
		if !p.accepts() {
			return false
		}
	}
	return l.Accepts(m.state)
}

// read returns what follows a character. It is not ok where nothing can come of
// that.
func (m meeting) read(c letter, l Language) (next meeting, ok bool) {
	if next.state = l.Next(m.state, c.char); next.state < 0 {
		return next, false
	}
	for _, p := range m.globs {
		p = p.read(c)
		if p.never {
			return next, false
		}
		next.globs = append(next.globs, p)
	}
	return next, true
}

// key tells meetings of the same globs apart.
func (m meeting) key() string {
	key := binary.AppendVarint(nil, int64(m.state))
	for _, p := range m.globs {
		key = p.appendKey(key)
	}
	return string(key)
}
