package subject

import (
	"slices"
	"strings"
)

// throughProc returns the path that one through /proc leads to: the links
// there to the root and to the directory of a process are known without
// looking. They have to be found before a .. behind them is resolved, so abs
// need not be clean.
func (p *paths) throughProc(abs, dir string) (plain string, ok bool) {
	if p.windows || !strings.Contains(abs, "proc/") && !strings.Contains(abs, "fd/") {
		return "", false
	}
	var at []string
	linked := false // at is in /dev/fd, a link to /proc/self/fd
	for part := range strings.SplitSeq(abs, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			ok = ok || linked && len(at) == len(openFiles)
			at = at[:max(0, len(at)-1)]
			continue
		}
		at = append(at, part)
		if slices.Equal(at, []string{"dev", "fd"}) {
			at, linked = slices.Clone(openFiles), true
		}
		switch procLink(at) {
		case "root":
			at, ok = nil, true
		case "cwd":
			at, ok = strings.Split(strings.Trim(p.absolute(dir, ""), "/"), "/"), true
		}
	}
	return "/" + strings.Join(at, "/"), ok
}

// openFiles is where the open files of a process are.
var openFiles = []string{"proc", "self", "fd"}

// procLink returns the name of what the components of a path lead to if that
// is directly in the directory of a process or of one of its threads.
func procLink(at []string) string {
	if len(at) == 5 && at[2] == "task" {
		at = []string{at[0], at[3], at[4]}
	}
	if len(at) != 3 || at[0] != "proc" {
		return ""
	}
	if at[1] != "self" && at[1] != "thread-self" && strings.Trim(at[1], "0123456789") != "" {
		return ""
	}
	return at[2]
}

// darwinPlain returns the path that one through a place of macOS leads to
// which is there to lead to others, or that of the file of which it is a fork.
// Where that cannot be told it is the path itself.
func (p *paths) darwinPlain(abs string) (plain string, ok bool) {
	if p.windows || !p.fold {
		return "", false
	}
	plain = abs
	for _, place := range []string{"/System/Volumes/Data/", "/.nofollow/", "/.resolve/", "/.vol/"} {
		if n := len(place); len(plain) >= n && strings.EqualFold(plain[:n], place) {
			plain, ok = plain[n-1:], true
		}
	}
	if file, _, fork := strings.Cut(plain, "/..namedfork/"); fork {
		plain, ok = file, true
	}
	return plain, ok
}

// twin returns the other name of a path of macOS below /etc, /tmp or /var,
// which are links into /private on every one. It is exact if it is so in these
// very letters.
func (p *paths) twin(abs string) (twin string, exact bool) {
	const private = "/private"
	if p.windows || !p.fold {
		return "", false
	}
	for _, place := range []string{"/etc", "/tmp", "/var"} {
		if same, ok := startsWith(abs, place); ok {
			return private + abs, same
		}
		if same, ok := startsWith(abs, private+place); ok {
			return abs[len(private):], same
		}
	}
	return "", false
}

// startsWith reports whether abs is dir or below it where case does not count,
// and whether it is so in the same letters.
func startsWith(abs, dir string) (same, ok bool) {
	n := len(dir)
	if len(abs) < n || !strings.EqualFold(abs[:n], dir) || len(abs) > n && abs[n] != '/' {
		return false, false
	}
	return abs[:n] == dir, true
}
