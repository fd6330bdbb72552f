package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"
	"unicode"
)

// patience is how long an event may take to come where none should: a host
// writes it when it starts the command.
const patience = time.Second

// unjudged reports an event that a command line which only prints would leave
// unjudged. A host that such a line was given to takes what it prints, and its
// exit code, for no objection to the call.
func unjudged(in io.Reader) error {
	if !eventWaits(in) {
		return nil
	}
	return errors.New("an event came on standard input, and -print-config and -help judge none: take them out of the command in the agent's settings")
}

// eventWaits reports whether there is anything on standard input but blanks. A
// terminal is not read: what is typed there is no event.
func eventWaits(in io.Reader) bool {
	if f, ok := in.(*os.File); ok {
		info, err := f.Stat()
		if err != nil || info.Mode()&os.ModeCharDevice != 0 {
			return false
		}
	}
	found := make(chan bool, 1)
	go func() {
		waits := false
		defer func() {
			_ = recover() // as where a call is judged
			found <- waits
		}()
		b := bufio.NewReader(io.LimitReader(in, maxEvent))
		for !waits {
			r, _, err := b.ReadRune()
			if err != nil {
				return
			}
			waits = !unicode.IsSpace(r)
		}
	}()
	select {
	case waits := <-found:
		return waits
	case <-time.After(patience):
		return false
	}
}
