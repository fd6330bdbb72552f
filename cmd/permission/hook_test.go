package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const hookManifest = `[permissions]
default_action = "ask"

[[permissions.rule]]
tool = "{Bash,bash}"
pattern = "git push *"
action = "deny"
reason = "a person pushes"

[[permissions.rule]]
tool = "Bash"
pattern = "git *"
action = "allow"

[[permissions.rule]]
tool = "Read"
pattern = "**/.env"
action = "deny"

[[permissions.rule]]
tool = "{Read,Write}"
pattern = "./*"
action = "allow"

[[permissions.rule]]
tool = "mcp__tracker__{get,list}_*"
pattern = "*"
action = "allow"
`

// hookDir makes the files of a test and returns the path of its manifest.
func hookDir(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the events are those of another system")
	}
	inDir(t, map[string]string{"m.toml": hookManifest, "off.toml": "", "bad.toml": "[permissions]\n"})
	file, err := filepath.Abs("m.toml")
	require.NoError(t, err)
	return file
}

// said returns the decision and the reason of an answer in Claude Code's form.
func said(t *testing.T, stdout string) (decision, reason string) {
	t.Helper()
	if stdout == "" {
		return "", ""
	}
	var answer struct {
		Output struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&answer), stdout)
	require.Equal(t, "PreToolUse", answer.Output.Event)
	require.NotEmpty(t, answer.Output.Reason)
	return answer.Output.Decision, answer.Output.Reason
}

func TestHookAnswersEvents(t *testing.T) {
	fixtures, err := filepath.Abs("testdata/hook")
	require.NoError(t, err)
	file := hookDir(t)
	tests := map[string]struct {
		code          int
		want, preWant string
		reason        string
	}{
		"claude_bash":          {0, "deny", "deny", "a person pushes"},
		"claude_write":         {0, "", "allow", `rule {Read,Write} "./*"`},
		"claude_subagent":      {0, "deny", "deny", `"../.env" was not run`},
		"claude_mcp":           {0, "", "allow", "mcp__tracker__"},
		"claude_post_tool_use": {2, "deny", "deny", "put this hook under PreToolUse"},
		"crush_bash":           {0, "deny", "deny", "a person pushes"},
	}
	names, err := filepath.Glob(filepath.Join(fixtures, "*.json"))
	require.NoError(t, err)
	require.Len(t, names, len(tests), "every event is tried")
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			event, err := os.ReadFile(filepath.Join(fixtures, name+".json"))
			require.NoError(t, err)
			code, stdout, stderr := try(string(event), "hook", "-manifest", file)
			decision, _ := said(t, stdout)
			assert.Equal(t, tt.code, code, stderr)
			assert.Equal(t, tt.want, decision)
			assert.Equal(t, tt.code != 0, stderr != "")

			code, stdout, _ = try(string(event), "hook", "-manifest", file, "-preapprove")
			decision, reason := said(t, stdout)
			assert.Equal(t, tt.code, code)
			assert.Equal(t, tt.preWant, decision)
			if name != "claude_subagent" {
				assert.Contains(t, reason, tt.reason)
			}
		})
	}
}

// event returns a PreToolUse event of Bash, with members of the test's own.
func event(members string) string {
	return `{"session_id":"s","hook_event_name":"PreToolUse",` + members + `}`
}

func bashEvent(cwd, command string) string {
	input, _ := json.Marshal(map[string]string{"command": command})
	return event(`"cwd":"` + cwd + `","tool_name":"Bash","tool_input":` + string(input))
}

