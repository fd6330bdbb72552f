package main

import "math"

// A figure is something measured, and what it has to be.
type figure struct {
	name      string
	must, aim float64
	atLeast   bool // more is better
	unit      string
	measured  float64
	note      string // what was measured when it was
}

// mark says how far a figure came.
type mark uint8

const (
	missed     mark = iota
	near            // beyond the must, though by no more than a machine that others share is off
	reached         // the must
	reachedAim      // what would be better still
)

// slack is how far beyond its must a figure is near.
const slack = 1.25

func (m mark) String() string {
	return [...]string{"missed", "near", "reached", "reached the aim"}[m]
}

// mark returns how far f came. A figure that is no number has missed.
func (f figure) mark() mark {
	measured, must, aim := f.measured, f.must, f.aim
	if f.atLeast { // then what is too small is what is too large upside down
		measured, must, aim = 1/measured, 1/must, 1/aim
	}
	switch {
	case math.IsNaN(measured):
		return missed
	case measured <= aim:
		return reachedAim
	case measured <= must:
		return reached
	case measured <= must*slack:
		return near
	}
	return missed
}

// A goal is what a ratio has to be with so many rules.
type goal struct {
	rules     int
	must, aim float64
}
