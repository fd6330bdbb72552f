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
		return pathLanguage(inRoot)
	case windows:
	case k == subject.Path && f == text.Whole, f == text.WriteWhole, f == text.ReadWhole:
		return pathLanguage(inFull)
	}
	return glob.Language{Next: func(int, rune) int { return 0 }, Accepts: func(int) bool { return true }}
}

// The states of a clean path: where a component starts, what it is so far.
const (
	inRoot   = iota // the start of a path from the root
	inFull          // the start of an absolute one
	rootOnly        // behind the slash that may be all
	slashed         // behind another
	dotOnly         // a dot that may be all
	oneDot
	twoDots
	named
)

// pathLanguage is the language of clean paths: no two slashes in a row, none at
// the end, no component that is . or .. .
func pathLanguage(from int) glob.Language {
	return glob.Language{
		Next: func(state int, r rune) int {
			if state == inRoot && from == inFull {
				state = inFull // the machine starts at 0
			}
			return nextInPath(state, r)
		},
		Accepts: func(state int) bool { return state == rootOnly || state == dotOnly || state == named },
		Marks:   "/.\x00",
	}
}

func nextInPath(state int, r rune) int {
	switch {
	case r == 0:
		return -1
	case r == '/':
		switch state {
		case inFull:
			return rootOnly
		case named:
			return slashed
		}
		return -1
	case state == inFull:
		return -1
	case r != '.':
		return named
	}
	switch state {
	case inRoot:
		return dotOnly
	case rootOnly, slashed:
		return oneDot
	case dotOnly, oneDot:
		return twoDots
	}
	return named
}

// The states of a URL, by what has been read.
const (
	noURL = iota
	inScheme
	behindColon
	behindSlash
	behindSlashes
	inHost
	inPath
)

// urlLanguage is the language of URLs as rules are matched with them: small
// letters before the host, and a path of a slash at least.
func urlLanguage() glob.Language {
	return glob.Language{
		Next: nextInURL, Accepts: func(state int) bool { return state == inPath }, Marks: ":/azAZ09+-.@ \x00\x1f",
	}
}

func nextInURL(state int, r rune) int {
	switch {
	case r <= ' ':
		return -1
	case state == inPath:
		return inPath
	case state == noURL || state == inScheme:
		switch {
		case 'a' <= r && r <= 'z', state == inScheme && ('0' <= r && r <= '9' || r == '+' || r == '-' || r == '.'):
			return inScheme
		case r == ':' && state == inScheme:
			return behindColon
		}
		return -1
	case state == behindColon || state == behindSlash:
		if r == '/' {
			return state + 1
		}
		return -1
	case r == '/':
		return inPath
	case r == '@', 'A' <= r && r <= 'Z':
		return -1
	}
	return inHost
}