func TestHookAsks(t *testing.T) {
	file := hookDir(t)
	build := bashEvent("/srv/proj", "make")
	for _, more := range []string{"", "-preapprove"} {
		code, stdout, stderr := try(build, append([]string{"hook", "-manifest", file}, strings.Fields(more)...)...)
		decision, reason := said(t, stdout)
		assert.Equal(t, 0, code)
		assert.Equal(t, "ask", decision)
		assert.Contains(t, reason, `no rule for Bash matches "make"`)
		assert.Empty(t, stderr)
	}
	_, stdout, _ := try(build, "hook", "-manifest", file, "-refuse-asks")
	decision, reason := said(t, stdout)
	assert.Equal(t, "deny", decision)
	assert.Contains(t, reason, "no approver is attached")

	// A doubt asks, too, and is never pre-approved.
	_, stdout, _ = try(bashEvent("/srv/proj", "git $X"), "hook", "-manifest", file, "-preapprove")
	decision, reason = said(t, stdout)
	assert.Equal(t, "ask", decision)
	assert.Contains(t, reason, "may match")
}

// TestHookRoot pins that what is inside is so by the root that is named, not by
// where the agent has gone.
func TestHookRoot(t *testing.T) {
	file := hookDir(t)
	read := func(cwd, path string) string {
		return event(`"cwd":"` + cwd + `","tool_name":"Read","tool_input":{"file_path":"` + path + `"}`)
	}
	for _, tt := range []struct {
		cwd, path, root string
		want            string
	}{
		{"/srv/proj", "a.go", "", ""},
		{"/srv/proj", "/srv/proj/a.go", "", ""},
		{"/srv/proj", "../a.go", "", "ask"},
		{"/etc", "passwd", "", ""},
		{"/etc", "passwd", "/srv/proj", "ask"},
		{"/srv/proj/sub", "../a.go", "/srv/proj", ""},
		{"/srv/proj/sub", "../.env", "/srv/proj", "deny"},
	} {
		args := []string{"hook", "-manifest", file}
		if tt.root != "" {
			args = append(args, "-root", tt.root)
		}
		code, stdout, stderr := try(read(tt.cwd, tt.path), args...)
		decision, _ := said(t, stdout)
		assert.Equal(t, 0, code, stderr)
		assert.Equal(t, tt.want, decision, tt)
	}
}

// TestHookFollowsLinks pins that a link is judged by where it leads.
func TestHookFollowsLinks(t *testing.T) {
	file := hookDir(t)
	dir := filepath.Dir(file)
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "notes")))
	_, stdout, _ := try(event(`"cwd":"`+dir+`","tool_name":"Read","tool_input":{"file_path":"notes"}`), "hook", "-manifest", file)
	decision, _ := said(t, stdout)
	assert.Equal(t, "ask", decision)
}

