package approve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/approve"
)

// patience bounds the wait for another process, on a machine that is busy.
const patience = time.Minute

// childEnv says that the test binary is the process at a terminal.
const childEnv = "APPROVE_TEST_CHILD"

// A job is what the process at the terminal is told through its stdin, which is
// a pipe: to put a call to its hook, or to read a line from the terminal itself.
type job struct {
	Command string
	Timeout time.Duration
	Read    bool
}

// An outcome is what becomes of a job.
type outcome struct {
	Proceed bool
	Cause   string
	Detail  string
	Line    string
}

// TestProcessAtATerminal is no test but the process that the others start.
func TestProcessAtATerminal(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		t.Skip("the other tests start it")
	}
	p, err := permission.Compile(permission.Ask, nil, &permission.Options{Root: "/srv", Home: "/home/u"})
	require.NoError(t, err)
	terminal := approve.NewTerminal(nil)
	out := json.NewEncoder(os.NewFile(3, "outcomes"))
	hooks := make(map[time.Duration]*permission.Hook)
	for in := json.NewDecoder(os.Stdin); ; {
		var j job
		if err := in.Decode(&j); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if j.Read {
			require.NoError(t, out.Encode(outcome{Line: readTerminal(t)}))
			continue
		}
		if hooks[j.Timeout] == nil {
			hooks[j.Timeout], err = permission.NewHook(p, &permission.HookOptions{Approver: terminal, Timeout: j.Timeout})
			require.NoError(t, err)
		}
		input, err := json.Marshal(map[string]string{"command": j.Command})
		require.NoError(t, err)
		v := hooks[j.Timeout].PreToolCall(t.Context(), permission.ToolCall{Name: "bash", Session: "s", Input: input})
		require.NoError(t, out.Encode(outcome{
			Proceed: v.Proceed, Cause: v.Decision.Cause.String(), Detail: v.Decision.Detail,
		}))
	}
}

// readTerminal is a host that reads a line from its terminal by itself.
func readTerminal(t *testing.T) string {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = io.WriteString(f, "host> ")
	require.NoError(t, err)
	line, err := bufio.NewReader(f).ReadString('\n')
	require.NoError(t, err)
	return line
}

// A seat is before the terminal of another process.
type seat struct {
	t      *testing.T
	master *os.File
	jobs   *json.Encoder
	done   *json.Decoder
}

