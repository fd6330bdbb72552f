package glob

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// maxVariants bounds the sets of states that Must follows side by side. Three
// are seen with patterns made for it.
const maxVariants = 16

// Must reports whether g matches t whatever stands in its holes, as far as
// stars can tell. The time is linear in the length of t.
func (g *Glob) Must(t text.Text) bool {
	s, whole := t.Known()
	if whole {
		return g.Matches(s)
	}
	if !strings.Contains(s, g.needs) {
		return false // no hole promises anything but to be there
	}
	// One set of states for each way in which words may have vanished. All of
	// them have to arrive.
	variants, spare := []states{g.start()}, g.none()
	for r, h := range t.All() {
		if h == 0 {
			for i, cur := range variants {
				g.step(spare, cur, r)
				variants[i], spare = spare, cur
			}
		} else {
			variants = g.coverAll(variants, h)
		}
		variants = slices.DeleteFunc(prune(variants), g.certain)
		if len(variants) == 0 {
			return true
		}
		if len(variants) > maxVariants || slices.ContainsFunc(variants, states.empty) {
			return false
		}
	}
	return !slices.ContainsFunc(variants, func(s states) bool { return !g.accepts(s) })
}

// coverAll returns the sets of states behind a hole.
func (g *Glob) coverAll(variants []states, h text.Hole) []states {
	var next []states
	for _, cur := range variants {
		if h == text.Args {
			next = append(next, cur)
			cur = g.after(cur, ' ')
		}
		next = append(next, g.cover(cur, h))
	}
	return next
}

// May reports whether g matches t for some value of its holes. The time is
// linear in the length of t.
func (g *Glob) May(t text.Text) bool {
	s, whole := t.Known()
	if whole {
		return g.Matches(s)
	}
	cur, spare, before := g.start(), g.none(), '/'
	var named states // behind a name that is not empty, where one has started
	for r, h := range t.All() {
		if h == 0 && r == '.' && named != nil {
			cur = named // a wildcard finds no name that starts with a dot
		}
		if h != text.Name {
			named = nil
		}
		switch h {
		case 0:
			floor, _ := g.step(spare, cur, r)
			spare.above(floor)
			cur, spare = spare, cur
		case text.Args:
			cur = cur.union(g.fill(g.after(cur, ' '), text.Any))
		case text.Name:
			switch {
			case named != nil: // two wildcards find one name
				cur.union(named.union(g.name(named, 0)))
			case before == '/' || before == ' ':
				named = g.name(cur, before)
				cur.union(named)
			default:
				cur.union(g.name(cur, before))
			}
		default:
			cur = g.fill(cur, h)
		}
		if before = r; cur.empty() {
			return false
		}
		if g.certain(cur) {
			return true
		}
	}
	return g.accepts(cur)
}

