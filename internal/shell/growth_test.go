package shell_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/workload"
)

// Neither the parts of a line nor what it takes to make them grows with what the
// line would expand to.
func TestGrowingLines(t *testing.T) {
	for name, line := range workload.Growing() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parts := config().Read(line)
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(300), "MiB: %s", name)
		assert.NotEmpty(t, parts, name)
		assert.LessOrEqual(t, len(line), workload.LongestLine, name)
		size := 0
		for _, p := range parts {
			for _, r := range slices.Concat(p.Narrow, p.Wide) {
				known, _ := r.Known()
				size += len(known)
			}
		}
		assert.Less(t, size, 4<<20, name)
	}
}

// What a line may grow to has a bound, and beyond it nothing is known.
func TestGrowth(t *testing.T) {
	chain := func(n int) string { return workload.Doubling(n) + fmt.Sprintf(`rm "$a%d"`, n) }
	nested := func(n int) string { return "rm " + strings.Repeat("{a,b", n) + strings.Repeat("}", n) }
	last := func(line string) string {
		all := said(config(), line)
		return all[len(all)-1]
	}
	assert.Equal(t, "rm "+strings.Repeat("x", 80), last(chain(3)))
	assert.Equal(t, "rm …", last(chain(30)))
	assert.Equal(t, "rm build/out/x", last(`a=build; b="$a/out"; c=$b/x; rm $c`))
	assert.Equal(t, "rm a ba bb", last(nested(2)))
	assert.Equal(t, "rm…", last(nested(20)))
	assert.Contains(t, said(config(), nested(20)), "…")
	assert.Equal(t, "rm 1a 1b 2a 2b", last("rm {1,2}{a,b}"))
	assert.Equal(t, "rm 08 09 10", last("rm {08..10}"))
	assert.Equal(t, "rm…", last("rm {1..1024}"+strings.Repeat("x", 2000)))
	colors := "printf '" + strings.Repeat(`\e[31mred\e[0m `, 1000) + "'"
	assert.False(t, slices.ContainsFunc(config().Read(colors), isHole))
}

// A text that is longer than any line that is read is not cut into words: those
// of one input would take gigabytes.
func TestTextsOfTooManyWords(t *testing.T) {
	long := strings.Repeat("a ", 4<<20) + "a"
	for name, read := range map[string]func() []shell.Part{
		"a line":           func() []shell.Part { return config().Read(long) },
		"a text of env":    func() []shell.Part { return config().Arguments([]string{"env", "-S", long}) },
		"a text of a host": func() []shell.Part { return config().Arguments([]string{"ssh", "h", long}) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parts := read()
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(100), "MiB: %s", name)
		assert.NotEmpty(t, parts, name)
		assert.NotEmpty(t, parts[len(parts)-1].Unknown, name)
	}
}
