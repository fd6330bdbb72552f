package main

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
)

// A series is a line of a plot.
type series struct {
	name   string
	points []point
}

// A point has both coordinates above zero.
type point struct{ x, y float64 }

// The sizes of a plot, in pixels. The names stand to the right of the lines.
const (
	plotWidth, plotHeight   = 880, 560
	plotLeft, plotRight     = 80, 640
	plotTop, plotBottom     = 60, 500
	labelStep               = 19 // from one name to the next, at least
	labelLeft, labelIndent  = plotRight + 10, 26
	colourAxis, colourLines = "#444", "#ddd"
)

// colours of lines can be told apart without red and green.
func colours() []string {
	return []string{"#d55e00", "#000000", "#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#b8860b", "#7f5fbf"}
}

// A plot maps values to places, both axes by powers of ten.
type plot struct {
	b          strings.Builder
	xMin, xMax float64 // powers of ten
	yMin, yMax float64
}

// writePlot writes lines of nanoseconds by number of rules as SVG. Series
// without a point are left out.
func writePlot(w io.Writer, all []series) error {
	all = slices.DeleteFunc(slices.Clone(all), func(s series) bool { return len(s.points) == 0 })
	if len(all) == 0 {
		return fmt.Errorf("no line to plot")
	}
	p := newPlot(all)
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="14" fill="%s">`,
		plotWidth, plotHeight, colourAxis)
	p.printf(`<rect width="100%%" height="100%%" fill="white"/>`)
	p.printf(`<text x="%d" y="30" font-size="17">Time of a decision by number of rules</text>`, plotLeft)
	p.axes()
	for i, s := range all {
		p.line(s, colours()[i%len(colours())])
	}
	p.names(all)
	p.printf(`</svg>`)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// newPlot returns a plot with room for all points.
func newPlot(all []series) *plot {
	p := &plot{xMin: math.Inf(1), xMax: math.Inf(-1), yMin: math.Inf(1), yMax: math.Inf(-1)}
	for _, s := range all {
		for _, pt := range s.points {
			p.xMin, p.xMax = min(p.xMin, math.Floor(math.Log10(pt.x))), max(p.xMax, math.Ceil(math.Log10(pt.x)))
			p.yMin, p.yMax = min(p.yMin, math.Floor(math.Log10(pt.y))), max(p.yMax, math.Ceil(math.Log10(pt.y)))
		}
	}
	p.xMax, p.yMax = max(p.xMax, p.xMin+1), max(p.yMax, p.yMin+1)
	return p
}

func (p *plot) printf(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (p *plot) x(v float64) float64 {
	return plotLeft + (math.Log10(v)-p.xMin)/(p.xMax-p.xMin)*(plotRight-plotLeft)
}

func (p *plot) y(v float64) float64 {
	return plotBottom - (math.Log10(v)-p.yMin)/(p.yMax-p.yMin)*(plotBottom-plotTop)
}

// axes draws a line for each power of ten, with its value.
func (p *plot) axes() {
	for e := p.yMin; e <= p.yMax; e++ {
		y := p.y(math.Pow(10, e))
		p.printf(`<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s"/>`, plotLeft, y, plotRight, y, colourLines)
		p.printf(`<text x="%d" y="%.1f" text-anchor="end">%s</text>`, plotLeft-8, y+5, duration(e))
	}
	for e := p.xMin; e <= p.xMax; e++ {
		x := p.x(math.Pow(10, e))
		p.printf(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>`, x, plotTop, x, plotBottom, colourLines)
		p.printf(`<text x="%.1f" y="%d" text-anchor="middle">%s</text>`, x, plotBottom+22, thousands(int(math.Pow(10, e)+0.5)))
	}
	p.printf(`<text x="%d" y="%d" text-anchor="middle">rules</text>`, (plotLeft+plotRight)/2, plotBottom+44)
}

// duration returns 10 to the power of e nanoseconds for people.
func duration(e float64) string {
	units := []string{"ns", "µs", "ms", "s"}
	unit := min(max(0, int(e)/3), len(units)-1)
	return fmt.Sprintf("%.4g %s", math.Pow(10, e-float64(3*unit)), units[unit])
}

// line draws a line with a dot at each point.
func (p *plot) line(s series, colour string) {
	places := make([]string, len(s.points))
	for i, pt := range s.points {
		places[i] = fmt.Sprintf("%.1f,%.1f", p.x(pt.x), p.y(pt.y))
		p.printf(`<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`, p.x(pt.x), p.y(pt.y), colour)
	}
	p.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2.5"/>`, strings.Join(places, " "), colour)
}

// names writes the names of lines beside their ends, pushed apart where the
// ends are too close for that.
func (p *plot) names(all []series) {
	order := make([]int, len(all))
	at := make([]float64, len(all))
	for i, s := range all {
		order[i], at[i] = i, p.y(s.points[len(s.points)-1].y)
	}
	end := slices.Clone(at)
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, at[a]-at[b])) })
	for n, i := range order {
		if n > 0 {
			at[i] = max(at[i], at[order[n-1]]+labelStep)
		}
	}
	low := float64(plotBottom + labelStep)
	for n := range order {
		i := order[len(order)-1-n]
		at[i] = min(at[i], low)
		low = at[i] - labelStep
	}
	for i, s := range all {
		colour := colours()[i%len(colours())]
		x := p.x(s.points[len(s.points)-1].x)
		p.printf(`<polyline points="%.1f,%.1f %d,%.1f" fill="none" stroke="%s"/>`, x, end[i], labelLeft+labelIndent-4, at[i], colour)
		p.printf(`<text x="%d" y="%.1f" fill="%s">%s</text>`, labelLeft+labelIndent, at[i]+5, colour, html.EscapeString(s.name))
	}
}
