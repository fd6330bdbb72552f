package shell

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// A word is one argument of a command after all expansions.
type word struct {
	text    text.Text
	static  bool       // there is no hole in it
	value   string     // the text, if it is static
	vanish  bool       // it may be no word at all, or several
	filled  bool       // it is not empty, though there is a hole in it
	splits  bool       // names of files in it are split again, so that it may be several words
	tilde   bool       // it starts with an unquoted ~ or $HOME that names the home
	homes   bool       // some ~ in it stands for the home
	homed   *text.Text // with the home in the place of each ~ that names it; nil if there is none
	likely  string     // the text if a mark in it is left as it stands; may be empty
	why     string     // what is not known of it
	guess   *text.Text // with what the line may have set its variables to; nil if there is none
	source  string     // as it is written; the first of several from braces has it
	spliced string     // the text if IFS and the positional parameters are what they usually are; may be empty
}

// known returns a word that is s.
func known(s string) word { return word{text: text.Of(s), static: true, value: s} }

func hole(kind text.Hole) word {
	var b text.Builder
	b.WriteHole(kind)
	return word{text: b.Text()}
}

// unbound reports whether a word may be several that nobody knows: other than
// those of a glob, each of which is the name of a file.
func (w word) unbound() bool { return w.splits || w.several() && !isGlob(w) }

// several reports whether a word that is no static text may be several words,
// or none.
func (w word) several() bool {
	if w.static {
		return false
	}
	for _, h := range w.text.All() {
		if h == text.Any || h == text.Args || h == text.Name {
			return true
		}
	}
	return w.vanish
}

// expander turns words of the source into words of a command.
type expander struct {
	vars      map[string]word // what variables certainly hold
	zsh       bool            // zsh expands them
	sets      map[string]int  // how often the text sets a variable
	loose     bool            // word splitting or globbing is not what it usually is
	home      string          // what ~ stands for; may be empty
	moved     bool            // the text sets HOME: nobody knows what ~ stands for
	functions map[string]bool // that the text defines
	statuses  bool            // PIPESTATUS is what the shell sets it to
	started   bool            // something runs in the background, so that $! is a number
	unsure    bool            // what programs print rests on what the text sets
	foreign   bool            // functions of other texts may take the place of programs
	altered   bool            // programs are looked up elsewhere
	doubt     func(string)
	guesses   map[string]word // what variables may hold, as was seen last
	source    func(syntax.Node) string
	spent     *int // words that were expanded
}

// fields returns the words that ws become.
func (e *expander) fields(ws []*syntax.Word) []word {
	all := make([]word, 0, len(ws))
	for _, w := range ws {
		if e.spent != nil && *e.spent > maxSteps {
			e.doubt("more words than can be looked at: split the line")
			return append(all, follows())
		}
		if s, ok := plainWord(w); ok {
			all = append(all, e.plain(s))
			continue
		}
		before := len(all)
		if all = e.expand(all, w); len(all) > before && e.source != nil {
			all[before].source = e.source(w)
		}
	}
	return all
}

// expand appends the words that w becomes.
func (e *expander) expand(all []word, w *syntax.Word) []word {
	if s, ok := literal(w); ok {
		e.spend(1)
		return append(all, known(s))
	}
	if !slices.ContainsFunc(w.Parts, opensBrace) {
		e.spend(1)
		return e.appendField(all, w.Parts)
	}
	words, cost := e.braces(w)
	if e.spend(len(words) + cost); len(words) > 1 {
		e.spend(braceCost * len(words))
	}
	for _, parts := range words {
		all = e.appendField(all, parts)
	}
	return all
}

// spend counts words that are expanded, or what is as much work.
func (e *expander) spend(words int) {
	if e.spent != nil {
		*e.spent += words
	}
}

// appendField appends the word that parts become, unless it is none for certain.
func (e *expander) appendField(all []word, parts []syntax.WordPart) []word {
	if f, ok := e.field(parts); ok {
		return append(all, f)
	}
	return all
}

