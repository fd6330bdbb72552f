package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// list reads a line that is a list of plain commands, as most lines of more than
// one command are:
//
//	cd web && npm test 2>&1 | tail -20 && git commit -m "Mend it"
//
// It takes no parser to tell what such a line does. One that is more than that
// it leaves alone.
func (c Config) list(line string) (parts []Part, ok bool) {
	if len(line) > maxLine || len(line) > maxParens && deep(line) {
		return nil, false
	}
	parts = make([]Part, 0, 4) // few lists are longer
	fed := false
	for first := true; ; first = false {
		command, rest, ok := cutCommand(line)
		if !ok || len(parts) == maxWords {
			return nil, false
		}
		p, ok := c.listed(command, first && command.operator == "&&")
		if !ok {
			return nil, false
		}
		p.Fed = fed
		parts = append(parts, p)
		if command.operator == "" {
			return parts, true
		}
		fed, line = command.operator == "|", rest
	}
}

// A listed command is one of a list.
type listed struct {
	source   string // as it is written, without its redirections
	quoted   bool   // some of its words are
	operator string // behind it
}

// listed returns the part of a command in a list. A cd counts only at its head.
func (c Config) listed(l listed, head bool) (p Part, ok bool) {
	spelled := l.source
	if l.quoted {
		spelled = unquoted(l.source)
	}
	p = Part{Source: l.source, Narrow: []text.Text{text.Of(spelled)}}
	if spelled != l.source {
		p.Wide = []text.Text{text.Of(l.source)}
	}
	name, args, _ := strings.Cut(spelled, " ")
	if name == "cd" && head {
		p.Free = plainPlace(args) && c.Inside != nil && c.Inside(args)
		p.Entered = []string{args}
		return p, p.Free
	}
	return p, runsItself(spelled) && !isBuiltin(name) && !slices.Contains(c.Wrappers, name)
}

// cutCommand cuts a line behind its first operator. The words must have one
// blank between two, and may be in quotes but for the first.
func cutCommand(line string) (c listed, rest string, ok bool) {
	end := 0 // of the words
	for at := 0; at < len(line); {
		size, quoted, plain := measure(line[at:])
		word := line[at : at+size]
		next := min(at+size+1, len(line))
		switch {
		case size == 0:
			return c, "", false
		case plain && end == max(0, at-1) && !(quoted && at == 0): // no redirection stands before it
			end, c.quoted = at+size, c.quoted || quoted
		case isOperator(word) && next < len(line):
			c.source, c.operator = line[:end], word
			return c, line[next:], end > 0
		case !isMuting(word):
			return c, "", false
		}
		at = next
	}
	c.source = line[:end]
	return c, "", end > 0 && line[len(line)-1] != ' '
}

// measure returns the size of the word that s starts with, up to a blank or the
// end, or 0 if something in quotes means more than itself. It is plain where it
// is no more than bytes that mean themselves, and quotes around others, and no
// reader of words takes it for a variable.
func measure(s string) (size int, quoted, plain bool) {
	plain = true
	for size = 0; size < len(s) && s[size] != ' '; size++ {
		switch c := s[size]; {
		case c == '"' || c == '\'':
			end := closing(s[size+1:], c)
			if end < 0 {
				return 0, false, false
			}
			plain = plain && (s[0] == '-' || strings.IndexByte(s[size:size+end], '=') < 0)
			size, quoted = size+1+end, true
		case !plainByte(c), c == '=' && s[0] != '-':
			plain = false
		}
	}
	return size, quoted, plain
}

// closing returns where in s the quote is that closes one before s, if all that
// it quotes means itself to every shell, or -1.
func closing(s string, quote byte) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c == quote:
			return i
		case c < ' ' || c > '~', quote == '"' && (c == '$' || c == '`' || c == '\\' || c == '!'):
			return -1
		}
	}
	return -1
}

// unquoted returns words without their quotes, as join spells them.
func unquoted(words string) string {
	var b strings.Builder
	b.Grow(len(words))
	quote, start := byte(0), 0 // of the word in b
	for i := 0; i <= len(words); i++ {
		switch {
		case i == len(words) || quote == 0 && words[i] == ' ':
			if b.Len() == start {
				b.WriteString("''")
			}
			if i < len(words) {
				b.WriteByte(' ')
			}
			start = b.Len()
		case quote == 0 && (words[i] == '"' || words[i] == '\''):
			quote = words[i]
		case words[i] == quote:
			quote = 0
		default:
			b.WriteByte(words[i])
		}
	}
	return b.String()
}

func isOperator(word string) bool {
	switch word {
	case "&&", "||", "|", ";":
		return true
	}
	return false
}

// isMuting reports whether a word is a redirection that needs no rule.
func isMuting(word string) bool {
	switch word {
	case "2>&1", ">&2", "1>&2", ">/dev/null", "1>/dev/null", "2>/dev/null":
		return true
	}
	return false
}

// plainPlace reports whether a word is the name of a directory and nothing
// else to any cd.
func plainPlace(word string) bool {
	return word != "" && isPlain(word) && word[0] != '-' && word[0] != '+' && !strings.ContainsAny(word, "=%")
}
