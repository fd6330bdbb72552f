package permissionanthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"
	"github.com/anthropics/anthropic-sdk-go/v2/tools/agenttoolset"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

// A denied call runs by no way that a runner has of running tools, and the
// turn goes on. That a way is one is seen from the same tools without a guard.
func TestADeniedToolRunsByNoWay(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			for _, guarded := range []bool{true, false} {
				server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{
					fake.ToolUse("a", "bash", `{"command":"rm x"}`), fake.ToolUse("b", "bash", `{"command":"ls"}`), fake.ToolUse("c", "none", `{}`),
				}}, fake.Reply{Content: []fake.Block{fake.ToolUse("d", "bash", `{"command":"ls docs"}`)}}))
				defer server.Close()
				ran := new(log)
				tools := []anthropic.BetaTool{calling("bash", ran.run)}
				if guarded {
					tools = permissionanthropic.Guard(newHook(t, nil), tools, nil)
				}
				r := start(server.Client(), tools)
				require.NoError(t, r.first(t.Context()))
				require.NoError(t, r.rest(t.Context()))
				history := server.History()
				require.Len(t, history, 5)
				results := history[2].Content
				require.Len(t, results, 3)
				requireText(t, results[1], "b", "bash ran")
				requireError(t, results[2], "c", "not found")
				requireText(t, history[4].Content[0], "d", "bash ran")
				if !guarded {
					require.Len(t, ran.calls, 3, "nothing runs tools here")
					continue
				}
				requireError(t, results[0], "a", "Error: Permission denied", `"rm x"`)
				assert.Equal(t, []string{`{"command":"ls"}`, `{"command":"ls docs"}`}, ran.inputs())
			}
		})
	}
}

// Tools that come later are run at once, even for calls of the last message:
// they have to be guarded, too.
func TestAddedToolsHaveToBeGuarded(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			for _, guarded := range []bool{true, false} {
				server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.ToolUse("a", "bash", `{"command":"rm x"}`)}}))
				defer server.Close()
				h, ran := newHook(t, nil), new(log)
				r := start(server.Client(), permissionanthropic.Guard(h, []anthropic.BetaTool{calling("bash", ran.run)}, nil))
				require.NoError(t, r.first(t.Context()))
				added := []anthropic.BetaTool{calling("bash", ran.run)}
				if guarded {
					added = permissionanthropic.Guard(h, added, nil)
				}
				r.AddTools(added...)
				require.NoError(t, r.rest(t.Context()))
				assert.Equal(t, guarded, len(ran.calls) == 0)
			}
		})
	}
}

// A runner decodes the input before a tool sees it. What it makes of it is what
// is judged, and what runs.
func TestARunnerDecodesInputs(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{
				fake.ToolUse("first", "bash", `{"command":"ls","command":"rm x"}`),
				fake.ToolUse("last", "bash", `{"command":"rm x","command":"ls"}`),
				fake.ToolUse("case", "bash", `{"command":"ls","Command":"rm x"}`),
				fake.ToolUse("number", "count", `{"n":12345678901234567890}`),
				fake.ToolUse("empty", "count", ``),
			}}))
			defer server.Close()
			ran := new(log)
			tools := []anthropic.BetaTool{calling("bash", ran.run), calling("count", ran.run)}
			r := start(server.Client(), permissionanthropic.Guard(newHook(t, nil), tools, nil))
			require.NoError(t, r.first(t.Context()))
			require.NoError(t, r.rest(t.Context()))
			results := server.History()[2].Content
			requireText(t, results[0], "first", `{"command":"ls"}`)
			requireError(t, results[1], "last", `"rm x"`)
			requireError(t, results[2], "case", "cannot be read")
			requireText(t, results[3], "number", `{"n":12345678901234567000}`)
			requireText(t, results[4], "empty", `{}`)
			assert.ElementsMatch(t, []string{`{"command":"ls"}`, `{"n":12345678901234567000}`, `{}`}, ran.inputs())
		})
	}
}

// A runner does not say which tool_use it runs. The conversation is known.
func TestAGuardKnowsNoID(t *testing.T) {
	var record permission.Record
	h := newHook(t, &permission.HookOptions{RefuseAsks: true, OnDecision: func(_ context.Context, r permission.Record) { record = r }})
	tools := permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", says)}, &permissionanthropic.Options{Session: "s-1"})
	_, err := tools[0].Execute(t.Context(), block(`{"path":"ok/1"}`))
	require.NoError(t, err)
	assert.Empty(t, record.CallID)
	assert.Equal(t, "s-1", record.Session)
}

