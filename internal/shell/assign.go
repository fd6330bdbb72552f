package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// An assignment sets a variable.
type assignment struct {
	name  string
	value word
	plain bool // name=value and no more
}

func (w *walker) assignment(a *syntax.Assign) assignment {
	name := ""
	if a.Name != nil {
		name = a.Name.Value
	}
	return assignment{name: name, value: w.value(a), plain: !a.Append && a.Index == nil && a.Array == nil}
}

// text returns an assignment as a rule spells it.
func (a assignment) text() text.Text {
	var b text.Builder
	b.WriteString(a.name + "=")
	if a.plain {
		b.Write(a.value.text)
	} else {
		b.WriteHole(text.Any)
	}
	return b.Text()
}

// assigns reads an assignment that stands by itself. It needs a rule if its
// variable changes what runs.
func (w *walker) assigns(a *syntax.Assign) {
	as := w.assignment(a)
	w.suppose(as)
	w.add(Part{
		Source: w.source(a), Narrow: []text.Text{as.text()}, Unknown: unknownIf(!as.value.static || !as.plain, "what is assigned to "+as.name+": write the value"),
		Free: w.assignable(as),
	})
	w.programs([]assignment{as}, w.source(a))
}

// declares looks at what the words of a declaration make of its variables.
func (w *walker) declares(name, source string, words []word) {
	if w.numbers.declares(name, source, words) {
		w.unknown(source, "a value for an array that the shell expands: write its elements in parentheses")
	}
}

func unknownIf(is bool, why string) string {
	if is {
		return why
	}
	return ""
}

// declaration reads export, declare, local and their like.
func (w *walker) declaration(d *syntax.DeclClause) {
	w.nested(d)
	fields := []word{known(d.Variant.Value)}
	free, evaluates := true, false
	var assigned []assignment
	var words []word // that are no lists already
	for _, a := range d.Args {
		as := w.assignment(a)
		if braced(a.Value) {
			as.plain = false // export A={b,c} is export A=b A=c
		}
		w.suppose(as)
		if a.Name != nil && !a.Naked {
			assigned = append(assigned, as)
		}
		switch {
		case a.Name == nil:
			opt := w.exp.one(a.Value)
			evaluates = evaluates || !opt.static || !strings.HasPrefix(opt.value, "-") || strings.ContainsAny(opt.value, "in")
			fields, words = append(fields, opt), append(words, opt)
			free = false
		case a.Naked:
			fields, words = append(fields, known(as.name)), append(words, known(as.name))
			free = free && (d.Variant.Value == "local" || w.harmless(as.name)) && (isLocale(as.name) || !w.needsRule(as.name))
		default:
			fields = append(fields, word{text: as.text(), static: as.plain && as.value.static, value: as.name + "=" + as.value.value})
			if a.Array == nil && a.Index == nil {
				words = append(words, fields[len(fields)-1])
			}
			free = free && (w.mild(as) || d.Variant.Value == "local" && !w.needsRule(as.name))
		}
	}
	if evaluates {
		w.unknown(w.source(d), "a declaration whose words are read as code")
	}
	w.declares(d.Variant.Value, w.source(d), words)
	if d.Variant.Value != "local" && d.Variant.Value != "export" {
		free = false
	}
	w.add(w.part(command{fields: fields, source: w.source(d), free: free}))
	w.programs(assigned, w.source(d))
}

// remember keeps what a variable certainly holds from here on.
func (w *walker) remember(s *syntax.Stmt) {
	if _, ok := s.Cmd.(*syntax.BinaryCmd); ok || w.sourced {
		return // what an and-list starts with has been read by itself
	}
	all := assignsFirst(s)
	for _, a := range all {
		if a.Name == nil {
			continue
		}
		name := a.Name.Value
		_, had := w.exp.vars[name]
		number := w.facts.counter(name)
		switch v, ok := w.becomes(a); {
		case ok:
			w.exp.vars[name] = v
		case !number:
			delete(w.exp.vars, name)
		}
		once := w.facts.once(name)
		if !(had && number) && a.Value != nil && w.fails(a.Value) || !once && !number && (!w.leads || len(all) > 1) {
			w.shaky = append(w.shaky, name)
		}
	}
}

// becomes returns what a variable certainly holds behind an assignment.
func (w *walker) becomes(a *syntax.Assign) (word, bool) {
	if a.Index != nil || a.Array != nil || a.Naked {
		return word{}, false
	}
	name, v := a.Name.Value, w.value(a)
	if a.Append {
		outer, ok := w.exp.vars[name]
		if v = outer.with(v); !ok || !w.facts.inOrder(name) {
			return word{}, false
		}
	}
	if (w.facts.once(name) || w.facts.inOrder(name)) && v.holds() && v.short() {
		return v, true
	}
	return counted(), !a.Append && w.facts.counter(name)
}

// with returns a word with another behind it, or one that does not hold.
func (w word) with(v word) word {
	if !w.static || !v.static || w.homes || v.homes {
		return hole(text.Any)
	}
	return known(w.value + v.value)
}

// short reports whether a word is one that is worth to be kept: a line, and no
// long one.
func (w word) short() bool {
	known, _ := w.text.Known()
	return len(known) <= maxValue && !strings.Contains(known, "\n")
}

// suppose keeps what a variable may hold from here on.
func (w *walker) suppose(a assignment) {
	if a.plain && a.value.holds() && a.value.value != "" && a.value.short() {
		w.guesses[a.name] = a.value
	}
}

// value returns the word that an assignment assigns.
func (w *walker) value(a *syntax.Assign) word {
	if a.Value == nil {
		return known("")
	}
	return w.exp.only(a.Value, true)
}

// startsAssignment reports whether a word that starts with s looks like an
// assignment. bash then takes a ~ behind its = for the home, wherever the word
// stands.
func startsAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	name = strings.TrimSuffix(name, "+")
	return ok && isName(name)
}

func isName(s string) bool { return s != "" && isAssignmentWord(s+"=") }

func isAssignmentWord(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
