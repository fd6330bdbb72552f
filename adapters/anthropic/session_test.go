package permissionanthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	permissionanthropic "github.com/insomnia-run/permission/adapters/anthropic"
)

// A session is what the API has of a managed agent's session: it tells the
// runner of calls, and notes the results.
type session struct {
	events []string

	mu      sync.Mutex
	results []sessionResult
}

type sessionResult struct {
	Type    string `json:"type"`
	ID      string `json:"tool_use_id"`
	Custom  string `json:"custom_tool_use_id"`
	IsError bool   `json:"is_error"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
}

func (s *session) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/events/stream"):
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range s.events {
			fmt.Fprintf(w, "%s\n\n", e)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case r.Method == http.MethodPost:
		var sent struct{ Events []sessionResult }
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.results = append(s.results, sent.Events...)
		s.mu.Unlock()
		io.WriteString(w, `{"type":"send_session_events"}`)
	default:
		io.WriteString(w, `{"data":[],"has_more":false}`)
	}
}

func sessionEvent(kind, id, tool, input string) string {
	return fmt.Sprintf("event: agent.%[1]s\ndata: "+`{"type":"agent.%[1]s","id":%[2]q,"name":%[3]q,"input":%[4]s,"processed_at":"2026-05-11T12:00:00Z"}`, kind, id, tool, input)
}

// runSession has a session's runner run the calls of events.
func runSession(t *testing.T, tools []anthropic.BetaTool, timeout time.Duration, events ...string) []sessionResult {
	t.Helper()
	s := &session{events: events}
	server := httptest.NewServer(s)
	defer server.Close()
	client := anthropic.NewClient(option.WithoutEnvironmentDefaults(), option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r := client.Beta.Sessions.Events.NewToolRunner(ctx, "sesn_1", anthropic.SessionToolRunnerOptions{
		Tools: tools, ToolTimeout: timeout, Logger: slog.New(slog.DiscardHandler),
	})
	for range events {
		require.True(t, r.Next(), "%v", r.Err())
	}
	require.NoError(t, r.Close())
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results
}

// The runner of a managed agent's session runs tools one after the other, for
// two kinds of events.
func TestADeniedToolDoesNotRunInASession(t *testing.T) {
	for _, guarded := range []bool{true, false} {
		ran := new(log)
		h := newHook(t, &permission.HookOptions{Approver: replies(permission.Once, "")})
		tools := []anthropic.BetaTool{calling("bash", ran.run), calling("read", ran.run)}
		if guarded {
			tools = permissionanthropic.Guard(h, tools, nil)
		}
		results := runSession(t, tools, 0,
			sessionEvent("tool_use", "a", "bash", `{"command":"rm x"}`),
			sessionEvent("custom_tool_use", "b", "bash", `{"command":"rm y"}`),
			sessionEvent("tool_use", "c", "bash", `{"command":"ls"}`),
			sessionEvent("tool_use", "d", "read", `{"path":"ask/1"}`),
		)
		require.Len(t, results, 4)
		assert.Equal(t, []string{"a", "b", "c", "d"}, []string{results[0].ID, results[1].Custom, results[2].ID, results[3].ID})
		if !guarded {
			require.Len(t, ran.calls, 4, "nothing runs tools here")
			continue
		}
		for i, failed := range []bool{true, true, false, false} {
			assert.Equal(t, failed, results[i].IsError, "%v", results[i])
			assert.Equal(t, failed, strings.Contains(results[i].Content[0].Text, "Permission denied"))
		}
		assert.Equal(t, []string{`{"command":"ls"}`, `{"path":"ask/1"}`}, ran.inputs())
	}
}

// The runner of a session gives a tool two minutes if it is not told otherwise,
// and the wait for an answer counts. What was not answered then does not run.
func TestASessionsTimeoutEndsAnAsk(t *testing.T) {
	ran := new(log)
	h := newHook(t, &permission.HookOptions{Approver: answering(silent)})
	tools := permissionanthropic.Guard(h, []anthropic.BetaTool{calling("read", ran.run)}, nil)
	results := runSession(t, tools, 20*time.Millisecond, sessionEvent("tool_use", "a", "read", `{"path":"ask/1"}`))
	require.Len(t, results, 1)
	assert.True(t, results[0].IsError)
	assert.Contains(t, results[0].Content[0].Text, "timed out")
	assert.Empty(t, ran.calls)
}
