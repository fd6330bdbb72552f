package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// reason says what about a piece of a word is not known, and how to write it so
// that it is.
func (e *expander) reason(part syntax.WordPart) string {
	switch p := part.(type) {
	case *syntax.Lit:
		if strings.HasPrefix(p.Value, "~") {
			return "the home of " + strings.TrimRight(strings.SplitN(p.Value, "/", 2)[0], "/") + ": write the path"
		}
		return "the names that a wildcard stands for: write the names"
	case *syntax.ParamExp:
		return reasonOfParam(p)
	case *syntax.CmdSubst:
		return "what $(" + program(p) + ") prints: write that, a path or a branch name say, instead of the substitution"
	case *syntax.ProcSubst:
		return "a pipe in place of a file: write a file's name"
	case *syntax.ArithmExp:
		return "the result of arithmetic: write the number"
	}
	return "an expansion: write what it stands for"
}

func reasonOfParam(p *syntax.ParamExp) string {
	name, plainly := simpleName(p)
	switch {
	case name == "":
		return "an expansion: write what it stands for"
	case !plainly:
		return "what ${" + name + "…} becomes: write the value"
	case isPositional(name) || name == "0":
		return "the parameter $" + name + ": write its value"
	case name == "HOME":
		return "the value of $HOME, which does not stand before a slash or is set by the line: write the path"
	case strings.Trim(name, "?$!#-0123456789") == "":
		return "the value of $" + name + ", which only the shell knows"
	}
	return "the value of $" + name + ": write the value, or assign it before, as a command of its own"
}

// program returns the program that a substitution starts with, for people.
func program(c *syntax.CmdSubst) string {
	if len(c.Stmts) == 0 {
		return "…"
	}
	if call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
		if name := call.Args[0].Lit(); name != "" && len(name) < 40 && len(call.Args)+len(c.Stmts) > 2 {
			return restore(name) + " …"
		} else if name != "" && len(name) < 40 {
			return restore(name)
		}
	}
	return "…"
}

// unknownWords says what is not known of a command, if there is something.
func unknownWords(fields []word) string {
	for i, f := range fields {
		switch {
		case f.static:
		case f.why == "":
			return "words that are known only when it runs"
		case i == 0:
			return "which program runs: " + f.why
		default:
			return f.why
		}
	}
	return ""
}
