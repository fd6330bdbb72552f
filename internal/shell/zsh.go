package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A line for zsh is read as bash reads it, so that refusals hold through all
// that is seen through there. Where zsh reads its text otherwise, with the
// options that it has by itself, the line is in doubt besides: this file finds
// such places in the syntax, zshexpand.go those in its words, and zshcommand.go
// those among the commands and the variables. A text that bash cannot parse is in doubt anyway, as most of what
// only zsh knows is: *(e:rm:), ${(e)x}, =(rm x), if true { rm x }. Meant is zsh
// 5.1 and what came later: one before 5.0.8 counts parentheses to find the end of
// a substitution, and one before 5.1 splits the output in export x=$(cmd).

// zshDoubts reports the places of f that zsh reads otherwise.
func zshDoubts(f *syntax.File, src string, doubt func(string)) {
	z := zshDoubter{src: src, doubt: doubt}
	z.visit(f)
}

// A zshDoubter knows whether the node that it looks at is in double quotes.
type zshDoubter struct {
	src    string
	doubt  func(string)
	quoted bool
}

// visit walks what is inside of n.
func (z *zshDoubter) visit(n syntax.Node) {
	syntax.Walk(n, func(m syntax.Node) bool {
		if m == nil || m == n {
			return true
		}
		return z.node(m)
	})
}

// as visits n as what is in double quotes, or is not.
func (z *zshDoubter) as(quoted bool, n syntax.Node) {
	inner := *z
	inner.quoted = quoted
	inner.visit(n)
}

// node looks at one node and returns whether to go on inside it.
func (z *zshDoubter) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Stmt:
		z.statement(n)
	case *syntax.BinaryCmd:
		z.pipe(n)
	case *syntax.CallExpr:
		if len(n.Args) > 0 && strings.HasPrefix(opening(n.Args[0]), "{") {
			z.doubt("a command that starts with a brace, which opens a block in zsh: write the name")
		}
	case *syntax.DeclClause:
		z.declaration(n)
	case *syntax.Assign:
		z.assign(n)
	case *syntax.Redirect:
		z.redirect(n)
		return false
	case *syntax.CaseItem:
		if n.Op == syntax.Resume {
			z.doubt(";;& is not what zsh has: write ;; or ;&")
		}
	case *syntax.BinaryTest:
		z.expression(n)
	case *syntax.Word:
		z.word(n)
	case *syntax.ParamExp:
		z.subscript(n.Index)
		if n.Param != nil && n.Param.Value == "IFS" {
			z.doubt("the value of IFS, which has a NUL at its end in zsh: write the blank")
		}
	case *syntax.SglQuoted:
		if n.Dollar && !ansiCAlike(n.Value) {
			z.doubt("an escape in $'...' that shells read in different ways: write the character")
		}
	case *syntax.DblQuoted:
		z.double(n)
		return false
	case *syntax.CmdSubst:
		z.substitution(n)
		return false
	case *syntax.ProcSubst:
		z.as(false, n)
		return false
	}
	return true
}

// statement looks at what stands around a command.
func (z *zshDoubter) statement(s *syntax.Stmt) {
	if s.Background && z.follows(s.Semicolon, 1, "!|") {
		z.doubt("&! and &|, which are one operator in zsh: put a blank behind the &")
	}
	call, isCall := s.Cmd.(*syntax.CallExpr)
	if len(s.Redirs) > 0 && (s.Cmd == nil || isCall && len(call.Args) == 0) {
		z.doubt("a redirection without a command, which zsh gives to cat or more: write the command, such as : > file")
	}
	if isCall && len(s.Redirs) > 0 && slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return namesDescriptor.MatchString(w.Lit()) }) {
		z.doubt("{name} before a redirection, which is the name of a descriptor in zsh: quote it")
	}
	inputs := 0
	for _, r := range s.Redirs {
		if isInput(r) {
			inputs++
		}
	}
	if inputs > 1 {
		z.doubt("several inputs, all of which a command of zsh reads: leave one")
	}
}

// namesDescriptor is a word that zsh takes for a part of the redirection behind
// it.
var namesDescriptor = regexp.MustCompile(`^\{[A-Za-z_0-9]+\}$`)

// isInput reports whether a redirection says what a command reads.
func isInput(r *syntax.Redirect) bool {
	if r.N != nil {
		return r.N.Value == "0"
	}
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	}
	return false
}

// pipe looks for a command that reads a pipe and something else.
func (z *zshDoubter) pipe(b *syntax.BinaryCmd) {
	if b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		return
	}
	reader := b.Y
	for {
		next, ok := reader.Cmd.(*syntax.BinaryCmd)
		if !ok || len(reader.Redirs) > 0 {
			break
		}
		reader = next.X
	}
	for _, r := range reader.Redirs {
		if isInput(r) {
			z.doubt("an input beside a pipe, both of which a command of zsh reads: leave one")
			return
		}
	}
}

