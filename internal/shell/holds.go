package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// What programs run that do something else as well: an allow for rsync * or git
// rebase * covers what their options say, as it covers all they do, so that it
// needs no allow of its own. What refuses it elsewhere refuses it here.

// A holder is a program of which some options hold a command.
type holder struct {
	texts    string // options whose value a shell reads, or which is cut into words
	programs string // those whose value is a program
	values   string // further short options that take a value
	settings string // those whose value is a setting of ssh
}

// holding makes h the row of the programs of which some options hold a command.
// Of git it is that of one of its commands.
func (h *holder) holding(words string) bool {
	switch words {
	case "scp", "sftp":
		*h = holder{programs: "S", values: "cDFiJlPX", settings: "o"}
	case "rsync":
		*h = holder{texts: "e rsh rsync-path", values: "BfMT"}
	case "tar", "gtar", "bsdtar":
		*h = holder{texts: "I F use-compress-program to-command info-script new-volume-script rsh-command checkpoint-action", values: "bCfgHKLNTVX"}
	case "nc", "ncat", "netcat":
		*h = holder{texts: "c sh-exec", programs: "e exec", values: "gGiImoOpPqsTVwxX"}
	case "git rebase":
		*h = holder{texts: "x exec", values: "sXC"}
	case "git difftool":
		*h = holder{texts: "x extcmd", values: "tSGO"}
	case "git filter-branch":
		*h = holder{texts: "setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter", values: "d"}
	case "git clone":
		*h = holder{texts: "u upload-pack", values: "objc"}
	case "git fetch", "git pull", "git ls-remote":
		*h = holder{texts: "upload-pack exec", values: "jo"}
	case "git fetch-pack":
		*h = holder{texts: "upload-pack exec"}
	case "git push", "git send-pack":
		*h = holder{texts: "receive-pack exec", values: "o"}
	case "git archive":
		*h = holder{texts: "exec", values: "o"}
	default:
		return false
	}
	return true
}

// holds reads the commands in the options of a program that does something
// else.
func (w *walker) holds(c *command, name string) {
	var h holder
	fields := c.fields
	if name == "git" {
		if gitConfigured(c) {
			w.hear(func() { w.unknown(c.source, "settings of git that stand in variables: write -c NAME=VALUE") })
		}
		rest, ok := w.gitSettings(c)
		if !ok {
			return
		}
		fields, name = rest, "git "+rest[0].value
	}
	if !h.holding(name) {
		return
	}
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
		switch {
		case option == "checkpoint-action":
			if command, ok := strings.CutPrefix(value.value, "exec="); ok {
				w.hear(func() { w.code(known(command), c.source) })
			}
		case has(h.texts, option):
			w.hear(func() { w.code(value, c.source) })
		case has(h.settings, option):
			w.hear(func() { w.setting(value, c.source) })
		case has(h.programs, option):
			w.hear(func() { w.program(c, value) })
		}
	}
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
		if !has(h.texts, letter) && !has(h.programs, letter) && !has(h.settings, letter) && !strings.Contains(h.values, letter) {
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

// hear reads what rules that refuse hear of, and which no rule has to allow.
func (w *walker) hear(read func()) {
	heard, moved := w.heard, w.moved
	w.heard, w.moved = true, true
	read()
	w.heard, w.moved = heard, moved
}

// program reads a word that is a program, which gets words that are not known.
func (w *walker) program(c *command, f word) {
	inner := *c
	inner.layers++
	inner.fields, inner.script, inner.assigns = []word{f, follows()}, nil, nil
	w.command(inner)
}

// setting reads a setting of ssh, such as ProxyCommand=nc %h %p. Some hold a
// text for a shell.
func (w *walker) setting(f word, source string) {
	at := strings.IndexAny(leading(f), " \t=")
	if at < 0 {
		if !f.static {
			w.unknown(source, "a setting of ssh that may hold a command")
		}
		return
	}
	switch strings.ToLower(leading(f)[:at]) {
	case "proxycommand", "localcommand", "knownhostscommand", "remotecommand":
	default:
		return
	}
	if !f.static {
		w.code(f, source)
		return
	}
	command := strings.TrimLeft(f.value[at:], " \t=")
	if n := len(command); n > 1 && command[0] == '"' && strings.IndexByte(command[1:], '"') == n-2 {
		command = command[1 : n-1]
	}
	if !strings.EqualFold(command, "none") {
		w.code(known(command), source)
	}
}

// gitSettings reads the settings that git takes before its own command, and
// returns that command with what follows.
func (w *walker) gitSettings(c *command) (rest []word, ok bool) {
	for i := 1; i < len(c.fields); i++ {
		f := c.fields[i]
		switch {
		case !f.static:
			return nil, false
		case f.value == "-c" && i+1 < len(c.fields):
			i++
			w.gitSetting(c, c.fields[i])
		case has("-C --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source --list-cmds", f.value):
			i++
		case !strings.HasPrefix(f.value, "-"):
			return c.fields[i:], true
		}
	}
	return nil, false
}

// gitSetting reads a setting of git that holds a command.
func (w *walker) gitSetting(c *command, f word) {
	name, _, ok := strings.Cut(leading(f), "=")
	name = strings.ToLower(name)
	section, _, _ := strings.Cut(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	value := known(f.value[min(len(name)+1, len(f.value)):])
	if !f.static {
		value = hole(text.Any)
	}
	command, isCommand := strings.CutPrefix(value.value, "!")
	switch {
	case !ok:
		return
	case section == "alias" && f.static && !isCommand: // it is one for a command of git
		words, ok := plain("git " + command)
		if !ok {
			w.hear(func() { w.unknown(c.source, "an alias of git that is more than plain words") })
			return
		}
		inner := *c
		inner.layers++
		inner.fields, inner.script = append(words, follows()), nil
		w.hear(func() { w.command(inner) })
		return
	case section == "alias", section == "credential" && last == "helper" && isCommand:
		if value.static {
			value = known(command)
		}
	case has("core.pager core.editor core.sshcommand core.fsmonitor core.askpass core.gitproxy sequence.editor diff.external gpg.program ssh.program interactive.difffilter uploadpack.packobjectshook", name),
		section == "pager", has("filter diff merge difftool mergetool browser man gpg", section) && has("clean smudge process textconv command driver cmd program", last):
	default:
		return
	}
	if !value.static || !has("true false cat", value.value) && value.value != "" {
		w.hear(func() { w.code(value, c.source) })
	}
}

// gitConfigured reports whether what git takes for its settings stands in
// variables.
func gitConfigured(c *command) bool {
	return slices.ContainsFunc(c.assigns, func(a assignment) bool {
		return strings.HasPrefix(a.name, "GIT_CONFIG_") && a.name != "GIT_CONFIG_NOSYSTEM"
	}) ||
		slices.ContainsFunc(c.fields, func(f word) bool { return strings.HasPrefix(leading(f), "--config-env") })
}

// holdCommands reads the commands that programs in wide use run for a variable.
func (w *walker) holdCommands(as []assignment, source string) {
	for _, a := range as {
		if a.plain && a.value.static && has("GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND EDITOR VISUAL PAGER MANPAGER SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH BROWSER SHELL", a.name) && !isShell(base(a.value.value)) {
			w.hear(func() { w.code(a.value, source) })
		}
	}
}
