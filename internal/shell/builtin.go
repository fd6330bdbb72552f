package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtin marks a built-in that needs no rule beside other commands, and adds
// what its operands may do.
func (w *walker) builtin(c *command, name string) {
	args := c.fields[1:]
	switch name {
	case ":", "true", "false", "break", "continue", "return", "exit", "shift", "pwd":
		c.free = true
	case "[", "test":
		c.free = w.condition(c)
	case "wait":
		c.free = !w.setsByOption(c, 'p')
	case "printf":
		if len(args) > 0 && mayName(args[0], len(args) > 1) {
			w.unknown(c.source, "a first word of printf that may say -v: write the format there")
		}
		w.setsByOption(c, 'v')
	case "read":
		c.free = w.reads(c)
	case "source", ".":
		w.sources(c)
		w.sourced, w.exp.vars = true, make(map[string]word)
	case "mapfile", "readarray":
		c.free = w.fills(c)
		w.callback(c, "dnOsuc")
	case "compgen", "complete", "bind":
		w.callback(c, "AoGPS")
	case "getopts":
		if len(args) > 1 {
			w.setsVariable(c, args[1])
		}
	case "set":
		c.free = harmlessSet(args)
		if !readableSet(args) {
			w.unknown(c.source, "an option of the shell that changes what it reads or hands on")
		}
	case "shopt":
		c.free = harmlessShopt(args)
	case "command":
		c.free = len(args) > 1 // only -v and -V come here
	case "cd":
		c.free = len(args) == 1 && w.inside(args[0])
	case "pushd": // of a number it is another directory of those before
		c.free = len(args) == 1 && w.inside(args[0]) && isPlain(args[0].value) && !strings.HasPrefix(args[0].value, "+")
	case "popd":
		c.free = len(args) == 0
	default:
		w.rarely(c, name)
	}
	harmless := !slices.ContainsFunc(c.assigns, func(a assignment) bool { return !w.harmlessFor(c, a) })
	if w.defines(c) {
		c.free = harmless
		return
	}
	c.free = c.free && harmless && !w.facts.functions[name] && c.fields[0].value == name && staticOrPlain(args)
}

// defines reports whether a command is a call of a function that the text has
// defined for certain: what that runs has been read where it is defined.
func (w *walker) defines(c *command) bool {
	name := c.fields[0]
	return c.layers == 0 && name.static && w.defined[name.value] && !w.facts.undefines && !w.sourced
}

// harmlessFor reports whether an assignment may stand before a command without a
// word in the rule that allows it. IFS may before read: it holds for that alone,
// and how it splits what nobody knows does not matter.
func (w *walker) harmlessFor(c *command, a assignment) bool {
	return w.mild(a) || a.name == "IFS" && c.fields[0].value == "read" && !w.facts.functions["read"]
}

// defined returns the function that a statement defines and does no more. The
// parser takes what follows the body with a && or a | for some of it, and bash
// does not.
func defined(s *syntax.Stmt) string {
	f, ok := s.Cmd.(*syntax.FuncDecl)
	if !ok || f.Name == nil || !plainly(s) || strings.Contains(f.Name.Value, "/") {
		return ""
	}
	switch f.Body.Cmd.(type) {
	case *syntax.Block, *syntax.Subshell:
		return f.Name.Value
	}
	return ""
}

// staticOrPlain reports whether words are nothing that a built-in would take
// for an option.
func staticOrPlain(args []word) bool {
	return !slices.ContainsFunc(args, func(f word) bool {
		if f.static {
			return false
		}
		known, _ := f.text.Known()
		return strings.HasPrefix(known, "-")
	})
}

// setsByOption adds what is set where a built-in sets the variable that an
// option names, and reports whether it does.
func (w *walker) setsByOption(c *command, option byte) bool {
	for i, f := range c.fields[1:] {
		known, _ := f.text.Known()
		if !f.static && (i == 0 || f.several()) && c.name() != "printf" {
			if counts(f) {
				continue
			}
			return true
		}
		at := optionIn(known, option)
		if at < 0 {
			if c.name() == "printf" {
				return false
			}
			continue
		}
		target := word{}
		if rest := known[at+1:]; rest != "" || !f.static {
			target = word{text: f.text, static: f.static, value: rest}
		} else if i+2 < len(c.fields) {
			target = c.fields[i+2]
		}
		w.setsVariable(c, target)
		return true
	}
	return false
}

