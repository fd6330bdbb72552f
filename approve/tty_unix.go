//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package approve

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// openTerminal opens the controlling terminal. Its file is one of its own, so
// that no mode of it changes what stdin is.
func openTerminal() (io.ReadWriteCloser, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err // and no file that is not nil
	}
	return f, nil
}

// columns returns how wide a terminal is, or zero where it is unknown.
func columns(rw io.ReadWriteCloser) int {
	var size struct{ rows, columns, x, y uint16 }
	if !control(rw, syscall.TIOCGWINSZ, unsafe.Pointer(&size)) {
		return 0
	}
	return int(size.columns)
}

// control reports whether rw is a terminal that has obeyed.
func control(rw io.ReadWriteCloser, request uintptr, arg unsafe.Pointer) (ok bool) {
	f, is := rw.(syscall.Conn)
	if !is {
		return false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(arg))
		ok = errno == 0
	})
	return ok && err == nil
}
