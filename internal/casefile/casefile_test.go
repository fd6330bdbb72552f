package casefile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/casefile"
)

func read(t *testing.T, text string) []casefile.Case {
	t.Helper()
	cases, err := casefile.Read("x.jsonl", strings.NewReader(text), casefile.Env{})
	require.NoError(t, err)
	return cases
}

// TestReadTestdata pins that the strict reader takes every case of the
// project, as many as the files have lines.
func TestReadTestdata(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*.jsonl")
	require.NoError(t, err)
	everyday, err := filepath.Glob("../../testdata/everyday/*.jsonl")
	require.NoError(t, err)
	files = append(files, everyday...)
	require.GreaterOrEqual(t, len(files), 5)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		cases, err := casefile.Read(file, strings.NewReader(string(data)), casefile.Env{})
		require.NoError(t, err)
		assert.Len(t, cases, strings.Count(string(data), "\n"), file)
	}
}

func TestReadCall(t *testing.T) {
	c := read(t, "\n"+`{"id":"a","note":"n","default_action":"ask","rules":[`+
		`{"tool":"bash","pattern":"ls *","action":"deny","reason":"why"}],`+
		`"tool":"bash","input":{"command":"ls"},"want":"deny"}`)
	require.Len(t, c, 1)
	assert.Equal(t, casefile.Case{ID: "a", File: "x.jsonl", Line: 2, Call: &casefile.Call{
		Default: "ask",
		Rules:   []casefile.Rule{{Tool: "bash", Pattern: "ls *", Action: "deny", Reason: "why"}},
		Env:     casefile.Env{GOOS: "linux", Root: "/srv/proj", Home: "/home/u"},
		Tool:    "bash",
		Input:   []byte(`{"command":"ls"}`),
		Want:    "deny",
	}}, c[0])
}

func TestReadInput(t *testing.T) {
	tests := []struct{ members, want string }{
		{`"input":{"b":1, "a":"<"}`, `{"b":1, "a":"<"}`},
		{`"input":{"a":1,"a":2}`, `{"a":1,"a":2}`}, // for the policy to refuse
		{`"input_raw":""`, ``},
		{`"input":{},"input_raw":"{\"a\":"`, `{"a":`},
		{`"input_gen":{"a":{"repeat":"xy","times":3}}`, `{"a":"xyxyxy"}`},
		{`"input":{"a":"","b":[1]},"input_gen":{"a":{"prefix":"p","repeat":"x","times":2,"suffix":"s"}}`, `{"a":"pxxs","b":[1]}`},
	}
	for _, tt := range tests {
		c := read(t, `{"tool":"t","want":"ask",`+tt.members+`}`)
		assert.Equal(t, tt.want, string(c[0].Call.Input), tt.members)
		assert.Equal(t, "line 1", c[0].ID)
		assert.Empty(t, c[0].Call.Default)
	}
}

func TestReadEnv(t *testing.T) {
	tests := []struct {
		env  string
		want casefile.Env
	}{
		{`{}`, casefile.Env{GOOS: "linux", Root: "/base", Home: "/home/u"}},
		{`{"cwd":"/r","home":"/h"}`, casefile.Env{GOOS: "linux", Root: "/r", Home: "/h"}},
		{`{"goos":"darwin"}`, casefile.Env{GOOS: "darwin", Root: "/base", Home: "/home/u", CaseInsensitive: true}},
		{`{"goos":"darwin","case_insensitive":false}`, casefile.Env{GOOS: "darwin", Root: "/base", Home: "/home/u"}},
		{`{"case_insensitive":true}`, casefile.Env{GOOS: "linux", Root: "/base", Home: "/home/u", CaseInsensitive: true}},
	}
	for _, tt := range tests {
		line := `{"tool":"t","input":{},"want":"ask","env":` + tt.env + `}`
		c, err := casefile.Read("x", strings.NewReader(line), casefile.Env{Root: "/base"})
		require.NoError(t, err)
		assert.Equal(t, tt.want, c[0].Call.Env, tt.env)
	}
}

