// Package permission decides, before an agent's tool call runs, whether it may.
//
// An operator writes rules in the [permissions] table of the runtime's TOML
// manifest: a tool, a pattern and an action each. They are read in order and
// the first that matches decides; a default, which is required, decides the
// rest.
//
// # Decisions
//
// [Load] reads a manifest, or [Compile] rules from Go, into a [Policy], and
// [Policy.Evaluate] answers [Allow], [Deny] or [Ask] for one call. Its comment
// is the specification of a decision; what a pattern matches is said at [Rule].
// [Policy.Explain] tells how an answer comes about.
//
// Evaluation is pure: it opens no file, asks no clock and keeps no state, so the
// same policy gives the same answer for the same call.
//
// # In a runtime
//
// [Hook] is the built-in PreToolCall hook. It turns a refusal into a tool result
// with is_error set, so that the turn goes on and every tool_use keeps its
// tool_result; it puts an ask to an [Approver] that the host supplies, of which
// the package approve has ready ones. A [Skill] that runs narrows what may run,
// see [Policy.WithSkill]. The package permissiontest proves that a runtime keeps
// its part.
//
// # What can go wrong
//
// The package fails closed. The zero value of every verdict refuses, a nil
// policy denies, and a fault of any kind (a bad manifest, an input that cannot
// be read, an approver that fails, a panic) is a refusal with a text that says
// why.
//
// It is not a sandbox. What is allowed runs with all the rights of the
// process; put a boundary such as [os.Root] below it.
//
// # Concurrency and ownership
//
// Policies and hooks are safe for concurrent use. What a function is handed
// stays the caller's and is not kept unless it says so; what it returns is the
// caller's own.
package permission

import (
	"encoding/json"
	"fmt"

	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// Action is what a rule decides and what a decision says. Of two actions the
// stricter is the smaller. The zero value denies.
type Action uint8

const (
	Deny  Action = iota // the call does not run
	Ask                 // the call runs if the approver agrees
	Allow               // the call runs
)

var actionNames = [...]string{"deny", "ask", "allow"}

// String returns the word that a manifest uses for a, and Action(n) for an n
// that is none.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return fmt.Sprintf("Action(%d)", uint8(a))
}

// ParseAction returns the action that a manifest calls s. Case counts: "Deny"
// is not an action. With an error it returns Deny.
func ParseAction(s string) (Action, error) {
	for i, name := range actionNames {
		if s == name {
			return Action(i), nil
		}
	}
	return Deny, fmt.Errorf("unknown action %q: want allow, deny or ask", s)
}

// Kind says how a text is read before patterns are matched with it. The zero
// value takes it as it stands.
type Kind uint8

const (
	Text    Kind = iota // as it stands
	Command             // a shell command line
	Path                // a file path
	URL                 // a URL
	Patch               // the text of a patch: each file that it touches is a Path
)

// String returns the word that a manifest uses for k, and Kind(n) for an n that
// is none.
func (k Kind) String() string { return subject.Kind(k).String() }

// Cause says why a decision, or the verdict that a [Hook] makes of it, came
// out as it did. The zero value is a fault. CauseSkill and
// those after it come from a hook, never from a policy.
type Cause uint8

const (
	CauseFault          Cause = iota // a fault in this library or its host, a panic included; a nil policy
	CauseRule                        // Decision.Rule matched Decision.Subject
	CauseDefault                     // no rule matched Decision.Subject
	CauseDoubt                       // part of Decision.Subject is unknown, and with it Decision.Rule may match
	CauseMalformed                   // the call cannot be read; Decision.Detail says what is wrong
	CauseDisabled                    // there is no [permissions] table: every call runs
	CauseSkill                       // a skill that runs does not list the tool for Decision.Subject
	CauseOnce                        // the approver agreed to this call
	CauseAlways                      // the approver agreed to this and further calls of the session, now or before
	CauseRejected                    // the approver refused
	CauseTimeout                     // nobody answered in time
	CauseCanceled                    // the call's context ended first
	CauseClosed                      // the question was withdrawn; Decision.Detail says why
	CauseNoApprover                  // the answer is ask, and nobody can be asked
	CauseApproverFailed              // the approver returned an error, an unknown answer, or panicked
)

