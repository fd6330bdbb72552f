// Command bench measures this library beside others: how fast each finds the
// first rule that decides a query, and what else a figure has been set for. It
// prints a table of the figures and draws the times of the engines. It fails if
// a figure is missed.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// bench is one run.
type bench struct {
	quick  bool
	seed   uint64
	rounds int
	plot   string // the file to draw to, or nothing
	log    io.Writer
	start  time.Time
}

var errMissed = errors.New("a figure is missed")

func main() {
	b := bench{log: os.Stderr, start: time.Now()}
	flag.BoolVar(&b.quick, "quick", false, "leave out the engines that are slow to ask, and most of the nasty patterns")
	flag.StringVar(&b.plot, "plot", "", "draw the times of the engines to this `file`, as SVG; without it plot.svg, and with -quick none")
	flag.Uint64Var(&b.seed, "seed", 1, "what the rules and queries are made from")
	flag.IntVar(&b.rounds, "rounds", 0, "how often each is measured; 0 is 11, and with -quick 5")
	flag.Parse()
	b.complete()
	if err := b.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// complete sets what no flag did.
func (b *bench) complete() {
	rounds, plot := 11, "plot.svg"
	if b.quick {
		rounds, plot = 5, ""
	}
	if b.rounds <= 0 {
		b.rounds = rounds
	}
	if b.plot == "" {
		b.plot = plot
	}
}

// run measures everything, prints the table, draws the plot and fails if a
// figure is missed.
func (b *bench) run(w io.Writer) error {
	b.logf("%s, medians of %d rounds, seed %d", clock, b.rounds, b.seed)
	d, err := b.decide()
	if err != nil {
		return err
	}
	figures, err := b.others(d.figures())
	if err != nil {
		return err
	}
	if err := writeTable(w, figures); err != nil {
		return err
	}
	if err := b.draw(d); err != nil {
		return err
	}
	for _, f := range figures {
		if f.mark() == missed {
			return errMissed
		}
	}
	return nil
}

// others adds the figures that are of this library alone.
func (b *bench) others(figures []figure) ([]figure, error) {
	calls, err := b.calls()
	if err != nil {
		return nil, err
	}
	long, err := b.longText()
	if err != nil {
		return nil, err
	}
	patterns, err := b.patterns()
	if err != nil {
		return nil, err
	}
	line, err := b.lines()
	if err != nil {
		return nil, err
	}
	compiling, err := b.compiling()
	if err != nil {
		return nil, err
	}
	figures = append(append(figures, calls...), long)
	return append(append(append(figures, patterns...), line), compiling...), nil
}

// draw draws the plot to its file.
func (b *bench) draw(d *decided) error {
	if b.plot == "" {
		return nil
	}
	var buf bytes.Buffer
	if err := writePlot(&buf, d.series()); err != nil {
		return err
	}
	return os.WriteFile(b.plot, buf.Bytes(), 0o644)
}

// logf tells how far the run has come.
func (b *bench) logf(format string, args ...any) {
	fmt.Fprintf(b.log, "%6.1f s  "+format+"\n", append([]any{time.Since(b.start).Seconds()}, args...)...)
}
