package approve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/insomnia-run/permission"
)

// An Event tells a subscriber of a [Broker] of a new request, or that one is
// settled, so that its dialog can be closed. The zero value is neither and has
// no JSON form.
//
// The JSON form is stable; members may be added:
//
//	{"type":"permission_request","request":{"id":"…","call":{…},…}}
//	{"type":"permission_settled","id":"…","cause":"once"}
type Event struct {
	// ID is that of the request.
	ID string
	// Request is the new request, and the receiver's own but for
	// Call.Metadata. It is nil for one that is settled.
	Request *permission.Request
	// Cause says how a request was settled: by the answer CauseOnce,
	// CauseAlways or CauseRejected; CauseTimeout, because nobody answered in
	// time; CauseCanceled, because its hook does not wait for an answer any
	// more, as when the call is cancelled or another answer covers it; or
	// CauseClosed, because the broker has withdrawn it or its session has ended.
	// It means nothing beside a Request.
	Cause permission.Cause
}

// The words for the kinds of events.
const (
	typeRequest = "permission_request"
	typeSettled = "permission_settled"
)

// wireEvent is the JSON form of an Event.
type wireEvent struct {
	Type    string              `json:"type"`
	Request *permission.Request `json:"request,omitempty"`
	ID      string              `json:"id,omitempty"`
	Cause   *permission.Cause   `json:"cause,omitempty"`
}

// MarshalJSON returns the JSON form of e. It fails for an event that has neither a
// request nor an ID.
func (e Event) MarshalJSON() ([]byte, error) {
	w := wireEvent{Type: typeSettled, ID: e.ID, Cause: &e.Cause}
	switch {
	case e.Request != nil:
		w = wireEvent{Type: typeRequest, Request: e.Request}
	case e.ID == "":
		return nil, errors.New("an event with neither a request nor an ID")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // that is for the encoder that e is written with to say
	err := enc.Encode(w)
	return b.Bytes(), err
}

// UnmarshalJSON reads the JSON form of an event. One of another type, or without
// what its type needs, is an error, and then e is as it was. Members that it does
// not know are passed over.
func (e *Event) UnmarshalJSON(data []byte) error {
	var w wireEvent
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	switch w.Type {
	case typeRequest:
		if w.Request == nil || w.Request.ID == "" {
			return fmt.Errorf("a %s without a request that has an id", w.Type)
		}
		*e = Event{ID: w.Request.ID, Request: w.Request}
		return nil
	case typeSettled:
		if w.ID == "" || w.Cause == nil {
			return fmt.Errorf("a %s without id or cause", w.Type)
		}
		*e = Event{ID: w.ID, Cause: *w.Cause}
		return nil
	}
	return fmt.Errorf("unknown type of event %q: want %s or %s", w.Type, typeRequest, typeSettled)
}

// clone returns a copy of r that shares nothing with it but the metadata of
// the call, which are the host's.
func clone(r permission.Request) permission.Request {
	r.Call.Input = bytes.Clone(r.Call.Input)
	if r.Decision.Rule != nil {
		rule := *r.Decision.Rule
		r.Decision.Rule = &rule
	}
	r.Subjects = slices.Clone(r.Subjects)
	r.Always = slices.Clone(r.Always)
	return r
}
