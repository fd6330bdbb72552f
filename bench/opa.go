package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown/cache"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/workload"
)

// opaEngine has one rule of Rego for each rule, tool and alternative, which adds
// the number of the rule to a set; the least of the set decides. What is plain,
// a prefix, a suffix or a part is put as such, and OPA indexes rules by all but
// the parts; of glob.match without separators, which is the rest, its index
// makes nothing.
// The query is prepared, inputs are values of OPA, and compiled patterns are
// kept from query to query.
type opaEngine struct {
	query  rego.PreparedEvalQuery
	inputs []ast.Value
}

func newOPA(rules []workload.Rule, queries []workload.Query) (engine, error) {
	var module strings.Builder
	module.WriteString("package bench\n\nfirst := min(found)\n\n")
	for i, r := range rules {
		if err := writeRego(&module, i, r); err != nil {
			return nil, fmt.Errorf("%v: %w", r, err)
		}
	}
	ctx := context.Background()
	entries := len(rules) + 1
	values := cache.NewInterQueryValueCache(ctx, &cache.Config{
		InterQueryBuiltinValueCache: cache.InterQueryBuiltinValueCacheConfig{MaxNumEntries: &entries},
	})
	e := &opaEngine{}
	var err error
	e.query, err = rego.New(
		rego.Query("data.bench.first"),
		rego.Module("bench.rego", module.String()),
		rego.InterQueryBuiltinValueCache(values),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range queries {
		e.inputs = append(e.inputs, ast.NewObject(
			[2]*ast.Term{ast.StringTerm("tool"), ast.StringTerm(q.Tool)},
			[2]*ast.Term{ast.StringTerm("text"), ast.StringTerm(q.Text)},
		))
	}
	return e, nil
}

func (e *opaEngine) decide(from int, answers []int32) error {
	for i := range answers {
		results, err := e.query.Eval(context.Background(), rego.EvalParsedInput(e.inputs[from+i]))
		if err != nil {
			return err
		}
		answers[i] = -1
		if len(results) > 0 { // the least of none is undefined
			n, err := number(results[0].Expressions[0].Value)
			if err != nil {
				return err
			}
			answers[i] = n
		}
	}
	return nil
}

// number returns a number as OPA gives it.
func number(v any) (int32, error) {
	n, ok := v.(interface{ Int64() (int64, error) })
	if !ok {
		return 0, fmt.Errorf("a result that is a %T: want a number", v)
	}
	i, err := n.Int64()
	return int32(i), err
}

// writeRego writes the rules of Rego for rule i.
func writeRego(b *strings.Builder, i int, r workload.Rule) error {
	tools, err := toolsOf(r)
	if err != nil {
		return err
	}
	alts, err := glob.Expand(r.Pattern)
	if err != nil {
		return err
	}
	for _, alt := range alts {
		for _, t := range tools {
			fmt.Fprintf(b, "found contains %d if {\n\tinput.tool == %q\n\t%s\n}\n\n", i, t, regoCondition(alt))
		}
	}
	return nil
}

// regoCondition returns an alternative as a condition.
func regoCondition(alt string) string {
	switch t, text := testOf(pieces(alt)); t {
	case whole:
		return fmt.Sprintf("input.text == %q", text)
	case starts:
		return fmt.Sprintf("startswith(input.text, %q)", text)
	case ends:
		return fmt.Sprintf("endswith(input.text, %q)", text)
	case contains:
		return fmt.Sprintf("contains(input.text, %q)", text)
	}
	return fmt.Sprintf("glob.match(%q, null, input.text)", alt)
}
