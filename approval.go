package permission

import (
	"context"
	"errors"
	"fmt"
)

// An Approver answers the calls for which a policy says ask: a person at a
// terminal or in an editor, or a program in their place. The package approve
// has ready ones.
//
// Approve is called once for each such call, from many goroutines at once, and
// may take its time: it must return soon after ctx ends, which is when the
// call is cancelled, its time to answer is over, its session has ended, or
// another answer covers it. What it returns then is not looked at, with one
// exception: a reply with the request's ID that comes within a second goes before
// another answer that covers it. An error refuses the call, and so do an unknown Answer, a reply to
// another request and a panic; each is told apart in Decision.Cause. Errors that
// wrap [ErrClosed] or [ErrNoApprover] have causes of their own.
type Approver interface {
	Approve(ctx context.Context, r Request) (Reply, error)
}

// ErrClosed is wrapped by the error of an Approver that has withdrawn its
// question: it shuts down, say.
var ErrClosed = errors.New("the question was withdrawn")

// ErrNoApprover is wrapped by the error of an Approver that has nobody to ask:
// there is no terminal, or no client is connected.
var ErrNoApprover = errors.New("nobody is there to ask")

// A Request asks for one call. It is the approver's own, but for Call.Metadata:
// changing it changes nothing. Its JSON form is stable; members may be added.
type Request struct {
	// ID is unique among all requests, and random: nobody can guess it.
	ID   string   `json:"id"`
	Call ToolCall `json:"call"` // with an Input of its own
	// Decision says why the call asks; its Action is Ask.
	Decision Decision `json:"decision"`
	// Subjects are the parts of the call that need the answer, in their order
	// and each once.
	Subjects []Subject `json:"subjects"`
	// Always are the rules that the answer Always adds for the session: those
	// that the tool has proposed, or one for each of Subjects and nothing else.
	// There are none where a part of the call is unknown, where the call has no
	// session, or where its session has been given too many.
	Always []Rule `json:"always,omitempty"`
}

// Answer is what an approver says. The zero value rejects.
type Answer uint8

const (
	Reject Answer = iota // the call does not run
	Once                 // this call runs
	// Always runs this call, those of its session that wait and are covered by
	// Request.Always, and those to come. Without any such rule it is Once.
	Always
)

var answerNames = [...]string{"reject", "once", "always"}

// String returns the word for a in the JSON form of a Reply.
func (a Answer) String() string {
	if int(a) < len(answerNames) {
		return answerNames[a]
	}
	return fmt.Sprintf("Answer(%d)", uint8(a))
}

// A Reply answers a Request. The zero value rejects. Its JSON form is stable.
type Reply struct {
	// ID is that of the request; it may be empty.
	ID     string `json:"id"`
	Answer Answer `json:"answer"` // zero is Reject
	// Message is told to the model with a Reject.
	Message string `json:"message,omitempty"`
}
