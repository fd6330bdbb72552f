package shell

import (
	"slices"
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
)

// typing is what keys have typed so far.
type typing struct {
	lines  strings.Builder // that are whole
	line   string
	edited bool // the line may be another
	doubt  bool // some line is
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
	var t typing
	for _, f := range c.fields {
		k := typesText
		if !literal {
			k = keyOf(f.value)
		}
		t.press(k, f.value)
	}
	t.end()
	if t.doubt {
		w.unknown(c.source, "keys that edit what is typed: type the whole line")
	}
	w.typedLines(c, t.lines.String())
}

// press takes one key.
func (t *typing) press(k key, s string) {
	switch k {
	case typesText:
		t.line += s
	case typesBlank:
		t.line += " "
	case endsLine, dropsLine:
		t.end()
	case idles:
		t.edited = t.edited || t.line != ""
	case edits:
		t.edited = true
	}
}

// end ends a line. One that was only edited is none.
func (t *typing) end() {
	t.doubt = t.doubt || t.edited && t.line != ""
	if t.line != "" {
		t.lines.WriteString(t.line + "\n")
	}
	t.line, t.edited = "", false
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
			line.fields[i] = known(strings.NewReplacer("^M", "\n", "^J", "\n", `\015`, "\n", `\012`, "\n", `\r`, "\n", `\n`, "\n", "\r", "\n").Replace(f.value))
		}
	}
	w.typed(&line, true)
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
	case name != s && len([]rune(name)) == 1, strings.HasPrefix(s, "0x") && strings.Trim(s[2:], "0123456789abcdef") == "", isKeyName(name):
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
