package permission

import "strings"

// Quote returns a pattern that matches s and nothing else, for an allow rule or
// for what a tool proposes to [Hook.Authorize]. As with any pattern, a command
// is its words without their quotes. Hand in a path that is clean and, on
// Windows, has slashes where it starts, as Subject.Text does: the pattern of
// another may match nothing.
func Quote(s string) string {
	rest := strings.TrimLeft(s, `/\`)
	start := s[:len(s)-len(rest)]
	return strings.ReplaceAll(start, `\`, `[\\]`) + quoted.Replace(rest)
}

// In the paths of Windows a backslash separates and escapes nothing. So classes
// escape, and a backslash is doubled but at the start, where two of them are
// another place than one.
var quoted = strings.NewReplacer(
	"*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]", "}", "[}]", `\`, `\\`,
)
