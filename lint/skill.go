package lint

import (
	"fmt"
	"slices"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// Skill returns the entries of a skill's allowed-tools that cover no call, as
// far as that can be known: those that no command, path or URL is like, and those
// for tools that p does not know, after Options.SkillAliases. Rule is then the number of
// the entry. A nil p knows the built-in table alone. It may be called
// concurrently.
func Skill(p *permission.Policy, s *permission.Skill) []Finding {
	if s == nil || s.Unrestricted {
		return nil
	}
	if p == nil {
		var err error
		if p, err = permission.Compile(permission.Deny, nil, nil); err != nil {
			return nil
		}
	}
	var all []Finding
	for _, part := range p.Parts() {
		if part == nil {
			continue
		}
		l, err := newLinter(part, nil)
		if err != nil {
			continue
		}
		for i, r := range s.Tools {
			if c, err := l.compile(r, i+1); err == nil {
				l.entry(c)
			}
		}
		for _, f := range l.findings {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// entry finds what is odd about one entry of a skill's list.
func (l *linter) entry(r *rule) {
	if subject.IsShell(r.Tool) {
		if why, instead := subject.NoCommand(r.Pattern, true); why != "" {
			l.add(Fault, r, "no-command", why, instead)
		}
	}
	l.impossible(r)
	if len(l.options.KnownTools) == 0 {
		return
	}
	for _, tool := range r.tools {
		if !slices.ContainsFunc(l.alias(tool), l.knownFolded) {
			l.add(Fault, r, "unknown-tool", fmt.Sprintf("the runtime has no tool that %s stands for", visible.Quote(tool)),
				"write one that it has, or name it in Options.SkillAliases")
		}
	}
}
