package shell

import (
	"strings"
)

// plain returns the words of a line that is one command of plain words, which
// every shell takes for the same thing. A word takes a hundred times its two
// bytes of line, so of a long line there are none.
func plain(line string) (words []word, ok bool) {
	if len(line) > maxLine {
		return nil, false
	}
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

// isPlain reports whether all bytes of a text mean themselves.
func isPlain(s string) bool {
	for i := range len(s) {
		if !plainByte(s[i]) {
			return false
		}
	}
	return true
}

// plainByte reports whether c means itself, wherever it stands in a word.
func plainByte(c byte) bool {
	const (
		low  = 1<<'-' | 1<<'.' | 1<<'/' | 1<<':' | 1<<'=' | 1<<',' | 1<<'+' | 1<<'%' | (1<<10-1)<<'0'
		high = 1<<('@'-64) | 1<<('_'-64) | (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64)
	)
	set := uint64(low)
	if c >= 64 {
		set = high // without a jump, of which a processor cannot tell where it goes
	}
	return c < 128 && set>>(c%64)&1 != 0
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
