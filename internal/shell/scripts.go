package shell

import (
	"path"
	"slices"
	"strings"
)

// isShell reports whether a program reads the texts that this package reads.
func isShell(name string) bool {
	switch name {
	case "sh", "bash", "rbash", "zsh", "dash", "ksh", "mksh", "ash":
		return true
	}
	return false
}

// elusive reports whether nobody can tell which script a word names: it is not
// known, or it is a descriptor by one of its many names. From where a relative
// name starts does not matter, so that a cd before it cannot hide one.
func elusive(f word) bool {
	if !f.static || f.value == "" {
		return true
	}
	clean := path.Clean(f.value)
	for _, dir := range []string{"/dev", "/proc"} {
		if clean == dir || strings.HasPrefix(clean, dir+"/") {
			return true
		}
	}
	name := path.Base(clean)
	digits := strings.Trim(name, "0123456789") == ""
	switch dir := path.Base(path.Dir(clean)); {
	case name == "stdin", name == "tty":
		return dir == "dev" || !path.IsAbs(clean)
	case digits:
		return dir == "fd" || !path.IsAbs(clean)
	}
	return false
}

// sources reads the operands of source. The names of its variables mean
// nothing behind it, which is up to the caller.
func (w *walker) sources(c *command) {
	w.numbers.arrays[anyName] = true // some that the script makes
	args := c.fields[1:]
	if len(args) > 0 && args[0].static && args[0].value == "--" {
		args = args[1:]
	} else if len(args) > 0 && strings.HasPrefix(leading(args[0]), "-") {
		w.unknown(c.source, "an option of "+c.name()+" that is not known")
		return
	}
	if len(args) > 0 && elusive(args[0]) {
		w.unknown(c.source, "a script that is not known")
	}
	c.script = args
}

// otherShell adds a hole for a shell whose language is not read here, unless
// it runs a script by its name.
func (w *walker) otherShell(c *command) {
	args := c.fields[1:]
	asks := len(args) == 1 && slices.Contains([]string{"--version", "-v", "--help", "-h"}, args[0].value)
	if !asks && (len(args) == 0 || strings.HasPrefix(leading(args[0]), "-") || c.name() == "cmd" || elusive(args[0])) {
		w.unknown(c.source, "a text for "+c.name()+", which is not read")
	}
}

// leading returns what is known of a word up to its first hole.
func leading(f word) string {
	var b strings.Builder
	for r, h := range f.text.All() {
		if h != 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
