package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// start returns an agent and the IDs of the calls whose tool has run.
func start(t *testing.T, p *permission.Policy, a permission.Approver) (*agent, func() []string) {
	t.Helper()
	hook, err := permission.NewHook(p, &permission.HookOptions{Approver: a})
	require.NoError(t, err)
	var mu sync.Mutex
	var ran []string
	tool := func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, c.ID)
		return stub(ctx, c)
	}
	return &agent{hook: hook, place: options(), session: "s", tool: tool}, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return ran
	}
}

func read(id, path string) permission.ToolCall {
	return permission.ToolCall{ID: id, Name: "read", Input: fmt.Appendf(nil, `{"filePath":%q}`, path)}
}

// script answers one request after the other.
type script struct {
	replies []permission.Reply
	asked   []permission.Request
}

func (s *script) Approve(_ context.Context, r permission.Request) (permission.Reply, error) {
	s.asked = append(s.asked, r)
	if len(s.asked) > len(s.replies) {
		return permission.Reply{}, fmt.Errorf("request %d has no answer", len(s.asked))
	}
	return s.replies[len(s.asked)-1], nil
}

func (s *script) names() (names []string) {
	for _, r := range s.asked {
		names = append(names, r.Call.Name)
	}
	return names
}

var (
	once   = permission.Reply{Answer: permission.Once}
	always = permission.Reply{Answer: permission.Always}
	reject = permission.Reply{Answer: permission.Reject}
)

func TestOnceIsForOneCall(t *testing.T) {
	s := &script{replies: []permission.Reply{once, reject}}
	a, ran := start(t, policy(t, "build"), s)
	assert.False(t, a.call(t.Context(), read("1", ".env")).IsError)
	assert.True(t, a.call(t.Context(), read("2", ".env")).IsError)
	assert.Equal(t, []string{"1"}, ran())
}

// What always covers is up to the tool: here the folder, and all below it.
func TestAlwaysCoversWhatTheToolProposes(t *testing.T) {
	s := &script{replies: []permission.Reply{always, reject}}
	a, ran := start(t, policy(t, "build"), s)
	for i, path := range []string{"/data/a/1", "/data/a/2", "/data/a/deep/3", "/data/b/4"} {
		a.call(t.Context(), read(fmt.Sprint(i+1), path))
	}
	assert.Equal(t, []string{"1", "2", "3"}, ran())
	require.Equal(t, []string{"external_directory", "external_directory"}, s.names())
	assert.Equal(t, []permission.Rule{{Tool: "external_directory", Pattern: "/data/a/*", Action: allow}}, s.asked[0].Always)
	assert.JSONEq(t, `{"filePath":"/data/a/1"}`, string(s.asked[0].Call.Input), "the approver sees what the call is for")

	other, err := permission.NewHook(policy(t, "build"), &permission.HookOptions{Approver: &script{}})
	require.NoError(t, err)
	a.hook = other
	assert.True(t, a.call(t.Context(), read("5", "/data/a/1")).IsError, "nothing is kept beyond the run")
}

// A folder may be called what a pattern is.
func TestAlwaysCoversNoFolderThatOnlyLooksAlike(t *testing.T) {
	s := &script{replies: []permission.Reply{always, reject, reject}}
	a, ran := start(t, policy(t, "build"), s)
	for i, path := range []string{"/opt/*/x", "/opt/*/y", "/opt/a/x", "/opt/a*/x"} {
		a.call(t.Context(), read(fmt.Sprint(i+1), path))
	}
	assert.Equal(t, []string{"1", "2"}, ran())
	assert.Equal(t, []permission.Rule{{Tool: "external_directory", Pattern: "/opt/[*]/*", Action: allow}}, s.asked[0].Always)
}

// An edit proposes all edits, and a command those that begin alike. That is for
// tools that put their whole call as an inquiry.
func TestAlwaysMayCoverMoreThanTheCall(t *testing.T) {
	path := func(s string) permission.Subject { return permission.Subject{Kind: permission.Path, Text: s} }
	command := func(s string) permission.Subject { return permission.Subject{Kind: permission.Command, Text: s} }
	for _, c := range []struct {
		tool           string
		asked, covered permission.Subject
		always         string
		not            permission.Subject // covered
	}{
		{"edit", path("src/a.go"), path("docs/b.md"), "*", path("secret/c")},
		{"bash", command("git push origin main"), command("git push --tags"), "git push *", command("git push && make")},
	} {
		s := &script{replies: []permission.Reply{always, reject}}
		over := rules(t, "session", "edit * ask, bash * ask, edit secret/* deny")
		a, _ := start(t, policy(t, "build", over), s)
		runs := func(subject permission.Subject) bool {
			v := a.hook.Authorize(t.Context(), permission.ToolCall{ID: "1", Name: c.tool, Session: "s"}, []permission.Subject{subject}, []string{c.always})
			return v.Proceed
		}
		assert.True(t, runs(c.asked))
		assert.True(t, runs(c.covered))
		assert.Len(t, s.asked, 1, c.tool)
		assert.False(t, runs(c.not), c.tool)
	}
}

func TestARejectTellsTheModelWhy(t *testing.T) {
	s := &script{replies: []permission.Reply{reject, {Message: "use .env.example"}}}
	a, ran := start(t, policy(t, "build"), s)
	assert.Contains(t, a.call(t.Context(), read("1", ".env")).Content, "The user refused it.")
	assert.Contains(t, a.call(t.Context(), read("2", ".env")).Content, "use .env.example")
	assert.Empty(t, ran())
}

