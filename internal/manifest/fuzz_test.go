package manifest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/casefile"
	"github.com/insomnia-run/permission/internal/visible"
)

// seeds returns the manifests of the project's cases; without any it fails.
func seeds(tb testing.TB) [][]byte {
	f, err := os.Open("../../testdata/manifests.jsonl")
	require.NoError(tb, err)
	defer f.Close()
	cases, err := casefile.Read("manifests.jsonl", f, casefile.Env{})
	require.NoError(tb, err)
	var all [][]byte
	for _, c := range cases {
		require.NotNil(tb, c.Manifest, c.ID)
		all = append(all, c.Manifest.Data)
	}
	return all
}

// Whatever the bytes are, Read returns; faults are the same every time and
// keep to one line; and a document without any has only keys that are known.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Add([]byte(rule + head + "rule = [{tool = 'a', pattern = 'b', action = 'allow'}]\n"))
	f.Add([]byte(head + "ask_timeout = '5m'\nharmless_env = ['A']\n[[permissions.tool]]\nname = 'a'\nkind = 'path'\noptional = ['b']\n"))
	f.Add([]byte("permissions = {default_action = 'ask', test = [{tool = 'a', want = 'ask', input = {b = [{}]}}]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, faults := Read(data)
		_, again := Read(data)
		require.Equal(t, report(faults), report(again))
		for _, line := range report(faults) {
			require.Equal(t, visible.Text(line), line)
		}
		if len(faults) > 0 {
			return
		}
		var values map[string]any
		require.NoError(t, toml.Unmarshal(data, &values))
		require.Equal(t, doc.Enabled, values["permissions"] != nil)
		for key := range values {
			require.False(t, key != "permissions" && strings.HasPrefix(strings.ToLower(key), "permission"), key)
		}
		if doc.Enabled {
			requireKnown(t, doc, values["permissions"].(map[string]any))
		}
	})
}

func requireKnown(t *testing.T, doc *Document, values map[string]any) {
	require.NotEmpty(t, doc.DefaultAction)
	entries := map[string]int{"rule": len(doc.Rules), "tool": len(doc.Tools), "test": len(doc.Tests)}
	known := map[string][]string{
		"rule": {"tool", "pattern", "action", "reason", "match", "not_match"},
		"tool": {"name", "kind", "arguments", "optional"},
		"test": {"tool", "input", "want"},
	}
	for key, v := range values {
		n, ok := entries[key]
		if !ok {
			require.Contains(t, []string{"default_action", "ask_timeout", "harmless_env"}, key)
			continue
		}
		tables := tablesIn(v)
		require.Len(t, tables, n, key)
		for _, table := range tables {
			for key2 := range table {
				require.True(t, slices.Contains(known[key], key2), "%s.%s", key, key2)
			}
		}
	}
}
