// Package shell reads command lines. It knows plain ones: a single command of
// plain words, which any shell takes for the same thing. Everything else is
// unknown to it.
package shell

import "strings"

// Words returns the words of a line that is one plain command: words of plain
// characters with blanks between them, of which the first names neither an
// assignment, nor a keyword, nor a program that runs the words after it.
func Words(line string) (words []string, plain bool) {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' && !plainByte(c) {
			return nil, false
		}
	}
	words = strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	return words, plainCommand(words)
}

// Arguments is Words for a command that is given as a list: no shell splits
// its words, so a blank or a quote in one is a character like any other.
func Arguments(argv []string) (words []string, plain bool) {
	for _, w := range argv {
		if w == "" || strings.IndexFunc(w, func(r rune) bool { return r < ' ' || r == 0x7f }) >= 0 {
			return nil, false
		}
	}
	return argv, plainCommand(argv)
}

func plainCommand(words []string) bool {
	if len(words) == 0 || strings.ContainsAny(words[0], "=% ") || runsOther(words[0]) {
		return false
	}
	// The options that git takes before its own command would hide that from
	// the rules.
	return base(words[0]) != "git" || len(words) == 1 || words[1][0] != '-'
}

// base returns the last component of a program's path.
func base(word string) string { return word[strings.LastIndexByte(word, '/')+1:] }

// plainByte reports whether c means itself to every shell, wherever it stands
// in a word.
func plainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("_-./:=@,+%", c) >= 0
}

// runsOther reports whether the first word of a command makes the words after
// it, or a text among them, another command.
func runsOther(word string) bool {
	return strings.Contains(others, " "+base(word)+" ")
}

// others are keywords, built-ins that run code, shells, and programs that run
// the command in their arguments.
const others = " if then elif else fi for while until do done case esac select function time coproc in" +
	" eval source . trap alias exec command builtin let declare typeset local export readonly" +
	" sh bash zsh dash ksh mksh ash fish csh tcsh pwsh powershell cmd" +
	" env nohup nice timeout stdbuf ionice chrt taskset setsid setarch caffeinate unbuffer noglob nocorrect" +
	" sudo doas pkexec su runuser chroot unshare nsenter systemd-run strace ltrace xargs parallel watch flock" +
	" script busybox toybox ssh docker podman kubectl nerdctl oc find fd firejail bwrap fakeroot proxychains" +
	" xvfb-run cpulimit faketime "
