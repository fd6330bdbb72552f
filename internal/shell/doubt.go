package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// doubts reports the places of f in which bash may run more than the parser
// sees. They were found by running both: see the differential fuzz test.
func doubts(f *syntax.File, src string, n *numbers, doubt func(string)) {
	d := doubter{src: src, numbers: n, doubt: doubt}
	d.visit(f)
}

// A doubter knows what the node is inside of that it looks at.
type doubter struct {
	src     string       // of the text that is looked at
	numbers *numbers     // of the whole line
	doubt   func(string) // tells of a doubt

	arithmetic int          // levels of arithmetic, in which quotes do not protect
	expanding  int          // levels of ${...}
	quoted     int          // levels of double quotes or here-documents
	backquotes int          // levels of backquotes
	target     *syntax.Word // is set by arithmetic, and not read
	closes     bool         // a parenthesis ends the text: it is inside $(...) or <(...)
}

// visit walks n, keeping count of what it is inside of.
func (d *doubter) visit(n syntax.Node) {
	syntax.Walk(n, func(m syntax.Node) bool {
		if m == nil || m == n {
			return true
		}
		return d.node(m)
	})
}

// inside visits n one level deeper in what counter counts.
func (d *doubter) inside(counter *int, n syntax.Node) {
	*counter++
	d.visit(n)
	*counter--
}

// node looks at one node and returns whether to go on inside it.
func (d *doubter) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.LetClause:
		d.doubt("let, whose text shells read in different ways")
	case *syntax.CoprocClause:
		d.doubt("a coprocess")
	case *syntax.ExtGlob:
		d.doubt("an extended glob")
	case *syntax.Comment:
		d.comment(n)
	case *syntax.ArrayExpr:
		d.array(n)
	case *syntax.ParamExp:
		return d.param(n)
	case *syntax.SglQuoted:
		d.quotedText(n.Value)
	case *syntax.Lit:
		if d.expanding > 0 && containsAny(n.Value, "<(", ">(", "`") {
			d.doubt("a process substitution inside ${...}")
		}
	case *syntax.DblQuoted:
		if d.active() {
			d.nestedQuotes(n)
		}
		d.inside(&d.quoted, n)
		return false
	case *syntax.CmdSubst:
		return d.substitution(n)
	case *syntax.ProcSubst:
		d.document(n)
		d.fresh(n)
		return false
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.CStyleLoop:
		d.inside(&d.arithmetic, n)
		return false
	case *syntax.Word:
		if d.arithmetic > 0 && n != d.target {
			d.evaluates(n)
		}
	case *syntax.BinaryArithm, *syntax.UnaryArithm:
		d.setsByArithmetic(n)
	case *syntax.ForClause:
		d.loop(n)
	case *syntax.FuncDecl:
		if n.Name != nil {
			d.numbers.texts[function+n.Name.Value] = true
		}
	case *syntax.Assign:
		d.assign(n)
	case *syntax.Redirect:
		d.redirect(n)
		return false
	case *syntax.BinaryTest:
		d.binaryTest(n)
	case *syntax.UnaryTest:
		d.unaryTest(n)
	}
	return true
}

// unaryTest looks at what a test of one operand evaluates.
func (d *doubter) unaryTest(t *syntax.UnaryTest) {
	switch {
	case t.Op == syntax.TsVarSet, t.Op == syntax.TsRefVar:
		d.compared(t.X, true)
	case t.Op == syntax.TsFdTerm && d.numbers.zsh:
		d.compared(t.X, false)
	}
}

