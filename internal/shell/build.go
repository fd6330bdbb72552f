package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// all makes the word of parts, or returns false if it is none for certain.
func (b *builder) all(parts []syntax.WordPart) (word, bool) {
	for i, part := range parts {
		if b.lost {
			break
		}
		before := b.holes
		if b.part(part, i == 0, parts[i+1:]); b.holes > before {
			b.because(part)
			b.ended = b.ended || b.mayEnd(part)
		}
	}
	return b.word(), b.holes > 0 || b.solid // or it is an empty alternative of braces
}

// builder makes one word. It writes it five times over, once for each way in
// which a word may be taken; what differs between them is written by methods of
// its own, such as hole and homely.
type builder struct {
	*expander
	text     text.Builder
	plain    strings.Builder // what is known
	splice   strings.Builder // see word.spliced
	holes    int             // in text
	solid    bool            // something stands there for certain, if only quotes
	filled   bool            // see word.filled
	tilde    bool
	assigned bool         // it is the value of an assignment, which is not split
	splits   bool         // see word.splits
	lost     bool         // what follows cannot be told
	ended    bool         // what follows may be cut off
	listed   bool         // a ~ behind = or : may stand for the home
	homes    int          // how many ~ stand for the home
	homed    text.Builder // see word.homed
	why      string       // see word.why
	guess    text.Builder // see word.guess
	guessed  bool         // guess differs from text
	usual    bool         // there is something to splice
	unusual  bool         // there is a hole that splicing does not fill
}

// word returns what was written.
func (b *builder) word() word {
	w := word{text: b.text.Text(), tilde: b.tilde}
	if b.loose && b.holes > 0 {
		w = hole(text.Any)
		w.vanish = true
	} else if b.holes == 0 {
		w.static, w.value = true, b.plain.String()
	} else {
		w.vanish = !b.solid && !b.assigned
	}
	w.why, w.splits, w.filled = b.why, b.splits, b.filled && b.holes > 0
	if b.guessed {
		t := b.guess.Text()
		w.guess = &t
	}
	if b.usual && !b.unusual {
		w.spliced = b.splice.String()
	}
	w.homes = b.homes > 0
	if w.homes && b.home != "" {
		t := b.homed.Text()
		w.homed = &t
	}
	return w
}

// write writes characters that are known.
func (b *builder) write(s string) {
	if b.lost {
		return
	}
	b.guess.WriteString(s)
	if b.ended {
		return
	}
	b.text.WriteString(s)
	b.homed.WriteString(s)
	b.plain.WriteString(s)
	b.splice.WriteString(s)
	b.solid, b.filled = b.solid || s != "", b.filled || s != ""
}

// insert writes what a variable holds.
func (b *builder) insert(v word) {
	switch {
	case !b.affords(v), b.ended && !v.static:
		b.hole(text.Any)
		return
	case v.homes && b.holes == 0 && b.plain.Len() == 0:
		b.homely()
		b.tilde = true
		b.write(v.value[1:])
		return
	case v.homes && v.homed == nil:
		b.hole(text.Word)
		return
	case v.homes:
		s, _ := v.homed.Known()
		b.write(s)
		return
	case v.static:
		b.write(v.value)
		return
	}
	b.filled = b.filled || v.filled
	b.text.Write(v.text)
	b.homed.Write(v.text)
	b.guess.Write(v.text)
	b.holes++
	b.unusual = true
	b.solid = true
}

// affords reports whether there is room for what a variable holds: one may hold
// another twice, and that yet another.
func (b *builder) affords(v word) bool {
	if b.spent == nil {
		return true
	}
	known, _ := v.text.Known()
	*b.spent += len(known) / bytesInStep
	return *b.spent <= maxSteps
}

// hole writes a hole that nothing is known of but its kind.
func (b *builder) hole(kind text.Hole) {
	b.text.WriteHole(kind)
	b.homed.WriteHole(kind)
	b.guess.WriteHole(kind)
	b.holes++
	b.unusual = true
}

// variable writes the hole that a variable is, and for deny rules what the line
// last set it to, if only perhaps.
func (b *builder) variable(kind text.Hole, name string) {
	v, ok := b.guesses[name]
	if !ok || b.lost || !b.affords(v) {
		b.hole(kind)
		return
	}
	b.text.WriteHole(kind)
	b.homed.WriteHole(kind)
	b.guessed = true
	if t := v.text; v.homed == nil {
		b.guess.Write(t)
	} else {
		b.guess.Write(*v.homed)
	}
	b.holes++
	b.unusual = true
}

// usually writes a hole that is most likely s.
func (b *builder) usually(kind text.Hole, s string) {
	b.text.WriteHole(kind)
	b.homed.WriteHole(kind)
	b.guess.WriteHole(kind)
	b.holes++
	b.usual = true
	b.splice.WriteString(s)
}

