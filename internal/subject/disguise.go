package subject

import (
	"path"
	"slices"
	"strings"
)

// disguise says why a path, which starts from dir if it is relative, may name
// another file than its letters do, or nothing. Joined it is absolute. Only a
// pattern for everything allows such a path.
func (p *paths) disguise(name, dir, joined string) string {
	if p.windows {
		parts := []string{name}
		if dir = p.slashes(dir); dir != "" && p.isRelative(name) {
			parts = append(parts, dir, dir+"/"+name)
		}
		for _, part := range parts {
			if why := p.windowsDisguise(part); why != "" {
				return why
			}
		}
		return ""
	}
	if _, ok := p.throughLinks(joined, dir); ok {
		return "a path through /proc or another link that every system has, which leads elsewhere"
	}
	if !p.fold {
		return ""
	}
	if _, ok := p.darwinPlain(p.cleaned(joined)); ok {
		return "a path through a place of macOS that leads to another"
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
		for _, abs := range p.plain(p.withDrive(p.slashes(n)), dir) {
			if !slices.Contains(plain, abs) {
				plain = append(plain, abs)
			}
		}
	}
	return plain
}

// plain returns the absolute paths that a path may name to the system.
func (p *paths) plain(name, dir string) []string {
	abs := p.absolute(name, dir)
	all := []string{abs}
	if p.windows {
		if dir != "" && p.isRelative(name) {
			name, dir = p.slashes(dir)+"/"+name, ""
		}
		return append(all, p.windowsPlain(name, dir)...)
	}
	if to, ok := p.throughLinks(p.joined(name, dir), dir); ok {
		all = append(all, to)
	}
	if to, ok := p.darwinPlain(abs); ok {
		all = append(all, to)
	}
	return all
}
