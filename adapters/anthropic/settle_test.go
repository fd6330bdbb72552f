package permissionanthropic_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

// Every tool_use has its tool_result, in order, whatever becomes of it.
func TestSettle(t *testing.T) {
	message := stable(t, fake.Reply{Content: []fake.Block{
		fake.Text("I look."),
		fake.ToolUse("a", "read", `{"path":"ok/1"}`),
		fake.ToolUse("b", "read", `{"path":"../../etc/passwd"}`),
		fake.ToolUse("c", "read", `{"path":"ask/1"}`),
		fake.ToolUse("d", "deploy", `{}`),
		fake.ToolUse("e", "bash", `{"command":"ls","command":"rm x"}`),
		fake.ToolUse("f", "bash", `{"command":"ls","Command":"rm x"}`),
		fake.ToolUse("g", "bash", ``),
		fake.ToolUse("h", "bash", `["ls"]`),
		fake.ToolUse("i", "bash", `null`),
		fake.ToolUse("j", "bash", `{"command":"ls docs"}`),
	}})
	ran := new(log)
	answer, ok := permissionanthropic.Settle(newHook(t, nil), stableTool(ran.run), nil)(t.Context(), message)
	require.True(t, ok)
	results := accepts(t, message, answer)

	require.Len(t, results, 10)
	requireText(t, results[0], "a", `read ran with {"path":"ok/1"}`)
	requireError(t, results[1], "b", "Permission denied", "No rule allows it")
	requireError(t, results[2], "c", "no approver is attached", "somebody has to look")
	requireError(t, results[3], "d", "Permission denied")
	requireError(t, results[4], "e", "cannot be read")
	requireError(t, results[5], "f", "cannot be read")
	requireError(t, results[6], "g", "cannot be read")
	requireError(t, results[7], "h", "cannot be read")
	requireError(t, results[8], "i", "cannot be read")
	requireText(t, results[9], "j", "bash ran")
	assert.ElementsMatch(t, []string{`{"path":"ok/1"}`, `{"command":"ls docs"}`}, ran.inputs())
}

