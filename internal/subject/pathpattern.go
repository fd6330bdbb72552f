package subject

import (
	"errors"
	"net/url"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

var errNoHome = errors.New("~ and $HOME stand for the home, and none is known: set Options.Home")

// pattern compiles one alternative of a pattern for paths.
func (p *paths) pattern(alt string, allow bool) (glob.Alternative, error) {
	a := glob.Alternative{Forms: text.Every}
	o := glob.Options{Tail: "/", Stars: true, Loose: !allow, Fold: !allow && p.fold}
	if glob.IsStars(alt) {
		a.Glob = glob.Compile(alt, o)
		return a, nil
	}
	if rest, ok := cutFileScheme(alt); ok {
		alt = p.withDrive(unescaped(rest))
	}
	if rest, ok := cutPatternHome(alt); ok {
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
	case allow, strings.HasPrefix(alt, "./"):
		// A relative allow is for what is inside the root, and so is a refusal
		// that says so.
		a.Forms = text.Inside
	}
	if o.Below && clean == "." {
		clean, a.Forms = "*", text.Inside
	} else if o.Below && strings.HasSuffix(clean, "/") {
		clean += "*" // the root of everything, or of a drive
	}
	a.Glob = glob.Compile(clean, o)
	return a, nil
}

// unescaped returns the path of a pattern that is written as a file: URL, of
// which the escapes stand for plain characters.
func unescaped(alt string) string {
	name, err := url.PathUnescape(alt)
	wild := len(glob.Quote(alt)) - len(alt)
	if err != nil || hidesStructure(alt) || len(glob.Quote(name))-len(name) != wild {
		return alt
	}
	return name
}

// cutPatternHome is cutHome for a pattern, in which braces are escaped.
func cutPatternHome(alt string) (rest string, ok bool) {
	if name, braces := strings.CutPrefix(alt, `$\{HOME\}`); braces {
		alt = "${HOME}" + name
	}
	return cutHome(alt)
}

// cleanPattern cleans alt as the paths that it is matched with are cleaned,
// but never across a component with a wildcard. One that climbs out of the
// root becomes absolute.
func (p *paths) cleanPattern(alt string) (clean string, abs bool) {
	volume, rest := p.cutVolume(alt)
	if volume != "" && !strings.HasPrefix(rest, "/") {
		return volume + rest, true // C:*, which is for what starts so
	}
	if rest == "/" && strings.HasSuffix(volume, "*") {
		return volume, true // so is //server/*, a share and all in it
	}
	if abs = strings.HasPrefix(rest, "/"); abs && volume == "" {
		volume = p.rootVolume()
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
			abs = true
			volume, out = p.rootVolume(), p.aboveRoot()
		}
	}
	clean = strings.Join(out, "/")
	switch {
	case abs:
		return volume + "/" + clean, true
	case clean == "":
		return ".", false
	}
	return clean, false
}

// rootVolume returns a pattern for the volume of the root.
func (p *paths) rootVolume() string {
	volume, _ := p.cutVolume(p.root)
	return glob.Quote(volume)
}

// aboveRoot returns patterns for the components of the directory above the
// root.
func (p *paths) aboveRoot() []string {
	_, rest := p.cutVolume(p.root)
	up := strings.Split(strings.Trim(rest, "/"), "/")
	up = up[:len(up)-1]
	for i := range up {
		up[i] = glob.Quote(up[i])
	}
	return up
}

// climbable reports whether a .. behind the component leads back out of it.
func climbable(part string) bool {
	name, literal := glob.Literal(part)
	return literal && name != ".."
}
