package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// unquoted writes an expansion outside quotes, which is split and globbed.
func (b *builder) unquoted(p *syntax.ParamExp, first bool, rest []syntax.WordPart) {
	name, plainly := simpleName(p)
	if v, ok := b.vars[name]; ok && plainly && !b.loose {
		switch {
		case v.unsplit():
			b.splits = b.splits || hasHole(v, text.Name)
			b.insert(v)
			return
		case !v.static && counts(v) && v.filled:
			b.insert(v)
			return
		case !v.static && counts(v):
			b.hole(text.Number) // or no word at all
			return
		}
	}
	if v, ok := b.shortened(p); ok && !b.loose && v.static && v.unsplit() { // names that are found are looked up again
		b.insert(v)
		return
	}
	switch {
	case isLength(p), b.isStatus(p):
		b.solid, b.filled = b.solid || p.Length, b.filled || p.Length
		b.hole(text.Digits)
	case !plainly:
		b.hole(text.Any)
	case name == "HOME" && first && !b.moved && startsComponent(rest):
		b.leadingHome()
	case name == "?" || name == "$" || name == "#" || name == "!":
		b.solid = b.solid || name != "!" || b.started
		b.filled = b.filled || name != "!" || b.started
		b.hole(text.Digits)
	case name == "IFS":
		b.usually(text.Any, " ")
	case isPositional(name):
		b.usually(text.Any, "")
	default:
		b.variable(text.Any, name)
	}
}

// quoted writes an expansion in double quotes: one word, except where it is
// that of all the positional parameters or of an array.
func (b *builder) quoted(p *syntax.ParamExp, first bool, rest []syntax.WordPart) {
	name, plainly := simpleName(p)
	if v, ok := b.vars[name]; ok && plainly {
		b.insert(v)
		return
	}
	if v, ok := b.shortened(p); ok {
		b.insert(v)
		return
	}
	switch {
	case isLength(p), b.isStatus(p):
		b.hole(text.Digits)
	case isEveryWord(p):
		if plainly {
			b.usually(text.Any, "")
			return
		}
		b.hole(text.Any)
	case !plainly:
		b.hole(text.Word)
	case name == "HOME" && first && !b.moved && startsComponent(rest):
		b.leadingHome()
	case name == "?" || name == "$" || name == "#" || name == "!":
		b.filled = b.filled || name != "!" || b.started
		b.hole(text.Digits)
	case name == "IFS":
		b.usually(text.Word, " ")
	case isPositional(name):
		b.usually(text.Word, "")
	default:
		b.variable(text.Word, name)
	}
}

// leadingHome writes a leading $HOME as the ~ that it is as good as.
func (b *builder) leadingHome() {
	b.homely()
	b.tilde = true
}

// startsComponent reports whether what follows starts with a slash, or is
// nothing.
func startsComponent(rest []syntax.WordPart) bool {
	if len(rest) == 0 {
		return true
	}
	switch p := rest[0].(type) {
	case *syntax.Lit:
		return strings.HasPrefix(p.Value, "/")
	case *syntax.SglQuoted:
		return !p.Dollar && strings.HasPrefix(p.Value, "/")
	case *syntax.DblQuoted:
		if len(p.Parts) > 0 {
			return startsComponent(p.Parts)
		}
	}
	return false
}

// simpleName returns the name of an expansion and whether it is no more than
// that: $name or ${name}.
func simpleName(p *syntax.ParamExp) (name string, plainly bool) {
	if p.Param == nil {
		return "", false
	}
	return p.Param.Value, !p.Excl && !p.Length && !p.Width && p.Index == nil &&
		p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// isEveryWord reports whether a part is $@, ${a[@]} or the like, or becomes it,
// as ${x:-$@} does: as many words as there are, even in quotes.
func isEveryWord(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.DblQuoted:
		return slices.ContainsFunc(p.Parts, isEveryWord)
	case *syntax.ParamExp:
		w, indexed := p.Index.(*syntax.Word)
		if !p.Length && (p.Names != 0 || indexed && w.Lit() == "@" || p.Param != nil && p.Param.Value == "@") {
			return true
		}
		return slices.ContainsFunc(paramWords(p), func(w *syntax.Word) bool { return w != nil && slices.ContainsFunc(w.Parts, isEveryWord) })
	}
	return false
}

