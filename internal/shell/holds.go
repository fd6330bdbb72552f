package shell

import (
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// What programs run that do something else as well: an allow for rsync * or tar *
// covers what their options say, as it covers all they do, so that it needs no
// allow of its own. What refuses it elsewhere refuses it here.

// A holder is a program of which some options hold a command.
type holder struct {
	texts    string // options whose value a shell reads, or which is cut into words
	programs string // those whose value is a program
	values   string // further short options that take a value
	forSSH   string // those whose value is a setting of ssh
	bundles  bool   // the first word may be options without a dash
}

// holding makes h the row of the programs of which some options hold a command.
func (h *holder) holding(name string) bool {
	switch name {
	case "scp":
		*h = holder{programs: "D S", values: "cFiJlPX", forSSH: "o"}
	case "sftp":
		*h = holder{texts: "D", programs: "S", values: "bBcFiJlPRsX", forSSH: "o"}
	case "rsync":
		*h = holder{texts: "e rsh rsync-path", values: "BfMT"}
	case "tar", "gtar", "bsdtar":
		*h = holder{texts: "I F use-compress-program to-command info-script new-volume-script rmt-command rsh-command checkpoint-action", values: "bCfgHKLNTVX", bundles: true}
	case "nc", "ncat", "netcat", "nc.openbsd", "nc.traditional":
		*h = holder{texts: "c sh-exec", programs: "e exec", values: "gGiImoOpPqsTVwxX"}
	default:
		return false
	}
	return true
}

// holds reads the commands in the options of a program that does something
// else.
func (w *walker) holds(c *command, name string) {
	var h holder
	if !h.holding(name) {
		return
	}
	fields := h.apart(c.fields)
	for i := 1; i < len(fields) && !(fields[i].static && fields[i].value == "--"); i++ {
		option, value, joined := h.option(fields[i])
		if option == "" {
			continue
		}
		if !joined {
			if i++; i == len(fields) {
				return
			}
			value = fields[i]
		}
		w.listen(func() { w.held(c, h.kind(option, value), value) })
	}
}

// A heldKind says what the value of an option holds.
type heldKind uint8

const (
	holdsNothing heldKind = iota
	holdsText
	holdsAction // of tar
	holdsSSH
	holdsProgram
)

// kind returns what an option holds. A program with arguments is as good as a
// text.
func (h *holder) kind(option string, value word) heldKind {
	switch {
	case option == "checkpoint-action":
		return holdsAction
	case has(h.texts, option), has(h.programs, option) && value.static && strings.Contains(value.value, " "):
		return holdsText
	case has(h.forSSH, option):
		return holdsSSH
	case has(h.programs, option):
		return holdsProgram
	}
	return holdsNothing
}

// held reads what the value of an option holds.
func (w *walker) held(c *command, kind heldKind, value word) {
	switch kind {
	case holdsText:
		w.code(value, c.source)
	case holdsAction:
		if command, ok := strings.CutPrefix(value.value, "exec="); ok || !value.static {
			w.code(word{text: value.text, static: value.static, value: command}, c.source)
		}
	case holdsSSH:
		w.sshSetting(value, c.source)
	case holdsProgram:
		w.program(c, value)
	}
}

// apart returns the words of tar with the options of its first one, which needs
// no dash, each before its value, where some take one.
func (h *holder) apart(fields []word) []word {
	if len(fields) < 2 || !h.bundles || !fields[1].static || strings.HasPrefix(fields[1].value, "-") {
		return fields
	}
	out, rest := []word{fields[0]}, fields[2:]
	for _, letter := range fields[1].value {
		switch option := string(letter); {
		case len(rest) == 0 || !has(h.texts, option) && !strings.Contains(h.values, option):
		default:
			out, rest = append(out, known("-"+option), rest[0]), rest[1:]
		}
	}
	return append(out, rest...)
}

// option returns the option of a word that takes a value, and its value if that
// stands in the same word.
func (h *holder) option(f word) (option string, value word, joined bool) {
	s := f.value
	if !f.static {
		s = leading(f) // what is known of it
	}
	long, isLong := strings.CutPrefix(s, "--")
	switch {
	case isLong:
		name, value, joined := strings.Cut(long, "=")
		name = h.whole(name)
		if joined && !f.static {
			return name, hole(text.Any), true
		}
		return name, known(value), joined
	case len(s) < 2 || s[0] != '-':
		return "", word{}, false
	}
	for i := 1; i < len(s); i++ {
		letter := s[i : i+1]
		if !has(h.texts, letter) && !has(h.programs, letter) && !has(h.forSSH, letter) && !strings.Contains(h.values, letter) {
			continue
		}
		if i+1 == len(s) && f.static {
			return letter, word{}, false
		}
		return letter, known(s[i+1:]), true
	}
	return "", word{}, false
}

// whole returns the long option that a name is short for.
func (h *holder) whole(name string) string {
	for option := range strings.FieldsSeq(h.texts + " " + h.programs) {
		if len(option) > 1 && name != "" && strings.HasPrefix(option, name) {
			return option
		}
	}
	return ""
}

// program reads a word that is a program, which gets words that are not known.
func (w *walker) program(c *command, f word) {
	inner := *c
	inner.layers++
	inner.fields, inner.script, inner.assigns = []word{f, follows()}, nil, nil
	w.command(inner)
}

// sshSetting reads a setting of ssh, such as ProxyCommand=nc %h %p. Some hold a
// text for a shell.
func (w *walker) sshSetting(f word, source string) {
	setting := strings.TrimLeft(leading(f), " \t\r\n=\"") // which ssh reads over
	at := strings.IndexAny(setting, " \t\r\n=\"")
	if at < 0 {
		if !f.static {
			w.unknown(source, "a setting of ssh that may hold a command")
		}
		return
	}
	switch strings.ToLower(setting[:at]) {
	case "proxycommand", "localcommand", "knownhostscommand", "remotecommand":
	default:
		return
	}
	if !f.static {
		w.code(f, source)
		return
	}
	command := strings.TrimLeft(strings.TrimPrefix(setting[at:], `"`), " \t\r\n=")
	if n := len(command); n > 1 && command[0] == '"' && strings.IndexByte(command[1:], '"') == n-2 {
		command = command[1 : n-1]
	}
	if !strings.EqualFold(command, "none") {
		w.code(known(command), source)
	}
}
