package subject

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/glob"
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
	case strings.IndexFunc(raw, unicode.IsControl) >= 0:
		return Subject{}, malformed("a URL with a control character")
	case raw != strings.TrimSpace(raw):
		return Subject{}, malformed("a URL with a blank before or after it")
	case strings.Contains(raw, `\`):
		return Subject{}, malformed(`a URL with a "\", which readers take for different things`)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return Subject{}, malformed("a URL that cannot be parsed")
	}
	if u.Scheme == "" || plainHost(u) == "" && !isFile(u) {
		return Subject{}, malformed("a URL without a scheme and a host, as in https://example.com/")
	}
	return readURL(u), nil
}

// plainHost returns the host of u without its port, in small letters.
func plainHost(u *url.URL) string {
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

func isFile(u *url.URL) bool { return u.Scheme == "file" && strings.HasPrefix(u.Path, "/") }

func readURL(u *url.URL) Subject {
	host, port := plainHost(u), plainPort(u)
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	head := u.Scheme + "://" // url.Parse has lower-cased it
	s := Subject{Kind: URL, Text: head + host + port + plainPath(u)}
	var b text.Builder
	b.WriteString(head)
	if strings.IndexFunc(host, notPlainHost) >= 0 {
		s.Unknown = "a host name that is not plain ASCII: write it in punycode"
		b.WriteHole(text.Name)
		s.Narrow = append(s.Narrow, hostHole())
	} else {
		b.WriteString(host)
		s.Narrow = append(s.Narrow, text.Reading{Text: text.Of(host), Form: text.Host})
	}
	b.WriteString(port)
	if writePath(&b, plainPath(u)) {
		s.Unknown = "an encoded slash, backslash or percent sign in a URL's path"
	}
	if u.RawQuery == "" && !u.ForceQuery {
		s.Narrow = append(s.Narrow, text.Reading{Text: b.Text(), Form: text.Whole})
		return s
	}
	s.Wide = append(s.Wide, text.Reading{Text: b.Text(), Form: text.Whole})
	b.WriteString("?" + u.RawQuery)
	s.Text += "?" + u.RawQuery
	s.Narrow = append(s.Narrow, text.Reading{Text: b.Text(), Form: text.Whole})
	return s
}

func notPlainHost(r rune) bool {
	return r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._[]:", r)
}

func hostHole() text.Reading {
	var b text.Builder
	b.WriteHole(text.Name)
	return text.Reading{Text: b.Text(), Form: text.Host}
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

// plainPath returns the escaped path of u with unreserved characters decoded,
// hexadecimal digits in capitals and dot segments resolved.
func plainPath(u *url.URL) string {
	return removeDots(decodeUnreserved(u.EscapedPath()))
}

func decodeUnreserved(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+2 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8) // url.Parse has checked the digits
		if c := byte(n); isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(strings.ToUpper(s[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

// isUnreserved reports whether c means the same encoded or not: RFC 3986,
// section 2.3.
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// removeDots resolves the segments . and .. of an escaped path: RFC 3986,
// section 5.2.4.
func removeDots(p string) string {
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	var out []string
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case "..":
			out = out[:max(0, len(out)-1)]
		case ".":
		default:
			out = append(out, s)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

// writePath writes an escaped path with holes where a server may decode an
// escape to something that changes the path.
func writePath(b *text.Builder, p string) (hole bool) {
	for {
		i := strings.IndexByte(p, '%')
		if i < 0 {
			b.WriteString(p)
			return hole
		}
		b.WriteString(p[:i])
		switch esc := p[i : i+3]; esc {
		case "%2F", "%5C", "%25":
			b.WriteHole(text.Any)
			hole = true
		default:
			b.WriteString(esc)
		}
		p = p[i+3:]
	}
}

// urlPattern compiles one alternative of a pattern for URLs.
func urlPattern(alt string, allow bool) glob.Alternative {
	o := glob.Options{Tail: "/", Stars: true, Loose: !allow}
	if host, ok := strings.CutPrefix(alt, "domain:"); ok {
		return glob.Alternative{Glob: glob.Compile(strings.ToLower(host), glob.Options{Loose: !allow}), Forms: text.Host}
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
	pathPart := rest[len(host):]
	switch {
	case pathPart == "" && allow:
		pathPart = "/"
	case pathPart == "":
		pathPart = "/*" // a host that is refused is refused whole
	}
	head := strings.ToLower(scheme + "://" + host)
	o.Walled = len(head)
	return glob.Alternative{Glob: glob.Compile(head+pathPart, o), Forms: text.Whole}
}
