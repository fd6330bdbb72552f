package permission_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
)

// manifestCases returns the cases of manifests.jsonl; without any it fails.
// Their warnings are for lint: such a manifest loads.
func manifestCases(tb testing.TB) []casefile.Case {
	tb.Helper()
	cases := readCases(tb, "manifests.jsonl")
	for _, c := range cases {
		require.NotNil(tb, c.Manifest, c.ID)
	}
	return cases
}

func TestManifestsLoadAsTheCorpusSays(t *testing.T) {
	for _, c := range manifestCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			p, err := permission.ParseManifest("policy.toml", c.Manifest.Data, linux())
			if c.Manifest.Mention != "" {
				require.ErrorContains(t, err, c.Manifest.Mention)
				assert.Nil(t, p)
				return
			}
			require.NoError(t, err)
			assert.True(t, p.Enabled())
		})
	}
}

const manifestHead = "[permissions]\ndefault_action = 'ask'\n"

func manifestRule(tool, pattern, action string) string {
	return "[[permissions.rule]]\ntool = '" + tool + "'\npattern = '" + pattern + "'\naction = '" + action + "'\n"
}

func parseManifest(t *testing.T, src string) *permission.Policy {
	t.Helper()
	p, err := permission.ParseManifest("policy.toml", []byte(src), linux())
	require.NoError(t, err)
	return p
}

func TestAManifestBecomesItsPolicy(t *testing.T) {
	p := parseManifest(t, `
[permissions]
default_action = "deny"

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "ask"
reason = "pushes are reviewed"

[[permissions.rule]]
tool = "store"
pattern = "src/*"
action = "allow"

[[permissions.tool]]
name = "store"
kind = "path"
arguments = ["target"]
`)
	assert.True(t, p.Enabled())
	assert.Equal(t, []permission.Rule{
		{Tool: "bash", Pattern: "git push *", Action: permission.Ask, Reason: "pushes are reviewed", File: "policy.toml", Line: 5},
		{Tool: "store", Pattern: "src/*", Action: permission.Allow, File: "policy.toml", Line: 11},
	}, p.Rules())
	for _, c := range []struct {
		tool, input string
		want        permission.Action
	}{
		{"bash", `{"command":"git push origin main"}`, permission.Ask},
		{"bash", `{"command":"ls"}`, permission.Deny},
		{"store", `{"target":"src/../src/a"}`, permission.Allow},
		{"store", `{"target":"src/../a"}`, permission.Deny},
		{"store", `{"path":"src/a"}`, permission.Deny}, // the declared argument is missing
	} {
		assert.Equal(t, c.want, p.Evaluate(call(c.tool, c.input)).Action, "%s %s", c.tool, c.input)
	}
}

// The same policy has the same hash wherever it is written, and a timeout is
// part of it.
func TestTheHashIsThatOfWhatAPolicyDecides(t *testing.T) {
	rule := manifestRule("read", "src/*", "allow")
	p := parseManifest(t, manifestHead+rule)
	compiled, err := permission.Compile(permission.Ask, rules(t, "allow read src/*"), linux())
	require.NoError(t, err)
	assert.Equal(t, compiled.Hash(), p.Hash())
	timed := parseManifest(t, manifestHead+"ask_timeout = '5m'\n"+rule)
	assert.NotEqual(t, p.Hash(), timed.Hash())
	over, err := timed.Override()
	require.NoError(t, err)
	assert.Equal(t, timed.Hash(), over.Hash())
}

func TestAManifestWithoutPermissionsDisablesTheLayer(t *testing.T) {
	for _, src := range []string{"", "[agent]\nmodel = 'x'\n", "# [permissions]\n"} {
		p := parseManifest(t, src)
		assert.False(t, p.Enabled())
		assert.Equal(t, permission.Allow, p.Evaluate(call("bash", `{"command":"ls"}`)).Action)
		checks, err := permission.CheckManifest("policy.toml", []byte(src), nil)
		require.NoError(t, err)
		assert.Empty(t, checks)
	}
}

