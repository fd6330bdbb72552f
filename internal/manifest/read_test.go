package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	head = "[permissions]\ndefault_action = 'ask'\n"
	rule = "[[permissions.rule]]\ntool = 'read'\npattern = 'src/*'\naction = 'allow'\n"
)

// report writes faults one a line, as LINE SECTION[NUMBER] KEY: ERROR.
func report(faults []Fault) []string {
	names := [...]string{InHost: "host", InTable: "table", InRules: "rule", InTools: "tool", InTests: "test"}
	var all []string
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%d %s[%d] %s: %v", f.Line, names[f.Section], f.Number, f.Key, f.Err))
	}
	return all
}

// load returns a document that has no faults.
func load(t *testing.T, src string) *Document {
	t.Helper()
	doc, faults := Read([]byte(src))
	require.Empty(t, report(faults), src)
	require.NotNil(t, doc)
	return doc
}

func TestReadValues(t *testing.T) {
	doc := load(t, `
[permissions]
default_action = "ask"
ask_timeout = "1h30m"
harmless_env = ["APP_ENV", "_X9"]

[[permissions.rule]]
tool = "bash"
pattern = "git push *"
action = "ask"
reason = "pushes are reviewed"
match = ["git push origin main"]
not_match = ["git status", "git pull"]

[[permissions.tool]]
name = "mcp__files__put"
kind = "path"
arguments = ["target"]

[[permissions.tool]]
name = "log"
kind = "text"
optional = ["line"]

[[permissions.test]]
tool = "bash"
input = { command = "a <b>", n = 1, f = 1.5, deep = [{ a = [true] }, {}] }
want = "deny"

[[permissions.test]]
tool = "ls"
want = "ask"
[permissions.test.input]
edits = []
`)
	doc.places = nil
	assert.Equal(t, &Document{
		Enabled:       true,
		DefaultAction: "ask",
		AskTimeout:    90 * time.Minute,
		HarmlessEnv:   []string{"APP_ENV", "_X9"},
		Rules: []Rule{{
			Line: 7, Tool: "bash", Pattern: "git push *", Action: "ask", Reason: "pushes are reviewed",
			Match: []string{"git push origin main"}, NotMatch: []string{"git status", "git pull"},
		}},
		Tools: []Tool{
			{Line: 15, Name: "mcp__files__put", Kind: "path", Arguments: []string{"target"}},
			{Line: 20, Name: "log", Kind: "text", Optional: []string{"line"}},
		},
		Tests: []Test{
			{Line: 25, Tool: "bash", Want: "deny", Input: []byte(`{"command":"a \u003cb\u003e","deep":[{"a":[true]},{}],"f":1.5,"n":1}`)},
			{Line: 30, Tool: "ls", Want: "ask", Input: []byte(`{"edits":[]}`)},
		},
	}, doc)
}

// Every way to write one document reads the same.
func TestForms(t *testing.T) {
	const inline = "{tool = 'read', pattern = 'src/*', action = 'allow'}"
	for name, src := range map[string]string{
		"headers":             head + rule,
		"rules first":         rule + head,
		"CRLF":                strings.ReplaceAll(head+rule, "\n", "\r\n"),
		"BOM":                 "\ufeff" + head + rule,
		"BOM and CRLF":        "\ufeff" + strings.ReplaceAll(head+rule, "\n", "\r\n"),
		"no newline at end":   strings.TrimSpace(head + rule),
		"inline rules":        head + "rule = [" + inline + "]\n",
		"inline, on lines":    head + "rule = [\n  # one\n  " + inline + ",\n]\n",
		"inline table":        "permissions = {default_action = 'ask', rule = [" + inline + "]}\n",
		"dotted":              "permissions.default_action = 'ask'\npermissions.rule = [" + inline + "]\n",
		"dotted and headers":  "permissions.default_action = 'ask'\n" + rule,
		"dotted, quoted":      "'permissions'.\"default_action\" = 'ask'\n" + rule,
		"escaped keys":        "[\"permi\\u0073sions\"]\n\"default\\u005faction\" = \"ask\"\n" + rule,
		"multi-line string":   head + strings.Replace(rule, "'read'", `"""read"""`, 1),
		"among the host's":    "model = 'x'\n[agent]\nname = 'y'\n" + head + rule + "[other]\nrule = 3\n[[hook]]\nmode = 'x'\n",
		"dotted header table": head + "[[ permissions . 'rule' ]]" + strings.TrimPrefix(rule, "[[permissions.rule]]"),
	} {
		t.Run(name, func(t *testing.T) {
			doc := load(t, src)
			assert.True(t, doc.Enabled)
			assert.Equal(t, "ask", doc.DefaultAction)
			require.Len(t, doc.Rules, 1)
			doc.Rules[0].Line = 0
			assert.Equal(t, Rule{Tool: "read", Pattern: "src/*", Action: "allow"}, doc.Rules[0])
		})
	}
}

