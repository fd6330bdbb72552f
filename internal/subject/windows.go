package subject

import (
	"path"
	"strings"
	"unicode/utf8"
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

// devicePrefixes start paths that Windows takes as they stand, or nearly.
var devicePrefixes = [...]string{"//?/", "//./", "/??/"}

// windowsDisguise says why a path of Windows may name another file than its
// letters do, or nothing.
func (p *paths) windowsDisguise(name string) string {
	for _, prefix := range devicePrefixes {
		if strings.HasPrefix(name+"/", prefix) {
			return `a path with a \\?\ or \\.\ prefix`
		}
	}
	volume, rest := p.cutVolume(name)
	switch {
	case volume != "" && !strings.HasPrefix(rest, "/"):
		return "a path that starts from the current directory of a drive"
	case volume == "" && isDrive(rest):
		return "a path that may name a drive, as /c/ does in some shells"
	case driveOfShare(volume) != "":
		return "a share that is a whole drive"
	case strings.Contains(rest, ":"):
		return "a path with a stream behind a colon"
	}
	for part := range strings.SplitSeq(rest, "/") {
		switch {
		case part != "." && part != ".." && strings.TrimRight(part, ". ") != part:
			return "a path with a dot or a blank at the end of a name, which Windows drops"
		case isShort(part):
			return "a path with a short name, such as PROGRA~1"
		case isDevice(part):
			return "a path with the name of a device, such as NUL"
		}
	}
	return ""
}

// isDrive reports whether name starts as /c/ does.
func isDrive(name string) bool {
	return len(name) >= 2 && name[0] == '/' && isLetter(name[1]) && (len(name) == 2 || name[2] == '/')
}

// driveOfShare returns the drive that a share such as //localhost/c$ is the
// whole of, or nothing. Which server is this machine nobody can tell.
func driveOfShare(volume string) string {
	if share := path.Base(volume); strings.HasPrefix(volume, "//") && len(share) == 2 && isLetter(share[0]) && share[1] == '$' {
		return strings.ToUpper(share[:1]) + ":"
	}
	return ""
}

// isDevice reports whether a name is that of a device in every directory,
// whatever stands behind a dot in it.
func isDevice(part string) bool {
	name, _, _ := strings.Cut(part, ".")
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	n := strings.TrimPrefix(strings.TrimPrefix(name, "COM"), "LPT")
	return n != name && strings.Contains("0123456789¹²³", n) && utf8.RuneCountInString(n) == 1
}

// isShort reports whether Windows may have made up the name for a longer one.
func isShort(part string) bool {
	for {
		_, after, ok := strings.Cut(part, "~")
		if !ok {
			return false
		}
		if after != "" && '0' <= after[0] && after[0] <= '9' {
			return true
		}
		part = after
	}
}

// windowsPlain returns the absolute paths of Windows that a disguised one most
// likely names.
func (p *paths) windowsPlain(name, dir string) []string {
	for _, prefix := range devicePrefixes {
		name = strings.TrimPrefix(name, prefix)
	}
	if len(name) >= len("UNC/") && strings.EqualFold(name[:len("UNC/")], "UNC/") {
		name = "//" + name[len("UNC/"):]
	}
	volume, rest := p.cutVolume(name)
	if drive := driveOfShare(volume); drive != "" {
		volume = drive
	}
	switch {
	case volume == "" && isDrive(rest):
		return []string{p.dropped(strings.ToUpper(rest[1:2])+":", rest[2:])}
	case strings.HasPrefix(rest, "/"), volume == "":
		volume, rest = p.cutVolume(p.joined(volume+rest, dir))
		return []string{p.dropped(volume, rest)}
	}
	// The current directory of a drive is its root, or the one that the call
	// runs in.
	plain := []string{p.dropped(volume, rest)}
	if here, at := p.cutVolume(p.joined(dir, "")); here == volume {
		plain = append(plain, p.dropped(here, at+"/"+rest))
	}
	return plain
}

// dropped returns a clean path without what Windows drops from its components.
func (p *paths) dropped(volume, rest string) string {
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		part, _, _ = strings.Cut(part, ":")
		if part != "." && part != ".." {
			part = strings.TrimRight(part, ". ")
		}
		parts[i] = part
	}
	return clean(volume, strings.Join(parts, "/"))
}
