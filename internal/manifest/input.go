package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// input returns a table as the JSON object that a model would write.
func (t table) input(key string) json.RawMessage {
	if !t.has(key) {
		t.fault(key, errMissing)
	}
	v, ok := t.values[key]
	if !ok {
		return nil
	}
	if _, ok := v.(map[string]any); !ok {
		t.fault(key, wrongType(v, `a table, as in { path = "a" }`))
		return nil
	}
	if at, err := unlikeJSON(key, v); err != nil {
		t.fault(at, err)
		return nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.fault(key, err)
	}
	return data
}

// unlikeJSON finds a value in v, which stands at the given path, that JSON
// does not have.
func unlikeJSON(path string, v any) (at string, err error) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if at, err := unlikeJSON(path+"."+keyText(key), v[key]); err != nil {
				return at, err
			}
		}
	case []map[string]any:
		return unlikeJSONItem(path, v)
	case []any:
		return unlikeJSONItem(path, v)
	case time.Time:
		return path, errors.New("found a datetime, which JSON does not have: write a string")
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return path, fmt.Errorf("found %v, which JSON does not have", v)
		}
	}
	return "", nil
}

func unlikeJSONItem[T any](path string, items []T) (at string, err error) {
	for i, item := range items {
		if at, err := unlikeJSON(fmt.Sprintf("%s[%d]", path, i+1), item); err != nil {
			return at, err
		}
	}
	return "", nil
}
