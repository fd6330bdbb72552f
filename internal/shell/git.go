package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// gitTool is the table of the commands of git that run others. Of most of them
// only the options that say what to run matter.
func (t *wrapper) gitTool(words string) bool {
	switch words {
	case "git":
		*t = wrapper{values: "Cc", flags: "pP", long: "attr-source config-env git-dir namespace super-prefix work-tree", joined: "exec-path",
			switches: "bare glob-pathspecs icase-pathspecs literal-pathspecs no-advice no-lazy-fetch no-optional-locks no-pager no-replace-objects noglob-pathspecs paginate"}
	case "git bisect run":
		*t = wrapper{runner: true}
	case "git submodule":
		*t = wrapper{flags: "q", switches: "quiet", group: true}
	case "git submodule foreach":
		*t = wrapper{flags: "q", switches: "quiet recursive", single: true, runner: true}
	case "git for-each-repo":
		*t = wrapper{long: "config", switches: "keep-going", program: "git", runner: true}
	case "git rebase":
		*t = wrapper{only: true, values: "CSXs", text: "x exec", runner: true}
	case "git difftool":
		*t = wrapper{only: true, values: "t", text: "x extcmd", runner: true}
	case "git grep":
		*t = wrapper{only: true, values: "ABCefm", joined: "O open-files-in-pager", text: "O open-files-in-pager", runner: true}
	case "git filter-branch":
		*t = wrapper{only: true, text: "commit-filter env-filter index-filter msg-filter parent-filter setup tag-name-filter tree-filter", runner: true}
	case "git clone":
		*t = wrapper{only: true, values: "bcjo", text: "u upload-pack", settings: true, runner: true}
	case "git fetch", "git pull":
		*t = wrapper{only: true, text: "upload-pack", runner: true}
	case "git fetch-pack", "git ls-remote":
		*t = wrapper{only: true, text: "exec upload-pack", runner: true}
	case "git push", "git send-pack":
		*t = wrapper{only: true, text: "exec receive-pack", runner: true}
	case "git archive":
		*t = wrapper{only: true, text: "exec", runner: true}
	case "git send-email":
		*t = wrapper{only: true, text: "cc-cmd header-cmd sendmail-cmd to-cmd", runner: true}
	case "git config": // see configures
		*t = wrapper{only: true, settings: true, runner: true}
	default:
		return false
	}
	return true
}

// picked reads the options of a wrapper whose values are texts for a shell, and
// no others. A name may be as short as no other option's is; a word that is not
// known is taken for none of them.
func (t wrapper) picked(p *parsed, fields []word) {
	for i := 1; i < len(fields); i++ {
		f := fields[i]
		s := leading(f)
		if s == "--" && f.static {
			return
		}
		value, inside, is := t.picks(s, f.static)
		switch {
		case !is:
		case inside && f.static:
			p.texts = append(p.texts, known(value))
		case inside:
			p.texts = append(p.texts, hole(text.Any))
		case i+1 < len(fields):
			i++
			p.texts = append(p.texts, fields[i])
		}
	}
}

// picksNone reports whether no word of a line is an option of which the value is
// a text for a shell.
func (t wrapper) picksNone(line string) bool {
	for s := range strings.FieldsSeq(line) {
		if _, _, is := t.picks(s, true); is {
			return false
		}
	}
	return true
}

// textOption returns the option in text that a name stands for, which may be cut
// short. A letter is the start of another behind two dashes alone.
func (t wrapper) textOption(name string, long bool) string {
	for option := range strings.FieldsSeq(t.text) {
		if option == name || (len(name) > 1 || long && name != "") && strings.HasPrefix(option, name) {
			return option
		}
	}
	return ""
}

// picks reports whether the start of a word is an option of which the value is
// a text for a shell, and whether that stands in the same word.
func (t wrapper) picks(s string, whole bool) (value string, inside, is bool) {
	if name, ok := strings.CutPrefix(s, "--"); ok {
		name, value, inside = strings.Cut(name, "=")
		option := t.textOption(name, true)
		return value, inside, option != "" && (inside || !has(t.joined, option))
	}
	if len(s) < 2 || s[0] != '-' {
		return "", false, false
	}
	for i := 1; i < len(s); i++ {
		switch letter := s[i : i+1]; {
		case has(t.text, letter):
			value, inside = s[i+1:], i+1 < len(s) || !whole
			return value, inside, inside || !has(t.joined, letter)
		case strings.Contains(t.values, letter):
			return "", false, false
		}
	}
	return "", false, false
}

// configures reads what the settings in a command of git run: those before its
// own command, which hold for that, and those that git config and git clone
// write down for later.
func (w *walker) configures(c *command) {
	fields := c.fields
	i := 1
	var settings []word
	for ; i < len(fields) && strings.HasPrefix(leading(fields[i]), "-"); i++ {
		s := leading(fields[i])
		switch value, ok := strings.CutPrefix(s, "--config-env="); {
		case ok:
			settings = append(settings, fromEnvironment(value))
		case !fields[i].static || i+1 == len(fields):
		case s == "--config-env":
			i++
			settings = append(settings, fromEnvironment(leading(fields[i])))
		case s == "-c":
			i++
			settings = append(settings, fields[i])
		case has("-C --git-dir --work-tree --namespace --super-prefix --attr-source", s):
			i++
		}
	}
	own := fields[min(i, len(fields)):]
	for _, f := range settings {
		w.setting(c, f, own)
	}
	if len(own) > 0 && own[0].static {
		w.writesSettings(c, own)
	}
	for _, f := range own {
		w.transport(c, f)
	}
}

