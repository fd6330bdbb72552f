package shell_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// doubling sets variables each of which holds the one before it twice.
func doubling(n int) string {
	line := "a0=xxxxxxxxxx;"
	for i := range n {
		line += fmt.Sprintf(`a%d="$a%d$a%d";`, i+1, i, i)
	}
	return line
}

// growing are lines that are much longer once their variables and braces have
// been expanded.
func growing() map[string]string {
	double := doubling(40)
	document, inner := "<<'E'\n"+strings.Repeat("x", 30000)+"\nE\n", "for a in "+strings.Repeat("x ", 64)+"; do "
	pairs, long := strings.Repeat("{a,b}", 10), strings.Repeat("x", 30000)
	return map[string]string{
		"here-strings":      inner + inner + inner + "a $a <<< '" + strings.Repeat("x", 50000) + "'; done; done; done",
		"fed wrappers":      inner + inner + strings.Repeat("env ", 38) + "a$a" + document + "done; done",
		"fed tmux":          "tmux " + strings.Repeat("a \\; ", 6000) + document,
		"doubling":          double + "ls",
		"perhaps doubling":  "f() { :; }; eval x; " + double + "ls",
		"doubling for a -c": "bash -c '" + double + "ls'",
		"values":            "a=" + long + ";echo " + strings.Repeat("$a ", 10000),
		"shorter values":    "a=" + long[:16000] + ";echo \"" + strings.Repeat("$a", 16000) + "\"",
		"value as command":  "a=" + long[:16000] + ";b=ls;$b " + strings.Repeat("$a ", 16000),
		"words in braces":   "echo " + strings.Repeat("{a,b", 2000) + strings.Repeat("}", 2000),
		"open braces":       "echo " + strings.Repeat("{a,b", 15000),
		"behind braces":     "echo {1..1024}" + long,
		"quoted in braces":  "echo " + pairs + "'" + long + "'",
		"value in braces":   "a=" + long[:16000] + ";echo " + pairs + "\"$a\"",
		"many in braces":    "echo " + strings.Repeat(pairs+long[:1000]+" ", 60),
		"padded":            "echo {" + strings.Repeat("0", 60000) + "1..1024}",
	}
}

// Neither the parts of a line nor what it takes to make them grows with what the
// line would expand to.
func TestGrowingLines(t *testing.T) {
	for name, line := range growing() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parts := config().Read(line)
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(300), "MiB: %s", name)
		assert.NotEmpty(t, parts, name)
		assert.LessOrEqual(t, len(line), longest, name)
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
	chain := func(n int) string { return doubling(n) + fmt.Sprintf(`rm "$a%d"`, n) }
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
