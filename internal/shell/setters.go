package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// setters looks at a command that may set variables.
func (w *walker) setters(c *syntax.CallExpr) {
	if len(c.Args) == 0 || w.full {
		return
	}
	if program, _ := plainCall(c); program != "" && program != "noglob" {
		return
	}
	e := w.exp
	e.source, e.spent = nil, &w.numbers.spent
	d := doubter{src: w.src, numbers: w.numbers, doubt: func(why string) { w.unknown(w.source(c), why) }}
	args := unprefixed(e.fields(c.Args))
	w.set(&d, args)
	if len(args) > 0 && args[0].static {
		if w.zsh {
			d.zshEvaluates(zshProgram(args), c.Args)
		}
		switch args[0].value {
		case "test", "[":
			d.subscripts(c.Args)
			d.split(c.Args)
		case "wait":
			for _, a := range c.Args {
				d.takes(a, "a word of wait that may say -p: write what to wait for")
			}
		case "unset":
			d.subscripts(c.Args)
			if slices.ContainsFunc(args, func(f word) bool { return !f.static }) {
				for _, a := range c.Args {
					d.takes(a, "a name that the shell evaluates: write it out")
				}
			}
		}
	}
}

// takes looks at a word that must not become code.
func (d *doubter) takes(w *syntax.Word, why string) {
	o := operandOf(w, "0")
	if o.unknown {
		d.doubt(why)
	}
	for _, name := range o.takes {
		d.uses(name)
	}
}

// set notes the variables that the words of a command set.
func (w *walker) set(d *doubter, args []word) {
	if len(args) == 0 {
		return
	}
	anything := operand{unknown: true}
	d.assignments(args)
	switch args[0].value {
	case "let":
		d.doubt("let, whose text shells read in different ways")
	case "read", "mapfile", "readarray", "getopts", "printf":
		if args[0].value == "printf" && !(len(args) > 1 && strings.HasPrefix(args[1].value, "-v")) {
			return
		}
		for _, name := range []string{"REPLY", "MAPFILE", "OPTARG"} {
			d.numbers.sets(name, anything)
		}
		for i, a := range args[1:] {
			if name := strings.TrimLeft(strings.TrimPrefix(a.value, "-v"), "-"); isName(name) {
				d.sets(name, anything)
				d.numbers.arrays[name] = d.numbers.arrays[name] || args[0].value != "printf" && args[0].value != "getopts" && (args[0].value != "read" || readsArray(args[i]))
			}
			if option, name := readOption(a.value); option == 'a' && strings.HasPrefix(a.value, "-") {
				d.sets(name, anything)
				d.numbers.arrays[name] = true
			}
		}
	}
}

// assignments notes what the words of a command set that look like assignments:
// those of a declaration in this shell, those of env in another.
func (d *doubter) assignments(args []word) {
	if args[0].value == "echo" && !d.numbers.texts[function+"echo"] {
		return // echo "code=$code" sets nothing
	}
	sets := d.passes
	if has("declare typeset local export readonly", args[0].value) {
		sets = d.sets
	}
	for _, a := range args {
		known, _ := a.text.Known()
		if name, value, ok := strings.Cut(known, "="); ok && isName(strings.TrimSuffix(name, "+")) {
			sets(strings.TrimSuffix(name, "+"), operand{text: value, unknown: !a.static})
		}
	}
}

// readsArray reports whether a word of read says that an array's name follows.
func readsArray(f word) bool {
	option, value := readOption(f.value)
	return strings.HasPrefix(f.value, "-") && option == 'a' && value == ""
}
