package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock is what the measurements are of.
const clock = "CPU time of the thread"

// cpuTime returns the CPU time that this thread has used. It is that of
// getrusage, to the nanosecond.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // every Linux has it
	}
	return time.Duration(t.Nano())
}
