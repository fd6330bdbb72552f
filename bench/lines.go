package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/workload"
)

// A hostileLine is a command line and how many seconds its decision takes.
type hostileLine struct {
	name    string
	decide  func()
	seconds float64
}

// lines measures command lines that are meant to take long, and returns the
// one that takes longest: those that do so at a first look are looked at again.
func (b *bench) lines() (figure, error) {
	f := figure{name: "any 64 KiB command line, 1,000 rules", must: 1, aim: 0.2, unit: "s"}
	everyday, _ := workload.Make(1000, b.seed)
	var all []hostileLine
	for name, rules := range map[string][]workload.Rule{
		"near rules": workload.Near(1000), "everyday rules": everyday, "rules for inner words": innerRules(1000),
	} {
		p, err := compile(rules)
		if err != nil {
			return f, err
		}
		all = append(all, hostileLines(p, name)...)
	}
	for i := range all {
		all[i].seconds = fastest(1, all[i].decide) / 1e9
	}
	slices.SortFunc(all, func(a, b hostileLine) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, l := range all[:finalists] {
		if l.seconds < tooLong/1e9 {
			c := &contender{work: repeat(l.decide)}
			race(b.rounds, c)
			l.seconds = c.median() / 1e9
		}
		b.logf("%26.3f s %s", l.seconds, l.name)
		if l.seconds > f.measured {
			f.measured, f.note = l.seconds, l.name
		}
	}
	return f, nil
}

// innerRules returns rules that look for a word and for more beside it.
func innerRules(n int) []workload.Rule {
	rules := make([]workload.Rule, n)
	for i := range rules {
		rules[i] = workload.Rule{Tool: "bash", Pattern: fmt.Sprintf("*secret%d?[0-9]*", i), Action: uint8(i % 3)}
	}
	return rules
}

// finalists are how many of what was looked at once are measured.
const finalists = 4

// hostileLines returns the lines as calls that p decides.
func hostileLines(p *permission.Policy, rules string) []hostileLine {
	lines := workload.Lines(workload.LongestLine)
	for name, line := range workload.MatchedLines() {
		lines["matched "+name] = line
	}
	lines["inner words"] = "echo " + strings.Repeat("secret7", 9000)
	var all []hostileLine
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		s := permission.Subject{Kind: permission.Command, Text: lines[name]}
		all = append(all, hostileLine{name: name + ", " + rules, decide: func() { p.EvaluateSubjects("bash", s) }})
	}
	return all
}
