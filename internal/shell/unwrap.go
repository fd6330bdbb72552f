package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// runs reads a command that runs others, and reports whether it is one. It
// adds the part of the command itself too.
func (w *walker) runs(c *command, name string) bool {
	if isShell(name) {
		w.shell(c, name)
		return true
	}
	if name == "git" {
		w.configures(c)
	}
	switch name {
	case "eval":
		w.eval(c)
	case "trap":
		w.trap(c)
	case "alias":
		w.alias(c)
	case "find":
		w.find(c)
	case "fd", "fdfind":
		w.fd(c)
	case "docker", "docker-compose", "podman", "podman-compose", "nerdctl", "kubectl", "oc":
		w.container(c)
	case "tmux":
		w.tmux(c)
	default:
		w.holds(c, name)
		t, args := rowOf(c, name)
		if slices.Contains(w.Wrappers, name) {
			t, args = wrapper{full: true}, c.fields
		}
		if args == nil || name == "command" && w.looksUp(c) || t.only && len(t.parse(args).texts) == 0 {
			return false
		}
		w.wrapped(c, name, t, args)
	}
	return true
}

// special reports whether a program is not just that.
func (c Config) special(name string) bool {
	var t wrapper
	if t.named(name) || t.launcher(name) || new(holder).holding(name) || isShell(name) || slices.Contains(c.Wrappers, name) {
		return true
	}
	switch name {
	case "eval", "trap", "alias", "find", "fd", "fdfind",
		"docker", "docker-compose", "podman", "podman-compose", "nerdctl", "kubectl", "oc":
		return true
	}
	return false
}

// looksUp reports whether command only says what a name stands for.
func (w *walker) looksUp(c *command) bool {
	return len(c.fields) > 1 && c.fields[1].static && strings.HasPrefix(c.fields[1].value, "-") && strings.ContainsAny(c.fields[1].value, "vV")
}

// rowOf returns the row of a wrapper, and its arguments from the word before
// them on. They are nil if it is none.
func rowOf(c *command, name string) (t wrapper, args []word) {
	if t.named(name) {
		return t, c.fields
	}
	return launched(c, name)
}

// wrapped reads the command in the arguments of a wrapper.
func (w *walker) wrapped(c *command, name string, t wrapper, args []word) {
	if name == "env" && w.envString(c) {
		return
	}
	if name == "runuser" && !slices.ContainsFunc(c.fields, namesUser) {
		t.operands = allOperands
	}
	p := t.commandOf(args)
	p.doubt = p.doubt || p.shifts
	outer := *c
	outer.free = !t.full && !t.runner && !p.heavy && (len(p.inner) > 0 || len(p.texts) > 0) && !p.doubt
	if name == "exec" && len(c.fields) == 1 && len(c.assigns) == 0 && c.stdin == nil {
		outer.free = true // it redirects, and that is read elsewhere
	}
	w.add(w.part(outer))
	moved, heard, away := w.moved, w.heard, w.away
	elsewhere := t.full || t.runner || p.heavy
	w.moved, w.heard, w.away = w.moved || elsewhere, w.heard || t.runner, w.away || elsewhere || p.doubt || name == "env" && clears(c.fields)
	defer func() { w.moved, w.heard, w.away = moved, heard, away }()
	if slices.ContainsFunc(p.assigns, func(a assignment) bool { return strings.HasPrefix(a.name, "BASH_FUNC_") }) {
		w.unknown(c.source, "a function in the environment, which a shell runs in the place of a command")
	}
	if p.doubt {
		w.unknown(c.source, "an option of "+name+" that is not known")
	}
	w.programs(p.assigns, c.source)
	w.texts(c, name, t, p)
	for _, setting := range p.forSSH {
		w.sshSetting(setting, c.source)
	}
	for _, f := range p.programs {
		if !f.static || !isShell(base(f.value)) {
			w.program(c, f)
		}
	}
	w.otherwise(c, name, t)
	if len(p.inner) == 0 && !t.whole {
		w.commandless(c, name, t, p)
		return
	}
	inner := c.inside(t, p)
	switch {
	case t.typed:
		w.typed(&inner, slices.ContainsFunc(args[:len(args)-len(inner.fields)], typesLiterally))
	case name == "screen" && inner.fields[0].value == "stuff":
		w.stuffed(&inner)
	case name == "screen" && slices.ContainsFunc(args[:len(args)-len(inner.fields)], sendsToScreen) && holdsScreen(inner.fields[0]):
		w.unknown(c.source, "a command of screen that may run others")
	case t.code || t.single && len(inner.fields) == 1:
		if t.exact && len(inner.fields) > 1 && !fixed(inner.fields) {
			w.command(inner)
		}
		w.joined(&inner, t, p)
	case t.appends:
		w.repeated(&inner, p.replace)
	default:
		w.command(inner)
	}
}

