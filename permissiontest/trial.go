package permissiontest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

const (
	defaultTimeout = 10 * time.Second
	root           = "/srv/proj"
)

// A trial is a hook in the runtime under test, and all that becomes of the
// calls that are put to it.
type trial struct {
	runtime Runtime

	// A check sets these before the first message.
	tool   permission.ToolFunc // nil says what it ran
	answer func(context.Context, permission.Request) permission.Reply
	silent func(context.Context, permission.Request) error // set where there is no answer, but an error
	judged func()                                          // when a call was decided and has not run

	mu       sync.Mutex
	hook     *permission.Hook
	policies []*permission.Policy // that are or were in force
	number   int
	session  string // of the calls to come
	dir      string
	metadata map[string]any        // by what calls are about
	handed   []permission.ToolCall // the last message
	ran      []permission.ToolCall
	count    map[string]int  // of those, by what they are about
	allowed  map[string]bool // the tools of which the hook has let a call run
	asked    []permission.Request
	agreed   []permission.ToolCall // and not run yet
	always   map[grant]bool
	refusals []refusal
	faults   []error
	lost     map[part][]error // that calls have no more, or never should
	settled  bool             // Run has returned
}

// A grant is what the approver agreed to for a whole session.
type grant struct{ session, call string }

// A refusal is a text that the hook gave for a call.
type refusal struct{ call, text string }

// newTrial returns a trial by these rules, over a default that denies.
func newTrial(r Runtime, rules ...permission.Rule) (*trial, error) {
	p, err := compile(permission.Deny, rules...)
	if err != nil {
		return nil, err
	}
	t := &trial{
		runtime: r, policies: []*permission.Policy{p}, session: "session-" + rand.Text(),
		metadata: make(map[string]any), count: make(map[string]int), always: make(map[grant]bool),
		lost: make(map[part][]error), allowed: make(map[string]bool),
	}
	return t, t.wait(0)
}

// wait makes the hook anew, with that time to answer; zero is no bound.
func (t *trial) wait(timeout time.Duration) (err error) {
	t.hook, err = permission.NewHook(t.policies[0], &permission.HookOptions{
		Approver:   t,
		Refusal:    t.refusal,
		OnDecision: t.decided,
		Timeout:    timeout,
	})
	return err
}

// plain returns a trial in which the path of a call says what becomes of it.
func plain(r Runtime) (*trial, error) { return newTrial(r, pathRules()...) }

func pathRules() []permission.Rule {
	const files = "{read,write}"
	return []permission.Rule{
		{Tool: files, Pattern: "ok/*", Action: permission.Allow},
		{Tool: files, Pattern: "ask/*", Action: permission.Ask, Reason: "somebody has to look"},
		{Tool: files, Pattern: "secret/*", Action: permission.Deny, Reason: "nobody has to look"},
	}
}

// compile reads paths the same on every machine.
func compile(fallback permission.Action, rules ...permission.Rule) (*permission.Policy, error) {
	return permission.Compile(fallback, rules, &permission.Options{Root: root, Home: "/home/u", GOOS: "linux"})
}

// call returns a call with an ID and metadata of its own.
func (t *trial) call(tool, input string) permission.ToolCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	c := permission.ToolCall{
		ID: fmt.Sprintf("call-%d", t.number), Name: tool, Input: json.RawMessage(input),
		Session: t.session, Dir: t.dir,
	}
	name := about(c)
	if t.metadata[name] == nil {
		t.metadata[name] = &mark{name}
	}
	c.Metadata = t.metadata[name]
	return c
}

// reads returns a message that reads these paths.
func (t *trial) reads(paths ...string) (calls []permission.ToolCall) {
	for _, p := range paths {
		calls = append(calls, t.call("read", fmt.Sprintf(`{"path":%q}`, p)))
	}
	return calls
}

// answers runs calls and returns their results, one for each of them.
func (t *trial) answers(ctx context.Context, calls []permission.ToolCall) ([]permission.ToolResult, error) {
	results, err := t.run(ctx, calls)
	if err == nil {
		err = paired(calls, results)
	}
	return results, err
}

// run has the runtime run a message. It fails for what may never happen.
func (t *trial) run(ctx context.Context, calls []permission.ToolCall) ([]permission.ToolResult, error) {
	return t.send(calls, func(h *permission.Hook, calls []permission.ToolCall) []permission.ToolResult {
		return t.runtime.Run(ctx, h, calls, t.use)
	})
}

// runRewritten is run with a hook of the user's.
func (t *trial) runRewritten(ctx context.Context, calls []permission.ToolCall, rewrite Rewrite) ([]permission.ToolResult, error) {
	return t.send(calls, func(h *permission.Hook, calls []permission.ToolCall) []permission.ToolResult {
		return t.runtime.RunRewritten(ctx, h, calls, t.use, rewrite)
	})
}

// send hands in a message of the runtime's own, and waits for its results.
func (t *trial) send(calls []permission.ToolCall, run func(*permission.Hook, []permission.ToolCall) []permission.ToolResult) ([]permission.ToolResult, error) {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Input = bytes.Clone(calls[i].Input)
	}
	t.mu.Lock()
	t.handed, t.settled = calls, false
	hook := t.hook
	t.mu.Unlock()

	type outcome struct {
		results []permission.ToolResult
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("Run ended its goroutine and returned nothing")}
		defer func() {
			if v := recover(); v != nil {
				o.err = errors.New("Run panicked: " + visible.Panic(v))
			}
			done <- o
		}()
		o = outcome{results: run(hook, calls)}
	}()
	timer := time.NewTimer(t.timeout())
	defer timer.Stop()
	o := outcome{err: fmt.Errorf("Run has not returned within %v", t.timeout())}
	select {
	case o = <-done:
	case <-timer.C:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settled = true
	return o.results, errors.Join(errors.Join(t.faults...), o.err)
}

