package main

import (
	gobwas "github.com/gobwas/glob"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/workload"
)

// globs are the alternatives of a pattern, compiled by gobwas/glob, which does
// not find all that a pattern with alternatives matches.
type globs []*gobwas.Pattern

func compileAll(pattern string) (globs, error) {
	alts, err := glob.Expand(pattern)
	if err != nil {
		return nil, err
	}
	var all globs
	for _, alt := range alts {
		g, err := gobwas.Compile(alt)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

func (gs globs) match(s string) bool {
	for _, g := range gs {
		if g.Match(s) {
			return true
		}
	}
	return false
}

// linear looks at one rule after the other. A tool that is no glob is compared.
type linear struct {
	rules   []linearRule
	queries []workload.Query
}

type linearRule struct {
	tool    string
	tools   globs // nil where tool is no glob
	pattern *gobwas.Pattern
}

func newLinear(rules []workload.Rule, queries []workload.Query) (engine, error) {
	e := &linear{queries: queries}
	for _, r := range rules {
		lr := linearRule{tool: r.Tool}
		var err error
		if !plainTool(r) {
			if lr.tools, err = compileAll(r.Tool); err != nil {
				return nil, err
			}
		}
		if lr.pattern, err = gobwas.Compile(r.Pattern); err != nil {
			return nil, err
		}
		e.rules = append(e.rules, lr)
	}
	return e, nil
}

func (e *linear) decide(from int, answers []int32) error {
	for i := range answers {
		answers[i] = e.first(&e.queries[from+i])
	}
	return nil
}

func (e *linear) first(q *workload.Query) int32 {
	for i := range e.rules {
		r := &e.rules[i]
		if r.tools == nil && r.tool != q.Tool || r.tools != nil && !r.tools.match(q.Tool) {
			continue
		}
		if r.pattern.Match(q.Text) {
			return int32(i)
		}
	}
	return -1
}

// lists has a list of rules for each tool.
type lists struct {
	byTool  map[string][]listed
	queries []workload.Query
}

type listed struct {
	rule    int32
	pattern *gobwas.Pattern
}

func newLists(rules []workload.Rule, queries []workload.Query) (engine, error) {
	e := &lists{make(map[string][]listed), queries}
	for i, r := range rules {
		tools, err := toolsOf(r)
		if err != nil {
			return nil, err
		}
		g, err := gobwas.Compile(r.Pattern)
		if err != nil {
			return nil, err
		}
		for _, t := range tools {
			e.byTool[t] = append(e.byTool[t], listed{int32(i), g})
		}
	}
	return e, nil
}

func (e *lists) decide(from int, answers []int32) error {
	for i := range answers {
		answers[i] = e.first(&e.queries[from+i])
	}
	return nil
}

func (e *lists) first(q *workload.Query) int32 {
	for _, l := range e.byTool[q.Tool] {
		if l.pattern.Match(q.Text) {
			return l.rule
		}
	}
	return -1
}