// commandOf is parse, and puts the program before its arguments where the
// arguments of t name that by itself.
func (t wrapper) commandOf(args []word) parsed {
	p := t.parse(args)
	switch {
	case t.label == '#':
		p.inner = flakeCommand(p.inner)
	case t.starter == "":
	case p.program == nil:
		p.inner = nil // they are for the program of an application
	default:
		p.inner = append([]word{*p.program}, p.inner...)
	}
	return p
}

// flakeCommand returns the command of nix run: the name of a program stands
// behind that of what holds it, and its arguments perhaps behind dashes.
func flakeCommand(fields []word) []word {
	if len(fields) == 0 || !fields[0].static {
		return fields
	}
	_, name, _ := strings.Cut(fields[0].value, "#")
	name, _, _ = strings.Cut(name, "^")
	if name = name[strings.LastIndexByte(name, '.')+1:]; name == "" {
		return nil
	}
	args := fields[1:]
	if len(args) > 0 && args[0].static && args[0].value == "--" {
		args = args[1:]
	}
	return append([]word{known(name)}, args...)
}

// texts reads the texts among the arguments of a wrapper.
func (w *walker) texts(c *command, name string, t wrapper, p parsed) {
	for _, f := range p.texts {
		if t.debugger {
			var runs bool
			if f, runs = debuggerShell(f); !runs {
				continue
			}
		}
		w.code(f, c.source)
	}
	for _, f := range p.own {
		if f.static {
			f = known(name + " " + f.value)
		}
		w.code(f, c.source)
	}
}

// debuggerShell returns what a command of a debugger hands to a shell, if it
// does.
func debuggerShell(f word) (code word, runs bool) {
	s := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(leading(f), " "), "platform "), " ")
	end := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(s)
	}
	first := s[:end]
	switch {
	case strings.HasPrefix(s, "!"), strings.HasPrefix(s, "|"):
		s = s[1:]
	case first == "pipe", len(first) > 2 && strings.HasPrefix("shell", first):
		s = s[end:]
	default:
		return f, !f.static && end == len(s) // the rest of the word is not known
	}
	if !f.static {
		return hole(text.Any), true
	}
	return known(s), true
}

// fixed reports whether no word is more than one to a shell.
func fixed(fields []word) bool {
	return !slices.ContainsFunc(fields, func(f word) bool { return !f.static || !isPlain(f.value) })
}

// typesLiterally reports whether a word of send-keys says that none is a key.
func typesLiterally(f word) bool {
	return f.static && strings.HasPrefix(f.value, "-") && strings.Contains(f.value, "l")
}

// sendsToScreen reports whether a word of screen says that its own command
// follows.
func sendsToScreen(f word) bool {
	return f.static && strings.HasPrefix(f.value, "-") && strings.Contains(f.value, "X")
}

// clears reports whether env takes variables away: it has an option.
func clears(fields []word) bool {
	return len(fields) > 1 && strings.HasPrefix(leading(fields[1]), "-")
}

// commandless reads a wrapper without a command in its arguments.
func (w *walker) commandless(c *command, name string, t wrapper, p parsed) {
	switch {
	case name == "parallel":
		w.unknown(c.source, "parallel takes its commands from elsewhere")
	case !t.starts || len(p.texts) > 0 || c.stdin == nil && !w.given():
	case c.stdin != nil && c.stdin.known:
		w.fromInput(c.stdin.text, someShell)
	default:
		w.unknown(c.source, "the shell reads its script from elsewhere")
	}
}

// namesUser reports whether a word of runuser names the user, so that the
// command follows it: without -u it is another su.
func namesUser(f word) bool {
	return strings.HasPrefix(f.value, "--user") || strings.HasPrefix(f.value, "-") && !strings.HasPrefix(f.value, "--") && strings.Contains(f.value, "u")
}

