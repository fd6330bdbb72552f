package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// anyName stands for a name that is put together while the line runs.
const anyName = "*"

// numbers knows of a line, with all the texts in it, which variables hold
// certainly a number or nothing that the line has to do with, and which are
// read in arithmetic. Arithmetic reads a variable's value as arithmetic again,
// and that may be x[$(rm y)].
type numbers struct {
	*lists
	texts map[string]bool     // variables that may hold something else
	from  map[string][]string // variables, and those that take their value
	uses  map[string]string   // variables that are read, and the text in which
	spent int                 // words that were expanded
	zsh   bool                // the text that is read now is for zsh
}

func newNumbers() *numbers {
	return &numbers{lists: newLists(), texts: make(map[string]bool), from: make(map[string][]string), uses: make(map[string]string)}
}

// sets notes that a variable is set to a value.
func (n *numbers) sets(name string, v operand) {
	if v.unknown || !isNumber(v.text) {
		n.texts[name] = true
		return
	}
	for _, other := range v.takes {
		n.from[other] = append(n.from[other], name)
	}
}

// resolve returns the texts in which arithmetic reads what may be code.
func (n *numbers) resolve() []string {
	work := make([]string, 0, len(n.texts))
	for name := range n.texts {
		work = append(work, name)
	}
	for name := range n.from {
		if isText(name) {
			work = append(work, name)
		}
	}
	for len(work) > 0 {
		last := work[len(work)-1]
		work = work[:len(work)-1]
		for _, name := range n.from[last] {
			if !n.texts[name] {
				n.texts[name] = true
				work = append(work, name)
			}
		}
	}
	var all []string
	for name, src := range n.uses {
		if n.texts[name] || isText(name) || name == anyName && len(n.texts) > 0 {
			all = append(all, src)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// isText reports whether the shell itself sets a variable to words of the line.
func isText(name string) bool {
	switch name {
	case "_", "FUNCNAME", "PWD", "OLDPWD", "DIRSTACK":
		return true
	case "BASH_SUBSHELL", "BASH_VERSINFO":
		return false
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_") || strings.HasPrefix(name, "READLINE_")
}

// isNumber reports whether a value is certainly no code where it is read as
// arithmetic. That of a list of numbers is none either.
func isNumber(s string) bool {
	for _, f := range strings.Fields(s) {
		f = strings.TrimLeft(f[:1], "+-") + f[1:]
		digits := "0123456789."
		if hex, ok := strings.CutPrefix(f, "0x"); ok {
			f, digits = hex, "0123456789abcdefABCDEF"
		}
		if strings.Trim(f, digits) != "" {
			return false
		}
	}
	return true
}

// gap stands in the text of an operand for an expansion.
const gap = "\x00"

// An operand is a word as arithmetic sees it.
type operand struct {
	text    string   // with fill for what is a number if takes are
	takes   []string // variables whose value is in it
	unknown bool     // there is something in it that may be anything
	fill    string
	depth   int  // substitutions around it
	raw     bool // backslashes stay, as they do inside of $((...))
}

// operandOf reads a word, with fill in the place of its expansions.
func operandOf(w *syntax.Word, fill string) operand { return operandAt(w, fill, 0) }

func operandAt(w *syntax.Word, fill string, depth int) operand {
	o := operand{fill: fill, depth: depth}
	if w != nil {
		var b strings.Builder
		o.parts(&b, w.Parts, unquote)
		o.text = b.String()
	}
	return o
}

// textOf returns a literal word as it is heard of, or nothing if w is none.
func textOf(w *syntax.Word) string { return unquote(w.Lit()) }

// valueOf reads a word that is assigned.
func valueOf(w *syntax.Word) operand { return operandOf(w, "0") }

// parts writes what a word is made of. Bare takes the backslashes out of its
// literals, which quotes change: b\c is bc to whatever reads it.
func (o *operand) parts(b *strings.Builder, parts []syntax.WordPart, bare func(string) string) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			s := restore(p.Value)
			if !o.raw {
				s = bare(s)
			}
			b.WriteString(s)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(ansiC(restore(p.Value)))
			} else {
				b.WriteString(restore(p.Value))
			}
		case *syntax.DblQuoted:
			o.parts(b, p.Parts, unescape)
		case *syntax.ArithmExp:
			b.WriteString(o.fill)
		case *syntax.ParamExp:
			b.WriteString(o.fill)
			o.param(p)
		case *syntax.CmdSubst:
			b.WriteString(o.fill)
			o.unknown = o.unknown || !o.prints(p.Stmts)
		default:
			o.unknown = true
		}
	}
}

func (o *operand) param(p *syntax.ParamExp) {
	if o.depth > maxLayers {
		o.unknown = true
		return
	}
	if isLength(p) {
		return
	}
	plain := *p
	plain.Index = nil
	if e := p.Exp; e != nil && (e.Op == syntax.DefaultUnset || e.Op == syntax.DefaultUnsetOrNull) {
		v := operandAt(e.Word, "0", o.depth+1)
		o.takes = append(o.takes, v.takes...)
		o.unknown = o.unknown || v.unknown || !isNumber(v.text)
		plain.Exp = nil
	}
	name, plainly := simpleName(&plain)
	switch {
	case !plainly || strings.Trim(name, "0123456789@*-") == "":
		o.unknown = true
	case isName(name):
		o.takes = append(o.takes, name)
	}
}