// TestHookBlocks pins that whatever goes wrong blocks in every way that a host
// may listen to, and that no text of it holds what the model wrote.
func TestHookBlocks(t *testing.T) {
	file := hookDir(t)
	dir := filepath.Dir(file)
	good := bashEvent("/srv/proj", "git status --s3cret")
	tests := []struct {
		name, event string
		args        []string
		mention     string
	}{
		{"nothing", " \n", nil, "no event"},
		{"no JSON", "s3cret", nil, "cannot be read"},
		{"cut off", good[:len(good)-3], nil, "ends in the middle"},
		{"more", good + "s3cret", nil, "cannot be read"},
		{"a list", "[" + good + "]", nil, "want an object"},
		{"a member twice", event(`"cwd":"/a","tool_name":"Bash","tool_name":"s3cret","tool_input":{}`), nil, "twice"},
		{"twice but for case", event(`"cwd":"/a","tool_name":"Bash","Tool_Name":"s3cret","tool_input":{}`), nil, "twice"},
		{"an argument twice", event(`"cwd":"/a","tool_name":"Bash","tool_input":{"command":"ls","command":"s3cret"}`), nil, "twice"},
		{"no UTF-8", strings.Replace(good, "s3cret", "s3cret\xff", 1), nil, "cannot be read"},
		{"no event name", `{"cwd":"/a","tool_name":"Bash","tool_input":{}}`, nil, "hook_event_name"},
		{"another event", strings.Replace(good, "PreToolUse", "PermissionRequest", 1), nil, `"PermissionRequest"`},
		{"no tool", event(`"cwd":"/a","tool_input":{}`), nil, "tool_name"},
		{"a tool that is no text", event(`"cwd":"/a","tool_name":7,"tool_input":{}`), nil, "tool_name"},
		{"no input", event(`"cwd":"/a","tool_name":"Bash"`), nil, "tool_input"},
		{"no input at all", event(`"cwd":"/a","tool_name":"Bash","tool_input":null`), nil, "tool_input"},
		{"input as text", event(`"cwd":"/a","tool_name":"Bash","tool_input":"{\"command\":\"s3cret\"}"`), nil, "tool_input"},
		{"no folder", event(`"tool_name":"Bash","tool_input":{}`), nil, "cwd"},
		{"a relative folder", bashEvent("s3cret", "ls"), nil, "cwd"},

		{"no manifest", good, []string{"-manifest", filepath.Join(dir, "missing.toml")}, "missing.toml"},
		{"a bad manifest", good, []string{"-manifest", filepath.Join(dir, "bad.toml")}, "default_action"},
		{"a manifest that decides nothing", good, []string{"-manifest", filepath.Join(dir, "off.toml"), "-preapprove"}, "[permissions]"},
		{"a relative manifest", good, []string{"-manifest", "m.toml"}, "absolute"},
		{"no manifest named", good, []string{"-manifest", ""}, "required"},
		{"two manifests", good, []string{"-manifest", file, "-manifest", file}, "twice"},
		{"a relative root", good, []string{"-root", "."}, "absolute"},
		{"an empty root", good, []string{"-root", ""}, "absolute"},
		{"an unknown dialect", good, []string{"-dialect", "codex"}, "codex"},
		{"an unknown flag", good, []string{"-preaprove"}, "-preaprove"},
		{"an argument", good, []string{"Bash"}, "standard input"},
		{"no time", good, []string{"-timeout", "0s"}, "-timeout"},
		{"an unknown host", good, []string{"-print-config", "codex"}, "codex"},
		{"an entry without time", good, []string{"-print-config", "claude", "-timeout", "-1s"}, "-timeout"},
		{"an entry in place of the hook", good, []string{"-print-config", "claude"}, "-print-config"},
		{"a help in place of the hook", "\n " + good, []string{"-help"}, "-help"},
		{"an entry with a relative root", good, []string{"-print-config", "claude", "-root", "."}, "absolute"},
		{"an entry of an unknown dialect", good, []string{"-print-config", "claude", "-dialect", "codex"}, "codex"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := tt.args
			if !slices.Contains(args, "-manifest") {
				args = append([]string{"-manifest", file}, args...)
			}
			code, stdout, stderr := try(tt.event, append([]string{"hook"}, args...)...)
			blocked(t, code, stdout, stderr)
			assert.Contains(t, stderr, tt.mention)
		})
	}
}

func blocked(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	assert.Equal(t, 2, code)
	decision, reason := said(t, stdout)
	assert.Equal(t, "deny", decision)
	assert.Contains(t, reason, "The call was blocked")
	assert.True(t, strings.HasPrefix(stderr, "permission hook: "), stderr)
	assert.NotContains(t, stdout+stderr, "s3cret")
}

// Where no event has come there is no call, and a person reads what is wrong.
func TestHookSpeaksToAPersonWhereNoCallIs(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	for _, in := range []io.Reader{strings.NewReader(""), strings.NewReader(" \n"), faulty{}} {
		for _, args := range [][]string{
			{"-print-config", "codex"}, {"-print-config", "claude", "-root", "."}, {"-print-config", "claude", "-timeout", "0s"}, {"-preaprove"},
		} {
			var out strings.Builder
			code, stderr := tryReader(in, &out, append([]string{"hook"}, args...)...)
			assert.Equal(t, 2, code)
			assert.Empty(t, out.String())
			assert.NotContains(t, stderr, "blocked")
			assert.True(t, strings.HasPrefix(stderr, "permission hook: "), stderr)
		}
	}
	var out strings.Builder
	code, _ := tryReader(silent, &out, "hook", "-help")
	assert.Equal(t, 0, code)
	assert.Contains(t, out.String(), "permission hook -manifest FILE")
}

