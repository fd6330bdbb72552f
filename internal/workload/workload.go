// Package workload makes rules and calls to measure with, from a fixed seed.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Tools are the tools that the rules are for.
var Tools = []string{"bash", "read", "write", "edit", "grep", "glob", "webfetch", "task"}

// A Rule is a rule with an action of 0 for deny, 1 for ask and 2 for allow.
type Rule struct {
	Tool, Pattern string
	Action        uint8
}

// A Query is a call with one text.
type Query struct{ Tool, Text string }

// Queries is how many different queries are made, more than a cache for answers
// holds.
const Queries = 6000

// Make returns n rules and the queries for them: a third are decided by one of
// the first rules, a third by one of the last, and a third by none or by chance.
func Make(n int, seed uint64) ([]Rule, []Query) {
	m := maker{rand.New(rand.NewPCG(seed, uint64(n)))}
	rules := make([]Rule, n)
	for i := range rules {
		rules[i] = m.rule()
	}
	queries := make([]Query, Queries)
	for i := range queries {
		switch i % 3 {
		case 0:
			queries[i] = m.hit(rules[m.IntN(max(1, n/10))])
		case 1:
			queries[i] = m.hit(rules[n-1-m.IntN(max(1, n/10))])
		default:
			queries[i] = Query{m.tool(), m.text(10 + m.IntN(190))}
		}
	}
	m.Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
	for i := range queries {
		queries[i].Text = strings.Clone(queries[i].Text) // beside the one before: what is judged has just been read
	}
	return rules, queries
}

type maker struct{ *rand.Rand }

func (m maker) tool() string { return Tools[m.IntN(len(Tools))] }

func (m maker) rule() Rule {
	r := Rule{Tool: m.tool(), Action: uint8(m.IntN(3))}
	switch p := m.IntN(100); {
	case p < 45: // the first words of a command
		r.Tool, r.Pattern = "bash", m.words(1+m.IntN(2))+" *"
	case p < 65:
		r.Pattern = "*" + m.word() + "." + m.word()
	case p < 80:
		r.Pattern = m.path(1+m.IntN(3)) + "/*"
	case p < 90:
		r.Pattern = m.path(2 + m.IntN(2))
	case p < 95:
		r.Pattern = "*" + m.word() + m.word() + "*"
	case p < 98:
		r.Pattern = []string{"[a-f]" + m.word() + "/*", "{" + m.word() + "," + m.word() + "} *", m.word() + "?" + m.word()}[m.IntN(3)]
	default:
		r.Tool, r.Pattern = []string{"*", "{read,write}", "w*"}[m.IntN(3)], m.word()+"/*"
	}
	return r
}

// hit returns a query that r decides if no earlier rule does.
func (m maker) hit(r Rule) Query {
	q := Query{r.Tool, r.Pattern}
	if strings.ContainsAny(r.Tool, "*{") {
		q.Tool = "write"
	}
	q.Text = strings.NewReplacer("[a-f]", "c", "?", "x").Replace(q.Text)
	if open := strings.IndexByte(q.Text, '{'); open >= 0 {
		end := strings.IndexByte(q.Text, '}')
		first, _, _ := strings.Cut(q.Text[open+1:end], ",")
		q.Text = q.Text[:open] + first + q.Text[end+1:]
	}
	q.Text = strings.ReplaceAll(q.Text, "*", m.text(5+m.IntN(60)))
	return q
}

// text returns words of about n bytes.
func (m maker) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte(" /"[m.IntN(2)])
		}
		b.WriteString(m.word())
	}
	return b.String()
}

func (m maker) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = m.word()
	}
	return strings.Join(all, " ")
}

func (m maker) path(n int) string { return strings.ReplaceAll(m.words(n), " ", "/") }

func (m maker) word() string {
	const consonants, vowels = "bcdfghklmnprstvw", "aeiou"
	var b strings.Builder
	for range 1 + m.IntN(3) {
		b.WriteByte(consonants[m.IntN(len(consonants))])
		b.WriteByte(vowels[m.IntN(len(vowels))])
	}
	if m.IntN(3) == 0 {
		fmt.Fprint(&b, m.IntN(100))
	}
	return b.String()
}
