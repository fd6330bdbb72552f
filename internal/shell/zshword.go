package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mayEnd reports whether a word may end at an expansion, whatever stands behind
// it: zsh keeps a NUL that a program has printed or read has read, and a program
// is given no more than what stands before it.
func (e *expander) mayEnd(part syntax.WordPart) bool {
	if !e.zsh {
		return false
	}
	switch p := part.(type) {
	case *syntax.CmdSubst:
		_, told := e.output(p)
		return !told && !e.printsText(p)
	case *syntax.ParamExp:
		if p.Param == nil || isLength(p) {
			return false
		}
		name := p.Param.Value
		_, known := e.vars[name]
		return !known && (isPositional(name) || e.sets[name] > 0 || p.Exp != nil)
	}
	return false
}

// printsText reports whether a substitution is of a program that never prints a
// NUL.
func (e *expander) printsText(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 || !plainly(c.Stmts[0]) || e.foreign || e.unsure {
		return false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 {
		return false
	}
	var words []string
	for _, a := range call.Args {
		s, _ := literal(a)
		words = append(words, s)
	}
	name := words[0]
	switch {
	case e.functions[name]:
		return false
	case name == "git":
		return len(words) > 1 && has("rev-parse branch describe merge-base symbolic-ref", words[1]) && !slices.Contains(words, "") &&
			!slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "--format") || s == "--sq-quote" })
	case has("basename dirname readlink realpath", name):
		return !slices.ContainsFunc(words[1:], func(s string) bool { return s == "" || s[0] == '-' })
	}
	return has("pwd whoami hostname uname arch id nproc wc mktemp tty", name)
}
