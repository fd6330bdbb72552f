package approve_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// typist is a terminal without deadlines at which somebody types a line at
// each question, until there are no more.
type typist struct {
	lines  []string
	screen bytes.Buffer
	closed int
}

func (t *typist) Read(b []byte) (int, error) {
	if len(t.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(b, t.lines[0])
	if t.lines[0] = t.lines[0][n:]; t.lines[0] == "" {
		t.lines = t.lines[1:]
	}
	return n, nil
}

func (t *typist) Write(b []byte) (int, error) { return t.screen.Write(b) }

func (t *typist) Close() error { t.closed++; return nil }

func at(rw io.ReadWriteCloser) *approve.Terminal {
	return approve.NewTerminal(&approve.TerminalOptions{Open: func() (io.ReadWriteCloser, error) { return rw, nil }})
}

// push is a request that a rule asks for.
func push() permission.Request {
	return permission.Request{
		ID:   "r1",
		Call: permission.ToolCall{Name: "bash", Session: "chat-7"},
		Decision: permission.Decision{
			Action: permission.Ask, Cause: permission.CauseRule,
			Rule: &permission.Rule{
				Tool: "bash", Pattern: "git push *", Action: permission.Ask,
				Reason: "pushes are reviewed", File: "agent.toml", Line: 9,
			},
		},
		Subjects: []permission.Subject{{Kind: permission.Command, Text: "git push origin main"}},
		Always:   []permission.Rule{{Tool: "bash", Pattern: "git push origin main", Action: permission.Allow}},
	}
}

func TestAnswers(t *testing.T) {
	for line, want := range map[string]permission.Reply{
		"y":                        {Answer: permission.Once},
		"Yes":                      {Answer: permission.Once},
		" once ":                   {Answer: permission.Once},
		"a":                        {Answer: permission.Always},
		"ALWAYS\r":                 {Answer: permission.Always},
		"n":                        {Answer: permission.Reject},
		"no":                       {Answer: permission.Reject},
		"reject":                   {Answer: permission.Reject},
		"n use git instead":        {Answer: permission.Reject, Message: "use git instead"},
		"No, use  git":             {Answer: permission.Reject, Message: "use  git"},
		"n: \tÄpfel y \r":          {Answer: permission.Reject, Message: "Äpfel y"},
		"reject\u00a0not \xff now": {Answer: permission.Reject, Message: "not \ufffd now"},
	} {
		c := &typist{lines: []string{line + "\nn after it\n"}}
		reply, err := at(c).Approve(t.Context(), push())
		require.NoError(t, err, line)
		want.ID = "r1"
		assert.Equal(t, want, reply, line)
		assert.Equal(t, 1, c.closed, "it is closed after each prompt")
	}
}

func TestAnUnreadableLineAsksAgain(t *testing.T) {
	for _, line := range []string{
		"", " ", "\r", "ja", "yy", "y!", "yes but not now", "y n", "a b", "always not", "once more", "\x1b[Ay", "Y\u0300", "ｙ", "1", "allow", "not now", "y\x00",
		"ȺȺȺȺ x", "İİİİ n", // whose small letters take another number of bytes
	} {
		c := &typist{lines: []string{line + "\n", "n\n"}}
		reply, err := at(c).Approve(t.Context(), push())
		require.NoError(t, err, line)
		assert.Equal(t, permission.Reject, reply.Answer, line)
		assert.Equal(t, 2, strings.Count(c.screen.String(), "Run it?"), line)
		assert.Contains(t, c.screen.String(), "Type y, a or n", line)
	}
}

func TestAlwaysIsSaidOnlyWhereItIsOffered(t *testing.T) {
	r := push()
	r.Always = nil
	c := &typist{lines: []string{"a\n", "always\n", "y\n"}}
	reply, err := at(c).Approve(t.Context(), r)
	require.NoError(t, err)
	assert.Equal(t, permission.Once, reply.Answer)
	assert.Equal(t, 3, strings.Count(c.screen.String(), "Run it? [y/n] "))
	assert.Equal(t, 2, strings.Count(c.screen.String(), "Always cannot be said to this."))
}

func TestALineMayComeInPieces(t *testing.T) {
	c := &typist{lines: []string{"n", " use", " git", "\n"}}
	reply, err := at(c).Approve(t.Context(), push())
	require.NoError(t, err)
	assert.Equal(t, "use git", reply.Message)
}

// broken is a terminal that fails as it is told to.
type broken struct {
	read, write func() (int, error)
	closed      bool
}

func (b *broken) Read([]byte) (int, error) { return b.read() }

func (b *broken) Write(p []byte) (int, error) {
	if b.write == nil {
		return len(p), nil
	}
	return b.write()
}

func (b *broken) Close() error { b.closed = true; return errors.New("not closed") }

// poison is a value whose own text panics, again and again.
type poison struct{}

func (poison) String() string { panic(poison{}) }

func TestWhatGoesWrongIsAnError(t *testing.T) {
	fails := func() (int, error) { return 0, errors.New("hung up") }
	panics := func() (int, error) { panic("boom") }
	long := strings.Repeat("y", 10_000)
	for name, c := range map[string]struct {
		rw   io.ReadWriteCloser
		want string
	}{
		"at its end":        {&typist{}, "cannot read the terminal: EOF"},
		"half a line":       {&typist{lines: []string{"y"}}, "cannot read the terminal: EOF"},
		"no answers":        {&typist{lines: []string{"\n", "x\n", "\n", "yess\n", "\n", "y\n"}}, "5 lines in a row were no answer"},
		"a long line":       {&typist{lines: []string{"n " + long + "\n", "y\n"}}, "more than 8192 bytes"},
		"a line of no end":  {&typist{lines: []string{long}}, "more than 8192 bytes"},
		"nothing, always":   {&broken{read: func() (int, error) { return 0, nil }}, "more than 8192 bytes"},
		"reading fails":     {&broken{read: fails}, "cannot read the terminal: hung up"},
		"reading panics":    {&broken{read: panics}, "cannot read the terminal: it panicked: boom"},
		"a panic panics":    {&broken{read: func() (int, error) { panic(poison{}) }}, "cannot read the terminal: it panicked: a approve_test.poison"},
		"too much is read":  {&broken{read: func() (int, error) { return 1 << 20, nil }}, "cannot read the terminal: it panicked"},
		"writing fails":     {&broken{write: fails}, "cannot write to the terminal: hung up"},
		"writing panics":    {&broken{write: panics}, "cannot write to the terminal: it panicked: boom"},
		"short of a screen": {&broken{write: func() (int, error) { return 1, io.ErrShortWrite }}, "cannot write to the terminal: short write"},
	} {
		r := push()
		r.Subjects[0].Text = "SECRET"
		r.Call.Input = []byte(`{"command":"SECRET"}`)
		reply, err := at(c.rw).Approve(t.Context(), r)
		require.Error(t, err, name)
		assert.Zero(t, reply, name)
		assert.Contains(t, err.Error(), c.want, name)
		assert.NotContains(t, err.Error(), "SECRET", name)
		assert.NotErrorIs(t, err, permission.ErrNoApprover, name)
	}
}

func TestItSaysThatNothingRunsAfterTooManyLines(t *testing.T) {
	c := &typist{lines: []string{"\n", "\n", "\n", "\n", "\n"}}
	_, err := at(c).Approve(t.Context(), push())
	require.Error(t, err)
	assert.True(t, strings.HasSuffix(c.screen.String(), "That is no answer. It is not run.\n"))
}

func TestNobodyToAsk(t *testing.T) {
	missing := errors.New("no such device")
	for name, terminal := range map[string]*approve.Terminal{
		"it cannot be opened": approve.NewTerminal(&approve.TerminalOptions{
			Open: func() (io.ReadWriteCloser, error) { return nil, missing },
		}),
		"Open returns nothing": at(nil),
		"a nil Terminal":       nil,
	} {
		for range 2 { // the turn is passed on
			reply, err := terminal.Approve(t.Context(), push())
			assert.Zero(t, reply, name)
			assert.ErrorIs(t, err, permission.ErrNoApprover, name)
		}
	}
	p, err := permission.Compile(permission.Ask, nil, nil)
	require.NoError(t, err)
	h, err := permission.NewHook(p, &permission.HookOptions{Approver: at(nil)})
	require.NoError(t, err)
	v := h.PreToolCall(t.Context(), permission.ToolCall{Name: "x"})
	assert.Equal(t, permission.CauseNoApprover, v.Decision.Cause)
}

func TestARequestThatNamesNothing(t *testing.T) {
	r := push()
	r.Subjects = nil
	c := &typist{lines: []string{"y\n"}}
	reply, err := at(c).Approve(t.Context(), r)
	require.Error(t, err)
	assert.Zero(t, reply)
	assert.Zero(t, c.screen.Len())
}

// A fault of the host's leaves the terminal to the next request.
func TestAPanicPassesTheTurnOn(t *testing.T) {
	good, calls := &typist{lines: []string{"y\n"}}, 0
	terminal := approve.NewTerminal(&approve.TerminalOptions{Open: func() (io.ReadWriteCloser, error) {
		if calls++; calls == 1 {
			panic("boom")
		}
		return good, nil
	}})
	assert.Panics(t, func() { _, _ = terminal.Approve(t.Context(), push()) })
	reply, err := terminal.Approve(t.Context(), push())
	require.NoError(t, err)
	assert.Equal(t, permission.Once, reply.Answer)
}

func TestAContextThatHasEndedAsksNobody(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &typist{lines: []string{"y\n"}}
	_, err := at(c).Approve(ctx, push())
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, c.screen.Len())
	assert.Zero(t, c.closed)
}

func TestACloseThatFailsChangesNoAnswer(t *testing.T) {
	c := &broken{read: nil}
	c.read = func() (int, error) { return 0, io.EOF }
	_, err := at(c).Approve(t.Context(), push())
	assert.ErrorIs(t, err, io.EOF)
	assert.True(t, c.closed)
}
