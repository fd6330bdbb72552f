package subject

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMalformedInputs(t *testing.T) {
	r := on(t, "linux")
	for input, want := range map[string]string{
		" ":                              "ends in the middle",
		"null":                           "the input is null: want an object",
		"true":                           "a boolean",
		`"x"`:                            "a string",
		"7":                              "a number",
		"[]":                             "a list",
		"{":                              "ends in the middle",
		`{"a"`:                           "ends in the middle",
		`{"a":`:                          "ends in the middle",
		`{"a":"x`:                        "ends in the middle",
		`{"a":1}}`:                       "goes on after its object",
		`{"a":1} {"b":2}`:                "goes on after its object",
		`{"a":1}x`:                       "goes on after its object",
		"{}\x00":                         "goes on after its object",
		"\xef\xbb\xbf{}":                 "not valid JSON",
		`{"a":1,}`:                       "not valid JSON",
		`{a:1}`:                          "not valid JSON",
		`{'a':1}`:                        "not valid JSON",
		`{"a":1 "b":2}`:                  "not valid JSON",
		`{"a":[1,]}`:                     "not valid JSON",
		`{"a":[1}`:                       "not valid JSON",
		`{"a":01}`:                       "not valid JSON",
		`{"a":.5}`:                       "not valid JSON",
		`{"a":NaN}`:                      "not valid JSON",
		`{"a":TRUE}`:                     "not valid JSON",
		`{"a":1}//x`:                     "goes on after its object",
		`{/**/"a":1}`:                    "not valid JSON",
		"{\"a\":\"x\ny\"}":               "not valid JSON",
		"{\"a\":\"\x00\"}":               "not valid JSON",
		"{\"a\":\"\xff\"}":               "not valid JSON",
		"{\"\xff\":1}":                   "not valid JSON",
		"{\"a\":\"\xc0\xae\"}":           "not valid JSON",
		"{\"a\":\"\xed\xa0\x80\"}":       "not valid JSON",
		`{"a":"\ud800"}`:                 "not valid JSON",
		`{"a":"\udc00"}`:                 "not valid JSON",
		`{"a":"\udc00\ud800"}`:           "not valid JSON",
		`{"a":"\ud800x"}`:                "not valid JSON",
		`{"\ud800":1}`:                   "not valid JSON",
		`{"a":"\u12"}`:                   "not valid JSON",
		`{"a":"\x41"}`:                   "not valid JSON",
		`{"a":1,"a":1}`:                  "one name twice",
		`{"a":1,"\u0061":2}`:             "one name twice",
		`{"x":{"a":1,"a":2}}`:            "one name twice",
		`{"x":[[{"y":{"a":1,"a":2}}]]}`:  "one name twice",
		`{"x":[{"a":1},{"b":1,"b":1}]}`:  "one name twice",
		`{"":1,"":2}`:                    "one name twice",
		nested(65):                       "deeper than 64 levels",
		nested(20_000):                   "deeper than 64 levels",
		`{"a":` + lists(64) + `}`:        "deeper than 64 levels",
		`{"a":[` + numbers(1<<18) + `]}`: "more than 262144 values",
	} {
		_, err := r.Read("other", "", []byte(input))
		assert.ErrorContains(t, err, want, short(input))
		var m *Malformed
		assert.ErrorAs(t, err, &m, short(input))
	}
}

func TestWellFormedInputs(t *testing.T) {
	r := on(t, "linux")
	for input, want := range map[string]string{
		``:                                 "text ",
		`{}`:                               "text ",
		" \t\r\n{ } \n":                    "text ",
		`{"a":null}`:                       "text ",
		`{"a":[],"b":{}}`:                  "text ",
		`{"a":"\u0041\t\ud83d\ude00"}`:     "text A\t😀",
		`{"a":"\ufffd"}`:                   "text \ufffd",
		`{"a":"x","A":"y"}`:                "text x; text y",
		`{"a":-0,"b":1E5,"c":1.50}`:        "text -0; text 1E5; text 1.50",
		`{"a":12345678901234567890123}`:    "text 12345678901234567890123",
		`{"a":true,"b":false}`:             "text true; text false",
		`{"a":{"b":1},"c":{"b":1}}`:        "text 1; text 1",
		nested(64):                         "text x",
		`{"a":` + lists(63) + `}`:          "text ",
		`{"a":"` + long(maxInput-8) + `"}`: "text ?" + long(maxInput-8),
	} {
		ss, err := r.Read("other", "", []byte(input))
		require.NoError(t, err, short(input))
		assert.True(t, want == texts(ss), "%s: %s", short(input), short(texts(ss)))
	}
	_, err := r.Read("other", "", []byte(`{"a":"`+long(maxInput-7)+`"}`))
	assert.ErrorContains(t, err, "more than 16777216")
}

// nested returns an object of so many levels.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels-1) + `{"a":"x"}` + strings.Repeat("}", levels-1)
}

