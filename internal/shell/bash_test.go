//go:build unix

package shell_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/shell"
)

// The programs that a line can find. Those of stubs write their arguments to a
// log and do nothing; the real ones run what is in theirs.
var (
	stubs = []string{"rm", "git", "curl", "cat", "ls", "touch", "tee", "node", "sudo", "ssh", "setsid", "mktemp"}
	real  = []string{"env", "timeout", "nice", "nohup", "stdbuf", "xargs", "find", "sh", "bash", "zsh"}
)

// runner runs lines in a shell, in a folder of its own, as nobody where it can.
type runner struct {
	name, shell     string // it, and where it is
	bin, work, log  string
	config          shell.Config
	limits, options string
	credential      *syscall.Credential
	before          map[string]string
}

// newRunner skips the test where there is no shell of that name. Its options
// keep it from reading files of its own.
func newRunner(t testing.TB, name, options string, c shell.Config) *runner {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name + " is not installed")
	}
	dir, err := os.MkdirTemp("", "shell-diff-") // not t.TempDir, which others may not enter
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := &runner{name: name, shell: program, config: c, bin: filepath.Join(dir, "bin"), work: filepath.Join(dir, "work"), log: filepath.Join(dir, "log"),
		limits: "ulimit -f 2048 -t 2; ", options: options}
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, os.Mkdir(r.bin, 0o755))
	for _, name := range stubs {
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\0' $# \"${0##*/}\" \"$@\" >>'%s'\ncase ${0##*/} in curl) exit 1;; cat) exec /bin/cat \"$@\";; mktemp) echo /tmp/tmp.abc;; esac\n", r.log)
		require.NoError(t, os.WriteFile(filepath.Join(r.bin, name), []byte(script), 0o755))
	}
	for _, name := range real {
		if path, err := exec.LookPath(name); err == nil {
			require.NoError(t, os.Symlink(path, filepath.Join(r.bin, name)))
		}
	}
	if os.Geteuid() == 0 {
		r.credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		r.limits = "ulimit -f 2048 -t 2; ulimit -p 200 2>/dev/null || ulimit -u 200; "
	}
	r.fresh(t)
	return r
}

// fresh sets the folder up anew.
func (r *runner) fresh(t testing.TB) {
	t.Helper()
	require.NoError(t, os.RemoveAll(r.work))
	require.NoError(t, os.MkdirAll(filepath.Join(r.work, "d"), 0o755))
	for _, name := range []string{"f", "x.go", "d/z"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.work, name), []byte("one two\n"), 0o644))
	}
	require.NoError(t, os.WriteFile(r.log, nil, 0o644))
	if r.credential != nil {
		for _, name := range []string{r.log, r.work, r.work + "/d", r.work + "/f", r.work + "/x.go", r.work + "/d/z"} {
			require.NoError(t, os.Chown(name, 65534, 65534))
		}
	}
	r.before = r.files()
}

// files returns the files of the folder, with what changes if they are written.
func (r *runner) files() map[string]string {
	all := make(map[string]string)
	_ = filepath.WalkDir(r.work, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			rel, _ := filepath.Rel(r.work, name)
			all[rel] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return all
}

// ran is what a line did.
type ran struct {
	programs [][]string
	written  []string
	killed   bool
}

// run runs a line, for two seconds at most, and whatever it started.
func (r *runner) run(t testing.TB, line string) ran {
	t.Helper()
	require.NoError(t, os.Truncate(r.log, 0))
	held, end, err := os.Pipe() // every process of the line holds one end
	require.NoError(t, err)
	defer held.Close()
	cmd := exec.Command("/bin/sh", "-c", r.limits+`exec "$0" `+r.options+` -c "$1"`, r.shell, line)
	cmd.Dir = r.work
	cmd.Env = []string{"PATH=" + r.bin, "HOME=" + home}
	cmd.ExtraFiles = []*os.File{end}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: r.credential}
	require.NoError(t, cmd.Start())
	_ = end.Close()
	_ = held.SetReadDeadline(time.Now().Add(2 * time.Second))
	_, err = held.Read(make([]byte, 1))
	res := ran{killed: os.IsTimeout(err)}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
	res.programs = r.readLog(t)
	after := r.files()
	for name, state := range after {
		if r.before[name] != state {
			res.written = append(res.written, name)
		}
	}
	if len(res.written) > 0 || len(after) != len(r.before) {
		r.fresh(t)
	}
	return res
}

// readLog returns the programs that the stubs wrote down.
func (r *runner) readLog(t testing.TB) [][]string {
	t.Helper()
	data, err := os.ReadFile(r.log)
	require.NoError(t, err)
	var all [][]string
	for fields := strings.Split(string(data), "\x00"); len(fields) > 2; {
		n, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) < n+2 {
			break // killed while it wrote
		}
		all = append(all, fields[1:n+2])
		fields = fields[n+2:]
	}
	return all
}
