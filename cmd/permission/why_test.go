package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission"
)

func TestWhy(t *testing.T) {
	rule := &permission.Rule{Tool: "bash", Pattern: "rm *", Reason: "no", File: "m.toml", Line: 7}
	bare := &permission.Rule{Tool: "bash", Pattern: "rm *"}
	subject := permission.Subject{Text: "rm x"}
	tests := []struct {
		name string
		d    permission.Decision
		want string
	}{
		{"zero", permission.Decision{}, "fault"},
		{"rule", permission.Decision{Cause: permission.CauseRule, Rule: rule, Subject: subject},
			`rule bash "rm *" (m.toml:7) matches "rm x": no`},
		{"rule without a place", permission.Decision{Cause: permission.CauseRule, Rule: bare, Subject: subject},
			`rule bash "rm *" matches "rm x"`},
		{"rule without a line", permission.Decision{Cause: permission.CauseRule, Rule: &permission.Rule{Tool: "*", Pattern: "*", File: "m.toml"}},
			`rule * "*" (m.toml) matches ""`},
		{"rule in a cause that lacks it", permission.Decision{Cause: permission.CauseRule}, "rule"},
		{"doubt", permission.Decision{Cause: permission.CauseDoubt, Rule: rule, Subject: subject, Detail: "$x is unknown"},
			`rule bash "rm *" (m.toml:7) may match "rm x": $x is unknown: no`},
		{"default in doubt", permission.Decision{Cause: permission.CauseDefault, Subject: subject, Detail: "$x is unknown"},
			`default_action of f.toml: no rule for bash matches "rm x": $x is unknown`},
		{"malformed", permission.Decision{Cause: permission.CauseMalformed, Detail: "not JSON"}, "malformed: not JSON"},
		{"disabled", permission.Decision{Cause: permission.CauseDisabled}, "f.toml has no [permissions] table, so every call runs"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, why(tt.d, "bash", "f.toml"), tt.name)
	}
}
