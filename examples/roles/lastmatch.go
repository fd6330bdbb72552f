package main

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
)

// A rule is one as OpenCode writes it. Its permission is what a tool asks for,
// which is the tool's name for most, and its pattern has the wildcards * and ?
// only.
type rule struct {
	permission, pattern string
	action              permission.Action
}

// A ruleset is a list of rules in which a later one goes over an earlier one,
// however much more the earlier one says.
type ruleset struct {
	name  string
	rules []rule
}

// layers returns the policy of some rulesets, of which a later one goes over an
// earlier one. What no rule matches is asked.
func layers(o *permission.Options, sets ...ruleset) (*permission.Policy, error) {
	p, err := permission.Compile(permission.Ask, nil, o)
	for _, s := range sets {
		if err == nil {
			p, err = p.Override(s.firstMatch()...)
		}
	}
	return p, err
}

// firstMatch returns the rules of s as the library reads them: from the top,
// and the first that matches decides. So they are the same ones, last first.
func (s ruleset) firstMatch() []permission.Rule {
	var rules []permission.Rule
	for i, r := range s.rules {
		rules = append(rules, permission.Rule{
			Tool: tools(r.permission), Pattern: plain(r.pattern), Action: r.action,
			File: s.name, Line: i + 1,
		})
	}
	slices.Reverse(rules)
	return rules
}

// tools returns the names of the tools that ask for a permission.
func tools(permission string) string {
	if permission == "edit" {
		return "{edit,write,multiedit,apply_patch}"
	}
	return permission
}

// plain returns a pattern in which only * and ? mean something.
func plain(pattern string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`).Replace(pattern)
}