func (t *trial) timeout() time.Duration {
	if t.runtime.Timeout > 0 {
		return t.runtime.Timeout
	}
	return defaultTimeout
}

// await waits for something that happens in every runtime that keeps the
// contract, and gives up while Run may still return.
func (t *trial) await(ctx context.Context, l *latch) bool {
	timer := time.NewTimer(t.timeout() / 2)
	defer timer.Stop()
	select {
	case <-l.open:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}

func (t *trial) fault(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Errorf(format, args...))
}

// seen returns what must not have happened, and did so far.
func (t *trial) seen() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return errors.Join(t.faults...)
}

// use is every tool of the runtime. Nothing may get here but what the policy
// allows, or what the approver has agreed to: once, and as it was then.
func (t *trial) use(ctx context.Context, c permission.ToolCall) permission.ToolResult {
	c.Input = bytes.Clone(c.Input)
	name := about(c)
	t.mu.Lock()
	if t.settled {
		t.faults = append(t.faults, fmt.Errorf("the tool of %s started after Run had returned", name))
	}
	if err := t.permits(c); err != nil {
		t.faults = append(t.faults, err)
	}
	if !t.allowed[c.Name] {
		t.faults = append(t.faults, fmt.Errorf("the tool of %s ran, and Hook.PreToolCall has let no call of %s", name, c.Name))
	}
	t.compare("the tool of "+name, c)
	t.ran = append(t.ran, c)
	t.count[name]++
	t.mu.Unlock()
	if t.tool != nil {
		return t.tool(ctx, c)
	}
	return permission.ToolResult{Content: outputOf(name)}
}

// permits reports why c may not run. An agreement is used up by one run; that a
// tool is not told the ID of its call is no fault.
func (t *trial) permits(c permission.ToolCall) error {
	for _, p := range t.policies {
		if p.Evaluate(c).Action == permission.Allow {
			return nil
		}
	}
	for i, a := range t.agreed {
		switch {
		case about(a) != about(c):
		case c.ID != "" && c.ID != a.ID && !t.runtime.NoCallIDs:
		case !bytes.Equal(a.Input, c.Input):
			return fmt.Errorf("the hook judged the input %s and the tool got %s", a.Input, c.Input)
		case a.Dir != c.Dir:
			return fmt.Errorf("the hook judged %s in the directory %q and the tool ran in %q", about(c), a.Dir, c.Dir)
		default:
			t.agreed = slices.Delete(t.agreed, i, i+1)
			return nil
		}
	}
	if t.always[grant{t.session, about(c)}] {
		return nil
	}
	return fmt.Errorf("the tool of %s ran, to which nobody has agreed", about(c))
}

// Approve implements permission.Approver. Without an answer set it agrees.
func (t *trial) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	t.mu.Lock()
	t.asked = append(t.asked, r)
	t.compare("the approver of "+about(r.Call), r.Call)
	t.mu.Unlock()
	if t.silent != nil {
		return permission.Reply{}, t.silent(ctx, r)
	}
	reply := permission.Reply{Answer: permission.Once}
	if t.answer != nil {
		reply = t.answer(ctx, r)
	}
	if reply.Answer != permission.Reject {
		t.mu.Lock()
		t.agreed = append(t.agreed, r.Call)
		if reply.Answer == permission.Always && len(r.Always) > 0 {
			t.always[grant{t.session, about(r.Call)}] = true
		}
		t.mu.Unlock()
	}
	return reply, nil
}

// refusal makes each text one of a kind, and hard to carry.
func (t *trial) refusal(c permission.ToolCall, _ permission.Decision, text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text = fmt.Sprintf("%s\n\n\"Refusal\" № %d: <the end> & 100%%.", text, len(t.refusals)+1)
	t.refusals = append(t.refusals, refusal{about(c), text})
	return text
}

func (t *trial) decided(_ context.Context, r permission.Record) {
	t.mu.Lock()
	t.compareSession("the hook", r.Session)
	if r.Decision.Action == permission.Allow {
		t.allowed[r.Tool] = true
	}
	t.mu.Unlock()
	if t.judged != nil {
		t.judged()
	}
}

// times returns how often the tool of c has run.
func (t *trial) times(c permission.ToolCall) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count[about(c)]
}

// runs returns the calls that tools have got, in the order of their start.
func (t *trial) runs() []permission.ToolCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.ran)
}

// questions returns what the approver was asked.
func (t *trial) questions() []permission.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.asked)
}

// replace puts another policy into the hook. The one before is in force no
// longer.
func (t *trial) replace(p *permission.Policy) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.policies = []*permission.Policy{p}
	return t.hook.Swap(p)
}

// unmake puts a hook that refuses everything in the place of the trial's.
func (t *trial) unmake(h *permission.Hook) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hook, t.policies = h, nil
}

// enter has the calls to come in another session, or in another directory.
func (t *trial) enter(session, dir string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.session, t.dir = session, dir
}

// about names a call by what it is for, which says all about it that matters
// here.
func about(c permission.ToolCall) string {
	var in struct{ Path, Command string }
	input := bytes.ReplaceAll(c.Input, []byte(filler), nil) // or it takes long
	_ = json.Unmarshal(input, &in)                          // what cannot be read is for nothing
	return strings.TrimSpace(c.Name + " " + in.Path + in.Command)
}

// output is what the tool of c returns.
func output(c permission.ToolCall) string { return outputOf(about(c)) }

func outputOf(name string) string { return "[output of " + name + "]" }