// names returns the variables that a text names which is read as arithmetic. Such
// a text is expanded once more: b"c" is bc, and b$c may be any name.
func names(s string) []string {
	var all []string
	if strings.Contains(s, `"`) {
		all = names(strings.ReplaceAll(s, `"`, ""))
	}
	start := -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '=' && isName("x"+s[i:i+1]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && (s[start] < '0' || s[start] > '9') {
			if all = append(all, s[start:i]); i < len(s) && (s[i] == gap[0] || s[i] == '$') {
				all = append(all, anyName)
			}
		}
		start = -1
	}
	return all
}

// assignsIn reports whether a text that is read as arithmetic may set a variable,
// with whatever its expansions are.
func assignsIn(s string) bool {
	s = strings.NewReplacer(gap, "", `"`, "").Replace(s)
	return containsAny(s, "=", "++", "--") || strings.Contains(s, "$") && max(strings.Count(s, "+"), strings.Count(s, "-")) > 1
}

// evaluates looks at a word that is read as arithmetic.
func (d *doubter) evaluates(w *syntax.Word) { d.keeps(d.reads(w).text) }

// keeps looks for assignments in a text that is read as arithmetic.
func (d *doubter) keeps(s string) {
	if assignsIn(s) {
		d.doubt("an assignment in a text that is read as arithmetic")
	}
}

// indexed looks at a word, as it is when all is expanded, that the shell takes
// for the name of a variable: the index of an element is arithmetic.
func (d *doubter) indexed(f word) {
	var b strings.Builder
	for r, h := range f.text.All() {
		if h != 0 {
			r = rune(gap[0])
		}
		b.WriteRune(r)
	}
	s := b.String()
	if i := strings.IndexByte(s, '['); i > 0 && isName(s[:i]) {
		if expandsToCode(s) {
			d.doubt("a name that the shell evaluates")
		}
		for _, name := range names(s) {
			d.uses(name)
		}
		d.elements(s)
		d.keeps(s)
	}
}

// reads notes what a word reads that is arithmetic.
func (d *doubter) reads(w *syntax.Word) operand {
	o := operandOf(w, gap)
	if o.unknown || expandsToCode(o.text) {
		d.doubt("arithmetic with what may be code: write the number")
	}
	read := o.text
	if name, value, ok := strings.Cut(read, "="); ok && isName(name) && !strings.HasPrefix(value, "=") {
		read = value // the variable is set alone
	}
	raw := operand{fill: gap, raw: true}
	var b strings.Builder
	if raw.parts(&b, w.Parts, nil); b.String() != o.text {
		read += " " + b.String() // what stands before a backslash may be read until that is an error
	}
	for _, name := range slices.Concat(o.takes, names(read)) {
		d.uses(name)
	}
	d.elements(o.text)
	return o
}

// elements notes the arrays of which a text that is arithmetic sets an element.
func (d *doubter) elements(s string) {
	if strings.Contains(s, "[") && assignsIn(s) {
		for _, name := range names(s) {
			d.numbers.arrays[name] = true
		}
	}
}

// assigned returns the name, or the element of an array, that n sets without
// reading it.
func (d *doubter) assigned(n syntax.Node) *syntax.Word {
	b, ok := n.(*syntax.BinaryArithm)
	if !ok || b.Op != syntax.Assgn || arithmeticTarget(b) == "" {
		return nil
	}
	w := b.X.(*syntax.Word)
	if at := int(w.Pos().Offset()); at >= len(d.src) || d.src[at] == '$' {
		return nil
	}
	return w
}

func (d *doubter) uses(name string) {
	if _, ok := d.numbers.uses[name]; !ok {
		d.numbers.uses[name] = d.src
	}
}

// arithmeticIn visits n, which is arithmetic.
func (d *doubter) arithmeticIn(n syntax.Node) {
	if w, ok := n.(*syntax.Word); ok {
		d.evaluates(w)
	}
	d.inside(&d.arithmetic, n)
}

// compared looks at an operand that a test reads as arithmetic, or as a name.
func (d *doubter) compared(x syntax.TestExpr, named bool) {
	d.operand(x)
	w, ok := x.(*syntax.Word)
	switch {
	case !ok, named && isName(w.Lit()):
	case named:
		d.evaluates(w)
	default:
		d.reads(w) // what it sets is seen elsewhere
	}
}

// sets looks at a variable that is set to one of some values.
func (d *doubter) sets(name string, values ...operand) {
	if d.numbers.zsh && zshFinds(name) {
		d.doubt("the variable " + name + ", in which zsh looks up what later words mean")
	}
	d.passes(name, values...)
}

// passes is sets for a variable that may be set for another command alone.
func (d *doubter) passes(name string, values ...operand) {
	if runsCode(name) {
		d.doubt("the variable " + name + ", whose value the shell runs or looks programs up in")
	}
	if isInteger(name) || d.numbers.zsh && zshInteger(name) {
		d.uses(name)
	}
	for _, v := range values {
		d.numbers.sets(name, v)
	}
}

// isInteger reports whether the shell reads as arithmetic whatever a variable
// of its own is set to.
func isInteger(name string) bool {
	switch name {
	case "RANDOM", "SRANDOM", "SECONDS", "OPTIND", "BASHPID", "HISTCMD", "LINENO", "HISTSIZE", "HISTFILESIZE":
		return true
	}
	return false
}

// spelledOut returns the numbers that braces stand for, as digits with commas
// or dots between.
func spelledOut(s string) string {
	return strings.NewReplacer("{", " ", "}", " ", ",", " ", "..", " ").Replace(s)
}
