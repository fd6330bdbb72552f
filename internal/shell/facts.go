package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// facts are what a text does to its own reading.
type facts struct {
	loose     bool // it touches how words are split or globbed
	moves     bool // it changes the directory
	cds       int  // how often
	straight  int  // how often by a cd that runs once, in the order of the text
	cdpath    bool
	home      bool // it sets HOME, or may run in a shell that has another one
	unsure    bool // what programs print rests on what it sets
	shares    bool // it exports functions
	foreign   bool // it runs with functions that are not its own
	functions map[string]bool
	undefines bool // it unsets functions, or may
	exported  map[string]bool
	sets      map[string]int // how often a variable is set
	setsAny   bool           // something may set any variable
	loops     int            // how deep loops are nested at most

	values  map[string]word         // what single assignments assign
	passing map[*syntax.Assign]bool // assignments that hold for one command alone
	texts   int                     // that the same shell runs
	spent   int                     // words that were expanded
	circles int                     // like again, but inside of one subshell
	again   int                     // levels of loops and functions around a command
	pending []*syntax.CallExpr      // commands whose name is a variable
}

// factsOf looks through a text before it is read.
func factsOf(f *syntax.File, depth int) facts {
	x := facts{
		functions: make(map[string]bool), exported: make(map[string]bool), sets: make(map[string]int),
		setsAny: depth > 0, values: make(map[string]word), passing: make(map[*syntax.Assign]bool),
	}
	x.file(f)
	for _, c := range x.pending {
		x.call(c, x.values)
	}
	return x
}

func (x *facts) file(f *syntax.File) {
	level := 0
	var stack []syntax.Node
	var outside []int // what circles was around each subshell
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*syntax.ForClause); ok {
				level--
			}
			last := stack[len(stack)-1]
			x.again -= mayRepeat(last)
			if x.circles -= mayRepeat(last); isSubshell(last) {
				x.circles, outside = outside[len(outside)-1], outside[:len(outside)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		x.again += mayRepeat(n)
		if x.circles += mayRepeat(n); isSubshell(n) {
			outside, x.circles = append(outside, x.circles), 0
		}
		if _, ok := n.(*syntax.ForClause); ok {
			level++
			x.loops = max(x.loops, level)
		}
		x.node(n)
		return true
	})
}

// mayRepeat returns 1 for what may run the commands in it after those behind.
func mayRepeat(n syntax.Node) int {
	switch n.(type) {
	case *syntax.WhileClause, *syntax.ForClause, *syntax.FuncDecl:
		return 1
	}
	return 0
}

// isSubshell reports whether what a node runs does not move the shell around it.
func isSubshell(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
		return true
	}
	return false
}

// roams reports whether the text changes the directory in ways that places
// cannot follow.
func (x *facts) roams() bool {
	return x.cds != x.straight || x.cdpath || x.functions["cd"]
}

// text looks through a text that the same shell runs.
func (x *facts) text(f word) {
	x.texts++
	x.circles++
	defer func() { x.circles-- }()
	if f.static && x.texts <= maxReparse {
		if file, _ := parse(f.value, syntax.LangBash, func(string) {}); file != nil {
			x.file(file)
			return
		}
	}
	x.setsUnknown()
	x.moves = true
	x.cds++
}

func (x *facts) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		if n.Name != nil && !x.passing[n] {
			x.set(n.Name.Value)
			if e := (expander{doubt: func(string) {}}); n.Value != nil && !n.Append && x.sets[n.Name.Value] == 1 {
				x.values[n.Name.Value] = e.one(n.Value)
			}
		}
	case *syntax.CallExpr:
		x.call(n, nil)
	case *syntax.DeclClause:
		x.declaration(n)
	case *syntax.FuncDecl:
		if n.Name != nil {
			x.functions[n.Name.Value] = true
		}
	case *syntax.WordIter:
		x.set(n.Name.Value)
	case *syntax.CoprocClause, *syntax.LetClause:
		x.setsAny = true
	case *syntax.Redirect:
		if name := descriptorName(n); name != "" {
			x.set(name)
		}
	case *syntax.ParamExp:
		if assignsDefault(n) {
			x.set(n.Param.Value)
		}
	case *syntax.BinaryArithm:
		if isAssignment(n.Op) {
			x.setByArithmetic(n.X)
		}
	case *syntax.UnaryArithm:
		if n.Op == syntax.Inc || n.Op == syntax.Dec {
			x.setByArithmetic(n.X)
		}
	case *syntax.BinaryTest:
		// Its operands are arithmetic: [[ 1 -eq x=2 ]]
		switch n.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			x.setsAny = true
		case syntax.TsReMatch:
			x.set("BASH_REMATCH")
		}
	}
}

