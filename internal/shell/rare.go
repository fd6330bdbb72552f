package shell

import (
	"slices"
	"strings"
)

// rarely reads the built-ins that evaluate or run their operands, where they
// are commands like others: behind command or builtin, or with a quote in the
// name. The parser knows some of them as words of the language alone.
func (w *walker) rarely(c *command, name string) {
	args := c.fields[1:]
	switch name {
	case "let":
		w.unknown(c.source, "let, whose text shells read in different ways")
	case "declare", "typeset", "local", "export", "readonly":
		if slices.ContainsFunc(args, declaresByCode) {
			w.unknown(c.source, "a declaration whose words are read as code")
		}
		w.declares(name, c.source, args)
		w.programs(assignedIn(args), c.source)
	case "unset":
		if slices.ContainsFunc(args, func(f word) bool { return f.static && evaluated(f) }) { // others: see setters
			w.unknown(c.source, "a name that the shell evaluates")
		}
		d := doubter{src: w.src, numbers: w.numbers, doubt: func(why string) { w.unknown(c.source, why) }}
		for _, f := range args {
			d.indexed(f)
		}
		c.free = len(args) > 0 && !slices.ContainsFunc(args, func(f word) bool {
			return !f.static || !isName(f.value) || w.needsRule(f.value) || w.facts.functions[f.value]
		})
	case "setopt", "unsetopt", "emulate": // of zsh
		w.unknown(c.source, "an option of the shell that changes how words are read")
	case "enable":
		w.unknown(c.source, "built-ins that are turned on and off")
	case "fish", "csh", "tcsh":
		w.otherShell(c)
	case "cmd", "elvish", "nu", "powershell", "pwsh", "xonsh": // an allow for one is for what it runs
		if !slices.ContainsFunc(args, func(f word) bool { return strings.EqualFold(f.value, "-File") }) {
			w.listen(func() { w.otherShell(c) })
		}
	case "jobs":
		w.jobs(c)
	case "fc":
		w.unknown(c.source, "fc, which runs commands of the history")
	case "history":
		if slices.ContainsFunc(args, func(f word) bool { return !f.static || strings.HasPrefix(f.value, "-") && f.value != "-c" }) {
			w.unknown(c.source, "history with more than a number: leave it out")
		}
	case "hash":
		if slices.ContainsFunc(args, func(f word) bool { return mayBeOption(f) && (!f.static || strings.Contains(f.value, "p")) }) {
			w.unknown(c.source, "hash -p, which changes what later words mean")
		}
	}
}

// mayBeOption reports whether a word is an option, or may be one.
func mayBeOption(f word) bool {
	if f.static {
		return strings.HasPrefix(f.value, "-")
	}
	known := leading(f)
	return f.vanish || known == "" && !counts(f) || strings.HasPrefix(known, "-")
}

// declaresByCode reports whether a word of declare makes the shell evaluate a
// text: -i and -n do, and so does an index.
func declaresByCode(f word) bool {
	known, _ := f.text.Known()
	if containsAny(known, "$(", "`") {
		return true
	}
	if strings.HasPrefix(known, "-") || strings.HasPrefix(known, "+") {
		return !f.static || strings.ContainsAny(known, "in")
	}
	target, _, assigns := strings.Cut(leading(f), "=")
	return !f.static && !assigns || f.several() || strings.Contains(target, "[")
}

// jobs reads the command that jobs -x runs.
func (w *walker) jobs(c *command) {
	for i, f := range c.fields[1:] {
		switch {
		case !f.static:
			w.unknown(c.source, "words of jobs that may say -x")
			return
		case strings.HasPrefix(f.value, "-") && strings.Contains(f.value, "x"):
			inner := *c
			inner.layers++
			if inner.fields = c.fields[i+2:]; len(inner.fields) > 0 {
				w.command(inner)
			}
			return
		}
	}
}

// evaluated reports whether a word that is read as a name or as arithmetic may
// run something.
func evaluated(f word) bool {
	known, _ := f.text.Known()
	if f.static {
		return expandsToCode(known)
	}
	return strings.ContainsAny(known, "[$`")
}

// expandsToCode reports whether a text that the shell expands later, with what
// is then known, may run something or take in what nobody knows: whether there
// is more in it than names of variables, which are looked at by their names, and
// the numbers of the shell.
func expandsToCode(s string) bool {
	for i := range len(s) {
		if s[i] == '`' || s[i] == '$' && !namesVariable(s[i+1:]) {
			return true
		}
	}
	return false
}

// namesVariable reports whether what stands behind a $ is no more than a name or
// a number of the shell. $1 and $@ are what the line says.
func namesVariable(s string) bool {
	if s == "" {
		return false
	}
	if strings.IndexByte("?$!#", s[0]) >= 0 {
		return true
	}
	s, braced := strings.CutPrefix(s, "{")
	end := strings.IndexFunc(s, func(r rune) bool { return r > '~' || !isName("x"+string(r)) })
	if end < 0 {
		end = len(s)
	}
	if end == 0 || '0' <= s[0] && s[0] <= '9' {
		return false
	}
	return !braced || end < len(s) && (s[end] == '}' || s[end] == '[')
}
