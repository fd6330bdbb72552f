package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// writeTable writes figures as a table of Markdown, with columns that also line
// up as they stand, and below it what those were measured with that have a
// note.
func writeTable(w io.Writer, fs []figure) error {
	rows := [][]string{{"figure", "must", "aim", "measured", ""}, nil}
	for _, f := range fs {
		rows = append(rows, []string{f.name, f.bound(f.must), f.bound(f.aim), f.value(f.measured), f.mark().String()})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, n := range widths {
		rows[1] = append(rows[1], strings.Repeat("-", n))
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteByte('|')
		for i, cell := range row {
			b.WriteString(" " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)) + " |")
		}
		b.WriteByte('\n')
	}
	for _, f := range fs {
		if f.note != "" {
			fmt.Fprintf(&b, "\n%s: %s", f.name, f.note)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// bound returns a bound of f with its sign.
func (f figure) bound(v float64) string {
	sign := "≤ "
	if f.atLeast {
		sign = "≥ "
	} else if v == 0 {
		sign = ""
	}
	return sign + f.value(v)
}

// value returns v with its unit, to three digits.
func (f figure) value(v float64) string {
	s := strconv.FormatFloat(v, 'g', 3, 64)
	if v >= 1000 || strings.ContainsRune(s, 'e') && v > 1 {
		s = thousands(int(v + 0.5))
	}
	if f.unit != "" {
		s += " " + f.unit
	}
	return s
}

// thousands returns n with a comma before each thousand.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