func TestReadManifest(t *testing.T) {
	tests := []struct {
		line string
		want casefile.Manifest
	}{
		{`{"manifest":"","want":"ok"}`, casefile.Manifest{Data: []byte{}}},
		{`{"manifest":"a\nb","want":"ok","want_warning":"w"}`, casefile.Manifest{Data: []byte("a\nb"), Warning: "w"}},
		{`{"manifest":"","manifest_b64":"/w==","want":"error mentioning UTF-8"}`, casefile.Manifest{Data: []byte("\xff"), Mention: "UTF-8"}},
		{`{"manifest_gen":{"prefix":"a","repeat":"b","times":2,"suffix":"c"},"want":"ok"}`, casefile.Manifest{Data: []byte("abbc")}},
	}
	for _, tt := range tests {
		assert.Equal(t, &tt.want, read(t, tt.line)[0].Manifest, tt.line)
	}
}

func TestReadOtherForms(t *testing.T) {
	c := read(t, strings.Join([]string{
		`{"frontmatter":"---\n","want_tools":[{"tool":"Read","pattern":"*"}]}`,
		`{"frontmatter":"---\n","want_tools":[]}`,
		`{"frontmatter":"","want_error":"yaml"}`,
		`{"frontmatter":"","want":"no restriction"}`,
		`{"scenario":"s","want":"w","group":"g"}`,
	}, "\n"))
	require.Len(t, c, 5)
	assert.Equal(t, &casefile.Skill{Data: []byte("---\n"), Tools: []casefile.Rule{{Tool: "Read", Pattern: "*"}}}, c[0].Skill)
	assert.Equal(t, &casefile.Skill{Data: []byte("---\n"), Tools: []casefile.Rule{}}, c[1].Skill)
	assert.Equal(t, &casefile.Skill{Data: []byte{}, Mention: "yaml"}, c[2].Skill)
	assert.Equal(t, &casefile.Skill{Data: []byte{}, Unrestricted: true}, c[3].Skill)
	assert.Equal(t, &casefile.Flow{Group: "g", Scenario: "s", Want: "w"}, c[4].Flow)
}

