package permission_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
)

// skillCases returns the cases of skills.jsonl; without any it fails.
func skillCases(t testing.TB) []casefile.Case {
	t.Helper()
	f, err := os.Open("testdata/skills.jsonl")
	require.NoError(t, err)
	defer f.Close()
	cases, err := casefile.Read("skills.jsonl", f, casefile.Env{})
	require.NoError(t, err)
	for _, c := range cases {
		require.NotNil(t, c.Skill, c.ID)
	}
	return cases
}

func TestSkillCases(t *testing.T) {
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

func TestTheZeroSkillRestricts(t *testing.T) {
	assert.False(t, permission.Skill{}.Unrestricted)
	assert.Empty(t, permission.Skill{}.Tools)
}

// skill returns a SKILL.md with lines of front matter.
func skill(lines ...string) []byte {
	return []byte("---\nname: demo\n" + strings.Join(lines, "\n") + "\n---\nBody.\n")
}

// Each entry stands alone in a list, so that YAML has no say in what it is.
func TestSkillEntries(t *testing.T) {
	for _, tt := range []struct{ entry, tool, pattern, mention string }{
		{entry: "Read", tool: "Read", pattern: "*"},
		{entry: "read_file2", tool: "read_file2", pattern: "*"},
		{entry: "_x", tool: "_x", pattern: "*"},
		{entry: "*", tool: "*", pattern: "*"},
		{entry: "mcp__*__get", tool: "mcp__*__get", pattern: "*"},
		{entry: "ns:a/b.c-d", tool: "ns:a/b.c-d", pattern: "*"},
		{entry: "all_files", tool: "all_files", pattern: "*"},
		{entry: "Bash(***)", tool: "Bash", pattern: "*"},
		{entry: "Bash( git status )", tool: "Bash", pattern: "git status"},
		{entry: "Bash(git :*)", tool: "Bash", pattern: "git *"},
		{entry: "Bash(git*)", tool: "Bash", pattern: "git*"},
		{entry: "Bash(git:* status)", tool: "Bash", pattern: "git:* status"},
		{entry: "Bash(a, (b, c), d)", tool: "Bash", pattern: "a, (b, c), d"},
		{entry: `Bash(echo \) x)`, tool: "Bash", pattern: `echo \) x`},
		{entry: `Bash(echo \\)`, tool: "Bash", pattern: `echo \\`},
		{entry: "Read({src,doc}/**)", tool: "Read", pattern: "{src,doc}/**"},
		{entry: "Read(日本/*)", tool: "Read", pattern: "日本/*"},
		{entry: "WebFetch(domain:example.com)", tool: "WebFetch", pattern: "domain:example.com"},
		{entry: "WebFetch(domain:*)", tool: "WebFetch", pattern: "domain:*"},
		{entry: "WebFetch(http://localhost:*)", tool: "WebFetch", pattern: "http://localhost:*"},
		{entry: "Bash(curl http://x:*)", tool: "Bash", pattern: "curl http://x *"},
		{entry: "Bash(dig domain:*)", tool: "Bash", pattern: "dig domain *"},

		{entry: "Bash(git", mention: `"(" without ")"`},
		{entry: "Bash(a (b) Read", mention: `"(" without ")"`},
		{entry: `Bash(git\)`, mention: `"(" without ")"`},
		{entry: "Bash(git))", mention: `")" without "("`},
		{entry: "Read)", mention: `")" without "("`},
		{entry: ")Read(", mention: `")" without "("`},
		{entry: "Bash(a)Read", mention: `want a blank or comma after ")"`},
		{entry: "Bash(a)(b)", mention: `want a blank or comma after ")"`},
		{entry: "(git status)", mention: "want a name"},
		{entry: "()", mention: "want a name"},
		{entry: "-", mention: "want a name"},
		{entry: "- Read", mention: "want a name"},
		{entry: "Read.", mention: "want a name"},
		{entry: "shell:", mention: "want a name"},
		{entry: `"Read"`, mention: "want a name"},
		{entry: "${TOOLS}", mention: "want a name"},
		{entry: "mcp__{a,b}", mention: "want a name"},
		{entry: "[a]", mention: "want a name"},
		{entry: `a\ b`, mention: "want a name"},
		{entry: "Read;Write", mention: "want a name"},
		{entry: "Read，Write", mention: "want a name"},
		{entry: "Rеad", mention: "want a name"}, // the е is Cyrillic
		{entry: "Re\u00adad", mention: `"Re\u00adad": want a name`},
		{entry: "Read\u2003Write", mention: `"Read\u2003Write": want a name`},
		{entry: "Read\u2028Write", mention: `"Read\u2028Write": want a name`},
		{entry: "Read\vWrite", mention: `"Read\vWrite": want a name`},
		{entry: "Bash()", mention: "empty argument"},
		{entry: "Bash( )", mention: "empty argument"},
		{entry: "Bash( :*)", mention: "empty argument"},
		{entry: "ALL", mention: "reserved word"},
		{entry: "any(*)", mention: "reserved word"},
		{entry: "none", mention: "reserved word"},
		{entry: "Read([a)", mention: `"Read([a)": at offset 0: "[" is never closed`},
		{entry: `Bash(x\\\)`, mention: `"(" without ")"`},
		{entry: "Read(a\x00)", mention: "NUL"},
		{entry: "Read({a,b)", mention: `"{" is never closed`},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			list, err := yaml.Marshal(map[string][]string{"allowed-tools": {"Glob", tt.entry + " , Grep"}})
			require.NoError(t, err)
			s, err := permission.ParseSkill("SKILL.md", skill(string(list)))
			if tt.mention != "" {
				require.ErrorContains(t, err, "allowed-tools[2]: invalid tool entry ")
				assert.ErrorContains(t, err, tt.mention)
				return
			}
			require.NoError(t, err)
			allow := permission.Rule{Pattern: "*", Action: permission.Allow, File: "SKILL.md"}
			first, second, third := allow, allow, allow
			first.Tool, first.Line = "Glob", 4
			second.Tool, second.Pattern, second.Line = tt.tool, tt.pattern, 5
			third.Tool, third.Line = "Grep", 5
			assert.Equal(t, []permission.Rule{first, second, third}, s.Tools)
		})
	}
}

