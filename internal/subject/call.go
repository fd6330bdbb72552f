package subject

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
)

// call gathers the subjects of one call.
type call struct {
	reader   *Reader
	dir      string
	subjects []Subject
}

// declared reads the arguments that a row of the table names.
func (c *call) declared(t *tool, in *value) error {
	if err := t.checkNames(in); err != nil {
		return err
	}
	if err := c.enter(t, in); err != nil {
		return err
	}
	var bases []string
	for i := range t.args {
		a := &t.args[i]
		texts, lists, err := a.texts(in)
		if err != nil {
			return err
		}
		if len(texts) == 0 && len(lists) == 0 && a.standIn != "" {
			texts = []string{a.standIn}
		}
		if i == 0 {
			bases = texts
		}
		if err := c.argument(a, texts, lists, bases); err != nil {
			return err
		}
	}
	if t.some && len(c.subjects) == 0 {
		return malformed("none of the arguments %s", quoteAll(t.args[0].names))
	}
	return c.widened(t, in)
}

// argument adds the subjects of one argument.
func (c *call) argument(a *argument, texts []string, lists [][]string, bases []string) error {
	for _, argv := range lists {
		c.subjects = append(c.subjects, argvSubject(argv))
	}
	for _, s := range texts {
		var err error
		switch {
		case a.base:
		case a.below:
			err = c.below(s, bases, a.required)
		default:
			err = c.add(a.kind, s)
		}
		if err != nil {
			return malformed("argument %q: %v", a.names[0], err)
		}
	}
	return nil
}

func (c *call) add(k Kind, s string) error {
	ss, err := c.reader.Subjects(k, s, c.dir)
	if err == nil {
		c.subjects = append(c.subjects, ss...)
	}
	return err
}

// below adds the files that a pattern names below each of the bases. Its
// wildcards are plain characters: a file of that very name is what a rule can
// speak of.
func (c *call) below(pattern string, bases []string, required bool) error {
	if strings.HasPrefix(pattern, "!") && !required {
		return nil // leaves files out
	}
	alts := []string{pattern}
	if strings.ContainsAny(pattern, "{}") {
		var err error
		if alts, err = glob.Expand(pattern); err != nil {
			c.subjects = append(c.subjects, unknown(Path, pattern, "a file pattern that cannot be read"))
			return nil
		}
	}
	for _, alt := range alts {
		if climbsFromWildcard(alt) {
			c.subjects = append(c.subjects, unknown(Path, pattern, `a file pattern with ".." behind a wildcard`))
			continue
		}
		for _, base := range bases {
			name := alt
			if !strings.HasPrefix(alt, "/") {
				name = strings.TrimSuffix(base, "/") + "/" + alt
			}
			if err := c.add(Path, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// climbsFromWildcard reports whether what a pattern names cannot be told from
// its letters: a .. after a component that may stand for several, or none.
func climbsFromWildcard(pattern string) bool {
	wild := false
	for part := range strings.SplitSeq(pattern, "/") {
		if part == ".." && wild {
			return true
		}
		wild = wild || strings.ContainsAny(part, `*?[\`)
	}
	return false
}

// enter changes to the directory that the call names. Outside the root that
// is something to be allowed in itself.
func (c *call) enter(t *tool, in *value) error {
	a := argument{names: t.dir, kind: Path}
	texts, lists, err := a.texts(in)
	switch {
	case err != nil:
		return err
	case len(lists) > 0 || len(texts) > 1:
		return malformed("argument %q: want one directory", t.dir[0])
	case len(texts) == 0 || texts[0] == "":
		return nil
	}
	s, err := c.reader.paths.subject(texts[0], c.dir)
	if err != nil {
		return malformed("argument %q: %v", t.dir[0], err)
	}
	if len(s.Narrow) < 2 || len(s.Wide) > 0 {
		c.subjects = append(c.subjects, unknown(Command, "cd "+texts[0], "the command runs outside the root"))
	}
	c.dir, _ = s.Narrow[0].Text.Known()
	return nil
}

// widened adds a subject that is one hole for an argument that gives the call
// more than it shows.
func (c *call) widened(t *tool, in *value) error {
	for i := range in.members {
		m := &in.members[i]
		if slices.Contains(t.widen, m.name) && !m.blank() {
			c.subjects = append(c.subjects, unknown(Command, m.name, "argument "+quote(m.name)+" gives the command more than its text shows"))
		}
	}
	return nil
}

// blank reports whether v says no: null, false, or nothing.
func (v *value) blank() bool {
	switch v.kind {
	case kindNull, kindFalse:
		return true
	case kindTrue:
		return false
	case kindNumber:
		return v.text == "0"
	}
	return v.text == "" && len(v.items) == 0 && len(v.members) == 0
}

// undeclared makes a subject of every scalar of the input. Only the name of
// the argument that it stands in tells how it is read.
func (c *call) undeclared(in *value) {
	c.scalars(in, Text)
	if len(c.subjects) == 0 {
		c.subjects = append(c.subjects, textSubject(""))
	}
}

func (c *call) scalars(v *value, k Kind) {
	switch v.kind {
	case kindNull:
	case kindObject:
		for i := range v.members {
			m := &v.members[i]
			c.scalars(&m.value, wellKnown(m.name))
		}
	case kindList:
		if argv, ok := v.strings(); ok && k == Command {
			c.subjects = append(c.subjects, argvSubject(argv))
			return
		}
		for i := range v.items {
			c.scalars(&v.items[i], k)
		}
	case kindString:
		if c.add(k, v.text) != nil {
			// Its name promised what it is not. Nobody knows what the tool
			// will make of it.
			c.subjects = append(c.subjects, unknown(k, v.text, "an argument that is not the "+k.String()+" its name says"))
		}
	default:
		c.subjects = append(c.subjects, textSubject(v.text))
	}
}

// strings returns the items of v if they are strings, and there are some.
func (v *value) strings() (ss []string, ok bool) {
	for i := range v.items {
		if v.items[i].kind != kindString {
			return nil, false
		}
		ss = append(ss, v.items[i].text)
	}
	return ss, len(ss) > 0
}
