package main

import (
	"fmt"
	"io"
	"os"
)

// An output is where a command prints. It keeps the first error, since an answer
// that nobody got must not end as one that somebody did.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("standard output cannot be written: %w", err)
	}
	return n, err
}

// fileOf returns the file that w writes to, if it does.
func fileOf(w io.Writer) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return f, ok
}