// A turn that is cancelled before its tools run has calls without results in
// its history, which the API refuses.
func TestACancelledRunnerLeavesCallsUnanswered(t *testing.T) {
	for name, start := range runners() {
		t.Run(name, func(t *testing.T) {
			server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{
				fake.ToolUse("a", "read", `{"path":"ok/1"}`), fake.ToolUse("b", "read", `{"path":"ok/2"}`),
			}}))
			defer server.Close()
			client, h, ran := server.Client(), newHook(t, nil), new(log)
			r := start(client, permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", ran.run)}, nil))
			require.NoError(t, r.first(t.Context()))
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, r.rest(ctx), context.Canceled)
			assert.Empty(t, ran.calls)

			history := r.Messages()
			_, err := client.Beta.Messages.New(t.Context(), betaParams(history))
			require.ErrorContains(t, err, "without `tool_result` blocks")

			answer, ok := permissionanthropic.SettleBeta(h, nil, nil)(ctx, r.LastMessage())
			require.True(t, ok)
			_, err = client.Beta.Messages.New(t.Context(), betaParams(append(history, answer)))
			require.NoError(t, err)
			results := server.History()[2].Content
			requireError(t, results[0], "a", "cancelled")
			requireError(t, results[1], "b", "cancelled")
		})
	}
}

// A runner that stops at MaxIterations leaves the calls of its last message
// unanswered as well. A context that has ended answers them, and asks nobody.
func TestARunnerThatStopsEarlyLeavesCallsUnanswered(t *testing.T) {
	server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ask/1"}`)}}))
	defer server.Close()
	h := newHook(t, &permission.HookOptions{Approver: answering(func(context.Context, permission.Request) (permission.Reply, error) {
		t.Error("somebody is asked about a call that does not run")
		return permission.Reply{}, nil
	})})
	client, ran := server.Client(), new(log)
	params := anthropic.BetaToolRunnerParams{MaxIterations: 1, BetaMessageNewParams: betaParams([]anthropic.BetaMessageParam{
		anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go")),
	})}
	r := client.Beta.Messages.NewToolRunner(permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", ran.run)}, nil), params)
	last, err := r.RunToCompletion(t.Context())
	require.NoError(t, err)
	assert.Empty(t, ran.calls)

	ended, end := context.WithCancel(t.Context())
	end()
	answer, ok := permissionanthropic.SettleBeta(h, nil, nil)(ended, last)
	require.True(t, ok)
	_, err = client.Beta.Messages.New(t.Context(), betaParams(append(r.Messages(), answer)))
	require.NoError(t, err)
	requireError(t, server.History()[2].Content[0], "a", "cancelled")
}

// Of a message that was cut off or refused no runner runs a tool.
func TestRunnersRunNothingOfACutMessage(t *testing.T) {
	for name, start := range runners() {
		for _, stop := range []string{"max_tokens", "refusal"} {
			t.Run(name+", "+stop, func(t *testing.T) {
				server := fake.New(fake.Script(fake.Reply{StopReason: stop, Content: []fake.Block{fake.ToolUse("a", "read", `{"path":"ok/1"}`)}}))
				defer server.Close()
				ran := new(log)
				r := start(server.Client(), permissionanthropic.Guard(newHook(t, nil), []anthropic.BetaTool{calling("read", ran.run)}, nil))
				require.NoError(t, r.first(t.Context()))
				require.NoError(t, r.rest(t.Context()))
				assert.Empty(t, ran.calls)
			})
		}
	}
}

// A panic in a tool ends the process of a runner, and runtime.Goexit leaves a
// hole among the results. Not so behind a guard.
func TestAGuardedToolMayFailAnyHow(t *testing.T) {
	fails := map[string]func(){
		"panics": func() { panic("boom") },
		"exits":  runtime.Goexit,
	}
	for how, fail := range fails {
		for name, start := range runners() {
			t.Run(how+", "+name, func(t *testing.T) {
				server := fake.New(fake.Script(fake.Reply{Content: []fake.Block{
					fake.ToolUse("a", "read", `{"path":"ok/1"}`), fake.ToolUse("b", "count", `{}`),
				}}))
				defer server.Close()
				tools := []anthropic.BetaTool{
					namedTool{"read", func(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
						fail()
						return nil, nil
					}},
					namedTool{"count", func(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
						return nil, nil
					}},
				}
				r := start(server.Client(), permissionanthropic.Guard(newHook(t, nil), tools, nil))
				require.NoError(t, r.first(t.Context()))
				require.NoError(t, r.rest(t.Context()))
				results := server.History()[2].Content
				require.Len(t, results, 2)
				requireError(t, results[0], "a", "the tool ")
				requireText(t, results[1], "b", "")
			})
		}
	}
}

// What a guarded tool returns goes into a history that the API takes.
func TestGuardedContentThatTheAPIWouldRefuse(t *testing.T) {
	text := func(s string) anthropic.BetaToolResultBlockParamContentUnion {
		return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: s}}
	}
	two := text("x")
	two.OfToolReference = &anthropic.BetaToolReferenceBlockParam{ToolName: "read"}
	for name, c := range map[string]struct {
		content []anthropic.BetaToolResultBlockParamContentUnion
		want    []string
		wrong   string
	}{
		"a text":      {[]anthropic.BetaToolResultBlockParamContentUnion{text("x")}, []string{"x"}, ""},
		"blanks":      {[]anthropic.BetaToolResultBlockParamContentUnion{text("\n"), text("x"), {}}, []string{"x"}, ""},
		"nothing":     {[]anthropic.BetaToolResultBlockParamContentUnion{{}}, nil, ""},
		"two in one":  {[]anthropic.BetaToolResultBlockParamContentUnion{two}, nil, "cannot be sent"},
		"is not JSON": {[]anthropic.BetaToolResultBlockParamContentUnion{param.Override[anthropic.BetaToolResultBlockParamContentUnion](block(`{`))}, nil, "cannot be sent"},
	} {
		tool := namedTool{"read", func(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
			return c.content, nil
		}}
		content, err := permissionanthropic.Guard(newHook(t, nil), []anthropic.BetaTool{tool}, nil)[0].Execute(t.Context(), block(`{"path":"ok/1"}`))
		if c.wrong != "" {
			assert.ErrorContains(t, err, c.wrong, name)
			continue
		}
		require.NoError(t, err, name)
		var texts []string
		for _, part := range content {
			texts = append(texts, part.OfText.Text)
		}
		assert.Equal(t, c.want, texts, name)
	}
}