// The hook knows the call's ID, session and directory, and the tool what the
// hook knows.
func TestSettleTellsTheHook(t *testing.T) {
	var record permission.Record
	h := newHook(t, &permission.HookOptions{
		RefuseAsks: true,
		OnDecision: func(_ context.Context, r permission.Record) { record = r },
	})
	ran := new(log)
	message := beta(t, fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"../ok/1"}`)}})
	o := &permissionanthropic.Options{Session: "s-1", Dir: "/srv/proj/docs"}
	settle := permissionanthropic.SettleBeta(h, betaTool(ran.run), o)
	o.Session, o.Dir = "s-2", "" // they were copied
	answer, ok := settle(t.Context(), message)
	require.True(t, ok)
	requireText(t, acceptsBeta(t, message, answer)[0], "a", "read ran")
	assert.Equal(t, "a", record.CallID)
	assert.Equal(t, "s-1", record.Session)
	assert.Equal(t, "read", record.Tool)
	assert.Equal(t, "/srv/proj/docs", ran.calls[0].Dir)
	assert.Equal(t, "s-1", ran.calls[0].Session)
}

// Where there is nothing to answer there is no answer, which the API would not
// take.
func TestNothingToSettle(t *testing.T) {
	ran := new(log)
	settle := permissionanthropic.Settle(newHook(t, nil), stableTool(ran.run), nil)
	settleBeta := permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)
	call := fake.ToolUse("a", "read", `{"path":"ok/1"}`)
	for name, r := range map[string]fake.Reply{
		"no blocks":  {},
		"text":       {Content: []fake.Block{fake.Text("Hello.")}},
		"paused":     {Content: []fake.Block{fake.Text("Hello."), call}, StopReason: "pause_turn"},
		"compaction": {Content: []fake.Block{call}, StopReason: "compaction"},
	} {
		_, ok := settle(t.Context(), stable(t, r))
		assert.False(t, ok, name)
		_, ok = settleBeta(t.Context(), beta(t, r))
		assert.False(t, ok, name)
	}
	_, ok := settle(t.Context(), nil)
	assert.False(t, ok)
	_, ok = settleBeta(t.Context(), nil)
	assert.False(t, ok)
	assert.Empty(t, ran.calls)
}

// A message that ended otherwise than for its calls may be cut off in the
// middle of an input, or was refused: none of them run, and all are answered.
func TestCallsOfACutMessageDoNotRun(t *testing.T) {
	for _, stop := range []string{"max_tokens", "refusal", "model_context_window_exceeded", "end_turn", "stop_sequence", "new_in_2027"} {
		t.Run(stop, func(t *testing.T) {
			ran := new(log)
			r := fake.Reply{StopReason: stop, Content: []fake.Block{
				fake.ToolUse("a", "read", `{"path":"ok/1"}`), fake.ToolUse("b", "bash", `{"command":"ls"}`),
			}}
			message := stable(t, r)
			answer, ok := permissionanthropic.Settle(newHook(t, nil), stableTool(ran.run), nil)(t.Context(), message)
			require.True(t, ok)
			results := accepts(t, message, answer)
			require.Len(t, results, 2)
			requireError(t, results[0], "a", "was not run", stop)
			requireError(t, results[1], "b", "was not run", stop)

			betaMessage := beta(t, r)
			betaAnswer, ok := permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)(t.Context(), betaMessage)
			require.True(t, ok)
			require.Len(t, acceptsBeta(t, betaMessage, betaAnswer), 2)
			assert.Empty(t, ran.calls)
		})
	}
}

// A stream that broke off has no stop reason, and what there is of its last
// input is no JSON.
func TestCallsOfABrokenStreamDoNotRun(t *testing.T) {
	var message anthropic.Message
	for _, event := range []string{
		`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"bash","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"ls"}}`,
	} {
		var e anthropic.MessageStreamEventUnion
		require.NoError(t, e.UnmarshalJSON([]byte(event)))
		require.NoError(t, message.Accumulate(e))
	}
	ran := new(log)
	answer, ok := permissionanthropic.Settle(newHook(t, nil), stableTool(ran.run), nil)(t.Context(), &message)
	require.True(t, ok)
	require.Len(t, answer.OfUser.Content, 1)
	assert.True(t, answer.OfUser.Content[0].OfToolResult.IsError.Value)
	assert.Empty(t, ran.calls)
}

// What a stream has of an input that is no JSON becomes an empty input in the
// SDK. That is what is judged, and nothing else runs.
func TestAnUnreadableStreamedInputIsJudgedEmpty(t *testing.T) {
	for name, l := range map[string]loop{"stable": loops()["stable streaming"], "beta": loops()["beta streaming"]} {
		t.Run(name, func(t *testing.T) {
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{
				fake.ToolUse("a", "bash", `{"command":"ls", "comm`), fake.ToolUse("b", "count", `{"n":1`),
			}}))
			defer server.Close()
			ran := new(log)
			require.NoError(t, l(t.Context(), server.Client(), newHook(t, nil), nil, ran.run))
			results := server.History()[2].Content
			requireError(t, results[0], "a", "cannot be read")
			requireText(t, results[1], "b", "count ran with {}")
			assert.Equal(t, []string{"{}"}, ran.inputs())
		})
	}
}

