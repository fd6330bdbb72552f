// Package permissiontest proves that a runtime keeps the contract of
// [permission.Hook]: that a refused call never runs, that every call gets one
// result whatever happens, and that what runs is what was judged.
//
// The test of a runtime, or of an adapter for one, hands in how it runs the calls
// of one assistant message:
//
//	func TestPermissions(t *testing.T) {
//		permissiontest.Run(t, permissiontest.Runtime{Run: run})
//	}
//
// A runtime that can run tools in several ways (one after the other and at the
// same time, as a stream, as a task, in a sub-agent) has a Runtime for each of
// them: a way that nobody has tried is one around the hook.
package permissiontest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/insomnia-run/permission"
)

// A Runtime says how the runtime under test runs calls, and what it cannot do.
// Each fact about it that is set takes one point of the contract back; the
// zero values take none.
type Runtime struct {
	// Run has the runtime run calls, those of one assistant message, and
	// returns the tool results that the model would be shown, in their order.
	// Its PreToolCall hook is h, and every tool that the calls name is tool,
	// which sets no CallID.
	//
	// The calls of one message have the same Session, that of the conversation
	// they belong to, and the same Dir, which need not exist.
	//
	// Run is called in a goroutine of its own, and often: each time with a
	// runtime that is new or has settled. The hook may be nil or one that
	// NewHook has not made; these refuse every call. Required.
	Run func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult

	// RunRewritten is Run in a runtime in which its user has a hook as well.
	// That says allow to every call, if such hooks say anything, and puts what
	// rewrite returns in the place of the call's input. Nil is for runtimes
	// without such hooks.
	RunRewritten func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) []permission.ToolResult

	// Sequential says that the runtime runs calls one after the other, so that
	// one which waits for an answer holds up those behind it.
	Sequential bool

	// NoCallIDs says that the runtime does not tell its hooks the IDs of
	// calls. Results have them all the same.
	NoCallIDs bool

	// NoErrorFlag says that a result in the runtime's protocol has nothing to
	// tell errors by. That a call was refused is then in its text alone.
	NoErrorFlag bool

	// Reencodes says that the runtime decodes inputs before the hook can see
	// them. Hook and tool then get other bytes than the model wrote, the same
	// ones.
	Reencodes bool

	// Detached says that the values of Run's context do not reach hook and
	// tools, as where a connection lies between them. Skills then restrict
	// nothing. That the turn is cancelled has to reach them all the same.
	Detached bool

	// NoSessions says that the runtime knows of no conversations. Hook and tools
	// then get no Session, so that nobody can agree to anything for always: one
	// that is the same for all would share that.
	NoSessions bool

	// NoDirs says that every call runs in the root of the policy. Hook and tools
	// then get no Dir.
	NoDirs bool

	// NoMetadata says that ToolCall.Metadata does not reach hook and tools, as
	// in a runtime that has some of its own there.
	NoMetadata bool

	// Timeout is how long one message may take. Zero or less is ten seconds.
	Timeout time.Duration
}

// A Rewrite is what a hook of the runtime's user does: it returns the input
// that the call is to have from then on.
type Rewrite func(permission.ToolCall) json.RawMessage

