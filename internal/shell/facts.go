package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// facts are what a text does to its own reading.
type facts struct {
	zsh       bool // zsh runs it
	loose     bool // it touches how words are split or globbed
	moves     bool // it changes the directory
	cds       int  // how often
	straight  int  // how often by a cd that runs once, in the order of the text
	cdpath    bool
	home      bool // it sets HOME, or may run in a shell that has another one
	unsure    bool // what programs print rests on what it sets
	repaths   bool // it changes where programs are looked up
	shares    bool // it exports functions
	foreign   bool // it runs with functions that are not its own
	functions map[string]bool
	undefines bool   // it unsets functions, or may
	unset     []word // what it unsets, some of it perhaps before it defines that
	exported  map[string]bool
	sets      map[string]int  // how often a variable is set
	setsAny   bool            // something may set any variable
	reckons   bool            // arithmetic may set any, to a number
	numerals  map[string]int  // how often a variable is set to a number, see counter
	listed    map[string]bool // variables of loops over what seq prints
	ordered   map[string]int  // how often a variable is set at the top, one after the other
	turned    map[string]int  // how often by a loop that is in no other over the same
	turning   map[string]int  // loops over a variable around a node
	loops     int             // how deep loops are nested at most

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
		numerals: make(map[string]int), listed: make(map[string]bool), ordered: make(map[string]int), turned: make(map[string]int), turning: make(map[string]int),
		setsAny: depth > 0, values: make(map[string]word), passing: make(map[*syntax.Assign]bool),
	}
	x.file(f)
	for _, s := range f.Stmts {
		for _, a := range assignsFirst(s) {
			if a.Name != nil {
				x.ordered[a.Name.Value]++
			}
		}
	}
	for _, c := range x.pending {
		x.call(c, x.values)
	}
	x.undefines = x.undefines || slices.ContainsFunc(x.unset, x.mayUndefine)
	return x
}

func (x *facts) file(f *syntax.File) {
	level := 0
	var stack []syntax.Node
	var outside []int // what circles was around each subshell
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			if f, ok := last.(*syntax.ForClause); ok {
				level--
				x.turning[loopsOver(f)]--
			}
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
		if f, ok := n.(*syntax.ForClause); ok {
			x.turns(loopsOver(f))
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
		if file, _ := parse(nil, f.value, syntax.LangBash, func(string) {}); file != nil {
			x.file(file)
			return
		}
	}
	x.setsUnknown()
	x.moves, x.undefines = true, true
	x.cds++
}

func (x *facts) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		if n.Name != nil && !x.passing[n] {
			x.set(n.Name.Value)
			x.counts(n)
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
	case *syntax.ForClause:
		x.countsOver(n)
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
			x.reckons = x.reckons || sets(n.X) || sets(n.Y)
		case syntax.TsReMatch:
			x.set("BASH_REMATCH")
		}
	}
}

func (x *facts) setByArithmetic(target syntax.ArithmExpr) {
	if w, ok := target.(*syntax.Word); ok && textOf(w) != "" {
		x.set(textOf(w))
		x.numerals[textOf(w)]++
		return
	}
	x.reckons = true
}

// sets reports whether the operand of a test may set a variable, by something
// else than what a variable holds: see numbers.
func sets(x syntax.TestExpr) bool {
	w, ok := x.(*syntax.Word)
	if !ok {
		return true
	}
	o := operandOf(w, gap)
	return o.unknown || assignsIn(o.text)
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
	case "PATH":
		x.repaths = true
	case "TMPDIR", "GOPATH", "GOROOT", "GOMODCACHE", "GOENV":
		x.unsure = true
	}
}

// inherit notes what holds of a text because of the one that it stands in: a
// shell takes its environment from the one that starts it.
func (x *facts) inherit(outer *facts) {
	x.home, x.unsure, x.foreign = x.home || outer.home, x.unsure || outer.unsure, x.foreign || outer.foreign
	x.repaths = x.repaths || outer.repaths
	for name := range outer.exported {
		x.exported[name] = true
	}
}

// once reports whether a variable is certainly set in one place alone.
func (x *facts) once(name string) bool {
	return x.ordinary(name) && !x.reckons && x.sets[name] == 1
}

// ordinary reports whether nothing but what the text shows sets a variable.
func (x *facts) ordinary(name string) bool {
	return !x.setsAny && !isSpecial(name) && !isReserved(name) && !(x.zsh && zshReads(name))
}