// The dialog is the host's, and has the host's time.
func TestHookAsksWhateverTheAskTimeout(t *testing.T) {
	file := hookDir(t)
	text := strings.Replace(hookManifest, "[permissions]\n", "[permissions]\nask_timeout = \"1ns\"\n", 1)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	for range 20 {
		code, stdout, _ := try(bashEvent("/srv/proj", "make"), "hook", "-manifest", file)
		decision, _ := said(t, stdout)
		assert.Equal(t, 0, code)
		assert.Equal(t, "ask", decision)
	}
}

// A deny by the rules goes to the model on standard output alone.
func TestHookTellsStderrNothing(t *testing.T) {
	file := hookDir(t)
	for _, command := range []string{"git push s3cret", "make s3cret", "git log s3cret", `echo "$(s3cret`} {
		code, _, stderr := try(bashEvent("/srv/proj", command), "hook", "-manifest", file)
		assert.Equal(t, 0, code)
		assert.Empty(t, stderr, command)
	}
}

// tryReader is try for a standard input and output of the test's own.
func tryReader(in io.Reader, out io.Writer, args ...string) (code int, stderr string) {
	var text strings.Builder
	code = run(args, in, out, &text)
	return code, text.String()
}

func TestHookBlocksInTime(t *testing.T) {
	file := hookDir(t)
	in, w := io.Pipe()
	defer w.Close()
	var out strings.Builder
	code, stderr := tryReader(in, &out, "hook", "-manifest", file, "-timeout", "50ms")
	blocked(t, code, out.String(), stderr)
	assert.Contains(t, stderr, "no answer within 50ms")
}

type faulty struct{}

func (faulty) Read([]byte) (int, error)  { panic("s3cret") }
func (faulty) Write([]byte) (int, error) { return 0, errors.New("s3cret") }

func TestHookBlocksAfterFaults(t *testing.T) {
	file := hookDir(t)
	var out strings.Builder
	code, stderr := tryReader(faulty{}, &out, "hook", "-manifest", file)
	blocked(t, code, out.String(), stderr)
	assert.Contains(t, stderr, "panicked")

	code, stderr = tryReader(strings.NewReader(bashEvent("/srv/proj", "git push")), faulty{}, "hook", "-manifest", file)
	assert.Equal(t, 2, code)
	assert.Equal(t, "permission hook: the answer could not be written\n", stderr)

	out.Reset()
	code, stderr = tryReader(io.MultiReader(strings.NewReader(event(`"x":"`)), endless{}), &out, "hook", "-manifest", file)
	blocked(t, code, out.String(), stderr)
	assert.Contains(t, stderr, "more than")

	// An event that looks whole may have been cut short, too.
	out.Reset()
	whole := strings.NewReader(bashEvent("/srv/proj", "git log"))
	code, stderr = tryReader(io.MultiReader(whole, iotest.ErrReader(errors.New("s3cret"))), &out, "hook", "-manifest", file)
	blocked(t, code, out.String(), stderr)
	assert.Contains(t, stderr, "standard input cannot be read")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestHookPrintsItsEntry(t *testing.T) {
	t.Setenv("SHELL", "/bin/bash")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, `permission hook -dialect claude -manifest "$CLAUDE_PROJECT_DIR"/agent.toml -root "$CLAUDE_PROJECT_DIR"`},
		{[]string{"-manifest", "/etc/agent's rules.toml", "-root", "/srv/proj", "-preapprove", "-refuse-asks"},
			`permission hook -dialect claude -manifest '/etc/agent'\''s rules.toml' -root /srv/proj -preapprove -refuse-asks`},
		{[]string{"-shell", "zsh"},
			`permission hook -dialect claude -manifest "$CLAUDE_PROJECT_DIR"/agent.toml -root "$CLAUDE_PROJECT_DIR" -shell zsh`},
		{[]string{"-timeout", "20s"},
			`permission hook -dialect claude -manifest "$CLAUDE_PROJECT_DIR"/agent.toml -root "$CLAUDE_PROJECT_DIR" -timeout 20s`},
	} {
		code, stdout, stderr := try("", append([]string{"hook", "-print-config", "claude"}, tt.args...)...)
		assert.Equal(t, 0, code)
		assert.Equal(t, slices.Contains(tt.args, "-manifest"), strings.Contains(stderr, "there is no /etc/agent's rules.toml yet"), stderr)
		var settings struct {
			Hooks map[string][]struct {
				Matcher string
				Hooks   []struct {
					Type, Command, OnFailure string
					Timeout                  int
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(stdout), &settings))
		group := settings.Hooks["PreToolUse"][0]
		assert.Equal(t, "*", group.Matcher)
		assert.Equal(t, "command", group.Hooks[0].Type)
		assert.Equal(t, tt.want, group.Hooks[0].Command)
		assert.Equal(t, "block", group.Hooks[0].OnFailure)
		assert.GreaterOrEqual(t, group.Hooks[0].Timeout, 15)
	}
}