// Run proves the contract in r, with a subtest for each of its points. A
// failure says what was seen and what to mend. A panic that a runtime lets out
// of a goroutine of its own ends the test, as it would end the agent.
func Run(t *testing.T, r Runtime) {
	t.Helper()
	if r.Run == nil {
		t.Fatal("permissiontest: Runtime.Run is nil: want how the runtime runs calls")
	}
	for _, p := range contract() {
		t.Run(p.name, func(t *testing.T) {
			if why := p.exempt(r); why != "" {
				t.Skip(why)
			}
			if err := p.check(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
}

// A point is one point of the contract.
type point struct {
	name  string
	prove func(context.Context, Runtime) error
	mend  string // what to do where it does not hold
	needs func(Runtime) string
}

// exempt returns why the point is none of r's; nothing where it is.
func (p *point) exempt(r Runtime) string {
	if p.needs == nil {
		return ""
	}
	return p.needs(r)
}

// check reports what r does against p, and what to mend.
func (p *point) check(ctx context.Context, r Runtime) error {
	if err := p.prove(ctx, r); err != nil {
		return fmt.Errorf("%w\n%s", err, p.mend)
	}
	return nil
}

func concurrent(r Runtime) string {
	if r.Sequential {
		return "the runtime runs calls one after the other"
	}
	return ""
}

func attached(r Runtime) string {
	if r.Detached {
		return "the values of the context do not reach the hook"
	}
	return ""
}

func marked(r Runtime) string {
	if r.NoMetadata {
		return "the metadata of calls does not reach the hook"
	}
	return ""
}

func rewritten(r Runtime) string {
	if r.RunRewritten == nil {
		return "the runtime has no hooks of its user's"
	}
	return ""
}

// contract returns the points that Run proves, the plain ones first.
func contract() []point {
	return []point{
		{"allowed calls run", allowedRun,
			"Call Hook.PreToolCall for each call. Where the verdict says Proceed, run its Call once and answer with what the tool returned.", nil},
		{"denied calls never run", deniedNeverRun,
			"Call Hook.PreToolCall for each call before anything of it runs, and run none whose verdict does not say Proceed.", nil},
		{"every call has one result", oneResultEach,
			"Answer every call once, under its ID: one whose verdict does not say Proceed with Verdict.Result.", nil},
		{"results are in order", inOrder,
			"Put the results into the order of the calls, whichever is done first.", nil},
		{"a refusal is a result", refusalIsResult,
			"Show the model Verdict.Result as any other result: its whole text, with is_error set.", nil},
		{"a refusal stops no other call", refusalStopsNothing,
			"Go on with the other calls of the message: a refusal is no error of the runtime, and ends no turn.", nil},
		{"calls run at the same time", atTheSameTime,
			"Run the calls of a message at the same time, as Hook.RunAll does, or set Runtime.Sequential.", concurrent},
		{"an ask holds up no other call", askHoldsUpNothing,
			"Call Hook.PreToolCall in the goroutine that runs the call and hold no lock meanwhile: it waits for a person.", concurrent},
		{"an ask is put once", askedOnce,
			"Call Hook.PreToolCall once for a call that nobody rewrites, with its ID, name and input as they are. What was refused stays refused.", nil},
		{"an ask without an answer refuses", unanswered,
			"Run no call whose verdict does not say Proceed, whatever its Cause: no answer in time, nobody to ask and an approver that fails are no consent.", nil},
		{"an approval is for one call", approvalForOneCall,
			"Keep no approvals: call Hook.PreToolCall for each call, also for one that looks like an earlier one. It knows what holds for the session.", nil},
		{"a tool that fails has a result", toolFails,
			"Run a tool once for a verdict, whatever it returns. Answer a call whose tool fails with the tool's text and is_error set, and go on with the others.", nil},
		{"a tool that panics has a result", toolPanics,
			"Recover the panic of a tool and answer its call with an error result, as Hook.Wrap does; go on with the others.", nil},
		{"cancelling settles every call", cancelSettles,
			"Hand the context of the turn to Hook.PreToolCall. When it ends, start no tool any more and answer every call that has no result with an error.", nil},
		{"a cancelled turn runs nothing", cancelledBefore,
			"Hand the context of the turn to Hook.PreToolCall, which refuses once it has ended, and answer every call all the same.", nil},
		{"a tool has the turn's context", turnsContext,
			"Hand the context of the turn to the tool, too: it has to end with the turn, and the values in it may restrict what the tool does. Where these cannot get there, set Runtime.Detached.", nil},
		{"sessions are kept apart", sessionsApart,
			"Call Hook.PreToolCall with the Session of the call's conversation, and run Verdict.Call: what somebody agrees to for always holds for that session. Where there are no conversations, hand in none and set Runtime.NoSessions.", nil},
		{"a call keeps its directory", keepsDir,
			"Call Hook.PreToolCall with the directory that the tool runs in as Dir, and run Verdict.Call there. Where that is always the root of the policy, hand in none and set Runtime.NoDirs.", nil},
		{"a call keeps its metadata", keepsMetadata,
			"Hand the call to Hook.PreToolCall with all that is in it, and run Verdict.Call. Where Metadata cannot get there, set Runtime.NoMetadata.", marked},
		{"ambiguous input is refused", ambiguousInput,
			"Hand the input to the hook as the model wrote it. One that was decoded before has lost what was wrong with it.", nil},
		{"the tool gets what was judged", judgedIsRun,
			"Run Verdict.Call, and neither decode nor encode its Input between the model and the tool.", nil},
		{"the input may change afterwards", changedAfterwards,
			"Run Verdict.Call, whose Input is its own. The bytes that were handed in may be others by now.", nil},
		{"every name goes through the hook", everyName,
			"Call Hook.PreToolCall with the name that the runtime dispatches, for tools of any name and source.", nil},
		{"messages of any length", longMessage,
			"Call Hook.PreToolCall for each call, however many there are in a message.", nil},
		{"inputs of any size", anySize,
			"Hand the input to the hook and to the tool whole, and an empty one too.", nil},
		{"IDs need not be unique", sameIDs,
			"Pair results with calls by their place. Where the runtime cannot, answer every call of the message with an error.", nil},
		{"a new policy holds at once", newPolicy,
			"Keep no verdicts: call Hook.PreToolCall for each call, after Hook.Swap it decides by the new policy.", nil},
		{"a skill restricts", skillRestricts,
			"Hand the context of the turn to Hook.PreToolCall: the skills that run are in it. Where it cannot get there, set Runtime.Detached.", attached},
		{"a hook that was not made refuses", unmadeHook,
			"Call Hook.PreToolCall whatever the hook is: a nil one, and the zero value, refuse every call.", nil},
		{"a rewritten call is judged again", rewrittenJudged,
			"Call Hook.PreToolCall again for what a user's hook has made of the call, and run or refuse it by that verdict.", rewritten},
		{"a rewritten call runs as rewritten", rewrittenRuns,
			"Run the Call of the last verdict, and answer under the ID of the call that the model wrote.", rewritten},
		{"a rewritten call asks anew", rewrittenAsks,
			"Call Hook.PreToolCall again for what a user's hook has made of the call: nobody has agreed to that yet.", rewritten},
		{"a rewritten call keeps its place", rewrittenKeeps,
			"Put the input that a user's hook wrote into the call that was judged, and leave all else in that as it is.", rewritten},
		{"the policy goes before user hooks", policyFirst,
			"Call Hook.PreToolCall before the user's hooks, and do not call them for what it refuses: they cannot allow it.", rewritten},
	}
}
