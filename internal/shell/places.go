package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What is beyond these limits is not known: each cd may double the directories
// that a line may be in, or make the name of one longer.
const (
	maxPlaces   = 8    // directories that a line may be in at once
	maxEntered  = 64   // directories that it changes to
	maxFloating = 2    // of them below each other, if nobody knows where they start
	maxReached  = 256  // that they may be in all
	maxPlace    = 4096 // bytes of the name of one, as many as a shell can change to
)

// places knows the directories that relative redirections may start from. A cd
// adds to them, for it may fail, and where it succeeded for certain it is in
// the directory of an and-list. None is taken away again before the end of the
// subshell: that is right only if commands run in the order in which they are
// written, see facts.roams.
type places struct {
	dirs    []string // none is the call's alone
	unknown bool     // nobody knows
}

// or returns the places of both.
func (p places) or(q places) places {
	if p.unknown || q.unknown {
		return places{unknown: true}
	}
	all := slices.Clone(p.all())
	for _, dir := range q.all() {
		switch {
		case slices.Contains(all, dir):
		case len(all) == maxPlaces:
			return places{unknown: true}
		default:
			all = append(all, dir)
		}
	}
	return places{dirs: all}
}

func (p places) all() []string {
	if len(p.dirs) == 0 {
		return []string{""}
	}
	return p.dirs
}

// below returns the places that a directory is at if it starts from p.
func (p places) below(dir string) places {
	if len(dir) <= maxPlace && (strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~")) {
		return places{dirs: []string{dir}}
	}
	if p.unknown {
		return p
	}
	var next places
	for _, from := range p.all() {
		if from != "" {
			from += "/"
		}
		if len(from)+len(dir) > maxPlace {
			return places{unknown: true}
		}
		next.dirs = append(next.dirs, from+dir)
	}
	return next
}

// inside reports whether a word is a static place that is inside the root,
// wherever the line may be.
func (w *walker) inside(f word) bool {
	dir, ok := w.placeOf(f)
	if !ok || f.tilde && w.facts.home || w.Inside == nil {
		return false
	}
	next := w.cds.below(dir)
	if next.unknown {
		// What has left the root needs a rule already, and one that does not
		// climb stays where it is.
		if strings.Contains(dir, "..") {
			return false
		}
		next = places{dirs: []string{dir}}
		if !slices.Contains(w.floating, dir) {
			w.floating = append(w.floating, dir)
		}
	}
	for _, place := range next.all() {
		known := slices.Contains(w.entered, place)
		if !known && len(w.entered) == maxEntered || !w.Inside(place) {
			return false
		}
		if !known {
			w.entered = append(w.entered, place)
		}
	}
	return true
}

// reached returns the directories that were taken to be inside the root by their
// letters. One that nobody knows where it starts from may be in any of the others,
// those behind it included: a function is called later. Where they are too many, or
// too long, one more stands for any.
func (w *walker) reached() []string {
	all := slices.Clone(w.entered)
	for range maxFloating {
		for _, place := range slices.Clone(all) {
			for _, dir := range w.floating {
				below := place + "/" + dir
				switch {
				case place == dir || slices.Contains(all, below):
				case len(all) >= maxReached || len(below) > maxPlace:
					return append(all, string(Mark))
				default:
					all = append(all, below)
				}
			}
		}
	}
	return all
}

// changes returns the place that a command changes to, if that is what it does,
// and whether the place is known.
func (w *walker) changes(c *syntax.CallExpr) (dir string, known, is bool) {
	if !isCD(c) {
		return "", false, false
	}
	fields := w.exp.fields(c.Args)
	if len(fields) != 2 {
		return "", false, true
	}
	dir, known = w.placeOf(fields[1])
	return dir, known, true
}

// isCD reports whether a command is cd with one operand and no more.
func isCD(c *syntax.CallExpr) bool {
	return len(c.Assigns) == 0 && len(c.Args) == 2 && c.Args[0].Lit() == "cd"
}

// moves notes where the line may be behind a command.
func (w *walker) moves(c *syntax.CallExpr) {
	switch dir, known, is := w.changes(c); {
	case !is:
	case known:
		w.cds = w.cds.or(w.cds.below(dir))
	default:
		w.cds = places{unknown: true}
	}
}

// and reads an and-list, and returns the places in which it is if all of it
// succeeds. At the top of a text what it assigns first holds from there on.
func (w *walker) and(b *syntax.BinaryCmd, top bool) places {
	if w.step(b, 1); w.full {
		return w.cds
	}
	next := w.through(b.X, top)
	failed := w.cds
	w.cds = next
	next = w.through(b.Y, false)
	w.cds = failed.or(w.cds)
	return next
}

// through reads a statement of an and-list, and returns the places in which it
// is if the statement succeeds.
func (w *walker) through(s *syntax.Stmt, top bool) places {
	before := w.cds
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt && plainly(s) {
		return w.and(b, top)
	}
	w.stmt(s)
	if top {
		w.remember(s)
		w.exp.started = w.exp.started || s.Background
		if name := defined(s); name != "" {
			w.defined[name] = true
		}
	}
	if c, ok := s.Cmd.(*syntax.CallExpr); ok && plainly(s) {
		if dir, known, is := w.changes(c); is && known {
			return before.below(dir)
		}
	}
	return w.cds
}

// within reads what a subshell runs: that it moves does not matter behind it.
func (w *walker) within(stmts []*syntax.Stmt) {
	before := w.cds
	for _, s := range stmts {
		w.stmt(s)
	}
	w.cds = before
}

// function reads the body of a function, which may run anywhere.
func (w *walker) function(f *syntax.FuncDecl) {
	before := w.cds
	w.cds.unknown = w.cds.unknown || w.facts.moves
	w.lending(func() { w.stmt(f.Body) })
	w.cds = before
}

// placeOf returns the place that a word of cd names, with Mark for what a
// wildcard stands for. In quotes a ~ is a name like any other.
func (w *walker) placeOf(f word) (dir string, ok bool) {
	if !f.static {
		return w.foundPlace(f)
	}
	if f.value == "" || strings.HasPrefix(f.value, "-") {
		return "", false
	}
	if strings.HasPrefix(f.value, "~") && !f.tilde {
		return "./" + f.value, true
	}
	return f.value, true
}

// foundPlace returns the place that a word of cd names of which a piece is known
// when it runs: one folder after the other, say. None that is found is called ..
// or is an option, where something else stands at its start.
func (w *walker) foundPlace(f word) (dir string, ok bool) {
	if !f.holds() || f.homes || f.splits || w.zsh && strings.ContainsAny(f.source, "*?[") { // cd a b is something else in zsh
		return "", false
	}
	dir = marked(f.text)
	head, _, below := strings.Cut(dir, "/")
	if strings.HasPrefix(dir, "-") || !below && strings.HasPrefix(head, string(Mark)) || mayClimb(dir+"/") {
		return "", false
	}
	return dir, true
}

// locate returns the directories that the path of a redirection may start from.
func (w *walker) locate(p *Part, tilde bool) []string {
	call := []string{""}
	switch {
	case strings.HasPrefix(p.Path, "~") && !tilde:
		p.Path = "./" + p.Path // a name, and no home
	case tilde && w.facts.home:
		p.Likely, p.Unknown = true, "a file below a home that the line sets"
		return call
	}
	if strings.HasPrefix(p.Path, "/") || tilde {
		return call
	}
	if w.cds.unknown {
		p.Likely, p.Unknown = true, "the directory that a redirection starts from: name the file from the root"
		return call
	}
	return w.cds.all()
}
