package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/insomnia-run/permission"
)

// A terminal asks the person at the controlling terminal. Stdin will not do: a
// pipe would answer for somebody who is not there.
type terminal struct {
	device string
	free   chan struct{} // holds a token while nobody is being asked
}

func newTerminal(device string) *terminal {
	t := &terminal{device: device, free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	return t
}

// Approve implements permission.Approver. Calls ask at the same time, and a
// person reads one question after the other.
func (t *terminal) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	select {
	case <-t.free:
		defer func() { t.free <- struct{}{} }()
	case <-ctx.Done():
		return permission.Reply{}, ctx.Err()
	}
	tty, err := os.OpenFile(t.device, os.O_RDWR, 0)
	if err != nil {
		return permission.Reply{}, fmt.Errorf("there is no terminal: %w", err)
	}
	defer tty.Close()
	discard(tty)
	// Ends the read below where nobody waits for the answer any more.
	defer context.AfterFunc(ctx, func() { tty.SetReadDeadline(time.Now()) })()
	return ask(tty, r)
}

// discard reads over what was typed before the question, which is no answer
// to it.
func discard(tty *os.File) {
	if tty.SetReadDeadline(time.Now().Add(20*time.Millisecond)) == nil {
		io.Copy(io.Discard, tty)
		tty.SetReadDeadline(time.Time{})
	}
}

// ask puts a question and reads one line. Nothing but a yes is a yes.
func ask(tty io.ReadWriter, r permission.Request) (permission.Reply, error) {
	if _, err := io.WriteString(tty, question(r)); err != nil {
		return permission.Reply{}, err
	}
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil {
		fmt.Fprintln(tty) // the next line is not part of the question
		return permission.Reply{}, fmt.Errorf("no answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return permission.Reply{ID: r.ID, Answer: permission.Once}, nil
	}
	return permission.Reply{ID: r.ID, Answer: permission.Reject}, nil
}

// question says what is asked. The model wrote the names in it: they are
// escaped down to ASCII, so that none can move the cursor, turn the line
// around or pass for another.
func question(r permission.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe agent wants to call %s on\n", strconv.QuoteToASCII(r.Call.Name))
	for _, s := range r.Subjects {
		fmt.Fprintf(&b, "  %v %s\n", s.Kind, strconv.QuoteToASCII(s.Text))
	}
	if rule := r.Decision.Rule; rule != nil {
		fmt.Fprintf(&b, "%s:%d asks: %s\n", rule.File, rule.Line, rule.Reason)
	}
	if r.Decision.Detail != "" {
		fmt.Fprintf(&b, "It cannot be read: %s\n", r.Decision.Detail)
	}
	b.WriteString("Let it run? [y/N] ")
	return b.String()
}
