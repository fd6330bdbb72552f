package approve

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// A windowsConsole is the console of the process, whatever stdin and stdout are.
type windowsConsole struct{ in, out *os.File }

func (c *windowsConsole) Read(b []byte) (int, error)  { return c.in.Read(b) }
func (c *windowsConsole) Write(b []byte) (int, error) { return c.out.Write(b) }
func (c *windowsConsole) Close() error                { return errors.Join(c.in.Close(), c.out.Close()) }

func openTerminal() (io.ReadWriteCloser, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &windowsConsole{in, out}, nil
}

// columns returns zero: the width is unknown.
func columns(io.ReadWriteCloser) int { return 0 }

// flushInput throws away what was typed, half a line as well, and reports
// whether it could.
func flushInput(rw io.ReadWriteCloser) (ok bool) {
	c, is := rw.(*windowsConsole)
	if !is {
		return false
	}
	raw, err := c.in.SyscallConn()
	if err != nil {
		return false
	}
	flush := syscall.NewLazyDLL("kernel32.dll").NewProc("FlushConsoleInputBuffer")
	if flush.Find() != nil {
		return false
	}
	err = raw.Control(func(handle uintptr) {
		done, _, _ := flush.Call(handle)
		ok = done != 0
	})
	return ok && err == nil
}