// A skill whose author meant to restrict it must never load without limit.
func TestSkillRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		data    []byte
		mention string
	}{
		"underscore":      {skill("allowed_tools: Read"), `SKILL.md:3: allowed_tools: unknown key: did you mean "allowed-tools"?`},
		"camel case":      {skill("allowedTools: Read"), `allowedTools: unknown key: did you mean "allowed-tools"?`},
		"title case":      {skill("Allowed-Tools: Read"), `Allowed-Tools: unknown key: did you mean "allowed-tools"?`},
		"singular":        {skill("allowed-tool: Read"), `allowed-tool: unknown key: did you mean "allowed-tools"?`},
		"two words":       {skill("allowed tools: Read"), "unknown key"},
		"short":           {skill("allow-tools: Read"), "unknown key"},
		"shorter":         {skill("allow-tool: Read"), "unknown key"},
		"longer":          {skill("allowed-tools-list: Read"), "unknown key"},
		"prefix":          {skill("x-allowed-tools: Read"), "unknown key"},
		"turned":          {skill("toolAllowlist: Read"), "unknown key"},
		"letters swapped": {skill("alowled-tools: Read"), "unknown key"},
		"look-alike":      {skill("аllowed-tools: Read"), "unknown key"}, // the а is Cyrillic
		"zero width":      {skill("allowed-\u200btools: Read"), `allowed-\u200btools: unknown key`},
		"odd hyphen":      {skill("allowed\u2011tools: Read"), "unknown key"},
		"blank in quotes": {skill(`"allowed-tools ": Read`), "unknown key"},
		"both":            {skill("allowed-tools: Read", "allowed_tools: Write"), "SKILL.md:4: allowed_tools: unknown key"},

		"null in a word":    {skill("allowed-tools: Null"), "found null, not a string"},
		"number":            {skill("allowed-tools: 7"), "found a number, not a string"},
		"date":              {skill("allowed-tools: 2026-01-01"), "found a date, not a string"},
		"mapping":           {skill("allowed-tools: {Read: true}"), "found a mapping, not a string"},
		"item is a number":  {skill("allowed-tools: [Read, 0.5]"), "allowed-tools[2]: found a number, not a string"},
		"name is a list":    {[]byte("---\nname: [a]\n---\n"), "SKILL.md:2: name: found a list, not a string"},
		"key is a list":     {skill("? [allowed-tools]", ": Read"), "found a list as a key, want a string"},
		"key is a number":   {skill("7: x"), "found a number as a key, want a string"},
		"root is a string":  {[]byte("---\nallowed-tools\n---\n"), "front matter is a string, want a mapping"},
		"root is missing":   {[]byte("---\n# nothing\n---\n"), "front matter is null, want a mapping"},
		"unfilled template": {skill("{{FIELDS}}"), "YAML"},

		"anchor":           {skill("allowed-tools: &t Read"), "SKILL.md:3: found the anchor &t"},
		"anchor on a key":  {skill("&k allowed-tools: Read"), "found the anchor &k"},
		"alias as a key":   {skill("x: &k allowed-tools", "*k : Read"), "SKILL.md:4: found the alias *k"},
		"alias":            {skill("x: &t Read", "allowed-tools: *t"), "SKILL.md:4: found the alias *t"},
		"alias below":      {skill("metadata:", "  a: &a [1]", "  b: [*a]"), "SKILL.md:5: found the alias *a"},
		"unknown alias":    {skill("allowed-tools: *t"), "unknown anchor"},
		"merge key":        {skill("<<: {allowed-tools: Read}"), "SKILL.md:3: found the merge key"},
		"merge key below":  {skill("metadata: {<<: {a: b}}"), "found the merge key"},
		"tag":              {skill("allowed-tools: !!str Read"), `SKILL.md:3: found the tag "!!str"`},
		"tag on a list":    {skill("allowed-tools: !!seq [Read]"), `found the tag "!!seq"`},
		"tag on a key":     {skill("!!str allowed-tools: Read"), `found the tag "!!str"`},
		"tag at the root":  {[]byte("---\n!!map {name: x}\n---\n"), `found the tag "!!map"`},
		"tag below":        {skill("metadata: {a: !x b}"), `found the tag "!x"`},
		"duplicate":        {skill("allowed-tools: Read", "license: x", `"allowed-tools": Write`), "SKILL.md:5: allowed-tools: duplicate key: it is on line 3 too"},
		"duplicate name":   {skill("name: other"), "SKILL.md:3: name: duplicate key: it is on line 2 too"},
		"duplicate below":  {skill("metadata: {a: 1, b: {c: 1, c: 2}}"), "c: duplicate key"},
		"explicit key too": {skill("? allowed-tools", ": Read", "allowed-tools: Write"), "duplicate key"},

		"second document":      {skill("--- # more", "allowed-tools: Read"), "second YAML document"},
		"after a document end": {skill("...", "# none", "allowed-tools: Read"), "not valid YAML"},
		"directive":            {skill("%YAML 1.2"), "not valid YAML"},
		"unclosed quote":       {skill(`description: "x`, "allowed-tools: Read"), "not valid YAML: near line"},
		"indented field":       {skill("description: x", "  allowed-tools: Read"), "not valid YAML"},
		"control character":    {skill("allowed-tools: Re\x07ad"), "not valid YAML"},
		"NUL":                  {skill("x: y\x00", "allowed-tools: Read"), "not valid YAML"},

		"nothing":           {nil, "no front matter"},
		"only the mark":     {[]byte("\ufeff"), "no front matter"},
		"one delimiter":     {[]byte("---\nallowed-tools: Read\n"), "no front matter"},
		"only a delimiter":  {[]byte("---"), "no front matter"},
		"not at the top":    {[]byte("\n---\nname: x\n---\n"), "no front matter"},
		"two marks":         {[]byte("\ufeff\ufeff---\nname: x\n---\n"), "no front matter"},
		"four dashes":       {[]byte("----\nname: x\n----\n"), "no front matter"},
		"indented":          {[]byte("---\nname: x\n ---\n"), "no front matter"},
		"carriage returns":  {[]byte("---\rname: x\r---\r"), "no front matter"},
		"not UTF-8":         {skill("allowed-tools: Read", "x: \xff"), "SKILL.md: found bytes that are not UTF-8"},
		"body is not UTF-8": {append(skill(), 0xfe), "not UTF-8"},
		"UTF-16":            {[]byte("\xff\xfe-\x00-\x00-\x00"), "not UTF-8"},
		"front matter size": {skill("x: " + strings.Repeat("y", 64<<10)), "65536 bytes"},
		"file size":         {append(skill(), make([]byte, 1<<20)...), "larger than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := permission.ParseSkill("SKILL.md", tt.data)
			require.ErrorContains(t, err, tt.mention)
			assert.Nil(t, s)
			checkSkillError(t, err)
		})
	}
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

