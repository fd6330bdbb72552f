package main

import (
	"github.com/gobwas/glob"

	"github.com/insomnia-run/permission/internal/workload"
)

// compiling measures what it takes to make a policy of 10,000 rules, and to
// have one.
func (b *bench) compiling() ([]figure, error) {
	const n = 10_000
	rules, _ := workload.Make(n, b.seed)
	if _, err := compile(rules); err != nil {
		return nil, err
	}
	for _, r := range rules {
		if _, err := glob.Compile(r.Pattern); err != nil {
			return nil, err
		}
	}
	ours := &contender{work: repeat(func() { _, _ = compile(rules) })}
	others := &contender{work: repeat(func() {
		for _, r := range rules {
			_, _ = glob.Compile(r.Pattern)
		}
	})}
	race(b.rounds, ours, others)
	bytes := live(func() any { p, _ := compile(rules); return p })
	return []figure{
		{name: "compile of 10,000 rules ÷ gobwas compile of the patterns", must: 6, aim: 3, measured: ours.median() / others.median()},
		{name: "live memory a rule, 10,000 rules", must: 400, aim: 200, unit: "B", measured: float64(bytes) / n},
	}, nil
}