func lists(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func numbers(n int) string { return strings.TrimSuffix(strings.Repeat("1,", n), ",") }

func long(n int) string { return strings.Repeat("x", n) }

func short(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return s
}

// A name that a lenient decoder would take for one that counts is malformed,
// whether that one is there or not.
func TestNamesThatDecodersMayFold(t *testing.T) {
	r := on(t, "linux", Tool{Names: []string{"mine"}, Kind: Path, Required: []string{"task"}, Optional: []string{"some_file"}})
	for tool, inputs := range map[string][]string{
		"read": {
			`{"path":"a","Path":"b"}`, `{"path":"a","PATH":"a"}`, `{"Path":"a"}`, `{"path":"a","File_Path":"b"}`,
			`{"path":"a","filepath":"b"}`, `{"path":"a","file-path":"b"}`, `{"path":"a","FILE__PATH":"b"}`,
		},
		"bash": {
			`{"command":"ls","Command":"rm"}`, `{"command":"ls","Workdir":"/"}`, `{"command":"ls","ENV":{}}`,
			"{\"command\":\"ls\",\"\u212amd\":0,\"CMD\":\"x\"}", `{"command":"ls","with-escalated-permissions":true}`,
			`{"command":"ls","dangerouslydisablesandbox":true}`,
		},
		// K and s have relatives outside ASCII.
		"mine": {
			"{\"task\":\"a\",\"tas\u212a\":\"b\"}", "{\"task\":\"a\",\"ta\u017fk\":\"b\"}", "{\"task\":\"a\",\"\u017fome_file\":\"b\"}",
			`{"task":"a","somefile":"b"}`, `{"task":"a","someFile":"b"}`,
		},
		"multi_edit": {`{"edits":[{"path":"a","Path":"b"}]}`, `{"path":"a","Edits":[]}`, `{"path":"a","edits":[{"PATH":"b"}]}`},
		"webfetch":   {`{"URL":"https://a.test/"}`, `{"url":"https://a.test/","Urls":[]}`, `{"Prompt":"x"}`},
		"glob":       {`{"pattern":"*","Pattern":"/etc/*"}`, `{"pattern":"*","Path":"/etc"}`},
		"grep":       {`{"Include":"x"}`, `{"dirpath":"/etc"}`},
	} {
		for _, input := range inputs {
			_, err := r.Read(tool, "", []byte(input))
			assert.ErrorContains(t, err, "is spelt otherwise than", "%s %s", tool, input)
		}
	}
	for tool, inputs := range map[string][]string{
		"read":  {`{"path":"a","Content":"b"}`, `{"path":"a","paths":"b"}`, `{"path":"a","pat":"b","_":1}`, `{"path":"a","x":{"Path":"b"}}`},
		"mine":  {`{"task":"a","tasks":"b","Other":1}`},
		"other": {`{"path":"a","Path":"b"}`},
		"grep":  {`{"pattern":"x","-n":true,"-A":3,"output_mode":"content","head_limit":5}`},
	} {
		for _, input := range inputs {
			_, err := r.Read(tool, "", []byte(input))
			assert.NoError(t, err, "%s %s", tool, input)
		}
	}
}

// An error may be logged and shown to anybody. It holds no value that the
// model chose, however the call is malformed.
func TestErrorsHoldNoValue(t *testing.T) {
	const secret = "hunter2"
	r := on(t, "linux", Tool{Names: []string{"mine"}, Kind: URL, Required: []string{"u"}})
	quoted := func(s string) string {
		b, err := json.Marshal(s)
		require.NoError(t, err)
		return string(b)
	}
	values := []string{
		quoted(secret), quoted("\x00" + secret), quoted("https://" + secret + ":x/%zz"), quoted(secret + "://[::1"),
		`["` + secret + `",7]`, `[["` + secret + `"]]`, `{"` + secret + `":"` + secret + `"}`, `[{"path":7,"` + secret + `":1}]`,
		quoted("*** " + secret), quoted("*** Add File:\n" + secret), quoted("--- \"" + secret + "\n+++ \"" + secret), "7", "null", "[]",
		`"` + secret, secret, `{"` + secret + `":1,"` + secret + `":2}`,
	}
	failed := 0
	for _, tool := range []string{"bash", "read", "multi_edit", "ls", "grep", "glob", "webfetch", "apply_patch", "mine", "other"} {
		for _, name := range []string{"command", "workdir", "path", "edits", "pattern", "include", "url", "patch", "u"} {
			for _, v := range values {
				for _, input := range []string{
					fmt.Sprintf(`{%q:%s}`, name, v),
					fmt.Sprintf(`{"command":"ls","path":"a","pattern":"b","u":"https://a.test",%q:%s}`, name+"_", v),
					fmt.Sprintf(`{"command":"ls","file_path":"a",%q:%s}`, name, v),
				} {
					if _, err := r.Read(tool, "", []byte(input)); err != nil {
						failed++
						assert.NotContains(t, err.Error(), secret, "%s %s", tool, input)
						assert.Less(t, len(err.Error()), 200)
					}
				}
			}
		}
	}
	assert.Greater(t, failed, 1000)
	_, err := r.Read("read", "", []byte(`{"path":"a","file`+strings.Repeat("_", 1<<20)+`path":"x"}`))
	assert.Less(t, len(err.Error()), 200, "nor a name of any length")
}
