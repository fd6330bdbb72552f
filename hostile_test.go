package permission_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/workload"
)

// manyRules are a thousand rules none of which decides anything early.
func manyRules() []permission.Rule {
	var rs []permission.Rule
	for _, r := range workload.Near(1000) {
		rs = append(rs, permission.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: permission.Action(r.Action)})
	}
	return rs
}

// Every hostile line is decided, and none is allowed that has a part which
// nothing but the default speaks of.
func TestHostileLinesAreDecided(t *testing.T) {
	p, err := permission.Compile(permission.Deny, manyRules(), linux())
	require.NoError(t, err)
	for name, line := range workload.MatchedLines() {
		d := p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: line})
		assert.Equal(t, permission.Deny, d.Action, name)
		assert.NotEqual(t, permission.CauseFault, d.Cause, name)
	}
}

// Any line against a thousand rules should take less than a second.
func BenchmarkHostileLines(b *testing.B) {
	p, err := permission.Compile(permission.Allow, manyRules(), linux())
	require.NoError(b, err)
	for name, line := range workload.MatchedLines() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: line})
			}
		})
	}
}
