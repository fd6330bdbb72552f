package shell

import (
	"strings"
)

// plain returns the words of a line that is one command of plain words, which
// every shell takes for the same thing.
func plain(line string) (words []word, ok bool) {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' && !plainByte(c) {
			return nil, false
		}
	}
	for _, s := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' }) {
		words = append(words, known(s))
	}
	if len(words) == 0 || strings.ContainsAny(words[0].value, "=%") || isKeyword(words[0].value) {
		return nil, false
	}
	return words, true
}

// plainByte reports whether c means itself, wherever it stands in a word.
func plainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("_-./:=@,+%", c) >= 0
}

// isKeyword reports whether a word at the start of a command is none, or one
// that the parser has rows of its own for.
func isKeyword(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function",
		"time", "coproc", "in", "let", "declare", "typeset", "local", "export", "readonly", "nameref":
		return true
	}
	return false
}