// A shifting tool has another name each time that it is asked.
type shifting struct {
	namedTool
	asked atomic.Int32
}

func (s *shifting) Name() string { return string('a' + rune(s.asked.Add(1))) }

// The name that is judged is the one under which the runner found the tool.
func TestAToolCannotChangeItsName(t *testing.T) {
	p, err := permission.Compile(permission.Deny, []permission.Rule{{Tool: "b", Pattern: "*", Action: permission.Allow}}, nil)
	require.NoError(t, err)
	h, err := permission.NewHook(p, nil)
	require.NoError(t, err)
	tool := &shifting{namedTool: namedTool{"", func(context.Context, json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
		return nil, nil
	}}}
	guarded := permissionanthropic.Guard(h, []anthropic.BetaTool{tool}, nil)[0]
	for range 3 {
		assert.Equal(t, "b", guarded.Name())
		_, err := guarded.Execute(t.Context(), block(`{}`))
		assert.NoError(t, err)
	}
}

type closable struct {
	anthropic.BetaTool
	err error
}

func (c closable) Close() error { return c.err }

// The rest of a tool is as it was: how it is described, and how it is closed.
func TestAGuardedToolIsTheTool(t *testing.T) {
	boom := errors.New("boom")
	plain := calling("read", says)
	tools := permissionanthropic.Guard(nil, []anthropic.BetaTool{plain, closable{plain, boom}}, nil)
	require.Len(t, tools, 2)
	assert.Equal(t, plain.Description(), tools[0].Description())
	assert.Equal(t, plain.InputSchema(), tools[0].InputSchema())
	assert.NoError(t, tools[0].(io.Closer).Close())
	assert.ErrorIs(t, tools[1].(io.Closer).Close(), boom)
	assert.Empty(t, permissionanthropic.Guard(nil, nil, nil))

	for _, tool := range tools {
		_, err := tool.Execute(t.Context(), block(`{"path":"ok/1"}`))
		assert.ErrorContains(t, err, "Permission denied", "there is no hook")
	}
}

// The SDK's own tools of a coding agent are tools like any other.
func TestTheSDKsToolsetCanBeGuarded(t *testing.T) {
	dir := t.TempDir()
	p, err := permission.Compile(permission.Deny, []permission.Rule{
		{Tool: "write", Pattern: "notes/*", Action: permission.Allow},
		{Tool: "read", Pattern: "./*", Action: permission.Allow},
		{Tool: "bash", Pattern: "echo *", Action: permission.Allow},
	}, &permission.Options{Root: dir})
	require.NoError(t, err)
	h, err := permission.NewHook(p, nil)
	require.NoError(t, err)
	tools := permissionanthropic.Guard(h, agenttoolset.BetaAgentToolset20260401(&agenttoolset.AgentToolContext{Workdir: dir}), nil)
	defer agenttoolset.CloseAll(tools)
	byName := make(map[string]anthropic.BetaTool)
	for _, tool := range tools {
		byName[tool.Name()] = tool
	}
	for _, c := range []struct {
		tool, input string
		runs        bool
	}{
		{"write", `{"file_path":"notes/a.md","content":"hello"}`, true},
		{"write", `{"file_path":"a.md","content":"hello"}`, false},
		{"read", `{"file_path":"notes/a.md"}`, true},
		{"bash", `{"command":"echo hello"}`, true},
		{"bash", `{"command":"echo hello > a.md"}`, false},
		{"bash", `{"restart":true}`, false},
	} {
		require.Contains(t, byName, c.tool)
		content, err := byName[c.tool].Execute(t.Context(), block(c.input))
		if c.runs {
			require.NoError(t, err, c.input)
			assert.NotEmpty(t, content, c.input)
			continue
		}
		assert.ErrorContains(t, err, "Permission denied", c.input)
	}
	assert.NoFileExists(t, dir+"/a.md")
}
