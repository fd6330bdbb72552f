package main

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"

	"github.com/insomnia-run/permission/internal/workload"
)

// celEngine has one program a rule, and asks them in their order up to the
// first that is true. What is a prefix, suffix or part is put as such, and the
// rest as a regular expression, which is compiled once.
type celEngine struct {
	programs []cel.Program
	inputs   []map[string]any
}

func newCEL(rules []workload.Rule, queries []workload.Query) (engine, error) {
	env, err := cel.NewEnv(cel.Variable("tool", cel.StringType), cel.Variable("text", cel.StringType))
	if err != nil {
		return nil, err
	}
	e := &celEngine{}
	for _, r := range rules {
		src, err := celSource(r)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", r, err)
		}
		parsed, issues := env.Compile(src)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		p, err := env.Program(parsed, cel.EvalOptions(cel.OptOptimize))
		if err != nil {
			return nil, err
		}
		e.programs = append(e.programs, p)
	}
	for _, q := range queries {
		e.inputs = append(e.inputs, map[string]any{"tool": q.Tool, "text": q.Text})
	}
	return e, nil
}

func (e *celEngine) decide(from int, answers []int32) error {
	for i := range answers {
		answers[i] = -1
		for n, p := range e.programs {
			v, _, err := p.Eval(e.inputs[from+i])
			if err != nil {
				return err
			}
			if v.Value() == true {
				answers[i] = int32(n)
				break
			}
		}
	}
	return nil
}

// celSource returns a rule as an expression.
func celSource(r workload.Rule) (string, error) {
	tools, err := toolsOf(r)
	if err != nil {
		return "", err
	}
	alts, err := piecesOf(r.Pattern)
	if err != nil {
		return "", err
	}
	conditions := make([]string, len(alts))
	for i, ps := range alts {
		conditions[i] = celCondition(ps)
	}
	condition := "(" + strings.Join(conditions, " || ") + ")"
	switch {
	case len(tools) == len(workload.Tools):
		return condition, nil
	case len(tools) == 1:
		return fmt.Sprintf("tool == %q && %s", tools[0], condition), nil
	}
	for i, t := range tools {
		tools[i] = fmt.Sprintf("%q", t)
	}
	return fmt.Sprintf("tool in [%s] && %s", strings.Join(tools, ", "), condition), nil
}

// celCondition returns an alternative as a condition.
func celCondition(ps []piece) string {
	switch t, text := testOf(ps); t {
	case whole:
		return fmt.Sprintf("text == %q", text)
	case starts:
		return fmt.Sprintf("text.startsWith(%q)", text)
	case ends:
		return fmt.Sprintf("text.endsWith(%q)", text)
	case contains:
		return fmt.Sprintf("text.contains(%q)", text)
	}
	return fmt.Sprintf("text.matches(%q)", `(?s)\A`+expression(ps)+`\z`)
}
