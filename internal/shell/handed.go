package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// repeated reads the command of xargs: words that nobody knows take the place
// of a text in it, or follow it.
func (w *walker) repeated(c *command, replace string) {
	if replace == "" {
		c.fields = append(slices.Clone(c.fields), follows())
	} else {
		c.fields = filled(c.fields, replace)
	}
	w.command(*c)
}

// follows stands for the words that a program adds to a command: xargs env
// runs what it reads.
func follows() word { return word{text: text.Unknown(), vanish: true} }

// filled returns fields with a hole for every word that holds mark.
func filled(fields []word, mark string) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		if known, _ := f.text.Known(); strings.Contains(known, mark) {
			out[i] = around(f, mark)
		}
	}
	return out
}

// around returns the text of f with a hole for each mark.
func around(f word, mark string) word {
	if !f.static {
		return hole(text.Any)
	}
	var b text.Builder
	for i, part := range strings.Split(f.value, mark) {
		if i > 0 {
			b.WriteHole(text.Word)
		}
		b.WriteString(part)
	}
	return word{text: b.Text(), likely: f.value}
}

// joined reads words that a shell reads again, as one text.
func (w *walker) joined(c *command, t wrapper, p parsed) {
	var texts []string
	for _, f := range c.fields {
		if f.static && (f.value == ":::" || f.value == "::::") {
			break
		}
		if !f.static {
			w.command(*c)
			w.unknown(c.source, "a text that a shell reads: write it out")
			return
		}
		texts = append(texts, f.value)
	}
	if len(texts) == 0 {
		w.unknown(c.source, "commands that stand where only the program reads them")
		return
	}
	src := strings.Join(texts, " ")
	if words, ok := plain(src); ok || t.appends {
		if !ok {
			words = c.fields[:len(texts)]
		}
		c.fields = filled(words, "{}")
		if t.appends {
			c.fields = append(slices.Clone(c.fields), follows())
		}
		w.command(*c)
	}
	if _, ok := plain(src); !ok {
		w.text(src, someShell)
	}
}

// envString splits the text of env -S as a shell would.
func (w *walker) envString(c *command) bool {
	for i, f := range c.fields[1:] {
		if !f.static {
			return false
		}
		s, ok := strings.CutPrefix(f.value, "-S")
		if !ok {
			s, ok = strings.CutPrefix(f.value, "--split-string")
			s = strings.TrimPrefix(s, "=")
		}
		if !ok {
			if !strings.HasPrefix(f.value, "-") {
				return false
			}
			continue
		}
		rest := c.fields[i+2:]
		if s == "" && len(rest) > 0 {
			s, rest = rest[0].value, rest[1:]
		}
		w.add(w.part(*c))
		words, ok := plain(s)
		if !ok {
			w.text(s, "bash")
			w.unknown(c.source, "a text that env splits: write its words")
			return true
		}
		inner := *c
		inner.layers++
		inner.fields = append(append([]word{known("env")}, words...), rest...)
		w.command(inner)
		return true
	}
	return false
}
