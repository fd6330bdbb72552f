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
