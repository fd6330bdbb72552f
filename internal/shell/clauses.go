package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// timed reads the command behind time. Bash takes a -- before it, the parser
// does not.
func (w *walker) timed(t *syntax.TimeClause) {
	if t.Stmt == nil {
		return
	}
	s, next := withoutDashes(t.Stmt)
	if next != nil {
		// Assignments and words of the shell may follow the dashes.
		if lit := next.Lit(); lit == "" || isKeyword(lit) || strings.ContainsFunc(lit, func(r rune) bool { return r > '~' || !plainByte(byte(r)) || r == '=' }) {
			w.unknown(w.source(t), "time --, and what stands behind it: leave the dashes out")
		}
	}
	w.stmt(s)
}

// withoutDashes returns s without a -- that its first command starts with, and
// the word behind it.
func withoutDashes(s *syntax.Stmt) (rest *syntax.Stmt, next *syntax.Word) {
	inner := *s
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		left := *c
		left.X, next = withoutDashes(c.X)
		inner.Cmd = &left
	case *syntax.CallExpr:
		if len(c.Args) > 1 && c.Args[0].Lit() == "--" {
			bare := *c
			bare.Args, next = c.Args[1:], c.Args[1]
			inner.Cmd = &bare
		}
	}
	return &inner, next
}

// coprocess reads the command of a coprocess. The parser takes assignments
// before it for its first words, and its first word for a name.
func (w *walker) coprocess(c *syntax.CoprocClause) {
	w.lending(func() { w.coprocessed(c) })
}

func (w *walker) coprocessed(c *syntax.CoprocClause) {
	w.nested(c)
	call, ok := c.Stmt.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	args := call.Args
	if c.Name != nil {
		args = append([]*syntax.Word{c.Name}, args...)
	}
	for len(args) > 0 && isAssignmentWord(args[0].Lit()) {
		args = args[1:]
	}
	if fields := w.exp.fields(args); len(fields) > 0 {
		w.command(command{fields: fields, source: w.source(c)})
	}
}

// loop reads a loop. Over words that are known its variable is each in turn.
func (w *walker) loop(f *syntax.ForClause) {
	if c, ok := f.Loop.(*syntax.CStyleLoop); ok && !f.Select {
		w.counting(f, c)
		return
	}
	iter, ok := f.Loop.(*syntax.WordIter)
	if ok {
		w.sets(iter.Name.Value)
	}
	if f.Select && w.hungry() {
		w.unknown(w.source(f), "select, which reads lines of the script itself: give it another input")
	}
	if !ok || f.Select || !iter.InPos.IsValid() {
		w.nested(f)
		return
	}
	for _, item := range iter.Items {
		w.nested(item)
	}
	name := iter.Name.Value
	values, vars := w.turns(iter)
	outer, had := w.exp.vars[name]
	for _, v := range values {
		if vars != nil {
			vars[name] = v
		}
		for _, s := range f.Do {
			w.stmt(s)
		}
	}
	if vars != nil {
		delete(w.exp.vars, name)
	}
	if had {
		w.exp.vars[name] = outer
	}
}

// turns returns what the variable of a loop is in turn, and where that is kept:
// among the guesses if it may be something else, and nowhere if nobody knows.
func (w *walker) turns(iter *syntax.WordIter) (values []word, vars map[string]word) {
	name := iter.Name.Value
	sure := !w.exp.loose && !w.sourced
	once := w.facts.once(name) || w.facts.inTurn(name)
	values = w.exp.fields(iter.Items)
	lost := len(values) == 0 || len(values) > 64 || w.facts.loops > 3 || slices.ContainsFunc(values, func(v word) bool { return !v.holds() })
	switch {
	case sure && once && !lost:
		return values, w.exp.vars
	case sure && w.facts.counter(name):
		return []word{counted()}, w.exp.vars
	case lost:
		return []word{{}}, nil
	}
	return values, w.exp.guesses
}
