package subject

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/text"
)

func commandReader(t *testing.T, c Config) *Reader {
	t.Helper()
	c.Root, c.Home, c.GOOS = "/srv/proj", "/home/u", "linux"
	r, err := NewReader(c)
	require.NoError(t, err)
	return r
}

// A line for a shell that is not read allows nothing by its text, but is refused
// by it.
func TestLinesForOtherShells(t *testing.T) {
	r := commandReader(t, Config{Shell: "powershell"})
	for line, plain := range map[string]bool{
		"git status -s": true, "git log a..b": true,
		"git status; rm x": false, "git $x": false, "git `rm x`": false, "echo a|b": false, "git 'a'": false, "& git": false, "a > b": false, "a\nb": false,
	} {
		ss := r.lineSubjects(line, "", r.config.Shell)
		require.Len(t, ss, 1)
		allow, err := r.Pattern(Command, "{git,echo,a,&} *", true)
		require.NoError(t, err)
		assert.Equal(t, plain, allow.Must(ss[0].Narrow), line)
		deny, err := r.Pattern(Command, "*", false)
		require.NoError(t, err)
		assert.True(t, deny.Must(append(ss[0].Narrow, ss[0].Wide...)), line)
	}
}

func TestLinesAreReadAsConfigured(t *testing.T) {
	r := commandReader(t, Config{Shell: "posix", Wrappers: []string{"run"}, HarmlessEnv: []string{"APP"}})
	first := func(line string, i int) string {
		ss := r.lineSubjects(line, "", r.config.Shell)
		require.Greater(t, len(ss), i, line)
		return ss[i].Narrow[0].Text.String()
	}
	assert.Equal(t, "rm x", first("run rm x", 1))
	assert.Equal(t, "rm x", first("APP=1 rm x", 0))
	assert.Equal(t, "…", first("a &>f rm x", 2))
}

// What a line writes is a file for patterns of that form alone.
func TestFilesOfLines(t *testing.T) {
	r := commandReader(t, Config{})
	must := func(pattern, line string, allow bool) bool {
		p, err := r.Pattern(Command, pattern, allow)
		require.NoError(t, err)
		for _, s := range r.lineSubjects(line, "", r.config.Shell) {
			rs := s.Narrow
			if !allow {
				rs = append(append([]text.Reading{}, s.Narrow...), s.Wide...)
			}
			if p.Must(rs) {
				return true
			}
		}
		return false
	}
	assert.True(t, must("> out/*", "a > out/x", true))
	assert.True(t, must("> /srv/proj/out/*", "a > ./out/../out/x", true))
	assert.False(t, must("> out/*", "a > out/../x", true))
	assert.False(t, must("> out/*", "pushd d; a > out/x", true), "nobody knows where")
	assert.True(t, must("> out/*", "pushd d; a > out/x", false), "a refusal hears of where it may be")
	assert.True(t, must("> out/*", "cd d; a > out/x", false), "cd may fail")
	assert.True(t, must("> d/out/*", "cd d; a > out/x", false))
	assert.True(t, must("> d/out/*", "cd d && a > out/x", true))
	assert.True(t, must("> /home/u/*", "a > ~/x", true))
	assert.False(t, must("out/*", "a > out/x", false))
	assert.True(t, must("< .env", "a < .env", false))
}

// A plain line that starts one shell in another without end is in doubt.
func TestShellsInShellsOfPowerShellAreBounded(t *testing.T) {
	r := commandReader(t, Config{Shell: "powershell"})
	deny, err := r.Pattern(Command, "del *", false)
	require.NoError(t, err)
	for shells, may := range map[int]bool{1: false, maxRuns: true} {
		ss := r.lineSubjects(strings.Repeat("cmd /c ", shells)+"dir", "", r.config.Shell)
		assert.Equal(t, may, deny.May(append(ss[0].Narrow, ss[0].Wide...)), shells)
	}
}
