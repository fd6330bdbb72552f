package shell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/workload"
)

// Every hostile line comes to an end, with parts that rules can be matched
// with; the benchmark tells how soon.
func TestHostileLines(t *testing.T) {
	for name, line := range workload.Lines() {
		parts := config().Read(line)
		assert.NotEmpty(t, parts, name)
		assert.LessOrEqual(t, len(parts), 4097, name)
	}
}

func BenchmarkRead(b *testing.B) {
	for name, line := range workload.Lines() {
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
