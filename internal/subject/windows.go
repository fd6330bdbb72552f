package subject

import (
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// slashes returns name with the slashes that paths have inside this package.
func (p *paths) slashes(name string) string {
	if p.windows {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}

// cutVolume cuts the drive or the share that a path of Windows starts with.
// Drive letters come out as capitals.
func (p *paths) cutVolume(name string) (volume, rest string) {
	if !p.windows {
		return "", name
	}
	if len(name) >= 2 && name[1] == ':' && isLetter(name[0]) {
		return strings.ToUpper(name[:2]), name[2:]
	}
	if share, ok := strings.CutPrefix(name, "//"); ok && share != "" && share[0] != '/' {
		server, rest, _ := strings.Cut(share, "/")
		share, rest, _ = strings.Cut(rest, "/")
		return "//" + server + "/" + share, "/" + rest
	}
	return "", name
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// disguise says why a path of Windows may name another file than its letters
// do, or nothing. Only a pattern for everything allows such a path.
func (p *paths) disguise(raw string) string {
	if !p.windows {
		return ""
	}
	name := p.slashes(raw)
	if strings.HasPrefix(name, "//?/") || strings.HasPrefix(name, "//./") || strings.HasPrefix(name, "/??/") {
		return `a path with a \\?\ or \\.\ prefix`
	}
	volume, rest := p.cutVolume(name)
	switch {
	case volume != "" && !strings.HasPrefix(rest, "/"):
		return "a path that starts from the current directory of a drive"
	case volume == "" && isDrive(rest):
		return "a path that may name a drive, as /c/ does in some shells"
	case strings.Contains(rest, ":"):
		return "a path with a stream behind a colon"
	}
	for part := range strings.SplitSeq(rest, "/") {
		switch {
		case part != "." && part != ".." && strings.TrimRight(part, ". ") != part:
			return "a path with a dot or a blank at the end of a name, which Windows drops"
		case isShort(part):
			return "a path with a short name, such as PROGRA~1"
		}
	}
	return ""
}

// isDrive reports whether name starts as /c/ does.
func isDrive(name string) bool {
	return len(name) >= 2 && name[0] == '/' && isLetter(name[1]) && (len(name) == 2 || name[2] == '/')
}

// isShort reports whether Windows may have made up the name for a longer one.
func isShort(part string) bool {
	i := strings.LastIndexByte(part, '~')
	return i >= 0 && i+1 < len(part) && '0' <= part[i+1] && part[i+1] <= '9'
}

// undisguised returns the readings of the file that a disguised path most
// likely names.
func (p *paths) undisguised(abs string) []text.Reading {
	if !p.windows {
		return nil
	}
	name := abs
	for _, prefix := range []string{"//?/", "//./", "/??/"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if share, ok := strings.CutPrefix(name, "UNC/"); ok {
		name = "//" + share
	}
	volume, rest := p.cutVolume(name)
	if isDrive(rest) {
		volume, rest = strings.ToUpper(rest[1:2])+":", rest[2:]
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		part, _, _ = strings.Cut(part, ":")
		if part != "." && part != ".." {
			part = strings.TrimRight(part, ". ")
		}
		parts[i] = part
	}
	plain := clean(volume, "/"+strings.Join(parts, "/"))
	return append(p.readings(plain), p.foldedRoot(plain)...)
}
