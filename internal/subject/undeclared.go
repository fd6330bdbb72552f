package subject

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/text"
)

// undeclared makes a subject of every scalar of the input. Only the name of
// the argument that it stands in tells how it is read.
func (c *call) undeclared(in *value) error {
	if err := c.members(in, Text); err != nil {
		return err
	}
	if len(c.subjects) == 0 {
		return c.add(Text, "")
	}
	return nil
}

// scalars adds each scalar in v, which stands in an argument whose name says k.
func (c *call) scalars(v *value, k Kind) error {
	switch v.kind {
	case kindNull:
		return nil
	case kindObject:
		return c.members(v, k)
	case kindList:
		return c.items(v, k)
	case kindString:
		return c.guess(k, v.text)
	case kindNumber:
		return c.gather(v.text, number(v.text))
	}
	return c.add(Text, v.text)
}

// number is a number as it is written. A refusal finds it in the spelling that
// it is usually given as well: a tool that reads 1e2 gets what one of 100 does,
// and most tools get no more digits than a float64 has.
func number(s string) Subject {
	one := textSubject(s)
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return one
	}
	if usual := strconv.FormatFloat(f+0, 'f', -1, 64); usual != s { // -0 is 0
		one.Wide = append(one.Wide, whole(usual))
	}
	return one
}

// guess adds a text that is of kind k only by the name of its argument. Where
// it cannot be, nobody knows what the tool will make of it.
func (c *call) guess(k Kind, s string) error {
	switch k {
	case Text:
		return c.gather(s, freeText(s))
	case Patch:
		return c.guessPatch(s)
	}
	if err := c.add(k, s); err == nil || err == errTooMany {
		return err
	}
	return c.gather(s, unknown(k, s, "an argument that is not the "+k.String()+" its name says"))
}

// guessPatch adds a text that may be a patch, or only about one. What allows the
// text allows it all, but refusals hold for the files that it names, if any.
func (c *call) guessPatch(s string) error {
	if err := c.gather(s, freeText(s)); err != nil {
		return err
	}
	named, err := patchFiles(s)
	if err != nil || len(named) == 0 {
		return err
	}
	files, err := c.reader.paths.patchSubjects(s, c.dir)
	if err != nil { // one of them has no name that can be read
		files = []Subject{unknown(Path, "", "a patch: "+err.Error())}
	}
	for i := range files {
		files[i].Free = true
	}
	return c.gather("", files...)
}

// freeText is a text of which nobody has said what it is. It may well be a path
// or a URL, of which the letters tell something else than the tool will find.
func freeText(s string) Subject {
	why := ""
	switch {
	case climbsInText(s):
		why = `a text that may be a path with ".."`
	case strings.Contains(s, "://"), hasLaxURL(s):
		if u, err := urlSubject(s); err == nil && !strings.ContainsFunc(s, unicode.IsSpace) && strings.Count(s, "://") == 1 {
			return linkSubject(u, s)
		}
		why = "a text with a URL in it"
	default:
		return textSubject(s)
	}
	one := unknown(Text, s, why+": declare the tool to say how it is read")
	one.Wide = append(one.Wide, whole(s))
	return one
}

// hasLaxURL reports whether there is something in a text that browsers take for
// a URL, with fewer slashes or others behind the scheme.
func hasLaxURL(s string) bool {
	for rest := s; ; {
		i := strings.IndexByte(rest, ':')
		if i < 0 || i+1 == len(rest) {
			return false
		}
		scheme, next := rest[:i], rest[i+1]
		rest = rest[i+1:]
		if next != '/' && next != '\\' {
			continue
		}
		if start := max(0, len(scheme)-len("https")); strings.HasSuffix(strings.TrimSuffix(LowerASCII(scheme[start:]), "s"), "http") {
			return true
		}
	}
}

// linkSubject returns the subject of a text s that is the URL u.
func linkSubject(u Subject, s string) Subject {
	u.Kind = Text
	for _, rs := range [][]text.Reading{u.Narrow, u.Wide} {
		for i := range rs {
			if rs[i].Form == text.Whole {
				rs[i].Form = text.Link
			}
		}
	}
	u.Wide = append(u.Wide, whole(s))
	return u
}

// climbsInText reports whether a text has a .. as a path has one.
func climbsInText(s string) bool {
	if !strings.Contains(s, "..") || !strings.ContainsAny(s, `/\\`) {
		return false
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' })
	return slices.Contains(parts, "..")
}

// members adds what stands in the members of an object. A name that no
// argument would have is as good as a value, and so is every name below an
// argument that is known by its own: the object may be a map from paths to what
// they hold.
func (c *call) members(v *value, k Kind) error {
	for i := range v.members {
		m := &v.members[i]
		if err := c.key(k, m.name); err != nil {
			return err
		}
		inner := wellKnown(m.name)
		if inner == Text && isArgumentName(m.name) {
			inner = k
		}
		if err := c.scalars(&m.value, inner); err != nil {
			return err
		}
	}
	return nil
}

// key adds the name of a member. One that an argument may have needs no rule
// that allows it, though a refusal may be meant for it.
func (c *call) key(k Kind, name string) error {
	before := len(c.subjects)
	if !isArgumentName(name) {
		return c.guess(k, name)
	}
	if k == Text || wellKnown(name) != Text {
		return nil
	}
	err := c.guess(k, name)
	for i := range c.subjects[before:] {
		c.subjects[before+i].Free = true
	}
	return err
}

// isArgumentName reports whether a member may be an argument by its name, and not
// the key of a map.
func isArgumentName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$@", r)
	})
}

// items adds what stands in a list: the words of one command, or one thing
// each.
func (c *call) items(v *value, k Kind) error {
	if k == Command {
		if argv, ok := v.words(); ok {
			return c.words(argv)
		}
	}
	for i := range v.items {
		if err := c.scalars(&v.items[i], k); err != nil {
			return err
		}
	}
	return nil
}

// words returns the items of v as the words of a command, if they are scalars
// and there are some.
func (v *value) words() (words []string, ok bool) {
	for i := range v.items {
		switch v.items[i].kind {
		case kindNull, kindObject, kindList:
			return nil, false
		}
		words = append(words, v.items[i].text)
	}
	return words, len(words) > 0
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

// Undeclared returns a declaration that would read a call of a tool that
// nobody has declared: the text arguments of the kind that most depends on how
// it is read. There is none where the input has no text argument.
func (r *Reader) Undeclared(name string, input []byte) (kind Kind, arguments []string, ok bool) {
	if r.row(name) != nil {
		return Text, nil, false
	}
	in, err := r.decoders.parse(input, nil)
	if err != nil {
		return Text, nil, false
	}
	for _, k := range []Kind{Path, Command, URL, Patch, Text} {
		for i := range in.members {
			m := &in.members[i]
			_, texts := m.strings()
			if (m.kind == kindString || texts) && r.likeliest(m) == k {
				arguments = append(arguments, m.name)
			}
		}
		if len(arguments) > 0 {
			return k, arguments, true
		}
	}
	return Text, nil, false
}

// likeliest returns how a text argument of an undeclared tool is best declared.
// A name that may be that of a patch is not enough for one.
func (r *Reader) likeliest(m *member) Kind {
	k := wellKnown(m.name)
	if k != Patch {
		return k
	}
	if _, err := r.paths.patchSubjects(m.text, ""); err != nil {
		return Text
	}
	return Patch
}
