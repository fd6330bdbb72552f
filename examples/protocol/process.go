package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/insomnia-run/permission/approve"
)

// A client is the process at the other end.
type client struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	done   chan struct{} // closed when it is gone, and nobody reads from it any more
	killIn string        // the call that it is killed in, while it is asked about it
}

// startClient starts the client and subscribes it: a call that comes right
// away finds somebody to ask.
func startClient(ctx context.Context, b *approve.Broker, t *transcript, killIn string) (*client, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "client")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &client{cmd: cmd, stdin: stdin, done: make(chan struct{}), killIn: killIn}
	ctx, leave := context.WithCancel(ctx)
	events, w := b.Subscribe(ctx), &wire{to: stdin}
	go publish(events, w, t, c.sent)
	go func() {
		defer close(c.done)
		receive(b, stdout, w, t)
		leave()       // what it was asked is refused, before its end is waited for
		stdin.Close() // it may live on, and have sent what nobody reads
		cmd.Wait()
	}()
	return c, nil
}

// stop has the client come to its end, and waits for that.
func (c *client) stop() {
	c.stdin.Close()
	defer time.AfterFunc(5*time.Second, c.kill).Stop()
	<-c.done
}

func (c *client) kill() { c.cmd.Process.Kill() }

// sent is told of each event that the client has been sent.
func (c *client) sent(e approve.Event) {
	if c.killIn != "" && e.Request != nil && e.Request.Call.ID == c.killIn {
		c.kill()
	}
}

// A transcript shows people what happens, from several goroutines.
type transcript struct {
	mu  sync.Mutex
	out io.Writer
}

// print prints a line, of which nothing that the model or the client wrote can
// steer the terminal.
func (t *transcript) print(format string, args ...any) {
	line := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, fmt.Sprintf(format, args...))
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.out, line)
}
