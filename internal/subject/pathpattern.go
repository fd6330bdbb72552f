package subject

import (
	"errors"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

var errNoHome = errors.New("~ and $HOME stand for the home, and none is known: set Options.Home")

// pattern compiles one alternative of a pattern for paths.
func (p *paths) pattern(alt string, allow bool) (glob.Alternative, error) {
	a := glob.Alternative{Forms: text.Every}
	o := glob.Options{Tail: "/", Stars: true, Loose: !allow, Fold: !allow && p.fold}
	if strings.Trim(alt, "*") == "" {
		a.Glob = glob.Compile(alt, o)
		return a, nil
	}
	if rest, ok := cutHome(alt); ok {
		if p.home == "" {
			return a, errNoHome
		}
		alt = glob.Quote(p.home) + rest
	}
	clean, abs := p.cleanPattern(alt)
	o.Below = !allow && strings.HasSuffix(alt, "/")
	switch {
	case abs:
		a.Forms = text.Whole
	case allow:
		// A relative allow is for what is inside the root.
		a.Forms = text.Inside
	}
	if clean == "." && o.Below {
		clean, a.Forms = "*", text.Inside
	}
	a.Glob = glob.Compile(clean, o)
	return a, nil
}

// cleanPattern cleans alt as the paths that it is matched with are cleaned,
// but never across a component with a wildcard. One that climbs out of the
// root becomes absolute.
func (p *paths) cleanPattern(alt string) (clean string, abs bool) {
	volume, rest := p.cutVolume(alt)
	if abs = strings.HasPrefix(rest, "/"); abs && p.windows && volume == "" {
		volume, _ = p.cutVolume(p.root)
	}
	var out []string
	for _, part := range glob.Split(rest, '/') {
		name, literal := glob.Literal(part)
		switch {
		case literal && (name == "" || name == "."):
		case !literal || name != "..":
			out = append(out, part)
		case len(out) > 0 && !climbable(out[len(out)-1]):
			out = append(out, part)
		case len(out) > 0:
			out = out[:len(out)-1]
		case !abs:
			// Out of the root, and from there on absolute.
			abs = true
			volume, rest = p.cutVolume(p.root)
			up := strings.Split(strings.Trim(rest, "/"), "/")
			for _, name := range up[:len(up)-1] {
				out = append(out, glob.Quote(name))
			}
		}
	}
	clean = strings.Join(out, "/")
	switch {
	case abs:
		return glob.Quote(volume) + "/" + clean, true
	case clean == "":
		return ".", false
	}
	return clean, false
}

// climbable reports whether a .. behind the component leads back out of it.
func climbable(part string) bool {
	name, literal := glob.Literal(part)
	return literal && name != ".."
}
