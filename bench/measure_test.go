package main

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMedian(t *testing.T) {
	assert.Equal(t, 3.0, median([]float64{9, 1, 3}))
	assert.Equal(t, 2.0, median([]float64{9, 1, 3, 1}))
	assert.Equal(t, 7.0, median([]float64{7}))
}

// More work takes more time, and a round is as long as it has to be.
func TestRace(t *testing.T) {
	sum := 0
	spin := func(n int) func() {
		return func() {
			for i := range n {
				sum += i * i
			}
		}
	}
	a, b := &contender{work: repeat(spin(20_000))}, &contender{work: repeat(spin(100_000)), least: 3}
	race(3, a, b)
	assert.Len(t, a.each, 3)
	assert.GreaterOrEqual(t, b.units, 3)
	assert.Greater(t, b.median(), 2*a.median())
	assert.Greater(t, a.median()*float64(a.units), float64(block)/3)
}

func TestCPUTimeGoesOn(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, sum := cpuTime(), 0
	for began := time.Now(); time.Since(began) < 20*time.Millisecond; {
		sum++
	}
	assert.Greater(t, cpuTime(), start)
	assert.Positive(t, sum)
}

func TestLive(t *testing.T) {
	got := live(func() any { return make([]byte, 8<<20) })
	assert.InDelta(t, 8<<20, got, 1<<20)
}
