package approve_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

var updateWire = flag.Bool("update-wire", false, "write testdata/wire.jsonl anew")

// A message is something that goes over the wire, and what its receiver reads
// it into.
type message struct{ sent, received any }

// messages are of each form that there is.
func messages() []message {
	request := full("r-1")
	least := permission.Request{ID: "r-2", Call: permission.ToolCall{Name: "ls"}}
	all := []message{
		{&request, new(permission.Request)},
		{&least, new(permission.Request)},
		{&approve.Event{ID: "r-1", Request: &request}, new(approve.Event)},
	}
	for _, c := range []permission.Cause{
		permission.CauseOnce, permission.CauseAlways, permission.CauseRejected,
		permission.CauseTimeout, permission.CauseCanceled, permission.CauseClosed,
	} {
		all = append(all, message{&approve.Event{ID: "r-1", Cause: c}, new(approve.Event)})
	}
	for _, r := range []permission.Reply{
		{ID: "r-1", Answer: permission.Once}, {ID: "r-1", Answer: permission.Always},
		{ID: "r-1", Answer: permission.Reject, Message: "use go build"}, {},
	} {
		all = append(all, message{&r, new(permission.Reply)})
	}
	return all
}

// The golden file is what clients of other versions, and in other languages,
// read and write: nothing that stands in it may change.
func TestTheJSONForms(t *testing.T) {
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	for _, m := range messages() {
		require.NoError(t, e.Encode(m.sent))
	}
	const file = "testdata/wire.jsonl"
	if *updateWire {
		require.NoError(t, os.WriteFile(file, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())

	d := json.NewDecoder(bytes.NewReader(want))
	for _, m := range messages() {
		require.NoError(t, d.Decode(m.received))
		assert.Equal(t, withoutMetadata(m.sent), m.received, "and back")
	}
	assert.False(t, d.More())
}

// withoutMetadata returns v without what has no JSON form.
func withoutMetadata(v any) any {
	switch v := v.(type) {
	case *permission.Request:
		v.Call.Metadata = nil
	case *approve.Event:
		if v.Request != nil {
			v.Request.Call.Metadata = nil
		}
	}
	return v
}

// A client that says something that nobody understands has not said no, and
// much less yes.
func TestUnknownAnswersAreErrors(t *testing.T) {
	for _, answer := range []string{
		`"yes"`, `"Once"`, `"ONCE"`, `"once "`, `""`, `"Answer(1)"`, `1`, `0`, `true`, `["once"]`, `{"once":true}`, `null`,
	} {
		r := permission.Reply{ID: "old"}
		assert.Error(t, json.Unmarshal([]byte(`{"id":"r-1","answer":`+answer+`}`), &r), answer)
		assert.Equal(t, permission.Reject, r.Answer, answer)
	}
	_, err := json.Marshal(permission.Reply{ID: "r-1", Answer: 3})
	assert.Error(t, err)
}

func TestEventsThatCannotBeRead(t *testing.T) {
	before := approve.Event{ID: "before", Cause: permission.CauseOnce}
	for _, data := range []string{
		`{}`, `null`, `[]`, `{"type":"permission_asked","id":"r-1"}`,
		`{"type":"permission_request"}`, `{"type":"permission_request","id":"r-1"}`,
		`{"type":"permission_request","request":{"call":{"name":"ls"}}}`,
		`{"type":"permission_request","request":{"id":"r-1","decision":{"action":"maybe"}}}`,
		`{"type":"permission_settled","cause":"once"}`, `{"type":"permission_settled","id":"r-1"}`,
		`{"type":"permission_settled","id":"r-1","cause":"Once"}`,
	} {
		e := before
		assert.Error(t, json.Unmarshal([]byte(data), &e), data)
		assert.Equal(t, before, e)
	}
	var e approve.Event
	require.NoError(t, json.Unmarshal([]byte(`{"type":"permission_settled","id":"r-1","cause":"once","new":{}}`), &e))
	assert.Equal(t, approve.Event{ID: "r-1", Cause: permission.CauseOnce}, e, "members may be added")

	for _, e := range []approve.Event{{}, {Cause: permission.CauseOnce}, {ID: "r-1", Cause: 99}} {
		_, err := json.Marshal(e)
		assert.Error(t, err)
	}
}
