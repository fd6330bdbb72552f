package permissionanthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

// dispatch is the tools of the examples.
func dispatch(context.Context, string, json.RawMessage) (string, error) { return "3 files", nil }

// converse has a conversation in a loop of its own.
func converse(ctx context.Context, client anthropic.Client, hook *permission.Hook, id string, params anthropic.MessageNewParams) error {
	run := func(ctx context.Context, call permission.ToolCall) anthropic.ToolResultBlockParam {
		text, err := dispatch(ctx, call.Name, call.Input) // to the host's own tools
		if err != nil {
			text = err.Error()
		}
		return *anthropic.NewToolResultBlock(call.ID, text, err != nil).OfToolResult
	}
	settle := permissionanthropic.Settle(hook, run, &permissionanthropic.Options{Session: id})
	for {
		message, err := client.Messages.New(ctx, params)
		if err != nil {
			return err
		}
		params.Messages = append(params.Messages, message.ToParam())
		results, ok := settle(ctx, message)
		switch {
		case ok:
			params.Messages = append(params.Messages, results)
		case message.StopReason != anthropic.StopReasonPauseTurn:
			return nil // the model calls no tool any more
		}
	}
}

// guardedRunner is a tool runner whose tools are judged.
func guardedRunner(client anthropic.Client, hook *permission.Hook, id string, tools []anthropic.BetaTool, params anthropic.BetaToolRunnerParams) *anthropic.BetaToolRunner {
	tools = permissionanthropic.Guard(hook, tools, &permissionanthropic.Options{Session: id})
	runner := client.Beta.Messages.NewToolRunner(tools, params)
	return runner
}

func lsOnly() *permission.Hook {
	policy, err := permission.Compile(permission.Deny, []permission.Rule{
		{Tool: "bash", Pattern: "ls *", Action: permission.Allow},
		{Tool: "bash", Pattern: "rm *", Action: permission.Deny, Reason: "files are removed by people"},
	}, nil)
	if err != nil {
		panic(err)
	}
	hook, err := permission.NewHook(policy, nil)
	if err != nil {
		panic(err)
	}
	return hook
}

// twoCalls plays a model that calls ls and rm in one message.
func twoCalls() *fake.Server {
	return fake.New(fake.Script(fake.Reply{Content: []fake.Block{
		fake.ToolUse("toolu_1", "bash", `{"command":"ls"}`),
		fake.ToolUse("toolu_2", "bash", `{"command":"rm -rf build"}`),
	}}))
}

func printResults(s *fake.Server) {
	for _, b := range s.History()[2].Content {
		fmt.Println(b.ToolUseID, b.IsError, b.Content.Text())
	}
}

func ExampleSettle() {
	api := twoCalls()
	defer api.Close()
	params := anthropic.MessageNewParams{
		Model: anthropic.ModelClaudeSonnet5_5, MaxTokens: 1024,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Tidy up."))},
	}
	if err := converse(context.Background(), api.Client(), lsOnly(), "s-1", params); err != nil {
		fmt.Println(err)
	}
	printResults(api)
	// Output:
	// toolu_1 false 3 files
	// toolu_2 true Permission denied: "bash" "rm -rf build" was not run. The rule for bash "rm *" says deny. Reason: files are removed by people. Take another way, or tell the user what you need and why.
}

func ExampleGuard() {
	api := twoCalls()
	defer api.Close()
	bash := calling("bash", func(context.Context, permission.ToolCall) permission.ToolResult {
		return permission.ToolResult{Content: "3 files"}
	})
	params := anthropic.BetaToolRunnerParams{BetaMessageNewParams: anthropic.BetaMessageNewParams{
		Model: anthropic.ModelClaudeSonnet5_5, MaxTokens: 1024,
		Messages: []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Tidy up."))},
	}}
	runner := guardedRunner(api.Client(), lsOnly(), "s-1", []anthropic.BetaTool{bash}, params)
	if _, err := runner.RunToCompletion(context.Background()); err != nil {
		fmt.Println(err)
	}
	printResults(api)
	// Output:
	// toolu_1 false 3 files
	// toolu_2 true Error: Permission denied: "bash" "rm -rf build" was not run. The rule for bash "rm *" says deny. Reason: files are removed by people. Take another way, or tell the user what you need and why.
}

// What is paused goes back as it is, until the model has come to an end.
func TestTheLoopGoesOnAfterAPause(t *testing.T) {
	api := fake.New(fake.Script(fake.Reply{Content: []fake.Block{fake.Text("I search.")}, StopReason: "pause_turn"}))
	defer api.Close()
	params := stableParams([]anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))})
	require.NoError(t, converse(t.Context(), api.Client(), lsOnly(), "s-1", params))
	history := api.History()
	require.Len(t, history, 2)
	assert.Equal(t, "I search.", history[1].Content.Text())
}

// The Go of the README and of the package comment is that of the examples, and
// links lead to files that are there.
func TestReadme(t *testing.T) {
	readme, examples, comment := text(t, "README.md"), text(t, "example_test.go"), text(t, "doc.go")
	blocks := regexp.MustCompile("(?ms)^```go\n(.*?)\n```$").FindAllStringSubmatch(readme, -1)
	require.Len(t, blocks, 2)
	for _, b := range blocks {
		assert.Contains(t, examples, strings.ReplaceAll("\t"+b[1], "\n", "\n\t"))
		assert.Contains(t, comment, strings.ReplaceAll("//\t"+b[1], "\n", "\n//\t"))
	}
	for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(readme, -1) {
		_, err := os.Stat(m[1])
		assert.NoError(t, err)
	}
}

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}
