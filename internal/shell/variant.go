package shell

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// A variant is a way to spell a command.
type variant struct {
	fields []word
	narrow bool // it is exactly that command
}

// variants returns the ways to spell a command: as it stands, by the program's
// name without its path, for git-push as git push, without the options that git
// takes before its own command, with the home in the place of ~, with what the
// line may have set variables to, and as if nobody had played with IFS and the
// positional parameters.
func (w *walker) variants(fields []word) []variant {
	all := []variant{{fields, true}}
	if f := fields[0]; f.static && strings.Contains(f.value, "/") {
		all = append(all, variant{
			append([]word{known(base(f.value))}, fields[1:]...), !f.tilde && inSystemDir(f.value),
		})
	} else if name := (&command{fields: fields}).name(); name != "" && !f.static {
		all = append(all, variant{append([]word{known(name)}, fields[1:]...), false})
	} else if !f.static {
		// Nobody knows what it is, perhaps one that runs what follows.
		all = append(all, variant{[]word{{text: text.Unknown(), vanish: true}}, false})
	}
	if name, ok := strings.CutPrefix((&command{fields: fields}).name(), "git-"); ok && name != "" {
		all = append(all, variant{append([]word{known("git"), known(name)}, fields[1:]...), false})
	}
	for _, v := range all[:len(all):len(all)] {
		if f := v.fields[0]; f.static && withoutExtension(f.value) != f.value {
			all = append(all, variant{append([]word{known(withoutExtension(f.value))}, v.fields[1:]...), false})
		}
	}
	for _, v := range all[:len(all):len(all)] {
		if rest, harmless, ok := w.withoutGitOptions(v.fields); ok {
			all = append(all, variant{rest, v.narrow && harmless})
		}
	}
	if plainFields(fields) {
		return all
	}
	if slices.ContainsFunc(fields, func(f word) bool { return f.homed != nil }) {
		all = append(all, variant{homed(fields), false})
	}
	if slices.ContainsFunc(fields, func(f word) bool { return f.guess != nil }) {
		all = append(all, variant{guessed(fields), false})
	}
	if s, ok := spliced(fields); ok {
		all = append(all, variant{s, false})
	}
	return all
}

// plainFields reports whether there is but one way to read each of the words.
func plainFields(fields []word) bool {
	for i := range fields {
		if f := &fields[i]; !f.static || f.homed != nil || f.guess != nil || f.spliced != "" {
			return false
		}
	}
	return true
}

func inSystemDir(path string) bool {
	switch strings.TrimSuffix(path, "/"+base(path)) {
	case "/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin":
		return true
	}
	return false
}

// homed returns fields with the home in the place of each ~ for it.
func homed(fields []word) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		if f.homed == nil {
			continue
		}
		out[i] = word{text: *f.homed, vanish: f.vanish}
		out[i].value, out[i].static = f.homed.Known()
	}
	return out
}

// guessed returns fields with what variables may hold in the place of them.
func guessed(fields []word) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		if f.guess != nil {
			out[i] = word{text: *f.guess}
			out[i].value, out[i].static = f.guess.Known()
		}
	}
	return out
}

// spliced returns the words of a command if IFS is a blank and there are no
// positional parameters.
func spliced(fields []word) ([]word, bool) {
	if !slices.ContainsFunc(fields, func(f word) bool { return f.spliced != "" }) {
		return nil, false
	}
	var out []word
	for _, f := range fields {
		if f.spliced == "" {
			out = append(out, f)
			continue
		}
		for _, part := range strings.Fields(f.spliced) {
			out = append(out, known(part))
		}
	}
	return out, len(out) > 0
}

// withoutGitOptions returns a git command without the options before its own
// command, and whether they are harmless.
func (w *walker) withoutGitOptions(fields []word) (rest []word, harmless, ok bool) {
	if !fields[0].static || base(fields[0].value) != "git" {
		return nil, false, false
	}
	harmless = true
	out := []word{fields[0]}
	i := 1
	for ; i < len(fields) && strings.HasPrefix(leading(fields[i]), "-"); i++ {
		opt := fields[i].value
		switch {
		case !fields[i].static:
			harmless = false
			if name, _, ok := strings.Cut(leading(fields[i]), "="); !ok || !strings.HasPrefix(name, "--") || fields[i].several() {
				out = append(out, follows()) // its value, or more
			}
		case has("--no-pager -P --no-optional-locks --literal-pathspecs", opt):
		case opt == "-C":
			if i++; i < len(fields) {
				harmless = harmless && w.inside(fields[i])
				out = keepSeveral(out, fields[i])
			}
		case has("-c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source --list-cmds", opt):
			if i++; i < len(fields) {
				out = keepSeveral(out, fields[i])
			}
			harmless = false
		default:
			harmless = false
		}
	}
	if i == 1 || i >= len(fields) {
		return nil, false, false
	}
	return append(out, fields[i:]...), harmless, true
}

// keepSeveral keeps the value of an option that may be more words than one: the
// command of git may be among them.
func keepSeveral(out []word, f word) []word {
	if f.several() {
		return append(out, word{text: text.Unknown(), vanish: true})
	}
	return out
}
