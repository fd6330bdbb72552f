package subject

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// named returns the path that raw names to a tool that knows ~ and file: URLs,
// or why that cannot be told.
func (p *paths) named(raw string) (name, why string) {
	if rest, ok := cutHome(raw); ok {
		if p.home == "" {
			return "", "the home that ~ stands for is not known"
		}
		return p.home + rest, ""
	}
	if len(raw) > 1 && raw[0] == '~' && (isLetter(raw[1]) || raw[1] == '_') {
		return "", "a path that may start in the home of somebody, as ~root does"
	}
	return p.fromFileURL(raw)
}

// cutHome cuts the ~ or $HOME that is a path's first component.
func cutHome(name string) (rest string, ok bool) {
	for _, h := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok = strings.CutPrefix(name, h); ok && (rest == "" || rest[0] == '/') {
			return rest, true
		}
	}
	return "", false
}

// cutFileScheme cuts the scheme and the host, which must be this one, of a
// file: URL, whose path is left as it is written.
func cutFileScheme(name string) (rest string, ok bool) {
	if len(name) < len("file:") || !strings.EqualFold(name[:len("file:")], "file:") {
		return "", false
	}
	rest = name[len("file:"):]
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		if n := len("localhost"); len(authority) >= n && strings.EqualFold(authority[:n], "localhost") {
			authority = authority[n:]
		}
		rest = authority
	}
	return rest, strings.HasPrefix(rest, "/")
}

// fromFileURL returns the path that a file: URL names, and any other path as
// it stands. A tool may also cut the scheme off and take the rest for the
// path: where that names something else, it cannot be told.
func (p *paths) fromFileURL(raw string) (name, why string) {
	if len(raw) < len("file:") || !strings.EqualFold(raw[:len("file:")], "file:") {
		return raw, ""
	}
	rest, ok := cutFileScheme(raw)
	if !ok {
		return "", "a file: URL that cannot be read, or of another host"
	}
	name, err := url.PathUnescape(rest)
	if err != nil || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", "a file: URL that cannot be read"
	}
	if strings.ContainsAny(rest, "?#") || hidesStructure(p.plainDrive(rest)) {
		return "", "a file: URL that readers take for different paths"
	}
	return p.withDrive(p.slashes(name)), ""
}

// hidesStructure reports whether an escaped path has escapes of characters
// that make a path what it is.
func hidesStructure(escaped string) bool {
	escaped = strings.ToUpper(escaped)
	for _, esc := range []string{"%2E", "%2F", "%5C", "%25", "%3A"} {
		if strings.Contains(escaped, esc) {
			return true
		}
	}
	return false
}

// plainDrive returns the path of a file: URL with the colon of its drive as it
// is: VS Code writes file:///c%3A/x.
func (p *paths) plainDrive(escaped string) string {
	if p.windows && len(escaped) > 5 && isLetter(escaped[1]) && strings.EqualFold(escaped[2:5], "%3A") && escaped[5] == '/' {
		return escaped[:2] + ":" + escaped[5:]
	}
	return escaped
}

// withDrive returns the path that starts with a drive of Windows without the
// slash that it has before that in a URL, where C| is an old spelling of C:.
func (p *paths) withDrive(name string) string {
	if p.windows && len(name) > 3 && name[0] == '/' && isLetter(name[1]) && name[2] == '|' && name[3] == '/' {
		name = name[:2] + ":" + name[3:]
	}
	if volume, rest := p.cutVolume(strings.TrimPrefix(name, "/")); volume != "" && volume[0] != '/' && strings.HasPrefix(rest, "/") {
		return name[strings.Index(name, ":")-1:]
	}
	return name
}

// fileURLPaths returns the paths that a file: URL which cannot be told names
// to some reader or another: with or without a host, from the root or not,
// with its escapes or without, and as far as any of its parts.
func fileURLPaths(raw string) []string {
	if len(raw) < len("file:") || !strings.EqualFold(raw[:len("file:")], "file:") {
		return nil
	}
	var paths []string
	rest := raw[len("file:"):]
	bare := strings.TrimLeft(rest, "/")
	names := []string{rest, bare, "/" + bare}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		_, local, _ := strings.Cut(authority, "/")
		names = append(names, "/"+local)
	}
	for _, name := range names {
		path, _, _ := strings.Cut(name, "#")
		path, _, _ = strings.Cut(path, "?")
		for _, n := range []string{name, path} {
			paths = append(paths, n)
			if plain, err := url.PathUnescape(n); err == nil && plain != n {
				paths = append(paths, plain)
			}
		}
	}
	return paths
}
