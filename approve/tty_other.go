//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd && !windows

package approve

import (
	"io"
	"os"
)

// openTerminal opens the controlling terminal, where the system has one of
// that name.
func openTerminal() (io.ReadWriteCloser, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err // and no file that is not nil
	}
	return f, nil
}

// columns returns zero: the width is unknown.
func columns(io.ReadWriteCloser) int { return 0 }

// flushInput returns false: it has no way to throw away what was typed.
func flushInput(io.ReadWriteCloser) bool { return false }
