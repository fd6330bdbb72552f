package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A shell that reads its script from its input reads on where the commands of
// the script have left off. One that takes a line of that input makes another
// script of what follows: what was a text in quotes may be commands.

// fromInput reads a text that a shell of that name reads as its script.
func (w *walker) fromInput(src, shell string) {
	input, fed := w.input, w.fed
	w.input, w.fed = true, false
	w.text(src, shell)
	w.input, w.fed = input, fed
}

// isOwn reports whether a file is certainly not what the shell itself reads.
func isOwn(f word) bool { return f.value == "/dev/null" || !elusive(f) }

// interactive reports whether an option makes a shell one that people type
// into.
func interactive(f word) bool {
	return strings.HasPrefix(f.value, "-") && !strings.HasPrefix(f.value, "--") && strings.Contains(f.value, "i")
}

// feeding reads what has an input of its own, if that is so.
func (w *walker) feeding(own bool, read func()) {
	fed := w.fed
	w.fed = fed || own
	read()
	w.fed = fed
}

// hungry reports whether a command that reads its input reads the script.
func (w *walker) hungry() bool { return w.input && !w.fed }

// given reports whether a command without an input of its own may read one that
// comes from somewhere in the line.
func (w *walker) given() bool { return w.fed || w.input || w.lent || w.changed }

// lending reads what may run with an input that stands elsewhere: of a function
// that of its call, of a coprocess that of a pipe.
func (w *walker) lending(read func()) {
	lent := w.lent
	w.lent = true
	read()
	w.lent = lent
}

// compound reads a statement that is no simple command. Its redirections hold
// for all that is in it; of a function that is when it is called.
func (w *walker) compound(s *syntax.Stmt) {
	in := w.stdin(s)
	own := in != nil && in.own
	defer func(lent bool) { w.lent = lent }(w.lent)
	w.lent = w.lent || in != nil
	switch c := s.Cmd.(type) {
	case *syntax.FuncDecl:
		fed := w.fed
		w.fed = own
		w.nested(c)
		w.fed = fed
	case *syntax.Subshell:
		w.feeding(own, func() { w.within(c.Stmts) })
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			w.and(c, false)
			break
		}
		w.stmt(c.X)
		w.feeding(c.Op == syntax.Pipe || c.Op == syntax.PipeAll, func() { w.stmt(c.Y) })
	case *syntax.ForClause:
		w.feeding(own, func() { w.loop(c) })
	default:
		w.feeding(own, func() { w.nested(c) })
	}
}

// takes adds a hole for a command that may take lines of the script that the
// shell reads, or change where it reads them from.
func (w *walker) takes(c *command, name string) {
	if name == "exec" && c.stdin != nil {
		w.changed = true
	}
	switch {
	case name == "exec" && w.input && c.stdin != nil:
		w.unknown(c.source, "exec, which changes what the shell reads its script from")
	case w.input && slices.ContainsFunc(c.fields, reaches):
		w.unknown(c.source, "a name of what the shell reads its script from")
	case w.hungry() && (name == "" || takesSome(name, c.fields[1:])):
		w.unknown(c.source, "a command that may read lines of the script itself: give it another input, such as < /dev/null")
	}
}

// shares reports whether a redirection makes what its command reads reachable in
// another way, if only perhaps: through another descriptor, or to be written.
func (w *walker) shares(r *syntax.Redirect) bool {
	_, piped := first(r.Word.Parts).(*syntax.ProcSubst)
	lit := r.Word.Lit()
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	case syntax.DplIn, syntax.DplOut:
		if isDescriptor(lit) {
			return lit != "-" && strings.Trim(strings.TrimSuffix(lit, "-"), "0") == ""
		}
	case syntax.RdrIn:
		f := w.exp.one(r.Word)
		if r.N == nil || strings.Trim(r.N.Value, "0") == "" {
			return reaches(f) && strings.Contains(f.text.String(), "/proc/") // that of another process
		}
		return !isOwn(f) && !(piped && len(r.Word.Parts) == 1)
	}
	return reaches(w.exp.one(r.Word))
}

// reaches reports whether a word names the input of a process, or the directory
// of one's descriptors, or may do so by a name of which the start is known.
func reaches(f word) bool {
	if !f.static {
		known := leading(f)
		substituted := strings.HasPrefix(f.source, "<(") || strings.HasPrefix(f.source, ">(")
		return !substituted && strings.HasPrefix(known, "/dev/") && (strings.HasPrefix("/dev/stdin", known) || strings.HasPrefix(known, "/dev/fd/")) ||
			strings.Contains(f.text.String(), "/proc/")
	}
	dir, name := path.Split(path.Clean(f.value))
	switch {
	case name == "stdin":
		return dir == "" || strings.HasSuffix(dir, "dev/")
	case name == "fd":
		return strings.HasSuffix(dir, "/dev/") || strings.HasPrefix(dir, "/proc/")
	}
	return name != "" && strings.Trim(name, "0") == "" && strings.HasSuffix(dir, "fd/")
}

// takesSome reports whether a program may read a part of its input and leave
// the rest.
func takesSome(name string, args []word) bool {
	switch name {
	case "read", "mapfile", "readarray", "line":
		return true
	case "sudo":
		return slices.ContainsFunc(args, func(f word) bool {
			return !f.static || strings.HasPrefix(f.value, "-") && containsAny(f.value, "S", "stdin")
		})
	case "dd":
		return !slices.ContainsFunc(args, func(f word) bool {
			file, ok := strings.CutPrefix(f.value, "if=")
			return ok && !elusive(known(file))
		})
	case "head":
		return files(args, "cn") < 1
	case "sed":
		return files(args, "efl") < 1+programs(args, "nErsuz", "ef")
	case "grep", "egrep", "fgrep":
		return files(args, "efmABCdD") < 1+programs(args, "cEFGHhIiLlnoPqRrsvwxyz", "ef")
	case "awk", "gawk", "mawk", "nawk":
		return files(args, "veEfFilW") < 1+programs(args, "", "ef")
	case "od", "xxd", "hexdump", "hd":
		return files(args, "AjNStwcglosnRef") < 1
	}
	return false
}

// files counts the words that certainly are files, or a program's own text
// before them: no options, nor what may be the value of one. There are none if
// one word may be the input itself. Values are the short options that take one.
func files(args []word, values string) int {
	n := 0
	for i := 0; i < len(args); i++ {
		s := args[i].value
		switch {
		case s == "--":
		case s == "-":
			return 0
		case s != "" && mayBeOption(args[i]):
			if strings.HasPrefix(s, "--") && !strings.Contains(s, "=") || strings.IndexByte(values, s[len(s)-1]) >= 0 {
				i++
			}
		case isOwn(args[i]):
			n++
		default:
			return 0
		}
	}
	return n
}

// programs returns how many operands before the files are a program's own text:
// one, unless an option gives it.
func programs(args []word, flags, options string) int {
	for _, f := range args {
		if rest, ok := strings.CutPrefix(f.value, "-"); ok {
			if rest = strings.TrimLeft(rest, flags); rest != "" && strings.IndexByte(options, rest[0]) >= 0 {
				return 0
			}
		}
	}
	return 1
}
