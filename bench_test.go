package permission_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/workload"
)

// everydayPolicy is one of n rules, of which the last allow the calls of the
// workload.
func everydayPolicy(tb testing.TB, n int) *permission.Policy {
	tb.Helper()
	rules := make([]permission.Rule, n)
	for i, r := range workload.WithLast(n, 1) {
		rules[i] = permission.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: permission.Action(r.Action)}
	}
	p, err := permission.Compile(permission.Deny, rules, linux())
	require.NoError(tb, err)
	return p
}

// What is measured goes all the way: it is read, and one of the last rules
// allows it.
func TestEverydayCallsAreAllowed(t *testing.T) {
	require.Len(t, workload.Compound, 100)
	for _, n := range []int{100, 1000} {
		p := everydayPolicy(t, n)
		for _, c := range workload.Calls() {
			if c.Name == "plain" {
				require.Len(t, c.Input, 100)
			}
			d := p.Evaluate(permission.ToolCall{Name: c.Tool, Input: json.RawMessage(c.Input)})
			require.Equal(t, permission.Allow, d.Action, "%s: %+v", c.Name, d)
			require.Equal(t, permission.CauseRule, d.Cause, c.Name)
			require.Contains(t, p.Rules()[n-7:], *d.Rule, c.Name)
		}
	}
}

// BenchmarkEvaluate is the whole of a call, from its JSON to the answer.
func BenchmarkEvaluate(b *testing.B) {
	for _, n := range []int{100, 1000} {
		p := everydayPolicy(b, n)
		for _, c := range workload.Calls() {
			call := permission.ToolCall{Name: c.Tool, Input: json.RawMessage(c.Input)}
			b.Run(fmt.Sprintf("%s/%d", c.Name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Evaluate(call)
				}
			})
		}
	}
}
