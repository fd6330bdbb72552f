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
			ok = ok || linked && strings.Join(at, "/") == openFiles
			at = at[:max(0, len(at)-1)]
			continue
		}
		at = append(at, part)
		if slices.Equal(at, []string{"dev", "fd"}) {
			at, linked = strings.Split(openFiles, "/"), true
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
const openFiles = "proc/self/fd"

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