// Matches reports whether g matches s. The time is linear in the length of s.
func (g *Glob) Matches(s string) bool {
	if !strings.Contains(s, g.needs) {
		return false
	}
	var small [2][4]uint64 // of most globs the states need no memory of their own
	cur, spare := states(small[0][:]), states(small[1][:])
	if n := g.words(); n <= len(cur) {
		cur, spare = cur[:n], spare[:n]
	} else {
		cur, spare = make(states, n), make(states, n)
	}
	g.enter(cur, 0)
	for s != "" {
		if g.certain(cur) {
			return true
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		floor, quiet := g.step(spare, cur, r)
		spare.above(floor)
		if spare.empty() {
			return false
		}
		if next := floor + 1; quiet && g.isRune(next) {
			at := strings.IndexRune(s, rune(g.prog[next].arg()))
			if at < 0 {
				return false
			}
			s = s[at:]
		}
		cur, spare = spare, cur
	}
	return g.accepts(cur)
}

// isRune reports whether state i reads one given character, in one case.
func (g *Glob) isRune(i int) bool { return i < len(g.prog) && g.prog[i].op() == opRune && !g.Folds() }

func (g *Glob) class(in inst) *class { return &g.more.classes[in.arg()] }

// certain reports whether g matches whatever follows cur: it has come to a
// star at the end.
func (g *Glob) certain(cur states) bool {
	last := len(g.prog) - 1
	return last >= 0 && g.prog[last].anything() && cur.has(last)
}

// words returns how many words a set of the states of g takes.
func (g *Glob) words() int { return len(g.prog)/64 + 1 }

// none returns an empty set of states.
func (g *Glob) none() states { return make(states, g.words()) }

// start returns the states before any character.
func (g *Glob) start() states {
	cur := g.none()
	g.enter(cur, 0)
	return cur
}

// accepts reports whether g matches what has led to cur.
func (g *Glob) accepts(cur states) bool { return cur.has(len(g.prog)) }

// enter adds state i to s, and the states that need no character to be reached
// from it.
func (g *Glob) enter(s states, i int) {
	for !s.has(i) {
		s.add(i)
		if i == len(g.prog) {
			return
		}
		switch in := g.prog[i]; in.op() {
		case opStar:
			i++
		case opFork:
			g.enter(s, i+1)
			i += in.arg()
		case opJump:
			i += in.arg()
		default:
			return
		}
	}
}

// after returns the states after cur has read r.
func (g *Glob) after(cur states, r rune) states {
	next := g.none()
	g.step(next, cur, r)
	return next
}

// step sets next to the states after cur has read r.
//
// States of next below floor need not be followed. There is a star of cur that
// takes whatever comes, and every way from below leads through it, or past it
// to where the star comes as well. So many stars cost no more than one. Where
// it is quiet, nothing but that star has read r.
func (g *Glob) step(next, cur states, r rune) (floor int, quiet bool) {
	clear(next)
	folds, plain := g.Folds(), r
	if folds {
		plain = fold(r)
	}
	for i := range cur.all() {
		if i == len(g.prog) {
			break
		}
		switch in := g.prog[i]; {
		case in.walled() && r == '/':
		case in.op() == opStar:
			g.enter(next, i)
			if quiet = !in.walled() && !in.aside(); quiet {
				floor = i
			}
		case in.op() == opOne, in.reads(plain), in.op() == opClass && g.class(in).matches(r, folds):
			g.enter(next, i+1)
			quiet = false
		}
	}
	return floor, quiet
}

// cover returns the states after stars of cur have taken a hole whole.
func (g *Glob) cover(cur states, h text.Hole) states {
	next := g.none()
	slashless := h == text.Name || h == text.Digits || h == text.Number
	for i := range cur.all() {
		if i < len(g.prog) && g.prog[i].op() == opStar && (!g.prog[i].walled() || slashless) {
			g.enter(next, i)
		}
	}
	return next
}

// fill returns the states that cur comes to with some value of a hole, the
// empty one included.
func (g *Glob) fill(cur states, h text.Hole) states {
	next := slices.Clone(cur)
	for i := range next.all() {
		if i == len(g.prog) {
			break
		}
		if g.meets(i, h) {
			g.enter(next, i+1)
		}
	}
	return next
}

// name returns the states that cur comes to with one or more characters of a
// file's name behind the character before. It has no dot where a name starts;
// nor has it one right behind =, : or @, for a pattern such as [ /=:@].env
// speaks of those as the places where one starts.
func (g *Glob) name(cur states, before rune) states {
	inner, start := g.none(), g.none() // where a name goes on, and where one starts
	for i := range cur.all() {
		if i < len(g.prog) {
			g.nameStep(inner, start, i, !startsName(before))
		}
	}
	for i := range len(g.prog) {
		if inner.has(i) {
			g.nameStep(inner, start, i, true)
		}
		if start.has(i) {
			g.nameStep(inner, start, i, false)
		}
	}
	return inner.union(start)
}

// nameStep adds the states after state i has read one more character of a
// name.
func (g *Glob) nameStep(inner, start states, i int, dot bool) {
	reads := func(r rune) bool {
		in := g.prog[i]
		return in.reads(r) || in.op() == opClass && g.class(in).matches(r, g.Folds())
	}
	switch in := g.prog[i]; {
	case in.op() == opStar:
		g.enter(inner, i)
	case in.op() == opOne:
		g.enter(inner, i+1)
	case in.op() == opRune && startsName(rune(in.arg())), in.reads('.'):
	case g.meetsBeside(i, "=:@."):
		g.enter(inner, i+1)
	}
	if reads('.') && dot {
		g.enter(inner, i+1)
	}
	if reads('=') || reads(':') || reads('@') {
		g.enter(start, i+1)
	}
}

// startsName reports whether the name of a file may start behind r.
func startsName(r rune) bool { return strings.ContainsRune("/ =:@", r) }

// meetsBeside reports whether state i reads some character of a name that is
// not among those left out.
func (g *Glob) meetsBeside(i int, but string) bool {
	if in := g.prog[i]; in.op() == opClass && !g.class(in).not && g.class(in).set != "" {
		return strings.ContainsFunc(g.class(in).set, func(r rune) bool {
			return supplies(text.Name, r) && !strings.ContainsRune(but, r)
		})
	}
	return g.meets(i, text.Name)
}

// meets reports whether state i reads some character that h can hold.
func (g *Glob) meets(i int, h text.Hole) bool {
	switch in := g.prog[i]; in.op() {
	case opRune:
		return supplies(h, rune(in.arg()))
	case opOne:
		return true
	case opClass:
		return g.class(in).meets(h)
	}
	return false
}

// supplies reports whether a hole can hold r.
func supplies(h text.Hole, r rune) bool {
	blank := r == ' ' || r == '\t' || r == '\n'
	switch h {
	case text.Word:
		return !blank
	case text.Name:
		return !blank && r != '/'
	case text.Digits:
		return '0' <= r && r <= '9'
	case text.Number:
		return '0' <= r && r <= '9' || r == '-'
	}
	return true
}

// prune drops the sets that arrive whenever another does.
func prune(sets []states) []states {
	if len(sets) == 1 {
		return sets
	}
	var kept []states
	for i, s := range sets {
		needless := slices.ContainsFunc(kept, func(k states) bool { return k.within(s) }) ||
			slices.ContainsFunc(sets[i+1:], func(k states) bool { return k.within(s) && !s.within(k) })
		if !needless {
			kept = append(kept, s)
		}
	}
	return kept
}

// Everywhere reports whether g must match a text of which nothing is known.
func (g *Glob) Everywhere() bool { return g.Must(text.Unknown()) }
