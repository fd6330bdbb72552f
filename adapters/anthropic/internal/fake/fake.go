// Package fake is a Messages API on a loopback address, for tests and for
// programs without a key. A function plays the model; the rest is as the real
// API has it, as far as tools are concerned: it answers at once or as a stream,
// keeps message threads, and refuses a history in which a tool_use has not one
// tool_result in the message after it.
package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// A Model answers a history that the API has taken.
type Model func(history []Message) Reply

// Script returns a model that says one reply after the other, and then that it
// is done.
func Script(replies ...Reply) Model {
	var mu sync.Mutex
	return func([]Message) Reply {
		mu.Lock()
		defer mu.Unlock()
		if len(replies) == 0 {
			return Reply{Content: []Block{Text("Done.")}}
		}
		next := replies[0]
		replies = replies[1:]
		return next
	}
}

// A Server is the API. It is safe for concurrent use.
type Server struct {
	model Model
	http  *httptest.Server

	mu      sync.Mutex
	replies int
	threads map[string][]Message // up to the reply of that ID
	history []Message            // of the last request
}

// New starts a server. Close it.
func New(m Model) *Server {
	s := &Server{model: m, threads: make(map[string][]Message)}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Close stops the server.
func (s *Server) Close() { s.http.Close() }

// Client returns a client of the server, whatever the environment says.
func (s *Server) Client() anthropic.Client {
	return anthropic.NewClient(
		option.WithoutEnvironmentDefaults(),
		option.WithBaseURL(s.http.URL),
		option.WithAPIKey("none"),
		option.WithMaxRetries(0),
		option.WithHTTPClient(s.http.Client()),
	)
}

// History returns that of the last request, also if it was refused.
func (s *Server) History() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history)
}

type request struct {
	Messages []Message `json:"messages"`
	Stream   bool      `json:"stream"`
	Thread   struct {
		Type     string `json:"type"`
		Previous string `json:"previous_message_id"`
	} `json:"thread"`
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		refuse(w, http.StatusNotFound, "there is no "+r.Method+" "+r.URL.Path)
		return
	}
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	history, err := s.take(req)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	reply := s.model(history)
	id := s.keep(history, reply)
	if req.Stream {
		stream(w, id, reply)
		return
	}
	body, err := encode(message(id, reply))
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
}

// take returns the whole history of a request that has to be answered.
func (s *Server) take(req request) ([]Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	history := req.Messages
	if req.Thread.Type == "continue" {
		before, ok := s.threads[req.Thread.Previous]
		if !ok {
			return nil, fmt.Errorf("thread.previous_message_id: there is no message %q", req.Thread.Previous)
		}
		history = append(slices.Clone(before), req.Messages...)
	}
	s.history = history
	return history, check(history)
}

// keep files a reply under the ID that it returns.
func (s *Server) keep(history []Message, r Reply) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies++
	id := fmt.Sprintf("msg_%02d", s.replies)
	s.threads[id] = append(slices.Clone(history), Message{Role: "assistant", Content: r.Content})
	return id
}

func refuse(w http.ResponseWriter, status int, why string) {
	body, _ := encode(map[string]any{
		"type":  "error",
		"error": map[string]string{"type": "invalid_request_error", "message": strings.TrimSpace(why)},
	})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}
