package main

import (
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/workload"
)

// ours is the index of this library, with subjects that are texts.
type ours struct {
	rules    *index.Rules
	tools    []string
	subjects []subject.Subject
}

func newOurs(rules []workload.Rule, queries []workload.Query) (engine, error) {
	var b index.Builder
	for _, r := range rules {
		tools, err := glob.Expand(r.Tool)
		if err != nil {
			return nil, err
		}
		p, err := plainPattern(r.Pattern)
		if err != nil {
			return nil, err
		}
		b.Add(tools, permits(r), &index.Patterns{subject.Text: p})
	}
	e := &ours{rules: b.Rules()}
	readings := make([]text.Reading, len(queries)) // side by side, as the texts are
	for i, q := range queries {
		s := textOf(q.Text)
		readings[i] = s.Narrow[0]
		s.Narrow = readings[i : i+1]
		e.tools = append(e.tools, q.Tool)
		e.subjects = append(e.subjects, s)
	}
	return e, nil
}

func (e *ours) decide(from int, answers []int32) error {
	for i := range answers {
		n, _ := e.rules.For(e.tools[from+i]).First(&e.subjects[from+i])
		answers[i] = int32(n)
	}
	return nil
}

// plainPattern compiles a glob that means no more than it says.
func plainPattern(src string) (glob.Pattern, error) {
	alts, err := glob.Expand(src)
	if err != nil {
		return nil, err
	}
	var p glob.Pattern
	for _, alt := range alts {
		p = append(p, glob.Alternative{Glob: glob.Compile(alt, glob.Options{}), Forms: text.Whole})
	}
	return p, nil
}

// textOf returns a text as a subject.
func textOf(s string) subject.Subject {
	return subject.Subject{Text: s, Narrow: []text.Reading{{Text: text.Of(s), Form: text.Whole}}}
}

func permits(r workload.Rule) bool { return r.Action == 2 }
