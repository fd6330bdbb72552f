package subject

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insomnia-run/permission/internal/glob"
)

const (
	maxInput  = 16 << 20 // bytes
	maxDepth  = 64       // levels of objects and lists
	maxValues = 1 << 18  // values at all depths; each takes many times its two bytes of input
)

// A value is one JSON value.
type value struct {
	kind    jsontext.Kind
	text    string // of a string what it says, of a number or boolean how it is written
	items   []value
	members []member
}

type member struct {
	name string
	value
}

// Kinds of values, by the character that JSON starts them with.
const (
	kindNull   = jsontext.Kind('n')
	kindFalse  = jsontext.Kind('f')
	kindTrue   = jsontext.Kind('t')
	kindString = jsontext.Kind('"')
	kindNumber = jsontext.Kind('0')
	kindObject = jsontext.Kind('{')
	kindList   = jsontext.Kind('[')
)

// article names the type of v in an error.
func (v *value) article() string {
	switch v.kind {
	case kindNull:
		return "null"
	case kindFalse, kindTrue:
		return "a boolean"
	case kindString:
		return "a string"
	case kindNumber:
		return "a number"
	case kindObject:
		return "an object"
	}
	return "a list"
}

// parse reads the input of a call: one object, and nothing that two readers
// could take for different things. Names must be unique, the text valid UTF-8
// without lone surrogates. No input at all is an empty object. The members may
// be in room.
func (ds *decoders) parse(input []byte, room []member) (value, error) {
	if len(input) == 0 {
		return value{kind: kindObject}, nil
	}
	if v, ok := readFlat(input, room); ok {
		return v, nil
	}
	return ds.parseAny(input)
}

// parseAny is parse for any input.
func (ds *decoders) parseAny(input []byte) (value, error) {
	if len(input) > maxInput {
		return value{}, malformed("the input has %d bytes, more than %d", len(input), maxInput)
	}
	d := ds.take(input)
	defer ds.give(d)
	v, err := d.read(0)
	if err != nil {
		return value{}, d.explain(err)
	}
	if v.kind != kindObject {
		return value{}, malformed("the input is %s: want an object", v.article())
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return value{}, malformed("the input goes on after its object, at byte %d", d.InputOffset())
	}
	return v, nil
}

// decoders are kept for the next call: to make one costs more than to read a
// short input with it. The zero value is ready.
type decoders struct{ pool sync.Pool }

type decoder struct {
	jsontext.Decoder
	source bytes.Buffer // which the decoder reads where it stands, and does not change
	values int          // that have been read
}

// take returns a decoder that is about to read input.
func (ds *decoders) take(input []byte) *decoder {
	d, _ := ds.pool.Get().(*decoder)
	if d == nil {
		d = new(decoder)
	}
	d.source = *bytes.NewBuffer(input)
	d.Reset(&d.source)
	d.values = 0
	return d
}

// give takes a decoder back, without the input.
func (ds *decoders) give(d *decoder) {
	d.source = bytes.Buffer{}
	d.Reset(&d.source)
	ds.pool.Put(d)
}

// read reads one value.
func (d *decoder) read(depth int) (value, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return value{}, err
	}
	if d.values++; d.values > maxValues {
		return value{}, malformed("the input has more than %d values", maxValues)
	}
	v := value{kind: tok.Kind()}
	switch v.kind {
	case kindObject, kindList:
		if depth++; depth > maxDepth {
			return v, malformed("the input is nested deeper than %d levels", maxDepth)
		}
		err = d.readInside(&v, depth)
		return v, err
	}
	v.text = tok.String()
	return v, nil
}

// readInside reads the members or items of v up to its end.
func (d *decoder) readInside(v *value, depth int) error {
	for end := v.kind + 2; d.PeekKind() != end; { // ] and } stand two after [ and {
		var name string
		if v.kind == kindObject {
			var err error
			if name, err = d.readName(); err != nil {
				return err
			}
		}
		item, err := d.read(depth)
		if err != nil {
			return err
		}
		if v.kind == kindObject {
			v.members = append(v.members, member{name, item})
		} else {
			v.items = append(v.items, item)
		}
	}
	_, err := d.ReadToken()
	return err
}

// readName reads the name of a member.
func (d *decoder) readName() (string, error) {
	raw, err := d.ReadValue()
	if err != nil {
		return "", err
	}
	name, err := jsontext.AppendUnquote(nil, raw)
	return string(name), err
}

// explain says in what way the input is no JSON, and where.
func (d *decoder) explain(err error) error {
	var m *Malformed
	switch {
	case errors.As(err, &m):
		return err
	case errors.Is(err, jsontext.ErrDuplicateName):
		return malformed("the input has one name twice in an object, at byte %d", d.InputOffset())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the input is JSON that ends in the middle, at byte %d", d.InputOffset())
	}
	return malformed("the input is not valid JSON, from byte %d on", d.InputOffset())
}

// Members returns those members of a JSON object that have one of the names,
// each a string; null is as good as none. It reads as strictly as an input is
// read, and names that differ in case alone are one name twice, or one of the
// names spelt otherwise. Other members are passed over.
func Members(data []byte, names ...string) (map[string]string, error) {
	v, err := new(decoders).parse(data, nil)
	if err != nil {
		return nil, err
	}
	members, seen := make(map[string]string), make(map[string]bool)
	for i := range v.members {
		m := &v.members[i]
		folded := glob.Fold(m.name)
		same := func(name string) bool { return glob.Fold(name) == folded }
		switch named := slices.Contains(names, m.name); {
		case seen[folded]:
			return nil, malformed("the input has one name twice in an object, but for case")
		case !named && slices.ContainsFunc(names, same):
			return nil, malformed("the input spells %q otherwise", names[slices.IndexFunc(names, same)])
		case named && m.kind == kindString:
			members[m.name] = m.text
		case named && m.kind != kindNull:
			return nil, malformed("%q: want a string, found %s", m.name, m.article())
		}
		seen[folded] = true
	}
	return members, nil
}
