package subject

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// urlPattern compiles one alternative of a pattern for URLs.
func urlPattern(alt string, allow bool) (glob.Pattern, error) {
	if host, ok := strings.CutPrefix(alt, "domain:"); ok {
		return hostOnly(host, allow)
	}
	o := glob.Options{Tail: "/", Stars: true, Loose: !allow}
	scheme, rest, ok := strings.Cut(alt, "://")
	if !ok {
		forms := text.Whole
		if glob.IsStars(alt) {
			forms = text.Every
		}
		return glob.Pattern{{Glob: glob.Compile(alt, o), Forms: forms}}, nil
	}
	host := glob.Split(rest, '/')[0]
	path := plainPattern(rest[len(host):])
	scheme = LowerASCII(scheme)
	host = hostPattern(scheme, LowerASCII(host))
	heads := []string{scheme + "://" + host}
	switch {
	case path == "" && allow:
		path = "/"
	case path == "": // a host that is refused is refused whole
		path = "/*"
		heads = append(heads, heads[0]+":*")
	}
	var p glob.Pattern
	for _, head := range heads {
		o.Walled = len(head)
		p = append(p, glob.Alternative{Glob: glob.Compile(head+path, o), Forms: text.Whole})
	}
	return p, nil
}

// hostOnly compiles a pattern for hosts, with any port.
func hostOnly(host string, allow bool) (glob.Pattern, error) {
	if i := strings.IndexAny(host, "/@ "); i >= 0 || host == "" {
		return nil, errors.New(`"domain:" takes the name of a host and no more, as in domain:example.com`)
	}
	host = addressPattern(strings.TrimSuffix(LowerASCII(host), "."))
	return glob.Pattern{{Glob: glob.Compile(host, glob.Options{Loose: !allow}), Forms: text.Host}}, nil
}

// hostPattern returns a pattern for hosts without what their readings do not
// have: a default port, a dot at the end, the name of this machine in a file:
// URL.
func hostPattern(scheme, host string) string {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		n, err := strconv.Atoi(host[i+1:])
		switch port := defaultPort(scheme); {
		case strings.HasSuffix(host, "]"): // of an address
		case host[i+1:] == "", err == nil && n > 0 && n == port:
			host = host[:i]
		case err == nil && n >= 0:
			return addressPattern(strings.TrimSuffix(host[:i], ".")) + ":" + strconv.Itoa(n)
		}
	}
	if scheme == "file" && host == "localhost" {
		return ""
	}
	return addressPattern(strings.TrimSuffix(host, "."))
}

// addressPattern returns a pattern for the one spelling that readings have of an
// IPv6 address. Its brackets are no class: nobody means a host of one character.
func addressPattern(host string) string {
	name := strings.ReplaceAll(host, `\`, "")
	if bare, ok := strings.CutPrefix(name, "["); ok {
		name = strings.TrimSuffix(bare, "]")
	}
	if addr, err := netip.ParseAddr(name); err == nil && addr.Is6() && addr.Zone() == "" {
		return glob.Quote("[" + addr.String() + "]")
	}
	return host
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