func TestSkillLoads(t *testing.T) {
	for name, data := range map[string][]byte{
		"nothing after it":       []byte("---\nallowed-tools: Read\n---"),
		"delimiter in the body":  append(skill("allowed-tools: Read"), "---\nallowed_tools: Write\n---\n"...),
		"field in a text":        skill("description: |", "  allowed_tools: Write", "  ---", "allowed-tools: Read"),
		"flow mapping":           []byte("---\n{name: demo, allowed-tools: [Read]}\n---\n"),
		"explicit key":           skill("? allowed-tools", ": Read"),
		"blank before the colon": skill("allowed-tools : Read"),
		"list not indented":      skill("allowed-tools:", "- Read"),
		"empty items":            skill(`allowed-tools: ["", Read, ","]`),
		"lines that CR ends":     []byte("---\nname: demo\rallowed-tools: Read\n---\n"),
		"without a name":         []byte("---\nallowed-tools: Read\n---\n"),
		"other null values":      skill("license:", "metadata: ~", "allowed-tools: Read"),
		"the same key elsewhere": skill("metadata: {name: x, allowed-tools: Write}", "allowed-tools: Read"),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := permission.ParseSkill("SKILL.md", data)
			require.NoError(t, err)
			assert.False(t, s.Unrestricted)
			require.Len(t, s.Tools, 1)
			assert.Equal(t, "Read", s.Tools[0].Tool)
		})
	}
}

