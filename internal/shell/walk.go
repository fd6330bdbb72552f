package shell

import (
	"hash/maphash"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// walker gathers the parts of one line.
type walker struct {
	Config
	parts []Part

	src      string // of the text that is being read
	lang     syntax.LangVariant
	zsh      bool     // zsh runs the text
	depth    int      // texts in texts
	exp      expander // of the words of the text
	cds      places   // where the line may be by now
	entered  []string // places that were taken to be inside the root
	floating []string // those of them of which nobody knows where they start
	facts    facts    // of the text
	full     bool     // there is no room for further parts
	moved    bool     // texts are read by a shell that is elsewhere
	away     bool     // texts are read by a shell that may have another home
	unsure   bool     // and another environment
	heard    bool     // rules that refuse hear of commands, and none has to allow them
	steps    *int     // statements and words that were read
	size     int      // of the texts of the parts
	told     map[telling]bool
	last     doubted      // what was told last
	seed     maphash.Seed // of told
	seen     map[codeText]bool
	streams  *fileReads // of all texts
	input    bool       // the text is what the shell reads from its input
	fed      bool       // what is read now has another input
	lent     bool       // it may have one, see lending
	changed  bool       // exec has changed what the shell itself reads
	typing   bool       // keys have started a line and not ended it

	guesses  map[string]word // see expander
	defined  map[string]bool // functions of the text, from here on
	sourced  bool            // a script has run that may have set any variable
	shaky    []string        // variables that are known on this line alone
	startsAt uint            // where the statement at the top starts
	leads    bool            // nothing stands before it there
	numbers  *numbers        // of all texts
}

// A codeText is a text that has been read as code. Reading it again would add
// nothing, and a text in a text in a text is read once more for each shell that
// might read it.
type codeText struct {
	src                   string
	lang                  syntax.LangVariant
	zsh                   bool
	moved, heard          bool
	away, unsure, foreign bool
	repaths               bool
	feeds, input          bool // it takes its input from the script around it, or may reach it
	given                 bool // it may have an input
}

// A telling is a doubt that has been told: a place, by its length and a hash
// for it may be as long as the line, and a reason.
type telling struct {
	why   string
	size  int
	hash  uint64
	heard bool
}

// A doubted is a doubt as it is told. To compare it with the same one takes no
// time, and each word of a long command may tell it again.
type doubted struct {
	source, why string
	heard       bool
}

// line reads a text that a new shell runs.
func (w *walker) line(src string, lang syntax.LangVariant, depth int) {
	w.read(src, lang, depth, false)
}

// read reads a text that is code. Where the same shell runs it that shell's
// variables hold.
func (w *walker) read(src string, lang syntax.LangVariant, depth int, same bool) {
	if depth > maxReparse {
		w.unknown(src, "commands in commands, too deep to follow")
		return
	}
	if w.full {
		return
	}
	moved := w.moved || w.facts.moves
	around := facts{
		home: w.facts.home || w.away, unsure: w.facts.unsure || w.unsure, foreign: w.facts.foreign || w.facts.shares,
		repaths: w.facts.repaths, exported: w.facts.exported,
	}
	if r := (codeText{src, lang, w.zsh, moved, w.heard, around.home, around.unsure, around.foreign, around.repaths, w.hungry(), w.input, w.given()}); !same {
		if w.seen[r] {
			return
		}
		if w.seen == nil {
			w.seen = make(map[codeText]bool)
		}
		w.seen[r] = true
	}
	outer := *w // the state of the text around this one, which is put back at the end
	w.src, w.lang, w.depth, w.moved = src, lang, depth, moved
	place := restore(src)
	doubt := func(why string) { w.unknown(place, why) }
	f, parsed := parse(w.Parsers, src, lang, doubt)
	if f != nil {
		w.src = parsed
		doubts(f, parsed, w.numbers, doubt)
		if w.zsh {
			zshDoubts(f, parsed, doubt)
		}
		if !same {
			w.shaky, w.startsAt = nil, 0
			w.facts, w.defined = factsOf(f, depth), make(map[string]bool)
			w.facts.inherit(&around)
			w.facts.zsh = w.zsh
			w.exp = w.expander()
		}
		w.exp.doubt = doubt
		w.cds = places{unknown: moved || w.facts.moves && (same || depth > 0 || w.facts.roams())}
		for _, s := range f.Stmts {
			if same {
				w.stmt(s) // it may run later, or not at all
			} else {
				w.top(s)
			}
		}
	}
	// What was found stays: the parts, and what need not be told or read again.
	inner := *w
	*w = outer
	w.changed = outer.changed || same && inner.changed
	w.typing = inner.typing
	w.parts, w.full, w.size, w.seen, w.told = inner.parts, inner.full, inner.size, inner.seen, inner.told
	w.entered, w.floating = inner.entered, inner.floating
}

// expander returns what turns the words of a text into those of commands, by the
// facts of it.
func (w *walker) expander() expander {
	x := &w.facts
	return expander{
		vars: make(map[string]word), guesses: w.guesses, home: w.Home, zsh: w.zsh,
		loose: x.loose, moved: x.home, functions: x.functions, sets: x.sets,
		statuses: !w.zsh && !x.setsAny && x.sets["PIPESTATUS"] == 0,
		unsure:   x.unsure, foreign: x.foreign, altered: x.repaths,
		source: w.source, spent: w.steps,
	}
}

// add adds a part, if there is room. That there is none holds for what follows
// too, and so needs a rule wherever it is found.
func (w *walker) add(p Part) {
	if w.full {
		return
	}
	p.Free = p.Free || w.heard && p.Kind == Command
	for _, texts := range [...][]text.Text{p.Narrow, p.Wide} {
		for _, t := range texts {
			s, _ := t.Known()
			w.size += len(s)
		}
	}
	if p.Kind != Command {
		w.size += len(p.Path) + len(p.Dir) + len(p.Source)
	}
	if len(w.parts) >= maxParts || w.size > maxTexts {
		w.full = true
		p = unknownPart(p.Source, "more commands than can be looked at: split the line")
	}
	p.Source = restore(p.Source)
	w.parts = append(w.parts, p)
}

// unknown adds a hole, once for each place and reason.
func (w *walker) unknown(source, why string) {
	now := doubted{source, why, w.heard}
	if w.full || w.last == now {
		return
	}
	w.last = now
	if key := (telling{why, len(source), maphash.String(w.seed, source), w.heard}); !w.told[key] {
		if w.told == nil {
			w.told = make(map[telling]bool)
		}
		w.told[key] = true
		w.add(unknownPart(source, why))
	}
}

func unknownPart(source, why string) Part {
	return Part{Source: source, Narrow: []text.Text{text.Unknown()}, Unknown: why}
}

// top reads a statement at the top of a text: assignments there hold for what
// comes after.
func (w *walker) top(s *syntax.Stmt) {
	w.forget(s)
	w.through(s, true)
}

// plainly reports whether a statement is its command and nothing more.
func plainly(s *syntax.Stmt) bool {
	return !s.Negated && !s.Background && !s.Coprocess && !s.Disown && len(s.Redirs) == 0
}

// holds reports whether enough is known of a word to say it again: all of it,
// or all but names of files.
func (w word) holds() bool {
	switch {
	case w.homes:
		return w.static && w.tilde && w.homed != nil && !strings.Contains(w.value[1:], "~")
	case w.static || w.vanish:
		return w.static
	}
	for _, h := range w.text.All() {
		if h != 0 && h != text.Name && h != text.Digits && h != text.Number {
			return false
		}
	}
	return true
}

// stmt reads one statement wherever it stands.
func (w *walker) stmt(s *syntax.Stmt) {
	if w.step(s, 1); w.full {
		return
	}
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil:
			w.size += int(r.Hdoc.End().Offset()) - int(r.Hdoc.Pos().Offset())
		case r.Op == syntax.WordHdoc:
			w.size += int(r.Word.End().Offset()) - int(r.Word.Pos().Offset())
		}
		w.redirect(r)
	}
	if s.Cmd == nil {
		return
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.setters(c)
		w.call(c, s)
		w.moves(c)
	case *syntax.DeclClause:
		w.declaration(c)
	case *syntax.TimeClause:
		w.timed(c)
	case *syntax.CoprocClause:
		w.coprocess(c)
	default:
		w.compound(s)
	}
}