func (x *facts) setByArithmetic(target syntax.ArithmExpr) {
	if w, ok := target.(*syntax.Word); ok && w.Lit() != "" {
		x.set(w.Lit())
		return
	}
	x.setsAny = true
}

func isAssignment(op syntax.BinAritOperator) bool {
	return op == syntax.Assgn || strings.HasSuffix(op.String(), "=") && op != syntax.Eql && op != syntax.Leq && op != syntax.Geq && op != syntax.Neq
}

func (x *facts) set(name string) {
	x.sets[name]++
	switch name {
	case "IFS", "GLOBIGNORE":
		x.loose = true
	case "HOME":
		x.home = true
	case "CDPATH":
		x.cdpath = true
	case "TMPDIR", "GOPATH", "GOROOT", "GOMODCACHE", "GOENV":
		x.unsure = true
	}
}

// setsUnknown notes that a variable is set of which the name is not known.
func (x *facts) setsUnknown() {
	x.setsAny, x.home, x.cdpath, x.unsure = true, true, true, true
}

// mayUndefine reports whether a word of unset may be a function's name, or the
// option that says so.
func (x *facts) mayUndefine(f word) bool {
	return !f.static || x.functions[f.value] || strings.HasPrefix(f.value, "-") && f.value != "-v"
}

// setNames notes the variables that words of a built-in name, or may.
func (x *facts) setNames(words []word) {
	for _, f := range words {
		name, _, _ := strings.Cut(leading(f), "=")
		name, _, _ = strings.Cut(strings.TrimSuffix(name, "+"), "[")
		switch {
		case isName(name) && (f.static || len(name) < len(leading(f))):
			x.set(name)
		case !f.static && !counts(f):
			x.setsUnknown()
		}
	}
}

// inherit notes what holds of a text because of the one that it stands in: a
// shell takes its environment from the one that starts it.
func (x *facts) inherit(outer *facts) {
	x.home, x.unsure, x.foreign = x.home || outer.home, x.unsure || outer.unsure, x.foreign || outer.foreign
	for name := range outer.exported {
		x.exported[name] = true
	}
}

// call looks at what a command may do to the shell that runs it. Where its name
// is a variable that is looked at once all values are there.
func (x *facts) call(c *syntax.CallExpr, values map[string]word) {
	if isCD(c) && x.circles == 0 && values == nil {
		x.straight++
	}
	e := expander{doubt: func(string) {}, vars: make(map[string]word), spent: &x.spent}
	for v, value := range values {
		if (value.static || counts(value)) && x.sets[v] == 1 {
			e.vars[v] = value
		}
	}
	args := unprefixed(e.fields(c.Args))
	switch {
	case len(args) == 0:
	case values == nil && args[0].value == "wait" && !slices.ContainsFunc(args, func(f word) bool { return f.value == "-p" }):
		x.pending = append(x.pending, c) // what it waits for may be numbers
	case args[0].static:
		x.passes(args[1:])
		x.effects(args[0].value, args[1:], values != nil)
		if args[0].value == "read" && !x.functions["read"] {
			for _, a := range c.Assigns {
				x.passing[a] = true
			}
		}
	case values == nil:
		x.pending = append(x.pending, c)
	case strings.Contains(args[0].text.String(), "/"): // no built-in
	default:
		x.setsUnknown()
		x.moves = true
		x.cds++
	}
}

// passes notes the variables that the words of a command set for another one,
// as those of env do.
func (x *facts) passes(words []word) {
	for _, f := range words {
		if name, _, ok := strings.Cut(leading(f), "="); ok && isSpecial(name) {
			x.set(name)
		}
	}
}

// unprefixed returns words without those that only say where the command is to
// be found, and without the -- of time.
func unprefixed(args []word) []word {
	for len(args) > 0 && args[0].static && slices.Contains([]string{"builtin", "command", "--", "-p"}, args[0].value) {
		args = args[1:]
	}
	return args
}

