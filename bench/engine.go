package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/insomnia-run/permission/internal/workload"
)

// An engine answers the queries that it was made for. Like all of what it is
// given, they are prepared: nothing is parsed, and nothing read, to decide one.
// It is safe for concurrent use.
type engine interface {
	// decide sets answers to the numbers of the rules that decide the queries
	// from number from on: of each the first that matches, or -1 for none.
	decide(from int, answers []int32) error
}

// A spec says how an engine is made.
type spec struct {
	name  string
	light bool // quick to make and to ask
	make  func(rules []workload.Rule, queries []workload.Query) (engine, error)
}

const (
	nameOurs   = "permission"
	nameFloor  = "map lookup and byte pass"
	nameLinear = "gobwas, one list"
	nameLists  = "gobwas, a list a tool"
	nameCedar  = "cedar-go"
	nameCasbin = "casbin"
	nameOPA    = "OPA"
	nameCEL    = "cel-go"
)

// specs returns all engines, or the light ones. The first is ours, and the
// second the floor, which decides nothing.
func specs(quick bool) []spec {
	all := []spec{
		{nameOurs, true, newOurs},
		{nameFloor, true, newFloor},
		{nameLinear, true, newLinear},
		{nameLists, true, newLists},
		{nameCedar, true, newCedar},
		{nameCasbin, false, newCasbin},
		{nameOPA, false, newOPA},
		{nameCEL, false, newCEL},
	}
	return slices.DeleteFunc(all, func(s spec) bool { return quick && !s.light })
}

// A field is engines that were made for the same rules and queries.
type field struct {
	rules   []workload.Rule
	queries []workload.Query
	names   []string
	engines []engine
}

// newField makes engines for n rules, and fails if they differ in an answer.
func newField(specs []spec, n int, seed uint64) (*field, error) {
	var f field
	f.rules, f.queries = workload.Make(n, seed)
	for _, s := range specs {
		e, err := s.make(f.rules, f.queries)
		if err != nil {
			return nil, fmt.Errorf("%s, %d rules: %w", s.name, n, err)
		}
		f.names, f.engines = append(f.names, s.name), append(f.engines, e)
	}
	return &f, f.agree()
}

// agree reports where engines do not answer as the first one does.
func (f *field) agree() error {
	want, err := answers(f.engines[0], len(f.queries))
	if err != nil {
		return fmt.Errorf("%s: %w", f.names[0], err)
	}
	for i, e := range f.engines {
		if f.names[i] == nameFloor {
			continue
		}
		got, err := answers(e, len(f.queries))
		if err != nil {
			return fmt.Errorf("%s: %w", f.names[i], err)
		}
		for q := range got {
			if got[q] != want[q] {
				return fmt.Errorf("%d rules: %s finds %s for %v, and %s %s", len(f.rules),
					f.names[i], f.rule(got[q]), f.queries[q], f.names[0], f.rule(want[q]))
			}
		}
	}
	return nil
}

// rule returns a rule for people.
func (f *field) rule(n int32) string {
	if n < 0 {
		return "no rule"
	}
	return fmt.Sprintf("rule %d %v", n, f.rules[n])
}

// answers returns the answers to n queries, which it asks for on every
// processor.
func answers(e engine, n int) ([]int32, error) {
	const share = 100
	all := make([]int32, n)
	errs := make([]error, n/share+1)
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += share {
		free <- struct{}{}
		wait.Go(func() {
			errs[from/share] = e.decide(from, all[from:min(n, from+share)])
			<-free
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// fewest is how many queries an engine is asked in a round, at least, so that
// there are some of each kind.
const fewest = 30

// contender returns an engine as one that answers one query after the other,
// and starts again behind the last.
func (f *field) contender(i int) *contender {
	buf, at := make([]int32, len(f.queries)), 0
	return &contender{name: f.names[i], least: fewest, work: func(units int) {
		for units > 0 {
			n := min(units, len(buf)-at)
			if err := f.engines[i].decide(at, buf[:n]); err != nil {
				panic(err) // it has answered before
			}
			units -= n
			at = (at + n) % len(buf)
		}
	}}
}

// toolsOf returns the tools that the tool of a rule stands for, among those of
// the workload.
func toolsOf(r workload.Rule) ([]string, error) {
	g, err := compileAll(r.Tool)
	if err != nil {
		return nil, err
	}
	var tools []string
	for _, t := range workload.Tools {
		if g.match(t) {
			tools = append(tools, t)
		}
	}
	return tools, nil
}

// plainTool reports whether the tool of a rule is no glob.
func plainTool(r workload.Rule) bool { return !strings.ContainsAny(r.Tool, `*?[{\`) }
