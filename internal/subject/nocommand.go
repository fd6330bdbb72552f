package subject

import (
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/visible"
)

// NoCommand says why no simple command is like a pattern, and what to write
// instead; nothing for any other pattern. A rule that allows is matched with a
// command whose quotes are gone and whose expansions are unknown; one that refuses
// also with the command as it is written.
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
