package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// output returns the word that a substitution prints, where that can be told
// without running it.
func (e *expander) output(c *syntax.CmdSubst) (word, bool) {
	if s, ok := e.heredocText(c); ok {
		return known(strings.TrimRight(s, "\n")), true
	}
	if v, ok := e.printed(c); ok {
		return v, true
	}
	args, ok := e.substituted(c)
	if !ok {
		return word{}, false
	}
	switch name := args[0].value; {
	case e.functions[name], e.foreign, e.unsure && name != "basename" && name != "pwd":
	case name == "mktemp" && (len(args) == 1 || len(args) == 2 && args[1].value == "-d"):
		return temporary(), true
	case name == "basename" && (len(args) == 2 || len(args) == 3):
		return baseName(args[1])
	case name == "git" && isMergeBase(args[1:]):
		return hole(text.Digits), true // a hash answers a rule no more than digits do
	case name == "pwd" && len(args) == 1, name == "go" && len(args) == 3 && args[1].value == "env" && isGoPlace(args[2].value):
		return absolute(), true
	}
	return word{}, false
}

// substituted returns the words of a substitution that is one command and
// nothing more.
func (e *expander) substituted(c *syntax.CmdSubst) ([]word, bool) {
	if len(c.Stmts) != 1 || !plainly(c.Stmts[0]) {
		return nil, false
	}
	call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 || len(call.Args) > 4 || !tells(call.Args[0].Lit()) {
		return nil, false
	}
	if slices.ContainsFunc(call.Args, substitutes) {
		return nil, false // or deep ones would be looked at again at each level
	}
	args := e.fields(call.Args)
	return args, len(args) > 0 && args[0].static
}

// tells reports whether something is known of what a program prints.
func tells(name string) bool {
	switch name {
	case "mktemp", "basename", "git", "go", "pwd":
		return true
	}
	return false
}

// substitutes reports whether there is a substitution in a word.
func substitutes(w *syntax.Word) bool {
	found := false
	for _, part := range w.Parts {
		if q, ok := part.(*syntax.DblQuoted); ok {
			found = found || substitutes(&syntax.Word{Parts: q.Parts})
		}
		_, ok := part.(*syntax.CmdSubst)
		found = found || ok
	}
	return found
}

// heredocText returns the text of $(cat <<'E' ... E), which is how agents
// write long messages: no program is needed to know what it prints.
func (e *expander) heredocText(c *syntax.CmdSubst) (string, bool) {
	if len(c.Stmts) != 1 {
		return "", false
	}
	s := c.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) != 1 || call.Args[0].Lit() != "cat" || e.functions["cat"] || e.foreign ||
		s.Negated || s.Background || len(s.Redirs) != 1 {
		return "", false
	}
	r := s.Redirs[0]
	if r.N != nil || r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc || r.Hdoc == nil {
		return "", false
	}
	if !quotedDelimiter(r.Word) && !isLiteral(r.Hdoc) {
		return "", false
	}
	body := hdocLiteral(r.Hdoc)
	return body, r.Op == syntax.Hdoc || !strings.Contains(body, "\t")
}

// temporary returns the name of a file that mktemp makes. A random name answers
// a rule no more than digits do.
func temporary() word {
	var b text.Builder
	b.WriteString("/tmp/tmp.")
	b.WriteHole(text.Digits)
	return word{text: b.Text()}
}

// absolute returns a path of which no more is known than that it is one from
// the root.
func absolute() word {
	var b text.Builder
	b.WriteString("/")
	b.WriteHole(text.Word)
	return word{text: b.Text()}
}

func isGoPlace(name string) bool { return name == "GOPATH" || name == "GOROOT" || name == "GOMODCACHE" }

// isMergeBase reports whether the arguments of git make it print a hash.
func isMergeBase(args []word) bool {
	if len(args) != 3 || args[0].value != "merge-base" {
		return false
	}
	for _, f := range args[1:] {
		if !f.static || strings.HasPrefix(f.value, "-") {
			return false
		}
	}
	return true
}

// baseName returns the last component of a file's name that a glob has found.
func baseName(file word) (word, bool) {
	last := ""
	for r, h := range file.text.All() {
		switch {
		case h == text.Name:
			last += "*"
		case h != 0:
			return word{}, false
		case r == '/':
			last = ""
		default:
			last += string(r)
		}
	}
	if file.static || file.homes || file.vanish || last == "" || strings.HasPrefix(last, ".") || strings.HasPrefix(last, "-") {
		return word{}, false
	}
	return hole(text.Name), true
}
