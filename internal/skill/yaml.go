package skill

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/insomnia-run/permission/internal/visible"
)

const (
	maxFile        = 1 << 20  // bytes of a SKILL.md
	maxFrontMatter = 64 << 10 // bytes before its second delimiter
)

// frontMatter returns a SKILL.md up to the second of its delimiters.
func frontMatter(data []byte) (string, error) {
	if len(data) > maxFile {
		return "", fmt.Errorf("larger than %d bytes", maxFile)
	}
	if !utf8.Valid(data) {
		return "", errors.New("found bytes that are not UTF-8")
	}
	text, size := strings.TrimPrefix(string(data), "\ufeff"), 0
	for line := range strings.Lines(text) {
		delimiter := strings.TrimRight(line, " \t\r\n") == "---"
		if size == 0 && !delimiter || size > maxFrontMatter {
			break
		}
		if size > 0 && delimiter {
			return text[:size], nil
		}
		size += len(line)
	}
	return "", fmt.Errorf(`no front matter: want a line "---" at the top and another within %d bytes`, maxFrontMatter)
}

// parse returns the root of the one YAML document in src.
func parse(src string) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser panics at what it calls an internal error
			root, err = nil, errors.New("not valid YAML: "+visible.Panic(p))
		}
	}()
	var doc yaml.Node
	d := yaml.NewDecoder(strings.NewReader(src))
	if err = d.Decode(&doc); err == nil {
		err = d.Decode(new(yaml.Node))
	}
	switch err {
	case io.EOF:
		return doc.Content[0], nil
	case nil:
		return nil, errors.New("found a second YAML document, want one")
	}
	// The parser's line is the one before the fault's at times.
	text := strings.Replace(err.Error(), "yaml: line", "near line", 1)
	return nil, fmt.Errorf("not valid YAML: %s", strings.TrimPrefix(text, "yaml: "))
}

// strict reports what somebody may take for something else, in n and below.
func (r *reader) strict(n *yaml.Node) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.fault(n, "", "found the alias *%s: write out what it stands for", n.Value)
	case n.Anchor != "":
		r.fault(n, "", "found the anchor &%s: write out each alias for it", n.Anchor)
	case n.Style&yaml.TaggedStyle != 0:
		r.fault(n, "", "found the tag %s, not a string, list or mapping without one", visible.Quote(n.Tag))
	case n.Tag == "!!merge":
		r.fault(n, "", "found the merge key <<: write out what it merges")
	}
	lines := make(map[string]int)
	for i, child := range n.Content {
		r.strict(child)
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode {
			if first := lines[child.Value]; first > 0 {
				r.fault(child, keyName(child), "duplicate key: it is on line %d too", first)
			}
			lines[child.Value] = child.Line
		}
	}
}

// keyName returns a key with what cannot be seen escaped.
func keyName(k *yaml.Node) string { return strings.Trim(visible.Quote(k.Value), `"`) }

func isString(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// typeName returns what people call the type of n, which is none that strict
// refuses.
func typeName(n *yaml.Node) string {
	switch n.Tag {
	case "!!null":
		return "null"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	case "!!str":
		return "a string"
	case "!!seq":
		return "a list"
	case "!!map":
		return "a mapping"
	}
	return "another type"
}
