package approve_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// A desk is where somebody sits before a terminal that has deadlines. Each
// prompt opens a new line to it.
type desk struct {
	t     *testing.T
	lines chan net.Conn
}

func newDesk(t *testing.T) *desk { return &desk{t, make(chan net.Conn, 10)} }

func (d *desk) open() (io.ReadWriteCloser, error) {
	here, there := net.Pipe()
	d.lines <- there
	return here, nil
}

func (d *desk) terminal() *approve.Terminal {
	return approve.NewTerminal(&approve.TerminalOptions{Open: d.open})
}

// until reads the screen up to the end of some text.
func (d *desk) until(line net.Conn, end string) string {
	d.t.Helper()
	var screen strings.Builder
	for b := make([]byte, 1); !strings.HasSuffix(screen.String(), end); {
		_, err := line.Read(b)
		require.NoError(d.t, err, "after %q", screen.String())
		screen.Write(b)
	}
	return screen.String()
}

// answer waits for the next question and types a line. It returns what was on
// the screen.
func (d *desk) answer(text string) string {
	d.t.Helper()
	line := <-d.lines
	screen := d.until(line, "Run it? [y/a/n] ")
	_, err := io.WriteString(line, text+"\n")
	require.NoError(d.t, err)
	return screen
}

// about is a request of that ID.
func about(id string) permission.Request {
	r := push()
	r.ID = id
	r.Subjects[0].Text = "git push " + id
	return r
}

func TestRequestsWaitInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		terminal := d.terminal()
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for _, id := range []string{"1", "2", "gone", "late", "3"} {
			wg.Go(func() {
				ctx := ctx
				switch id {
				case "late":
					late, stop := context.WithTimeout(ctx, time.Minute)
					defer stop()
					ctx = late
				case "1", "2", "3":
					ctx = t.Context()
				}
				reply, err := terminal.Approve(ctx, about(id))
				switch id {
				case "gone":
					assert.ErrorIs(t, err, context.Canceled)
				case "late":
					assert.ErrorIs(t, err, context.DeadlineExceeded)
				default:
					assert.NoError(t, err)
					assert.Equal(t, permission.Reply{ID: id, Answer: permission.Reject, Message: "number " + id}, reply)
				}
			})
			synctest.Wait() // they come one after the other
		}
		assert.Len(t, d.lines, 1, "one is shown at a time")
		time.Sleep(time.Minute)
		synctest.Wait()
		cancel()
		synctest.Wait()
		for _, id := range []string{"1", "2", "3"} {
			screen := d.answer("n number " + id)
			assert.Equal(t, 1, strings.Count(screen, "Permission needed"))
			assert.Contains(t, screen, "git push "+id+"\n")
		}
		wg.Wait()
		assert.Empty(t, d.lines)
	})
}

func TestAPromptThatNobodyNeedsEnds(t *testing.T) {
	for want, end := range map[string]time.Duration{"\nNo longer needed.\n": 0, "\nTimed out: it is not run.\n": time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t)
			terminal := d.terminal()
			ctx, cancel := context.WithCancel(t.Context())
			if end > 0 {
				ctx, cancel = context.WithTimeout(t.Context(), end)
			}
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := terminal.Approve(ctx, about("1"))
				done <- err
			}()
			line := <-d.lines
			d.until(line, "Run it? [y/a/n] ")
			_, err := io.WriteString(line, "y") // and no Enter yet
			require.NoError(t, err)
			if end == 0 {
				cancel()
			}
			assert.Equal(t, want, d.until(line, ".\n"))
			assert.ErrorIs(t, <-done, ctx.Err())
			_, err = line.Read(make([]byte, 1))
			assert.Equal(t, io.EOF, err, "it is closed")
			synctest.Wait()
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			assert.NotContains(t, string(stacks), "permission/approve.", "no goroutine is left")

			go func() {
				reply, err := terminal.Approve(t.Context(), about("2"))
				assert.Equal(t, permission.Reply{ID: "2", Answer: permission.Reject}, reply)
				done <- err
			}()
			d.answer("n")
			assert.NoError(t, <-done)
		})
	}
}

// What was typed before a question is for something else.
func TestTypeAheadAnswersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		done := make(chan permission.Reply)
		go func() {
			reply, err := d.terminal().Approve(t.Context(), about("1"))
			assert.NoError(t, err)
			done <- reply
		}()
		line := <-d.lines
		typed := make(chan error, 1)
		go func() {
			_, err := io.WriteString(line, "y\ny\n")
			typed <- err
		}()
		d.until(line, "Run it? [y/a/n] ")
		require.NoError(t, <-typed)
		go io.WriteString(line, "once more?\n") // and the rest of what was pasted
		go func() {
			time.Sleep(time.Millisecond)
			io.WriteString(line, "y\n")
		}()
		d.until(line, "Enter.\nRun it? [y/a/n] ")
		_, err := io.WriteString(line, "n\n")
		require.NoError(t, err)
		assert.Equal(t, permission.Reply{ID: "1", Answer: permission.Reject}, <-done)
	})
}

func TestATerminalThatDoesNotStopSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		done := make(chan error, 1)
		go func() {
			_, err := d.terminal().Approve(t.Context(), about("1"))
			done <- err
		}()
		line := <-d.lines
		go io.Copy(io.Discard, line)
		for {
			if _, err := io.WriteString(line, "y\n"); err != nil {
				break
			}
		}
		assert.ErrorContains(t, <-done, "does not stop sending")
	})
}

