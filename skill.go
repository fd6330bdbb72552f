package permission

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/visible"
)

const (
	maxSkill       = 1 << 20  // bytes of a SKILL.md
	maxFrontMatter = 64 << 10 // bytes before its second delimiter
	allowedTools   = "allowed-tools"
	separators     = ", \t\r\n" // between entries
)

// A Skill is what a SKILL.md says about the tools that may run while the skill
// does. The zero value lets none run.
type Skill struct {
	Name string // from the front matter; empty where it has none
	File string // as it was given to ParseSkill
	// Unrestricted means that there is no allowed-tools field, and so no limit
	// to what may run.
	Unrestricted bool
	// Tools are the entries of allowed-tools in their order, as rules that
	// allow. Only what one of them covers may run; without any, nothing may.
	Tools []Rule
	// Warnings name keys that only look as if they restricted, and their lines.
	Warnings []string
}

// ParseSkill reads the front matter of a SKILL.md: YAML between a first line
// "---" and the next. Of its fields it takes name and allowed-tools, which is
// one string or a list of strings, each with blanks or commas between its
// entries:
//
//	Read            any call of the tool Read
//	Bash(make *)    calls of Bash that the pattern covers, see Rule.Pattern
//	Bash(make:*)    the same in other words
//	mcp__files__*   any call of the tools whose names begin so
//
// A skill without the field is unrestricted; one with nothing in it runs no
// tool. A file is taken whole or not at all: it is an error if the field is
// null, of another type or perhaps misspelt, if an entry is faulty, or if the
// front matter is not YAML or has anchors, aliases, merge keys, tags or
// duplicate keys. With an error, which joins a *ManifestError for each fault
// that was found, there is no Skill. The file only names the SKILL.md.
func ParseSkill(file string, data []byte) (*Skill, error) {
	var root *yaml.Node
	src, err := frontMatter(data)
	if err == nil {
		root, err = readYAML(src)
	}
	if err != nil {
		return nil, &ManifestError{File: file, Err: err}
	}
	r := skillReader{skill: Skill{File: file}}
	if r.strict(root); len(r.errs) == 0 {
		r.fields(root)
	}
	if err := errors.Join(r.errs...); err != nil {
		return nil, err
	}
	return &r.skill, nil
}