// setsByArithmetic looks at what arithmetic sets.
func (d *doubter) setsByArithmetic(n syntax.Node) {
	if name := arithmeticTarget(n); name != "" {
		d.sets(name)
	}
	d.numbers.elements(n)
	if w := d.assigned(n); w != nil {
		d.target = w
	}
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// active reports whether quotes at this place do not protect what is in them.
func (d *doubter) active() bool {
	return d.arithmetic > 0 || d.expanding > 0 && d.quoted > 0
}

// quotedText looks at a text in single quotes.
func (d *doubter) quotedText(s string) {
	if d.active() && strings.ContainsAny(s, "\"$`\\{}[") {
		d.doubt("quotes that do not protect what is in them")
	}
}

func (d *doubter) nestedQuotes(q *syntax.DblQuoted) {
	for _, part := range q.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			d.quotedText(lit.Value)
		}
	}
}

// fresh visits the statements of a substitution, to which the quotes around it
// mean nothing.
func (d *doubter) fresh(n syntax.Node) {
	inner := doubter{src: d.src, numbers: d.numbers, doubt: d.doubt, backquotes: d.backquotes, closes: d.closes}
	if c, ok := n.(*syntax.CmdSubst); !ok || !c.Backquotes {
		inner.closes = true
	}
	inner.visit(n)
}

func (d *doubter) substitution(c *syntax.CmdSubst) bool {
	if !c.Backquotes {
		d.document(c)
		d.fresh(c)
		return false
	}
	if d.backquotes > 0 {
		d.doubt("backquotes inside backquotes: write $(...)")
	}
	d.backquotes++
	d.fresh(c)
	d.backquotes--
	return false
}

// document looks for a here-document in a substitution, which bash writes anew
// before it runs it. It then forgets a semicolon in the lines behind the
// document, and takes two commands for one.
func (d *doubter) document(substitution syntax.Node) {
	document, semicolon := false, false
	syntax.Walk(substitution, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			document = document || n.Hdoc != nil || n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc
		case *syntax.Stmt:
			semicolon = semicolon || n.Semicolon.IsValid()
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return n == substitution
		}
		return true
	})
	if document && semicolon {
		d.doubt("a semicolon behind a here-document in a substitution: write a line for each command")
	}
}

func (d *doubter) param(p *syntax.ParamExp) bool {
	if end := int(p.End().Offset()); p.Short && p.Param.Value == "$" && end < len(d.src) && strings.IndexByte("{([", d.src[end]) >= 0 {
		d.doubt("$$ right before a bracket")
	}
	if p.Excl && p.Names == 0 && !isKeys(p) {
		d.doubt("an indirect expansion, whose value is read as a name")
	}
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps {
		if w := p.Exp.Word; w != nil && w.Lit() == "P" {
			d.doubt("${...@P}, which runs what the value says")
		}
	}
	if p.Index != nil {
		d.arithmeticIn(p.Index)
	}
	if assignsDefault(p) {
		d.sets(p.Param.Value, valueOf(p.Exp.Word))
		d.numbers.arrays[p.Param.Value] = d.numbers.arrays[p.Param.Value] || p.Index != nil
	}
	if s := p.Slice; s != nil {
		for _, x := range []syntax.ArithmExpr{s.Offset, s.Length} {
			if x != nil {
				d.arithmeticIn(x)
			}
		}
	}
	for _, w := range paramWords(p) {
		if w != nil {
			d.inside(&d.expanding, w)
		}
	}
	return false
}

func paramWords(p *syntax.ParamExp) []*syntax.Word {
	var ws []*syntax.Word
	if p.Repl != nil {
		ws = append(ws, p.Repl.Orig, p.Repl.With)
	}
	if p.Exp != nil {
		ws = append(ws, p.Exp.Word)
	}
	return ws
}

func (d *doubter) array(a *syntax.ArrayExpr) {
	if end := int(a.Rparen.Offset()) + 1; end < len(d.src) && strings.IndexByte(" \t\n;&|)", d.src[end]) < 0 {
		d.doubt("text right behind an array")
	}
	for _, e := range a.Elems {
		if e.Index != nil {
			d.arithmeticIn(e.Index)
		}
	}
}

// comment checks that bash takes it for one too.
func (d *doubter) comment(c *syntax.Comment) {
	if at := int(c.Hash.Offset()); at > 0 && strings.IndexByte(" \t\n;&|(", d.src[at-1]) < 0 {
		d.doubt("a # that may not start a comment")
	}
}

