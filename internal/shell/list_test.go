package shell

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is read without the parser is read as with it.
func TestListsAreReadAsWithTheParser(t *testing.T) {
	words := []string{
		"go", "test", "npm2", "prog", "tail", "-20", "./x", "a/b.go", "x:y", "@a", "cd", "web", "..", "/", "/etc", "-", "sudo", "rm", "echo", "read",
		"&&", "||", "|", ";", "&&", "|", "2>&1", "2>/dev/null", ">", "x;", "a=b", "--", "time", "!", "if", "then", "{", "}", "%1", "-x", "+x", "env", "git",
		"true", "export", "[", "]", "xargs", "&", "cat", "wrapped", "", "$x", "'q'", "*", "~", "cd web &&", "cd a/b && go test", "| tail -5", "; ls",
	}
	config := Config{
		Home: "/home/u", Wrappers: []string{"wrapped"},
		Inside: func(place string) bool { return !strings.HasPrefix(place, "/") && !strings.Contains(place, "..") },
	}
	r := rand.New(rand.NewPCG(1, 0))
	taken := 0
	for range 40_000 {
		line := ""
		for range 1 + r.IntN(9) {
			line += words[r.IntN(len(words))] + " "
		}
		line = strings.TrimSuffix(line, " ")
		for _, posix := range []bool{false, true} {
			config.Posix = posix
			parts, ok := config.list(line)
			if !ok {
				continue
			}
			taken++
			want := config.read(line)
			if posix && len(want) == 2*len(parts) { // which reads a line in two ways, and finds the same
				parts = append(parts, parts...)
			}
			assert.Equal(t, want, parts, "%q", line)
		}
	}
	require.Greater(t, taken, 2000)
	for _, line := range []string{
		"", "cd web", "cd web &&", "&& a", "a &&", "a | | b", "a  && b", "a && cd web", "cd .. && a", "cd - && a", "a & b", "a &&b", "a; b", "f() { a; }",
		"a && read x", "a && export x", "sudo a | b", "a > x", "a 2>&1 2>&1", "2>&1 a", "a | x=1 b", "time a && b", "a && ! b", "a\n&& b", "cd web x && a",
	} {
		_, ok := config.list(line)
		assert.False(t, ok, "%q", line)
	}
	for _, line := range []string{"a", "cd web && a", "cd web && a 2>&1 | b -x", "a ; b || c | d", "a 2>/dev/null && b 2>&1"} {
		_, ok := config.list(line)
		assert.True(t, ok, "%q", line)
	}
}

// It is so for all programs that this package knows, whatever is behind them.
func TestListsOfKnownPrograms(t *testing.T) {
	config := Config{Home: "/home/u", Inside: func(string) bool { return true }}
	taken := 0
	for name := range quotedWords(t) {
		for _, args := range []string{"", " x", " -x rm y", " -c rm y", " -e rm y", " -p rm y", " -n -x rm y", " --exec rm y", " -v rm", " -a rm", " -F rm y", " -C rm", " x rm y", " 5 rm y"} {
			for _, line := range []string{name + args + " && a", "a | " + name + args, "cd web && " + name + args + " 2>&1"} {
				parts, ok := config.list(line)
				if !ok {
					continue
				}
				taken++
				require.Equal(t, config.read(line), parts, "%q", line)
			}
		}
	}
	require.Greater(t, taken, 3000)
}
