package permission_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission"
)

func TestARuleIsOneLineWithItsPlace(t *testing.T) {
	for want, r := range map[string]permission.Rule{
		`deny bash "rm *" (policy.toml:12)`: {Tool: "bash", Pattern: "rm *", File: "policy.toml", Line: 12},
		`ask read "*" (policy.toml)`:        {Tool: "read", Pattern: "*", Action: permission.Ask, File: "policy.toml"},
		`allow {read,ls} "src/*" (line 3)`:  {Tool: "{read,ls}", Pattern: "src/*", Action: permission.Allow, Line: 3},
		`allow * "*"`:                       {Tool: "*", Pattern: "*", Action: permission.Allow, Reason: "not shown"},
		`deny a\nb "\"\\\u202e"`:            {Tool: "a\nb", Pattern: "\"\\\u202e"},
		`deny  ""`:                          {},
	} {
		assert.Equal(t, want, r.String())
	}
}

func TestADecisionIsOneLineWithItsCause(t *testing.T) {
	rule := &permission.Rule{Tool: "bash", Pattern: "rm *", File: "policy.toml", Line: 12}
	rm := permission.Subject{Kind: permission.Command, Text: "rm -rf /"}
	for want, d := range map[string]permission.Decision{
		`deny: fault`: {},
		`deny: rule: deny bash "rm *" (policy.toml:12): "rm -rf /"`: {
			Cause: permission.CauseRule, Rule: rule, Subject: rm},
		`allow: default: "rm -rf /"`: {
			Action: permission.Allow, Cause: permission.CauseDefault, Subject: rm},
		`ask: doubt: deny bash "rm *" (policy.toml:12): "rm -rf /": $X is unknown`: {
			Action: permission.Ask, Cause: permission.CauseDoubt, Rule: rule, Subject: rm, Detail: "$X is unknown"},
		`deny: malformed: not an object\n`: {
			Cause: permission.CauseMalformed, Detail: "not an object\n"},
		`deny: rejected: "a\nb\"": no\u202e`: {
			Cause: permission.CauseRejected, Subject: permission.Subject{Text: "a\nb\""}, Detail: "no\u202e"},
	} {
		assert.Equal(t, want, d.String())
	}
}

// A line of a log stays a line, whatever the model wrote.
func TestStringsAreShort(t *testing.T) {
	long := strings.Repeat("é\n", 1<<16)
	rule := permission.Rule{Tool: long, Pattern: long}
	d := permission.Decision{Rule: &rule, Subject: permission.Subject{Text: long}, Detail: long}
	for _, s := range []string{rule.String(), d.String()} {
		assert.Less(t, len(s), 2000)
		assert.NotContains(t, s, "\n")
	}
}

// A number that is no word of its kind is shown as what it is.
func TestNumbersWithoutAWordAreShown(t *testing.T) {
	for want, s := range map[string]interface{ String() string }{
		"Action(9)": permission.Action(9), "Answer(9)": permission.Answer(9),
		"Cause(99)": permission.Cause(99), "Kind(9)": permission.Kind(9),
	} {
		assert.Equal(t, want, s.String())
	}
}
