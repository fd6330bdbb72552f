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
		switch f := c.fields[i]; {
		case f.static && (f.value == "-exec" || f.value == "-ok"):
			i = w.clause(c, i+1)
		case f.static && (f.value == "-execdir" || f.value == "-okdir"):
			outside := w.moved
			w.moved = true
			i = w.clause(c, i+1)
			w.moved = outside
		case f.static && findValues(f.value) > 0:
			end := min(i+findValues(f.value), len(c.fields)-1)
			for ; i < end; i++ {
				if v := c.fields[i+1]; mayRun(v, c.fields[i]) || isExec(v) {
					w.unknown(c.source, "words of find that may say -exec: quote the variable")
				}
			}
		case f.static && (f.value == ";" || f.value == "+"):
			w.unknown(c.source, "the end of a command of find that starts nowhere: write -exec out")
		case mayRun(f, c.fields[i-1]):
			w.unknown(c.source, "words of find that may say -exec: quote the variable")
		}
	}
}

// isExec reports whether a word is one behind which find runs a command.
func isExec(f word) bool { return f.static && has("-exec -ok -execdir -okdir", f.value) }

// findValues returns how many words of find belong to the one before them,
// whatever they say: the -exec of -name -exec runs nothing.
func findValues(name string) int {
	switch {
	case name == "-fprintf":
		return 2
	case strings.HasPrefix(name, "-newer"), has(findTests, name):
		return 1
	}
	return 0
}

// findTests are the words of find that take another one, with those of BSD.
const findTests = "-D -f -Bmin -Bnewer -Btime -amin -anewer -atime -cmin -cnewer -context -ctime -files0-from -flags -fls -fprint -fprint0 -fstype -gid -group " +
	"-ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mnewer -mtime -name -path -perm -printf -regex -regextype " +
	"-samefile -size -type -uid -used -user -wholename -xattrname -xtype"

// mayRun reports whether a word of find may be -exec, or several words among
// which it is. Behind some tests stands a number with a sign.
func mayRun(f, before word) bool {
	if f.static {
		return false
	}
	known := leading(f)
	if strings.HasPrefix(known, "-") && !f.splits {
		return f.several() || !has("-mtime -mmin -atime -amin -ctime -cmin -size -perm -links -newermt", before.value)
	}
	return f.splits || known == "" && f.unbound()
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
	open := false // a word before may have been the end
	for ; end < len(c.fields) && !endsClause(c.fields, i, end); end++ {
		f := c.fields[end]
		open = open || !f.static
		if known, whole := f.text.Known(); !whole && (known == ";" || known == "+") || f.unbound() {
			w.unknown(c.source, "a word of find that may end a command")
		}
		if open && isExec(f) {
			w.unknown(c.source, "words of find that may end a command before -exec")
		}
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

// endsClause reports whether the command of find that starts at from ends at
// i: at a semicolon, or at a plus right behind {}.
func endsClause(fields []word, from, i int) bool {
	f := fields[i]
	return f.static && (f.value == ";" || f.value == "+" && i > from && fields[i-1].static && fields[i-1].value == "{}")
}

// found returns how the names of all files end that find finds, if the line
// says so: -name '*.go' without any other way to be found.
func found(fields []word) string {
	suffix := ""
	for i := 1; i < len(fields); i++ {
		f := fields[i]
		switch {
		case !f.static, f.value == "-o", f.value == "-or", f.value == ",", f.value == "!", f.value == "-not", f.value == "(":
			return ""
		case isExec(f):
			return suffix
		case f.value == "-name" && i+1 < len(fields) && fields[i+1].static:
			i++
			if rest, ok := strings.CutPrefix(fields[i].value, "*"); ok && !strings.ContainsAny(rest, "*?[\\") {
				suffix = rest
			}
		default:
			n := findValues(f.value)
			if slices.ContainsFunc(fields[min(i+1, len(fields)):min(i+1+n, len(fields))], func(v word) bool { return !v.static }) {
				return ""
			}
			i += n
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

// fd reads the commands that fd runs.
func (w *walker) fd(c *command) {
	w.add(w.part(*c))
	for i := 1; i < len(c.fields); i++ {
		f := c.fields[i]
		if !f.static {
			if known := leading(f); strings.HasPrefix(known, "-") || f.splits || known == "" && f.unbound() {
				w.unknown(c.source, "words of fd that may say --exec")
			}
			continue
		}
		first, runs := fdRuns(f.value)
		if !runs {
			continue
		}
		if before := c.fields[i-1]; before.static && before.value == "--and" {
			w.unknown(c.source, "a text for fd to find that reads like an option: write --and=TEXT")
			continue
		}
		inner := *c
		inner.layers++
		if first != "" {
			inner.fields = []word{known(first)} // with what follows, or without
		} else {
			end := i + 1
			for end < len(c.fields) && c.fields[end].value != ";" {
				end++
			}
			if inner.fields = c.fields[i+1 : end]; slices.ContainsFunc(inner.fields, word.unbound) {
				w.unknown(c.source, "words of fd that may end a command")
			}
			i = end
		}
		if len(inner.fields) > 0 {
			inner.fields = append(filled(inner.fields, "{}"), follows())
			w.command(inner)
		}
	}
}

// fdRuns reports whether an option of fd says that a command follows, and
// returns the program that is written in the same word.
func fdRuns(option string) (program string, runs bool) {
	name, value, _ := strings.Cut(option, "=")
	switch {
	case name == "--exec", name == "--exec-batch":
		return value, true
	case len(option) < 2 || option[0] != '-' || option[1] == '-':
		return "", false
	}
	for i := 1; i < len(option); i++ {
		switch option[i] {
		case 'x', 'X':
			return strings.TrimPrefix(option[i+1:], "="), true
		case 'd', 't', 'e', 'S', 'E', 'c', 'j', 'o', 'C':
			return "", false // the rest is its value
		}
	}
	return "", false
}
