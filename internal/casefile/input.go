package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxGenerated bounds a text that a file describes instead of holding it.
const maxGenerated = 64 << 20

// input is what a call says of its input.
type input struct {
	members object
	plain   json.RawMessage
	raw     string // the exact text, whether it is JSON or not
}

// object takes the input as it stands. Anything but an object is refused: a
// string where the command's object should be would be malformed, hence
// denied, and a case that wants deny would pass for that.
func (in *input) object(value json.RawMessage) (err error) {
	if value[0] != '{' {
		return errors.New("want an object: input_raw is for what is not one")
	}
	in.plain = value
	return nil
}

// generated takes members whose texts are described.
func (in *input) generated(value json.RawMessage) error {
	o, err := parseObject(value)
	if err != nil {
		return err
	}
	in.members = make(object)
	for name, description := range o {
		var text string
		if err := repetition(&text)(description); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		if in.members[name], err = json.Marshal(text); err != nil {
			return err
		}
	}
	return nil
}

// text returns the input of a call: the raw text, else the object with the
// generated members in place of its own.
func (in *input) text(o object) (json.RawMessage, error) {
	switch {
	case o.has("input_raw") && in.members != nil:
		return nil, errors.New("both input_raw and input_gen")
	case o.has("input_raw"):
		return json.RawMessage(in.raw), nil
	case in.members == nil:
		return in.plain, o.need("input")
	case in.plain == nil:
		return json.Marshal(in.members)
	}
	all, err := parseObject(in.plain)
	if err != nil {
		return nil, fmt.Errorf(`"input": %w`, err)
	}
	for name, value := range in.members {
		all[name] = value
	}
	return json.Marshal(all)
}

// repetition returns a target for a long text: prefix, times the repeat, and
// suffix.
func repetition(text *string) func(json.RawMessage) error {
	return func(value json.RawMessage) error {
		o, err := parseObject(value)
		if err != nil {
			return err
		}
		var prefix, repeat, suffix string
		var times int
		err = o.into(targets{"prefix": &prefix, "repeat": &repeat, "times": &times, "suffix": &suffix})
		if err != nil {
			return err
		}
		if err := o.need("repeat", "times"); err != nil {
			return err
		}
		if repeat == "" || times < 1 || times > maxGenerated/len(repeat) {
			return fmt.Errorf("want a repeat that is not empty, and from one time up to %d bytes", maxGenerated)
		}
		*text = prefix + strings.Repeat(repeat, times) + suffix
		return nil
	}
}
