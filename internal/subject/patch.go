package subject

import (
	"strconv"
	"strings"
)

// A patchFile is a file that a patch touches: the name that it is most likely
// given, and others that it might be.
type patchFile struct {
	name string
	also []string
	why  string // why the name cannot be read
}

// patchSubjects returns the files that the text of a patch adds, changes,
// deletes or moves to: in the format of apply_patch, or as a unified diff.
func (p *paths) patchSubjects(patch, dir string) ([]Subject, error) {
	files := patchFiles(patch)
	if len(files) == 0 {
		return nil, malformed("a patch in which no file is named")
	}
	var ss []Subject
	for _, f := range files {
		if f.why != "" {
			ss = append(ss, unknown(Path, f.name, f.why))
			continue
		}
		s, err := p.subject(f.name, dir)
		if err != nil {
			return nil, err
		}
		for _, name := range f.also {
			if other, err := p.subject(name, dir); err == nil {
				s.Wide = append(append(s.Wide, other.Narrow...), other.Wide...)
			}
		}
		ss = append(ss, s)
	}
	return ss, nil
}

func patchFiles(patch string) []patchFile {
	lines := strings.Split(patch, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	var files []patchFile
	diff := !isEnveloped(lines)
	for i, line := range lines {
		if f, ok := envelopeFile(line); ok {
			files = append(files, f)
		} else if diff {
			next := ""
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			files = append(files, diffFiles(line, next)...)
		}
	}
	return files
}

// isEnveloped reports whether a patch is in the format of apply_patch and no
// other, in which lines of a diff are content.
func isEnveloped(lines []string) bool {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "<<") {
			return line == "*** Begin Patch"
		}
	}
	return false
}

// envelopeFile reads a line that names a file in the format of apply_patch.
// Its readers mind blanks before it no more than this one does.
func envelopeFile(line string) (patchFile, bool) {
	line = strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(line, "*** ")
	if !ok {
		return patchFile{}, false
	}
	switch rest {
	case "Begin Patch", "End Patch", "End of File":
		return patchFile{}, false
	}
	for _, head := range []string{"Add File:", "Update File:", "Delete File:", "Move to:"} {
		if name, ok := strings.CutPrefix(rest, head); ok {
			return patchFile{name: strings.TrimSpace(name)}, true
		}
	}
	return patchFile{name: line, why: "a line of a patch that is not known"}, true
}

// diffFiles reads a line of a unified diff, of which next is the one after it.
// Inside a hunk a line may look like a header and be none; it is taken for one
// all the same, as nobody knows where the reader thinks that a hunk ends.
func diffFiles(line, next string) []patchFile {
	if names, ok := strings.CutPrefix(line, "diff --git "); ok {
		return gitFiles(names)
	}
	for _, head := range []string{"rename from ", "rename to ", "copy from ", "copy to ", "Index: "} {
		if name, ok := strings.CutPrefix(line, head); ok {
			return headerFile(name)
		}
	}
	from, ok := strings.CutPrefix(line, "--- ")
	if !ok || !strings.HasPrefix(next, "+++ ") {
		return nil
	}
	return append(headerFile(from), headerFile(next[len("+++ "):])...)
}

// gitFiles reads the two names in the first line of a file of a git diff.
func gitFiles(names string) []patchFile {
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' {
		a, b := names[:half], names[half+1:]
		if strings.HasPrefix(a, "a/") && strings.HasPrefix(b, "b/") && a[2:] == b[2:] {
			return headerFile(a)
		}
	}
	a, b, ok := strings.Cut(names, " ")
	if !ok || strings.ContainsAny(b, ` "`) || strings.Contains(a, `"`) {
		return []patchFile{{name: names, why: "file names in a patch that cannot be told apart"}}
	}
	return append(headerFile(a), headerFile(b)...)
}

// headerFile reads the name in a header, which may be quoted, have a date
// behind a tab, and start with a component that the reader drops.
func headerFile(name string) []patchFile {
	name, _, _ = strings.Cut(name, "\t")
	if name == "/dev/null" {
		return nil
	}
	if strings.HasPrefix(name, `"`) {
		plain, err := strconv.Unquote(name)
		if err != nil {
			return []patchFile{{name: name, why: "a quoted file name in a patch"}}
		}
		name = plain
	}
	_, dropped, ok := strings.Cut(name, "/")
	switch {
	case !ok || dropped == "":
		return []patchFile{{name: name}}
	case strings.HasPrefix(name, "a/"), strings.HasPrefix(name, "b/"):
		return []patchFile{{name: dropped, also: []string{name}}}
	}
	return []patchFile{{name: name, also: []string{dropped}}}
}