// step counts steps, and ends the reading at s if there were too many or what
// was read is too long.
func (w *walker) step(s syntax.Node, n int) {
	if *w.steps += n; (*w.steps > maxSteps || w.size > maxTexts) && !w.full {
		w.heard = false
		w.unknown(w.source(s), "more commands than can be looked at: split the line")
		w.full = true
	}
}

// nested reads the statements somewhere inside n, and notes what arithmetic
// there sets.
func (w *walker) nested(n syntax.Node) {
	nodes := 0
	syntax.Walk(n, func(m syntax.Node) bool {
		if nodes++; nodes%nodesInStep == 0 {
			w.step(n, 1)
		}
		if w.full {
			return false
		}
		switch m := m.(type) {
		case *syntax.BinaryArithm, *syntax.UnaryArithm:
			if name := arithmeticTarget(m); name != "" {
				w.sets(name)
			}
		case *syntax.ParamExp:
			if assignsDefault(m) {
				w.sets(m.Param.Value)
			}
		case *syntax.BinaryTest:
			for _, name := range comparedNames(m) {
				w.sets(name)
			}
		case *syntax.Stmt:
			w.stmt(m)
			return false
		case *syntax.CmdSubst:
			if s, ok := w.exp.heredocText(m); ok {
				w.step(n, len(s)/bytesInStep)
			} else {
				w.within(m.Stmts)
			}
			return false
		case *syntax.ProcSubst:
			w.within(m.Stmts)
			return false
		case *syntax.FuncDecl:
			w.function(m)
			return false
		}
		return true
	})
}

// source returns the text of a node.
func (w *walker) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.src) || from >= to {
		return ""
	}
	return strings.TrimSpace(w.src[from:to])
}
