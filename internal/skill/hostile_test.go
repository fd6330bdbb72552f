package skill

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/manifest"
)

// hostile are front matters of nearly the largest size and of the worst kinds.
var hostile = map[string]string{
	"lists":        "x: " + strings.Repeat("[", 60<<10),
	"mappings":     "x: " + strings.Repeat("{a: ", 15<<10),
	"keys":         strings.Repeat("? ", 30<<10),
	"comments":     strings.Repeat("#\n", 30<<10),
	"parentheses":  "allowed-tools: a" + strings.Repeat("(", 60<<10),
	"entries":      "allowed-tools: " + strings.Repeat("a ", 30<<10),
	"errors":       "allowed-tools: " + strings.Repeat(") ", 30<<10),
	"faulty names": "allowed-tools: " + strings.Repeat("a; ", 20<<10),
	"alternatives": "allowed-tools: " + strings.Repeat("a(x{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}) ", 1800),
	"a long key":   `"` + strings.Repeat("allowed-tools", 4<<10) + `": x`,
	"numbers":      "allowed-tools: [" + strings.Repeat("7,", 30<<10) + "]",
	"duplicates":   strings.Repeat("a: 1\n", 12<<10),
	"tags":         "x: [" + strings.Repeat("!a ,", 15<<10) + "]",
}

// Whoever wrote the file, reading it ends, and what is said of it is short.
func TestHostileFilesEnd(t *testing.T) {
	for name, front := range hostile {
		t.Run(name, func(t *testing.T) {
			_, faults := Read(file(front))
			assert.LessOrEqual(t, len(faults), manifest.MaxFaults+1)
			assert.Less(t, len(strings.Join(report(faults), "\n")), 64<<10)
		})
	}
}

func BenchmarkHostileFiles(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		data := file(hostile[name])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Read(data)
			}
		})
	}
}

// The first faults are those that stand first, and the last line counts the
// others, whichever part of the reading finds them.
func TestFaultsAreCapped(t *testing.T) {
	for want, front := range map[string]string{
		"3 allowed-tools: invalid tool entry ": "allowed-tools: " + strings.Repeat("a; ", 5000),
		"4 x: duplicate key":                   "x: 1\n" + strings.Repeat("x: 1\n", 5000),
	} {
		_, faults := Read(file(front))
		all := report(faults)
		require.Len(t, all, manifest.MaxFaults+1)
		assert.Contains(t, all[0], want)
		assert.Equal(t, "0 : and 4900 more", all[manifest.MaxFaults])
	}
	_, faults := Read(file("allowed-tools: " + strings.Repeat("a; ", manifest.MaxFaults)))
	require.Len(t, faults, manifest.MaxFaults)
	assert.Contains(t, report(faults)[manifest.MaxFaults-1], "invalid tool entry", "all of them were told")
}