// opensBrace reports whether a brace in a part of a word may make several of it.
func opensBrace(part syntax.WordPart) bool {
	lit, ok := part.(*syntax.Lit)
	return ok && strings.Contains(lit.Value, "{")
}

// plainWord returns the text of a word that means itself to every shell, as
// most do.
func plainWord(w *syntax.Word) (s string, ok bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || !isPlain(lit.Value) {
		return "", false
	}
	return lit.Value, true
}

// literal returns the text of a word that is no more than plain bytes and
// quotes around others.
func literal(w *syntax.Word) (s string, ok bool) {
	for _, part := range w.Parts {
		piece := ""
		switch p := part.(type) {
		case *syntax.Lit:
			piece, ok = p.Value, isPlain(p.Value)
		case *syntax.SglQuoted:
			piece, ok = restore(p.Value), !p.Dollar
		case *syntax.DblQuoted:
			piece, ok = quotedLiteral(p)
		default:
			ok = false
		}
		if !ok {
			return "", false
		}
		s += piece
	}
	return s, ok
}

// quotedLiteral returns the text in double quotes, if it is no more than that.
func quotedLiteral(q *syntax.DblQuoted) (s string, ok bool) {
	switch len(q.Parts) {
	case 0:
		return "", true
	case 1:
		if lit, ok := q.Parts[0].(*syntax.Lit); ok {
			return unescape(restore(lit.Value)), true
		}
	}
	return "", false
}

// plain returns a word of plain bytes.
func (e *expander) plain(s string) word {
	e.spend(1)
	w := known(s)
	if e.source != nil {
		w.source = s
	}
	return w
}

// one returns the word that w becomes where no braces are expanded.
func (e *expander) one(w *syntax.Word) word { return e.only(w, false) }

// only is one, for the value of an assignment if that is said: there a ~ may
// stand behind a colon too.
func (e *expander) only(w *syntax.Word, assigned bool) word {
	if s, ok := literal(w); ok {
		return known(s)
	}
	b := builder{expander: e, listed: assigned, assigned: assigned}
	f, ok := b.all(w.Parts)
	if !ok {
		return known("")
	}
	return f
}

// field returns the word that parts become, or false if it is none for certain.
func (e *expander) field(parts []syntax.WordPart) (word, bool) {
	b := builder{expander: e}
	if lit, ok := first(parts).(*syntax.Lit); ok {
		b.listed = startsAssignment(lit.Value)
	}
	return b.all(parts)
}

func first(parts []syntax.WordPart) syntax.WordPart {
	if len(parts) == 0 {
		return nil
	}
	return parts[0]
}

// unsplit reports whether a word stays one, and itself, outside quotes.
func (w word) unsplit() bool {
	s, _ := w.text.Known()
	return s != "" && !strings.ContainsAny(s, " \t\n*?[\\")
}

// join returns words as the text that rules are matched with: a blank between
// two, and two single quotes for an empty one.
func join(fields []word) text.Text {
	if s, ok := joined(fields); ok {
		return text.Of(s)
	}
	var b text.Builder
	blank := false
	for _, f := range fields {
		if f.vanish {
			if blank {
				b.WriteHole(text.Args)
			} else {
				b.WriteHole(text.Any) // with the blank behind it
			}
			continue
		}
		if blank {
			b.WriteString(" ")
		}
		blank = true
		if f.static && f.value == "" {
			b.WriteString("''")
			continue
		}
		b.Write(f.text)
	}
	return b.Text()
}

// unfit reports whether a program's name has a character that none has: one
// that would make the text of a rule say something else.
func unfit(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`;&|<>()$"'`+"`", r)
	})
}

// joined is join for words that are all known, and none of them empty.
func joined(fields []word) (s string, ok bool) {
	size := 0
	for i := range fields {
		if !fields[i].static || fields[i].value == "" {
			return "", false
		}
		size += 1 + len(fields[i].value)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range fields {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(fields[i].value)
	}
	return b.String(), true
}
