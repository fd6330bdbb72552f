package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/visible"
)

// The bad line is the third in all of them, whatever the ends of lines.
func TestSyntaxErrorLine(t *testing.T) {
	for _, bad := range []string{
		`p = "C:\Users\*"`, `p = "a\*"`, `p = "\x"`, `p = "\ud800"`, `p = "abc`, `p = 'abc`, `"p = 1`,
		"p", "p =", "p = 1 1", "p = yes", "p = 2020-13-45", "p = 99999999999999999999", "p = 01", "p = .5", "p = 1__0",
		"p = \"a\x01\"", "# \x01", "p = \"a\x00\"", "p = {,}", "p = [1 2]", ".a = 1", "= 1", "[p", "[[p]", "[]", "[.p]",
		"p = \"a\rb\"", "default_action = 'x'", "default_action.x = 1", "[permissions]",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			for _, bom := range []string{"", "\ufeff"} {
				for _, tail := range []string{"", "\n", "\nx = 1\ny = 2\n"} {
					src := bom + strings.ReplaceAll(head+bad+tail, "\n", end)
					doc, faults := Read([]byte(src))
					require.Nil(t, doc, "%q", src)
					require.Len(t, faults, 1, "%q", src)
					assert.Equal(t, 3, faults[0].Line, "%q: %v", src, faults[0].Err)
					assert.Contains(t, faults[0].Err.Error(), "not valid TOML at line 3: ")
				}
			}
		}
	}
}

// Where a string of several lines is at fault, its first is named.
func TestSyntaxErrorInLongString(t *testing.T) {
	for _, bad := range []string{"p = '''a\nb", "p = \"\"\"\na\n\\q\"\"\"", "p = \"\"\"\na\n\\ud800\nb\"\"\""} {
		_, faults := Read([]byte(head + bad))
		require.Len(t, faults, 1)
		if faults[0].Line != 3 {
			// The end of the file is a place of its own.
			assert.Contains(t, faults[0].Err.Error(), "EOF", bad)
			continue
		}
		assert.Contains(t, faults[0].Err.Error(), "not valid TOML in the text that starts at line 3: ", bad)
	}
}

func TestSyntaxErrorText(t *testing.T) {
	for src, want := range map[string]string{
		`p = "C:\Users"`:       `expected eight hexadecimal digits after '\U', but got "C:\\Us" instead: in double quotes \ starts an escape; single quotes keep it as it stands`,
		`p = "\*"`:             `invalid escape in string '\*': in double quotes \ starts an escape`,
		"p = \"\\\u202e\"":     `invalid escape in string '\\u202e': in double`,
		"p = 1\np = 2":         "line 2: key 'p' has already been defined",
		"'a\u200bb' = x":       `expected value but found "x" instead`,
		"\xff\xfea\x00":        "found UTF-16, want UTF-8",
		"\xfe\xff\x00a":        "found UTF-16, want UTF-8",
		"a = 1\n# \xe4\n":      "found the byte 0xe4, want UTF-8",
		"a = '\xed\xa0\x80'\n": "found the byte 0xed, want UTF-8",
		"a = '\x01'\n":         "cannot contain control characters: '0x01'",
		"a\x00b":               "NULL bytes",
	} {
		doc, faults := Read([]byte(src))
		require.Nil(t, doc, "%q", src)
		require.Len(t, faults, 1)
		assert.Contains(t, faults[0].Err.Error(), want)
		assert.Equal(t, visible.Text(faults[0].Err.Error()), faults[0].Err.Error(), "all of it can be seen")
	}
	load(t, "a = '\ufffd'\n")
}

func TestSizeLimit(t *testing.T) {
	src := head + "#" + strings.Repeat("x", MaxSize-len(head)-1)
	require.Len(t, src, MaxSize)
	load(t, src)
	doc, faults := Read([]byte(src + "x"))
	assert.Nil(t, doc)
	assert.Equal(t, []string{"0 host[0] : larger than 1048576 bytes"}, report(faults))
}

