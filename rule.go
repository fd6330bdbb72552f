package permission

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Rule says what happens to a subject of a call. The zero value is not a
// rule: Compile refuses it.
type Rule struct {
	// Tool is a glob over the tool's name, which must match as a whole. Case
	// counts.
	Tool string `json:"tool"`
	// Pattern is a glob over each subject of the call, which must match as a
	// whole. "*" matches any characters, slashes and blanks included, "?" any
	// one, "[a-z]" and "[!ab]" one of a class, "{a,b}" either; "\" escapes.
	//
	// A " *" at its end also matches nothing, so that "git push *" covers
	// "git push"; for paths and URLs so does a "/*" at its end, and a "**/" at
	// the start or behind a slash. Paths are matched clean, in full and from
	// Options.Root: a relative pattern allows what is inside the root alone.
	// "domain:HOST" is for the host of a URL, "> PATH" and "< PATH" are for the
	// files that a command line writes and reads.
	//
	// In a rule that denies or asks, brackets and braces also stand for
	// themselves, and a "/" at the end of a path covers what is below it.
	Pattern string `json:"pattern"`
	Action  Action `json:"action"` // what becomes of what matches; zero is Deny
	// Reason is told to the model and to the approver; it may be empty.
	Reason string `json:"reason,omitempty"`
	// File and Line say where the rule stands. Line is 0 where it is not
	// known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // from 1
}

// maxSpread bounds how many alternatives the patterns of all rules have, beside
// one for each kind of subject that calls of their tools touch. Each takes time
// and memory, and a rule of a hundred bytes may have hundreds.
const maxSpread = 1 << 17

// compileRules compiles each rule for every kind of subject that its tools can
// have.
func compileRules(reader *subject.Reader, rules []Rule) (*index.Rules, error) {
	var b index.Builder
	var errs []error
	for i := range rules {
		r := &rules[i]
		for _, f := range compileRule(&b, reader, r) {
			errs = append(errs, &ManifestError{File: r.File, Line: r.Line, Rule: i + 1, Key: f.key, Err: f.err})
		}
		if b.Spread() > maxSpread {
			err := fmt.Errorf("the patterns up to here have more than %d alternatives in braces: write fewer, and name the tools that a rule is for", maxSpread)
			errs = append(errs, &ManifestError{File: r.File, Line: r.Line, Rule: i + 1, Key: "pattern", Err: err})
			break
		}
	}
	return b.Rules(), errors.Join(errs...)
}

// compileRule adds r to b, or returns what is wrong with each of its keys.
func compileRule(b *index.Builder, reader *subject.Reader, r *Rule) (faults []keyFault) {
	fault := func(key string, err error) {
		if err != nil {
			faults = append(faults, keyFault{key, err})
		}
	}
	tools, err := toolGlobs(r.Tool)
	fault("tool", err)
	patterns, err := compilePattern(reader, r, tools)
	fault("pattern", err)
	if r.Action > Allow {
		fault("action", unknownAction(r.Action))
	}
	if len(faults) == 0 {
		b.Add(tools, r.Action == Allow, patterns)
	}
	return faults
}

func unknownAction(a Action) error {
	return fmt.Errorf("unknown action %v: want Deny, Ask or Allow", a)
}

// A keyFault is what is wrong with one key of a rule.
type keyFault struct {
	key string
	err error
}

// compilePattern compiles the pattern of r for every kind of subject that its
// tools can have, or for all kinds where nobody can tell what those are.
func compilePattern(reader *subject.Reader, r *Rule, tools []string) (*index.Patterns, error) {
	if err := checkPattern(r.Pattern); err != nil {
		return nil, err
	}
	if tools == nil {
		tools = []string{"*"}
	}
	var patterns index.Patterns
	for _, k := range reader.Kinds(tools) {
		var err error
		if patterns[k], err = reader.Pattern(k, r.Pattern, r.Action == Allow); err != nil {
			return nil, err
		}
	}
	return &patterns, nil
}

// checkPattern reports what is wrong with a pattern for any kind of subject. A
// rule that can never match is one that is missing.
func checkPattern(pattern string) error {
	if strings.TrimSpace(pattern) == "" {
		return errors.New(`empty: write "*" for everything`)
	}
	for i, r := range pattern {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return fmt.Errorf(`a control character at offset %d: write the string in single quotes if a "\" is meant`, i)
		}
	}
	if strings.TrimSpace(pattern) != pattern {
		return errors.New(`a blank or line end before or after it, which nothing has: write "[ ]" for a blank`)
	}
	return nil
}

// String returns r on one line, with its place as far as that is known:
//
//	deny bash "rm *" (policy.toml:12)
func (r Rule) String() string {
	return r.Action.String() + " " + visible.Short(r.Tool) + " " + r.patternAt()
}

// place names r in a sentence.
func (r *Rule) place() string { return "rule for " + visible.Short(r.Tool) + " " + r.patternAt() }

func (r *Rule) patternAt() string {
	s := visible.Quote(r.Pattern)
	if where := visible.Place(r.File, r.Line); where != "" {
		s += " (" + visible.Text(where) + ")"
	}
	return s
}
