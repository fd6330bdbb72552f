package shell

import (
	"slices"
	"strings"
)

// programs reads what programs run because of the variables that a line sets:
// a rule that refuses rm x is meant for GIT_PAGER='rm x', too.
func (w *walker) programs(as []assignment, source string) {
	for _, a := range as {
		switch n, isKey := strings.CutPrefix(a.name, "GIT_CONFIG_KEY_"); {
		case isKey:
			name := "GIT_CONFIG_VALUE_" + n
			i := slices.IndexFunc(as, func(b assignment) bool { return b.name == name })
			w.gitPair(a, as, i, source)
		case a.name == "GIT_CONFIG_PARAMETERS":
			w.listen(func() { w.unknown(source, "settings of git in a variable: write them behind -c") })
		case a.name == "TAR_OPTIONS":
			w.listen(func() { w.tarOptions(a, source) })
		case !namesProgram(a.name), a.value.static && (a.value.value == "" || isShell(base(a.value.value))):
		case !a.plain:
			w.listen(func() { w.unknown(source, "the program that "+a.name+" names") })
		default:
			w.listen(func() { w.code(ofLess(a), source) })
		}
	}
}

// tarOptions reads what is put before the words of each tar.
func (w *walker) tarOptions(a assignment, source string) {
	if !a.plain || !a.value.static || strings.ContainsAny(a.value.value, `'"\`) {
		w.unknown(source, "options of tar in a variable: write them behind tar")
		return
	}
	tar := command{fields: []word{known("tar")}, source: source}
	for option := range strings.FieldsSeq(a.value.value) {
		tar.fields = append(tar.fields, known(option))
	}
	w.holds(&tar, "tar")
}

// ofLess returns the command that a variable names. In those of less, signs before
// it say how it is read.
func ofLess(a assignment) word {
	if a.name != "LESSOPEN" && a.name != "LESSCLOSE" || !a.value.static {
		return a.value
	}
	return known(strings.TrimLeft(a.value.value, "|- "))
}

// assignedIn returns the assignments among the words of a declaration.
func assignedIn(args []word) (as []assignment) {
	for _, f := range args {
		if name, _, ok := strings.Cut(leading(f), "="); ok && isName(name) {
			as = append(as, assignment{name: name, value: behindEquals(f), plain: true})
		}
	}
	return as
}

// gitPair reads a setting of git whose key is in one variable and whose value is
// in another, the one at i if the line sets it.
func (w *walker) gitPair(key assignment, as []assignment, i int, source string) {
	switch {
	case !key.value.static:
		w.listen(func() { w.unknown(source, "a setting of git that may name a program: write its name") })
	case i < 0:
		w.configured(&command{source: source}, key.value.value, word{}, nil)
	default:
		w.configured(&command{source: source}, key.value.value, as[i].value, nil)
	}
}

// namesProgram reports whether the value of a variable is the name of a program
// that others run, or a text that they hand to a shell.
func namesProgram(name string) bool {
	switch name {
	case "AWS_PAGER", "BAT_PAGER", "BROWSER", "CVS_RSH", "EDITOR", "GH_EDITOR", "GH_PAGER", "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND",
		"GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "HGEDITOR", "KUBECTL_EXTERNAL_DIFF", "KUBE_EDITOR", "LESSCLOSE", "LESSOPEN", "MANPAGER", "PAGER", "PROMPT_COMMAND", "PSQL_EDITOR", "PSQL_PAGER", "RSYNC_CONNECT_PROG", "RSYNC_RSH", "SHELL",
		"SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "SVN_EDITOR", "SVN_SSH", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "VISUAL":
		return true
	}
	return false
}