// The entry says which shell runs the command lines where that is the user's own
// and no bash.
func TestHookPrintsTheShell(t *testing.T) {
	for shell, want := range map[string]bool{"/bin/zsh": true, "/opt/homebrew/bin/zsh": true, "zsh": true, "/bin/bash": false, "": false, "/usr/bin/fish": false} {
		t.Setenv("SHELL", shell)
		code, stdout, _ := try("", "hook", "-print-config", "claude")
		assert.Equal(t, 0, code)
		assert.Equal(t, want, strings.Contains(stdout, "-shell zsh"), shell)
		_, stdout, _ = try("", "hook", "-print-config", "claude", "-shell", "bash")
		assert.NotContains(t, stdout, "zsh", shell)
		assert.Contains(t, stdout, "-shell bash", shell)
	}
}

// A deny that nobody can read is none: the exit code blocks, also where the host
// has closed the pipe.
func TestHookBlocksWithoutReaders(t *testing.T) {
	file := hookDir(t)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	push := bashEvent("/srv/proj", "git push")
	var stderr strings.Builder
	assert.Equal(t, 2, run([]string{"hook", "-manifest", file}, strings.NewReader(push), null, &stderr))
	assert.Contains(t, stderr.String(), "standard output")

	program, err := os.Executable()
	require.NoError(t, err)
	for _, event := range []string{push, "no event"} {
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, reader.Close())
		c := exec.Command(program)
		c.Args = []string{"permission", "hook", "-manifest", file}
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(event), writer, writer
		exit := new(exec.ExitError)
		require.ErrorAs(t, c.Run(), &exit)
		assert.Equal(t, 2, exit.ExitCode(), event)
		require.NoError(t, writer.Close())
	}
}

// Whatever comes in, a policy without allows lets nothing through, and what is
// printed is an answer.
func FuzzHook(f *testing.F) {
	for _, seed := range []string{"", "{", bashEvent("/srv/proj", "ls"), event(`"cwd":"/","tool_name":"x","tool_input":{}`), `{"event":"PreToolUse"}`} {
		f.Add(seed)
	}
	names, err := filepath.Glob("testdata/hook/*.json")
	require.NoError(f, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(data))
	}
	file := filepath.Join(f.TempDir(), "m.toml")
	require.NoError(f, os.WriteFile(file, []byte("[permissions]\ndefault_action = \"ask\"\n"), 0o644))
	f.Fuzz(func(t *testing.T, in string) {
		code, stdout, stderr := try(in, "hook", "-manifest", file, "-preapprove", "-timeout", "1m")
		decision, _ := said(t, stdout)
		switch code {
		case 0:
			require.Contains(t, []string{"ask", "deny"}, decision)
			require.Empty(t, stderr)
		default:
			require.Equal(t, 2, code)
			require.Equal(t, "deny", decision)
			require.NotEmpty(t, stderr)
		}
	})
}
