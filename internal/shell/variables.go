package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// needsRule reports whether setting a variable to what is not known needs a
// rule that allows it.
func (w *walker) needsRule(name string) bool {
	return name == "" || isSpecial(name) || w.zsh && zshReads(name) || isLocale(name) || (steers(name) || w.facts.exported[name]) && !w.harmless(name)
}

// assignable reports whether an assignment that stands by itself needs no rule.
func (w *walker) assignable(a assignment) bool {
	return isLocale(a.name) && w.mild(a) || !w.needsRule(a.name)
}

// mild reports whether an assignment is one that a command may run behind
// without a rule that names it.
func (w *walker) mild(a assignment) bool {
	return a.plain && w.harmless(a.name) && (!isLocale(a.name) || a.value.static && keepsASCII(a.value.value))
}

func (w *walker) harmless(name string) bool {
	return IsHarmless(name) || w.Harmless != nil && w.Harmless(name)
}

// allHarmless reports whether a text may run behind these assignments without
// a rule that names them.
func (w *walker) allHarmless(as []assignment) bool {
	return !slices.ContainsFunc(as, func(a assignment) bool { return !w.mild(a) })
}

// sets adds a part for a variable that something else than an assignment sets,
// if it is one that needs a rule.
func (w *walker) sets(name string) {
	switch source := name + "=…"; {
	case !w.needsRule(name):
	case name == "", isSpecial(name):
		w.unknown(source, "what the variable "+name+" is set to")
	default:
		as := assignment{name: name}
		w.add(Part{Source: source, Narrow: []text.Text{as.text()}, Unknown: "what is assigned to " + name + ": write the value"})
	}
}

// arithmeticOperand returns what arithmetic sets, if it does.
func arithmeticOperand(n syntax.Node) syntax.ArithmExpr {
	switch n := n.(type) {
	case *syntax.BinaryArithm:
		if isAssignment(n.Op) {
			return n.X
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			return n.X
		}
	}
	return nil
}

// arithmeticTarget returns the variable that arithmetic sets, if it does.
func arithmeticTarget(n syntax.Node) string {
	w, ok := arithmeticOperand(n).(*syntax.Word)
	if !ok || len(w.Parts) != 1 {
		return ""
	}
	if p, ok := w.Parts[0].(*syntax.ParamExp); ok && p.Param != nil {
		return p.Param.Value // an element of an array
	}
	return textOf(w)
}

// comparedNames returns the variables that the operands of a test may set,
// which are arithmetic: [[ 1 -eq x=2 ]]. One that may be any has no name.
func comparedNames(t *syntax.BinaryTest) []string {
	switch t.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return nil
	}
	var all []string
	for _, x := range []syntax.TestExpr{t.X, t.Y} {
		if w, ok := x.(*syntax.Word); ok {
			if o := operandOf(w, gap); assignsIn(o.text) {
				all = append(all, names(o.text)...)
			}
		}
	}
	for i, name := range all {
		if name == anyName {
			all[i] = ""
		}
	}
	return all
}

// isReserved reports whether the shell itself sets a variable.
func isReserved(name string) bool {
	switch name {
	case "_", "OLDPWD", "PWD", "REPLY", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "EPOCHREALTIME",
		"OPTARG", "OPTIND", "UID", "EUID", "PPID", "SHLVL", "HOSTNAME", "COLUMNS", "LINES", "MAPFILE", "COPROC", "SRANDOM",
		"DIRSTACK", "FUNCNAME", "GROUPS", "PIPESTATUS", "SHELLOPTS":
		return true
	}
	return strings.HasPrefix(name, "COMP_") || strings.HasPrefix(name, "READLINE_") || strings.HasPrefix(name, "HIST")
}

// harmlessSet reports whether set only turns on or off what no reading depends
// on.
func harmlessSet(args []word) bool {
	return len(args) > 0 && setsOnly(args, "eux", "pipefail")
}

// readableSet reports whether what set does to words is known: no more than
// that globs stay what they are, or that there are other positional
// parameters. set -k takes words away from commands, +B leaves braces as they
// are, -a exports what is assigned.
func readableSet(args []word) bool {
	for i, f := range args {
		if i > 0 && strings.HasSuffix(args[i-1].value, "o") && len(args[i-1].value) > 1 {
			continue // the name of an option
		}
		if f.static && f.value == "--" || !f.static && !f.several() && i > 0 || f.static && f.value != "" && f.value[0] != '-' && f.value[0] != '+' {
			args = args[:i]
			break
		}
	}
	return setsOnly(args, "euxfvCEThbmnt", "pipefail errexit nounset xtrace noglob verbose noclobber errtrace functrace")
}

// setsOnly reports whether all words are options of the shell among those that
// are listed, by letter and by name.
func setsOnly(args []word, letters, names string) bool {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !a.static || len(a.value) < 2 || a.value[0] != '-' && a.value[0] != '+' {
			return false
		}
		for _, c := range a.value[1:] {
			switch {
			case c == 'o' && i+1 < len(args) && args[i+1].static && has(names, args[i+1].value):
				i++
			case !strings.ContainsRune(letters, c):
				return false
			}
		}
	}
	return true
}
