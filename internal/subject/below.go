package subject

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
)

// below adds the files that a pattern names below each of the bases. Its
// wildcards are plain characters: a file of that very name is what a rule can
// speak of.
func (c *call) below(pattern string, bases []string, required bool) error {
	if strings.HasPrefix(pattern, "!") && !required {
		return c.listed(pattern, bases, false) // by itself it leaves files out
	}
	alts, why := c.reader.paths.filePatterns(pattern)
	if why != "" {
		return c.gather(pattern, unknown(Path, pattern, why))
	}
	for _, alt := range alts {
		for _, base := range bases {
			if err := c.belowOne(base, alt); err != nil {
				return err
			}
		}
	}
	if required {
		return nil
	}
	return c.listed(pattern, bases, true)
}

// listed adds to a filter the files that it names to a tool which takes blanks
// and commas in it for a list: refusals hold for each. If the whole is no subject
// they are by themselves, and need no rule that allows them.
func (c *call) listed(pattern string, bases []string, whole bool) error {
	pieces := filters(pattern)
	n := len(c.subjects)
	if len(pieces) < 2 {
		return nil
	}
	for _, piece := range pieces {
		if strings.HasPrefix(piece, "!") {
			continue
		}
		if err := c.below(piece, bases, true); err != nil {
			return err
		}
	}
	if !whole {
		for i := range c.subjects[n:] {
			c.subjects[n+i].Free = true
		}
		return nil
	}
	filter := &c.subjects[n-1]
	for _, s := range c.subjects[n:] {
		filter.Wide = slices.Concat(filter.Wide, s.Narrow, s.Wide)
	}
	c.subjects = c.subjects[:n]
	return nil
}

// filters returns the items of a list with blanks or commas between them, where
// commas in braces are none.
func filters(pattern string) []string {
	var all []string
	for _, field := range strings.Fields(pattern) {
		open, start := 0, 0
		for i := range len(field) {
			switch field[i] {
			case '{':
				open++
			case '}':
				open = max(0, open-1)
			case ',':
				if open == 0 {
					all, start = append(all, field[start:i]), i+1
				}
			}
		}
		all = append(all, field[start:])
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// belowOne adds the files that a pattern without braces names below base.
func (c *call) belowOne(base, alt string) error {
	p := &c.reader.paths
	name := strings.TrimSuffix(p.slashes(base), "/") + "/" + alt
	switch {
	case base == "":
		name = alt
	case p.windows && strings.HasSuffix(base, ":"):
		name = base + alt // from the current directory of the drive
	}
	s, err := p.subject(name, c.dir)
	if err == nil && p.isElsewhere(alt) {
		// Most tools look there and not below the base, some look below it.
		also := s
		if s, err = p.subject(alt, c.dir); err == nil {
			s.Wide = append(append(s.Wide, also.Narrow...), also.Wide...)
		}
	}
	if err != nil {
		return err
	}
	return c.gather(name, s)
}

// filePatterns returns the alternatives of a pattern for files, without
// braces, or why it cannot be told from their letters what they name.
func (p *paths) filePatterns(pattern string) (alts []string, why string) {
	pattern = p.slashes(pattern)
	alts = []string{pattern}
	if strings.ContainsAny(pattern, "{}") {
		var err error
		if alts, err = glob.Expand(pattern); err != nil {
			return nil, "a file pattern that cannot be read"
		}
	}
	for i := range alts {
		alts[i] = strings.NewReplacer(`\{`, "{", `\}`, "}").Replace(alts[i])
		if climbs(alts[i]) {
			return nil, `a file pattern with ".." behind or in a wildcard`
		}
	}
	return alts, ""
}

// isElsewhere reports whether name does not start from the directory that it
// is looked for in.
func (p *paths) isElsewhere(name string) bool {
	named, why := p.named(name)
	return !p.isRelative(name) || named != name || why != ""
}

// climbs reports whether a pattern has a .. that does not simply undo the
// component before it: one after a component that may stand for several or for
// none, or one that is hidden among escapes, brackets and braces.
func climbs(pattern string) bool {
	wild := false
	for part := range strings.SplitSeq(pattern, "/") {
		plain := strings.Map(dropSyntax, part)
		hidden := plain == ".." || strings.Contains(part, "(") && strings.Contains(plain, "..")
		if part == ".." && wild || part != ".." && hidden {
			return true
		}
		wild = wild || strings.ContainsAny(part, `*?[\{(`)
	}
	return false
}

// dropSyntax drops what may vanish from a pattern when it is read.
func dropSyntax(r rune) rune {
	if strings.ContainsRune(`\[]{}()@+!|,^-`, r) {
		return -1
	}
	return r
}
