package lint

import (
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// languageOf returns a set that holds all readings of a form that subjects of a
// kind have.
func languageOf(k subject.Kind, f text.Form, windows bool) glob.Language {
	switch {
	case k == subject.URL && f == text.Whole:
		return urlLanguage()
	case k == subject.Path && f == text.Inside, f == text.WriteInside, f == text.ReadInside:
		return pathLanguage(start)
	case windows:
	case k == subject.Path && f == text.Whole, f == text.WriteWhole, f == text.ReadWhole:
		return pathLanguage(absolute)
	}
	return glob.Language{Next: func(int, rune) int { return 0 }, Accepts: func(int) bool { return true }}
}

// The states of a clean path: where a component starts, what it is so far.
const (
	start    = iota // of a path from the root
	absolute        // of an absolute one
	root            // behind the slash that may be all
	slash           // behind another
	lone            // a dot that may be all
	dot
	dots
	name
)

// pathLanguage is the language of clean paths: no two slashes in a row, none at
// the end, no component that is . or .. .
func pathLanguage(from int) glob.Language {
	return glob.Language{
		Next: func(state int, r rune) int {
			if state == start && from == absolute {
				state = absolute // the machine starts at 0
			}
			return nextInPath(state, r)
		},
		Accepts: func(state int) bool { return state == root || state == lone || state == name },
		Marks:   "/.\x00",
	}
}

func nextInPath(state int, r rune) int {
	switch {
	case r == 0:
		return -1
	case r == '/':
		switch state {
		case absolute:
			return root
		case name:
			return slash
		}
		return -1
	case state == absolute:
		return -1
	case r != '.':
		return name
	}
	switch state {
	case start:
		return lone
	case root, slash:
		return dot
	case lone, dot:
		return dots
	}
	return name
}

// The states of a URL, by what has been read.
const (
	nothing = iota
	scheme
	colon
	oneSlash
	twoSlashes
	host
	rest
)

// urlLanguage is the language of URLs as rules are matched with them: small
// letters before the host, and a path of a slash at least.
func urlLanguage() glob.Language {
	return glob.Language{
		Next: nextInURL, Accepts: func(state int) bool { return state == rest }, Marks: ":/azAZ09+-.@ \x00\x1f",
	}
}

func nextInURL(state int, r rune) int {
	switch {
	case r <= ' ':
		return -1
	case state == rest:
		return rest
	case state == nothing || state == scheme:
		switch {
		case 'a' <= r && r <= 'z', state == scheme && ('0' <= r && r <= '9' || r == '+' || r == '-' || r == '.'):
			return scheme
		case r == ':' && state == scheme:
			return colon
		}
		return -1
	case state == colon || state == oneSlash:
		if r == '/' {
			return state + 1
		}
		return -1
	case r == '/':
		return rest
	case r == '@', 'A' <= r && r <= 'Z':
		return -1
	}
	return host
}
