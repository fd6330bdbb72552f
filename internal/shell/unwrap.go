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
	if read := readerOf(name); read != nil {
		read(w, c)
		return true
	}
	w.holds(c, name)
	t, args := rowOf(c, name)
	if slices.Contains(w.Wrappers, name) {
		t, args = wrapper{full: true}, c.fields
	}
	if args == nil || name == "command" && w.looksUp(c) || t.only && len(t.parse(args).texts) == 0 {
		return false
	}
	w.wrapped(c, name, t, args)
	return true
}

// readerOf returns what reads the commands of a program that is more than a
// wrapper; nil if it is not.
func readerOf(name string) func(*walker, *command) {
	switch name {
	case "eval":
		return (*walker).eval
	case "trap":
		return (*walker).trap
	case "alias":
		return (*walker).alias
	case "find":
		return (*walker).find
	case "fd", "fdfind":
		return (*walker).fd
	case "docker", "docker-compose", "podman", "podman-compose", "nerdctl", "kubectl", "oc":
		return (*walker).container
	case "tmux":
		return (*walker).tmux
	}
	return nil
}

// special reports whether a program is not just that.
func (c Config) special(name string) bool {
	var t wrapper
	return t.named(name) || t.launcher(name) || new(holder).holding(name) || isShell(name) || readerOf(name) != nil ||
		slices.Contains(c.Wrappers, name)
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
