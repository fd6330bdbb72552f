// Package manifest reads the [permissions] table of a TOML manifest into plain
// values.
//
// It is strict, for a key that is passed over is a rule that does not hold.
// The TOML decoder matches the keys of a struct without regard to case and in
// random order, so the document is decoded into maps and every key is looked
// at here. All faults are reported at once.
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The limits of a manifest.
const (
	MaxSize  = 1 << 20 // bytes
	MaxRules = 100_000
)

const (
	permissions   = "permissions" // the one top-level key that is read
	defaultAction = "default_action"
)

// A Document is what the [permissions] table says. Where a value is faulty its
// field is zero, and entries keep their number.
type Document struct {
	Enabled       bool // there is a [permissions] table
	DefaultAction string
	AskTimeout    time.Duration // 0 where none is given
	HarmlessEnv   []string
	Rules         []Rule
	Tools         []Tool
	Tests         []Test

	places places
}

// A Rule is one [[permissions.rule]].
type Rule struct {
	Line                          int // 0 where it is not known, as below
	Tool, Pattern, Action, Reason string
	Match, NotMatch               []string
}

// A Tool is one [[permissions.tool]].
type Tool struct {
	Line                int
	Name, Kind          string
	Arguments, Optional []string
}

// A Test is one [[permissions.test]].
type Test struct {
	Line       int
	Tool, Want string
	Input      json.RawMessage
}

// Read reads a manifest. The document is nil if it is not TOML at all;
// otherwise it holds what can be read, for the caller to find further faults
// in. It may be used only if there are none. Faults are in the order of the
// source and bounded, as Document.First returns them.
func Read(data []byte) (*Document, []Fault) {
	src, err := source(data)
	if err != nil {
		return nil, []Fault{*err}
	}
	values, keys, err := decode(src)
	if err != nil {
		return nil, []Fault{*err}
	}
	r := reader{lines: headerLines(src)}
	doc := &Document{places: placesOf(keys)}
	r.host(values)
	if v, ok := values[permissions]; ok {
		doc.Enabled = true
		r.permissions(values, doc)
		r.overwritten(v, keys)
	}
	return doc, doc.First(r.faults)
}

// reader collects the faults of one document.
type reader struct {
	lines  map[string][]int
	faults []Fault
}

// permissions reads the [permissions] table into doc.
func (r *reader) permissions(top map[string]any, doc *Document) {
	values, ok := top[permissions].(map[string]any)
	if !ok {
		err := wrongType(top[permissions], "a table: write [permissions]")
		r.faults = append(r.faults, Fault{Section: InHost, Key: permissions, Err: err})
		return
	}
	t := table{reader: r, section: InTable, values: values}
	t.known(defaultAction, "ask_timeout", "harmless_env", "rule", "tool", "test")
	doc.DefaultAction = t.fallback(top)
	doc.AskTimeout = t.duration("ask_timeout")
	doc.HarmlessEnv = t.variables("harmless_env")
	for _, e := range t.entries("rule", InRules) {
		doc.Rules = append(doc.Rules, e.rule())
	}
	for _, e := range t.entries("tool", InTools) {
		doc.Tools = append(doc.Tools, e.tool())
	}
	for _, e := range t.entries("test", InTests) {
		doc.Tests = append(doc.Tests, e.test())
	}
}

func (t table) rule() Rule {
	t.known("tool", "pattern", "action", "reason", "match", "not_match")
	return Rule{
		Line:     t.line,
		Tool:     t.toolGlob("tool"),
		Pattern:  t.glob("pattern"),
		Action:   t.required("action"),
		Reason:   t.text("reason"),
		Match:    t.list("match"),
		NotMatch: t.list("not_match"),
	}
}

func (t table) tool() Tool {
	t.known("name", "kind", "arguments", "optional")
	if !t.has("arguments") && !t.has("optional") {
		t.fault("arguments", errors.New("missing, and so is optional: name the members of the tool's input to read"))
	}
	return Tool{
		Line:      t.line,
		Name:      t.glob("name"),
		Kind:      t.required("kind"),
		Arguments: t.list("arguments"),
		Optional:  t.list("optional"),
	}
}

func (t table) test() Test {
	t.known("tool", "input", "want")
	return Test{
		Line:  t.line,
		Tool:  t.required("tool"),
		Input: t.input("input"),
		Want:  t.required("want"),
	}
}

// entries returns the tables of an array of tables. What is not a table among
// them is a fault, and comes back as a table without values.
func (t table) entries(key string, section Section) []table {
	var all []table
	switch v := t.values[key].(type) {
	case nil:
	case map[string]any:
		t.fault(key, fmt.Errorf("found a single table, want an array of them: write [[permissions.%s]], in double brackets", key))
	case []map[string]any: // written with headers
		lines := t.reader.lines[key]
		for i, values := range v {
			e := table{reader: t.reader, section: section, number: i + 1, values: values}
			if len(lines) == len(v) {
				e.line = lines[i]
			}
			all = append(all, e)
		}
	case []any: // written as an inline array
		for i, value := range v {
			e := table{reader: t.reader, section: section, number: i + 1}
			var ok bool
			if e.values, ok = value.(map[string]any); !ok {
				e.fault("", wrongType(value, "a table"))
			}
			all = append(all, e)
		}
		if len(v) == 0 {
			t.fault(key, errEmpty)
		}
	default:
		t.fault(key, wrongType(v, fmt.Sprintf("an array of tables: write [[permissions.%s]]", key)))
	}
	if len(all) > MaxRules {
		t.fault(key, fmt.Errorf("%d entries: want %d at most", len(all), MaxRules))
		return nil
	}
	return all
}