// The hook withdraws what an always covers, and nobody is shown it.
func TestAlwaysCoversThoseThatWait(t *testing.T) {
	p, err := permission.Compile(permission.Ask, nil, nil)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		h, err := permission.NewHook(p, &permission.HookOptions{Approver: d.terminal()})
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				v := h.PreToolCall(t.Context(), permission.ToolCall{Name: "bash", Session: "s", Input: []byte(`{"command":"make"}`)})
				assert.Equal(t, permission.CauseAlways, v.Decision.Cause)
			})
		}
		synctest.Wait()
		d.answer("a")
		wg.Wait()
		assert.Empty(t, d.lines)

		wg.Go(func() {
			v := h.PreToolCall(t.Context(), permission.ToolCall{Name: "bash", Session: "s", Input: []byte(`{"command":"ls"}`)})
			assert.Equal(t, permission.CauseOnce, v.Decision.Cause)
		})
		d.answer("y")
		wg.Wait()
	})
}

// A stuck terminal has reads and writes that nothing ends but what is typed,
// and what is read.
type stuck struct {
	keyboard <-chan string
	screen   chan<- string
	closed   *atomic.Int64
}

func (s stuck) Read(b []byte) (int, error) {
	line, ok := <-s.keyboard
	if !ok {
		return 0, io.EOF
	}
	return copy(b, line), nil
}

func (s stuck) Write(b []byte) (int, error) { s.screen <- string(b); return len(b), nil }
func (s stuck) Close() error                { s.closed.Add(1); return nil }
func (s stuck) SetDeadline(time.Time) error { return os.ErrNoDeadline }

func newStuck() (terminal *approve.Terminal, keyboard, screen chan string, closed *atomic.Int64) {
	keyboard, screen, closed = make(chan string), make(chan string), new(atomic.Int64)
	return at(stuck{keyboard, screen, closed}), keyboard, screen, closed
}

// askIn asks in a goroutine.
func askIn(t *testing.T, a permission.Approver, id string, limit time.Duration) <-chan permission.Reply {
	done := make(chan permission.Reply, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		reply, err := a.Approve(ctx, about(id))
		assert.True(t, err == nil || errors.Is(err, context.DeadlineExceeded), err)
		done <- reply
	}()
	return done
}

func TestAReadThatNothingEndsIsTheNextPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal, keyboard, screen, closed := newStuck()
		first := askIn(t, terminal, "1", time.Minute)
		assert.Contains(t, <-screen, "git push 1")
		assert.Equal(t, "Run it? [y/a/n] ", <-screen)
		assert.Equal(t, "\nTimed out: it is not run.\n", <-screen)
		assert.Zero(t, <-first)
		synctest.Wait()
		assert.EqualValues(t, 1, closed.Load())

		second := askIn(t, terminal, "2", time.Minute)
		assert.Contains(t, <-screen, "git push 2")
		assert.Equal(t, "Run it? [y/a/n] ", <-screen)
		assert.Equal(t, "\nTimed out: it is not run.\n", <-screen)
		assert.Zero(t, <-second)

		third := askIn(t, terminal, "3", time.Minute)
		<-screen
		<-screen
		keyboard <- "n third\n"
		assert.Equal(t, permission.Reply{ID: "3", Answer: permission.Reject, Message: "third"}, <-third)
		assert.EqualValues(t, 3, closed.Load())

		fourth := askIn(t, terminal, "4", time.Minute)
		<-screen
		<-screen
		<-screen
		assert.Zero(t, <-fourth)
		keyboard <- "y\n" // while no prompt is there
		fifth := askIn(t, terminal, "5", time.Minute)
		<-screen
		<-screen
		keyboard <- "n fifth\n"
		assert.Equal(t, "fifth", (<-fifth).Message)

		sixth := askIn(t, terminal, "6", time.Minute)
		<-screen
		<-screen
		<-screen
		assert.Zero(t, <-sixth)
		seventh := askIn(t, terminal, "7", time.Minute)
		<-screen
		<-screen
		keyboard <- "" // the old read ends with the old terminal
		keyboard <- "n seventh\n"
		assert.Equal(t, "seventh", (<-seventh).Message)
		close(keyboard)
	})
}

func TestAWriteThatNothingEndsDelaysTheNextPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal, keyboard, screen, closed := newStuck()
		began := time.Now()
		assert.Zero(t, <-askIn(t, terminal, "1", time.Minute))
		assert.Equal(t, time.Minute, time.Since(began), "it returns all the same")
		synctest.Wait()
		assert.EqualValues(t, 1, closed.Load())

		assert.Zero(t, <-askIn(t, terminal, "2", time.Minute), "it waits for its turn")
		third := askIn(t, terminal, "3", time.Minute)
		assert.Contains(t, <-screen, "git push 1", "what is shown last is what is asked")
		assert.Contains(t, <-screen, "git push 3")
		<-screen
		keyboard <- "n\n"
		assert.Equal(t, "3", (<-third).ID)
		close(keyboard)
	})
}

func TestTheLastWordsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t)
		began := time.Now()
		done := askIn(t, d.terminal(), "1", time.Minute)
		d.until(<-d.lines, "Run it? [y/a/n] ") // and nothing is read any more
		assert.Zero(t, <-done)
		assert.Equal(t, time.Second, time.Since(began)-time.Minute)
	})
}