// Every fault is told at once, in the order of the source.
func TestSkillErrorsJoin(t *testing.T) {
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

func TestSkillWarnings(t *testing.T) {
	s, err := permission.ParseSkill("SKILL.md", skill("tools: Read", "license: MIT", "disallowed-tools: Bash"))
	require.NoError(t, err)
	assert.True(t, s.Unrestricted)
	assert.Equal(t, []string{
		`SKILL.md:3: tools: restricts nothing: want "allowed-tools"`,
		`SKILL.md:5: disallowed-tools: restricts nothing: want "allowed-tools"`,
	}, s.Warnings)
}

// The largest front matter of the worst kind must not keep a host waiting.
func TestSkillTakesNoTime(t *testing.T) {
	for name, front := range map[string]string{
		"lists":        "x: " + strings.Repeat("[", 60<<10),
		"mappings":     "x: " + strings.Repeat("{a: ", 15<<10),
		"keys":         strings.Repeat("? ", 30<<10),
		"comments":     strings.Repeat("#\n", 30<<10),
		"parentheses":  "allowed-tools: a" + strings.Repeat("(", 60<<10),
		"entries":      "allowed-tools: " + strings.Repeat("a ", 30<<10),
		"errors":       "allowed-tools: " + strings.Repeat(") ", 30<<10),
		"faulty names": "allowed-tools: " + strings.Repeat("a; ", 20<<10),
		"alternatives": "allowed-tools: " + strings.Repeat("a(x{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}) ", 1800),
		"a long key":   `"` + strings.Repeat("allowed-tools", 4<<10) + `": x`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := permission.ParseSkill("SKILL.md", skill(front))
			if err != nil {
				t.Log(len(err.Error()))
			}
			t.Log(time.Since(start))
			assert.Less(t, time.Since(start), 5*time.Second)
		})
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