// The API runs its own tools, and answers them in the same message.
func TestServerToolsAreNotSettled(t *testing.T) {
	content := []fake.Block{
		{Type: "server_tool_use", ID: "srv", Name: "web_search", Input: block(`{"query":"x"}`)},
		{Type: "web_search_tool_result", ToolUseID: "srv"},
		{Type: "mcp_tool_use", ID: "mcp", Name: "read", ServerName: "files", Input: block(`{"path":"ok/1"}`)},
		{Type: "mcp_tool_result", ToolUseID: "mcp"},
		fake.ToolUse("own", "read", `{"path":"ok/1"}`),
	}
	ran := new(log)
	message := beta(t, fake.Reply{Content: content})
	answer, ok := permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)(t.Context(), message)
	require.True(t, ok)
	results := acceptsBeta(t, message, answer)
	require.Len(t, results, 1)
	requireText(t, results[0], "own", "read ran")
	require.Len(t, ran.calls, 1)

	_, ok = permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)(t.Context(), beta(t, fake.Reply{Content: content[:4]}))
	assert.False(t, ok)
}

// What stands before a fallback block is from a model that refused.
func TestCallsBeforeAFallbackAreNotAnswered(t *testing.T) {
	message := beta(t, fake.Reply{Content: []fake.Block{
		fake.ToolUse("a", "read", `{"path":"ok/1"}`),
		{Type: "fallback"},
		fake.ToolUse("b", "read", `{"path":"ok/2"}`),
	}})
	ran := new(log)
	answer, ok := permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)(t.Context(), message)
	require.True(t, ok)
	results := acceptsBeta(t, message, answer)
	require.Len(t, results, 1)
	requireText(t, results[0], "b", "read ran")
	assert.Equal(t, []string{`{"path":"ok/2"}`}, ran.inputs())
}

// A member of a toolset is none of the host's own tools of that name, and its
// result names the set.
func TestToolsets(t *testing.T) {
	click := fake.ToolUse("a", "click", `{"ref":"e1"}`)
	click.ToolsetName = "browser"
	read := fake.ToolUse("b", "read", `{"path":"ok/1"}`)
	read.ToolsetName = "browser"
	r := fake.Reply{Content: []fake.Block{click, read, fake.ToolUse("c", "click", `{"ref":"e1"}`)}}
	ran := new(log)

	message := stable(t, r)
	answer, ok := permissionanthropic.Settle(newHook(t, nil), stableTool(ran.run), nil)(t.Context(), message)
	require.True(t, ok)
	results := accepts(t, message, answer)
	requireText(t, results[0], "a", "browser.click ran")
	requireError(t, results[1], "b", "browser.read")
	requireError(t, results[2], "c", "Permission denied")

	betaMessage := beta(t, r)
	betaAnswer, ok := permissionanthropic.SettleBeta(newHook(t, nil), betaTool(ran.run), nil)(t.Context(), betaMessage)
	require.True(t, ok)
	requireText(t, acceptsBeta(t, betaMessage, betaAnswer)[0], "a", "browser.click ran")
}

// A resultCase is what a tool does, and what the model reads of it.
type resultCase struct {
	tool   permissionanthropic.ToolFunc
	failed bool
	parts  int
	text   string
}

// check checks that the API takes the result, beside that of a denied call.
func (c resultCase) check(t *testing.T) {
	t.Helper()
	message := stable(t, fake.Reply{Content: []fake.Block{
		fake.ToolUse("a", "read", `{"path":"ok/1"}`), fake.ToolUse("b", "read", `{"path":"secret/1"}`),
	}})
	answer, ok := permissionanthropic.Settle(newHook(t, nil), c.tool, nil)(t.Context(), message)
	require.True(t, ok)
	results := accepts(t, message, answer)
	require.Len(t, results, 2)
	assert.Equal(t, "a", results[0].ToolUseID)
	assert.Equal(t, c.failed, results[0].IsError)
	assert.Len(t, results[0].Content, c.parts)
	assert.Contains(t, results[0].Content.Text(), c.text)
	requireError(t, results[1], "b", "Permission denied")
}

type (
	part    = anthropic.ToolResultBlockParamContentUnion
	content = []part
)

func words(s string) part { return part{OfText: &anthropic.TextBlockParam{Text: s}} }

func image() part {
	return part{OfImage: &anthropic.ImageBlockParam{
		Source: anthropic.ImageBlockParamSourceUnion{OfBase64: &anthropic.Base64ImageSourceParam{Data: "AA==", MediaType: "image/png"}},
	}}
}

