package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Simple reports whether line is a single command that is read as it stands,
// whatever the Config but for its Wrappers: plain words with one blank between
// two, of a program that runs no other. Most lines are, so it is worth knowing
// soon.
func Simple(line string) bool {
	if line == "" || len(line) > maxLine || line[0] == ' ' || line[len(line)-1] == ' ' {
		return false
	}
	start := 0 // of the word
	for i := range len(line) {
		switch c := line[i]; {
		case plainByte(c) && c != '=':
		case c == '=' && i > start && line[start] == '-': // no variable, to whoever reads the words
		case c == ' ' && i > start:
			start = i + 1
		default:
			return false
		}
	}
	return runsItself(line)
}

// runsItself reports whether a command, as rules spell it, is of a program that
// nothing is known about, or of one of which some commands run others, but not
// the one that stands right behind its name, or only with an option. There are
// more ways to write that of tmux and dotenv.
func runsItself(spelled string) bool {
	name, args, _ := strings.Cut(spelled, " ")
	if foldedName(name) != name || withoutExtension(name) != name || name == "git" && strings.IndexByte(args, ':') >= 0 && strings.Contains(args, "ext::") {
		return false
	}
	if unknownProgram(name) {
		return true
	}
	var t wrapper
	if args == "" || args[0] == '-' || args[0] == '+' || name == "tmux" || name == "dotenv" || !t.launcher(name) {
		return false
	}
	one := wordEnd(spelled, len(name)+1)
	if t.launcher(spelled[:one]) {
		return t.only && !t.settings && t.picksNone(spelled[one:])
	}
	return !t.launcher(spelled[:wordEnd(spelled, one+1)])
}

// wordEnd returns where in a list of words the one ends that starts at from.
func wordEnd(words string, from int) int {
	if from < len(words) {
		if size := strings.IndexByte(words[from:], ' '); size >= 0 {
			return from + size
		}
	}
	return len(words)
}

// unknownProgram reports whether a name is that of a program to which no other
// file of this package pays attention.
func unknownProgram(name string) bool {
	if strings.HasPrefix(name, "git") || strings.HasPrefix(name, "-") || isKeyword(name) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c == '/' || c == '=' || c == '%' {
			return false
		}
	}
	switch name {
	case ".", "bind", "compgen", "complete", "cmd", "csh", "elvish", "emulate", "enable", "fc", "fish", "getopts", "hash", "history", "jobs", "mapfile",
		"nu", "powershell", "printf", "pwsh", "read", "readarray", "set", "setopt", "source", "tcsh", "unsetopt", "wait", "xonsh":
		return false
	}
	return !zshOwn(name) && !Config{}.special(name)
}

// plainCall returns the program of a command that does nothing to the shell that
// runs it, unless it is a function: it is of words that are known and set no
// variable, and its name is not that of a built-in. Of others it returns nothing.
// Plain are those of plain words, of a program that nothing is known about.
func plainCall(c *syntax.CallExpr) (program string, plain bool) {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		return "", false
	}
	program, ok := plainWord(c.Args[0])
	if !ok || isBuiltin(program) || isKeyword(program) || strings.HasPrefix(program, "-") {
		return "", false
	}
	plain = true
	for _, a := range c.Args {
		s, ok := literal(a)
		if !ok || strings.Contains(s, "=") {
			return "", false
		}
		if plain {
			_, plain = plainWord(a)
		}
	}
	return program, plain && unknownProgram(program) && foldedName(program) == program
}

// isBuiltin reports whether bash has a built-in of that name that may change
// the shell.
func isBuiltin(name string) bool {
	switch name {
	case ".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt",
		"continue", "declare", "dirs", "disable", "disown", "emulate", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "help", "getopts", "hash", "history",
		"jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly",
		"return", "set", "setopt", "shift", "shopt", "source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask",
		"unalias", "unfunction", "unset", "unsetopt", "wait":
		return true
	}
	return false
}