// inside returns the command that a wrapper runs.
func (c *command) inside(t wrapper, p parsed) command {
	inner := *c
	inner.layers++
	inner.fields, inner.script = t.bare(p.inner), nil
	inner.assigns = append(slices.Clone(c.assigns), p.assigns...)
	return inner
}

// bare returns a command without what a wrapper wants to know of it besides:
// the version of a tool, the environment that it is in.
func (t wrapper) bare(fields []word) []word {
	if t.program != "" {
		return append([]word{known(t.program)}, fields...)
	}
	name := fields[0].value
	at := strings.LastIndexByte(name, t.label)
	if at <= 0 || t.label == 0 || !fields[0].static {
		return fields
	}
	switch t.label {
	case '@':
		name = name[:at]
	case ':':
		name = name[at+1:]
	}
	return append([]word{known(name)}, fields[1:]...)
}

// otherwise reads the arguments of a wrapper as another version of it does.
func (w *walker) otherwise(c *command, name string, t wrapper) {
	switch {
	case name == "runuser": // -c counts wherever it stands
		t.operands = allOperands
	case name == "setarch" && len(c.fields) > 1 && mayBeOption(c.fields[1]): // there may be no architecture
		t.operands = 0
	case name == "script": // on BSD a command follows the file
		t.operands = 1
	default:
		return
	}
	p := t.parse(c.fields)
	for _, text := range p.texts {
		w.code(text, c.source)
	}
	if len(p.inner) > 0 {
		w.command(c.inside(t, p))
	}
}

// repeated reads the command of xargs: words that nobody knows take the place
// of a text in it, or follow it.
func (w *walker) repeated(c *command, replace string) {
	if replace == "" {
		c.fields = append(slices.Clone(c.fields), follows())
	} else {
		c.fields = filled(c.fields, replace)
	}
	w.command(*c)
}

// follows stands for the words that a program adds to a command: xargs env
// runs what it reads.
func follows() word { return word{text: text.Unknown(), vanish: true} }

// filled returns fields with a hole for every word that holds mark.
func filled(fields []word, mark string) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		if known, _ := f.text.Known(); strings.Contains(known, mark) {
			out[i] = around(f, mark)
		}
	}
	return out
}

// around returns the text of f with a hole for each mark.
func around(f word, mark string) word {
	if !f.static {
		return hole(text.Any)
	}
	var b text.Builder
	for i, part := range strings.Split(f.value, mark) {
		if i > 0 {
			b.WriteHole(text.Word)
		}
		b.WriteString(part)
	}
	return word{text: b.Text(), likely: f.value}
}

// joined reads words that a shell reads again, as one text.
func (w *walker) joined(c *command, t wrapper, p parsed) {
	var texts []string
	for _, f := range c.fields {
		if f.static && (f.value == ":::" || f.value == "::::") {
			break
		}
		if !f.static {
			w.command(*c)
			w.unknown(c.source, "a text that a shell reads: write it out")
			return
		}
		texts = append(texts, f.value)
	}
	if len(texts) == 0 {
		w.unknown(c.source, "commands that stand where only the program reads them")
		return
	}
	src := strings.Join(texts, " ")
	if words, ok := plain(src); ok || t.appends {
		if !ok {
			words = c.fields[:len(texts)]
		}
		c.fields = filled(words, "{}")
		if t.appends {
			c.fields = append(slices.Clone(c.fields), follows())
		}
		w.command(*c)
	}
	if _, ok := plain(src); !ok {
		w.text(src, someShell)
	}
}

// envString splits the text of env -S as a shell would.
func (w *walker) envString(c *command) bool {
	for i, f := range c.fields[1:] {
		if !f.static {
			return false
		}
		s, ok := strings.CutPrefix(f.value, "-S")
		if !ok {
			s, ok = strings.CutPrefix(f.value, "--split-string")
			s = strings.TrimPrefix(s, "=")
		}
		if !ok {
			if !strings.HasPrefix(f.value, "-") {
				return false
			}
			continue
		}
		rest := c.fields[i+2:]
		if s == "" && len(rest) > 0 {
			s, rest = rest[0].value, rest[1:]
		}
		w.add(w.part(*c))
		words, ok := plain(s)
		if !ok {
			w.text(s, "bash")
			w.unknown(c.source, "a text that env splits: write its words")
			return true
		}
		inner := *c
		inner.layers++
		inner.fields = append(append([]word{known("env")}, words...), rest...)
		w.command(inner)
		return true
	}
	return false
}
