package subject

import (
	"strconv"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// urlPattern compiles one alternative of a pattern for URLs.
func urlPattern(alt string, allow bool) glob.Alternative {
	o := glob.Options{Tail: "/", Stars: true, Loose: !allow}
	if host, ok := strings.CutPrefix(alt, "domain:"); ok {
		host = strings.TrimSuffix(lowerASCII(host), ".")
		return glob.Alternative{Glob: glob.Compile(host, glob.Options{Loose: !allow}), Forms: text.Host}
	}
	scheme, rest, ok := strings.Cut(alt, "://")
	if !ok {
		forms := text.Whole
		if strings.Trim(alt, "*") == "" {
			forms = text.Every
		}
		return glob.Alternative{Glob: glob.Compile(alt, o), Forms: forms}
	}
	host := glob.Split(rest, '/')[0]
	pathPart := plainPattern(rest[len(host):])
	switch {
	case pathPart == "" && allow:
		pathPart = "/"
	case pathPart == "":
		pathPart = "/*" // a host that is refused is refused whole
	}
	scheme = lowerASCII(scheme)
	head := scheme + "://" + hostPattern(scheme, lowerASCII(host))
	o.Walled = len(head)
	return glob.Alternative{Glob: glob.Compile(head+pathPart, o), Forms: text.Whole}
}

// hostPattern returns a pattern for hosts without what their readings do not
// have: a default port, a dot at the end, the name of this machine in a file:
// URL.
func hostPattern(scheme, host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		n, err := strconv.Atoi(host[i+1:])
		switch port := defaultPort(scheme); {
		case host[i+1:] == "", err == nil && n > 0 && n == port:
			host = host[:i]
		case err == nil && n >= 0:
			return strings.TrimSuffix(host[:i], ".") + ":" + strconv.Itoa(n)
		}
	}
	if scheme == "file" && host == "localhost" {
		return ""
	}
	return strings.TrimSuffix(host, ".")
}

// plainPattern returns the path of a pattern with the escapes that readings
// have.
func plainPattern(alt string) string {
	var b strings.Builder
	run := ""
	for i, piece := range glob.Split(strings.Join(glob.Split(alt, ' '), "%20"), '%') {
		if i > 0 && escapes("%"+piece) == "" {
			piece = "%" + piece
		} else if i > 0 {
			run += "%" + piece[:2]
			piece = piece[2:]
		}
		if piece != "" {
			b.WriteString(glob.Quote(unescape(run, meansItself)) + piece)
			run = ""
		}
	}
	b.WriteString(glob.Quote(unescape(run, meansItself)))
	return b.String()
}
