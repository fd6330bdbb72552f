package manifest

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

var errOverwritten = errors.New("defined twice, in two ways: a later one takes its place")

// overwritten reports the keys in v, the value of permissions, that the
// decoder has replaced by a later one instead of refusing it: it keeps nothing
// of [[permissions.rule]] headers if an inline rule = [{...}] follows, and
// nothing of an array if a dotted key goes on from it.
func (r *reader) overwritten(v any, keys []toml.Key) {
	left := make(map[string]int)
	count(left, permissions, v)
	for _, k := range keys {
		if k[0] != permissions {
			continue
		}
		path := keyText(k[0])
		for _, key := range k[1:] {
			path = join(path, key)
		}
		if left[path]--; left[path] == -1 {
			r.faults = append(r.faults, Fault{Section: InTable, Key: strings.TrimPrefix(path, permissions+"."), Err: errOverwritten})
		}
	}
}

// count adds for v, at a path, and for everything in it the number of times
// that the path may stand in the source.
func count(n map[string]int, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		n[path]++
		countMembers(n, path, v)
	case []map[string]any:
		n[path] += len(v)
		for _, item := range v {
			countMembers(n, path, item)
		}
	case []any:
		n[path]++
		countItems(n, path, v)
	default:
		n[path]++
	}
}

func countMembers(n map[string]int, path string, table map[string]any) {
	for key, v := range table {
		count(n, join(path, key), v)
	}
}

func countItems(n map[string]int, path string, items []any) {
	for _, item := range items {
		switch item := item.(type) {
		case map[string]any:
			countMembers(n, path, item)
		case []any:
			countItems(n, path, item)
		}
	}
}

func join(path, key string) string { return path + "." + keyText(key) }
