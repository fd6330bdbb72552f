package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMark(t *testing.T) {
	most := figure{must: 8, aim: 4}
	least := figure{must: 10, aim: 15, atLeast: true}
	for _, c := range []struct {
		f        figure
		measured float64
		want     mark
	}{
		{most, 3, reachedAim}, {most, 4, reachedAim}, {most, 4.1, reached}, {most, 8, reached},
		{most, 8.1, near}, {most, 10, near}, {most, 10.1, missed}, {most, math.NaN(), missed}, {most, math.Inf(1), missed},
		{least, 15, reachedAim}, {least, 14.9, reached}, {least, 10, reached},
		{least, 9.9, near}, {least, 8, near}, {least, 7.9, missed}, {least, 0, missed}, {least, math.NaN(), missed},
		{figure{}, 0, reachedAim}, {figure{}, 0.01, missed},
	} {
		c.f.measured = c.measured
		assert.Equal(t, c.want, c.f.mark(), "%+v", c.f)
	}
	assert.Equal(t, missed, mark(0), "what was not marked has not reached anything")
}

func TestTable(t *testing.T) {
	var b strings.Builder
	require.NoError(t, writeTable(&b, []figure{
		{name: "linear ÷ ours, 1,000 rules", must: 60, aim: 100, atLeast: true, measured: 1234.6},
		{name: "live memory a rule", must: 400, aim: 200, unit: "B", measured: 450.04, note: "of a kind"},
		{name: "allocations"},
	}))
	assert.Equal(t, `
| figure                     | must    | aim     | measured |                 |
| -------------------------- | ------- | ------- | -------- | --------------- |
| linear ÷ ours, 1,000 rules | ≥ 60    | ≥ 100   | 1,235    | reached the aim |
| live memory a rule         | ≤ 400 B | ≤ 200 B | 450 B    | near            |
| allocations                | 0       | 0       | 0        | reached the aim |

live memory a rule: of a kind
`, "\n"+b.String())
}