// effects notes what a command does to the shell. Late tells that its name is a
// variable.
func (x *facts) effects(name string, rest []word, late bool) {
	switch name {
	case "cd", "pushd", "popd":
		x.moves = true
		x.cds++
	case "shopt":
		x.loose = true
		x.cdpath = x.cdpath || !harmlessShopt(rest)
	case "set":
		x.loose = x.loose || !harmlessSet(rest)
		x.shares = x.shares || !readableSet(rest) // -a exports functions
	case "eval":
		x.text(together(rest))
	case "trap":
		if i := trapText(rest); i >= 0 {
			x.text(rest[i])
		}
	case "alias":
		x.setsAny, x.moves = true, true
		x.cds++
	case "export", "declare", "typeset", "readonly", "local":
		x.setsAny = true
		x.setNames(rest)
		for _, f := range rest {
			name, _, _ := strings.Cut(f.value, "=")
			x.exported[name] = true
			x.shares = x.shares || sharesFunctions(f)
		}
	case "source", ".":
		// What stands before it still holds: see walker.sourced.
		x.setsAny = x.setsAny || x.again > 0 || x.texts > 0 || late
	case "mapfile", "readarray", "getopts", "unset":
		x.setsAny = true
		x.setNames(rest)
		x.undefines = x.undefines || name == "unset" && slices.ContainsFunc(rest, x.mayUndefine)
	case "unfunction", "disable": // of zsh
		x.undefines = true
	case "enable":
		x.setsAny = true
	case "printf", "wait":
		if len(rest) > 0 && (!rest[0].static && !counts(rest[0]) || strings.HasPrefix(rest[0].value, "-")) {
			x.setsAny = true
			x.setByOption(rest)
		}
	case "read":
		x.read(rest)
	}
	if x.functions[name] {
		x.setsAny = true
	}
}

// setByOption notes the variable behind the first option of printf or wait.
func (x *facts) setByOption(args []word) {
	if !args[0].static && !mayName(args[0], len(args) > 1) {
		return
	}
	if name := leading(args[0]); len(name) > 2 && name[0] == '-' {
		x.setNames([]word{known(name[2:])})
	}
	x.setNames(args[1:min(2, len(args))])
}

// sharesFunctions reports whether a word of export or declare exports functions.
func sharesFunctions(f word) bool {
	return strings.HasPrefix(f.value, "-") && strings.ContainsAny(f.value, "fF")
}

// read notes the variables that read sets.
func (x *facts) read(args []word) {
	for _, a := range args {
		if !a.static || strings.HasPrefix(a.value, "-") && a.value != "-r" {
			x.setsAny = true
			x.setNames(args)
			_, name := readOption(strings.TrimPrefix(a.value, "-"))
			x.setNames([]word{known(name)})
			return
		}
		x.set(a.value)
	}
	x.set("REPLY")
}

func (x *facts) declaration(d *syntax.DeclClause) {
	for _, a := range d.Args {
		switch {
		case a.Name != nil:
			if !onlyExports(d) {
				x.sets[a.Name.Value]++ // beside what the assignment itself counts
			}
			if exports(d) {
				x.exported[a.Name.Value] = true
			}
		default:
			x.setsAny = x.setsAny || a.Value == nil || a.Value.Lit() != "-x"
			if a.Value != nil {
				e := expander{doubt: func(string) {}}
				f := e.one(a.Value)
				x.setNames([]word{f})
				x.shares = x.shares || sharesFunctions(f)
			}
		}
	}
}

// onlyExports reports whether a declaration is export NAME=value and no more.
func onlyExports(d *syntax.DeclClause) bool {
	return d.Variant.Value == "export" && !slices.ContainsFunc(d.Args, func(a *syntax.Assign) bool { return a.Name == nil || a.Naked })
}

// exports reports whether a declaration exports its names.
func exports(d *syntax.DeclClause) bool {
	return d.Variant.Value == "export" || slices.ContainsFunc(d.Args, func(a *syntax.Assign) bool {
		return a.Name == nil && (a.Value == nil || !strings.HasPrefix(a.Value.Lit(), "-") || strings.Contains(a.Value.Lit(), "x"))
	})
}

// once reports whether a variable is certainly set in one place alone.
func (x *facts) once(name string) bool {
	return !x.setsAny && x.sets[name] == 1 && !isSpecial(name) && !isReserved(name)
}
