package subject

import (
	"slices"
	"strings"
)

// call gathers the subjects of one call.
type call struct {
	reader   *Reader
	dir      string      // where relative paths start from; empty is the root
	shell    string      // that runs its command lines
	dirs     []directory // that its input says it runs in
	subjects []Subject
	size     int // bytes of the texts that they were read from
}

// add adds the subjects of a text. It fails with errTooMany where the call has
// more of them than anybody could look at, before their number costs much.
func (c *call) add(k Kind, s string) error {
	ss, err := c.reader.subjects(k, s, c.dir, c.shell)
	if err != nil {
		return err
	}
	if k == Patch {
		s = "" // most of a patch is no subject
	}
	return c.gather(s, ss...)
}

// gather adds subjects that were read from source.
func (c *call) gather(source string, ss ...Subject) error {
	if c.subjects == nil {
		c.subjects = ss
	} else {
		c.subjects = append(c.subjects, ss...)
	}
	c.size += len(source)
	if len(c.subjects) > maxSubjects || c.size > maxTexts && len(c.subjects) > 1 {
		return errTooMany
	}
	return nil
}

// declared reads the arguments that a row of the table names.
func (c *call) declared(t *tool, in *value) error {
	if err := t.checkNames(in); err != nil {
		return err
	}
	if err := c.enter(t, in); err != nil {
		return err
	}
	bases := []string{"."}
	var room [1]string
	for i := range t.args {
		a := &t.args[i]
		// What the first argument names, the items of a later list need not.
		lax := i > 0 && len(c.subjects) > 0
		texts, lists, err := a.texts(in, lax, &room)
		if err != nil {
			return err
		}
		if len(texts) == 0 && len(lists) == 0 && a.standIn != "" {
			texts = []string{a.standIn}
		}
		if i == 0 && !a.below && len(t.args) > 1 {
			bases = slices.Clone(texts)
		}
		if err := c.argument(a, texts, lists, bases); err != nil {
			return malformed("argument %q: %v", a.spelt(in), err)
		}
	}
	if t.some && len(c.subjects) == 0 {
		return misnamed("none of the arguments %s", t.argumentNames())
	}
	if len(c.subjects) > 0 {
		c.subjects[0].dirs = append(c.dirs, c.subjects[0].dirs...)
	}
	return c.widened(t, in)
}

// argument adds the subjects of one argument: of its texts and of the commands
// among its lists of words. Patterns for files are below one of bases.
func (c *call) argument(a *argument, texts []string, lists [][]string, bases []string) error {
	for _, argv := range lists {
		if err := c.words(argv); err != nil {
			return err
		}
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
			return err
		}
	}
	return nil
}

// words adds a command that is given as a list of its words.
func (c *call) words(argv []string) error {
	return c.gather(strings.Join(argv, " "), c.reader.argvSubjects(argv, c.dir)...)
}

// enter changes to the directory that the call names. Outside the root that
// is something to be allowed in itself.
func (c *call) enter(t *tool, in *value) error {
	a := argument{names: t.dir, kind: Path}
	texts, lists, err := a.texts(in, false, new([1]string))
	switch {
	case err != nil:
		return err
	case len(lists) > 0 || len(texts) > 1:
		return malformed("argument %q: want one directory", a.spelt(in))
	case len(texts) == 0 || texts[0] == "":
		return nil
	}
	s, err := c.reader.paths.subject(texts[0], c.dir)
	if err != nil {
		return malformed("argument %q: %v", a.spelt(in), err)
	}
	c.dir, _ = s.Narrow[0].Text.Known()
	for _, path := range s.files {
		c.dir = path // the last one as it is spelt: behind a link a .. leads elsewhere
		c.dirs = append(c.dirs, directory{path: path})
	}
	if !s.isInside() || len(s.Wide) > 0 {
		return c.gather("", unknown(Command, "cd "+texts[0], "the command runs outside the root"))
	}
	return nil
}

// widened adds a subject that is one hole for an argument that gives the call
// more than it shows, and for one whose text may name anything if the others
// name nothing.
func (c *call) widened(t *tool, in *value) error {
	for i := range in.members {
		m := &in.members[i]
		switch {
		case slices.Contains(t.widen, m.name) && !m.blank():
			why := "argument " + quote(m.name) + " makes the call more than its other arguments show"
			if err := c.gather("", unknown(t.args[0].kind, m.name, why)); err != nil {
				return err
			}
		case slices.Contains(t.free, m.name) && len(c.subjects) == 0:
			k := t.args[0].kind
			why := "argument " + quote(m.name) + " may name any " + k.String() + " in its text"
			if err := c.gather("", unknown(k, m.name, why)); err != nil {
				return err
			}
		}
	}
	return nil
}

// blank reports whether v says no: null, false, nothing, or the word of Codex
// for what is so anyway.
func (v *value) blank() bool {
	switch v.kind {
	case kindNull, kindFalse:
		return true
	case kindTrue:
		return false
	case kindNumber:
		return v.text == "0"
	}
	return (v.text == "" || v.text == "use_default") && len(v.items) == 0 && len(v.members) == 0
}
