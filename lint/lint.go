// Package lint finds rules that cannot mean what they say: rules that can never
// decide, that no call is like, or that cover more, or less, than they seem to.
//
// It reads rules, and knows nothing of the calls to come. A [Fault] is a rule
// that is wrong whatever is called. An [Advice] is one that is wrong more often
// than not; it may well be meant.
//
// The checks whose findings are faults:
//
//	unreachable   rules before it decide all that it matches
//	duplicate     one before it says the same
//	behind-allow  it refuses what one before it allows
//	no-command    no simple command is like its pattern
//	impossible    no path or URL is
//	regexp        its pattern is a regular expression
//	bare-name     it refuses a secret in the root alone
//	other-kind    its pattern is for what its tools are not about
//	unknown-tool  there is no such tool
//
// And those whose findings are advice:
//
//	everything    it allows all there is
//	program       it allows a program that can do more, with any arguments
//	leading-star, inner-star, letter-star
//	              a star in what it allows takes in more than it shows
//	brackets      a class where a name may be meant, or the other way round
//	declared-text it allows by its letters what a declaration makes a text of
//	wildcard-tool a narrow pattern for tools that nobody has declared
//	wide-url      it allows more hosts than it shows
//	front-page    it allows a host's first page alone
//	shell-star    it refuses what may be any command
//	shell-path, program-path, no-arguments
//	              it refuses less of the shell than it seems to
//	operator      what joins commands is no part of them
//	spelling      what it refuses is allowed in another spelling
//	around        what it refuses is allowed by another tool
//	near-tool     its tool is nearly one that is known
package lint

import (
	"cmp"
	"fmt"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

// A Level says how sure a finding is.
type Level uint8

// The levels of a finding.
const (
	Fault  Level = iota // the rule cannot do what it says; the zero value
	Advice              // the rule is likely not to be what was meant
)

// String returns "fault" or "advice", and Level(n) for an n that is neither.
func (l Level) String() string {
	switch l {
	case Fault:
		return "fault"
	case Advice:
		return "advice"
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// MarshalText returns what String does.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads "fault" or "advice". With an error l is as it was.
func (l *Level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "fault":
		*l = Fault
	case "advice":
		*l = Advice
	default:
		return fmt.Errorf("unknown level %q: want fault or advice", text)
	}
	return nil
}

// A Finding is one thing that is odd about a rule.
type Finding struct {
	Level Level  `json:"level"`          // how sure it is
	File  string `json:"file,omitempty"` // of the rule; empty where it has none
	Line  int    `json:"line,omitempty"` // of the rule; 0 where it is not known
	Rule  int    `json:"rule"`           // its number, from 1
	Check string `json:"check"`          // what was looked for: a short name that stays
	Why   string `json:"why"`            // what is odd
	// Instead says what to write.
	Instead string `json:"instead"`
}

// String returns the finding on one line:
//
//	agent.toml:12: rule 3: unreachable: why it never decides: what to write
//	agent.toml:15: rule 4: program (advice): what it covers: what to write
func (f Finding) String() string {
	place := cmp.Or(visible.Place(f.File, f.Line), "permission")
	check := f.Check
	if f.Level == Advice {
		check += " (advice)"
	}
	return visible.Text(fmt.Sprintf("%s: rule %d: %s: %s: %s", place, f.Rule, check, f.Why, f.Instead))
}

// Policy returns what is odd about the rules of p, in their order, the faults
// of each before the advice; of a policy of Strictest, part by part. A nil
// policy and a disabled one have no rules. It may be called concurrently, and
// takes time in the square of the number of rules: it is for a command or a test,
// not for each call.
func Policy(p *permission.Policy) []Finding {
	if p == nil || !p.Enabled() {
		return nil
	}
	var all []Finding
	for _, part := range p.Parts() {
		if part == nil {
			continue
		}
		l, err := newLinter(part, part.Rules())
		if err != nil {
			continue // a policy that was never compiled
		}
		all = append(all, l.run()...)
	}
	return all
}
