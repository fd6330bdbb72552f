package subject

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxFlat        = 4 << 10 // bytes; what is kept of an input keeps all of it
	maxFlatMembers = 16
)

// flat reads an input as models write most of them: an object without others
// inside, in ASCII, and with no escapes but those of one letter. That takes no
// decoder. Other inputs it leaves alone, and so all that are malformed.
type flat struct {
	src string
	at  int
}

// readFlat returns the object of an input. Its members are in room, if there is
// enough.
func readFlat(input []byte, room []member) (v value, ok bool) {
	if len(input) > maxFlat {
		return value{}, false
	}
	f, members := flat{src: string(input)}, room[:0]
	for ok = f.takes('{'); ok && !f.takes('}'); {
		if len(members) > 0 && !f.takes(',') || len(members) == maxFlatMembers {
			return value{}, false
		}
		var m member
		if m.name, ok = f.quoted(); !ok || !f.takes(':') {
			return value{}, false
		}
		if slices.ContainsFunc(members, func(other member) bool { return other.name == m.name }) {
			return value{}, false
		}
		m.value, ok = f.scalar()
		members = append(members, m)
	}
	f.skip()
	return value{kind: kindObject, members: members}, ok && f.at == len(f.src)
}

// skip goes on to the next character that is no blank, and returns it, or 0.
func (f *flat) skip() byte {
	for ; f.at < len(f.src); f.at++ {
		switch c := f.src[f.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// takes reports whether the next character is c, and goes behind it.
func (f *flat) takes(c byte) bool {
	if f.skip() != c {
		return false
	}
	f.at++
	return true
}

// scalar reads a string, a whole number, true, false or null.
func (f *flat) scalar() (v value, ok bool) {
	c := f.skip()
	if c == '"' {
		v.kind = kindString
		v.text, ok = f.quoted()
		return v, ok
	}
	from := f.at
	for f.at < len(f.src) && (isDigit(f.src[f.at]) || 'a' <= f.src[f.at] && f.src[f.at] <= 'z') {
		f.at++
	}
	v.text = f.src[from:f.at]
	switch {
	case v.text == "true", v.text == "false", v.text == "null":
		v.kind = jsontext.Kind(c)
	case v.text == "0", v.text != "" && c != '0' && strings.Trim(v.text, "0123456789") == "":
		v.kind = kindNumber
	}
	return v, v.kind != 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// quoted reads a string.
func (f *flat) quoted() (s string, ok bool) {
	if !f.takes('"') {
		return "", false
	}
	s = f.src[f.at:]
	end := strings.IndexByte(s, '"')
	if end < 0 {
		return "", false
	}
	escapes := strings.IndexByte(s[:end], '\\') >= 0
	if escapes {
		for end = 0; end < len(s) && s[end] != '"'; end++ {
			if s[end] == '\\' {
				end++ // what follows is looked at later
			}
		}
		if end >= len(s) {
			return "", false
		}
	}
	s = s[:end]
	odd := byte(0) // of which the highest bit is set by what is no ASCII, and by control characters
	for i := range len(s) {
		odd |= s[i] | (s[i] - ' ')
	}
	f.at += end + 1
	switch {
	case odd >= 0x80:
		return "", false
	case escapes:
		return oneLetter(s)
	}
	return s, true
}

// oneLetter resolves the escapes of s, if each is of one letter.
func oneLetter(s string) (text string, ok bool) {
	var b strings.Builder
	b.Grow(len(s))
	for {
		plain, escape, found := strings.Cut(s, `\`)
		b.WriteString(plain)
		if !found {
			return b.String(), true
		}
		i := strings.IndexByte(`"\/bfnrt`, escape[0])
		if i < 0 {
			return "", false
		}
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		s = escape[1:]
	}
}
