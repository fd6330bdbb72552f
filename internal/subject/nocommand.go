package subject

import (
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/visible"
)

// NoCommand says why a pattern is none that a simple command is like, and what
// to do instead; nothing for any other pattern. A rule that allows sees a command
// with its quotes gone and its expansions unknown; one that refuses also sees
// how it is written.
func NoCommand(pattern string, allow bool) (why, instead string) {
	for word := range strings.FieldsSeq(pattern) {
		switch {
		case strings.Contains(word, `\`): // which means it
		case slices.Contains([]string{"&&", "||", "|", "&", ";"}, word), strings.HasSuffix(word, ";"):
			return "each command of a line is looked at by itself", "list those around " + visible.Quote(word) + " one by one"
		case !allow:
		case strings.Contains(word, "`"), expansion.MatchString(word):
			return "nobody knows what the shell puts in place of " + visible.Quote(word), "write the text itself, or *"
		case strings.Trim(word, `"'`) != word:
			return "quotes are gone when a command is looked at", "write " + visible.Quote(word) + " without them"
		}
	}
	return "", ""
}

// expansion matches what a shell replaces.
var expansion = regexp.MustCompile(`\$[A-Za-z_({]`)
