// Package casefile reads files of cases: calls, manifests and skills with
// their right answers, one JSON object a line. testdata/README.md describes
// the format.
//
// It reads strictly, because a case that is misread is a test that passes for
// the wrong reason: an unknown or repeated name, a null, a value of the wrong
// type and a file without cases are errors.
package casefile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line. It leaves room for the longest input that a policy
// reads, with every character of it escaped.
const maxLine = 100 << 20

// A Case is one line of a file. Exactly one of its pointers is set.
type Case struct {
	ID   string // "line N" where the file gives none; unique in its file
	File string
	Line int

	Call     *Call
	Manifest *Manifest
	Skill    *Skill
	Flow     *Flow
}

// A Call is a tool call and the action that a policy should give it.
type Call struct {
	// Default and Rules are the policy. Where Default is empty the case has
	// none: it is for one that whoever runs it brings.
	Default string
	Rules   []Rule
	Env     Env
	Tool    string
	Input   json.RawMessage
	Want    string // allow, ask or deny
}

// A Rule is a rule in the words of the file.
type Rule struct {
	Tool, Pattern, Action, Reason string
}

// An Env says where a call runs.
type Env struct {
	GOOS string // linux, darwin or windows
	Root string
	Home string
	// CaseInsensitive says whether the file system folds case. Where the case
	// is silent it follows from GOOS.
	CaseInsensitive bool
}

// A Manifest is a whole manifest and whether it should load.
type Manifest struct {
	Data    []byte
	Mention string // what its error should speak of; empty where it loads
	Warning string // what the linter should speak of; may be empty
}

// A Skill is a whole SKILL.md and what should be read from it: an error, no
// restriction, or a list of tools, which may be empty.
type Skill struct {
	Data         []byte
	Mention      string
	Unrestricted bool
	Tools        []Rule // without actions
}

// A Flow is a course of events in words, for a test written by hand.
type Flow struct {
	Group, Scenario, Want string
}

// Read returns the cases of r, or an error that joins what is wrong on each
// line; name stands for r in them. Where a case does not say where it runs,
// base does, and where base is empty: linux, in /srv/proj, home in /home/u.
func Read(name string, r io.Reader, base Env) ([]Case, error) {
	base = base.or(Env{GOOS: "linux", Root: "/srv/proj", Home: "/home/u"})
	var cases []Case
	var errs []error
	seen := make(map[string]int)
	in := newLines(r)
	for in.next() {
		c, err := parse(in.Bytes(), base)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, in.n, err))
			continue
		}
		c.File, c.Line = name, in.n
		if c.ID == "" {
			c.ID = fmt.Sprintf("line %d", in.n)
		}
		if first := seen[c.ID]; first > 0 {
			errs = append(errs, fmt.Errorf("%s:%d: id %q is that of line %d", name, in.n, c.ID, first))
		}
		seen[c.ID] = in.n
		cases = append(cases, c)
	}
	if err := in.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, in.n+1, err))
	}
	if len(cases)+len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s: no cases", name))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return cases, nil
}

// or returns e with the texts of base where e has none.
func (e Env) or(base Env) Env {
	if e.GOOS == "" {
		e.GOOS = base.GOOS
	}
	if e.Root == "" {
		e.Root = base.Root
	}
	if e.Home == "" {
		e.Home = base.Home
	}
	return e
}

// Folds reports whether file systems of e's GOOS usually fold case.
func (e Env) Folds() bool { return e.GOOS == "darwin" || e.GOOS == "windows" }

// lines scans lines that are not blank and counts them all.
type lines struct {
	*bufio.Scanner
	n int
}

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	return &lines{Scanner: s}
}

func (l *lines) next() bool {
	for l.Scan() {
		l.n++
		if len(bytes.TrimSpace(l.Bytes())) > 0 {
			return true
		}
	}
	return false
}
