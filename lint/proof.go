package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
)

// A side is what has to be covered: calls of one tool.
type side struct {
	tool     string
	patterns map[subject.Kind]glob.Pattern
}

// covers reports whether rules together decide all that a side matches, and
// whether that is anything.
func (l *linter) covers(as []*rule, b side) bool {
	something := false
	for _, k := range l.kindsOf(b.tool) {
		var p glob.Pattern
		for _, a := range as {
			p = append(p, a.all[k]...)
			if k == subject.URL {
				p = append(p, l.hosts(a)...)
			}
		}
		for _, alt := range b.patterns[k] {
			covered, exists := l.coversOne(p, alt, k)
			if !covered {
				return false
			}
			something = something || exists
		}
	}
	return something
}

// kindsOf returns the kinds of what calls of a tool are about.
func (l *linter) kindsOf(tool string) []subject.Kind {
	if l.reader.MainKind(tool) == subject.URL {
		return []subject.Kind{subject.URL, subject.Path} // what else its calls may hold is none of that
	}
	return l.reader.Kinds([]string{tool})
}

// exists reports whether a side matches anything.
func (l *linter) exists(b side) bool {
	return slices.ContainsFunc(l.kindsOf(b.tool), func(k subject.Kind) bool {
		return slices.ContainsFunc(b.patterns[k], func(alt glob.Alternative) bool {
			return slices.ContainsFunc(formsOf(k), func(f text.Form) bool {
				return alt.Forms&f != 0 && l.isReal(spelling{alt.Glob, k, f})
			})
		})
	})
}

// hosts returns, for the hosts of a rule, patterns for all of their URLs.
func (l *linter) hosts(a *rule) glob.Pattern {
	var all glob.Pattern
	for _, alt := range a.alts {
		host, ok := strings.CutPrefix(alt.source, "domain:")
		if !ok {
			continue
		}
		for _, source := range []string{"*://" + host + "/*", "*://" + host + ":*/*"} {
			if p, err := l.reader.Pattern(subject.URL, source, a.allows()); err == nil {
				all = append(all, p...)
			}
		}
	}
	return all
}

// fullForm returns, for a form of paths from the root, that of the same paths in
// full, or no form.
func fullForm(f text.Form) text.Form {
	switch f {
	case text.Inside:
		return text.Whole
	case text.WriteInside:
		return text.WriteWhole
	case text.ReadInside:
		return text.ReadWhole
	}
	return 0
}

// formsOf returns the forms that subjects of a kind have.
func formsOf(k subject.Kind) []text.Form {
	switch k {
	case subject.Path:
		return []text.Form{text.Whole, text.Inside}
	case subject.URL:
		return []text.Form{text.Whole, text.Host}
	case subject.Command:
		return []text.Form{text.Whole, text.WriteWhole, text.WriteInside, text.ReadWhole, text.ReadInside}
	}
	return []text.Form{text.Whole, text.Link}
}

// coversOne reports whether a covers one alternative b in all of its forms, and
// where nothing is known of what it is matched with; and whether anything is
// like b.
func (l *linter) coversOne(a glob.Pattern, b glob.Alternative, k subject.Kind) (covered, exists bool) {
	everywhere := func(x glob.Alternative) bool { return x.Forms&b.Forms == b.Forms && x.Glob.Everywhere() }
	if b.Glob.Everywhere() && !slices.ContainsFunc(a, everywhere) {
		return false, true
	}
	for _, f := range formsOf(k) {
		if b.Forms&f == 0 || !l.isReal(spelling{b.Glob, k, f}) {
			continue
		}
		exists = true
		if l.coversForm(a, b.Glob, f) {
			continue
		}
		if whole := fullForm(f); whole == 0 || !l.coversInFull(a, b.Glob, whole) {
			return false, true
		}
	}
	return true, exists
}

// coversInFull reports whether those alternatives of a that are for paths in full
// cover b, which is for paths from the root. The root itself is a dot there.
func (l *linter) coversInFull(a glob.Pattern, b *glob.Glob, whole text.Form) bool {
	if !l.coversForm(a, l.behindRoot(b), whole) {
		return false
	}
	root := path.Clean(l.fromRoot())
	return !b.Matches(".") || slices.ContainsFunc(a, func(x glob.Alternative) bool {
		return x.Forms&whole != 0 && x.Glob.Matches(root)
	})
}

// isReal reports whether anything is spelt so.
func (l *linter) isReal(s spelling) bool {
	yes, known := l.real[s]
	if !known {
		yes = s.glob.Meets(languageOf(s.kind, s.form, l.windows()))
		l.real[s] = yes
	}
	return yes
}

// coversForm reports whether those alternatives of a that are for a form cover
// b.
func (l *linter) coversForm(a glob.Pattern, b *glob.Glob, f text.Form) bool {
	var globs []*glob.Glob
	for _, x := range a {
		g := x.Glob
		switch {
		case x.Forms&f != 0:
		case fullForm(x.Forms) == f:
			g = l.behindRoot(g)
		default:
			continue
		}
		if !l.apart(g, b) {
			globs = append(globs, g)
		}
	}
	if len(globs) == 0 {
		return false
	}
	yes, _ := glob.Covers(globs, b)
	return yes
}

// apart reports whether it is plain to see that no text is matched by both.
func (l *linter) apart(a, b *glob.Glob) bool {
	x, y := l.endsOf(a), l.endsOf(b)
	n := min(len(x[0]), len(y[0]))
	return x[0][:n] != y[0][:n] || !strings.HasSuffix(x[1], y[1]) && !strings.HasSuffix(y[1], x[1])
}

func (l *linter) endsOf(g *glob.Glob) [2]string {
	ends, known := l.ends[g]
	if !known {
		ends[0], ends[1] = g.Ends()
		l.ends[g] = ends
	}
	return ends
}

// behindRoot returns a glob for a path from the root as one for the path in
// full.
func (l *linter) behindRoot(g *glob.Glob) *glob.Glob {
	if l.rooted[g] == nil {
		l.rooted[g] = g.Behind(l.fromRoot())
	}
	return l.rooted[g]
}

func (l *linter) windows() bool { return l.options.GOOS == "windows" }

// fromRoot returns what a path inside the root starts with.
func (l *linter) fromRoot() string {
	root := path.Clean(strings.ReplaceAll(l.options.Root, `\`, "/"))
	return strings.TrimSuffix(root, "/") + "/"
}