// transport reads a word that git may take for the address of a repository. In
// that of ext:: stands the command that talks to it.
func (w *walker) transport(c *command, f word) {
	if src, ok := strings.CutPrefix(leading(f), "ext::"); ok {
		w.listen(func() { w.code(settingOf(f, f, src, true), c.source) })
	}
}

// fromEnvironment returns a setting whose value is in a variable.
func fromEnvironment(s string) word {
	var b text.Builder
	name, _, _ := strings.Cut(s, "=")
	b.WriteString(name + "=")
	b.WriteHole(text.Any)
	return word{text: b.Text()}
}

// writesSettings reads the settings that a command of git writes down.
func (w *walker) writesSettings(c *command, own []word) {
	for i := 1; i < len(own); i++ {
		f, next := own[i], known("")
		if i+1 < len(own) {
			next = own[i+1]
		}
		switch {
		case own[0].value == "config" && f.static && strings.Contains(f.value, "."):
			w.configured(c, f.value, next, nil)
		case own[0].value == "clone":
			if value, inside, is := cloneSettings.picks(leading(f), f.static); is {
				w.setting(c, settingOf(f, next, value, inside), nil)
			}
		}
	}
}

// cloneSettings is a row for the option of git clone that writes a setting down.
var cloneSettings = wrapper{values: "bjou", text: "c config"}

// settingOf returns the setting in a word or, where it is not inside, the next.
func settingOf(f, next word, value string, inside bool) word {
	switch {
	case !inside:
		return next
	case f.static:
		return known(value)
	}
	var b text.Builder
	b.WriteString(value)
	b.WriteHole(text.Any)
	return word{text: b.Text()}
}

// behindEquals returns what stands behind the first = of a word.
func behindEquals(f word) word {
	start, value, _ := strings.Cut(leading(f), "=")
	if f.static {
		return known(value)
	}
	var b text.Builder
	skip := len([]rune(start)) + 1
	for r, h := range f.text.All() {
		switch {
		case skip > 0:
			skip--
		case h != 0:
			b.WriteHole(h)
		default:
			b.WriteString(string(r))
		}
	}
	return word{text: b.Text()}
}

// setting reads a word of the form KEY=VALUE. Without a value it is true.
func (w *walker) setting(c *command, f word, own []word) {
	key, _, whole := strings.Cut(leading(f), "=")
	switch {
	case whole:
		w.configured(c, key, behindEquals(f), own)
	case !f.static:
		w.listen(func() { w.unknown(c.source, "a setting of git that may name a program: write its name") })
	}
}

// configured reads what git runs because of a setting.
func (w *walker) configured(c *command, written string, value word, own []word) {
	key := strings.ToLower(written)
	alias, isAlias := strings.CutPrefix(key, "alias.")
	if dot := strings.LastIndexByte(key, '.'); strings.HasPrefix(key, "url.") && dot >= len("url.") {
		w.transport(c, known(written[len("url."):dot]))
	}
	w.transport(c, value)
	if w.full || !isAlias && !runsSetting(key) || value.static && value.value == "" {
		return
	}
	w.listen(func() {
		if !value.static {
			w.code(value, c.source)
			return
		}
		src, forShell := strings.CutPrefix(value.value, "!")
		switch {
		case forShell:
		case isAlias:
			src = "git " + src
		case strings.HasSuffix(key, ".helper") && !strings.HasPrefix(src, "/"):
			src = "git credential-" + src
		}
		if isAlias && len(own) > 0 && (!own[0].static || strings.EqualFold(own[0].value, alias)) {
			src += arguments(own[1:])
		}
		w.size += len(src) // once more than the line has been charged
		w.text(src, "sh")
	})
}

// arguments returns words as they stand behind a command that a shell reads.
func arguments(fields []word) string {
	if slices.ContainsFunc(fields, func(f word) bool { return !f.static }) {
		return ` "$@"`
	}
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(" " + asWritten(f.value))
	}
	return b.String()
}

// listen calls read, and what that finds need not be allowed, only not be
// refused. Another program runs it, wherever that is.
func (w *walker) listen(read func()) {
	moved, heard, away := w.moved, w.heard, w.away
	w.moved, w.heard, w.away = true, true, true
	read()
	w.moved, w.heard, w.away = moved, heard, away
}

// runsSetting reports whether the value of a setting of git, in small letters,
// is the name of a program or a text for a shell.
func runsSetting(key string) bool {
	switch key {
	case "core.alternaterefscommand", "core.askpass", "core.editor", "core.fsmonitor", "core.gitproxy", "core.pager", "core.sshcommand", "credential.helper", "diff.external", "gpg.program",
		"imap.tunnel", "instaweb.httpd", "interactive.difffilter", "sequence.editor", "uploadpack.packobjectshook":
		return true
	}
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	if name == rest && section != "sendemail" {
		return section == "pager"
	}
	switch section {
	case "sendemail": // perhaps for one identity
		return has("cccmd headercmd sendmailcmd tocmd", name)
	case "browser", "difftool", "guitool", "man", "mergetool":
		return name == "cmd" || name == "path"
	case "credential":
		return name == "helper"
	case "diff":
		return name == "command" || name == "textconv"
	case "hook", "tar":
		return name == "command"
	case "filter":
		return name == "clean" || name == "process" || name == "smudge"
	case "gpg":
		return name == "defaultkeycommand" || name == "program"
	case "merge":
		return name == "driver"
	case "remote":
		return name == "receivepack" || name == "uploadpack"
	case "submodule":
		return name == "update"
	case "trailer":
		return name == "cmd" || name == "command"
	}
	return false
}
