package shell

import "strings"

// Many programs go by more names than one. A rule that refuses what they run is
// for all of these names; an allow is for the one that it says.

// otherwiseCalled returns the words of a command under the name that this
// package knows its program by, if that is another one.
func (w *walker) otherwiseCalled(fields []word, name string) ([]word, bool) {
	if (Config{}).special(name) {
		return nil, false // it is known by that one
	}
	words := usualName(name)
	if words == name && w.Fold {
		words = foldedName(name)
	}
	if words == name {
		return nil, false
	}
	var out []word
	for part := range strings.FieldsSeq(words) {
		out = append(out, known(part))
	}
	return append(out, fields[1:]...), true
}

// usualName returns the name, or names, that a program usually has: those of
// GNU have a g before theirs on other systems, and shells a version.
func usualName(name string) string {
	bare := withoutExtension(name)
	switch bare {
	case "gtimeout", "gnice", "genv", "gxargs", "gfind", "gstdbuf", "gnohup", "gchroot", "gsplit":
		return bare[1:]
	case "docker-compose", "podman-compose":
		return bare[:6] + " compose"
	case "podman-remote":
		return "podman"
	case "busybox-static", "busybox.static":
		return "busybox"
	case "sudo-rs", "sudo.ws":
		return "sudo"
	case "slogin":
		return "ssh"
	case "ksh93", "rksh", "rksh93", "lksh", "oksh", "pdksh", "posh", "yash", "hush":
		return "ksh"
	}
	if n := len(bare); n > 0 && (bare[n-1] <= '9' || bare[n-1] == 'c') {
		if shell := withoutVersion(bare); shell != "" {
			return shell
		}
	}
	if bare != name && !unknownProgram(bare) {
		return bare
	}
	return name
}

// withoutVersion returns the shell that a name is one of a version of, or of one
// that was built otherwise.
func withoutVersion(name string) string {
	for _, shell := range [...]string{"bash", "zsh", "ksh", "mksh", "dash"} {
		rest, ok := strings.CutPrefix(name, shell)
		if rest = strings.TrimPrefix(rest, "-"); ok && rest != "" && (rest == "static" || strings.Trim(rest, "0123456789.") == "") {
			return shell
		}
	}
	return ""
}

// foldedName is usualName where case does not count, but for what the shell
// itself runs: there it does.
func foldedName(name string) string {
	if usual := usualName(name); usual != name {
		return usual
	}
	lower := strings.ToLower(name)
	if lower == name {
		return name
	}
	if usual := usualName(lower); usual != lower {
		return usual
	}
	if !isBuiltin(lower) && !unknownProgram(lower) {
		return lower
	}
	return name
}

// withoutExtension returns the name of a program of Windows without what makes
// it one. Shells there find it without as well.
func withoutExtension(name string) string {
	if n := len(name) - 4; n <= 0 || name[n] != '.' {
		return name
	}
	for _, extension := range [...]string{".exe", ".com", ".cmd", ".bat"} {
		if n := len(name) - len(extension); strings.EqualFold(name[n:], extension) {
			return name[:n]
		}
	}
	return name
}
