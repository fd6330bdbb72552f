package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"sync"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// The runtime sends each approve.Event as it is, one on a line, and an error
// for each line of the client's that it can do nothing with.
type wireError struct {
	Type  string `json:"type"` // "error"
	Error string `json:"error"`
}

// A method is what the client sends, one on a line:
//
//	{"method":"permission_reply","params":{"id":"…","answer":"once"}}
type method struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

const methodReply = "permission_reply"

// maxLine bounds a line of the client's. What is longer ends the connection.
const maxLine = 1 << 20

// A wire takes whole lines, from several goroutines.
type wire struct {
	mu sync.Mutex
	to io.Writer
}

func (w *wire) send(v any, t *transcript) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t.print("-> %s", line)
	_, err = w.to.Write(append(line, '\n'))
	return err
}

// publish sends the client what the broker tells, until one of the two has gone.
func publish(events iter.Seq[approve.Event], w *wire, t *transcript, sent func(approve.Event)) {
	for e := range events {
		if w.send(e, t) != nil {
			return
		}
		sent(e)
	}
}

// receive hands the client's replies to the broker, until there are no more. A
// line that cannot be read approves nothing and ends nothing: the request that
// it may have been meant for still waits.
func receive(b *approve.Broker, from io.Reader, w *wire, t *transcript) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		t.print("<- %s", lines.Bytes())
		if err := handle(b, lines.Bytes()); err != nil && w.send(wireError{"error", err.Error()}, t) != nil {
			return
		}
	}
}

// handle does what one line of the client's says.
func handle(b *approve.Broker, line []byte) error {
	var m method
	if err := json.Unmarshal(line, &m); err != nil {
		return fmt.Errorf("not a method: %w", err)
	}
	if m.Method != methodReply {
		return fmt.Errorf("unknown method %q: want %s", m.Method, methodReply)
	}
	var r permission.Reply
	if err := json.Unmarshal(m.Params, &r); err != nil {
		return fmt.Errorf("not a reply: %w", err)
	}
	return b.Reply(r)
}
