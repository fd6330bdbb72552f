package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// code reads a word that is a text for a shell.
func (w *walker) code(f word, source string) {
	if !f.static {
		w.unknown(source, "a text that a shell reads: write it out")
		return
	}
	w.text(f.value, someShell)
}

// someShell is a shell of which no more is known: the user's own, say.
const someShell = ""

// text reads a text that a shell of that name runs.
func (w *walker) text(src, shell string) {
	w.readsFiles()
	defer w.forZsh(w.zsh)
	w.forZsh(shell == "zsh" || shell == someShell && w.Zsh)
	w.line(src, syntax.LangBash, w.depth+1)
	switch shell {
	case "sh", "dash", "ash", someShell:
		w.line(src, syntax.LangPOSIX, w.depth+1)
	case "ksh", "mksh":
		if strings.ContainsAny(src, "=~^#") || containsAny(src, "*(", "?(", "$(", "repeat ", " -eq", " -ne", " -lt", " -le", " -gt", " -ge") {
			w.unknown(src, "a text for "+shell+", of which only plain commands are read")
		}
	}
}

// forZsh says whether zsh runs the text that is read next.
func (w *walker) forZsh(zsh bool) { w.zsh, w.numbers.zsh = zsh, zsh }

// shell reads a shell that is started: its text, its script, or what it reads.
func (w *walker) shell(c *command, name string) {
	code, script, unknown := shellArguments(c.fields)
	outer := *c
	away, unsure := w.away, w.unsure
	for _, a := range c.assigns {
		w.away, w.unsure = w.away || a.name == "HOME", w.unsure || isSpecial(a.name) || steers(a.name)
	}
	defer func() { w.away, w.unsure = away, unsure }()
	switch {
	case code != nil && code.static:
		outer.free = !unknown && w.allHarmless(c.assigns)
		w.add(w.part(outer))
		w.text(code.value, name)
	case code != nil:
		w.add(w.part(outer))
		w.unknown(c.source, "a text that a shell reads: write it out")
		if code.likely != "" {
			w.text(code.likely, name)
		}
	case script != nil:
		outer.script = script
		w.add(w.part(outer))
		if elusive(script[0]) {
			w.unknown(c.source, "a script that is not known")
		}
	case c.stdin != nil && c.stdin.known:
		outer.free = !unknown && w.allHarmless(c.assigns)
		w.add(w.part(outer))
		if slices.ContainsFunc(c.fields[1:], interactive) {
			w.unknown(c.source, "an interactive shell, which may put words of its history into the lines that it reads")
		}
		w.fromInput(c.stdin.text, name)
	default:
		w.add(w.part(outer))
		w.unknown(c.source, "the shell reads its script from elsewhere")
	}
	if unknown {
		w.unknown(c.source, "an option of "+name+" that is not known")
	}
}

// shellArguments finds the text of -c, or the script and its arguments, in the
// arguments of a shell.
func shellArguments(fields []word) (code *word, script []word, unknown bool) {
	wantsCode, stdin, ended := false, false, false
	for i := 1; i < len(fields); i++ {
		f := &fields[i]
		switch {
		case !f.static:
			// It may be an option, and the text behind it.
			unknown = unknown || f.several()
			if wantsCode {
				return f, nil, unknown
			}
			return nil, fields[i:], unknown
		case !ended && (f.value == "--" || f.value == "-"):
			ended = true
		case !ended && f.value == "+":
			unknown = true // a script, or options that are none
		case !ended && strings.HasPrefix(f.value, "--"):
			switch f.value {
			case "--login", "--norc", "--noprofile", "--posix", "--noediting", "--restricted", "--verbose":
			case "--rcfile", "--init-file":
				i++
				unknown = true
			default:
				unknown = true
			}
		case !ended && len(f.value) > 1 && (f.value[0] == '-' || f.value[0] == '+'):
			for _, o := range f.value[1:] {
				switch {
				case o == 'c' && f.value[0] == '-':
					wantsCode = true
				case o == 's':
					stdin = true
				case o == 'o':
					i++
					unknown = unknown || i >= len(fields) || !setsOnly([]word{known("-o"), fields[i]}, "", "pipefail errexit nounset xtrace noglob verbose noclobber errtrace functrace")
				case base(fields[0].value) == "zsh":
					unknown = unknown || !strings.ContainsRune("defilnuvx", o)
				case !strings.ContainsRune("efilmnpuvxCEThb", o):
					unknown = true
				}
			}
		case wantsCode:
			return f, nil, unknown
		case stdin:
			return nil, nil, unknown
		default:
			return nil, fields[i:], unknown
		}
	}
	return nil, nil, unknown
}

// eval reads the words of eval as the text that they are together.
func (w *walker) eval(c *command) {
	w.inline(c, together(c.fields[1:]), "eval of a text that is not known: write the command itself")
}

// together returns the words of eval as the one text that they are with blanks
// between.
func together(fields []word) word {
	if len(fields) > 0 && fields[0].static && fields[0].value == "--" {
		fields = fields[1:]
	}
	var texts []string
	for _, f := range fields {
		if !f.static {
			return hole(text.Any)
		}
		texts = append(texts, f.value)
	}
	return known(strings.Join(texts, " "))
}

// trap reads the text of a trap.
func (w *walker) trap(c *command) {
	if i := trapText(c.fields[1:]); i >= 0 {
		fed := w.fed
		w.fed = false // it runs later
		w.inline(c, c.fields[1+i], "a trap whose text is not known: write it in single quotes")
		w.fed = fed
		return
	}
	w.add(w.part(*c))
}

// trapText returns which of the words of trap is its text, or -1. Behind -- that
// may start with a dash.
func trapText(args []word) int {
	i := slices.IndexFunc(args, func(f word) bool {
		return !f.static || !strings.HasPrefix(f.value, "-") || f.value == "-" || f.value == "--"
	})
	if i >= 0 && args[i].static && args[i].value == "--" {
		if i++; i == len(args) {
			return -1
		}
	}
	return i
}

// inline reads a command that has this shell run a text.
func (w *walker) inline(c *command, code word, why string) {
	outer := *c
	outer.free = code.static && w.allHarmless(c.assigns)
	w.add(w.part(outer))
	if !code.static {
		w.unknown(c.source, why)
		return
	}
	w.readsFiles()
	w.read(code.value, w.lang, w.depth+1, true)
}

// alias reads the texts that aliases stand for.
func (w *walker) alias(c *command) {
	w.add(w.part(*c))
	for _, f := range c.fields[1:] {
		if !f.static {
			w.unknown(c.source, "an alias that is not known")
			continue
		}
		if _, value, ok := strings.Cut(f.value, "="); ok {
			w.line(value, w.lang, w.depth+1)
			w.unknown(c.source, "an alias, which changes what later words mean")
		}
	}
}
