package fake

import (
	"bytes"
	"encoding/json"
)

// A Message is one of a request's history.
type Message struct {
	Role    string `json:"role"`
	Content Blocks `json:"content"`
}

// Blocks are the content of a message, which on the wire may be a text alone,
// or in a result of the API's own tools one thing that is in no list.
type Blocks []Block

// UnmarshalJSON implements [json.Unmarshaler].
func (b *Blocks) UnmarshalJSON(data []byte) error {
	switch data = bytes.TrimSpace(data); data[0] {
	case '"':
		*b = Blocks{Text("")}
		return json.Unmarshal(data, &(*b)[0].Text)
	case '{':
		*b = make(Blocks, 1)
		return json.Unmarshal(data, &(*b)[0])
	}
	return json.Unmarshal(data, (*[]Block)(b))
}

// Text returns the texts among b, one after the other.
func (b Blocks) Text() string {
	var text string
	for _, one := range b {
		text += one.Text
	}
	return text
}

// A Block is a piece of a message, with what matters here of any type.
type Block struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`

	ID          string          `json:"id,omitempty"`
	Name        string          `json:"name,omitempty"`
	ToolsetName string          `json:"toolset_name,omitempty"`
	ServerName  string          `json:"server_name,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`

	ToolUseID string `json:"tool_use_id,omitempty"`
	Content   Blocks `json:"content,omitempty"`
	IsError   bool   `json:"is_error,omitempty"`
}

// Text returns a block of text.
func Text(text string) Block { return Block{Type: "text", Text: text} }

// ToolUse returns a block that calls a tool, with an input as the model writes
// it.
func ToolUse(id, name, input string) Block {
	return Block{Type: "tool_use", ID: id, Name: name, Input: json.RawMessage(input)}
}

// A Reply is what the model answers to a history.
type Reply struct {
	Content    []Block
	StopReason string // empty means tool_use where there is one, else end_turn
}

func (r Reply) stopReason() string {
	if r.StopReason != "" {
		return r.StopReason
	}
	for _, b := range r.Content {
		if b.Type == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}