// Whatever a tool does, the API takes its result.
func TestResultsThatTheAPIWouldRefuse(t *testing.T) {
	failed := anthropic.Bool(true)
	for name, c := range map[string]resultCase{
		"nothing":             {returns(anthropic.ToolResultBlockParam{}), false, 0, ""},
		"another's ID":        {returns(anthropic.ToolResultBlockParam{ToolUseID: "z", ToolsetName: anthropic.String("z"), Content: content{words("x")}}), false, 1, "x"},
		"no text":             {returns(anthropic.ToolResultBlockParam{Content: content{words("")}}), false, 0, ""},
		"white space":         {returns(anthropic.ToolResultBlockParam{Content: content{words(" \n"), words("x")}}), false, 1, "x"},
		"a picture":           {returns(anthropic.ToolResultBlockParam{Content: content{image(), words("x")}}), false, 2, "x"},
		"a failure":           {returns(anthropic.ToolResultBlockParam{IsError: failed, Content: content{words("x")}}), true, 1, "x"},
		"a silent failure":    {returns(anthropic.ToolResultBlockParam{IsError: failed}), true, 1, "said nothing"},
		"an empty failure":    {returns(anthropic.ToolResultBlockParam{IsError: failed, Content: content{words(" ")}}), true, 1, "said nothing"},
		"a pictured failure":  {returns(anthropic.ToolResultBlockParam{IsError: failed, Content: content{image(), words("x")}}), true, 1, "x"},
		"a failure in colour": {returns(anthropic.ToolResultBlockParam{IsError: failed, Content: content{image()}}), true, 1, "said nothing"},
		"a panic":             {func(context.Context, permission.ToolCall) anthropic.ToolResultBlockParam { panic("boom") }, true, 1, "boom"},
		"an exit": {func(context.Context, permission.ToolCall) anthropic.ToolResultBlockParam {
			runtime.Goexit()
			panic("no")
		}, true, 1, "did not return"},
		"no tools": {nil, true, 1, "There is no tool read"},
	} {
		t.Run(name, c.check)
	}
}

// A param of the SDK can hold what its fields do not show, and what cannot be
// sent at all.
func TestParamsThatTheAPIWouldRefuse(t *testing.T) {
	two, extra := image(), anthropic.ToolResultBlockParam{Content: content{words("x")}}
	two.OfText = words("x").OfText
	extra.SetExtraFields(map[string]any{"tool_use_id": "z", "is_error": "no"})
	raw := param.Override[anthropic.TextBlockParam](block(`{"type":"text","text":"x"}`))
	for name, c := range map[string]resultCase{
		"written over":   {returns(param.Override[anthropic.ToolResultBlockParam](block(`{"type":"tool_result","tool_use_id":"z"}`))), true, 1, "cannot be sent"},
		"null":           {returns(param.NullStruct[anthropic.ToolResultBlockParam]()), true, 1, "cannot be sent"},
		"extra fields":   {returns(extra), false, 1, "x"},
		"another type":   {returns(anthropic.ToolResultBlockParam{Type: "text", Content: content{words("x")}}), false, 1, "x"},
		"null no error":  {returns(anthropic.ToolResultBlockParam{IsError: param.Null[bool](), Content: content{words("x")}}), false, 1, "x"},
		"no part":        {returns(anthropic.ToolResultBlockParam{Content: content{{}, words("x")}}), false, 1, "x"},
		"two in one":     {returns(anthropic.ToolResultBlockParam{Content: content{two}}), true, 1, "cannot be sent"},
		"not JSON":       {returns(anthropic.ToolResultBlockParam{Content: content{param.Override[part](block(`{"type":`))}}), true, 1, "cannot be sent"},
		"no block":       {returns(anthropic.ToolResultBlockParam{Content: content{param.Override[part](block(`"x"`))}}), true, 1, "cannot be sent"},
		"blanks as JSON": {returns(anthropic.ToolResultBlockParam{Content: content{param.Override[part](block(`{"type":"text","text":" "}`))}}), false, 0, ""},
		"text as JSON":   {returns(anthropic.ToolResultBlockParam{Content: content{{OfText: &raw}}}), false, 1, "x"},
		"failed as JSON": {returns(anthropic.ToolResultBlockParam{IsError: anthropic.Bool(true), Content: content{{OfText: &raw}}}), true, 1, "x"},
	} {
		t.Run(name, c.check)
	}
}

