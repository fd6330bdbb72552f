package subject

import (
	"strings"
	"unicode"
)

// undeclared makes a subject of every scalar of the input. Only the name of
// the argument that it stands in tells how it is read.
func (c *call) undeclared(in *value) error {
	if err := c.scalars(in, Text); err != nil {
		return err
	}
	if len(c.subjects) == 0 {
		return c.add(Text, "")
	}
	return nil
}

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
	}
	return c.add(Text, v.text)
}

// guess adds a text that is of kind k only by the name of its argument. Where
// it cannot be, nobody knows what the tool will make of it.
func (c *call) guess(k Kind, s string) error {
	if err := c.add(k, s); err == nil || err == errTooMany {
		return err
	}
	return c.append(s, unknown(k, s, "an argument that is not the "+k.String()+" its name says"))
}

// members adds what stands in the members of an object. A name that no
// argument would have is as good as a value: the object may be a map from
// paths to what they hold.
func (c *call) members(v *value, k Kind) error {
	for i := range v.members {
		m := &v.members[i]
		if !isArgumentName(m.name) {
			if err := c.guess(k, m.name); err != nil {
				return err
			}
		}
		if err := c.scalars(&m.value, wellKnown(m.name)); err != nil {
			return err
		}
	}
	return nil
}

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