// part writes a part of the word, with rest behind it.
func (b *builder) part(part syntax.WordPart, first bool, rest []syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.Lit:
		b.literal(p.Value, first, rest)
	case *syntax.SglQuoted:
		b.solid = true
		if p.Dollar {
			b.write(ansiC(restore(p.Value)))
		} else {
			b.write(restore(p.Value))
		}
	case *syntax.DblQuoted:
		b.double(p, first)
	case *syntax.ParamExp:
		if b.assigned {
			b.quoted(p, first, rest)
		} else {
			b.unquoted(p, first, rest)
		}
	case *syntax.CmdSubst:
		switch v, ok := b.output(p); {
		case ok && (b.assigned || v.unsplit()):
			b.insert(v)
		case ok && counts(v) && !v.static:
			for _, h := range v.text.All() {
				b.hole(h) // or no word at all
			}
		case b.assigned:
			b.hole(text.Word)
		default:
			b.hole(text.Any)
		}
	case *syntax.ArithmExp:
		b.solid, b.filled = true, true
		b.hole(text.Number)
	case *syntax.ProcSubst:
		if b.zsh {
			b.solid = true
			b.hole(text.Word) // one in /proc, or a pipe with a name
			break
		}
		b.write("/dev/fd/")
		b.hole(text.Digits)
	default:
		b.solid = true
		b.doubt("an extended glob")
		b.hole(text.Any)
	}
}

// literal writes characters outside quotes: a backslash takes the meaning from
// the next, and what makes a glob is a hole.
func (b *builder) literal(s string, first bool, rest []syntax.WordPart) {
	s = restore(s)
	from, prefix := 0, first
	bare := 0 // a [ before this is no more than a character
	plain := func(to int) {
		if from < to {
			b.write(s[from:to])
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '~' && (prefix || i > 0 && b.listed && (s[i-1] == '=' || s[i-1] == ':')):
			plain(i)
			i += b.tildes(s[i:], i == 0 && first, rest)
			from = i + 1
		case c == '\\' && i+1 < len(s):
			plain(i)
			i++
			from = i
			if s[i] == '\n' {
				from++
			}
			b.solid = true
		case c == '*' || c == '?':
			plain(i)
			from = i + 1
			b.solid = true
			if b.zsh && strings.HasPrefix(s[i:], "**") {
				b.hole(text.Any) // of any depth
				break
			}
			b.hole(text.Name)
		case c == '[' && i >= bare:
			end, open := bracket(s[i:])
			if end == 0 {
				if bare = len(s); !open {
					bare = i + strings.IndexByte(s[i:], '/')
				}
			}
			if end == 0 && !(open && len(rest) > 0) {
				break // no more than a character
			}
			plain(i)
			b.solid = true
			if end == 0 {
				// It is closed somewhere behind a quote: what stands between
				// is no text.
				b.lost = true
				b.hole(text.Any)
				return
			}
			i += end - 1
			from = i + 1
			b.hole(text.Name)
		}
		prefix = false
	}
	plain(len(s))
}

// bracket returns the length of the bracket expression that s starts with, or
// 0 if it is none. Open tells that it may go on behind s.
func bracket(s string) (length int, open bool) {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case ']':
			return i + 1, false
		case '/':
			return 0, false // no name of a file has one
		case '\\':
			i++
		case '[':
			if strings.HasPrefix(s[i:], "[:") {
				i += 1 + max(0, strings.Index(s[i:min(len(s), i+12)], ":]")) // a class such as [:alpha:]
			}
		}
	}
	return 0, true
}

// tildes writes the ~ that s starts with, and returns how many bytes behind it
// belong to it.
func (b *builder) tildes(s string, leads bool, rest []syntax.WordPart) int {
	end := strings.IndexAny(s, "/:")
	if leads && !b.listed || end < 0 {
		end = len(s)
		if i := strings.IndexByte(s, '/'); i >= 0 {
			end = i
		}
	}
	if end > 1 || end == len(s) && len(rest) > 0 || b.moved {
		b.solid = true
		b.hole(text.Word)
		return end - 1
	}
	b.tilde = b.tilde || leads
	b.homely()
	return 0
}

// homely writes a ~ that stands for the home.
func (b *builder) homely() {
	if b.ended {
		b.hole(text.Any)
		return
	}
	b.homes++
	b.text.WriteString("~")
	b.plain.WriteString("~")
	b.splice.WriteString("~")
	b.homed.WriteString(b.expander.home)
	b.guess.WriteString(b.expander.home)
	b.solid = true
}

// double writes what stands in double quotes.
func (b *builder) double(q *syntax.DblQuoted, first bool) {
	// Where "$@" is nothing, the quotes around it are nothing too.
	b.solid = b.solid || !slices.ContainsFunc(q.Parts, isEveryWord)
	for i, part := range q.Parts {
		before := b.holes
		switch p := part.(type) {
		case *syntax.Lit:
			b.write(unescape(restore(p.Value)))
		case *syntax.ParamExp:
			b.quoted(p, first && i == 0, q.Parts[i+1:])
		case *syntax.CmdSubst:
			if v, ok := b.output(p); ok {
				b.insert(v)
			} else {
				b.hole(text.Word)
			}
		case *syntax.ArithmExp:
			b.filled = true
			b.hole(text.Number)
		default:
			b.hole(text.Any)
		}
		if b.holes > before {
			b.because(part)
			b.ended = b.ended || b.mayEnd(part)
		}
	}
}

// because keeps the first reason why the word is not known.
func (b *builder) because(part syntax.WordPart) {
	if _, ok := part.(*syntax.DblQuoted); !ok && b.why == "" {
		b.why = b.reason(part)
	}
}
