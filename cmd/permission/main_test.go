package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// try runs the command with stdin and returns what a shell would see.
func try(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = run(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// inDir makes files in a new current directory.
func inDir(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

func TestHelp(t *testing.T) {
	const overview, check, test = "permission COMMAND", "permission check -manifest", "permission test -manifest"
	tests := []struct{ args, mention string }{
		{"help", overview},
		{"-h", overview},
		{"--help", overview},
		{"help check", check},
		{"check -h", check},
		{"check --help", check},
		{"help test", test},
		{"test -h", test},
		{"help lint", "permission lint -manifest"},
		{"lint -h", "permission lint -manifest"},
	}
	for _, tt := range tests {
		code, stdout, stderr := try("", strings.Fields(tt.args)...)
		assert.Equal(t, 0, code, tt.args)
		assert.Contains(t, stdout, tt.mention, tt.args)
		assert.Empty(t, stderr, tt.args)
	}
}

func TestHelpListsEachFlag(t *testing.T) {
	for _, command := range []string{"check", "explain", "test", "lint", "hook"} {
		_, stdout, _ := try("", "help", command)
		for _, flag := range []string{"-manifest FILE\n", "-root DIR\n", "-home DIR\n", "-shell SHELL\n"} {
			assert.Contains(t, stdout, flag, command)
		}
	}
}

// TestUsage pins that wrong usage is never mistaken for an answer: the exit
// code is 3, standard output is empty, and the text says what to do.
func TestUsage(t *testing.T) {
	inDir(t, map[string]string{"m.toml": manifest, "no-rules.jsonl": `{"tool":"bash","input":{},"want":"ask"}`})
	tests := []struct {
		args    []string
		mention string
	}{
		{nil, "permission COMMAND"},
		{[]string{"chekc"}, `unknown command "chekc"`},
		{[]string{"help", "chekc"}, `unknown command "chekc"`},
		{[]string{"check"}, "-manifest FILE is required"},
		{[]string{"check", "bash", "ls"}, "-manifest FILE is required"},
		{[]string{"check", "-manifest", "m.toml"}, "want TOOL and INPUT"},
		{[]string{"check", "-manifest", "m.toml", "bash"}, "want TOOL and INPUT"},
		{[]string{"check", "-manifest", "m.toml", "bash", "git", "push"}, "put INPUT in quotes"},
		{[]string{"check", "bash", "ls", "-manifest", "m.toml"}, "before TOOL"},
		{[]string{"check", "-wrong"}, "not defined: -wrong"},
		{[]string{"check", "-manifest"}, "needs an argument"},
		{[]string{"lint", "-manifest", "m.toml", "-manifest", "m.toml"}, "given twice"},
		{[]string{"explain", "-json", "-json", "-manifest", "m.toml", "bash", "ls"}, "given twice"},
		{[]string{"lint", "m.toml"}, "as -manifest FILE"},
		{[]string{"check", "-manifest", "m.toml", "-root", "", "bash", "ls"}, "-root"},
		{[]string{"check", "-manifest", "m.toml", "-shell", "fish", "bash", "ls"}, "want bash, posix, zsh or powershell"},
		{[]string{"explain", "bash", "ls"}, "-manifest FILE is required"},
		{[]string{"explain", "-manifest", "m.toml", "-"}, "want TOOL and INPUT"},
		{[]string{"lint"}, "-manifest FILE is required"},
		{[]string{"lint", "m.toml"}, "want none"},
		{[]string{"lint", "-wrong"}, "not defined: -wrong"},
		{[]string{"test"}, "nothing to test"},
		{[]string{"test", "-wrong"}, "not defined: -wrong"},
		{[]string{"test", "no-rules.jsonl", "-manifest", "m.toml"}, "flags go before files"},
	}
	for _, tt := range tests {
		code, stdout, stderr := try("", tt.args...)
		assert.Equal(t, 3, code, tt.args)
		assert.Empty(t, stdout, tt.args)
		assert.Contains(t, stderr, tt.mention, tt.args)
		assert.Contains(t, stderr, "permission help", tt.args)
	}
}

// An answer that cannot be written is none: it must not end like one.
func TestOutputThatCannotBeWritten(t *testing.T) {
	inDir(t, map[string]string{"m.toml": "[permissions]\ndefault_action = \"allow\"\n[[permissions.rule]]\ntool = \"bash\"\npattern = \"rm *\"\naction = \"deny\"\nmatch = [\"rm x\"]\n"})
	for _, args := range [][]string{
		{"check", "-manifest", "m.toml", "bash", "ls"},
		{"check", "-manifest", "m.toml", "bash", "rm x"},
		{"check", "-manifest", "m.toml", "-"},
		{"explain", "-manifest", "m.toml", "bash", "ls"},
		{"explain", "-manifest", "m.toml", "-json", "bash", "ls"},
		{"test", "m.toml"},
		{"lint", "-manifest", "m.toml"},
		{"tools"},
		{"help"}, {"-h"}, {"help", "check"}, {"check", "-h"},
	} {
		var stderr strings.Builder
		code := run(args, strings.NewReader(`{"name":"bash","input":{"command":"ls"}}`), faulty{}, &stderr)
		assert.Equal(t, exitError, code, args)
		assert.Contains(t, stderr.String(), "s3cret", args)
	}
}
