package subject

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/text"
)

// defaultPort returns the port that a URL of the scheme has without saying so,
// or 0.
func defaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	}
	return 0
}

// urlSubject reads a URL. What two parsers could take for different hosts is
// malformed.
func urlSubject(raw string) (Subject, error) {
	switch {
	case len(raw) > maxPath:
		return unknown(URL, raw, "a URL longer than 64 KiB"), nil
	case strings.IndexFunc(raw, unicode.IsControl) >= 0:
		return Subject{}, malformed("a URL with a control character")
	case raw != strings.TrimSpace(raw):
		return Subject{}, malformed("a URL with a blank before or after it")
	case strings.Contains(raw, `\`):
		return Subject{}, malformed(`a URL with a "\", which readers take for different things`)
	}
	u, err := url.Parse(raw)
	if err != nil || strings.Contains(u.Hostname(), ":") && !strings.HasPrefix(u.Host, "[") {
		return Subject{}, malformed("a URL that cannot be parsed")
	}
	if u.Scheme == "" || plainHost(u) == "" && !isFile(u) {
		return Subject{}, malformed("a URL without a scheme and a host, as in https://example.com/")
	}
	one := readURL(u)
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && addr.Is4In6() {
		u.Host = addr.Unmap().WithZone("").String() + plainPort(u) // which is who answers
		four := readURL(u)
		one.Wide = slices.Concat(one.Wide, four.Narrow, four.Wide)
	}
	return one, nil
}

// plainHost returns the host of u without its port, in small letters.
func plainHost(u *url.URL) string {
	host := LowerASCII(strings.TrimSuffix(u.Hostname(), "."))
	if u.Scheme == "file" && host == "localhost" {
		return ""
	}
	return host
}

// LowerASCII returns s in small letters. Letters outside ASCII stay: there are
// some of which the small one is in ASCII, but names another host or tool.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

func isFile(u *url.URL) bool {
	return u.Scheme == "file" && (strings.HasPrefix(u.Path, "/") || u.Path == "" && u.Host != "")
}

// readURL returns the subject of a URL, whose host is there.
func readURL(u *url.URL) Subject {
	a := address{scheme: u.Scheme, host: plainHost(u), port: plainPort(u)} // url.Parse has lower-cased the scheme
	if addr, err := netip.ParseAddr(a.host); err == nil && addr.Is6() {
		a.host = "[" + addr.String() + "]" // the one spelling of RFC 5952
	} else if strings.Contains(a.host, ":") {
		a.host = "[" + a.host + "]"
	}
	raw, query := spelt(u), ""
	path := removeDots(raw)
	if u.RawQuery != "" || u.ForceQuery {
		query = "?" + unescape(u.RawQuery, meansItself)
	}
	s := Subject{Kind: URL, Text: a.scheme + "://" + a.host + a.port + path + query}
	if a.isForeign() {
		s.Unknown = "a host name that is not plain ASCII, or has an empty part: write it in punycode"
	}
	turns := turnsElsewhere(raw, path)
	if turns {
		s.Unknown = `a path of a URL with a ".." that servers resolve in different ways: write the path that is meant`
	}
	if hidesPath(path) {
		s.Unknown = "a path of a URL in which a server may find another one, behind an encoded slash, backslash or percent sign, or a \"..;\""
	}
	climbs := turns || hidesPath(path) && mayClimb(path)
	s.Narrow = append(a.hosts(), a.withHoles(path, query, climbs))
	if query != "" {
		s.Wide = append(s.Wide, a.withHoles(path, "", climbs))
	}
	served := servedAs(path)
	if turns {
		served = slices.Concat([]string{path}, served, servedAs(raw))
	}
	for _, p := range served {
		s.Wide = append(s.Wide, a.plain(p+query))
		if query != "" {
			s.Wide = append(s.Wide, a.plain(p))
		}
	}
	return s
}

// An address is what stands before the path of a URL.
type address struct{ scheme, host, port string }

// isForeign reports whether resolvers may take the host for another.
func (a *address) isForeign() bool {
	emptyLabel := a.host != "" && strings.Contains("."+a.host+".", "..")
	return emptyLabel || strings.ContainsFunc(a.host, foreign)
}

func foreign(r rune) bool {
	return r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._[]:", r)
}

// hosts returns the reading of the host, if there is one.
func (a *address) hosts() []text.Reading {
	if a.host == "" {
		return nil
	}
	var b text.Builder
	a.writeHost(&b)
	return []text.Reading{{Text: b.Text(), Form: text.Host}}
}

func (a *address) writeHost(b *text.Builder) {
	if a.isForeign() {
		b.WriteHole(text.Name)
	} else {
		b.WriteString(a.host)
	}
}

// plain returns the reading of a URL at the address.
func (a *address) plain(rest string) text.Reading {
	var b text.Builder
	a.write(&b)
	b.WriteString(rest)
	return text.Reading{Text: b.Text(), Form: text.Whole}
}

// withHoles returns the reading of a URL at the address with holes in the
// path where a server may decode an escape to something that changes it. Where
// there may be a .. that leads elsewhere the path is one hole.
func (a *address) withHoles(path, query string, climbs bool) text.Reading {
	var b text.Builder
	a.write(&b)
	if climbs {
		b.WriteString("/")
		b.WriteHole(text.Any)
	} else {
		writePath(&b, path)
	}
	b.WriteString(query)
	return text.Reading{Text: b.Text(), Form: text.Whole}
}

func (a *address) write(b *text.Builder) {
	b.WriteString(a.scheme + "://")
	a.writeHost(b)
	b.WriteString(a.port)
}

// plainPort returns the port of u with its colon, or nothing where it is the
// default one however it is written.
func plainPort(u *url.URL) string {
	port := u.Port()
	n, err := strconv.Atoi(port)
	switch {
	case port == "", err == nil && n != 0 && n == defaultPort(u.Scheme):
		return ""
	case err == nil:
		port = strconv.Itoa(n)
	}
	return ":" + port
}
