package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/workload"
)

// Every engine answers a small workload alike, whatever the seed.
func TestEnginesAgree(t *testing.T) {
	for seed := range uint64(3) {
		for _, n := range []int{10, 60} {
			_, err := newField(specs(false), n, seed+1)
			require.NoError(t, err)
		}
	}
}

// Every form of pattern that the workload has, one by one, for what it does and
// does not match.
func TestEnginesAgreeOnEachForm(t *testing.T) {
	texts := []string{"", "ba", "ba.co", "xba.co", "ba co", "ba/co", "bax", "baxco", "baco", "baxxco", "baéco", "cdi/x", "gdi/x", "BA co", "ba\nco", `ba"co`}
	for _, pattern := range []string{
		"ba co", "ba *", "ba/*", "*ba.co", "*baco*", "[a-f]di/*", "{ba,bax} *", "ba?co", "*", "ba*co", "[bc]a/co", "*ba*co*",
	} {
		for _, tool := range []string{"bash", "*", "{read,write}", "w*"} {
			f := field{rules: []workload.Rule{{Tool: tool, Pattern: pattern, Action: 2}}}
			for _, text := range texts {
				for _, tool := range []string{"bash", "read", "webfetch"} {
					f.queries = append(f.queries, workload.Query{Tool: tool, Text: text})
				}
			}
			for _, s := range specs(false) {
				e, err := s.make(f.rules, f.queries)
				require.NoError(t, err, "%s: %v", s.name, f.rules)
				f.names, f.engines = append(f.names, s.name), append(f.engines, e)
			}
			require.NoError(t, f.agree())
		}
	}
}

// agree finds an engine that answers otherwise, and says where.
func TestAgreeFindsADifference(t *testing.T) {
	f, err := newField(specs(true)[:3], 10, 1)
	require.NoError(t, err)
	f.engines[2] = wrong{f.engines[2]}
	assert.ErrorContains(t, f.agree(), "gobwas, one list finds no rule for")
}

type wrong struct{ engine }

func (w wrong) decide(from int, answers []int32) error {
	err := w.engine.decide(from, answers)
	for i := range answers {
		answers[i] = -1
	}
	return err
}

// A contender goes round the queries, and on where it stopped.
func TestContenderGoesRound(t *testing.T) {
	f, err := newField(specs(true)[:1], 10, 1)
	require.NoError(t, err)
	asked := &counting{engine: f.engines[0], of: make([]int, len(f.queries))}
	f.engines[0] = asked
	c := f.contender(0)
	for _, n := range []int{1, 1000, 5000, 11_999} {
		c.work(n)
	}
	for q, n := range asked.of {
		assert.Equal(t, 3, n, q)
	}
}

type counting struct {
	engine
	of []int
}

func (c *counting) decide(from int, answers []int32) error {
	for i := range answers {
		c.of[from+i]++
	}
	return c.engine.decide(from, answers)
}
