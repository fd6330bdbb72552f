package subject

import "strings"

// darwinPlain returns the path that one through a place of macOS leads to
// which is there to lead to others, or that of the file of which it is a fork. It
// is not ok for any other path.
func (p *paths) darwinPlain(abs string) (plain string, ok bool) {
	if p.windows || !p.fold {
		return "", false
	}
	plain = abs
	for _, place := range []string{"/System/Volumes/Data/", "/Volumes/Macintosh HD/", "/.nofollow/", "/.resolve/", "/.vol/"} {
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
