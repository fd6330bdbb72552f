// Package visible escapes and shortens texts of a call before they are shown to
// people and models: a command could otherwise rewrite the line that says what it
// is. The adapters, which are modules of their own, use it too: change it as if it
// were exported.
package visible

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// How many characters of a text are shown.
const (
	maxShown = 180
	maxEnd   = 60 // of those, at its end
)

// Quote returns s between quotes, shortened in the middle and escaped.
func Quote(s string) string { return QuoteWhole(shorten(s)) }

// QuoteWhole returns s between quotes, escaped.
func QuoteWhole(s string) string {
	return `"` + Text(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)) + `"`
}

// Plain returns s whole: as it is where people can see what it is, and quoted
// else.
func Plain(s string) string {
	switch {
	case s == "", s != strings.TrimSpace(s), s != Text(s), s[0] == '"' && s[len(s)-1] == '"':
		return QuoteWhole(s)
	}
	return s
}

// Short returns s shortened in the middle and escaped.
func Short(s string) string { return Text(shorten(s)) }

// Text returns s with every character escaped that a terminal would obey, that
// would not show, or that would turn the text around it.
func Text(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		escaped := strconv.QuoteRuneToASCII(r)
		b.WriteString(escaped[1 : len(escaped)-1])
	}
	return b.String()
}

// JSON returns a JSON text with every character escaped, as JSON does it, that
// Text would escape and that is no ASCII: encoding/json leaves those as they are.
func JSON(text []byte) []byte {
	var b []byte
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf && r != 0x7f || !hidden(r):
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}

// shorten keeps the start and the end of a text that is long by more than what
// says that something is missing.
func shorten(s string) string {
	const most = maxShown + len(" [99 characters] ")
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	return fmt.Sprintf("%s [%d characters] %s", string(r[:maxShown-maxEnd]), len(r)-maxShown, string(r[len(r)-maxEnd:]))
}

// hidden reports whether r does not show as itself.
func hidden(r rune) bool {
	const brailleBlank = '\u2800'
	return !unicode.IsPrint(r) || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
