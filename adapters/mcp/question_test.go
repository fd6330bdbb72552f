package permissionmcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

func requestOf(tool, input string, subjects ...string) permission.Request {
	r := permission.Request{Call: permission.ToolCall{Name: tool, Input: json.RawMessage(input)}}
	for _, s := range subjects {
		r.Subjects = append(r.Subjects, permission.Subject{Kind: permission.Path, Text: s})
	}
	return r
}

func TestQuestion(t *testing.T) {
	r := requestOf("write", `{"path": "a",  "text": "b"}`, "a")
	r.Decision.Rule = &permission.Rule{
		Tool: "write", Pattern: "*", Action: permission.Ask, Reason: "somebody looks", File: "m.toml", Line: 7,
	}
	q, err := question("write", r)
	require.NoError(t, err)
	assert.Equal(t, "Run the tool write?\n\n    path: a\n    input: {\"path\":\"a\",\"text\":\"b\"}\n"+
		"    rule: ask write \"*\" (m.toml:7): somebody looks", q.Message)
	assert.Equal(t, "form", q.Mode)

	r = requestOf("bash", "", "a")
	r.Decision.Detail = "part of it is unknown"
	q, err = question("sh", r)
	require.NoError(t, err)
	assert.Equal(t, "Run the tool sh?\n\n    path: a\n    input: none\n    judged as: bash\n"+
		"    rule: none decides it, and it could not be read: part of it is unknown", q.Message)
}

// What a model writes cannot look like another question, nor hide.
func TestQuestionShowsWhatIsThere(t *testing.T) {
	q, err := question("write", requestOf("write", "{\"a\":\"\u202e\u200b\"}", "a\nInput: {}\x1b[2K\u202eb\xff"))
	require.NoError(t, err)
	assert.Equal(t, "Run the tool write?\n\n    path: \"a\\nInput: {}\\x1b[2K\\u202eb\ufffd\"\n"+
		"    input: {\"a\":\"\\u202e\\u200b\"}\n    rule: none decides it", q.Message)
	for text, want := range map[string]string{
		"": `""`, "a ": `"a "`, `"a"`: `"\"a\""`, "a" + strings.Repeat(" ", 500) + "b": "a [500 blanks] b", "a    b": "a    b",
	} {
		q, err := question("write", requestOf("write", "{}", text))
		require.NoError(t, err)
		assert.Contains(t, q.Message, "    path: "+want+"\n")
	}
}

// A client may take the message for Markdown. There lines that are four blanks
// in, behind an empty one, are code: nothing in them is a link, a comment or a
// picture. No line but the first is anything else.
func TestQuestionIsCodeInMarkdown(t *testing.T) {
	r := requestOf("write", `{"a":"<!--"}`, "<!-- a", "![](https://a.test/)\n\n# Approved", "~~~", "\tb")
	r.Decision.Rule = &permission.Rule{Tool: "write", Pattern: "*", Action: permission.Ask, Reason: "one\n\ntwo"}
	q, err := question("write", r)
	require.NoError(t, err)
	lines := strings.Split(q.Message, "\n")
	assert.Equal(t, []string{"Run the tool write?", ""}, lines[:2])
	require.Len(t, lines, 8)
	for _, line := range lines[2:] {
		assert.Regexp(t, `^    \w+: `, line)
	}
}

func TestLongQuestions(t *testing.T) {
	long := strings.Repeat("é", maxInput)
	q, err := question("write", requestOf("write", `{"text":"`+long+`"}`, "a"))
	require.NoError(t, err)
	assert.Less(t, len(q.Message), maxInput+200)
	assert.Contains(t, q.Message, "bytes are not shown]")
	assert.True(t, strings.HasSuffix(q.Message, `éé"}`+"\n    rule: none decides it"), q.Message[len(q.Message)-60:])

	_, err = question("write", requestOf("write", "{}", strings.Repeat("a", maxSubjects)))
	assert.ErrorContains(t, err, "too long")
}

// What decides about a call is shown whole, or nobody is asked.
func TestCallTooLongToAskAbout(t *testing.T) {
	inWorlds(t, func(t *testing.T, w world) {
		s := newScene(t, nil)
		u := says("accept")
		got, isError := call(t, s.join(w, u), "write", file("ask/"+strings.Repeat("a", maxSubjects)))
		assert.True(t, isError)
		assert.Contains(t, got, "too long for anybody to be asked about")
		assert.Empty(t, u.questions())
		assert.Zero(t, s.ran())
	})
}

func TestDigest(t *testing.T) {
	base := requestOf("write", `{"path":"a"}`, "a")
	of := func(change func(*permission.Request)) digest {
		r := base
		change(&r)
		d, err := digestOf("write", r)
		require.NoError(t, err)
		return d
	}
	same := of(func(*permission.Request) {})
	assert.Equal(t, same, of(func(r *permission.Request) { r.ID, r.Always, r.Call.ID = "x", []permission.Rule{{}}, "1" }))
	other, err := digestOf("delete", base)
	require.NoError(t, err)
	assert.NotEqual(t, same, other, "rules may know two tools by one name")
	for name, change := range map[string]func(*permission.Request){
		"tool":     func(r *permission.Request) { r.Call.Name = "read" },
		"session":  func(r *permission.Request) { r.Call.Session = "s" },
		"dir":      func(r *permission.Request) { r.Call.Dir = "d" },
		"input":    func(r *permission.Request) { r.Call.Input = json.RawMessage(`{"path":"a"} `) },
		"no input": func(r *permission.Request) { r.Call.Input = nil },
		"subjects": func(r *permission.Request) { r.Subjects = nil },
		"cause":    func(r *permission.Request) { r.Decision.Cause = permission.CauseDoubt },
		"rule":     func(r *permission.Request) { r.Decision.Rule = &permission.Rule{Tool: "write"} },
		"detail":   func(r *permission.Request) { r.Decision.Detail = "d" },
	} {
		assert.NotEqual(t, same, of(change), name)
	}
	assert.Equal(t, `{"path":"a"}`, string(base.Call.Input))
}

func TestReply(t *testing.T) {
	for _, a := range []mcp.InputResponse{
		nil, (*mcp.ElicitResult)(nil), new(mcp.ElicitResult),
		decoded(t, `{"a":{"roots":[]}}`)["a"], decoded(t, `{"a":{"role":"user","model":"m","content":[]}}`)["a"],
		&mcp.ElicitResult{Action: "ACCEPT"}, &mcp.ElicitResult{Action: "accept "},
	} {
		got, err := reply(a)
		assert.Error(t, err)
		assert.Equal(t, permission.Reject, got.Answer)
	}
	got, err := reply(&mcp.ElicitResult{Action: "accept", Content: map[string]any{}})
	assert.NoError(t, err)
	assert.Equal(t, permission.Once, got.Answer)
}