// openPTY returns the two ends of a new pseudo terminal.
func openPTY(t *testing.T) (master, slave *os.File) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	var number uint32
	var locked int32
	raw, err := master.SyscallConn()
	require.NoError(t, err)
	var errno syscall.Errno
	require.NoError(t, raw.Control(func(fd uintptr) {
		_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSPTLCK, uintptr(unsafe.Pointer(&locked)))
		if errno == 0 {
			_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCGPTN, uintptr(unsafe.Pointer(&number)))
		}
	}))
	if errno != 0 {
		t.Skipf("there are no pseudo terminals: %v", errno)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

// sit starts a process with a controlling terminal, or without one.
func sit(t *testing.T, terminal bool) *seat {
	s := &seat{t: t}
	outcomes, w, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcessAtATerminal$")
	cmd.Env = append(os.Environ(), childEnv+"=1", "GORACE=atexit_sleep_ms=0") // else it ends a second late
	cmd.Stderr = os.Stderr
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if terminal {
		var slave *os.File
		s.master, slave = openPTY(t)
		cmd.ExtraFiles = append(cmd.ExtraFiles, slave)
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 4
		require.NoError(t, s.master.SetDeadline(time.Now().Add(patience)))
	}
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	w.Close()
	s.jobs, s.done = json.NewEncoder(stdin), json.NewDecoder(outcomes)
	require.NoError(t, outcomes.SetDeadline(time.Now().Add(patience)))
	t.Cleanup(func() {
		stdin.Close()
		kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer kill.Stop()
		assert.NoError(t, cmd.Wait())
		outcomes.Close()
	})
	return s
}

func (s *seat) do(j job) {
	s.t.Helper()
	require.NoError(s.t, s.jobs.Encode(j))
}

func (s *seat) outcome() (o outcome) {
	s.t.Helper()
	require.NoError(s.t, s.done.Decode(&o))
	return o
}

func (s *seat) types(text string) {
	s.t.Helper()
	_, err := io.WriteString(s.master, text)
	require.NoError(s.t, err)
}

// sees waits for something on the screen and returns what comes up to that.
func (s *seat) sees(text string) string {
	s.t.Helper()
	var screen strings.Builder
	for b := make([]byte, 1); !strings.HasSuffix(screen.String(), text); {
		_, err := s.master.Read(b)
		require.NoError(s.t, err, "after %q", screen.String())
		screen.Write(b)
	}
	return screen.String()
}

func TestTheControllingTerminal(t *testing.T) {
	s := sit(t, true)
	s.do(job{Command: "git push"})
	screen := s.sees("Run it? [y/a/n] ")
	assert.Contains(t, screen, "\r\n  command  git push\r\n")
	s.types("y\n")
	assert.Equal(t, outcome{Proceed: true, Cause: "once"}, s.outcome())

	s.do(job{Command: "git push"})
	s.sees("Run it? [y/a/n] ")
	s.types("always\n")
	assert.Equal(t, outcome{Proceed: true, Cause: "always"}, s.outcome())
	s.do(job{Command: "git push"}) // and nobody is asked
	assert.Equal(t, outcome{Proceed: true, Cause: "always"}, s.outcome())

	s.do(job{Command: "git push -f"})
	s.sees("git push -f\r\n")
	s.sees("Run it? [y/a/n] ")
	s.types("n use a branch\n")
	assert.Equal(t, outcome{Cause: "rejected", Detail: "use a branch"}, s.outcome())

	s.do(job{Command: "git push -f"})
	s.sees("Run it? [y/a/n] ")
	s.types("\x04") // Ctrl-D
	o := s.outcome()
	assert.Equal(t, "approver_failed", o.Cause)
	assert.Contains(t, o.Detail, "EOF")
}

func TestTheControllingTerminalAfterATimeout(t *testing.T) {
	s := sit(t, true)
	s.do(job{Command: "make", Timeout: time.Second})
	s.sees("Run it? [y/a/n] ")
	s.types("y") // too slow with Enter
	s.sees("\r\nTimed out: it is not run.\r\n")
	assert.Equal(t, outcome{Cause: "timeout"}, s.outcome())

	s.do(job{Command: "make install"})
	screen := s.sees("Run it? [y/a/n] ")
	assert.Contains(t, screen, "make install")
	s.types("n ask me later\n") // had the y been kept, this would be no answer
	assert.Equal(t, outcome{Cause: "rejected", Detail: "ask me later"}, s.outcome())

	s.do(job{Read: true})
	s.sees("host> ")
	s.types("for the host\n")
	assert.Equal(t, outcome{Line: "for the host\n"}, s.outcome())
}

func TestTheControllingTerminalTypedAhead(t *testing.T) {
	s := sit(t, true)
	s.types("y\nal") // which the terminal keeps, and half a line
	s.sees("y\r\nal")
	s.do(job{Command: "make"})
	s.sees("Run it? [y/a/n] ")
	s.types("\n") // neither the y nor, with half a line before it, always
	s.sees("Run it? [y/a/n] ")
	s.types("n no\n")
	assert.Equal(t, outcome{Cause: "rejected", Detail: "no"}, s.outcome())
}

func TestTheControllingTerminalIsNarrow(t *testing.T) {
	s := sit(t, true)
	size := struct{ rows, columns, x, y uint16 }{24, 40, 0, 0}
	raw, err := s.master.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
		assert.Zero(t, errno)
	}))
	s.do(job{Command: "echo " + strings.Repeat("x", 40)})
	screen := s.sees("Run it? [y/a/n] ")
	assert.Contains(t, screen, "  command  echo "+strings.Repeat("x", 23)+"\r\n        |  "+strings.Repeat("x", 17)+"\r\n")
	s.types("n\n")
	assert.Equal(t, outcome{Cause: "rejected"}, s.outcome())
}

func TestNoControllingTerminal(t *testing.T) {
	s := sit(t, false)
	s.do(job{Command: "make"})
	assert.Equal(t, outcome{Cause: "no_approver"}, s.outcome())
}
