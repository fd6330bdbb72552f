package subject

import (
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

// Pattern compiles a pattern for subjects of kind k, for a rule that allows or
// one that refuses: a refusal also has the meanings that the author may have had
// in mind, such as brackets that are plain characters.
func (r *Reader) Pattern(k Kind, pattern string, allow bool) (glob.Pattern, error) {
	if k == Path {
		pattern = r.paths.slashes(pattern) // where "\" separates, it does not escape
	}
	alts, err := glob.Expand(pattern)
	if err != nil {
		return nil, err
	}
	if plain := glob.Plain(pattern); !allow && plain != pattern {
		alts = append(alts, plain) // a refusal also holds for the braces as they are written
	}
	p := make(glob.Pattern, 0, len(alts))
	for _, alt := range alts {
		if p, err = r.appendAlternative(p, k, alt, allow); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// appendAlternative adds one alternative of a pattern, as subjects of kind k
// are read, to p.
func (r *Reader) appendAlternative(p glob.Pattern, k Kind, alt string, allow bool) (glob.Pattern, error) {
	var more glob.Pattern
	var one glob.Alternative
	var err error
	switch k {
	case Path:
		one, err = r.paths.pattern(alt, allow)
		return append(p, one), err
	case Command:
		one, err = r.commandPattern(alt, allow)
		return append(p, one), err
	case URL:
		more, err = urlPattern(alt, allow)
	default:
		more, err = textPattern(alt, allow)
	}
	return append(p, more...), err
}

// textPattern compiles one alternative of a pattern for texts, which may be
// URLs and, of which the names of their arguments do not tell, paths.
func textPattern(alt string, allow bool) (glob.Pattern, error) {
	o := glob.Options{Tail: " ", Loose: !allow, Stars: !allow}
	p := glob.Pattern{{Glob: glob.Compile(alt, o), Forms: text.Whole}}
	switch {
	case glob.IsStars(alt):
		p[0].Forms = text.Every
	case strings.Contains(alt, "://"):
		links, err := urlPattern(alt, allow)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			l.Forms = text.Link
			p = append(p, l)
		}
	default:
		p[0].Forms |= text.Link
	}
	if host, ok := strings.CutPrefix(alt, "domain:"); ok {
		if hosts, err := hostOnly(host, allow); err == nil { // else it is a text like any other
			p = append(p, hosts...)
		}
	}
	return p, nil
}
