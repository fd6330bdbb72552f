package approve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/insomnia-run/permission/internal/visible"
)

const (
	maxLine = 8 << 10 // bytes of a line that is read
	// quiet is how long nothing may come before what was typed is read away.
	quiet     = 20 * time.Millisecond
	maxEarly  = 1000        // reads of what was typed before
	lastWords = time.Second // for a write after the context has ended
)

// A console is a terminal that was opened for one prompt. Whatever it does
// ends with a context.
type console struct {
	rw       io.ReadWriteCloser
	deadline interface{ SetDeadline(time.Time) error } // nil where nothing ends a read

	reading, writing <-chan result // what is under way
	left             <-chan result // a read that an earlier console has left behind
}

// A result is what a read or a write came to.
type result struct {
	data []byte
	err  error
}

// start does something that may block and, being the host's, panic.
func start(do func() ([]byte, error)) <-chan result {
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("it did not return")} // it called runtime.Goexit
		defer func() {
			if v := recover(); v != nil {
				r = result{err: errors.New("it panicked: " + visible.Panic(v))}
			}
			done <- r
		}()
		r.data, r.err = do()
	}()
	return done
}

func (c *console) attach(rw io.ReadWriteCloser) {
	c.rw = rw
	if d, ok := rw.(interface{ SetDeadline(time.Time) error }); ok && d.SetDeadline(time.Time{}) == nil {
		c.deadline = d
	}
}

// close closes c and calls next when another prompt may begin: not before the
// last of this one is written.
func (c *console) close(next func()) {
	switch {
	case c.rw == nil:
		next()
	case c.writing != nil:
		start(func() ([]byte, error) {
			defer next()
			err := c.rw.Close()
			<-c.writing
			return nil, err
		})
	case c.reading != nil: // which Close waits for on Windows
		defer next()
		start(func() ([]byte, error) { return nil, c.rw.Close() })
	default:
		defer next()
		c.rw.Close() // nothing is lost if it fails
	}
}

// await returns what a read or a write of c comes to, or the error of ctx.
// In the end op is nil, unless the operation is still under way.
func (c *console) await(ctx context.Context, op *<-chan result) ([]byte, error) {
	select {
	case r := <-*op:
		*op = nil
		return r.data, r.err
	case <-ctx.Done():
	}
	if c.deadline != nil && c.deadline.SetDeadline(time.Unix(1, 0)) == nil {
		<-*op
		*op = nil
		c.deadline.SetDeadline(time.Time{}) // something may have to be said
	}
	return nil, ctx.Err()
}

func (c *console) write(ctx context.Context, text string) error {
	rw := c.rw
	c.writing = start(func() ([]byte, error) {
		_, err := io.WriteString(rw, text)
		return nil, err
	})
	if _, err := c.await(ctx, &c.writing); err != nil {
		return fmt.Errorf("approve: cannot write to the terminal: %w", err)
	}
	return nil
}

func (c *console) read(ctx context.Context) ([]byte, error) {
	if c.left != nil {
		select {
		case r := <-c.left:
			c.left = nil
			if len(r.data) > 0 {
				return r.data, nil
			} // else it ended with the console that it was of
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	rw := c.rw
	c.reading = start(func() ([]byte, error) {
		b := make([]byte, 4096)
		n, err := rw.Read(b)
		return b[:n], err
	})
	return c.await(ctx, &c.reading)
}

// line reads a line. What comes with it and after it is thrown away.
func (c *console) line(ctx context.Context) (string, error) {
	var line []byte
	for range maxLine {
		b, err := c.read(ctx)
		line = append(line, b...)
		i := bytes.IndexByte(line, '\n')
		switch {
		case i > maxLine, i < 0 && len(line) > maxLine:
			return "", errTooLong
		case i >= 0:
			return string(line[:i]), nil
		case err != nil:
			return "", fmt.Errorf("approve: cannot read the terminal: %w", err)
		}
	}
	return "", errTooLong // or of nothing, again and again
}

var errTooLong = fmt.Errorf("approve: a line of more than %d bytes is no answer", maxLine)

// discard throws away what was typed up to now.
func (c *console) discard(ctx context.Context) error {
	flushed := flushInput(c.rw)
	if c.left != nil {
		select {
		case <-c.left:
			c.left = nil
		case <-time.After(quiet): // it may be about to return what was typed before
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if flushed || c.deadline == nil {
		return nil
	}
	b := make([]byte, 4096)
	for range maxEarly {
		if err := c.deadline.SetDeadline(time.Now().Add(quiet)); err != nil {
			return fmt.Errorf("approve: cannot read the terminal: %w", err)
		}
		if _, err := c.rw.Read(b); err != nil { // if it is not the time, the next read has it too
			return c.deadline.SetDeadline(time.Time{})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.New("approve: the terminal does not stop sending")
}
