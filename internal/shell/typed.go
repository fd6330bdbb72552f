package shell

import (
	"slices"
	"strconv"
	"strings"
)

// A key is what a word of tmux send-keys types.
type key uint8

const (
	typesText  key = iota // itself
	typesBlank            // a blank
	endsLine              // what ends a line, for a shell to run it
	dropsLine             // what takes back what was typed
	idles                 // what does nothing on an empty line
	edits                 // what may change what was typed
	typesCode             // a character, by its number
)

// typing is what keys have typed so far.
type typing struct {
	lines   strings.Builder // that are whole
	line    string
	follows bool // the line may have been started before
	edited  bool // the line may be another
	doubt   bool // some line is
}

// typed reads the words of send-keys, each of which is a key or else typed as it
// stands. It may be a shell that takes the lines that come of it for commands,
// now or when somebody ends the last one.
func (w *walker) typed(c *command, literal bool) {
	if slices.ContainsFunc(c.fields, func(f word) bool { return !f.static }) {
		w.command(*c)
		w.unknown(c.source, "a text that a shell reads: write it out")
		return
	}
	t := typing{follows: w.typing}
	for _, f := range c.fields {
		k := typesText
		if !literal {
			k = keyOf(f.value)
		}
		t.press(k, f.value)
	}
	w.typing = t.line != ""
	t.end()
	if t.doubt {
		w.unknown(c.source, "keys that edit or go on with what is typed: type the whole line")
	}
	w.typedLines(c, t.lines.String())
}

// press takes one key.
func (t *typing) press(k key, s string) {
	switch k {
	case typesText:
		t.text(s)
	case typesBlank:
		t.line += " "
	case endsLine, dropsLine:
		t.end()
	case idles:
		t.edited = t.edited || t.line != ""
	case edits:
		t.edited = true
	case typesCode:
		t.doubt = true
	}
}

// text types a text, in which a control character is what the key for it is.
func (t *typing) text(s string) {
	for s != "" {
		at := strings.IndexFunc(s, isControl)
		if at < 0 {
			t.line += s
			return
		}
		t.line += s[:at]
		t.press(controlKey(s[at]), "")
		s = s[at+1:]
	}
}

func isControl(r rune) bool { return r < ' ' || r == '\x7f' }

// controlKey returns what a control character is typed for.
func controlKey(c byte) key {
	switch c {
	case '\r', '\n':
		return endsLine
	case '\x03', '\x15':
		return dropsLine
	case '\x04', '\a', '\f', '\x1a':
		return idles
	}
	return edits
}

// end ends a line. One that was only edited is none.
func (t *typing) end() {
	t.doubt = t.doubt || (t.edited || t.follows) && t.line != ""
	if t.line != "" {
		t.lines.WriteString(t.line + "\n")
	}
	t.line, t.edited, t.follows = "", false, false
}

// typedLines reads lines that are typed.
func (w *walker) typedLines(c *command, src string) {
	var all [][]word
	for line := range strings.Lines(src) {
		words, ok := plain(strings.TrimSuffix(line, "\n"))
		if !ok && strings.TrimSpace(line) != "" {
			w.text(src, someShell) // as a whole, for a command may take several lines
			return
		}
		all = append(all, words)
	}
	for _, words := range all {
		if one := *c; len(words) > 0 {
			one.fields = words
			w.command(one)
		}
	}
}

// stuffed reads the text that screen types.
func (w *walker) stuffed(c *command) {
	line := *c
	line.fields = slices.Clone(c.fields[1:])
	for i, f := range line.fields {
		if f.static {
			line.fields[i] = known(unstuffed(f.value))
		}
	}
	w.typed(&line, true)
}

// unstuffed returns what screen types for a text: ^M in it is a control
// character, \015 one by its number. That \r and \n end a line is what those who
// write them mean.
func unstuffed(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if i+1 == len(s) || c != '^' && c != '\\' {
			b.WriteByte(c)
			continue
		}
		i++
		few := s[i:min(i+3, len(s))]
		switch n := len(few) - len(strings.TrimLeft(few, "01234567")); {
		case c == '^' && s[i] == '?':
			b.WriteByte('\x7f')
		case c == '^':
			b.WriteByte(s[i] & 0x1f)
		case n > 0:
			code, _ := strconv.ParseUint(s[i:i+n], 8, 16)
			b.WriteByte(byte(code))
			i += n - 1
		case s[i] == 'r', s[i] == 'n':
			b.WriteByte('\n')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// holdsScreen reports whether a word is a command of screen that holds others,
// reads them from elsewhere, or types what is not read here.
func holdsScreen(f word) bool {
	return !f.static || has("at backtick bind bindkey blankerprg colon eval idle paste process readbuf register shell source zombie", f.value)
}

// keyOf returns what a word of send-keys types. Case counts in none of them.
func keyOf(s string) key {
	s = strings.ToLower(s)
	if len(s) == 2 && s[0] == '^' {
		s = "c-" + s[1:]
	}
	switch s {
	case "enter", "kpenter", "c-m", "c-j":
		return endsLine
	case "space":
		return typesBlank
	case "c-c", "c-u":
		return dropsLine
	case "c-d", "c-g", "c-l", "c-z":
		return idles
	}
	name := strings.TrimPrefix(s, "^")
	for len(name) > 2 && name[1] == '-' && strings.IndexByte("cms", name[0]) >= 0 {
		name = name[2:]
	}
	switch {
	case strings.HasPrefix(s, "0x") && len(s) > 2 && strings.IndexByte("0123456789abcdef", s[2]) >= 0:
		return typesCode
	case name != s && len([]rune(name)) == 1, isKeyName(name):
		return edits
	}
	return typesText
}

// isKeyName reports whether tmux knows a key by a name.
func isKeyName(name string) bool {
	if number, ok := strings.CutPrefix(name, "f"); ok && number != "" && len(number) < 3 && strings.Trim(number, "0123456789") == "" {
		return true
	}
	if len(name) == 3 && strings.HasPrefix(name, "kp") {
		return strings.Contains("0123456789/*-+.", name[2:])
	}
	return has("any bspace btab dc delete down end enter escape home ic insert kpenter left none npage pagedown pageup pgdn pgup ppage right space tab up", name)
}
