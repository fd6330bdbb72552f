package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cedar-policy/cedar-go"

	"github.com/insomnia-run/permission/internal/workload"
)

// cedarEngine has one policy a rule, each a permit: Cedar has no order, and
// would drop the permits that match beside a forbid. It looks at all of them in
// any case, and reports which ones match; the lowest number of those decides,
// and what the rule says is looked up behind it. The tool is the action, which
// the scope of a policy compares; the text stands in the context.
//
// Like knows stars alone. A class is put as one like for each of its
// characters, and a "?" as a star together with the length of the whole, which
// the context has too.
type cedarEngine struct {
	policies *cedar.PolicySet
	requests []cedar.Request
}

func newCedar(rules []workload.Rule, queries []workload.Query) (engine, error) {
	e := &cedarEngine{policies: cedar.NewPolicySet()}
	for i, r := range rules {
		src, err := cedarPolicy(r)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", r, err)
		}
		var p cedar.Policy
		if err := p.UnmarshalCedar([]byte(src)); err != nil {
			return nil, fmt.Errorf("%s: %w", src, err)
		}
		e.policies.Add(cedar.PolicyID(strconv.Itoa(i)), &p)
	}
	for _, q := range queries {
		e.requests = append(e.requests, cedar.Request{
			Principal: cedar.NewEntityUID("Agent", "agent"),
			Action:    cedar.NewEntityUID("Action", cedar.String(q.Tool)),
			Resource:  cedar.NewEntityUID("Host", "host"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"text":   cedar.String(q.Text),
				"length": cedar.Long(utf8.RuneCountInString(q.Text)),
			}),
		})
	}
	return e, nil
}

func (e *cedarEngine) decide(from int, answers []int32) error {
	for i := range answers {
		_, d := cedar.Authorize(e.policies, nil, e.requests[from+i])
		if len(d.Errors) > 0 {
			return fmt.Errorf("policy %s: %s", d.Errors[0].PolicyID, d.Errors[0].Message)
		}
		answers[i] = -1
		for _, r := range d.Reasons {
			n, err := strconv.Atoi(string(r.PolicyID))
			if err != nil {
				return err
			}
			if answers[i] < 0 || int32(n) < answers[i] {
				answers[i] = int32(n)
			}
		}
	}
	return nil
}

// cedarPolicy returns the policy of a rule.
func cedarPolicy(r workload.Rule) (string, error) {
	tools, err := toolsOf(r)
	if err != nil {
		return "", err
	}
	action := "action"
	if len(tools) < len(workload.Tools) {
		for i, t := range tools {
			tools[i] = fmt.Sprintf("Action::%q", t)
		}
		action = "action in [" + strings.Join(tools, ", ") + "]"
		if len(tools) == 1 {
			action = "action == " + tools[0]
		}
	}
	alts, err := piecesOf(r.Pattern)
	if err != nil {
		return "", err
	}
	var conditions []string
	for _, alt := range alts {
		plain, err := unclassed(alt)
		if err != nil {
			return "", err
		}
		for _, ps := range plain {
			c, err := cedarCondition(ps)
			if err != nil {
				return "", err
			}
			conditions = append(conditions, c)
		}
	}
	return fmt.Sprintf("permit (principal, %s, resource) when { %s };", action, strings.Join(conditions, " || ")), nil
}

// cedarCondition returns an alternative without classes as a condition.
func cedarCondition(ps []piece) (string, error) {
	if t, text := testOf(ps); t == whole {
		return fmt.Sprintf("context.text == %q", text), nil
	}
	var like strings.Builder
	stars, ones, length := 0, 0, 0
	for _, p := range ps {
		switch p.kind {
		case plain:
			length += utf8.RuneCountInString(p.text)
			like.WriteString(p.text)
			continue
		case star:
			stars++
		default:
			ones++
		}
		like.WriteByte('*')
	}
	if ones == 0 {
		return fmt.Sprintf("context.text like %q", like.String()), nil
	}
	if stars > 0 || ones > 1 {
		return "", fmt.Errorf("%q beside another wildcard cannot be said", "?")
	}
	return fmt.Sprintf("(context.text like %q && context.length == %d)", like.String(), length+ones), nil
}
