package approve

import (
	"io"
	"runtime"
)

// flushInput throws away what was typed, half a line as well, and reports
// whether it could.
func flushInput(rw io.ReadWriteCloser) bool {
	request := uintptr(0x540b) // TCFLSH, which package syscall lacks in part
	switch runtime.GOARCH {
	case "mips", "mipsle", "mips64", "mips64le":
		request = 0x5407
	case "ppc64", "ppc64le":
		request = 0x2000741f
	}
	return control(rw, request, nil) // TCIFLUSH is zero
}
