package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"
)

// message returns the body of a response that is no stream.
func message(id string, r Reply) map[string]any {
	content := make([]Block, len(r.Content))
	for i, b := range r.Content {
		content[i] = b
		if isCall(b) && len(b.Input) == 0 {
			content[i].Input = json.RawMessage("{}")
		}
	}
	return map[string]any{
		"id": id, "type": "message", "role": "assistant", "model": "fake",
		"content": content, "stop_reason": r.stopReason(), "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
	}
}

func isCall(b Block) bool { return b.Type == "tool_use" || b.Type == "server_tool_use" }

// stream sends a response as events. Texts and inputs come in pieces, and an
// input need not be JSON.
func stream(w http.ResponseWriter, id string, r Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	start := message(id, Reply{})
	start["stop_reason"] = nil
	event(w, map[string]any{"type": "message_start", "message": start})
	for i, b := range r.Content {
		begin, kind, field, whole := b, "", "", ""
		switch {
		case isCall(b):
			begin.Input = json.RawMessage("{}")
			kind, field, whole = "input_json_delta", "partial_json", string(b.Input)
		case b.Type == "text":
			begin.Text = ""
			kind, field, whole = "text_delta", "text", b.Text
		}
		event(w, map[string]any{"type": "content_block_start", "index": i, "content_block": begin})
		for _, piece := range pieces(whole) {
			event(w, map[string]any{"type": "content_block_delta", "index": i, "delta": map[string]string{"type": kind, field: piece}})
		}
		event(w, map[string]any{"type": "content_block_stop", "index": i})
	}
	event(w, map[string]any{
		"type":  "message_delta",
		"delta": map[string]any{"stop_reason": r.stopReason(), "stop_sequence": nil},
		"usage": map[string]int{"output_tokens": 1},
	})
	event(w, map[string]any{"type": "message_stop"})
}

// pieces cuts s into some, between characters.
func pieces(s string) (parts []string) {
	size := max(5, len(s)/8)
	for len(s) > size {
		at := size
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
		parts = append(parts, s[:at])
		s = s[at:]
	}
	if s != "" {
		parts = append(parts, s)
	}
	return parts
}

func event(w http.ResponseWriter, v map[string]any) {
	data, err := encode(v)
	if err != nil {
		panic(err) // of this package's own values: it is wrong here
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", v["type"], data)
}

// encode is json.Marshal that leaves < and > in an input as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
