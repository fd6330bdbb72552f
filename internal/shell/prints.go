package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// function is what a function's name starts with among those of variables: one
// that the line defines may print anything.
const function = "()"

// prints reports whether commands print a number and nothing more.
func (o *operand) prints(stmts []*syntax.Stmt) bool {
	return len(stmts) == 1 && o.depth <= maxLayers && o.stmtPrints(stmts[0])
}

func (o *operand) stmtPrints(s *syntax.Stmt) bool {
	if !quiet(s) {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Assigns) == 0 && len(c.Args) > 0 && o.callPrints(c.Args)
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.Pipe, syntax.PipeAll:
			if call, ok := c.Y.Cmd.(*syntax.CallExpr); ok && len(call.Args) == 3 && call.Args[0].Lit() == "tr" && call.Args[1].Lit() == "-d" {
				o.takes = append(o.takes, function+"tr")
				return c.Op == syntax.Pipe && quiet(c.Y) && o.stmtPrints(c.X)
			}
			return o.stmtPrints(c.Y)
		case syntax.AndStmt, syntax.OrStmt:
			return o.stmtPrints(c.X) && o.stmtPrints(c.Y)
		}
	}
	return false
}

// quiet reports whether the redirections of a statement keep its errors out of
// what it prints: those have names of files in them.
func quiet(s *syntax.Stmt) bool {
	return !slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool {
		switch r.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			return r.N != nil && r.N.Value != "0"
		case syntax.RdrOut, syntax.AppOut:
			return r.N == nil || r.N.Value != "2" || r.Word.Lit() != "/dev/null"
		}
		return true
	})
}

// single reports whether each of some arguments is one word, whatever is in it.
func single(args []*syntax.Word) bool {
	e := expander{doubt: func(string) {}}
	for _, a := range args {
		if braced(a) || !isOne(e.fields([]*syntax.Word{a})) {
			return false
		}
	}
	return true
}

func isOne(fields []word) bool { return len(fields) == 1 && !fields[0].several() }

// callPrints reports whether a program with these arguments prints numbers
// alone: wc says the names of files, too, if it is told any.
func (o *operand) callPrints(args []*syntax.Word) bool {
	name := args[0].Lit()
	o.takes = append(o.takes, function+name)
	rest := args[1:]
	var lits []string
	var takes []string
	for _, a := range rest {
		v := operandAt(a, gap, o.depth+1)
		if v.unknown && name != "grep" {
			return false
		}
		lits = append(lits, v.text)
		takes = append(takes, v.takes...)
	}
	switch name {
	case "wc":
		return len(lits) > 0 && all(lits, func(s string) bool { return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "lcwm") == "" })
	case "date":
		return len(lits) == 1 && isDateNumber(lits[0])
	case "nproc":
		return all(lits, func(s string) bool { return s == "--all" })
	case "id":
		return len(lits) == 1 && (lits[0] == "-u" || lits[0] == "-g")
	case "stat":
		return len(lits) == 3 && lits[0] == "-c" && (lits[1] == "%s" || lits[1] == "%Y") && single(rest)
	case "git":
		return len(lits) > 2 && lits[0] == "rev-list" && lits[1] == "--count" && all(lits[2:], countsCommits) && single(rest)
	case "grep": // of several files it says the names
		return len(lits) >= 2 && len(lits) <= 3 && lits[0] == "-c" && all(lits[1:], func(s string) bool { return s != "" && s[0] != '-' && s[0] != gap[0] }) && single(rest)
	case "seq", "echo":
		o.takes = append(o.takes, takes...)
		return all(lits, func(s string) bool { return isNumber(strings.ReplaceAll(s, gap, "0")) })
	}
	return false
}

// countsCommits reports whether an argument of git rev-list --count leaves it
// printing a number alone.
func countsCommits(s string) bool {
	switch {
	case has("-- --all --branches --remotes --tags --merges --no-merges --first-parent --left-right", s):
		return true
	case containsAny(s, "--since=", "--after=", "--until=", "--before=", "--author="):
		return strings.HasPrefix(s, "--")
	}
	return s != "" && s[0] != '-' && s[0] != gap[0]
}

func all(list []string, is func(string) bool) bool {
	for _, s := range list {
		if !is(s) {
			return false
		}
	}
	return true
}

// isDateNumber reports whether a format of date is no more than numbers.
func isDateNumber(s string) bool {
	s, ok := strings.CutPrefix(s, "+")
	if !ok {
		return false
	}
	for s != "" {
		if len(s) < 2 || s[0] != '%' || strings.IndexByte("sNYmdHMSjuw", s[1]) < 0 {
			return false
		}
		s = s[2:]
	}
	return true
}

// printed returns the word that programs print which print one number, or a
// date. It may be empty, for they may fail.
func (e *expander) printed(c *syntax.CmdSubst) (word, bool) {
	if len(c.Stmts) != 1 || e.foreign || e.altered || e.functions["command_not_found_handle"] {
		return word{}, false
	}
	s := c.Stmts[0]
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.OrStmt && plainly(s) && e.printsNumber(b.X, "nproc") && e.printsNumber(b.Y, "nproc echo") {
		return hole(text.Digits), true
	}
	if e.printsNumber(s, "nproc id stat date") {
		return hole(text.Digits), true
	}
	return e.dated(s)
}

// printsNumber reports whether a statement is a call of one of some programs that
// prints one number, of digits alone. Echo prints what it is told.
func (e *expander) printsNumber(s *syntax.Stmt, programs string) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(c.Args) == 0 || s.Negated || s.Background || s.Coprocess || s.Disown || !quiet(s) || slices.ContainsFunc(c.Args, substitutes) {
		return false
	}
	name := c.Args[0].Lit()
	if !has(programs, name) || e.functions[name] {
		return false
	}
	if name == "echo" {
		return len(c.Args) == 2 && isDecimal(c.Args[1].Lit())
	}
	o := operand{fill: gap}
	return o.callPrints(c.Args) && len(o.takes) == 1 && !(name == "date" && strings.Contains(c.Args[1].Lit(), "N")) // which is a letter elsewhere
}

// dated returns what date prints for a format of numbers with nothing but minus
// signs between: of other characters nobody knows whether they are there, for it
// may print nothing.
func (e *expander) dated(s *syntax.Stmt) (word, bool) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Assigns) > 0 || len(c.Args) < 2 || !plainly(s) || c.Args[0].Lit() != "date" || e.functions["date"] {
		return word{}, false
	}
	args := c.Args[1:]
	if len(args) == 2 && args[0].Lit() == "-u" {
		args = args[1:]
	}
	format, ok := literal(args[0])
	format, is := strings.CutPrefix(strings.ReplaceAll(format, "%F", "%Y-%m-%d"), "+")
	if !ok || !is || len(args) != 1 {
		return word{}, false
	}
	for ; format != ""; format = format[1:] {
		switch {
		case format[0] == '-':
		case len(format) > 1 && format[0] == '%' && strings.IndexByte("sYmdHMSju", format[1]) >= 0:
			format = format[1:]
		default:
			return word{}, false
		}
	}
	return hole(text.Number), true
}
