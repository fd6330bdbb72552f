package subject

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/text"
)

// spelt returns the path of u encoded only where the character itself would
// mean something else.
func spelt(u *url.URL) string { return unescape(u.EscapedPath(), meansItself) }

// meansItself reports whether a character of ASCII means the same encoded or
// not: RFC 3986, section 2.3, and what no URL may have unencoded.
func meansItself(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("-._~\"<>^`{|}", c) >= 0
}

// unescape decodes the escapes in s that stand for plain characters of ASCII
// or for others that can be seen. The rest comes out in capitals, and so do
// blanks and what else cannot stand in a URL.
func unescape(s string, plain func(byte) bool) string {
	var b strings.Builder
	for s != "" {
		if run := escapes(s); run != "" {
			writeBytes(&b, decode(run), plain)
			s = s[len(run):]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		if s[0] > ' ' && s[0] < utf8.RuneSelf {
			b.WriteByte(s[0])
		} else {
			writeBytes(&b, s[:size], plain)
		}
		s = s[size:]
	}
	return b.String()
}

const upperHex = "0123456789ABCDEF"

// escapes returns the run of escapes that s starts with.
func escapes(s string) string {
	n := 0
	for n+2 < len(s) && s[n] == '%' && isHex(s[n+1]) && isHex(s[n+2]) {
		n += 3
	}
	return s[:n]
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// decode returns the bytes of a run of escapes.
func decode(run string) string {
	b := make([]byte, 0, len(run)/3)
	for ; run != ""; run = run[3:] {
		n, _ := strconv.ParseUint(run[1:3], 16, 8) // escapes has checked the digits
		b = append(b, byte(n))
	}
	return string(b)
}

// writeBytes writes decoded bytes: plain characters of ASCII and visible ones
// beyond it as they are, and the rest as escapes.
func writeBytes(b *strings.Builder, s string, plain func(byte) bool) {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		visible := r != utf8.RuneError && r >= utf8.RuneSelf && unicode.IsGraphic(r) && !unicode.IsSpace(r)
		if visible || r < utf8.RuneSelf && plain(byte(r)) {
			b.WriteString(s[:size])
		} else {
			for i := range size {
				b.Write([]byte{'%', upperHex[s[i]>>4], upperHex[s[i]&15]})
			}
		}
		s = s[size:]
	}
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

// hiding are the parts of a path that a server may take for something that
// changes it.
var hiding = [...]string{"%2F", "%5C", "%25", "/..;", "/..%3B"}

func hidesPath(p string) bool {
	for _, part := range hiding {
		if strings.Contains(p, part) {
			return true
		}
	}
	return false
}

// writePath writes a path with holes for the escapes that hide it.
func writePath(b *text.Builder, p string) {
	start := 0
	for i := 0; i+2 < len(p); i++ {
		if p[i] == '%' && hidesPath(p[i:i+3]) {
			b.WriteString(p[start:i])
			b.WriteHole(text.Any)
			i += 2
			start = i + 1
		}
	}
	b.WriteString(p[start:])
}

// mayClimb reports whether a server that decodes a plain path may find a .. in
// it.
func mayClimb(p string) bool {
	for range maxDecoded {
		p = served(p)
		if slices.Contains(strings.Split(p, "/"), "..") {
			return true
		}
	}
	return false
}

// turnsElsewhere reports whether a server that gets a path as it is spelt may
// resolve a .. in it otherwise than removeDots does: it takes away an empty
// segment there and another one here, or one here that is two to a server.
func turnsElsewhere(spelt, plain string) bool {
	if spelt == plain {
		return false
	}
	for range maxDecoded {
		spelt, plain = removeDots(served(spelt)), removeDots(served(plain))
		if spelt != plain {
			return true
		}
	}
	return false
}

// maxDecoded is how many times a server is thought to decode a path.
const maxDecoded = 3

// servedAs returns the paths that a server may take a plain path for, if it
// does more than it should: decode all of it, some more than once, drop the
// parameters of its segments, and take several slashes for one. Where the
// path can be read in one way there is none.
func servedAs(p string) []string {
	var paths []string
	if hidesPath(p) {
		paths = append(paths, p)
	}
	last := p
	for range maxDecoded {
		next := removeDots(served(last))
		if next == last {
			break
		}
		paths = append(paths, next)
		last = next
	}
	if strings.Contains(last, ";") {
		paths = append(paths, removeDots(withoutParameters(last)))
	}
	return paths
}

// withoutParameters returns a path as servers see it that keep what stands
// behind a semicolon in a segment for themselves.
func withoutParameters(p string) string {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		segments[i], _, _ = strings.Cut(s, ";")
	}
	return strings.Join(segments, "/")
}

// served returns a path as it is after a server has decoded it once.
func served(p string) string {
	p = strings.NewReplacer("%2F", "/", "%5C", "/", "%25", "%").Replace(unescape(p, isVisible))
	segments := strings.Split(p, "/")[1:]
	out := []string{""}
	for i, s := range segments {
		if name, _, ok := strings.Cut(s, ";"); ok && (name == "" || name == "." || name == "..") {
			s = name
		}
		if s != "" || i == len(segments)-1 {
			out = append(out, s)
		}
	}
	return strings.Join(out, "/")
}

// isVisible reports whether c decoded cannot be taken for the end of a path,
// or for more of it.
func isVisible(c byte) bool { return c > ' ' && c < 0x7f && strings.IndexByte(`%/\?#`, c) < 0 }