// mayName reports whether the first word of printf may become -v and a name,
// which the shell evaluates. A name ends with what names are made of, or with a
// bracket, so a format with a line break at its end is none.
func mayName(f word, more bool) bool {
	if f.static || !f.several() && !more || !mayBeOption(f) {
		return false
	}
	if f.several() {
		return true
	}
	s := f.text.String()
	tail := s[strings.LastIndex(s, "…")+len("…"):]
	return tail == "" || strings.HasSuffix(tail, "]") || isName("x"+tail)
}

// setsVariable adds what setting a variable of that name may do.
func (w *walker) setsVariable(c *command, f word) {
	switch {
	case !f.static, evaluated(f), strings.Contains(f.value, "["):
		w.unknown(c.source, "a name that the shell evaluates")
	default:
		w.sets(f.value)
	}
}

// reads reads the names that read sets, and reports whether it sets nothing
// else and takes no option but -r.
func (w *walker) reads(c *command) bool {
	plainly := true
	for fields := c.fields[1:]; len(fields) > 0; fields = fields[1:] {
		f := fields[0]
		if !f.static || !strings.HasPrefix(f.value, "-") {
			w.setsVariable(c, f)
			plainly = plainly && f.static && isAssignmentWord(f.value+"=")
			continue
		}
		plainly = plainly && f.value == "-r"
		option, value := readOption(f.value)
		switch {
		case option == 'a' && value != "":
			w.setsVariable(c, word{text: f.text, static: true, value: value})
		case option != 0 && option != 'a' && value == "" && len(fields) > 1 && !fields[1].several():
			fields = fields[1:] // a prompt, a number or the like
		}
	}
	return plainly
}

// readOption returns the option of read in a word that takes a value, and what
// of it is in the same word.
func readOption(s string) (option byte, value string) {
	i := strings.IndexAny(s, "adinNptu")
	if i < 0 {
		return 0, ""
	}
	return s[i], s[i+1:]
}

// fills reads the name of the array that mapfile sets, and reports whether it
// sets one and takes no option but -t.
func (w *walker) fills(c *command) bool {
	names, plainly := 0, true
	for i, f := range c.fields[1:] {
		known, _ := f.text.Known()
		if !belongs(c.fields[i], f, "dnOsuc") && !strings.HasPrefix(known, "-") {
			w.setsVariable(c, f)
			names++
		}
		plainly = plainly && f.static && (isName(f.value) && !w.needsRule(f.value) || f.value == "-t")
	}
	return plainly && names == 1
}

// belongs reports whether a word is the value of the option before it, one of
// those that are listed.
func belongs(before, f word, options string) bool {
	s := before.value
	return !f.several() && len(s) > 1 && s[0] == '-' && strings.IndexByte(options, s[len(s)-1]) >= 0
}

// callback adds a hole for a built-in that runs one of its operands, or may: a
// word that is not known may be the option that says so, unless it is the value
// of one that is listed.
func (w *walker) callback(c *command, options string) {
	for i, f := range c.fields[1:] {
		known, _ := f.text.Known()
		switch {
		case strings.HasPrefix(known, "-") && strings.ContainsAny(known, "CFxW"), f.several(), !f.static && mayBeOption(f) && !belongs(c.fields[i], f, options):
			w.unknown(c.source, "a callback")
			return
		case evaluated(f):
			w.unknown(c.source, "a name that the shell evaluates")
			return
		}
	}
}

// harmlessShopt reports whether shopt only changes how names of files are
// found.
func harmlessShopt(args []word) bool {
	for _, f := range args {
		switch f.value {
		case "-s", "-u", "-q", "nullglob", "globstar", "dotglob", "failglob", "nocaseglob":
		default:
			return false
		}
	}
	return len(args) > 0
}