// frontMatter returns a SKILL.md up to the second of its delimiters.
func frontMatter(data []byte) (string, error) {
	if len(data) > maxSkill {
		return "", fmt.Errorf("larger than %d bytes", maxSkill)
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

// readYAML returns the root of the one document in src.
func readYAML(src string) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the parser panics at what it calls an internal error
			root, err = nil, fmt.Errorf("not valid YAML: %v", p)
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

// A skillReader fills in a skill and collects what is wrong.
type skillReader struct {
	skill Skill
	errs  []error
}

func (r *skillReader) fault(at *yaml.Node, key, format string, args ...any) {
	r.errs = append(r.errs, &ManifestError{File: r.skill.File, Line: at.Line, Key: key, Err: fmt.Errorf(format, args...)})
}

// strict reports what somebody may take for something else, in n and below.
func (r *skillReader) strict(n *yaml.Node) {
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

// fields reads the front matter.
func (r *skillReader) fields(root *yaml.Node) {
	if root.Kind != yaml.MappingNode {
		r.fault(root, "", "front matter is %s, want a mapping", yamlTypes[root.Tag])
		return
	}
	r.skill.Unrestricted = true
	for i := 0; i < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		switch word := squeeze(k.Value); {
		case !isString(k):
			r.fault(k, "", "found %s as a key, want a string", yamlTypes[k.Tag])
		case k.Value == allowedTools:
			r.skill.Unrestricted = false
			r.tools(v)
		case likeAllowedTools(word):
			r.fault(k, keyName(k), "unknown key: did you mean %q?", allowedTools)
		case k.Value == "name" && !isString(v):
			r.fault(v, "name", "found %s, not a string", yamlTypes[v.Tag])
		case k.Value == "name":
			r.skill.Name = v.Value
		case word == "tools" || word == "disallowedtools":
			err := fmt.Errorf("restricts nothing: want %q", allowedTools)
			w := ManifestError{File: r.skill.File, Line: k.Line, Key: keyName(k), Err: err}
			r.skill.Warnings = append(r.skill.Warnings, w.Error())
		}
	}
}

// tools reads the value of allowed-tools.
func (r *skillReader) tools(v *yaml.Node) {
	if v.Kind != yaml.SequenceNode {
		r.entries(v, allowedTools)
		return
	}
	for i, item := range v.Content {
		r.entries(item, entryKey(allowedTools, i+1, ""))
	}
}

// likeAllowedTools reports whether a squeezed key may be meant to restrict.
func likeAllowedTools(word string) bool {
	return manifest.Nearest(word, squeeze(allowedTools)) != "" ||
		strings.Contains(word, "tool") && strings.Contains(strings.ReplaceAll(word, "disallow", ""), "allow")
}

// squeeze returns the letters and digits of s, in lower case.
func squeeze(s string) string {
	words := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.ToLower(strings.Join(words, ""))
}

// keyName returns a key with what cannot be seen escaped.
func keyName(k *yaml.Node) string { return strings.Trim(visible.Quote(k.Value), `"`) }

func isString(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

var yamlTypes = map[string]string{
	"!!null": "null", "!!bool": "a boolean", "!!int": "a number", "!!float": "a number", "!!timestamp": "a date",
	"!!merge": "a merge key", "!!str": "a string", "!!seq": "a list", "!!map": "a mapping",
}

// entries reads the entries in one string.
func (r *skillReader) entries(n *yaml.Node, key string) {
	if !isString(n) {
		r.fault(n, key, `found %s, not a string such as "Read, Write": write "" for no tool, or leave the key out for no limit`, yamlTypes[n.Tag])
		return
	}
	for list := strings.Trim(n.Value, separators); list != ""; list = strings.TrimLeft(list, separators) {
		size, err := entryLen(list)
		rule := Rule{Action: Allow, File: r.skill.File, Line: n.Line}
		if err == nil {
			rule.Tool, rule.Pattern, err = parseEntry(list[:size])
		}
		if err != nil {
			r.fault(n, key, "invalid tool entry %s: %w", visible.Quote(list[:size]), err)
		}
		r.skill.Tools = append(r.skill.Tools, rule)
		list = list[size:]
	}
}

// entryLen returns where the entry that list starts with ends: at the first
// separator outside parentheses. A "\" before one makes it a plain character.
func entryLen(list string) (int, error) {
	depth := 0
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case depth == 0 && strings.IndexByte(separators, c) >= 0:
			return i, nil
		case depth == 0 && c == ')':
			return len(list), errors.New(`unbalanced parenthesis: ")" without "("`)
		case depth == 0 && i > 0 && list[i-1] == ')':
			return len(list), errors.New(`want a blank or comma after ")"`)
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	if depth > 0 {
		return len(list), errors.New(`unbalanced parenthesis: "(" without ")"`)
	}
	return len(list), nil
}

var toolName = regexp.MustCompile(`^[\w*]([\w*./:-]*[\w*])?$`)

// parseEntry reads NAME or NAME(ARGUMENT).
func parseEntry(entry string) (tool, pattern string, err error) {
	tool, arg, hasArg := strings.Cut(strings.TrimSuffix(entry, ")"), "(")
	if !toolName.MatchString(tool) {
		return "", "", errors.New(`want a name of letters, digits, _ and *, with - . / : inside, and no blank before "("`)
	}
	switch strings.ToLower(tool) {
	case "all", "any", "every", "everything", "no", "none", "nothing", "null":
		return "", "", errors.New(`reserved word: write "*" for every tool, [] for none, or leave the key out for no limit`)
	}
	if !hasArg {
		return tool, "*", nil
	}
	pattern, err = parseArgument(arg)
	return tool, pattern, err
}

// hostPattern matches an argument whose last :* is a host or its port.
var hostPattern = regexp.MustCompile(`^(domain|[a-z]+://\S+):\*$`)

// parseArgument returns the pattern that an argument stands for.
func parseArgument(arg string) (string, error) {
	pattern := strings.TrimSpace(arg)
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok && !hostPattern.MatchString(pattern) {
		pattern = strings.TrimSpace(prefix) + " *"
	}
	switch {
	case pattern == "", pattern == " *":
		return "", errors.New(`empty argument: write "(*)" for any, or leave the parentheses out`)
	case strings.Trim(pattern, "*") == "":
		return "*", nil
	}
	_, err := glob.Expand(pattern)
	return pattern, err
}
