package subject

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// paths knows how the paths of one system are spelt. It looks at no file, so
// links are what they are called. Inside, paths have slashes on every system.
type paths struct {
	root    string // absolute and clean
	home    string // likewise, or empty
	windows bool
	fold    bool // case does not count in deny and ask rules
}

// knownSystems are the values of runtime.GOOS. A name beside them, such as macos,
// would switch off what is special about the system that is meant.
var knownSystems = []string{
	"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux",
	"nacl", "netbsd", "openbsd", "plan9", "solaris", "wasip1", "windows", "zos",
}

func newPaths(c Config) (paths, error) {
	p := paths{windows: c.GOOS == "windows"}
	if !slices.Contains(knownSystems, c.GOOS) {
		return p, fmt.Errorf("GOOS is %q: want a name of runtime.GOOS, such as linux, darwin or windows", c.GOOS)
	}
	p.fold = p.windows || c.GOOS == "darwin"
	for _, dir := range []struct {
		name, value string
		into        *string
	}{{"Root", c.Root, &p.root}, {"Home", c.Home, &p.home}} {
		if dir.value == "" && dir.into == &p.home {
			continue
		}
		name := p.slashes(dir.value)
		volume, rest := p.cutVolume(name)
		if !strings.HasPrefix(rest, "/") || p.windows && volume == "" {
			return p, fmt.Errorf("%s is %q: want an absolute path", dir.name, dir.value)
		}
		*dir.into = clean(volume, rest)
	}
	return p, nil
}

// subject reads a path of a call whose relative paths start from dir.
func (p *paths) subject(raw, dir string) (Subject, error) {
	if raw == "" {
		return Subject{}, malformed("an empty path")
	}
	for _, part := range []string{raw, dir} {
		switch {
		case strings.ContainsRune(part, 0):
			return Subject{}, malformed("a path with a NUL character")
		case !utf8.ValidString(part):
			return Subject{}, malformed("a path that is not UTF-8")
		}
	}
	if len(raw) > maxPath {
		return unknown(Path, raw, "a path longer than 64 KiB"), nil
	}
	name := p.slashes(raw)
	joined := p.joined(name, dir)
	literal := p.cleaned(joined)
	named, why := p.named(name)
	if named != name {
		joined = p.joined(named, dir)
	}
	if why == "" {
		why = p.disguise(named, dir, joined)
	}
	var s Subject
	abs := literal
	if why == "" {
		abs = p.cleaned(joined)
		s = Subject{Kind: Path, Text: abs, Narrow: p.readings(abs), files: p.files(named, dir, abs)}
		if rel, ok := p.inside(abs); ok {
			s.Text = p.plainly(rel)
		}
		s.Wide = p.folded(abs)
	} else {
		s = unknown(Path, raw, why)
		for _, plain := range p.undisguised(name, named, dir) {
			s.Wide = append(s.Wide, p.likely(plain)...)
		}
	}
	// A tool that does not know ~ or file: opens what the letters say.
	if literal != abs || why != "" {
		s.Wide = append(s.Wide, p.likely(literal)...)
	}
	return s, nil
}

// plainly returns the path rel from the root in a spelling that names nothing
// else, not even to a tool that knows ~ and file: URLs.
func (p *paths) plainly(rel string) string {
	if named, why := p.named(rel); named != rel || why != "" {
		return "./" + rel
	}
	return rel
}

// readings returns the ways to spell an absolute path.
func (p *paths) readings(abs string) []text.Reading {
	rs := p.asNamed(abs)
	if twin, exact := p.twin(abs); exact {
		rs = append(rs, p.asNamed(twin)...)
	}
	return rs
}

// asNamed returns the ways to spell an absolute path by its own components.
func (p *paths) asNamed(abs string) []text.Reading {
	if rel, ok := p.inside(abs); ok {
		return []text.Reading{whole(abs), within(rel)}
	}
	return []text.Reading{whole(abs)}
}

// likely returns the ways to spell an absolute path that may be meant.
func (p *paths) likely(abs string) []text.Reading {
	return append(p.readings(abs), p.folded(abs)...)
}

// folded returns the ways to spell abs where case does not count.
func (p *paths) folded(abs string) []text.Reading {
	rs := p.foldedRoot(abs)
	twin, exact := p.twin(abs)
	if twin != "" && !exact {
		rs = append(rs, p.asNamed(twin)...)
	}
	return append(rs, p.foldedRoot(twin)...)
}

func within(rel string) text.Reading { return text.Reading{Text: text.Of(rel), Form: text.Inside} }

// foldedRoot returns the path of abs from the root where it is inside only if
// case does not count.
func (p *paths) foldedRoot(abs string) []text.Reading {
	if !p.fold || abs == "" || strings.HasPrefix(abs, p.root) {
		return nil
	}
	rest, root := abs, p.root
	for root != "" {
		a, n := utf8.DecodeRuneInString(rest)
		b, m := utf8.DecodeRuneInString(root)
		if a != b && !strings.EqualFold(string(a), string(b)) {
			return nil
		}
		rest, root = rest[n:], root[m:]
	}
	if rel, ok := p.inside(p.root + rest); ok {
		return []text.Reading{within(rel)}
	}
	return nil
}

// absolute returns name, which starts from dir if it is relative, as a clean
// absolute path.
func (p *paths) absolute(name, dir string) string { return p.cleaned(p.joined(name, dir)) }

// isRelative reports whether name starts from the directory of the call.
func (p *paths) isRelative(name string) bool {
	volume, rest := p.cutVolume(name)
	return volume == "" && !strings.HasPrefix(rest, "/")
}

// joined returns name, which starts from dir if it is relative, as an absolute
// path that is not clean.
func (p *paths) joined(name, dir string) string {
	name = p.slashes(name)
	volume, rest := p.cutVolume(name)
	switch {
	case strings.HasPrefix(rest, "/") && volume == "":
		volume, _ = p.cutVolume(p.root)
		return volume + rest
	case strings.HasPrefix(rest, "/"):
		return volume + rest
	case dir == "":
		return p.root + "/" + name
	}
	return p.joined(dir, "") + "/" + name
}

// cleaned returns the shortest spelling of an absolute path.
func (p *paths) cleaned(abs string) string {
	volume, rest := p.cutVolume(abs)
	return clean(volume, rest)
}

// clean returns the shortest spelling of an absolute path in a volume.
func clean(volume, rest string) string {
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return volume + path.Clean(rest)
}

// files returns the absolute paths that name may be to a system that follows
// links: as they are cleaned here, and as they are spelt, for behind a link a
// .. leads elsewhere.
func (p *paths) files(name, dir, abs string) []string {
	joined := p.joined(name, dir)
	if !strings.Contains(joined, "..") {
		return []string{abs}
	}
	return []string{abs, joined}
}

// inside returns the path of abs from the root, if it is inside. That of the
// root itself is a dot.
func (p *paths) inside(abs string) (rel string, ok bool) {
	if abs == p.root {
		return ".", true
	}
	rel, ok = strings.CutPrefix(abs, strings.TrimSuffix(p.root, "/"))
	return strings.TrimPrefix(rel, "/"), ok && strings.HasPrefix(rel, "/")
}