// With any fault there is no policy at all.
func TestManifestErrors(t *testing.T) {
	good := manifestRule("read", "src/*", "allow")
	tool := "[[permissions.tool]]\narguments = ['a']\n"
	test := "[[permissions.test]]\ntool = 'read'\ninput = { path = 'src/a' }\n"
	for _, c := range []struct{ src, want string }{
		{"[permissions]\ndefault_action = 'Deny'\n", `policy.toml: default_action: unknown action "Deny": want allow, deny or ask (did you mean "deny"?)`},
		{"[permissions]\ndefault_action = 'never'\n", `policy.toml: default_action: unknown action "never": want allow, deny or ask`},
		{manifestHead + good + manifestRule("bash", "rm *", "block"), `policy.toml:7: rule 2: action: unknown action "block": want allow, deny or ask (did you mean "deny"?)`},
		{manifestHead + manifestRule("bash", "rm *", "prompt"), `policy.toml:3: rule 1: action: unknown action "prompt": want allow, deny or ask (did you mean "ask"?)`},
		{manifestHead + manifestRule("bash", "rm *", "permit"), `policy.toml:3: rule 1: action: unknown action "permit": want allow, deny or ask (did you mean "allow"?)`},
		{manifestHead + good + manifestRule("bash", "rm [*", "deny"), "policy.toml:7: rule 2: pattern: at offset 3: "},
		{manifestHead + manifestRule("re ad", "*", "allow"), `policy.toml:3: rule 1: tool: "re ad" has a blank`},
		{manifestHead + tool + "name = 'a b'\nkind = 'path'\n", `policy.toml:3: tool[1].name: "a b" has a blank`},
		{manifestHead + tool + "name = 'a'\nkind = 'Path'\n", `policy.toml:3: tool[1].kind: unknown kind "Path": want one of `},
		{manifestHead + tool + "name = 'a'\nkind = 'pth'\n", `(did you mean "path"?)`},
		{manifestHead + test + "want = 'Ask'\n", `policy.toml:3: test[1].want: unknown action "Ask"`},
		{manifestHead + "tool = [3]\n", "policy.toml: tool[1]: found an integer, want a table"},
		{"x = 1\n[permissions\n", "policy.toml:2: not valid TOML at line 2: "},
		{"[Permissions]\n", `policy.toml: Permissions: unknown key: did you mean "permissions"?`},
		{manifestHead + "#" + strings.Repeat("x", 1<<20), "policy.toml: larger than 1048576 bytes"},
	} {
		p, err := permission.ParseManifest("policy.toml", []byte(c.src), linux())
		assert.Nil(t, p)
		require.ErrorContains(t, err, c.want)
		assert.NotContains(t, err.Error(), "\n", "one fault")
		var e *permission.ManifestError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "policy.toml", e.File)
		checks, err2 := permission.CheckManifest("policy.toml", []byte(c.src), linux())
		assert.Nil(t, checks)
		assert.EqualError(t, err2, err.Error())
	}
}

// What is wrong with the document and with the patterns in it is reported in
// one go, in the order of the source.
func TestAllManifestErrorsInOrder(t *testing.T) {
	src := `[permissions]
default_action = "alow"
[[permissions.rule]]
tool = "read"
pattern = "[a"
action = "allow"
[[permissions.tool]]
name = "x"
kind = "file"
[[permissions.rule]]
tool = "a b"
action = "no"
[[permissions.rule]]
tool = 3
pattern = "[b"
action = "allow"
patern = "x"
`
	p, err := permission.ParseManifest("p.toml", []byte(src), linux())
	require.Nil(t, p)
	lines := strings.Split(err.Error(), "\n")
	wanted := []string{
		"p.toml: default_action: unknown action",
		"p.toml:3: rule 1: pattern: at offset",
		"p.toml:7: tool[1].arguments: missing",
		"p.toml:7: tool[1].kind: unknown kind",
		"p.toml:10: rule 2: pattern: missing",
		"p.toml:10: rule 2: tool: \"a b\"",
		"p.toml:10: rule 2: action: unknown action",
		"p.toml:13: rule 3: tool: found an integer",
		"p.toml:13: rule 3: patern: unknown key",
	}
	require.Len(t, lines, len(wanted), "%v", err)
	for i, want := range wanted {
		assert.True(t, strings.HasPrefix(lines[i], want), "%q\n%q", want, lines[i])
	}
}

