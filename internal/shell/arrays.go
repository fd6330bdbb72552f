package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// lists knows of a line, with all the texts in it, which variables are arrays,
// and which are declared with a text that would be the list of an array's
// elements. Bash expands such a list once more: declare -a x="$y" runs rm where
// y is ($(rm z)).
type lists struct {
	arrays map[string]bool
	values map[string]string // variables, and the text in which they are declared
}

func newLists() *lists {
	return &lists{arrays: make(map[string]bool), values: make(map[string]string)}
}

// expanded returns the texts in which a list is expanded.
func (l *lists) expanded() []string {
	var all []string
	for name, src := range l.values {
		if l.arrays[name] || l.arrays[anyName] || isArray(name) {
			all = append(all, src)
		}
	}
	return all
}

// isArray reports whether a variable of the shell's own is an array.
func isArray(name string) bool {
	switch name {
	case "DIRSTACK", "FUNCNAME", "GROUPS", "MAPFILE", "PIPESTATUS", "COPROC":
		return true
	}
	return strings.HasPrefix(name, "BASH_")
}

// declares notes what the words of declare, or one of its like, make arrays, and
// reports whether the value of one is a list that is expanded.
func (l *lists) declares(command, src string, words []word) (expands bool) {
	array := false
	for _, f := range words {
		if known := leading(f); strings.HasPrefix(known, "-") {
			array = array || strings.ContainsAny(known, "aA")
		}
	}
	for _, f := range words {
		target, value, assigns := strings.Cut(leading(f), "=")
		name, _, indexed := strings.Cut(strings.TrimSuffix(target, "+"), "[")
		if !isName(name) {
			continue
		}
		if array || indexed {
			l.arrays[name] = true
		}
		switch {
		case !assigns || indexed || !isList(f, value):
		case array:
			expands = true
		case command != "export" && command != "readonly":
			l.values[name] = src
		}
	}
	return expands
}

// isList reports whether the value in a word, of which the start is known, may
// be a list with something in it to expand. A list starts with a parenthesis.
func isList(f word, value string) bool {
	switch {
	case f.static:
		return strings.HasPrefix(value, "(") && (strings.ContainsAny(value, "$`[") || containsAny(value, "<(", ">("))
	case value == "":
		return hasHole(f, text.Any) || hasHole(f, text.Args) || hasHole(f, text.Word) || hasHole(f, text.Name)
	}
	return value[0] == '('
}

// elements notes which array arithmetic sets an element of.
func (l *lists) elements(n syntax.Node) {
	if w, ok := arithmeticOperand(n).(*syntax.Word); ok && len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.ParamExp); ok && p.Param != nil {
			l.arrays[p.Param.Value] = true
		}
	}
}