func TestDisabled(t *testing.T) {
	for _, src := range []string{
		"", "\ufeff", "# [permissions]\n", "model = 'x'\n", "[agent]\n[agent.permissions]\nallow = ['read']\n",
		"[[rule]]\nname = 'host'\n", "[omissions]\n", "text = '''\n[permissions]\n'''\n",
	} {
		doc := load(t, src)
		assert.False(t, doc.Enabled, "%q", src)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"[permissions]\n", "0 table[0] default_action: missing: the key is required"},
		{"permissions = 3\n", "0 host[0] permissions: found an integer, want a table: write [permissions]"},
		{"[[permissions]]\n", "0 host[0] permissions: found an array of tables, want a table: write [permissions]"},
		{"[permissions]\ndefault_action = ['ask']\n", "0 table[0] default_action: found an array, want a string"},
		{"[permissions]\ndefault_action = ' '\n", `0 table[0] default_action: blank: found nothing but blanks in " "`},

		{head + "ask_timeout = 5\n", "0 table[0] ask_timeout: found an integer, want a string"},
		{head + "ask_timeout = '0s'\n", `0 table[0] ask_timeout: found "0s", want a duration above zero, as in "90s", "5m" or "1h30m"`},
		{head + "ask_timeout = '-5m'\n", `0 table[0] ask_timeout: found "-5m", want a duration above zero`},
		{head + "ask_timeout = '5 minutes'\n", `0 table[0] ask_timeout: found "5 minutes", want a duration above zero`},
		{head + "ask_timeout = ''\n", "0 table[0] ask_timeout: empty"},
		{head + "harmless_env = 'CI'\n", "0 table[0] harmless_env: found a string, want an array of strings"},
		{head + "harmless_env = []\n", "0 table[0] harmless_env: empty"},
		{head + "harmless_env = ['CI', 3]\n", "0 table[0] harmless_env: item 2: found an integer, want a string"},
		{head + "harmless_env = ['LD-X']\n", `0 table[0] harmless_env: item 1: found "LD-X", want the name of an environment variable`},
		{head + "harmless_env = ['9A']\n", `0 table[0] harmless_env: item 1: found "9A", want the name`},

		{head + "[[permissions.rules]]\n", `0 table[0] rules: unknown key: did you mean "rule"?`},
		{head + "[[permissions.Rule]]\n", `0 table[0] Rule: unknown key: did you mean "rule"?`},
		{head + rule + strings.Replace(rule, "rule", "Rule", 1), `0 table[0] Rule: unknown key: did you mean "rule"?`},
		{head + "[permissions.bash]\n'*' = 'allow'\n", "0 table[0] bash: unknown key: want one of default_action, ask_timeout, harmless_env, rule, tool, test"},
		{head + "'' = 1\n", `0 table[0] "": unknown key: want one of`},
		{head + `"a\u202eb" = 1` + "\n", `0 table[0] "a\u202eb": unknown key: want one of`},
		{head + "[permissions.rule]\ntool = 'read'\n", "0 table[0] rule: found a single table, want an array of them: write [[permissions.rule]], in double brackets"},
		{head + "[permissions.test]\n", "0 table[0] test: found a single table, want an array of them: write [[permissions.test]]"},
		{head + "rule = 'read'\n", "0 table[0] rule: found a string, want an array of tables: write [[permissions.rule]]"},
		{head + "rule = []\n", "0 table[0] rule: empty"},
		{head + "rule = ['read']\n", "0 rule[1] : found a string, want a table"},

		{head + rule + "Action = 'deny'\n", `3 rule[1] Action: unknown key: did you mean "action"?`},
		{head + rule + "patern = 'x'\n", `3 rule[1] patern: unknown key: did you mean "pattern"?`},
		{head + rule + "not-match = ['x']\n", `3 rule[1] not-match: unknown key: did you mean "not_match"?`},
		{head + rule + "comment = 'x'\n", "3 rule[1] comment: unknown key: want one of tool, pattern, action, reason, match, not_match"},
		{head + rule + "reason = ''\n", "3 rule[1] reason: empty"},
		{head + rule + "reason = \"\\t\"\n", `3 rule[1] reason: blank: found nothing but blanks in "\t"`},
		{head + rule + "match = 'x'\n", `3 rule[1] match: found a string, want an array of strings, as in ["a", "b"]`},
		{head + rule + "match = ['x', '']\n", "3 rule[1] match: item 2: empty"},
		{head + rule + "[permissions.rule.match]\n", "3 rule[1] match: found a table, want an array of strings"},
		{head + rule + "[[permissions.rule.match]]\n", "3 rule[1] match: found an array of tables, want an array of strings"},
		{head + strings.Replace(rule, "'read'", "3", 1), "3 rule[1] tool: found an integer, want a string"},
		{head + strings.Replace(rule, "'read'", "1.5", 1), "3 rule[1] tool: found a float, want a string"},
		{head + strings.Replace(rule, "'read'", "nan", 1), "3 rule[1] tool: found a float, want a string"},
		{head + strings.Replace(rule, "'read'", "true", 1), "3 rule[1] tool: found a boolean, want a string"},
		{head + strings.Replace(rule, "'read'", "2024-01-02", 1), "3 rule[1] tool: found a datetime, want a string"},
		{head + strings.Replace(rule, "'read'", "10:00:00", 1), "3 rule[1] tool: found a datetime, want a string"},
		{head + strings.Replace(rule, "'read'", "2024-01-02T10:00:00Z", 1), "3 rule[1] tool: found a datetime, want a string"},
		{head + strings.Replace(rule, "'read'", "{}", 1), "3 rule[1] tool: found a table, want a string"},
		{head + strings.Replace(rule, "'read'", "['a', 'b']", 1), `3 rule[1] tool: found an array, want a string: name several in braces, as in "{a,b}"`},
		{head + strings.Replace(rule, "tool = 'read'\n", "", 1), "3 rule[1] tool: missing: the key is required"},

		{head + "[[permissions.tool]]\nkind = 'path'\narguments = ['a']\n", "3 tool[1] name: missing"},
		{head + "[[permissions.tool]]\nname = 'a'\noptional = ['a']\n", "3 tool[1] kind: missing"},
		{head + "[[permissions.tool]]\nname = 'a'\nkind = 'path'\n", "3 tool[1] arguments: missing, and so is optional"},
		{head + "[[permissions.tool]]\nname = 'a'\nkind = 'path'\narguments = []\n", "3 tool[1] arguments: empty"},
		{head + "[[permissions.tool]]\nname = 'a'\nkind = 'path'\narguments = [' ']\n", `3 tool[1] arguments: item 1: blank`},

		{head + "[[permissions.test]]\ninput = {}\nwant = 'ask'\n", "3 test[1] tool: missing"},
		{head + "[[permissions.test]]\ntool = 'a'\nwant = 'ask'\n", "3 test[1] input: missing"},
		{head + "[[permissions.test]]\ntool = 'a'\ninput = '{}'\nwant = 'ask'\n", "3 test[1] input: found a string, want a table"},
		{head + "[[permissions.test]]\ntool = 'a'\ninput = { a = { when = 2024-01-02 } }\nwant = 'ask'\n", "3 test[1] input.a.when: found a datetime, which JSON does not have: write a string"},
		{head + "[[permissions.test]]\ntool = 'a'\ninput = { a = [1, [inf]] }\nwant = 'ask'\n", "3 test[1] input.a[2][1]: found +Inf, which JSON does not have"},
		{head + "[[permissions.test]]\ntool = 'a'\nwant = 'ask'\n[[permissions.test.input.a]]\nb = nan\n", "3 test[1] input.a[1].b: found NaN, which JSON does not have"},
	} {
		doc, faults := Read([]byte(c.src))
		require.Len(t, faults, 1, "%s%q", c.src, report(faults))
		assert.Contains(t, report(faults)[0], c.want)
		assert.NotNil(t, doc, c.src)
	}
}

