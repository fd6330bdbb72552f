package approve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/insomnia-run/permission"
)

// settling is how long the next prompt waits after the answer always: the hook
// withdraws the requests that the answer covers, and nobody should see those.
const settling = 100 * time.Millisecond

// A Terminal is a [permission.Approver] that asks the person at a terminal,
// by default the controlling terminal of the process: /dev/tty, or the console
// on Windows. Stdin and stdout may be pipes.
//
// The prompt shows the tool, its input, the session, why the call asks, and
// every subject whole. Of the input it shows the members in their order, up to
// a number of them and each up to a length, and says what it leaves out. What a
// terminal would obey or would not show is escaped and stands in quotes, and a
// text that takes several rows has a bar before each but the first, so that
// nothing in a call can pass for a part of the prompt. What takes many rows says
// so at its end, where its beginning may be out of sight. A line answers it:
//
//	y        or yes, once: this call runs
//	a        or always: this call runs, and all that Request.Always covers;
//	         only where that holds any rules, which are shown
//	n        or no, reject: the call does not run
//	n TEXT   the same, and TEXT is told to the model
//
// Any other line, an empty one as well, has the question asked again. What was
// typed before a question does not answer it.
//
// One request is shown at a time, and the others wait in order of arrival. A
// request whose context ends leaves the queue, or ends its prompt with a word
// on the terminal. So use one Terminal for all hooks, and let nothing else read
// the terminal while a call is asked for. The terminal has to be in its usual
// mode, in which it hands out whole lines and shows what is typed.
//
// A Terminal is safe for concurrent use and must not be copied. The zero value
// is ready, as NewTerminal(nil) is. A nil Terminal has nobody to ask.
type Terminal struct {
	open  func() (io.ReadWriteCloser, error) // nil is openTerminal
	turns turns
	// left is a read that an earlier prompt could not end and that will take
	// the next line. It belongs to whoever has the turn.
	left <-chan result
}

// TerminalOptions say where a Terminal asks. Nil and the zero value are the
// controlling terminal. NewTerminal copies them.
type TerminalOptions struct {
	// Open opens the terminal for one prompt, after which it is closed, so that
	// a host may read it in between. Nil opens the controlling terminal. It is
	// never called twice at the same time; an error says that nobody can be
	// asked.
	//
	// If the value has a method SetDeadline as a [net.Conn] and an [os.File]
	// have, and it does not fail, that ends reads and writes. Otherwise those
	// that are under way when the context of a request ends are left to
	// themselves: Close is called while they are, a write that does not return
	// delays the next prompt, and what a read returns after all is taken for
	// the answer to the next prompt, if that is there by then.
	//
	// What was typed before a question is thrown away if the value is a
	// terminal as an [os.File], or has such a SetDeadline. Any other has to
	// begin with nothing typed.
	Open func() (io.ReadWriteCloser, error)
}

// NewTerminal returns a Terminal. It opens nothing yet. A nil o is the zero
// TerminalOptions.
func NewTerminal(o *TerminalOptions) *Terminal {
	t := new(Terminal)
	if o != nil {
		t.open = o.Open
	}
	return t
}

// Approve asks about r and returns the answer. It implements
// [permission.Approver].
//
// The error wraps [permission.ErrNoApprover] if the terminal cannot be opened,
// and is that of ctx if ctx ends first. It is also an error if the terminal
// fails or is at its end, if a line is too long, if several lines in a row are
// no answer, and if r has no subjects: there is nothing to agree to. No error
// holds anything of r.
func (t *Terminal) Approve(ctx context.Context, r permission.Request) (reply permission.Reply, err error) {
	switch {
	case t == nil:
		return permission.Reply{}, fmt.Errorf("approve: a nil terminal: %w", permission.ErrNoApprover)
	case len(r.Subjects) == 0:
		return permission.Reply{}, errors.New("approve: the request names nothing to agree to")
	}
	if err := t.turns.take(ctx); err != nil {
		return permission.Reply{}, err
	}
	c := &console{left: t.left}
	defer func() { t.hangUp(c, reply.Answer) }() // even if Open panics
	open := t.open
	if open == nil {
		open = openTerminal
	}
	rw, err := open()
	if err == nil && rw == nil {
		err = errors.New("nothing was opened")
	}
	if err != nil {
		return permission.Reply{}, fmt.Errorf("approve: there is no terminal: %w: %w", permission.ErrNoApprover, err)
	}
	c.attach(rw)
	return c.ask(ctx, r)
}

// hangUp closes c after an answer, and lets the next prompt begin.
func (t *Terminal) hangUp(c *console, given permission.Answer) {
	t.left = cmp.Or(c.left, c.reading)
	next := t.turns.pass
	if given == permission.Always {
		next = func() { time.AfterFunc(settling, t.turns.pass) }
	}
	c.close(next)
}
