package subject

import (
	"strings"

	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
)

const maxLine = 64 << 10 // bytes of a command line

func textSubject(s string) Subject {
	return Subject{Kind: Text, Text: s, Narrow: []text.Reading{whole(s)}}
}

func asReading(s string) []text.Reading { return []text.Reading{whole(s)} }

// lineSubject reads a shell command line.
func lineSubject(line string) Subject {
	if len(line) > maxLine {
		return unknown(Command, line, "a command line longer than 64 KiB: split it")
	}
	if words, plain := shell.Words(line); plain {
		return commandSubject(words)
	}
	return unknown(Command, line, "a command line with more than plain words: run one plain command at a time")
}

// argvSubject reads a command that is given as a list of its words.
func argvSubject(argv []string) Subject {
	if words, plain := shell.Arguments(argv); plain {
		return commandSubject(words)
	}
	return unknown(Command, strings.Join(argv, " "), "a command that runs another: run that one by itself")
}

// commandSubject is one simple command. A program that is named by its path
// is also refused by its name.
func commandSubject(words []string) Subject {
	line := strings.Join(words, " ")
	s := Subject{Kind: Command, Text: line, Narrow: []text.Reading{whole(line)}}
	if i := strings.LastIndexByte(words[0], '/'); i >= 0 {
		s.Wide = []text.Reading{whole(line[i+1:])}
	}
	return s
}