func TestRuleLimit(t *testing.T) {
	entries := func(n int) string { return head + "rule = [" + strings.Repeat("{},", n) + "]" }
	_, faults := Read([]byte(entries(MaxRules)))
	require.Len(t, faults, MaxFaults+1)
	assert.Equal(t, More(3*MaxRules-MaxFaults), faults[MaxFaults].Err, "each lacks three keys")
	doc, faults := Read([]byte(entries(MaxRules + 1)))
	assert.Equal(t, []string{"0 table[0] rule: 100001 entries: want 100000 at most"}, report(faults))
	assert.Empty(t, doc.Rules)
}

// The decoder would take gigabytes for each of these.
func TestCostLimit(t *testing.T) {
	const n = 20_000
	var keys strings.Builder
	for i := range n {
		fmt.Fprintf(&keys, "k%d = 1\n", i)
	}
	for name, src := range map[string]string{
		"dotted key":            strings.Repeat("a.", n) + "a = 1",
		"dotted and quoted key": strings.Repeat("''.\"\".", n) + "a = 1",
		"dotted header":         "[" + strings.Repeat("a.", n) + "a]",
		"inline tables":         "x = " + strings.Repeat("{a=", n) + "1" + strings.Repeat("}", n),
		"tables on lines":       "x = " + strings.Repeat("{\na=", n) + "1" + strings.Repeat("}", n),
		"arrays":                "x = " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"unfinished arrays":     "x = " + strings.Repeat("[\n", n),
		"tables in arrays":      "x = " + strings.Repeat("[{a=", n) + "1" + strings.Repeat("}]", n),
		"behind strings":        `x = ["#", '"', """"#""", '''''', "\"", ` + strings.Repeat("[", n) + strings.Repeat("]", n) + "]",
		"long header":           "[" + strings.Repeat("a", n) + "]\n" + keys.String(),
		"long array header":     "[['" + strings.Repeat("a", n) + "']]\n" + keys.String(),
	} {
		doc, faults := Read([]byte(head + src))
		assert.Nil(t, doc, name)
		require.Len(t, faults, 1, name)
		assert.EqualError(t, faults[0].Err, "too many keys that are nested or dotted this deeply", name)
		assert.GreaterOrEqual(t, faults[0].Line, 3, name)
	}
}

// What is of no weight to the decoder is none here.
func TestCostOfOrdinaryDocuments(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, (MaxSize-len(head))/len(s)) }
	for name, src := range map[string]string{
		"rules":         fill(rule),
		"inline rules":  "rule = [\n" + fill("{tool = 'read', pattern = 'a.b[{=', action = 'deny'}, # [{[{\n"),
		"comment":       "#" + fill("a.b=[{"),
		"string":        "x = '" + fill("a.b=[{") + "'",
		"long string":   `x = """` + fill("a.b=[{\n\"\"") + `"""`,
		"floats":        "x = [" + fill("1.5, ") + "]",
		"nested arrays": "x = [" + fill("[1, [2.5]],\n") + "]",
		"blank lines":   fill("\r\n"),
		"tables":        fill("[host.table.of.values] # with a comment\nvalue = 1.5\n"),
	} {
		_, costly := tooCostly(head + src)
		assert.False(t, costly, name)
	}
}

func TestStringLen(t *testing.T) {
	for s, want := range map[string]string{
		`"a" b`: `"a"`, `"" "`: `""`, `"a\"b" c`: `"a\"b"`, `"a\\" b`: `"a\\"`, `'a\' b`: `'a\'`, "\"a\nb": `"a`,
		`"""a"b""c""" d`: `"""a"b""c"""`, "'''a\nb''' c": "'''a\nb'''", `"""a\"""b""" c`: `"""a\"""b"""`,
		`""""a""""" b`: `""""a"""""`, `'''''' b`: `''''''`, `"a`: `"a`, `"a\`: `"a\`, `'''a`: `'''a`, `"`: `"`,
	} {
		assert.Equal(t, want, s[:stringLen(s)], s)
	}
}
