package permission

import (
	"errors"

	"github.com/insomnia-run/permission/internal/skill"
)

// A Skill is what a SKILL.md says about the tools that may run while the skill
// does. The zero value lets none run.
type Skill struct {
	Name string // from the front matter; empty where it has none
	File string // as it was given to ParseSkill
	// Unrestricted means that there is no allowed-tools field, and so no limit
	// to what may run.
	Unrestricted bool
	// Tools are the entries of allowed-tools in their order, as rules that
	// allow. Only what one of them covers may run; without any, nothing may.
	Tools []Rule
	// Warnings name keys that only look as if they restricted, and their lines.
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
	return s, nil
}

func skillError(file string, f skill.Fault) *ManifestError {
	return &ManifestError{File: file, Line: f.Line, Key: f.Key, Err: f.Err}
}
