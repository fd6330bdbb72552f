package subject

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// diff reads the lines of a unified diff.
type diff struct {
	from, to int         // lines that are left of a hunk
	lone     []patchFile // what a header names that has no other one beside it
	second   bool        // this line is the second of two headers
}

// line reads a line, of which next is the one after it, and returns the files
// that it names.
func (d *diff) line(line, next string) []patchFile {
	plain := unindented(line)
	if names, ok := strings.CutPrefix(plain, "diff --git "); ok {
		return gitFiles(names)
	}
	for _, head := range []string{"rename from ", "rename to ", "rename old ", "rename new ", "copy from ", "copy to "} {
		if name, ok := strings.CutPrefix(plain, head); ok {
			return renamed(name)
		}
	}
	if name, ok := strings.CutPrefix(plain, "Index:"); ok {
		return headerFiles(name)
	}
	name, isHeader := headerName(plain)
	next = unindented(next)
	after, paired := headerName(next)
	paired = isHeader && paired && plain[0] != next[0]
	second := d.second
	d.second = paired
	inside := d.from > 0 || d.to > 0
	if inside {
		d.count(line)
	}
	switch {
	case paired:
		return append(headerFiles(name), headerFiles(after)...)
	case second, inside:
	case isHeader:
		d.lone = append(d.lone, headerFiles(name)...)
	case strings.HasPrefix(plain, "@@ -"):
		// It has begun a file if a hunk follows, at whatever distance.
		files := d.lone
		d.lone = nil
		d.enter(line)
		return files
	}
	return nil
}

// unindented returns a line without what patch takes for an indentation of the
// whole diff: blanks, and the letter X.
func unindented(line string) string { return strings.TrimLeft(line, " \tX") }

// headerName returns the name in a header of a file.
func headerName(line string) (name string, ok bool) {
	if len(line) < 5 || line[:3] != "---" && line[:3] != "+++" || line[3] != ' ' && line[3] != '\t' {
		return "", false
	}
	return strings.TrimLeft(line[4:], " \t"), true
}

// enter reads how many lines a hunk has. An indented one is taken to have
// none, so that no line of it hides a header.
func (d *diff) enter(line string) {
	if f := strings.Fields(line); len(f) > 2 && strings.HasPrefix(line, "@@") {
		d.from, d.to = hunkLines(f[1]), hunkLines(f[2])
	}
}

func hunkLines(lines string) int {
	_, count, ok := strings.Cut(lines, ",")
	if !ok {
		return 1
	}
	n, _ := strconv.Atoi(count)
	return n
}

// count takes a line off the hunk.
func (d *diff) count(line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		d.to--
	case strings.HasPrefix(line, "-"):
		d.from--
	case !strings.HasPrefix(line, `\`):
		d.from--
		d.to--
	}
}

// renamed reads a name of which git drops nothing.
func renamed(name string) []patchFile {
	name, rest, ok := unquoted(name)
	if !ok || rest != "" {
		return []patchFile{{name: name, why: "a quoted file name in a patch"}}
	}
	f := patchFile{name: name}
	if _, dropped, ok := strings.Cut(name, "/"); ok && dropped != "" {
		f.also = []string{dropped}
	}
	return []patchFile{f}
}

// gitFiles reads the two names in the first line of a file of a git diff.
func gitFiles(names string) []patchFile {
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' {
		a, b := names[:half], names[half+1:]
		if strings.HasPrefix(a, "a/") && strings.HasPrefix(b, "b/") && a[2:] == b[2:] {
			return strippedFiles(a)
		}
	}
	a, rest, ok := unquoted(names)
	if a == names { // without quotes
		a, rest, ok = strings.Cut(names, " ")
		ok = ok && !strings.Contains(a, `"`)
	}
	rest = strings.TrimPrefix(rest, " ")
	quoted := strings.HasPrefix(rest, `"`)
	b, rest, fine := unquoted(rest)
	if !ok || !fine || rest != "" || b == "" || !quoted && strings.ContainsAny(b, ` "`) {
		return []patchFile{{name: names, why: "file names in a patch that cannot be told apart"}}
	}
	return append(strippedFiles(a), strippedFiles(b)...)
}

// unquoted reads the name that s starts with: up to the end of its quotes, or
// all of s if it has none.
func unquoted(s string) (name, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, "", true
	}
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return s, "", false
	}
	name, err = strconv.Unquote(quoted)
	if err != nil || !utf8.ValidString(name) {
		return s, "", false
	}
	return name, s[len(quoted):], true
}

// headerFiles reads the name in a header, which may be quoted, and have a date
// behind it.
func headerFiles(name string) []patchFile {
	name, _, ends := strings.Cut(strings.TrimLeft(name, " \t"), "\t")
	ends = ends || strings.HasPrefix(name, `"`)
	name, _, ok := unquoted(name)
	if !ok {
		return []patchFile{{name: name, why: "a quoted file name in a patch"}}
	}
	if name == "/dev/null" {
		return nil
	}
	files := strippedFiles(name)
	// Without a tab or quotes some readers end the name at its first blank.
	if short, _, cut := strings.Cut(name, " "); cut && !ends {
		files = append(files, strippedFiles(short)...)
	}
	return files
}

// strippedFiles returns the files that a name in a diff may stand for, of
// which most readers drop the first component, but not all do. That it is a/
// or b/ says that it is there to be dropped.
func strippedFiles(name string) []patchFile {
	_, dropped, ok := strings.Cut(name, "/")
	switch {
	case name == "/dev/null":
		return nil
	case !ok || dropped == "":
		return []patchFile{{name: name}}
	case strings.HasPrefix(name, "a/"), strings.HasPrefix(name, "b/"):
		return []patchFile{{name: dropped, also: []string{name}}}
	case name[0] == '/':
		return []patchFile{{name: name, also: []string{dropped}}}
	}
	return []patchFile{{name: name}, {name: dropped}}
}
