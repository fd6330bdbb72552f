package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// host reports the keys outside [permissions] that look as if they were meant
// to be it: passed over, they would leave every call without a rule.
func (r *reader) host(values map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if key == permissions {
			continue
		}
		if nearPermissions(key) {
			r.faults = append(r.faults, Fault{Key: keyText(key), Err: fmt.Errorf("unknown key: did you mean %q?", permissions)})
			continue
		}
		if key == "rule" && areRules(values[key]) {
			r.faults = append(r.faults, Fault{Key: key, Err: fmt.Errorf("rules here have no effect: write [[%s.rule]]", permissions)})
		}
		r.below(key, values[key])
	}
}

// areRules reports whether the host's v has the form of an array of rules.
func areRules(v any) bool {
	for _, item := range tablesIn(v) {
		_, tool := item["tool"]
		_, pattern := item["pattern"]
		_, action := item["action"]
		if tool && pattern && action {
			return true
		}
	}
	return false
}

// tablesIn returns the tables of an array.
func tablesIn(v any) []map[string]any {
	tables, _ := v.([]map[string]any)
	items, _ := v.([]any)
	for _, item := range items {
		if table, ok := item.(map[string]any); ok {
			tables = append(tables, table)
		}
	}
	return tables
}

// below reports tables of rules one level down in the host's v.
func (r *reader) below(key string, v any) {
	tables := tablesIn(v)
	if table, ok := v.(map[string]any); ok {
		tables = append(tables, table)
	}
	for _, table := range tables {
		for _, inner := range slices.Sorted(maps.Keys(table)) {
			if (inner == permissions || nearPermissions(inner)) && hasRules(table[inner]) {
				r.faults = append(r.faults, Fault{
					Key: join(keyText(key), inner),
					Err: fmt.Errorf("rules here have no effect: write [%s], at the top", permissions),
				})
			}
		}
	}
}

// misnamed reports whether a table that may be meant for permissions has the
// default action.
func misnamed(top map[string]any) bool {
	for key, v := range top {
		table, _ := v.(map[string]any)
		if _, ok := table[defaultAction]; ok && key != permissions && nearPermissions(key) {
			return true
		}
	}
	return false
}

func hasRules(v any) bool {
	table, ok := v.(map[string]any)
	if !ok {
		return false
	}
	_, fallback := table[defaultAction]
	_, rule := table["rule"]
	return fallback || rule
}

// nearPermissions reports whether a key other than permissions may be meant
// for it.
func nearPermissions(key string) bool {
	key = strings.ToLower(key)
	return strings.HasPrefix(key, "permission") || distance(key, permissions) <= maxDistance
}

// maxDistance is how many edits make one word of another that may be meant.
const maxDistance = 2

// Nearest returns the one of words that word may be a misspelling of, or "".
func Nearest(word string, words ...string) string {
	word = strings.ToLower(word)
	best, nearest := min(maxDistance, utf8.RuneCountInString(word)-1), ""
	for _, w := range words {
		if d := distance(word, w); d < best || d == best && nearest == "" {
			best, nearest = d, w
		}
	}
	return nearest
}

// distance returns how many runes must be put in, left out, changed, or
// swapped with the next, to make b of a. Above maxDistance it may return any
// greater number.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if max(len(x)-len(y), len(y)-len(x)) > maxDistance {
		return maxDistance + 1
	}
	// d[i][j] is the distance of the first i runes of x and the first j of y.
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}
