package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call looks at what a command may do to the shell that runs it. Where its name
// is a variable that is looked at once all values are there.
func (x *facts) call(c *syntax.CallExpr, values map[string]word) {
	if program, plain := plainCall(c); plain || program != "" && !x.functions[program] {
		return
	}
	if isCD(c) && x.circles == 0 && values == nil {
		x.straight++
	}
	e := expander{doubt: func(string) {}, spent: &x.spent}
	if len(values) > 0 {
		e.vars = make(map[string]word)
	}
	for v, value := range values {
		if (value.static || counts(value)) && x.sets[v] == 1 {
			e.vars[v] = value
		}
	}
	args := unprefixed(e.fields(c.Args))
	switch {
	case len(args) == 0:
	case values == nil && args[0].value == "wait" && !slices.ContainsFunc(args, func(f word) bool { return optionIn(leading(f), 'p') > 0 }):
		x.pending = append(x.pending, c) // what it waits for may be numbers
	case args[0].static:
		x.passes(args[1:])
		x.effects(args[0].value, args[1:], values != nil)
		if args[0].value == "read" && !x.functions["read"] {
			for _, a := range c.Assigns {
				x.passing[a] = true
			}
		}
	case values == nil:
		x.pending = append(x.pending, c)
	case strings.Contains(args[0].text.String(), "/"): // no built-in
	default:
		x.setsUnknown()
		x.moves = true
		x.cds++
	}
}

// passes notes the variables that the words of a command set for another one,
// as those of env do.
func (x *facts) passes(words []word) {
	for _, f := range words {
		if name, _, ok := strings.Cut(leading(f), "="); ok && isSpecial(name) {
			x.set(name)
		}
	}
}

// unprefixed returns words without those that only say where the command is to
// be found, and without the -- of time.
func unprefixed(args []word) []word {
	for len(args) > 0 && args[0].static && slices.Contains([]string{"builtin", "command", "--", "-p"}, args[0].value) {
		args = args[1:]
	}
	return args
}

// effects notes what a command does to the shell. Late tells that its name is a
// variable.
func (x *facts) effects(name string, rest []word, late bool) {
	switch name {
	case "cd", "pushd", "popd":
		x.moves = true
		x.cds++
	case "setopt", "unsetopt", "emulate": // of zsh
		x.loose, x.cdpath = true, true
	case "shopt":
		x.loose = true
		x.cdpath = x.cdpath || !harmlessShopt(rest)
	case "set":
		x.loose = x.loose || !harmlessSet(rest)
		x.shares = x.shares || !readableSet(rest) // -a exports functions
	case "eval":
		x.text(together(rest))
	case "trap":
		if i := trapText(rest); i >= 0 {
			x.text(rest[i])
		}
	case "alias":
		x.setsAny, x.moves = true, true
		x.cds++
	case "export", "declare", "typeset", "readonly", "local":
		x.setsAny = true
		x.setNames(rest)
		for _, f := range rest {
			name, _, _ := strings.Cut(f.value, "=")
			x.exported[name] = true
			x.shares = x.shares || sharesFunctions(f)
		}
	case "source", ".":
		// What stands before it still holds: see walker.sourced.
		x.setsAny = x.setsAny || x.again > 0 || x.texts > 0 || late
	case "test", "[":
		x.indexes(rest)
	case "unset":
		x.unset = append(x.unset, rest...)
		fallthrough
	case "mapfile", "readarray", "getopts":
		x.setsAny = true
		x.setNames(rest)
	case "unfunction", "disable": // of zsh
		x.undefines = true
	case "enable":
		x.setsAny = true
	case "printf":
		x.setByOption(rest[:min(1, len(rest))], rest, 'v')
	case "wait":
		x.setByOption(rest, rest, 'p') // what stands before may be nothing
	case "read":
		x.read(rest)
	}
	if x.functions[name] {
		x.setsAny = true
	}
}

