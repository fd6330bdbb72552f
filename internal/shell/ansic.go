package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ansiC returns what bash makes of the text in $'...'. A NUL ends it.
func ansiC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		out, size := ansiEscape(s[i+1:])
		if out == "\x00" {
			break
		}
		b.WriteString(out)
		i += 1 + size
	}
	return b.String()
}

// ansiEscape resolves the escape that s is, without its backslash.
func ansiEscape(s string) (out string, size int) {
	const plain, meaning = `abeEfnrtv\'"?`, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	if i := strings.IndexByte(plain, s[0]); i >= 0 {
		return meaning[i : i+1], 1
	}
	switch c := s[0]; {
	case '0' <= c && c <= '7':
		n, digits := number(s, 8, 3)
		return string([]byte{byte(n)}), digits
	case c == 'x' && strings.HasPrefix(s[1:], "{"):
		n, digits := number(s[2:], 16, len(s))
		size = 2 + digits
		if strings.HasPrefix(s[size:], "}") {
			size++
		}
		return string([]byte{byte(n)}), size
	case c == 'x':
		if n, digits := number(s[1:], 16, 2); digits > 0 {
			return string([]byte{byte(n)}), 1 + digits
		}
	case c == 'u' || c == 'U':
		most := 4
		if c == 'U' {
			most = 8
		}
		if n, digits := number(s[1:], 16, most); digits > 0 {
			if n < utf8.RuneSelf {
				return string([]byte{byte(n)}), 1 + digits
			}
			return string(rune(n)), 1 + digits
		}
	case c == 'c' && len(s) > 1:
		size = 2
		if s[1] == '\\' && len(s) > 2 && s[2] == '\\' {
			size = 3
		}
		return string([]byte{s[1] & 0x1f}), size
	}
	return `\` + s[:1], 1
}

func number(s string, base, most int) (n uint64, digits int) {
	for digits < len(s) && digits < most {
		if _, err := strconv.ParseUint(s[digits:digits+1], base, 8); err != nil {
			break
		}
		digits++
	}
	n, err := strconv.ParseUint(s[:digits], base, 64)
	if err != nil && digits > 0 {
		n = 0xff // more than fits
	}
	return n, digits
}
