package subject

import "strings"

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
	files, err := patchFiles(patch)
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
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

// patchFiles reads the names in every line that any reader could take for one
// that has a name. Content may look like such a line and be none; where readers
// differ in where content ends, it is taken for one.
func patchFiles(patch string) ([]patchFile, error) {
	patch = strings.ReplaceAll(patch, "\r\n", "\n")
	files, err := lineFiles(strings.Split(patch, "\n"))
	if err != nil || !strings.ContainsFunc(patch, breaksLine) {
		return files, err
	}
	more, err := lineFiles(strings.FieldsFunc(patch, func(r rune) bool { return r == '\n' || breaksLine(r) }))
	return append(files, more...), err
}

// breaksLine reports whether some readers, of which one is written in Python,
// start a new line behind r.
func breaksLine(r rune) bool {
	switch r {
	case '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// lineFiles reads the names in the lines of a patch.
func lineFiles(lines []string) ([]patchFile, error) {
	var files []patchFile
	var d diff
	for i, line := range lines {
		if f, ok := envelopeFile(line); ok {
			files = append(files, f)
		} else {
			next := ""
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			files = append(files, d.line(line, next)...)
		}
		if len(files)+len(d.lone) > maxSubjects {
			return nil, errTooMany
		}
	}
	return files, nil
}

// envelopeFile reads a line that names a file in the format of apply_patch.
// Its readers mind blanks before it no more than this one does.
func envelopeFile(line string) (patchFile, bool) {
	line = strings.TrimSpace(unindented(line))
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
			f := patchFile{name: strings.TrimSpace(name)}
			if short, _, cut := strings.Cut(f.name, ":"); cut && short != "" {
				f.also = []string{strings.TrimSpace(short)} // some readers go as far as the colon
			}
			return f, true
		}
	}
	return patchFile{name: line, why: "a line of a patch that is not known"}, true
}
