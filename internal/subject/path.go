package subject

import (
	"fmt"
	"net/url"
	"path"
	"strings"

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

func newPaths(c Config) (paths, error) {
	p := paths{windows: c.GOOS == "windows"}
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
			return p, fmt.Errorf("option %s is %q: want an absolute path", dir.name, dir.value)
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
	if strings.ContainsRune(raw, 0) {
		return Subject{}, malformed("a path with a NUL character")
	}
	literal := p.absolute(p.slashes(raw), dir)
	named, why := p.named(p.slashes(raw))
	abs := literal
	if why == "" {
		abs = p.absolute(named, dir)
		why = p.disguise(raw)
	}
	var s Subject
	if why == "" {
		s = Subject{Kind: Path, Text: abs, Narrow: p.readings(abs), files: p.files(named, dir, abs)}
		if rel, ok := p.inside(abs); ok {
			s.Text = rel
		}
	} else {
		s = unknown(Path, raw, why)
		s.Wide = append(s.Wide, p.readings(literal)...)
		s.Wide = append(s.Wide, p.undisguised(abs)...)
	}
	// A tool that does not know ~ or file: opens what the letters say.
	if literal != abs {
		s.Wide = append(s.Wide, p.readings(literal)...)
	}
	s.Wide = append(s.Wide, p.foldedRoot(abs)...)
	return s, nil
}

// readings returns the ways to spell an absolute path.
func (p *paths) readings(abs string) []text.Reading {
	rs := []text.Reading{whole(abs)}
	if rel, ok := p.inside(abs); ok {
		rs = append(rs, within(rel))
	}
	return rs
}

func within(rel string) text.Reading { return text.Reading{Text: text.Of(rel), Form: text.Inside} }

// foldedRoot returns the path of abs from the root where it is inside only if
// case does not count.
func (p *paths) foldedRoot(abs string) []text.Reading {
	n := len(p.root)
	if !p.fold || len(abs) < n || abs[:n] == p.root || !strings.EqualFold(abs[:n], p.root) {
		return nil
	}
	if rel, ok := p.inside(p.root + abs[n:]); ok {
		return []text.Reading{within(rel)}
	}
	return nil
}

// absolute returns name, which starts from dir if it is relative, as a clean
// absolute path.
func (p *paths) absolute(name, dir string) string {
	if volume, rest := p.cutVolume(name); strings.HasPrefix(rest, "/") {
		if p.windows && volume == "" {
			volume, _ = p.cutVolume(p.root)
		}
		return clean(volume, rest)
	}
	base := p.root
	if dir != "" {
		base = p.absolute(p.slashes(dir), "")
	}
	volume, rest := p.cutVolume(base)
	return clean(volume, rest+"/"+name)
}

// files returns the absolute paths that name may be to a system that follows
// links: as they are cleaned here, and as they are spelt, for behind a link a
// .. leads elsewhere.
func (p *paths) files(name, dir, abs string) []string {
	if !strings.Contains(name, "..") {
		return []string{abs}
	}
	if _, rest := p.cutVolume(name); !strings.HasPrefix(rest, "/") {
		name = strings.TrimSuffix(p.absolute(dir, ""), "/") + "/" + name
	}
	return []string{abs, name}
}

// clean returns the shortest spelling of an absolute path in a volume.
func clean(volume, rest string) string { return volume + path.Clean(rest) }

// inside returns the path of abs from the root, if it is inside. That of the
// root itself is a dot.
func (p *paths) inside(abs string) (rel string, ok bool) {
	if abs == p.root {
		return ".", true
	}
	return strings.CutPrefix(abs, strings.TrimSuffix(p.root, "/")+"/")
}

// named returns the path that raw names to a tool that knows ~ and file: URLs,
// or why that cannot be told.
func (p *paths) named(raw string) (name, why string) {
	if rest, ok := cutHome(raw); ok {
		if p.home == "" {
			return "", "the home that ~ stands for is not known"
		}
		return p.home + rest, ""
	}
	return p.fromFileURL(raw)
}

// cutHome cuts the ~ or $HOME that is a path's first component.
func cutHome(name string) (rest string, ok bool) {
	for _, h := range []string{"~", "$HOME"} {
		if rest, ok = strings.CutPrefix(name, h); ok && (rest == "" || rest[0] == '/') {
			return rest, true
		}
	}
	return "", false
}

// fromFileURL returns the path that a file: URL names, and any other path as
// it stands.
func (p *paths) fromFileURL(raw string) (name, why string) {
	if len(raw) < 5 || !strings.EqualFold(raw[:5], "file:") {
		return raw, ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return "", "a file: URL that cannot be read"
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", "a file: URL of another host"
	}
	name = p.slashes(u.Path)
	if volume, _ := p.cutVolume(strings.TrimPrefix(name, "/")); p.windows && volume != "" {
		name = name[1:]
	}
	return name, ""
}
