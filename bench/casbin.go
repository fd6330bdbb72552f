package main

import (
	"fmt"
	"strconv"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"github.com/insomnia-run/permission/internal/workload"
)

// casbinModel takes the first policy that matches, in the order in which they
// were added. It knows allow and deny, so a policy of ours that asks is one
// that allows there, and what the rule says is looked up by the number that it
// has with it.
const casbinModel = `
[request_definition]
r = tool, text

[policy_definition]
p = tool, pattern, eft, number

[policy_effect]
e = priority(p.eft) || deny

[matchers]
m = (r.tool == p.tool || globTool(r.tool, p.tool)) && glob(r.text, p.pattern)
`

// casbinEngine matches with a function of ours, for casbin's own globMatch
// stops at slashes and compiles at each call. The functions look the globs of
// gobwas up in a map.
type casbinEngine struct {
	enforcer *casbin.Enforcer
	requests [][]any
}

func newCasbin(rules []workload.Rule, queries []workload.Query) (engine, error) {
	m, err := model.NewModelFromString(casbinModel)
	if err != nil {
		return nil, err
	}
	e := &casbinEngine{}
	if e.enforcer, err = casbin.NewEnforcer(m); err != nil {
		return nil, err
	}
	tools, patterns := make(map[string]globs), make(map[string]globs)
	policies := make([][]string, len(rules))
	for i, r := range rules {
		if !plainTool(r) { // others are compared
			if tools[r.Tool], err = compileAll(r.Tool); err != nil {
				return nil, err
			}
		}
		if patterns[r.Pattern], err = compileAll(r.Pattern); err != nil {
			return nil, err
		}
		effect := "allow"
		if r.Action == 0 {
			effect = "deny"
		}
		policies[i] = []string{r.Tool, r.Pattern, effect, strconv.Itoa(i)}
	}
	e.enforcer.AddFunction("globTool", matcher(tools))
	e.enforcer.AddFunction("glob", matcher(patterns))
	if _, err := e.enforcer.AddPolicies(policies); err != nil {
		return nil, err
	}
	for _, q := range queries {
		e.requests = append(e.requests, []any{q.Tool, q.Text})
	}
	return e, nil
}

// matcher returns a function of casbin that matches a text with a pattern among
// those of a map.
func matcher(patterns map[string]globs) func(args ...any) (any, error) {
	return func(args ...any) (any, error) {
		if len(args) != 2 {
			return nil, fmt.Errorf("%d arguments: want 2", len(args))
		}
		text, ok := args[0].(string)
		pattern, too := args[1].(string)
		if !ok || !too {
			return nil, fmt.Errorf("arguments %T and %T: want strings", args[0], args[1])
		}
		return patterns[pattern].match(text), nil
	}
}

func (e *casbinEngine) decide(from int, answers []int32) error {
	for i := range answers {
		_, policy, err := e.enforcer.EnforceEx(e.requests[from+i]...)
		if err != nil {
			return err
		}
		answers[i] = -1
		if len(policy) > 0 {
			n, err := strconv.Atoi(policy[len(policy)-1])
			if err != nil {
				return err
			}
			answers[i] = int32(n)
		}
	}
	return nil
}