// isStatus reports whether an expansion is an element of PIPESTATUS, where
// nothing but the shell sets that.
func (e *expander) isStatus(p *syntax.ParamExp) bool {
	w, indexed := p.Index.(*syntax.Word)
	return e.statuses && indexed && w.Lit() != "" && strings.Trim(w.Lit(), "0123456789") == "" && p.Param.Value == "PIPESTATUS" &&
		!p.Excl && !p.Length && !p.Width && p.Slice == nil && p.Repl == nil && p.Exp == nil
}

// shortened returns what ${name%.ext}, ${name%.*}, ${name##*/} and their like
// become, where that can be told from what the variable holds.
func (e *expander) shortened(p *syntax.ParamExp) (word, bool) {
	if p.Exp == nil || p.Exp.Word == nil {
		return word{}, false
	}
	whole := *p
	whole.Exp = nil
	name, plainly := simpleName(&whole)
	v, ok := e.vars[name]
	if !ok || !plainly || v.homes {
		return word{}, false
	}
	switch pattern := p.Exp.Word.Lit(); p.Exp.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if isEnding(pattern) {
			return v.without(pattern)
		}
		if mark, ok := strings.CutSuffix(pattern, "*"); ok && isMark(mark) && v.static {
			return known(before(v.value, mark, p.Exp.Op == syntax.RemSmallSuffix)), true
		}
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if mark, ok := strings.CutPrefix(pattern, "*"); ok && isMark(mark) && v.static {
			return known(behindMark(v.value, mark, p.Exp.Op == syntax.RemSmallPrefix)), true
		}
	}
	return word{}, false
}

// isMark reports whether a piece of a pattern is one character that parts names.
func isMark(s string) bool { return len(s) == 1 && strings.Contains("./-_:=,@+", s) }

// before returns what stands before the last mark, or the first: all where there
// is none.
func before(s, mark string, last bool) string {
	i := strings.Index(s, mark)
	if last {
		i = strings.LastIndex(s, mark)
	}
	if i < 0 {
		return s
	}
	return s[:i]
}

// behindMark returns what stands behind the first mark, or the last.
func behindMark(s, mark string, first bool) string {
	i := strings.LastIndex(s, mark)
	if first {
		i = strings.Index(s, mark)
	}
	return s[i+1:]
}

// isEnding reports whether a pattern is the end of a file's name and no more.
func isEnding(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// without returns a word less an ending of plain letters, if it certainly ends so.
func (w word) without(ending string) (word, bool) {
	if w.static {
		return known(strings.TrimSuffix(w.value, ending)), true
	}
	var kept []rune
	var holes []text.Hole
	for r, h := range w.text.All() {
		kept, holes = append(kept, r), append(holes, h)
	}
	for i := len(ending) - 1; i >= 0; i-- {
		last := len(kept) - 1
		if last < 0 || holes[last] != 0 || kept[last] != rune(ending[i]) {
			return word{}, false
		}
		kept, holes = kept[:last], holes[:last]
	}
	var b text.Builder
	for i, r := range kept {
		if holes[i] != 0 {
			b.WriteHole(holes[i])
		} else {
			b.WriteString(string(r))
		}
	}
	return word{text: b.Text()}, true
}

// isKeys reports whether an expansion is the list of an array's keys: ${!a[@]}
// and no more.
func isKeys(p *syntax.ParamExp) bool {
	w, ok := p.Index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*") && p.Excl && !p.Length && !p.Width && p.Slice == nil && p.Repl == nil && p.Exp == nil
}

// assignsDefault reports whether an expansion sets its variable where that is
// not set.
func assignsDefault(p *syntax.ParamExp) bool {
	return p.Exp != nil && p.Param != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull)
}

// isLength reports whether an expansion is a length, which is a number.
func isLength(p *syntax.ParamExp) bool { return p.Length && p.Param != nil && !p.Excl }

func isPositional(name string) bool {
	return name == "@" || name == "*" || len(name) == 1 && '1' <= name[0] && name[0] <= '9'
}
