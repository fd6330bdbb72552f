package main

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func draw(t *testing.T, all ...series) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, writePlot(&b, all))
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		_, err := d.Token()
		if err == io.EOF {
			return b.String()
		}
		require.NoError(t, err, "it is XML")
	}
}

func TestPlot(t *testing.T) {
	got := draw(t,
		series{"ours & others", []point{{10, 30}, {100, 50}, {10_000, 300}}},
		series{"theirs", []point{{10, 1000}, {10_000, 2e7}}},
		series{name: "nothing"},
	)
	assert.Contains(t, got, "ours &amp; others</text>")
	assert.NotContains(t, got, "nothing")
	assert.Contains(t, got, `<polyline points="80.0,`, "10 rules stand at the left")
	for _, label := range []string{">10</text>", ">100</text>", ">1,000</text>", ">10,000</text>", ">10 ns<", ">1 µs<", ">100 µs<", ">100 ms<"} {
		assert.Contains(t, got, label)
	}
	assert.Equal(t, 5, strings.Count(got, "<circle"))
}

// Lines that end in one place have names that can be read.
func TestPlotNamesDoNotOverlap(t *testing.T) {
	var all []series
	for range 8 {
		all = append(all, series{"name", []point{{10, 1e6}, {100, 10}}})
	}
	places := regexp.MustCompile(`y="([0-9.]+)" fill="#[0-9a-f]+">name`).FindAllStringSubmatch(draw(t, all...), -1)
	require.Len(t, places, 8)
	last := 0.0
	for _, m := range places {
		y, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, y-last, float64(labelStep))
		assert.Less(t, y, float64(plotHeight))
		last = y
	}
}

func TestPlotOfNothing(t *testing.T) {
	assert.Error(t, writePlot(io.Discard, []series{{name: "nothing"}}))
}