// What is wrong with Options comes after what is wrong with the manifest.
func TestManifestWithFaultyOptions(t *testing.T) {
	o := linux()
	o.Tools = []permission.Tool{{Name: "a b", Arguments: []string{"c"}}}
	p, err := permission.ParseManifest("p.toml", []byte(manifestHead+"x = 1\n"), o)
	require.Nil(t, p)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 2, "%v", err)
	assert.Contains(t, lines[0], "p.toml: x: unknown key")
	assert.Contains(t, lines[1], `"a b" has a blank`)
	assert.Len(t, o.Tools, 1)
}

func TestManifestErrorText(t *testing.T) {
	fault := errors.New("fault")
	for want, e := range map[string]permission.ManifestError{
		"policy.toml:12: rule 3: pattern: fault": {File: "policy.toml", Line: 12, Rule: 3, Key: "pattern"},
		"policy.toml: tool[1].kind: fault":       {File: "policy.toml", Key: "tool[1].kind"},
		"policy.toml:1: fault":                   {File: "policy.toml", Line: 1},
		"line 12: rule 3: fault":                 {Line: 12, Rule: 3},
		"permission: rule 3: action: fault":      {Rule: 3, Key: "action"},
		"permission: fault":                      {},
	} {
		e.Err = fault
		assert.EqualError(t, &e, want)
		assert.ErrorIs(t, &e, fault)
	}
}

func TestLoadRefusesWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "policy.toml")
	p, err := permission.Load(file, linux())
	assert.Nil(t, p, "a missing file is no disabled layer")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.True(t, strings.HasPrefix(err.Error(), file+": cannot be read: "), "%v", err)

	p, err = permission.Load(dir, linux())
	assert.Nil(t, p)
	assert.Error(t, err)

	src := manifestHead + manifestRule("read", "src/*", "allow")
	require.NoError(t, os.WriteFile(file, []byte(src), 0o600))
	p, err = permission.Load(file, linux())
	require.NoError(t, err)
	assert.Equal(t, file, p.Rules()[0].File)

	require.NoError(t, os.WriteFile(file, []byte(src+"#"+strings.Repeat("x", 2<<20)), 0o600))
	p, err = permission.Load(file, linux())
	assert.Nil(t, p)
	assert.EqualError(t, err, file+": larger than 1048576 bytes")
}

const checked = `[permissions]
default_action = "ask"
[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "deny"
match = ["git push", "git push -f", "git status"]
not_match = ["git status", "git $X", "git push x"]
[[permissions.rule]]
tool = "{read,write}"
pattern = "src/*"
action = "allow"
match = ["src/a", "./src/../src/b"]
not_match = ["src/../etc"]
[[permissions.test]]
tool = "bash"
input = { command = "git push -f" }
want = "deny"
[[permissions.test]]
tool = "read"
input = { path = "../x" }
want = "allow"
[[permissions.test]]
tool = "read"
input = { path = 3 }
want = "ask"
`

