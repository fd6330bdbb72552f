package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// An object is a JSON object: its members' texts by name.
type object map[string]json.RawMessage

// targets say where the members of an object go, by name: a pointer as of
// json.Unmarshal, or a func(json.RawMessage) error.
type targets map[string]any

// parseObject reads data, which is one object without repeated names.
func parseObject(data []byte) (object, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil {
		return nil, syntaxError(err)
	} else if t != json.Delim('{') {
		return nil, errors.New("want a JSON object")
	}
	o := make(object)
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, syntaxError(err)
		}
		key, _ := name.(string)
		if o.has(key) {
			return nil, fmt.Errorf("name %q occurs twice", key)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, syntaxError(err)
		}
		o[key] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, syntaxError(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more text after the JSON object")
	}
	return o, nil
}

func syntaxError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the text ends before the JSON object does")
	}
	return fmt.Errorf("not a JSON object: %w", err)
}

func (o object) has(name string) bool {
	_, ok := o[name]
	return ok
}

// need returns an error for the first of names that o lacks.
func (o object) need(names ...string) error {
	for _, name := range names {
		if !o.has(name) {
			return fmt.Errorf("%q is missing", name)
		}
	}
	return nil
}

// into hands each member of o to its target. A member without one is an error:
// it may be a name misspelt. So is null, which json.Unmarshal would skip.
func (o object) into(t targets) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		target, known := t[name]
		if !known {
			want := strings.Join(slices.Sorted(maps.Keys(t)), ", ")
			return fmt.Errorf("unknown name %q: want one of %s", name, want)
		}
		if string(o[name]) == "null" {
			return fmt.Errorf("%q is null", name)
		}
		if err := put(o[name], target); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
	}
	return nil
}

func put(value json.RawMessage, target any) error {
	if read, ok := target.(func(json.RawMessage) error); ok {
		return read(value)
	}
	err := json.Unmarshal(value, target)
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		return fmt.Errorf("got a JSON %s, want a Go %v", wrong.Value, wrong.Type)
	}
	return err
}
