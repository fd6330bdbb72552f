package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insomnia-run/permission/internal/visible"
)

var (
	errEmpty   = errors.New("empty")
	errMissing = errors.New("missing: the key is required")
)

// A table is one TOML table whose values are read by key.
type table struct {
	reader  *reader
	section Section
	number  int
	line    int
	values  map[string]any // nil where there is no table: the fault is reported
}

// fault adds a fault of t or, with a key, of that.
func (t table) fault(key string, err error) {
	t.reader.faults = append(t.reader.faults, Fault{t.section, t.number, t.line, key, err})
}

// has reports whether t has a key, or no table is there to have one.
func (t table) has(key string) bool {
	_, ok := t.values[key]
	return ok || t.values == nil
}

// known reports the keys of t that are not among keys. Case counts.
func (t table) known(keys ...string) {
	for key := range t.values {
		if !slices.Contains(keys, key) {
			t.fault(keyText(key), fmt.Errorf("unknown key: %s", t.meant(key, keys)))
		}
	}
}

// meant says what an unknown key may be meant for.
func (t table) meant(key string, keys []string) string {
	near := Nearest(key, keys...)
	switch key {
	case "default", "action":
		if t.section == InTable {
			near = defaultAction
		}
	case defaultAction, "ask_timeout", "harmless_env": // below a header they are the entry's
		return fmt.Sprintf("it belongs in [%s], above the first [[%[1]s.%s]]", permissions, sectionKeys[t.section])
	}
	if near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "want one of " + strings.Join(keys, ", ")
}

// fallback returns the default action of t, whose document has the values top.
func (t table) fallback(top map[string]any) string {
	_, outside := top[defaultAction]
	switch {
	case t.has(defaultAction):
	case outside:
		t.fault(defaultAction, fmt.Errorf("%w: write the one that stands outside under [%s]", errMissing, permissions))
	case !misnamed(top): // where it is in a table whose name is misspelt, that is the fault
		t.fault(defaultAction, errMissing)
	}
	return t.text(defaultAction)
}

// required returns the string of a key that must be there.
func (t table) required(key string) string {
	if !t.has(key) {
		t.fault(key, errMissing)
	}
	return t.text(key)
}

// glob returns a required text in which braces name several things.
func (t table) glob(key string) string {
	if v, ok := t.values[key].([]any); ok {
		t.fault(key, wrongType(v, `a string: name several in braces, as in "{a,b}", or write several entries`))
		return ""
	}
	return t.required(key)
}

// toolGlob returns the required tool of a rule. Other runtimes write the
// pattern into it.
func (t table) toolGlob(key string) string {
	s := t.glob(key)
	name, pattern, ok := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	notBare := strings.ContainsFunc(name, func(r rune) bool { return !isBare(r) })
	if !ok || !strings.HasSuffix(s, ")") || name == "" || notBare {
		return s
	}
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + " *"
	}
	if strings.TrimSpace(pattern) == "" {
		pattern = "*"
	}
	t.fault(key, fmt.Errorf("found %s: write tool = %s, pattern = %s", visible.Quote(s), visible.Quote(name), visible.Quote(pattern)))
	return ""
}

// text returns the string of a key; nothing where that is missing or faulty.
func (t table) text(key string) string {
	v, ok := t.values[key]
	if !ok {
		return ""
	}
	s, err := text(v)
	if err != nil {
		t.fault(key, err)
	}
	return s
}

// text returns the string v if there is something in it.
func text(v any) (string, error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return "", wrongType(v, "a string")
	case s == "":
		return "", errEmpty
	case strings.TrimSpace(s) == "":
		return "", fmt.Errorf("blank: found nothing but blanks in %s", visible.Quote(s))
	}
	return s, nil
}

// list returns the strings of a key.
func (t table) list(key string) []string {
	v, ok := t.values[key]
	if !ok {
		return nil
	}
	values, ok := v.([]any)
	if !ok {
		t.fault(key, wrongType(v, `an array of strings, as in ["a", "b"]`))
		return nil
	}
	if len(values) == 0 {
		t.fault(key, errEmpty)
	}
	var list []string
	for i, v := range values {
		s, err := text(v)
		if err != nil {
			t.fault(key, fmt.Errorf("item %d: %w", i+1, err))
		}
		list = append(list, s)
	}
	return list
}

// duration returns the time that a key names, or 0.
func (t table) duration(key string) time.Duration {
	if v, ok := t.values[key].(int64); ok {
		t.fault(key, wrongType(v, `a string, as in "30s"`))
		return 0
	}
	s := t.text(key)
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		t.fault(key, fmt.Errorf(`found %s, want a duration above zero, as in "90s", "5m" or "1h30m"`, visible.Quote(s)))
		return 0
	}
	return d
}

// variables returns a list of names of environment variables.
func (t table) variables(key string) []string {
	list := t.list(key)
	for i, name := range list {
		if name != "" && !IsVariable(name) {
			t.fault(key, fmt.Errorf("item %d: found %s, want the name of an environment variable: letters, digits and _, not a digit first", i+1, visible.Quote(name)))
		}
	}
	return list
}

// IsVariable reports whether name can be that of an environment variable.
func IsVariable(name string) bool {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

func wrongType(v any, want string) error {
	return fmt.Errorf("found %s, want %s", typeName(v), want)
}

// typeName returns what TOML calls the type of a decoded value.
func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case bool:
		return "a boolean"
	case time.Time:
		return "a datetime"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "an array of tables"
	}
	return "an array"
}

// keyText returns a key as TOML writes it, with what cannot be seen escaped.
func keyText(key string) string {
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return !isBare(r) }) {
		return visible.Text(strconv.Quote(key))
	}
	return key
}

// isBare reports whether r may stand in a key without quotes.
func isBare(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