// A rule that denies asks nobody, and does not pass for a person's no.
func TestADenyIsNoRequest(t *testing.T) {
	s := &script{}
	a, ran := start(t, policy(t, "plan"), s)
	c := permission.ToolCall{ID: "1", Name: "edit", Input: []byte(`{"filePath":"a.go"}`)}
	r := a.call(t.Context(), c)
	assert.True(t, r.IsError)
	assert.NotContains(t, r.Content, "user refused")
	assert.Contains(t, r.Content, "(plan:4) says deny")
	assert.Empty(t, s.asked)
	assert.Empty(t, ran())
}

// One thing that is denied refuses the whole request, before anybody is asked.
func TestOneDenyRefusesAll(t *testing.T) {
	s := &script{}
	a, _ := start(t, policy(t, "build", rules(t, "session", "read secret/* deny")), s)
	both := []permission.Subject{{Kind: permission.Path, Text: ".env"}, {Kind: permission.Path, Text: "secret/a"}}
	v := a.hook.Authorize(t.Context(), permission.ToolCall{ID: "1", Name: "read", Session: "s"}, both, []string{"*"})
	assert.False(t, v.Proceed)
	assert.Equal(t, permission.CauseRule, v.Decision.Cause)
	assert.Empty(t, s.asked)
}

// What somebody agrees to for always is below every deny, whenever that comes.
func TestAlwaysDoesNotLiftADeny(t *testing.T) {
	s := &script{replies: []permission.Reply{always}}
	a, ran := start(t, policy(t, "build"), s)
	a.call(t.Context(), read("1", "/data/1"))
	require.NoError(t, a.hook.Swap(policy(t, "build", rules(t, "session", "external_directory /data/* deny"))))
	assert.True(t, a.call(t.Context(), read("2", "/data/1")).IsError)
	assert.Equal(t, []string{"1"}, ran())
}

func TestTheModelGoesRoundInCircles(t *testing.T) {
	s := &script{replies: []permission.Reply{once, reject, always}}
	a, ran := start(t, policy(t, "build"), s)
	for i := range 7 {
		a.call(t.Context(), read(fmt.Sprint(i+1), "a.go"))
	}
	a.call(t.Context(), read("8", "b.go")) // something else
	a.call(t.Context(), read("9", "a.go"))
	assert.Equal(t, []string{"1", "2", "3", "5", "6", "7", "8", "9"}, ran())
	require.Equal(t, []string{"doom_loop", "doom_loop", "doom_loop"}, s.names())
	assert.Equal(t, []permission.Subject{{Text: "read"}}, s.asked[0].Subjects)

	s = &script{}
	a, ran = start(t, policy(t, "explore"), s)
	for i := range 4 {
		a.call(t.Context(), read(fmt.Sprint(i+1), "a.go"))
	}
	assert.Equal(t, []string{"1", "2"}, ran(), "a sub-agent is not asked about")
	assert.Empty(t, s.asked)
}

// A desk holds requests until one of them is answered. A no is one to all that
// wait in the same session.
type desk struct {
	mu      sync.Mutex
	waiting map[string]waiting
	arrived chan permission.Request
}

type waiting struct {
	session string
	reply   chan permission.Reply
}

func newDesk() *desk {
	return &desk{waiting: make(map[string]waiting), arrived: make(chan permission.Request)}
}

func (d *desk) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	w := waiting{r.Call.Session, make(chan permission.Reply, 1)}
	d.mu.Lock()
	d.waiting[r.ID] = w
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waiting, r.ID)
	}()
	d.arrived <- r
	select {
	case reply := <-w.reply:
		return reply, nil
	case <-ctx.Done():
		return permission.Reply{}, ctx.Err()
	}
}

// reply answers one request. One that nobody waits for any more changes
// nothing.
func (d *desk) reply(id string, a permission.Answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	mine, ok := d.waiting[id]
	if !ok {
		return
	}
	for other, w := range d.waiting {
		if other == id || a == permission.Reject && w.session == mine.session {
			delete(d.waiting, other)
			w.reply <- permission.Reply{Answer: a}
		}
	}
}

// waits runs calls at the same time, in the sessions that their IDs begin with,
// and answers one of them when all wait.
func (d *desk) waits(t *testing.T, answered string, a permission.Answer, calls ...permission.ToolCall) map[string]bool {
	t.Helper()
	hook, err := permission.NewHook(policy(t, "build"), &permission.HookOptions{Approver: d})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	results := make(chan permission.ToolResult)
	for _, c := range calls {
		agent := &agent{hook: hook, place: options(), session: strings.Split(c.ID, "-")[0], tool: stub}
		go func() { results <- agent.call(ctx, c) }()
	}
	var id string
	for range calls {
		if r := <-d.arrived; r.Call.ID == answered {
			id = r.ID
		}
	}
	d.reply(id, a)
	d.reply(id, permission.Once) // too late
	ran := make(map[string]bool)
	for i := range calls {
		if i == len(calls)-1 { // it is in another session, and waits for ever
			cancel()
		}
		r := <-results
		ran[r.CallID] = !r.IsError
	}
	return ran
}

func TestAnAnswerSettlesItsSession(t *testing.T) {
	calls := []permission.ToolCall{
		read("a-1", "/data/x/1"), read("a-2", "/data/x/2"), read("b-3", "/data/x/3"),
	}
	assert.Equal(t, map[string]bool{"a-1": true, "a-2": true, "b-3": false},
		newDesk().waits(t, "a-1", permission.Always, calls...))
	assert.Equal(t, map[string]bool{"a-1": false, "a-2": false, "b-3": false},
		newDesk().waits(t, "a-1", permission.Reject, calls...))
}

func TestNobodyAnswersBeforeTheTurnEnds(t *testing.T) {
	assert.Equal(t, map[string]bool{"b-1": false},
		newDesk().waits(t, "none", permission.Once, read("b-1", "/data/1")))
}
