package subject

import "strings"

// throughLinks returns the path that one through links leads to which are known
// without looking: those of /proc to the root and to the directory of a process,
// and of others where a .. behind them goes. They have to be found before that is
// resolved, so abs need not be clean.
func (p *paths) throughLinks(abs, dir string) (plain string, ok bool) {
	if p.windows || !strings.Contains(abs, "proc/") && !strings.Contains(abs, "..") {
		return "", false
	}
	var at []string
	linked := 0 // how many components the place has that a link has led to
	for part := range strings.SplitSeq(abs, "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			ok = ok || linked > 0 && len(at) == linked
			at = at[:max(0, len(at)-1)]
			linked = min(linked, len(at))
			continue
		}
		at = append(at, part)
		if to, is := p.linkedPlace(at); is {
			at, linked = strings.Split(to, "/"), strings.Count(to, "/")+1
		}
		switch procLink(at) {
		case "root":
			at, linked, ok = nil, 0, true
		case "cwd":
			at, linked, ok = strings.Split(strings.Trim(p.absolute(dir, ""), "/"), "/"), 0, true
		}
	}
	return "/" + strings.Join(at, "/"), ok
}

// linkedPlace returns where the components of a path lead to if they are a link
// to a directory that every such system has.
func (p *paths) linkedPlace(at []string) (to string, ok bool) {
	if len(at) > 2 {
		return "", false
	}
	name := strings.Join(at, "/")
	if twin, _ := p.twin("/" + name); len(at) == 1 && twin != "" {
		return twin[1:], true
	}
	switch name {
	case "dev/fd":
		return "proc/self/fd", true
	case "proc/net":
		return "proc/self/net", true
	case "proc/thread-self":
		return "proc/self/task/self", true
	}
	return "", false
}

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
