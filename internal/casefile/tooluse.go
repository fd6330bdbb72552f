package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// A ToolUse is one call without an answer.
type ToolUse struct {
	ID, Name string
	Input    json.RawMessage
}

// ToolUses yields the calls of r, one JSON object a line: a tool_use block, or
// a case, whose answer and rules are left aside. For a line that cannot be
// read it yields an error that says which and goes on; it ends where r cannot
// be read.
func ToolUses(r io.Reader) iter.Seq2[ToolUse, error] {
	return func(yield func(ToolUse, error) bool) {
		in := newLines(r)
		for in.next() {
			use, err := parseToolUse(in.Bytes())
			if err != nil {
				err = fmt.Errorf("line %d: %w", in.n, err)
			}
			if !yield(use, err) {
				return
			}
		}
		if err := in.Err(); err != nil {
			yield(ToolUse{}, fmt.Errorf("line %d: %w", in.n+1, err))
		}
	}
}

// parseToolUse is lenient where a case is strict: blocks of the Messages API
// carry members that this package need not know.
func parseToolUse(line []byte) (use ToolUse, err error) {
	o, err := parseObject(line)
	if err != nil {
		return use, err
	}
	kind := "tool_use"
	known := targets{"type": &kind, "id": &use.ID, "name": &use.Name, "tool": &use.Name, "input": &use.Input}
	for name := range o {
		if _, ok := known[name]; ok {
			continue
		}
		for want := range known {
			if strings.EqualFold(name, want) { // which other decoders take for the same
				return use, fmt.Errorf("name %q: want %q", name, want)
			}
		}
		delete(o, name)
	}
	if err := o.into(known); err != nil {
		return use, err
	}
	switch {
	case kind != "tool_use":
		return use, fmt.Errorf(`"type" is %q, want "tool_use"`, kind)
	case o.has("name") == o.has("tool"):
		return use, errors.New(`want "name", or "tool" in its place`)
	}
	return use, o.need("input")
}