func TestCheckManifest(t *testing.T) {
	checks, err := permission.CheckManifest("policy.toml", []byte(checked), linux())
	require.NoError(t, err)
	var got []string
	for _, c := range checks {
		assert.Equal(t, c.Got == c.Want, c.Passed())
		got = append(got, c.Name+": "+c.Got+", want "+c.Want)
	}
	assert.Equal(t, []string{
		`rule 1: match "git push": match, want match`,
		`rule 1: match "git push -f": match, want match`,
		`rule 1: match "git status": no match, want match`,
		`rule 1: not_match "git status": no match, want no match`,
		`rule 1: not_match "git $X": may match, want no match`,
		`rule 1: not_match "git push x": match, want no match`,
		`rule 2: match "src/a": match, want match`,
		`rule 2: match "./src/../src/b": match, want match`,
		`rule 2: not_match "src/../etc": no match, want no match`,
		`test 1: bash: deny, want deny`,
		`test 2: read: ask, want allow`,
		`test 3: read: deny, want ask`,
	}, got)
	assert.Equal(t, 3, checks[0].Line)
	assert.Equal(t, `rule 1 (policy.toml:3) on "git push -f"`, checks[9].Why)
	assert.Equal(t, 15, checks[9].Line)
	assert.Equal(t, `default on "/srv/x"`, checks[10].Why)
}

// A failing example says how it is read, and a test of a tool that no rule names
// that one of another case has rules.
func TestFailingExamplesSayHowTheyAreRead(t *testing.T) {
	_, err := permission.ParseManifest("p.toml", []byte(manifestHead+
		manifestRule("bash", "cat *.env*", "deny")+`match = ["cat < .env"]`+"\n"+
		manifestRule("read", "/etc/*", "deny")+`match = ["~/x"]`+"\n"+
		"[[permissions.test]]\ntool = \"Bash\"\ninput = {command = \"ls\"}\nwant = \"allow\"\n"), linux())
	require.Error(t, err)
	assert.Contains(t, err.Error(), `"cat < .env": got no match, want match: it is read as "< .env", "cat"`)
	assert.Contains(t, err.Error(), `"~/x": got no match, want match: it is read as "/home/u/x"`)
	assert.Contains(t, err.Error(), `on "ls": no rule is for Bash, but for bash, and case counts`)
}

// A manifest whose own examples fail does not mean what its author thinks.
func TestFailingExamplesRefuseTheManifest(t *testing.T) {
	p, err := permission.ParseManifest("policy.toml", []byte(checked), linux())
	require.Nil(t, p)
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 5, "%v", err)
	assert.Equal(t, `policy.toml:3: rule 1: match: "git status": got no match, want match`, lines[0])
	assert.Equal(t, `policy.toml:3: rule 1: not_match: "git $X": got may match, want no match`, lines[1])
	assert.Equal(t, `policy.toml:3: rule 1: not_match: "git push x": got match, want no match`, lines[2])
	assert.Equal(t, `policy.toml:19: test[2]: read: got ask, want allow: default on "/srv/x"`, lines[3])
	assert.Contains(t, lines[4], `policy.toml:23: test[3]: read: got deny, want ask: malformed`)

	good := strings.NewReplacer(`, "git status"]`, "]", `, "git $X", "git push x"]`, "]", `"allow"`+"\n[[", `"ask"`+"\n[[", "path = 3", "path = 'x'").Replace(checked)
	parseManifest(t, good)
}

// An example that no call can have says nothing of its rule.
func TestUnreadableExamplesRefuseTheManifest(t *testing.T) {
	for _, key := range []string{"match", "not_match"} {
		p, err := permission.ParseManifest("policy.toml", []byte(manifestHead+manifestRule("read", "*", "deny")+key+` = ["a\u0000b"]`), linux())
		assert.Nil(t, p, key)
		assert.ErrorContains(t, err, "got unreadable", key)
	}
}

