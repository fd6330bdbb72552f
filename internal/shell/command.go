package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// A command is one simple command on its way to a part.
type command struct {
	fields  []word
	assigns []assignment // before it
	source  string
	layers  int // commands around it
	stdin   *input
	fed     string // the documents that it is given as its input, as they are written
	script  []word // that a shell runs, and its arguments
	free    bool   // it needs no rule of its own
}

// call reads a simple command of the source.
func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt) {
	for _, a := range c.Assigns {
		w.nested(a)
	}
	for _, a := range c.Args {
		if _, ok := literal(a); !ok {
			w.nested(a)
		}
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			w.assigns(a)
		}
		return
	}
	cmd := command{fields: w.exp.fields(c.Args), source: w.source(c), stdin: w.stdin(s), fed: w.documents(s)}
	for _, a := range c.Assigns {
		cmd.assigns = append(cmd.assigns, w.assignment(a))
	}
	if len(cmd.fields) == 0 {
		return // all of them vanished
	}
	w.command(cmd)
}

// command adds the part of a command, and those of the commands that it runs.
func (w *walker) command(c command) {
	if w.full {
		return
	}
	if c.layers > 0 {
		c.source = written(c.fields)
	}
	if c.layers > maxLayers {
		w.unknown(c.source, "commands that run commands, too many to follow")
		return
	}
	name := c.name()
	if c.stdin != nil && c.stdin.own {
		defer func(fed bool) { w.fed = fed }(w.fed)
		w.fed = true
	}
	if fields, ok := w.otherwiseCalled(c.fields, name); ok {
		usual := c
		usual.layers++
		usual.fields = fields
		w.listen(func() { w.command(usual) })
	}
	w.takes(&c, name)
	if c.layers == 0 && len(c.assigns) > 0 {
		w.programs(c.assigns, c.source)
	}
	if w.zsh {
		w.zshCommand(&c, name)
	}
	switch {
	case name == "":
	case w.runs(&c, name):
		return
	default:
		w.builtin(&c, name)
	}
	w.add(w.part(c))
}

// written returns words as they are written.
func written(fields []word) string {
	var all []string
	for _, f := range fields {
		if f.source != "" {
			all = append(all, f.source)
		}
	}
	return strings.Join(all, " ")
}

// name returns the last component of the program's name, or nothing where it
// is not known.
func (c *command) name() string {
	f := c.fields[0]
	if f.static {
		return base(f.value)
	}
	if f.several() {
		return ""
	}
	// The directory alone may be unknown: "$D/env" is env wherever it is.
	known := ""
	for r, h := range f.text.All() {
		switch {
		case h != 0:
			known = "/…"
		case r == '/':
			known = ""
		default:
			known += string(r)
		}
	}
	if strings.HasPrefix(known, "/") {
		return ""
	}
	return known
}

// base returns the last component of a program's path.
func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// part returns the part of a command with all the ways to spell it.
func (w *walker) part(c command) Part {
	p := Part{Source: c.source, Free: c.free}
	if p.Source == "" {
		p.Source = join(c.fields).String()
	}
	p.Unknown = unknownWords(c.fields)
	var prefix, telling []word // all assignments, and those that are not harmless
	for _, a := range c.assigns {
		t := a.text()
		_, whole := t.Known()
		prefix = append(prefix, word{text: t, static: whole, value: a.name + "=" + a.value.value})
		if w.harmlessFor(&c, a) {
			continue
		}
		telling = append(telling, prefix[len(prefix)-1])
		if p.Unknown == "" && len(telling) == 1 {
			p.Unknown = "what " + a.name + "=… changes: the rule that allows it has to start with that assignment"
		}
	}
	harmless := len(telling) == 0
	for _, v := range w.variants(c.fields) {
		if fields, ok := fit(v.fields); !ok {
			v.fields, p.Unknown = fields, "a program's name that no program has: write it in plain letters"
		}
		t := join(v.fields)
		add(&p, t, v.narrow && harmless)
		if len(prefix) > 0 {
			add(&p, join(append(slices.Clone(prefix), v.fields...)), v.narrow)
		}
		if !harmless && len(telling) < len(prefix) {
			add(&p, join(append(slices.Clone(telling), v.fields...)), v.narrow)
		}
		for i := 1; i < min(len(prefix), maxPrefixes); i++ {
			add(&p, join(append(slices.Clone(prefix[i:]), v.fields...)), false) // a rule that refuses LD_PRELOAD=* holds behind A=b
		}
	}
	if len(prefix) > maxPrefixes {
		p.Wide = append(p.Wide, text.Unknown())
	}
	if s := restore(c.source); s != "" && !strings.Contains(s, "\n") {
		add(&p, text.Of(s), false)
	}
	c.asCommand(&p)
	c.asAssignments(&p)
	if p.Source += restore(c.fed); c.layers > 0 {
		w.size += len(c.fed) // once more than the statement has been charged
	}
	p.Fed = w.fed || c.stdin != nil
	return p
}

// asCommand adds the readings of a script as the command that it could be as
// well: a rule that refuses that holds, and a name without a slash is looked up
// where commands are. The last component of a path is no command here.
func (c *command) asCommand(p *Part) {
	if len(c.script) == 0 {
		return
	}
	add(p, join(c.script), false)
	if slices.ContainsFunc(c.script, func(f word) bool { return f.homed != nil }) {
		add(p, join(homed(c.script)), false)
	}
}

// asAssignments adds the readings of a declaration as the assignments in it: a
// rule that refuses PATH=* is meant for export PATH=x as well.
func (c *command) asAssignments(p *Part) {
	switch c.name() {
	case "declare", "export", "local", "readonly", "typeset":
	default:
		return
	}
	left := maxWords
	for _, f := range c.fields[1:] {
		name, _, _ := strings.Cut(leading(f), "=")
		t := f.text
		if bare := strings.TrimSuffix(name, "+"); bare != name {
			t = assignment{name: bare}.text()
		}
		if !isAssignmentWord(leading(word{text: t})) {
			continue
		}
		if left--; left < 0 {
			p.Wide = append(p.Wide, text.Unknown())
			return
		}
		p.Wide = append(p.Wide, shortened(t)) // not by add, which compares it with all others
	}
}

// shortened returns t with a hole for what is behind the first pages of a text
// that has holes: those take long to match, and nobody writes them by hand.
func shortened(t text.Text) text.Text {
	if _, whole := t.Known(); whole {
		return t
	}
	var short text.Builder
	size := 0
	for r, h := range t.All() {
		switch {
		case size > maxHoled/4:
		case h != 0:
			short.WriteHole(h)
		default:
			short.WriteString(string(r))
		}
		if size++; h != 0 {
			size += holeCost
		}
	}
	if size <= maxHoled {
		return t
	}
	short.WriteHole(text.Any)
	return short.Text()
}

// add adds a reading, unless there is the same without a hole.
func add(p *Part, t text.Text, narrow bool) {
	t = shortened(t)
	s, whole := t.Known()
	same := func(o text.Text) bool {
		known, all := o.Known()
		return whole && all && known == s
	}
	if slices.ContainsFunc(p.Narrow, same) || !narrow && slices.ContainsFunc(p.Wide, same) {
		return
	}
	if narrow {
		p.Narrow = append(p.Narrow, t)
	} else {
		p.Wide = append(p.Wide, t)
	}
}

// fit returns fields with a hole in the place of a program's name that no
// program has.
func fit(fields []word) (fitting []word, ok bool) {
	if f := fields[0]; f.static && (unfit(f.value) || f.value == "") {
		return append([]word{hole(text.Word)}, fields[1:]...), false
	}
	return fields, true
}
