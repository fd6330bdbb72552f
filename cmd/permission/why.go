package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

// why says in one line what d, the answer for a call of tool, rests on. The
// default of the policy stands in source.
func why(d permission.Decision, tool, source string) string {
	switch {
	case d.Cause == permission.CauseRule && d.Rule != nil:
		return rule(d.Rule) + " matches " + visible.Quote(d.Subject.Text) + remarks(d.Rule.Reason, d.Detail)
	case d.Cause == permission.CauseDoubt && d.Rule != nil:
		return rule(d.Rule) + " may match " + visible.Quote(d.Subject.Text) + remarks(d.Detail, d.Rule.Reason)
	case d.Cause == permission.CauseDefault:
		return fmt.Sprintf("default_action of %s: no rule for %s matches %s%s",
			visible.Text(source), visible.Short(tool), visible.Quote(d.Subject.Text), remarks(d.Detail))
	case d.Cause == permission.CauseDisabled:
		return visible.Text(source) + " has no [permissions] table, so every call runs"
	}
	return d.Cause.String() + remarks(d.Detail)
}

// rule names a rule by its words and its place.
func rule(r *permission.Rule) string {
	s := "rule " + visible.Text(r.Tool) + " " + visible.Quote(r.Pattern)
	if r.File != "" {
		s += " (" + visible.Text(location(r.File, r.Line)) + ")"
	}
	return s
}

// location returns a place as file:line, or the file alone where the line is not
// known.
func location(file string, line int) string {
	return visible.Place(filepath.ToSlash(file), line)
}

// remarks joins what there is of texts to a sentence before it.
func remarks(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		if text != "" {
			b.WriteString(": " + visible.Text(text))
		}
	}
	return b.String()
}
