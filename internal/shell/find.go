package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// find reads the commands that find runs.
func (w *walker) find(c *command) {
	w.add(w.part(*c))
	for i := 1; i < len(c.fields); i++ {
		switch c.fields[i].value {
		case "-exec", "-ok":
			i = w.clause(c, i+1)
			continue
		case "-execdir", "-okdir":
			outside := w.moved
			w.moved = true
			i = w.clause(c, i+1)
			w.moved = outside
			continue
		}
		if known, _ := c.fields[i].text.Known(); c.fields[i].several() && (known == "" || known[0] == '-') && !isGlob(c.fields[i]) {
			w.unknown(c.source, "words of find that may say -exec: quote the variable")
		}
	}
}

// isGlob reports whether a word is the names of files.
func isGlob(f word) bool {
	for _, h := range f.text.All() {
		if h != 0 && h != text.Name {
			return false
		}
	}
	return !f.vanish
}

// clause reads the command of find -exec from i on, and returns where it ends.
func (w *walker) clause(c *command, i int) int {
	end := i
	for end < len(c.fields) && c.fields[end].value != ";" && c.fields[end].value != "+" {
		end++
	}
	if end > i {
		inner := *c
		inner.layers++
		inner.fields = filled(c.fields[i:end], "{}")
		if suffix := found(c.fields); suffix != "" {
			inner.fields = endings(c.fields[i:end], suffix)
		}
		w.command(inner)
	}
	return end
}

// found returns how the names of all files end that find finds, if the line
// says so: -name '*.go' without any other way to be found.
func found(fields []word) string {
	suffix := ""
	for i, f := range fields[1:] {
		switch {
		case !f.static, f.value == "-o", f.value == "-or", f.value == ",", f.value == "!", f.value == "-not", f.value == "(":
			return ""
		case f.value == "-exec" || f.value == "-execdir" || f.value == "-ok" || f.value == "-okdir":
			return suffix
		case f.value == "-name" && i+2 < len(fields) && fields[i+2].static:
			name := fields[i+2].value
			if rest, ok := strings.CutPrefix(name, "*"); ok && !strings.ContainsAny(rest, "*?[\\") {
				suffix = rest
			}
		}
	}
	return suffix
}

// endings returns fields in which {} is a word that ends in suffix.
func endings(fields []word, suffix string) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		switch {
		case f.static && f.value == "{}":
			var b text.Builder
			b.WriteHole(text.Word)
			b.WriteString(suffix)
			out[i] = word{text: b.Text()}
		default:
			out[i] = filled(out[i:i+1], "{}")[0]
		}
	}
	return out
}

// fd reads the command that fd runs.
func (w *walker) fd(c *command) {
	w.add(w.part(*c))
	for i := 1; i < len(c.fields); i++ {
		switch v := c.fields[i].value; {
		case v == "--exec" || v == "--exec-batch", len(v) > 1 && v[0] == '-' && v[1] != '-' && strings.ContainsAny(v, "xX"):
			inner := *c
			inner.layers++
			if inner.fields = c.fields[i+1:]; len(inner.fields) > 0 {
				inner.fields = append(filled(inner.fields, "{}"), follows())
				w.command(inner)
			}
			return
		}
	}
}

// container reads the command that is run in a container.
func (w *walker) container(c *command) {
	w.add(w.part(*c))
	fields := c.fields[1:]
	at := slices.IndexFunc(fields, func(f word) bool { return f.static && (f.value == "exec" || f.value == "run") })
	if at < 0 {
		return
	}
	inner := *c
	inner.layers++
	rest := fields[at+1:]
	if i := slices.IndexFunc(rest, func(f word) bool { return f.static && f.value == "--" }); i >= 0 {
		inner.fields = rest[i+1:]
	} else {
		t := wrapper{values: "euwvpcnhlm", flags: "itdPqT", operands: 1,
			long:     "env user workdir volume publish name network env-file container namespace hostname entrypoint mount label memory cpus platform add-host context",
			switches: "interactive tty detach rm privileged init quiet stdin no-TTY no-tty"}
		p := t.parse(append([]word{known("")}, rest...))
		inner.fields = p.inner
		if p.doubt {
			w.unknown(c.source, "an option of "+c.name()+" that is not known")
		}
	}
	if len(inner.fields) > 0 {
		w.command(inner)
	}
}