func returns(r anthropic.ToolResultBlockParam) permissionanthropic.ToolFunc {
	return func(context.Context, permission.ToolCall) anthropic.ToolResultBlockParam { return r }
}

// So it is with the beta API.
func TestBetaResultsThatTheAPIWouldRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		tool   permissionanthropic.BetaToolFunc
		failed bool
		text   string
	}{
		"nothing": {func(context.Context, permission.ToolCall) anthropic.BetaToolResultBlockParam {
			return anthropic.BetaToolResultBlockParam{}
		}, false, ""},
		"a silent failure": {func(context.Context, permission.ToolCall) anthropic.BetaToolResultBlockParam {
			return anthropic.NewBetaToolResultTextBlockParam("z", "", true)
		}, true, "said nothing"},
		"a panic": {func(context.Context, permission.ToolCall) anthropic.BetaToolResultBlockParam { panic("boom") }, true, "boom"},
		"an exit": {func(context.Context, permission.ToolCall) anthropic.BetaToolResultBlockParam {
			runtime.Goexit()
			panic("no")
		}, true, "did not return"},
		"no tools": {nil, true, "There is no tool read"},
		"written over": {func(context.Context, permission.ToolCall) anthropic.BetaToolResultBlockParam {
			return param.Override[anthropic.BetaToolResultBlockParam](block(`{"type":"tool_result","tool_use_id":"z"}`))
		}, true, "cannot be sent"},
	} {
		t.Run(name, func(t *testing.T) {
			message := beta(t, fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ok/1"}`)}})
			answer, ok := permissionanthropic.SettleBeta(newHook(t, nil), c.tool, nil)(t.Context(), message)
			require.True(t, ok)
			results := acceptsBeta(t, message, answer)
			require.Len(t, results, 1)
			assert.Equal(t, "a", results[0].ToolUseID)
			assert.Equal(t, c.failed, results[0].IsError)
			assert.Contains(t, results[0].Content.Text(), c.text)
		})
	}
}

// Numbers, order and white space get to the tool as the model wrote them.
func TestTheToolGetsTheBytesOfTheModel(t *testing.T) {
	const input = `{"n": 12345678901234567890, "b":1.0,"a" : "<\u0041>"}`
	for name, l := range loops() {
		t.Run(name, func(t *testing.T) {
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.ToolUse("a", "count", input)}}))
			defer server.Close()
			ran := new(log)
			require.NoError(t, l(t.Context(), server.Client(), newHook(t, nil), nil, ran.run))
			require.Len(t, ran.calls, 1)
			want := input
			if !strings.Contains(name, "streaming") {
				want = `{"n":12345678901234567890,"b":1.0,"a":"<\u0041>"}` // the fake writes no white space
			}
			assert.Equal(t, []string{want}, ran.inputs())
		})
	}
}

// A hook that was not made, and none, refuse.
func TestSettleWithoutAHook(t *testing.T) {
	for _, h := range []*permission.Hook{nil, new(permission.Hook)} {
		ran := new(log)
		message := stable(t, fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ok/1"}`)}})
		answer, ok := permissionanthropic.Settle(h, stableTool(ran.run), nil)(t.Context(), message)
		require.True(t, ok)
		requireError(t, accepts(t, message, answer)[0], "a", "Permission denied")
		assert.Empty(t, ran.calls)
	}
}
