package permission_test

import (
	"fmt"
	"strings"
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

// A thousand patterns of many stars are tried with a text of a MiB that none of
// them matches, in a time that grows with the text and not with the stars.
func TestManyStarsOverALongText(t *testing.T) {
	p, input := manyStars(t, 1<<20-100)
	d := p.Evaluate(permission.ToolCall{Name: "note", Input: input})
	assert.Equal(t, permission.CauseDefault, d.Cause)
	assert.Equal(t, permission.Ask, d.Action)
}

func manyStars(t testing.TB, size int) (*permission.Policy, []byte) {
	t.Helper()
	var rs []permission.Rule
	for i := range 1000 {
		rs = append(rs, permission.Rule{Tool: "note", Pattern: strings.Repeat("*a", 9) + fmt.Sprintf("*b%d", i)})
	}
	p, err := permission.Compile(permission.Ask, rs, linux())
	require.NoError(t, err)
	return p, []byte(`{"text":"` + strings.Repeat("a", size) + `"}`)
}

func BenchmarkManyStars(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
		p, input := manyStars(b, size-100)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				p.Evaluate(permission.ToolCall{Name: "note", Input: input})
			}
		})
	}
}