func (d *doubter) assign(a *syntax.Assign) {
	if a.Index != nil {
		d.arithmeticIn(a.Index)
	}
	if a.Name != nil && (a.Index != nil || a.Array != nil) {
		d.numbers.arrays[a.Name.Value] = true
	}
	values := []*syntax.Word{a.Value}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			values = append(values, e.Value)
		}
	}
	for _, v := range values {
		if a.Name != nil && !a.Naked {
			d.sets(a.Name.Value, valueOf(v))
		}
		d.holds(v)
	}
}

// holds looks at a value for code in it.
func (d *doubter) holds(value *syntax.Word) {
	if value == nil {
		return
	}
	e := expander{doubt: func(string) {}}
	if v := e.only(value, true); v.static && containsAny(v.value, "$(", "`") {
		d.doubt("a variable that holds code")
	}
}

// loop looks at the variable of a loop over words.
func (d *doubter) loop(f *syntax.ForClause) {
	iter, ok := f.Loop.(*syntax.WordIter)
	if !ok {
		return
	}
	if f.Select {
		d.sets("REPLY", operand{unknown: true})
	}
	if !iter.InPos.IsValid() {
		d.sets(iter.Name.Value, operand{unknown: true}) // it goes over $@
		return
	}
	for _, item := range iter.Items {
		v := valueOf(item)
		if braced(item) {
			v.text = spelledOut(v.text)
		}
		d.sets(iter.Name.Value, v)
	}
}

func (d *doubter) redirect(r *syntax.Redirect) {
	if (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && !plainTarget(r.Word) {
		d.doubt("a redirection to a word that is expanded twice")
	}
	if r.N != nil && strings.Contains(r.N.Value, "[") {
		d.doubt("a descriptor that an element of an array names")
	}
	if name := descriptorName(r); name != "" {
		d.sets(name)
	}
	d.visit(r.Word)
	if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
		d.delimiter(r)
	}
	if r.Hdoc != nil && !quotedDelimiter(r.Word) {
		d.inside(&d.quoted, r.Hdoc)
	}
}

// delimiter looks at the delimiter of a here-document. Inside a substitution
// bash forgets that an empty one was quoted, and expands the document. There it
// also ends the document at a line that only starts with the delimiter, if a
// parenthesis follows on it, and reads the rest of that line as code.
func (d *doubter) delimiter(r *syntax.Redirect) {
	e := expander{doubt: func(string) {}}
	f := e.one(r.Word)
	if f.value == "" {
		d.doubt("a here-document with an empty delimiter")
		return
	}
	if d.closes && endsEarly(d.body(r), f.value, quotedDelimiter(r.Word)) {
		d.doubt("a line of a here-document that starts with its delimiter: use a delimiter that no line starts with")
	}
}

// body returns the lines of a here-document as they are written.
func (d *doubter) body(r *syntax.Redirect) string {
	if r.Hdoc == nil {
		return ""
	}
	from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
	return restore(d.src[max(0, min(from, to)):min(to, len(d.src))])
}

// plainTarget reports whether the word of >& is a plain path, or a descriptor.
func plainTarget(w *syntax.Word) bool {
	lit := w.Lit()
	return lit == "-" || lit != "" && lit[0] != '-' && !strings.ContainsAny(lit, "\\$`*?[{~'\"")
}

func (d *doubter) binaryTest(t *syntax.BinaryTest) {
	switch t.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		d.compared(t.X, false)
		d.compared(t.Y, false)
	}
}

// operand looks at a word that the shell evaluates again.
func (d *doubter) operand(x syntax.TestExpr) {
	if w, ok := x.(*syntax.Word); ok {
		e := expander{doubt: func(string) {}}
		if f := e.one(w); evaluated(f) {
			d.doubt("a text that the shell evaluates again")
		}
	}
}