// All faults of a document are reported at once, in the order of the source.
func TestAllFaultsInOrder(t *testing.T) {
	doc, faults := Read([]byte(`
[agent.permissions]
default_action = "ask"
[permissions]
ask_timeout = 5
defualt_action = "ask"
[[permissions.rule]]
action = 3
tool = ""
zeta = 1
alpha = 1
[[permissions.tool]]
kind = "path"
[[permissions.rule]]
tool = "read"
pattern = "*"
action = "allow"
[[permissions.test]]
tool = "a"
want = 1.5
input = { a = inf }
[[permissions.rule]]
pattern = []
[permission]
`))
	require.NotNil(t, doc)
	assert.Equal(t, []string{
		`0 host[0] agent.permissions: rules here have no effect: write [permissions], at the top`,
		`0 table[0] default_action: missing: the key is required`,
		`0 table[0] ask_timeout: found an integer, want a string, as in "30s"`,
		`0 table[0] defualt_action: unknown key: did you mean "default_action"?`,
		`7 rule[1] pattern: missing: the key is required`,
		`7 rule[1] action: found an integer, want a string`,
		`7 rule[1] tool: empty`,
		`7 rule[1] zeta: unknown key: want one of tool, pattern, action, reason, match, not_match`,
		`7 rule[1] alpha: unknown key: want one of tool, pattern, action, reason, match, not_match`,
		`12 tool[1] arguments: missing, and so is optional: name the members of the tool's input to read`,
		`12 tool[1] name: missing: the key is required`,
		`18 test[1] want: found a float, want a string`,
		`18 test[1] input.a: found +Inf, which JSON does not have`,
		`22 rule[3] action: missing: the key is required`,
		`22 rule[3] tool: missing: the key is required`,
		`22 rule[3] pattern: found an array, want a string: name several in braces, as in "{a,b}", or write several entries`,
		`0 host[0] permission: unknown key: did you mean "permissions"?`,
	}, report(faults))
	require.Len(t, doc.Rules, 3)
	assert.Equal(t, Rule{Line: 14, Tool: "read", Pattern: "*", Action: "allow"}, doc.Rules[1])
}

// The entries of an inline array keep their order though their keys are not
// told apart.
func TestFaultsOfInlineEntries(t *testing.T) {
	_, faults := Read([]byte(head + "rule = [{tool = 'a', action = ''}, 3, {zz = 1, tool = 'b', action = 4}]\n"))
	assert.Equal(t, []string{
		`0 rule[1] pattern: missing: the key is required`,
		`0 rule[1] action: empty`,
		`0 rule[2] : found an integer, want a table`,
		`0 rule[3] action: found an integer, want a string`,
		`0 rule[3] pattern: missing: the key is required`,
		`0 rule[3] zz: unknown key: want one of tool, pattern, action, reason, match, not_match`,
	}, report(faults))
}
