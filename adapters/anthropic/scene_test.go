package permissionanthropic_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

// newHook returns a hook that allows ls and reads below ok, asks about reads
// below ask, and denies all else.
func newHook(t *testing.T, o *permission.HookOptions) *permission.Hook {
	t.Helper()
	p, err := permission.Compile(permission.Deny, []permission.Rule{
		{Tool: "bash", Pattern: "ls *", Action: permission.Allow},
		{Tool: "read", Pattern: "ok/*", Action: permission.Allow},
		{Tool: "read", Pattern: "ask/*", Action: permission.Ask, Reason: "somebody has to look"},
		{Tool: "count", Pattern: "*", Action: permission.Allow},
		{Tool: "browser.click", Pattern: "*", Action: permission.Allow},
	}, &permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"})
	require.NoError(t, err)
	if o == nil {
		o = &permission.HookOptions{RefuseAsks: true}
	}
	h, err := permission.NewHook(p, o)
	require.NoError(t, err)
	return h
}

// A log is a tool that notes what it was run for.
type log struct {
	mu    sync.Mutex
	calls []permission.ToolCall
}

func (l *log) run(ctx context.Context, c permission.ToolCall) permission.ToolResult {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, c)
	return says(ctx, c)
}

// inputs returns what the tool got.
func (l *log) inputs() (inputs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		inputs = append(inputs, string(c.Input))
	}
	return inputs
}

// stable returns a message of the stable API as the wire has it.
func stable(t *testing.T, r fake.Reply) *anthropic.Message {
	t.Helper()
	var got *anthropic.Message
	play(t, r, func(c anthropic.Client) (err error) {
		got, err = stableOnce(t.Context(), c, stableParams([]anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("go"))}))
		return err
	})
	return got
}

// beta returns a message of the beta API as the wire has it.
func beta(t *testing.T, r fake.Reply) *anthropic.BetaMessage {
	t.Helper()
	var got *anthropic.BetaMessage
	play(t, r, func(c anthropic.Client) (err error) {
		got, err = betaOnce(t.Context(), c, betaParams([]anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go"))}))
		return err
	})
	return got
}

func play(t *testing.T, r fake.Reply, with func(anthropic.Client) error) {
	t.Helper()
	server := fake.New(fake.Script(r))
	defer server.Close()
	require.NoError(t, with(server.Client()))
}

// accepts checks that the API takes a message and its answer, and returns the
// results in that.
func accepts(t *testing.T, m *anthropic.Message, answer anthropic.MessageParam) []fake.Block {
	t.Helper()
	server := fake.New(fake.Script())
	defer server.Close()
	client := server.Client()
	_, err := client.Messages.New(t.Context(), stableParams([]anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("go")), m.ToParam(), answer,
	}))
	require.NoError(t, err)
	return server.History()[2].Content
}

// acceptsBeta is accepts for the beta API.
func acceptsBeta(t *testing.T, m *anthropic.BetaMessage, answer anthropic.BetaMessageParam) []fake.Block {
	t.Helper()
	server := fake.New(fake.Script())
	defer server.Close()
	client := server.Client()
	_, err := client.Beta.Messages.New(t.Context(), betaParams([]anthropic.BetaMessageParam{
		anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("go")), m.ToParam(), answer,
	}))
	require.NoError(t, err)
	return server.History()[2].Content
}

// requireError checks that b is an error result with these texts.
func requireError(t *testing.T, b fake.Block, id string, texts ...string) {
	t.Helper()
	assert.Equal(t, id, b.ToolUseID)
	assert.True(t, b.IsError, "%q is no error", b.Content.Text())
	for _, text := range texts {
		assert.Contains(t, b.Content.Text(), text)
	}
}

// requireText checks that b is the result of a tool that ran.
func requireText(t *testing.T, b fake.Block, id, text string) {
	t.Helper()
	assert.Equal(t, id, b.ToolUseID)
	assert.False(t, b.IsError, "%q is an error", b.Content.Text())
	assert.Contains(t, b.Content.Text(), text)
}

// calling returns a guarded or plain tool that runs next.
func calling(name string, next permission.ToolFunc) anthropic.BetaTool {
	return toolsOf([]permission.ToolCall{{Name: name}}, next)[0]
}

func block(text string) json.RawMessage { return json.RawMessage(text) }