func TestReadRefuses(t *testing.T) {
	const call = `{"tool":"t","input":{},"want":"ask"}`
	tests := []struct{ name, text, mention string }{
		{"empty file", "", "x: no cases"},
		{"blank file", "\n \n", "x: no cases"},
		{"not JSON", "ls", "x:1: not a JSON object"},
		{"a list", "[]", "want a JSON object"},
		{"cut off", `{"tool":"t"`, "ends before"},
		{"more text", call + " {}", "more text"},
		{"not UTF-8", "{\"tool\":\"\xff\"}", "UTF-8"},
		{"second line", call + "\n\nx", "x:3: "},
		{"no form", `{"id":"a","want":"ask"}`, "no known form"},
		{"two forms", `{"tool":"t","input":{},"want":"ask","manifest":""}`, `unknown name "manifest"`},
		{"misspelt name", `{"tool":"t","input":{},"wants":"ask"}`, `unknown name "wants"`},
		{"name in another case", `{"tool":"t","input":{},"Want":"ask"}`, `unknown name "Want"`},
		{"repeated name", `{"tool":"t","input":{},"want":"ask","want":"deny"}`, `"want" occurs twice`},
		{"null", `{"tool":null,"input":{},"want":"ask"}`, `"tool" is null`},
		{"wrong type", `{"tool":1,"input":{},"want":"ask"}`, `"tool": got a JSON number`},
		{"empty id", `{"id":"","tool":"t","input":{},"want":"ask"}`, `"id" is empty`},
		{"id twice", strings.Repeat(`{"id":"a","tool":"t","input":{},"want":"ask"}`+"\n", 2), `x:2: id "a" is that of line 1`},
		{"no want", `{"tool":"t","input":{}}`, `"want" is missing`},
		{"unknown action", `{"tool":"t","input":{},"want":"Deny"}`, `got "Deny", want allow, ask or deny`},
		{"no input", `{"tool":"t","want":"ask"}`, `"input" is missing`},
		{"input is a string", `{"tool":"t","input":"ls","want":"deny"}`, `"input": want an object`},
		{"two inputs", `{"tool":"t","input_raw":"","input_gen":{},"want":"ask"}`, "both"},
		{"generated too long", `{"tool":"t","input_gen":{"a":{"repeat":"ab","times":4611686018427387905}},"want":"ask"}`, "bytes"},
		{"generated nothing", `{"tool":"t","input_gen":{"a":{"repeat":"a","times":0}},"want":"ask"}`, "one time"},
		{"generated without times", `{"tool":"t","input_gen":{"a":{"repeat":"a"}},"want":"ask"}`, `"times" is missing`},
		{"generated is not an object", `{"tool":"t","input_gen":"a","want":"ask"}`, `"input_gen": want a JSON object`},
		{"generated member is not an object", `{"tool":"t","input_gen":{"a":"b"},"want":"ask"}`, `"input_gen": "a": want a JSON object`},
		{"generated over a broken input", `{"tool":"t","input":{"a":1,"a":2},"input_gen":{},"want":"ask"}`, `"input": name "a" occurs twice`},
		{"unknown name in a repetition", `{"manifest_gen":{"repeat":"a","count":1},"want":"ok"}`, `unknown name "count"`},
		{"action of the wrong type", `{"tool":"t","input":{},"want":true}`, `"want": got a JSON bool`},
		{"rules are not a list", `{"tool":"t","input":{},"want":"ask","default_action":"ask","rules":{}}`, `"rules": got a JSON object`},
		{"rule is not an object", `{"tool":"t","input":{},"want":"ask","default_action":"ask","rules":["t"]}`, `"rules": number 1: want a JSON object`},
		{"env is not an object", `{"tool":"t","input":{},"want":"ask","env":"linux"}`, `"env": want a JSON object`},
		{"unknown name in a skill", `{"frontmatter":"","wants":"x"}`, `unknown name "wants"`},
		{"unknown name in a flow", `{"scenario":"","wants":"x"}`, `unknown name "wants"`},
		{"rules without default", `{"tool":"t","input":{},"want":"ask","rules":[]}`, `"default_action" is missing`},
		{"rule without pattern", `{"tool":"t","input":{},"want":"ask","default_action":"ask","rules":[{"tool":"t","action":"ask"}]}`, `"rules": number 1: "pattern" is missing`},
		{"unknown name in a rule", `{"tool":"t","input":{},"want":"ask","default_action":"ask","rules":[{"tool":"t","patern":"","action":"ask"}]}`, `"patern"`},
		{"unknown name in env", `{"tool":"t","input":{},"want":"ask","env":{"root":"/"}}`, `"env": unknown name "root"`},
		{"unknown system", `{"tool":"t","input":{},"want":"ask","env":{"goos":"Windows"}}`, `"Windows"`},
		{"manifest wants nothing", `{"manifest":""}`, `"want" is ""`},
		{"manifest wants an action", `{"manifest":"","want":"allow"}`, `"want" is "allow"`},
		{"manifest mentions nothing", `{"manifest":"","want":"error mentioning "}`, `want "ok"`},
		{"two manifests", `{"manifest":"a","manifest_b64":"YQ==","want":"ok"}`, "more than one"},
		{"bad base64", `{"manifest_b64":"*","want":"ok"}`, "base64"},
		{"skill wants nothing", `{"frontmatter":""}`, "want one of"},
		{"skill wants two things", `{"frontmatter":"","want":"no restriction","want_tools":[]}`, "want one of"},
		{"flow wants nothing", `{"scenario":"s"}`, `"want" is missing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases, err := casefile.Read("x", strings.NewReader(tt.text), casefile.Env{})
			assert.ErrorContains(t, err, tt.mention)
			assert.Nil(t, cases)
		})
	}
}

func TestReadReportsEveryLine(t *testing.T) {
	_, err := casefile.Read("x", strings.NewReader("a\nb\n"), casefile.Env{})
	assert.ErrorContains(t, err, "x:1: ")
	assert.ErrorContains(t, err, "x:2: ")
}

func TestReadFailingReader(t *testing.T) {
	f, err := os.Open(t.TempDir()) // a directory can be opened but not read
	require.NoError(t, err)
	defer f.Close()
	_, err = casefile.Read("x", f, casefile.Env{})
	assert.ErrorContains(t, err, "x:1: ")
}
