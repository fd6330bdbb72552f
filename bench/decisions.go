package main

import (
	"fmt"
	"math"
	"testing"
)

// sizes are the numbers of rules that engines are measured with.
func sizes() []int { return []int{10, 100, 1000, 10_000} }

// A decided is what one decision costs each engine.
type decided struct {
	names  []string
	times  map[string]map[int]float64 // nanoseconds by engine and number of rules
	allocs float64                    // of a decision of ours, at most
}

// decide measures decisions of engines, which first have to agree.
func (b *bench) decide() (*decided, error) {
	all := specs(b.quick)
	d := &decided{times: make(map[string]map[int]float64)}
	for _, s := range all {
		d.names = append(d.names, s.name)
		d.times[s.name] = make(map[int]float64)
	}
	for _, n := range sizes() {
		f, err := newField(all, n, b.seed)
		if err != nil {
			return nil, err
		}
		b.logf("%d rules: the engines agree on %d queries", n, len(f.queries))
		d.race(b.rounds, f)
		for _, name := range d.names {
			b.logf("%26s %12.0f ns", name, d.times[name][n])
		}
	}
	return d, nil
}

// race measures the engines of f.
func (d *decided) race(rounds int, f *field) {
	contenders := make([]*contender, len(f.engines))
	for i := range f.engines {
		contenders[i] = f.contender(i)
	}
	race(rounds, contenders...)
	for _, c := range contenders {
		d.times[c.name][len(f.rules)] = c.median()
	}
	answers := make([]int32, len(f.queries))
	each := testing.AllocsPerRun(1, func() {
		if err := f.engines[0].decide(0, answers); err != nil {
			panic(err) // it has answered before
		}
	})
	d.allocs = max(d.allocs, each/float64(len(answers)))
}

// figures returns the figures of decisions.
func (d *decided) figures() []figure {
	var fs []figure
	for _, g := range []goal{{100, 10, 15}, {1000, 60, 100}, {10_000, 300, 500}} {
		fs = append(fs, d.ratio(nameLinear, nameOurs, g))
	}
	for _, g := range []goal{{10, 10, 15}, {1000, 400, 800}, {10_000, 4000, 10_000}} {
		fs = append(fs, d.ratio(nameCedar, nameOurs, g))
	}
	ours := d.times[nameOurs]
	fs = append(fs, figure{name: "growth from 10 to 10,000 rules", must: 12, aim: 7, measured: ours[10_000] / ours[10]})
	for _, g := range []goal{{10, 1.2, 0.7}, {1000, 2, 1.2}, {10_000, 6, 3.5}} {
		f := d.ratio(nameOurs, nameFloor, g)
		f.atLeast = false
		fs = append(fs, f)
	}
	return append(fs, figure{name: "allocations of a decision", measured: d.allocs})
}

// ratio returns what one engine takes for each of what another does.
func (d *decided) ratio(over, under string, g goal) figure {
	return figure{
		name: fmt.Sprintf("%s ÷ %s, %s rules", over, under, thousands(g.rules)),
		must: g.must, aim: g.aim, atLeast: true,
		measured: d.times[over][g.rules] / d.times[under][g.rules],
	}
}

// series returns the times for a plot.
func (d *decided) series() []series {
	var all []series
	for _, name := range d.names {
		s := series{name: name}
		for _, n := range sizes() {
			if t := d.times[name][n]; t > 0 && !math.IsInf(t, 0) {
				s.points = append(s.points, point{float64(n), t})
			}
		}
		all = append(all, s)
	}
	return all
}
