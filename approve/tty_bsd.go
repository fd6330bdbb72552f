//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package approve

import (
	"io"
	"syscall"
	"unsafe"
)

// flushInput throws away what was typed, half a line as well, and reports
// whether it could.
func flushInput(rw io.ReadWriteCloser) bool {
	what := int32(1) // FREAD
	return control(rw, syscall.TIOCFLUSH, unsafe.Pointer(&what))
}
