package shell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/workload"
)

// Every hostile line comes to an end, with parts that rules can be matched
// with; the benchmark tells how soon.
func TestHostileLines(t *testing.T) {
	size := workload.LongestLine
	if testing.Short() {
		size /= 4
	}
	for name, line := range workload.Lines(size) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []shell.Config{config(), zshConfig()} {
				parts := c.Read(line)
				assert.NotEmpty(t, parts)
				assert.LessOrEqual(t, len(parts), 4097)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for name, line := range workload.Lines(workload.LongestLine) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				config().Read(line)
			}
		})
	}
	for name, line := range workload.Growing() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				config().Read(line)
			}
		})
	}
	b.Run("everyday", func(b *testing.B) {
		for b.Loop() {
			config().Read(`cd web && npm test 2>&1 | tail -40`)
		}
	})
}
