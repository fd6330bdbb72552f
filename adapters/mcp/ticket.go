package permissionmcp

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/insomnia-run/permission"
)

const (
	// patience is how long a client has for its next request, where the time to
	// answer is not bounded.
	patience = 15 * time.Minute
	// maxTickets bounds the memory: a client may call and never come back.
	maxTickets = 10_000
)

// A kind says what a ticket is for.
type kind string

const (
	none   kind = ""
	asking kind = "ask" // an answer to a question about a call
	going  kind = "go"  // input for the tool of a call that somebody has agreed to
	// whole is no ticket of the guard's: a tool's own state stands behind it
	// that looks like one, such as that of another guard.
	whole kind = "tool"
)

// A ticket is what a client has to show with its next request. The client gets
// no more than its number, which nobody can guess; what it is for stays here.
// So it cannot be forged, and is good for one request.
type ticket struct {
	kind   kind
	terms  digest
	holder any
	until  time.Time
	rest   digest // of the requestState of the tool that goes with it
}

func (t ticket) late() bool { return time.Now().After(t.until) }

// tickets are those that have been issued and not been shown. The zero value is
// ready.
type tickets struct {
	mu     sync.Mutex
	issued map[string]ticket
}

// prefix tells a ticket in a requestState from what a tool has there.
const prefix = "permission:"

// issue returns t as a requestState, with that of a tool behind it.
func (ts *tickets) issue(t ticket, rest string) string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.issued == nil {
		ts.issued = make(map[string]ticket)
	}
	if len(ts.issued) >= maxTickets {
		ts.shed()
	}
	number := rand.Text()
	t.rest = sha256.Sum256([]byte(rest))
	ts.issued[number] = t
	return prefix + string(t.kind) + ":" + number + ":" + rest
}

// shed forgets what came too late, which until then is told so, or else the
// ticket that is the next to.
func (ts *tickets) shed() {
	var next string
	for number, t := range ts.issued {
		if t.late() {
			delete(ts.issued, number)
		}
		if next == "" || t.until.Before(ts.issued[next].until) {
			next = number
		}
	}
	if len(ts.issued) >= maxTickets {
		delete(ts.issued, next)
	}
}

// take returns the ticket of that number, which is used up, or none. Somebody
// else's stays where it is.
func (ts *tickets) take(number string, holder any) ticket {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t, ok := ts.issued[number]
	if !ok || t.holder != holder {
		return ticket{}
	}
	delete(ts.issued, number)
	return t
}

// cut takes a requestState apart. One without a ticket is a tool's own.
func cut(state string) (k kind, number, rest string) {
	s, ok := strings.CutPrefix(state, prefix)
	word, s, found := strings.Cut(s, ":")
	number, rest, ended := strings.Cut(s, ":")
	k = kind(word)
	if !ok || !found || !ended || k != asking && k != going && k != whole {
		return none, "", state
	}
	return k, number, rest
}

// wrap returns a tool's state such that cut takes it for nothing else.
func wrap(state string) string {
	if k, _, _ := cut(state); k == none {
		return state
	}
	return prefix + string(whole) + "::" + state
}

// A digest stands for all that somebody is asked about a call, or for a state.
type digest [sha256.Size]byte

// digestOf returns the digest of r, for a call of that tool: every byte of its
// input, the parts that need the answer and the reason why. Whoever asks has to
// be asked about the same. The call's ID is left out: the host may give each
// request one of its own.
func digestOf(tool string, r permission.Request) (d digest, err error) {
	input := r.Call.Input
	r.ID, r.Always, r.Call.ID, r.Call.Input = "", nil, "", nil
	head, err := json.Marshal(r)
	if err != nil {
		return d, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s%q", head, tool) // each of which says where it ends
	h.Write(input)
	return digest(h.Sum(nil)), nil
}
