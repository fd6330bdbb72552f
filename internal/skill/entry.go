package skill

import (
	"errors"
	"regexp"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
)

// entryLen returns where the entry that list starts with ends: at the first
// separator outside parentheses. A "\" before one makes it a plain character.
func entryLen(list string) (int, error) {
	depth := 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case depth == 0 && strings.IndexByte(separators, c) >= 0:
			return i, nil
		case depth == 0 && c == ')':
			return len(list), errors.New(`unbalanced parenthesis: ")" without "("`)
		case depth == 0 && i > 0 && list[i-1] == ')':
			return len(list), errors.New(`want a blank or comma after ")"`)
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	if depth > 0 {
		return len(list), errors.New(`unbalanced parenthesis: "(" without ")"`)
	}
	return len(list), nil
}

var toolName = regexp.MustCompile(`^[\w*]([\w*./:-]*[\w*])?$`)

// parseEntry reads NAME or NAME(ARGUMENT).
func parseEntry(entry string) (tool, pattern string, err error) {
	tool, arg, hasArg := strings.Cut(strings.TrimSuffix(entry, ")"), "(")
	if !toolName.MatchString(tool) {
		return "", "", errors.New(`want a name of letters, digits, _ and *, with - . / : inside, and no blank before "("`)
	}
	switch strings.ToLower(tool) {
	case "all", "any", "every", "everything", "no", "none", "nothing", "null":
		return "", "", errors.New(`reserved word: write "*" for every tool, [] for none, or leave the key out for no limit`)
	}
	if !hasArg {
		return tool, "*", nil
	}
	pattern, err = parseArgument(arg)
	return tool, pattern, err
}

// hostPattern matches an argument whose last :* is a host or its port.
var hostPattern = regexp.MustCompile(`^(domain|[a-z]+://\S+):\*$`)

// parseArgument returns the pattern that an argument stands for.
func parseArgument(arg string) (string, error) {
	pattern := strings.TrimSpace(arg)
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok && !hostPattern.MatchString(pattern) {
		pattern = strings.TrimSpace(prefix) + " *"
	}
	switch {
	case pattern == "", pattern == " *":
		return "", errors.New(`empty argument: write "(*)" for any, or leave the parentheses out`)
	case glob.IsStars(pattern):
		return "*", nil
	}
	_, err := glob.Expand(pattern)
	return pattern, err
}