// An example is for each tool that the rule names, and the error says which one
// it is not true of.
func TestExamplesOfSeveralTools(t *testing.T) {
	for text, want := range map[string]string{
		manifestRule("{read,bash}", "./x", "deny") + `match = ["./y/../x"]`:      `match: "./y/../x": got may match, want match: for calls of "bash"`,
		manifestRule("{bash,read}", "src/*", "deny") + `not_match = ["./src/a"]`: `not_match: "./src/a": got may match, want no match: for calls of "read"`,
		manifestRule("bash", "x *", "deny") + `match = ["y"]`:                    `match: "y": got no match, want match`,
	} {
		_, err := permission.ParseManifest("policy.toml", []byte(manifestHead+text), linux())
		require.Error(t, err, text)
		assert.True(t, strings.HasSuffix(err.Error(), want), "%v", err)
	}
}

// Nor does a test in which the argument that rules are for is not there: it is
// denied whatever they say.
func TestMisnamedTestsRefuseTheManifest(t *testing.T) {
	for input, want := range map[string]string{
		`{comand = "rm x"}`:     `argument "command" is missing`,
		`{Command = "rm x"}`:    `spelt otherwise than "command"`,
		`{}`:                    `argument "command" is missing`,
		`{command = "rm x"}`:    "",
		`{command = ["rm", 1]}`: "", // which is refused, and may be meant
	} {
		text := manifestHead + manifestRule("bash", "rm *", "deny") +
			"[[permissions.test]]\ntool = 'bash'\nwant = 'deny'\ninput = " + input
		p, err := permission.ParseManifest("policy.toml", []byte(text), linux())
		if want == "" {
			assert.NoError(t, err, input)
			continue
		}
		assert.Nil(t, p, input)
		assert.ErrorContains(t, err, "test[1]: bash: got unreadable, want deny: malformed: ", input)
		assert.ErrorContains(t, err, want, input)
	}
}

// A manifest that is faulty all over gives an error that a person can read:
// its first faults, and how many more there are.
func TestManifestErrorIsShort(t *testing.T) {
	for name, bad := range map[string]string{
		"unknown actions": manifestRule("bash", "rm *", "block"),
		"bad patterns":    manifestRule("bash", "rm [*", "deny"),
		"missing keys":    "[[permissions.rule]]\ntool = 'bash'\npattern = 'rm *'\n",
		"failed examples": manifestRule("bash", "rm *", "deny") + "match = ['ls']\n",
		"failed tests":    "[[permissions.test]]\ntool = 'bash'\nwant = 'deny'\ninput = { command = 'ls' }\n",
	} {
		p, err := permission.ParseManifest("policy.toml", []byte(manifestHead+strings.Repeat(bad, 5000)), linux())
		require.Error(t, err, name)
		assert.Nil(t, p, name)
		lines := strings.Split(err.Error(), "\n")
		require.Len(t, lines, 101, name)
		size := strings.Count(bad, "\n")
		for i, line := range lines[:100] {
			assert.True(t, strings.HasPrefix(line, fmt.Sprintf("policy.toml:%d: ", 3+i*size)), "%s: %s", name, line)
		}
		assert.Equal(t, "policy.toml: and 4900 more", lines[100], name)
		assert.Less(t, len(err.Error()), 32<<10, name)
	}
}

// Whatever the bytes are, there is either an error or a policy with a default,
// never both and never neither.
func FuzzParseManifest(f *testing.F) {
	for _, c := range manifestCases(f) {
		f.Add(c.Manifest.Data)
	}
	f.Add([]byte(checked))
	o := linux()
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := permission.ParseManifest("policy.toml", data, o)
		require.NotEqual(t, p == nil, err == nil)
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n") {
				require.True(t, strings.HasPrefix(line, "policy.toml:"), "%q", line)
			}
			return
		}
		require.True(t, !p.Enabled() || bytes.Contains(data, []byte("action")) || bytes.Contains(data, []byte(`\`)))
		again, err := permission.ParseManifest("policy.toml", data, o)
		require.NoError(t, err)
		require.Equal(t, p.Hash(), again.Hash())
	})
}
