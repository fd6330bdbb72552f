package shell

import "strings"

// Simple reports whether line is a single command that is read as it stands,
// whatever the Config but for its Wrappers: plain words with one blank between
// two, of which the first names a program that nothing is known about. Most
// lines are, so it is worth knowing soon.
func Simple(line string) bool {
	if line == "" || len(line) > maxLine || line[0] == ' ' || line[len(line)-1] == ' ' {
		return false
	}
	blank := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == ' ' && blank, c != ' ' && !plainByte(c):
			return false
		default:
			blank = c == ' '
		}
	}
	name, _, _ := strings.Cut(line, " ")
	return unknownProgram(name)
}

// unknownProgram reports whether a name is that of a program to which no other
// file of this package pays attention.
func unknownProgram(name string) bool {
	if strings.ContainsAny(name, "/=%") || strings.HasPrefix(name, "git") || isKeyword(name) {
		return false
	}
	switch name {
	case ".", "bind", "compgen", "complete", "csh", "enable", "fc", "fish", "history", "mapfile", "readarray", "set", "source", "tcsh":
		return false
	}
	return !Config{}.special(known(name))
}