// setByOption notes the variable that an option of printf or wait names, which is
// one of some words: the first of all.
func (x *facts) setByOption(options, all []word, option byte) {
	for i, f := range options {
		if counts(f) && !strings.HasPrefix(leading(f), "-") {
			continue
		}
		x.setsAny = true
		switch at := optionIn(leading(f), option); {
		case at > 0 && !f.static:
			x.setsUnknown()
		case at > 0 && at+1 < len(f.value):
			x.setNames([]word{known(f.value[at+1:])})
		case at > 0, !f.static && mayName(f, i+1 < len(all)):
			x.setNames(all[i+1 : min(i+2, len(all))])
		}
	}
}

// optionIn returns where in a word of options one is, or a number below 1. What
// stands behind it is its value.
func optionIn(s string, option byte) int {
	if !strings.HasPrefix(s, "-") {
		return -1
	}
	return strings.IndexByte(s, option)
}

// sharesFunctions reports whether a word of export or declare exports functions.
func sharesFunctions(f word) bool {
	return strings.HasPrefix(f.value, "-") && strings.ContainsAny(f.value, "fF")
}

// read notes the variables that read sets.
func (x *facts) read(args []word) {
	for _, a := range args {
		if !a.static || strings.HasPrefix(a.value, "-") && a.value != "-r" {
			x.setsAny = true
			x.setNames(args)
			_, name := readOption(strings.TrimPrefix(a.value, "-"))
			x.setNames([]word{known(name)})
			return
		}
		x.set(a.value)
	}
	x.set("REPLY")
}

func (x *facts) declaration(d *syntax.DeclClause) {
	for _, a := range d.Args {
		switch {
		case a.Name != nil:
			if !onlyExports(d) {
				x.sets[a.Name.Value]++ // beside what the assignment itself counts
			}
			if exports(d) {
				x.exported[a.Name.Value] = true
			}
		default:
			x.setsAny = x.setsAny || a.Value == nil || a.Value.Lit() != "-x"
			if a.Value != nil {
				e := expander{doubt: func(string) {}}
				f := e.one(a.Value)
				x.setNames([]word{f})
				x.shares = x.shares || sharesFunctions(f)
			}
		}
	}
}

// onlyExports reports whether a declaration is export NAME=value and no more.
func onlyExports(d *syntax.DeclClause) bool {
	return d.Variant.Value == "export" && !slices.ContainsFunc(d.Args, func(a *syntax.Assign) bool { return a.Name == nil || a.Naked })
}

// exports reports whether a declaration exports its names.
func exports(d *syntax.DeclClause) bool {
	return d.Variant.Value == "export" || slices.ContainsFunc(d.Args, func(a *syntax.Assign) bool {
		return a.Name == nil && (a.Value == nil || !strings.HasPrefix(a.Value.Lit(), "-") || strings.Contains(a.Value.Lit(), "x"))
	})
}

// setsUnknown notes that a variable is set of which the name is not known.
func (x *facts) setsUnknown() {
	x.setsAny, x.home, x.cdpath, x.unsure, x.repaths = true, true, true, true, true
}

// mayUndefine reports whether a word of unset may be a function's name, or the
// option that says so.
func (x *facts) mayUndefine(f word) bool {
	return !f.static || x.functions[f.value] || strings.HasPrefix(f.value, "-") && f.value != "-v"
}

// setNames notes the variables that words of a built-in name, or may.
func (x *facts) setNames(words []word) {
	for _, f := range words {
		name, _, _ := strings.Cut(leading(f), "=")
		name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
		switch {
		case isName(name) && (f.static || len(name) < len(leading(f))):
			x.set(name)
		case !f.static && !counts(f):
			x.setsUnknown()
		}
	}
}

// indexes notes what the words of test set in the indexes of elements.
func (x *facts) indexes(words []word) {
	for i, f := range words {
		if i == 0 || !asks(words[i-1]) || !strings.Contains(f.value, "[") || !assignsIn(f.value) {
			continue
		}
		x.setsAny = true
		for _, name := range names(f.value) {
			x.set(name)
		}
	}
}
