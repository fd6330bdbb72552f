package subject

import (
	"path"
	"strings"
)

// disguise says why a path, which starts from dir if it is relative, may name
// another file than its letters do, or nothing. Only a pattern for everything
// allows such a path.
func (p *paths) disguise(name, dir string) string {
	if p.windows {
		why := p.windowsDisguise(name)
		if why == "" && dir != "" && p.isRelative(name) {
			why = p.windowsDisguise(p.slashes(dir) + "/" + name)
		}
		return why
	}
	if _, ok := p.throughProc(p.joined(name, dir), dir); ok {
		return "a path through /proc, which leads to another"
	}
	return ""
}

// undisguised returns the absolute paths that a disguised one may name. It
// stands as name in the call; to a tool that knows ~ and file: it is named.
func (p *paths) undisguised(name, named, dir string) []string {
	names := fileURLPaths(name)
	if named != "" {
		names = append(names, named)
	}
	if user, rest, _ := strings.Cut(name, "/"); p.home != "" && user == "~"+path.Base(p.home) {
		names = append(names, p.home+"/"+rest)
	}
	var plain []string
	for _, n := range names {
		n = p.withDrive(p.slashes(n))
		plain = append(plain, p.absolute(n, dir))
		if p.windows {
			from := dir
			if dir != "" && p.isRelative(n) {
				n, from = p.slashes(dir)+"/"+n, ""
			}
			plain = append(plain, p.windowsPlain(n, from)...)
		} else if to, ok := p.throughProc(p.joined(n, dir), dir); ok {
			plain = append(plain, to)
		}
	}
	return plain
}
