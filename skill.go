package permission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/skill"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// maxListed is how many entries of a skill's list a refusal names.
const maxListed = 12

// A Skill is what a SKILL.md says about the tools that may run while the skill
// does. The zero value lets none run. It is plain data: reading it concurrently is
// safe, and a host may also make one itself.
type Skill struct {
	Name string // from the front matter; empty where it has none
	File string // as it was given to ParseSkill
	// Unrestricted means that there is no allowed-tools field, and so no limit
	// to what may run.
	Unrestricted bool
	// Tools are the entries of allowed-tools in their order, as rules that
	// allow. Only what one of them covers may run; without any, nothing may.
	Tools []Rule
	// Warnings are for people, one line each with its place: keys that only look
	// as if they restricted, and entries that cover no call.
	Warnings []string
}

// ParseSkill reads the front matter of a SKILL.md: YAML between a first line
// "---" and the next. Of its fields it takes name and allowed-tools, which is
// one string or a list of strings, each with blanks or commas between its
// entries:
//
//	Read            any call of the tool Read
//	Bash(make *)    calls of Bash that the pattern covers, see Rule.Pattern
//	Bash(make:*)    the same in other words
//	mcp__files__*   any call of the tools whose names begin so
//
// A skill without the field is unrestricted; one with nothing in it runs no
// tool. A file is taken whole or not at all: it is an error if the field is
// null, of another type or perhaps misspelt, if an entry is faulty, or if the
// front matter is not YAML or has anchors, aliases, merge keys, tags or
// duplicate keys. With an error there is no Skill. It joins a *ManifestError for
// each of the first hundred faults, and one that says how many more there are.
// The file only names the SKILL.md.
func ParseSkill(file string, data []byte) (*Skill, error) {
	doc, faults := skill.Read(data)
	if len(faults) > 0 {
		errs := make([]error, len(faults))
		for i, f := range faults {
			errs[i] = skillError(file, f)
		}
		return nil, errors.Join(errs...)
	}
	s := &Skill{Name: doc.Name, File: file, Unrestricted: doc.Unrestricted}
	for _, e := range doc.Entries {
		s.Tools = append(s.Tools, Rule{Tool: e.Tool, Pattern: e.Pattern, Action: Allow, File: file, Line: e.Line})
	}
	for _, w := range doc.Warnings {
		s.Warnings = append(s.Warnings, skillError(file, w).Error())
	}
	for _, r := range s.Tools {
		if !subject.IsShell(r.Tool) {
			continue
		}
		if why, instead := subject.NoCommand(r.Pattern, true); why != "" {
			w := skill.Fault{Line: r.Line, Key: "allowed-tools", Err: fmt.Errorf("%s(%s) covers nothing: %s", r.Tool, visible.Short(r.Pattern), why+": "+instead)}
			s.Warnings = append(s.Warnings, skillError(file, w).Error())
		}
	}
	return s, nil
}

func skillError(file string, f skill.Fault) *ManifestError {
	return &ManifestError{File: file, Line: f.Line, Key: f.Key, Err: f.Err}
}

// WithSkill returns a context in which s runs: calls that a [Hook] judges in it
// may touch nothing but what the skill's list covers, and what
// Options.SkillAlways does. It never grants: the policy decides as it does
// without the skill, and the stricter answer counts. Use the context for as
// long as the instructions of the skill are before the model, for its sub-agents
// too, and the one from before afterwards. Where skills run in one another, all
// of them must agree.
//
// Tools are those of s after Options.SkillAliases; case does not count. A skill
// that is unrestricted changes nothing. It fails for a nil skill, for one with a
// rule that does not allow or whose Tool is no glob, and for a policy that was not
// compiled; a disabled one restricts skills all the same. A pattern that is none
// allows nothing. Where a hook's policy may be swapped, take
// Hook.Policy: the restriction itself does not change with it.
// The context holds what s says now: changing s changes nothing.
func (p *Policy) WithSkill(ctx context.Context, s *Skill) (context.Context, error) {
	switch {
	case s == nil:
		return nil, errors.New("permission: WithSkill of a nil skill")
	case p == nil || p.state == stateNone:
		return nil, errors.New("permission: WithSkill of a policy that was not compiled")
	case s.Unrestricted:
		return ctx, nil
	}
	limits, err := p.limits(s.Tools)
	if err != nil {
		return nil, fmt.Errorf("permission: skill %s: %w", visible.Quote(s.Name), err)
	}
	r := &running{limits: limits, told: s.told(), outer: skillsIn(ctx)}
	return context.WithValue(ctx, runningKey{}, r), nil
}