var causeNames = [...]string{
	"fault", "rule", "default", "doubt", "malformed", "disabled", "skill",
	"once", "always", "rejected", "timeout", "canceled", "closed", "no_approver", "approver_failed",
}

// String returns a short name of c for logs and messages, and Cause(n) for an n
// that is none.
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return fmt.Sprintf("Cause(%d)", uint8(c))
}

// A ToolCall is one tool_use of the model. The zero value is malformed: it names
// no tool.
type ToolCall struct {
	// ID pairs the call with its result. It may be empty where the runtime
	// has none; it plays no part in the decision.
	ID string `json:"id,omitempty"`
	// Name is the tool's name as the runtime dispatches it. Case counts.
	// An empty name, or one with a blank or a control character, is malformed.
	Name string `json:"name"`
	// Session tells one conversation from another. It plays no part in the
	// policy's decision, but what an approver agrees to for always holds for the
	// session alone. Without one nothing does.
	Session string `json:"session,omitempty"`
	// Dir is the directory that relative paths of the call start from; a
	// relative one is below Options.Root. Empty means Options.Root.
	Dir string `json:"dir,omitempty"`
	// Input is the JSON object that the model wrote; empty means {}.
	// Evaluate reads it and keeps no reference to it.
	Input json.RawMessage `json:"input,omitempty"`
	// Metadata is the host's own and is passed through untouched. It has no
	// JSON form.
	Metadata any `json:"-"`
}

// A ToolResult answers one ToolCall. Its JSON form has the fields of a
// tool_result block of the Messages API, which wants "type" beside them. The zero
// value is an empty success: a refusal always sets IsError.
type ToolResult struct {
	CallID  string `json:"tool_use_id"` // ToolCall.ID of the call
	Content string `json:"content"`     // what the model reads
	IsError bool   `json:"is_error"`    // the call was refused or its tool failed
}

// A Subject is one thing that a call touches: a path, a URL, a simple command
// or a text. The zero value is the empty text.
type Subject struct {
	Kind Kind `json:"kind"` // how Text is read
	// Text is, where it is handed in, what the tool gets. In a decision it is what
	// was read: a path from the root if it is inside, a command as it is written.
	// It may be empty.
	Text string `json:"text"`
}

// A Decision is the answer of a policy for one call, with its cause. The zero
// value denies.
type Decision struct {
	Action Action `json:"action"` // zero is Deny
	Cause  Cause  `json:"cause"`  // zero is CauseFault
	// Rule is the rule that decided, that may match a subject in doubt, or that
	// wanted the approval which Cause tells of; nil where there is none. It
	// is a copy.
	Rule *Rule `json:"rule,omitempty"`
	// Subject is the part of the call that the decision rests on; it is zero
	// where that is the call as a whole.
	Subject Subject `json:"subject"`
	// Detail says what could not be read or what went wrong; with
	// CauseRejected, what the approver said. It may hold the name of an argument
	// or of a variable in a command, and what the approver or a panic said, but
	// no argument's value beside that.
	Detail string `json:"detail,omitempty"`
}

// String returns d on one line, for logs of one's own and for tests: what was
// decided, by what, and on which part of the call. It holds that part, which
// the model wrote, shortened and escaped.
func (d Decision) String() string {
	s := d.Action.String() + ": " + d.Cause.String()
	if d.Rule != nil {
		s += ": " + d.Rule.String()
	}
	if d.Subject.Text != "" {
		s += ": " + visible.Quote(d.Subject.Text)
	}
	if d.Detail != "" {
		s += ": " + visible.Short(d.Detail)
	}
	return s
}
