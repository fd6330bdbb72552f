package main

import (
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// A contender is work that is measured side by side with other work.
type contender struct {
	name  string
	work  func(units int) // does so many units of it
	least int             // units of a round at least

	units int       // of a round
	each  []float64 // nanoseconds a unit, one for each round
}

// block is how long a contender works in a round, at least: long enough for
// caches to be its own and for the clock to count for nothing.
const block = 10 * time.Millisecond

// race lets contenders work in turn, for so many rounds: what slows the machine
// down for a while then slows all of them. Each round starts without garbage of
// the others.
func race(rounds int, contenders ...*contender) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range contenders {
		c.calibrate()
	}
	for range rounds {
		for _, c := range contenders {
			runtime.GC()
			c.work(max(1, c.units/4)) // what it looks at is in the caches again
			c.each = append(c.each, c.time(c.units))
		}
	}
}

// calibrate finds how many units fill a block.
func (c *contender) calibrate() {
	c.units = max(1, c.least)
	for {
		took := c.time(c.units) * float64(c.units)
		if took >= float64(block) {
			return
		}
		more := 1.2 * float64(block) / max(took, 1)
		c.units = int(float64(c.units)*min(more, 100)) + 1
	}
}

// time returns the nanoseconds of a unit, over so many.
func (c *contender) time(units int) float64 {
	start := cpuTime()
	c.work(units)
	return float64(cpuTime()-start) / float64(units)
}

// median returns the nanoseconds of a unit in the middle one of the rounds.
func (c *contender) median() float64 { return median(c.each) }

// median returns the middle one of numbers, of which there are some.
func median(numbers []float64) float64 {
	sorted := slices.Sorted(slices.Values(numbers))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// repeat returns the work of calling f once a unit.
func repeat(f func()) func(units int) {
	return func(units int) {
		for range units {
			f()
		}
	}
}

// side returns the time of one work for that of another, measured in turn.
func side(rounds int, f, other func()) float64 {
	a, b := &contender{work: repeat(f)}, &contender{work: repeat(other)}
	race(rounds, a, b)
	return a.median() / b.median()
}

// fastest returns how many nanoseconds f takes, the fewest of so many tries.
// What takes long is not tried again.
func fastest(tries int, f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := contender{work: repeat(f)}
	least := c.time(1)
	for ; tries > 1 && least < float64(block); tries-- {
		least = min(least, c.time(1))
	}
	return least
}

// live returns the bytes that what build returns keeps alive, without what was
// alive before.
func live(build func() any) int {
	before := heap()
	kept := build()
	after := heap()
	runtime.KeepAlive(kept)
	return after - before
}

// heap returns the bytes that are alive. What finalizers and pools hold on to
// takes a second collection to go.
func heap() int {
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
