package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// A counter is a variable that the line sets to numbers alone, however often:
// from the first assignment on that certainly runs nothing else is in it.

// counted returns the word that a counter holds.
func counted() word {
	w := hole(text.Number)
	w.filled = true
	return w
}

// counter reports whether a variable is certainly set to numbers alone.
func (x *facts) counter(name string) bool {
	return x.ordinary(name) && x.sets[name] > 0 && x.sets[name] == x.numerals[name] &&
		(!x.listed[name] || !x.foreign && !x.strange("seq"))
}

// strange reports whether a program may be another one than its name says.
func (x *facts) strange(program string) bool {
	return x.functions[program] || x.functions["command_not_found_handle"] || x.repaths
}

// counts notes what an assignment sets to a number.
func (x *facts) counts(a *syntax.Assign) {
	if !a.Append && a.Index == nil && a.Array == nil && isNumeral(a.Value) {
		x.numerals[a.Name.Value]++
	}
}

// countsOver notes the variable of a loop over numbers.
func (x *facts) countsOver(f *syntax.ForClause) {
	iter, ok := f.Loop.(*syntax.WordIter)
	if !ok || f.Select || len(iter.Items) == 0 {
		return
	}
	for _, item := range iter.Items {
		listed := isSequence(item)
		if !listed && !isNumeral(item) && !isRange(item.Lit()) {
			return
		}
		x.listed[iter.Name.Value] = x.listed[iter.Name.Value] || listed
	}
	x.numerals[iter.Name.Value]++
}

// isNumeral reports whether a word is a number and nothing else: one that is
// written out, or the result of arithmetic.
func isNumeral(w *syntax.Word) bool {
	if w == nil {
		return false
	}
	if s, ok := literal(w); ok {
		return isDecimal(s)
	}
	parts := w.Parts
	if q, ok := first(parts).(*syntax.DblQuoted); ok && len(parts) == 1 {
		parts = q.Parts
	}
	_, ok := first(parts).(*syntax.ArithmExp)
	return ok && len(parts) == 1
}

// isDecimal reports whether arithmetic certainly takes a text for a number, and
// for the one that it is.
func isDecimal(s string) bool {
	return s != "" && len(s) < 19 && strings.Trim(s, "0123456789") == "" && (s[0] != '0' || s == "0")
}

// isRange reports whether a word is {1..30} or the like.
func isRange(s string) bool {
	s, opens := strings.CutPrefix(s, "{")
	s, closes := strings.CutSuffix(s, "}")
	from, to, ok := strings.Cut(s, "..")
	return opens && closes && ok && isDecimal(from) && isDecimal(to)
}

// isSequence reports whether a word is what seq prints for numbers that are
// written out.
func isSequence(w *syntax.Word) bool {
	c, ok := first(w.Parts).(*syntax.CmdSubst)
	if !ok || len(w.Parts) != 1 || len(c.Stmts) != 1 || !plainly(c.Stmts[0]) {
		return false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) < 2 || call.Args[0].Lit() != "seq" {
		return false
	}
	for _, a := range call.Args[1:] {
		if !isNumeral(a) {
			return false
		}
	}
	return true
}

// counting reads a loop that counts. Its first expression is evaluated before
// all else, or the loop does not run.
func (w *walker) counting(f *syntax.ForClause, c *syntax.CStyleLoop) {
	w.nested(c)
	set, ok := c.Init.(*syntax.BinaryArithm)
	name := arithmeticTarget(c.Init)
	if _, had := w.exp.vars[name]; !had && ok && set.Op == syntax.Assgn && w.facts.counter(name) && !w.sourced {
		w.exp.vars[name] = counted()
		defer delete(w.exp.vars, name)
	}
	for _, s := range f.Do {
		w.stmt(s)
	}
}

// fails reports whether arithmetic in a value may be an error, such as that of a
// division by nothing: bash then leaves the variable as it was, and goes on with
// the next line.
func (w *walker) fails(value *syntax.Word) bool {
	fails := false
	syntax.Walk(value, func(n syntax.Node) bool {
		a, ok := n.(*syntax.ArithmExp)
		fails = fails || ok && !w.succeeds(a.X)
		return !ok && !fails
	})
	return fails
}

// succeeds reports whether an expression certainly has a value.
func (w *walker) succeeds(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case *syntax.ParenArithm:
		return w.succeeds(x.X)
	case *syntax.BinaryArithm:
		switch x.Op {
		case syntax.Add, syntax.Sub, syntax.Mul:
			return w.succeeds(x.X) && w.succeeds(x.Y)
		case syntax.Quo, syntax.Rem:
			divisor, ok := x.Y.(*syntax.Word)
			return ok && w.succeeds(x.X) && isDecimal(divisor.Lit()) && divisor.Lit() != "0"
		}
	case *syntax.Word:
		name := x.Lit()
		if p, ok := first(x.Parts).(*syntax.ParamExp); ok && len(x.Parts) == 1 {
			name, _ = simpleName(p)
		}
		v, ok := w.exp.vars[name]
		return isDecimal(x.Lit()) || ok && (isDecimal(v.value) || v.text.String() == "…" && hasHole(v, text.Number)) ||
			(name == "RANDOM" || name == "SECONDS") && !w.facts.setsAny && w.facts.sets[name] == 0
	}
	return false
}

// forget leaves what a line before that of s may not have set after all: an error
// in arithmetic, say, ends no more than its own.
func (w *walker) forget(s *syntax.Stmt) {
	line := s.Pos().Line()
	if w.leads = line != w.startsAt; w.leads {
		for _, name := range w.shaky {
			delete(w.exp.vars, name)
		}
		w.shaky, w.startsAt = nil, line
	}
}

// A variable that is set more than once is known from each place to the next
// where these are in the order of the text: all at its top, or all loops of
// which none is in another. A function, or a text that runs later, may come
// between.

// inOrder reports whether a variable is certainly set at the top of the text
// alone.
func (x *facts) inOrder(name string) bool { return x.follows(name, x.ordered[name]) }

// inTurn reports whether a variable is certainly set by one loop after the other
// alone.
func (x *facts) inTurn(name string) bool { return x.follows(name, x.turned[name]) }

func (x *facts) follows(name string, sets int) bool {
	return x.ordinary(name) && !x.reckons && x.sets[name] == sets && len(x.functions) == 0 && x.texts == 0
}

// turns notes a loop over words, and that it is around what comes next.
func (x *facts) turns(name string) {
	if x.turning[name] == 0 {
		x.turned[name]++
	}
	x.turning[name]++
}

// loopsOver returns the variable of a loop over words.
func loopsOver(f *syntax.ForClause) string {
	if iter, ok := f.Loop.(*syntax.WordIter); ok && !f.Select {
		return iter.Name.Value
	}
	return ""
}

// assignsFirst returns the assignments that a statement makes before all else,
// and for certain.
func assignsFirst(s *syntax.Stmt) []*syntax.Assign {
	if !plainly(s) {
		return nil
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			return assignsFirst(c.X)
		}
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return c.Assigns
		}
	case *syntax.DeclClause:
		if onlyExports(c) && !slices.ContainsFunc(c.Args, func(a *syntax.Assign) bool { return braced(a.Value) }) {
			return c.Args
		}
	}
	return nil
}
