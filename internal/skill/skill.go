// Package skill reads the front matter of a SKILL.md into plain values.
//
// It is strict, for a field that is passed over is a limit that does not hold.
// YAML has many ways to say one thing; those that a person may take for another
// are refused.
package skill

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/visible"
)

const (
	allowedTools = "allowed-tools"
	separators   = ", \t\r\n" // between entries
)

// A Document is what a front matter says.
type Document struct {
	Name         string // empty where it has none
	Unrestricted bool   // there is no allowed-tools field
	Entries      []Entry
	Warnings     []Fault // keys that only look as if they restricted
}

// An Entry is one entry of allowed-tools.
type Entry struct {
	Line          int
	Tool, Pattern string
}

// A Fault is one thing that is wrong, and where.
type Fault struct {
	Line int    // 0 where it is of the file as a whole
	Key  string // empty where it is not one key's
	Err  error
}

// Read reads a SKILL.md. There is a document only where there is no fault.
// Faults come in the order of the source, [manifest.MaxFaults] at most and
// then one that says how many more there are.
func Read(data []byte) (*Document, []Fault) {
	src, err := frontMatter(data)
	if err != nil {
		return nil, []Fault{{Err: err}}
	}
	root, err := parse(src)
	if err != nil {
		return nil, []Fault{{Err: err}}
	}
	var r reader
	if r.strict(root); len(r.faults) == 0 {
		r.fields(root)
	}
	if r.more > 0 {
		r.faults = append(r.faults, Fault{Err: r.more})
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return &r.doc, nil
}

// A reader fills in a document and collects what is wrong.
type reader struct {
	doc    Document
	faults []Fault
	more   manifest.More // faults that were left out
}

func (r *reader) fault(at *yaml.Node, key, format string, args ...any) {
	if len(r.faults) == manifest.MaxFaults {
		r.more++
		return
	}
	r.faults = append(r.faults, Fault{Line: at.Line, Key: key, Err: fmt.Errorf(format, args...)})
}

// fields reads the front matter.
func (r *reader) fields(root *yaml.Node) {
	if root.Kind != yaml.MappingNode {
		r.fault(root, "", "front matter is %s, want a mapping", typeName(root))
		return
	}
	r.doc.Unrestricted = true
	for i := 0; i < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		switch word := squeeze(k.Value); {
		case !isString(k):
			r.fault(k, "", "found %s as a key, want a string", typeName(k))
		case k.Value == allowedTools:
			r.doc.Unrestricted = false
			r.tools(v)
		case likeAllowedTools(word):
			r.fault(k, keyName(k), "unknown key: did you mean %q?", allowedTools)
		case k.Value == "name" && !isString(v):
			r.fault(v, "name", "found %s, not a string", typeName(v))
		case k.Value == "name":
			r.doc.Name = v.Value
		case strings.HasSuffix(word, "tools"), strings.HasSuffix(word, "tool"):
			err := errors.New(`restricts nothing: want "` + allowedTools + `"`)
			r.doc.Warnings = append(r.doc.Warnings, Fault{Line: k.Line, Key: keyName(k), Err: err})
		}
	}
}

// tools reads the value of allowed-tools.
func (r *reader) tools(v *yaml.Node) {
	if v.Kind != yaml.SequenceNode {
		r.entries(v, allowedTools)
		return
	}
	for i, item := range v.Content {
		r.entries(item, fmt.Sprintf("%s[%d]", allowedTools, i+1))
	}
}

// entries reads the entries in one string.
func (r *reader) entries(n *yaml.Node, key string) {
	if !isString(n) {
		r.fault(n, key, `found %s, not a string such as "Read, Write": write "" for no tool, or leave the key out for no limit`, typeName(n))
		return
	}
	for list := strings.Trim(n.Value, separators); list != ""; list = strings.TrimLeft(list, separators) {
		size, err := entryLen(list)
		e := Entry{Line: n.Line}
		if err == nil {
			e.Tool, e.Pattern, err = parseEntry(list[:size])
		}
		if err != nil {
			r.fault(n, key, "invalid tool entry %s: %w", visible.Quote(list[:size]), err)
		}
		r.doc.Entries = append(r.doc.Entries, e)
		list = list[size:]
	}
}

// likeAllowedTools reports whether a squeezed key may be meant to restrict, or
// to look as if it did.
func likeAllowedTools(word string) bool {
	want := squeeze(allowedTools)
	return manifest.Nearest(word, want) != "" || looksLike(word, want) ||
		strings.Contains(word, "tool") && strings.Contains(strings.ReplaceAll(word, "disallow", ""), "allow")
}

// looksLike reports whether word is want with some letters that are none of
// ASCII in the place of its own, which they may look like.
func looksLike(word, want string) bool {
	letters := []rune(word)
	if len(letters) != len(want) {
		return false
	}
	same := 0
	for i, r := range letters {
		switch {
		case r == rune(want[i]):
			same++
		case r <= unicode.MaxASCII:
			return false
		}
	}
	return same >= len(want)/3
}

// squeeze returns the letters and digits of s, in lower case.
func squeeze(s string) string {
	words := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.ToLower(strings.Join(words, ""))
}
