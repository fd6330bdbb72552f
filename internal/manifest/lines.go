package manifest

import "strings"

// headerLines returns, for each array of tables in [permissions], the lines of
// its headers.
//
// The decoder does not say where a key stands. A line that starts as a header
// of two keys can be nothing else, for no value looks so, unless it is inside
// a string of several lines: of a document that may have one, no line is
// known.
func headerLines(src string) map[string][]int {
	lines := make(map[string][]int)
	if strings.Contains(src, `"""`) || strings.Contains(src, `'''`) {
		return lines
	}
	number := 0
	for line := range strings.Lines(src) {
		number++
		if name, ok := header(line); ok {
			lines[name] = append(lines[name], number)
		}
	}
	return lines
}

// header returns the second key of a header [[permissions.KEY]].
func header(line string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "[[")
	if !ok {
		return "", false
	}
	first, rest := cutKey(rest)
	rest, ok = strings.CutPrefix(rest, ".")
	if !ok || first != permissions {
		return "", false
	}
	key, rest = cutKey(rest)
	return key, strings.HasPrefix(rest, "]]")
}

// cutKey cuts a key, bare or in quotes, and the blanks around it off s. A key
// with escapes comes out as it is written, and so under another name.
func cutKey(s string) (key, rest string) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		key, rest, _ = strings.Cut(s[1:], s[:1])
	} else {
		rest = strings.TrimLeftFunc(s, isBare)
		key = s[:len(s)-len(rest)]
	}
	return key, strings.TrimLeft(rest, " \t")
}
