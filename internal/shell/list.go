package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// list reads a line that is a list of plain commands, as most lines of more than
// one command are:
//
//	cd web && npm2 test 2>&1 | tail -20
//
// It takes no parser to tell what such a line does. One that is more than that
// it leaves alone.
func (c Config) list(line string) (parts []Part, ok bool) {
	if len(line) > maxLine || line == "" {
		return nil, false
	}
	fed := false
	for first := true; ; first = false {
		command, operator, rest := cutCommand(line)
		p, ok := c.listed(command, first && operator == "&&")
		if !ok || len(parts) == maxWords || first && rest == "" && operator != "" {
			return nil, false
		}
		p.Fed = fed
		parts = append(parts, p)
		if operator == "" {
			return parts, !parts[len(parts)-1].Free
		}
		fed, line = operator == "|", rest
	}
}

// cutCommand cuts a line at its first operator. The words must have one blank
// between two.
func cutCommand(line string) (command, operator, rest string) {
	for at := 0; at < len(line); {
		end := strings.IndexByte(line[at:], ' ')
		if end < 0 {
			break
		}
		switch word := line[at : at+end]; word {
		case "&&", "||", "|", ";":
			return strings.TrimSuffix(line[:at], " "), word, line[at+end+1:]
		}
		at += end + 1
	}
	return line, "", ""
}

// listed returns the part of a command in a list. A cd counts only at its head.
func (c Config) listed(command string, head bool) (p Part, ok bool) {
	command, errors := strings.CutSuffix(command, " 2>&1")
	if !errors {
		command, _ = strings.CutSuffix(command, " 2>/dev/null")
	}
	name, args, _ := strings.Cut(command, " ")
	p = Part{Source: command, Narrow: []text.Text{text.Of(command)}}
	if name == "cd" && head {
		p.Free = c.Inside != nil && c.Inside(args)
		return p, p.Free && plainPlace(args)
	}
	return p, Simple(command) && !isBuiltin(name) && !slices.Contains(c.Wrappers, name)
}

// plainPlace reports whether a word is the name of a directory and nothing
// else to any cd.
func plainPlace(word string) bool {
	for i := range len(word) {
		if !plainByte(word[i]) {
			return false
		}
	}
	return word != "" && word[0] != '-' && !strings.ContainsAny(word, "=%")
}