type runningKey struct{}

// running is a skill that runs, and those around it. Nil is none.
type running struct {
	limits *Policy // which allows what the skill lists
	told   string  // what a refusal says of it
	outer  *running
}

func skillsIn(ctx context.Context) *running {
	r, _ := ctx.Value(runningKey{}).(*running)
	return r
}

// refuse returns the refusal of the innermost skill that does not list all that a
// call touches, if there is one.
func (r *running) refuse(tool string, find func(*subject.Reader) ([]subject.Subject, error)) (d Decision, refused bool) {
	for ; r != nil; r = r.outer {
		d := r.limits.evaluate(subject.LowerASCII(tool), find).Decision
		switch {
		case d.Action == Allow:
			continue
		case d.Cause == CauseDefault:
			return Decision{Cause: CauseSkill, Subject: d.Subject, Detail: r.told}, true
		}
		return d, true
	}
	return Decision{}, false
}

// limits returns a policy that allows what tools list and denies the rest, for
// calls that are read as p reads them. The names of its tools are in lower case,
// and those of calls have to be. It has no options and no hash.
func (p *Policy) limits(tools []Rule) (*Policy, error) {
	if p.state == stateStrictest {
		var parts []*Policy
		for _, part := range p.parts {
			limits, err := part.limits(tools)
			if err != nil {
				return nil, err
			}
			parts = append(parts, limits)
		}
		return Strictest(parts...), nil
	}
	var b index.Builder
	l := &Policy{state: stateRules, fallback: Deny, reader: p.reader}
	add := func(r Rule) error {
		if r.Action != Allow {
			return fmt.Errorf("the rule %v: a skill lists what it may use, so want allow", r)
		}
		names, err := glob.Expand(subject.LowerASCII(r.Tool))
		if err != nil {
			return fmt.Errorf("tool %s: %w", visible.Quote(r.Tool), err)
		}
		b.Add(names, true, allowing(p.reader, r.Pattern))
		l.rules = append(l.rules, r)
		return nil
	}
	for _, r := range tools {
		r.Tool = p.options.alias(r.Tool)
		if err := add(r); err != nil {
			return nil, err
		}
	}
	for _, r := range p.options.SkillAlways {
		if err := add(r); err != nil {
			return nil, err
		}
	}
	l.index = b.Rules()
	return l, nil
}

// allowing compiles a pattern for each kind of subject for which it is valid. Of
// another kind it allows nothing.
func allowing(reader *subject.Reader, pattern string) *index.Patterns {
	var patterns index.Patterns
	for _, k := range reader.Kinds([]string{"*"}) {
		if p, err := reader.Pattern(k, pattern, true); err == nil {
			patterns[k] = p
		}
	}
	return &patterns
}

// told returns what a refusal says of s.
func (s *Skill) told() string {
	who := "The skill"
	if s.Name != "" {
		who += " " + visible.Quote(s.Name)
	}
	if s.File != "" {
		who += " (" + visible.Short(s.File) + ")"
	}
	if len(s.Tools) == 0 {
		return who + " declares no tools"
	}
	var list []string
	for _, r := range s.Tools[:min(len(s.Tools), maxListed)] {
		entry := visible.Short(r.Tool)
		if r.Pattern != "*" {
			entry += "(" + visible.Short(r.Pattern) + ")"
		}
		list = append(list, entry)
	}
	if more := len(s.Tools) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return who + " allows only " + strings.Join(list, ", ")
}
