package main

import "github.com/insomnia-run/permission/internal/workload"

// floor does what no engine can do without: it looks the tool up in a map, and
// at each byte of the text. It decides nothing.
type floor struct {
	tools   map[string]int32
	queries []workload.Query
}

func newFloor(_ []workload.Rule, queries []workload.Query) (engine, error) {
	f := &floor{make(map[string]int32), queries}
	for i, t := range workload.Tools {
		f.tools[t] = int32(i)
	}
	return f, nil
}

func (f *floor) decide(from int, answers []int32) error {
	for i := range answers {
		q := &f.queries[from+i]
		answers[i] = f.tools[q.Tool] + pass(q.Text)
	}
	return nil
}

// pass looks at each byte of a text.
func pass(s string) (sum int32) {
	for i := range len(s) {
		sum += int32(s[i])
	}
	return sum
}
