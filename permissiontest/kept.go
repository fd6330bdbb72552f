package permissiontest

import (
	"errors"
	"fmt"

	"github.com/insomnia-run/permission"
)

// A part of a call is something that the model did not write.
type part uint8

const (
	theSession part = iota
	theDir
	theMetadata
)

// A mark is the metadata of one call.
type mark struct{ call string }

// compare notes which parts of c are others for somebody in the runtime than
// were handed in. The caller holds t.mu.
func (t *trial) compare(who string, c permission.ToolCall) {
	t.compareSession(who, c.Session)
	want := t.dir
	if t.runtime.NoDirs {
		want = ""
	}
	if c.Dir != want {
		t.lost[theDir] = append(t.lost[theDir], fmt.Errorf("%s was told the directory %q: want %q", who, c.Dir, want))
	}
	if c.Metadata != t.metadata[about(c)] && !t.runtime.NoMetadata {
		t.lost[theMetadata] = append(t.lost[theMetadata], fmt.Errorf("%s was not handed the metadata of the call: %v", who, c.Metadata))
	}
}

func (t *trial) compareSession(who, name string) {
	want := t.session
	if t.runtime.NoSessions {
		want = ""
	}
	if name != want {
		t.lost[theSession] = append(t.lost[theSession], fmt.Errorf("%s was told the session %q: want %q", who, name, want))
	}
}

// kept returns what was lost of these parts of calls.
func (t *trial) kept(parts ...part) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var errs []error
	for _, p := range parts {
		errs = append(errs, t.lost[p]...)
	}
	return errors.Join(errs...)
}