// declaration looks at the options of export, local and their like.
func (z *zshDoubter) declaration(d *syntax.DeclClause) {
	for _, a := range d.Args {
		if a.Name == nil && (a.Value == nil || !declaresAlike(a.Value.Lit())) {
			z.doubt("an option of " + d.Variant.Value + " that zsh reads otherwise: leave it out")
		}
	}
}

// assign looks at the element that an assignment sets, and at a value in which
// a word that zsh replaces stands behind a colon.
func (z *zshDoubter) assign(a *syntax.Assign) {
	z.subscript(a.Index)
	if a.Value == nil {
		return
	}
	for _, part := range a.Value.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, ":=") {
			z.doubt("=name in a value, which is the path of a command in zsh: quote it")
		}
	}
}

// subscript looks at the subscript of an array: one in parentheses has flags.
func (z *zshDoubter) subscript(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	if at := int(x.Pos().Offset()); at < len(z.src) && z.src[at] == '(' {
		z.doubt("a subscript in parentheses, which are flags in zsh: leave them out")
	}
}

// expression looks at a regular expression, which is a word like any other to
// zsh.
func (z *zshDoubter) expression(t *syntax.BinaryTest) {
	w, ok := t.Y.(*syntax.Word)
	if t.Op != syntax.TsReMatch || !ok {
		return
	}
	for _, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.ContainsAny(lit.Value, " \t\n;&<>#`") {
			z.doubt("a regular expression with what ends a word in zsh: put it into a variable")
		}
	}
}

func (z *zshDoubter) double(q *syntax.DblQuoted) {
	if q.Dollar {
		z.doubt(`$"...", of which the $ is a character in zsh: leave it out`)
	}
	z.parts(q.Parts, true)
	z.as(true, q)
}

// substitution looks at a substitution. One that is < file and no more reads
// that in every shell.
func (z *zshDoubter) substitution(c *syntax.CmdSubst) {
	if c.TempFile || c.ReplyVar {
		z.doubt("${ ...; }, which shells read in different ways: write $(...)")
	}
	if from, to := int(c.Pos().Offset()), int(c.End().Offset()); c.Backquotes && to <= len(z.src) && strings.Contains(z.src[from:to], `\`) {
		z.doubt("a backslash in backquotes: write $(...)")
	}
	if len(c.Stmts) == 1 && c.Stmts[0].Cmd == nil && len(c.Stmts[0].Redirs) == 1 && c.Stmts[0].Redirs[0].Op == syntax.RdrIn {
		z.redirect(c.Stmts[0].Redirs[0])
		return
	}
	z.as(false, c)
}

// numericGlob is what zsh takes for a glob over numbers.
var numericGlob = regexp.MustCompile(`^<[0-9]*-[0-9]*>`)

// redirect looks at a redirection and at what is in its word and its document.
func (z *zshDoubter) redirect(r *syntax.Redirect) {
	at := int(r.OpPos.Offset())
	switch lit := r.Word.Lit(); {
	case z.follows(r.OpPos, len(r.Op.String()), "!|&"):
		z.doubt("a sign right behind a redirection, which is part of it in zsh: put a blank between")
	case r.N != nil && (len(r.N.Value) > 1 || r.N.Value[0] > '9'):
		z.doubt("a descriptor of more than one digit, which is a word in zsh: write a smaller one")
	case (r.Op == syntax.RdrAll || r.Op == syntax.AppAll) && at > 0 && '0' <= z.src[at-1] && z.src[at-1] <= '9':
		z.doubt("a digit before &>, which is a descriptor in zsh: put a blank between")
	case numericGlob.MatchString(z.src[min(at, len(z.src)):]):
		z.doubt("<1-9>, which is a glob in zsh: write > and < apart")
	case (r.Op == syntax.DplOut || r.Op == syntax.DplIn) && duplicatesOtherwise(r, lit):
		z.doubt("a descriptor that zsh reads otherwise: write a digit, or > file")
	}
	z.word(r.Word)
	z.as(false, r.Word)
	if r.Hdoc != nil && !quotedDelimiter(r.Word) {
		z.parts(r.Hdoc.Parts, true)
		z.as(true, r.Hdoc)
	}
}

// duplicatesOtherwise reports whether the word of >& or <& is not a descriptor,
// or a file, for both shells.
func duplicatesOtherwise(r *syntax.Redirect, lit string) bool {
	if lit == "-" || lit != "" && strings.Trim(lit, "0123456789") == "" {
		return false
	}
	return r.N != nil || lit == "p" || isDescriptor(lit)
}

// follows reports whether one of some bytes stands behind an operator.
func (z *zshDoubter) follows(operator syntax.Pos, size int, some string) bool {
	at := int(operator.Offset()) + size
	return operator.IsValid() && at < len(z.src) && strings.IndexByte(some, z.src[at]) >= 0
}
