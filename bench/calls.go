package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/workload"
)

// calls measures whole calls, from their JSON to the answer, beside what a
// runtime does with them anyway.
func (b *bench) calls() ([]figure, error) {
	p, err := compile(workload.WithLast(100, b.seed))
	if err != nil {
		return nil, err
	}
	plain, err := b.allowed(p, workload.Plain)
	if err != nil {
		return nil, err
	}
	compound, err := b.allowed(p, workload.Compound)
	if err != nil {
		return nil, err
	}
	ours := &contender{work: repeat(func() { p.Evaluate(plain) })}
	decode := &contender{work: repeat(func() { unmarshal(plain.Input) })}
	oursLine := &contender{work: repeat(func() { p.Evaluate(compound) })}
	parse := &contender{work: repeat(func() { parseLine(workload.Compound) })}
	race(b.rounds, ours, decode, oursLine, parse)
	allocs := testing.AllocsPerRun(100, func() { p.Evaluate(plain) })
	return []figure{
		{name: "Evaluate of a plain call ÷ json.Unmarshal of it", must: 1, aim: 0.6, measured: ours.median() / decode.median()},
		{name: "allocations of that call", must: 5, aim: 2, measured: allocs},
		{name: "Evaluate of a compound line ÷ a parse of it", must: 3, aim: 2, measured: oursLine.median() / parse.median()},
	}, nil
}

// allowed returns the call of a command line, which one of the last rules has
// to allow, so that what is measured is the whole way.
func (b *bench) allowed(p *permission.Policy, line string) (permission.ToolCall, error) {
	input, err := json.Marshal(struct {
		Command json.RawMessage `json:"command"`
	}{json.RawMessage(fmt.Sprintf("%q", line))})
	c := permission.ToolCall{Name: "bash", Input: input}
	if d := p.Evaluate(c); err == nil && (d.Action != permission.Allow || d.Cause != permission.CauseRule) {
		err = fmt.Errorf("seed %d: %q is not allowed by a rule: take another seed", b.seed, line)
	}
	return c, err
}

// unmarshal reads the input of a call as a tool does.
func unmarshal(input []byte) {
	var in struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(input, &in); err != nil {
		panic(err)
	}
}

// parseLine parses a command line with a parser of its own.
func parseLine(line string) {
	if _, err := syntax.NewParser().Parse(strings.NewReader(line), ""); err != nil {
		panic(err)
	}
}

// compile compiles rules for a machine that is the same everywhere.
func compile(rules []workload.Rule) (*permission.Policy, error) {
	given := make([]permission.Rule, len(rules))
	for i, r := range rules {
		given[i] = permission.Rule{Tool: r.Tool, Pattern: r.Pattern, Action: permission.Action(r.Action)}
	}
	return permission.Compile(permission.Allow, given, &permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"})
}

// longText measures a text of 10 KB beside one look at each of its bytes. No
// rule decides it, so that each has to be ruled out.
func (b *bench) longText() (figure, error) {
	f, err := newField(specs(true)[:1], 1000, b.seed)
	if err != nil {
		return figure{}, err
	}
	worst := figure{name: "10 KB of text, 1,000 rules ÷ byte pass", must: 1.5, aim: 0.4}
	long := map[string]string{"of words that no rule knows": strings.Repeat("zq/zx yy ", 1138)}
	if long["of the workload's words"], err = f.undecided(10 << 10); err != nil {
		return figure{}, err
	}
	rules := f.engines[0].(*ours).rules
	sink := int32(0)
	for name, s := range long {
		sub := textOf(s)
		if n, _ := rules.For("bash").First(&sub); n >= 0 {
			return figure{}, fmt.Errorf("rule %d decides the text %s", n, name)
		}
		index := &contender{work: repeat(func() { rules.For("bash").First(&sub) })}
		bytes := &contender{work: repeat(func() { sink += pass(s) })}
		race(b.rounds, index, bytes)
		if r := index.median() / bytes.median(); r > worst.measured {
			worst.measured, worst.note = r, name
		}
	}
	return worst, nil
}

// undecided returns a text of size bytes, made of words of the queries, that
// no rule for bash decides.
func (f *field) undecided(size int) (string, error) {
	rules := f.engines[0].(*ours).rules
	text := ""
	for _, q := range f.queries {
		for _, word := range strings.FieldsFunc(q.Text, func(r rune) bool { return r == ' ' || r == '/' }) {
			longer := text + word + " "
			s := textOf(longer)
			if n, _ := rules.For("bash").First(&s); n < 0 {
				text = longer
			}
			if len(text) >= size {
				return text[:size-1] + "x", nil
			}
		}
	}
	return "", fmt.Errorf("no text of %d bytes that no rule decides", size)
}
