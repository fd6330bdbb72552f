package permission_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
)

// skillCases returns the cases of skills.jsonl; without any it fails.
func skillCases(t testing.TB) []casefile.Case {
	t.Helper()
	cases := readCases(t, "skills.jsonl")
	for _, c := range cases {
		require.NotNil(t, c.Skill, c.ID)
	}
	return cases
}

func TestSkillsLoadAsTheCorpusSays(t *testing.T) {
	for _, c := range skillCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			s, err := permission.ParseSkill("SKILL.md", c.Skill.Data)
			if c.Skill.Mention != "" {
				require.Error(t, err)
				assert.Nil(t, s)
				assert.Contains(t, strings.ToLower(err.Error()), strings.ToLower(c.Skill.Mention))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "demo", s.Name)
			assert.Equal(t, c.Skill.Unrestricted, s.Unrestricted)
			require.Len(t, s.Tools, len(c.Skill.Tools))
			for i, want := range c.Skill.Tools {
				got := s.Tools[i]
				assert.Positive(t, got.Line)
				assert.Equal(t, permission.Rule{
					Tool: want.Tool, Pattern: want.Pattern, Action: permission.Allow, File: "SKILL.md", Line: got.Line,
				}, got)
			}
		})
	}
}

// skill returns a SKILL.md with lines of front matter.
func skill(lines ...string) []byte {
	return []byte("---\nname: demo\n" + strings.Join(lines, "\n") + "\n---\nBody.\n")
}

// checkSkillError fails unless err joins errors that name the file.
func checkSkillError(t *testing.T, err error) {
	t.Helper()
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	require.NotEmpty(t, all)
	for _, err := range all {
		e, ok := errors.AsType[*permission.ManifestError](err)
		require.True(t, ok, "%T", err)
		assert.Equal(t, "SKILL.md", e.File)
		assert.Zero(t, e.Rule)
	}
}

// Every fault is told at once, in the order of the source.
func TestAllFaultsOfASkillAreToldInOrder(t *testing.T) {
	_, err := permission.ParseSkill("a/SKILL.md", skill(
		"allowed-tools:",
		"  - Read() Write",
		"  - 7",
		"  - Bash(git] Bash([)",
		"allow-tools: Read",
	))
	assert.EqualError(t, err, strings.TrimSpace(`
a/SKILL.md:4: allowed-tools[1]: invalid tool entry "Read()": empty argument: write "(*)" for any, or leave the parentheses out
a/SKILL.md:5: allowed-tools[2]: found a number, not a string such as "Read, Write": write "" for no tool, or leave the key out for no limit
a/SKILL.md:6: allowed-tools[3]: invalid tool entry "Bash(git] Bash([)": unbalanced parenthesis: "(" without ")"
a/SKILL.md:7: allow-tools: unknown key: did you mean "allowed-tools"?`))
}

// A file that is faulty all over gives an error that a person can read.
func TestSkillErrorIsShort(t *testing.T) {
	_, err := permission.ParseSkill("SKILL.md", skill("allowed-tools: "+strings.Repeat("a; ", 20<<10)))
	require.Error(t, err)
	checkSkillError(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Len(t, lines, 101)
	assert.Equal(t, "SKILL.md: and 20380 more", lines[100])
	assert.Less(t, len(err.Error()), 32<<10)
}

func TestSkillWarnings(t *testing.T) {
	s, err := permission.ParseSkill("SKILL.md", skill("tools: Read", "license: MIT", "disallowed-tools: Bash"))
	require.NoError(t, err)
	assert.True(t, s.Unrestricted)
	assert.Equal(t, []string{
		`SKILL.md:3: tools: restricts nothing: want "allowed-tools"`,
		`SKILL.md:5: disallowed-tools: restricts nothing: want "allowed-tools"`,
	}, s.Warnings)
}

// A key in other letters looks as if it restricted.
func TestKeysThatLookLikeTheField(t *testing.T) {
	for _, key := range []string{"allоwed-tооls", "аllowed-tools", "ALLOWED_TООLS"} { // with Cyrillic letters
		_, err := permission.ParseSkill("SKILL.md", skill(key+": Read"))
		assert.ErrorContains(t, err, `did you mean "allowed-tools"?`, key)
	}
	for _, key := range []string{"разрешённыеа", "deprecated-x"} {
		s, err := permission.ParseSkill("SKILL.md", skill(key+": Read"))
		require.NoError(t, err, key)
		assert.Empty(t, s.Warnings)
	}
	for _, key := range []string{"permitted-tools", "tool", "requiredTools"} {
		s, err := permission.ParseSkill("SKILL.md", skill(key+": Read"))
		require.NoError(t, err, key)
		assert.Len(t, s.Warnings, 1, key)
	}
}

func FuzzParseSkill(f *testing.F) {
	for _, c := range skillCases(f) {
		f.Add(c.Skill.Data)
	}
	for _, key := range []string{"allowed_tools", "allowedTools", "Allowed-Tools", "allowed-tool", "disallowed-tools", "tools"} {
		f.Add(skill(key + ": Read"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := permission.ParseSkill("SKILL.md", data)
		if err != nil {
			assert.Nil(t, s)
			checkSkillError(t, err)
			return
		}
		for _, r := range s.Tools {
			assert.Equal(t, permission.Allow, r.Action)
			assert.Regexp(t, `^[A-Za-z0-9_*./:-]+$`, r.Tool)
			assert.NotEmpty(t, r.Pattern)
		}
		if !s.Unrestricted {
			return
		}
		assert.Empty(t, s.Tools)
		for key := range topKeys(t, data) {
			assert.Greater(t, edits(folded(key), "allowedtools"), 2, "%q", key)
		}
	})
}

// topKeys returns the front matter as other readers see it: by the decoder's
// own way into a map, from a text that is cut otherwise.
func topKeys(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var values map[string]any
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")[1:]
	for i, line := range lines {
		if strings.TrimRight(line, " \t\r") == "---" {
			require.NoError(t, yaml.Unmarshal([]byte(strings.Join(lines[:i], "\n")), &values))
			return values
		}
	}
	t.Fatal("no second delimiter")
	return nil
}

func folded(key string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(key))
}

// edits returns how many runes must be put in, left out or changed to make b
// of a.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			change := diagonal
			if x[i] != y[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}
