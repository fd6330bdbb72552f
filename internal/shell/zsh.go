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
// such places in the syntax, zshcommand.go those among the commands and the
// variables. A text that bash cannot parse is in doubt anyway, as most of what
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

// word looks at a word that is not in quotes.
func (z *zshDoubter) word(w *syntax.Word) {
	if z.quoted { // it is inside ${...}
		z.parts(w.Parts, true)
		return
	}
	z.parts(w.Parts, false)
	z.equals(w)
	z.brackets(w)
}

// opening returns the literal that a word starts with.
func opening(w *syntax.Word) string {
	if lit, ok := first(w.Parts).(*syntax.Lit); ok {
		return lit.Value
	}
	return ""
}

// equals looks for =name, which is the path of a command, at the start of a
// word, or behind an expansion that may be empty; there a ~ is a home, too.
func (z *zshDoubter) equals(w *syntax.Word) {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			whole := len(w.Parts) == 1 && (p.Value == "=" || p.Value == "==")
			if p.Value[:1] == "=" && !whole || p.Value[:1] == "~" && i > 0 {
				z.doubt("= or ~ at the start of a word, which zsh replaces: quote it")
			}
			return
		default:
			if !mayBeEmpty(part) {
				return
			}
		}
	}
}

// mayBeEmpty reports whether a part of a word may be nothing, so that the word
// starts behind it: quotes with nothing in them are none.
func mayBeEmpty(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	case *syntax.SglQuoted:
		return p.Value == ""
	case *syntax.DblQuoted:
		return !slices.ContainsFunc(p.Parts, func(q syntax.WordPart) bool { return !mayBeEmpty(q) })
	}
	return false
}

var (
	braceRange      = regexp.MustCompile(`\{[^{},]*\.\.[^{},]*\}`)
	slashInBrackets = regexp.MustCompile(`\[[^\]]*/`)
	braceDigits     = regexp.MustCompile(`^\{[0-9]{1,5}\.\.[0-9]{1,5}\}$`)
)

// brackets looks at the brackets and braces of a word.
func (z *zshDoubter) brackets(w *syntax.Word) {
	if !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.ContainsAny(lit.Value, "{}[")
	}) {
		return
	}
	flat := flatten(w.Parts)
	if slashInBrackets.MatchString(flat) {
		z.doubt("a slash in brackets, which are a wildcard in zsh: quote them")
	}
	if strings.ContainsAny(flat, "{}") {
		z.braces(flat)
	}
}

// braces looks at the braces of a word. zsh expands them behind variables, keeps
// an empty word that they make, and takes one that closes what nothing opens for
// the end of a block.
func (z *zshDoubter) braces(flat string) {
	if flat[0] == '{' && flat[len(flat)-1] == '}' && containsAny(flat, "{,", ",}", ",,") {
		z.doubt("braces that make an empty word, which stays one in zsh: write the words")
	}
	open := 0
	for i := range len(flat) {
		switch flat[i] {
		case '{':
			open++
			if i > 0 && flat[i-1] == shortExpansion {
				z.doubt("braces right behind a variable: write ${name}")
			}
		case '}':
			if open--; open < 0 {
				z.doubt("a brace that nothing opens, which ends a block in zsh: quote it")
				return
			}
		case '$':
			z.doubt("a $ in a word with braces: quote it")
		}
	}
	for _, r := range braceRange.FindAllString(flat, -1) {
		if !braceDigits.MatchString(r) {
			z.doubt("a range in braces that shells read in different ways: write the words")
		}
	}
}

// What stands in a flat word for what is no literal.
const (
	otherPart      = 1
	shortExpansion = 2 // $name
)

// flatten returns the literals of a word, with a byte for each other part and
// for what is escaped.
func flatten(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			for i := 0; i < len(p.Value); i++ {
				c := p.Value[i]
				if c == '\\' {
					i++
					c = otherPart
				}
				b.WriteByte(c)
			}
		case *syntax.ParamExp:
			if p.Short {
				b.WriteByte(shortExpansion)
			} else {
				b.WriteByte(otherPart)
			}
		default:
			b.WriteByte(otherPart)
		}
	}
	return b.String()
}

// parts looks at each $ of a word, or of what is in quotes.
func (z *zshDoubter) parts(parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		var next syntax.WordPart
		if i+1 < len(parts) {
			next = parts[i+1]
		}
		switch p := part.(type) {
		case *syntax.Lit:
			s := p.Value
			if lit, ok := next.(*syntax.Lit); ok {
				s += lit.Value
			}
			z.dollars(s, next != nil && s == p.Value)
		case *syntax.ParamExp:
			if p.Short && p.Param != nil && next != nil && growsInZsh(p.Param.Value, next) {
				z.doubt("what stands right behind a variable is part of the expansion in zsh: write ${name}")
			}
		case *syntax.ProcSubst:
			if i > 0 && !quoted {
				z.doubt("a substitution in the middle of a word: write it as a word of its own")
			}
		}
	}
}

// dollars looks at a literal $, behind which zsh knows more than bash does.
func (z *zshDoubter) dollars(s string, more bool) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 == len(s):
			z.doubt("a backslash with nothing behind it: leave it out")
		case s[i] == '\\':
			i++
		case s[i] == '$' && (i+1 == len(s) && more || i+1 < len(s) && strings.IndexByte(" \t\n|)/,.;:%\\'\"]", s[i+1]) < 0):
			z.doubt("a $ that starts an expansion in zsh: quote it")
			return
		}
	}
}

// modifiers are the letters that change a value behind $name and a colon.
const modifiers = "aAcCefFghlpPqQrstuwWx&"

// growsInZsh reports whether zsh takes some of what follows $name for a part of
// the expansion: a subscript, a modifier, or the name behind $# of which it is
// the length.
func growsInZsh(name string, next syntax.WordPart) bool {
	lit, ok := next.(*syntax.Lit)
	if !ok {
		return name == "#"
	}
	s := lit.Value
	switch {
	case s[0] == '[':
		return true
	case s[0] == ':' && len(s) > 1 && strings.IndexByte(modifiers, s[1]) >= 0:
		return true
	case name == "#":
		return isName("x"+s[:1]) || strings.IndexByte("#-!?$*@+=^~:{", s[0]) >= 0
	}
	return isPositional(name) && '0' <= s[0] && s[0] <= '9'
}

// ansiCAlike reports whether the text in $'...' has only escapes that all shells
// read alike.
func ansiCAlike(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		switch rest := s[min(i, len(s)):]; {
		case rest == "":
			return false
		case strings.IndexByte(`abefnrtv\'"`, rest[0]) >= 0:
		case rest[0] == 'x':
			n, digits := number(rest[1:], 16, 2)
			if digits != 2 || n == 0 || n >= 0x80 {
				return false
			}
		default:
			n, digits := number(rest, 8, 3)
			if digits != 3 && !(digits == 2 && rest[0] == '0') || n == 0 || n >= 0x80 {
				return false
			}
		}
	}
	return true
}
