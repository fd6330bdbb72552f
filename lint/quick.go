package lint

import (
	"regexp"
	"slices"
	"strings"
)

// Of two patterns that people write, one hardly ever covers the other, and that
// is mostly plain to see: a word of the one does not occur in the other. To
// prove it takes a thousand times as long.

// word matches what stands as it is in all that a pattern matches.
var word = regexp.MustCompile(`[a-z0-9_-]+`)

// need returns the longest word of an alternative, in small letters, or nothing
// where that is not plain to see.
func need(source string) string {
	if strings.Contains(source, "..") || strings.ContainsAny(source, `\[`) || isURL(source) || strings.Contains(source, "://") {
		return "" // it may be cleaned away, or stand for something else
	}
	longest := ""
	for _, w := range word.FindAllString(strings.ToLower(source), -1) {
		if len(w) > len(longest) {
			longest = w
		}
	}
	return longest
}

// words returns a text in which every word occurs that stands in all that an
// alternative matches, or nothing where that is not plain to see.
func (l *linter) words(source string) string {
	if strings.ContainsAny(source, `[\`) || isURL(source) || strings.Contains(source, "://") {
		return ""
	}
	return strings.ToLower(strings.Join([]string{source, l.options.Root, l.options.Home}, "\n"))
}

// mayCover reports whether it is not plain to see that a does not cover an
// alternative.
func (a *rule) mayCover(alt *alternative) bool {
	return alt.words == "" || slices.ContainsFunc(a.alts, func(own alternative) bool {
		return strings.Contains(alt.words, own.need)
	})
}
