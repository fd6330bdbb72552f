package shell

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	manyLists = flag.Int("shell.lists", 40_000, "how many lists are read with the parser and without")
	listSeed  = flag.Uint64("shell.listseed", 1, "what they are made from")
)

// A listMaker makes lists of commands, most of them plain and some not.
type listMaker struct{ *rand.Rand }

func (m listMaker) pick(words ...string) string { return words[m.IntN(len(words))] }

// list returns commands with operators between them. One word or blank in so many
// is not plain.
func (m listMaker) list() string {
	wild := 3 + m.IntN(60)
	line := ""
	for n := 2 + m.IntN(9); n > 0; n-- {
		switch {
		case m.IntN(wild) == 0:
			line += m.odd()
		case m.IntN(4) == 0 && n > 1:
			line += m.pick("&&", "||", "|", ";", "&&", "|", "2>&1 |", "2>/dev/null ||", ">/dev/null 2>&1 &&", ">&2 ;")
			line += " " + m.pick("prog", "git", "npm", "tail", "go", "cat", "ls", "uv")
		case m.IntN(5) == 0:
			line += m.quoted()
		default:
			line += m.pick("go", "test", "npm2", "npm", "prog", "tail", "-20", "./x", "a/b.go", "x:y", "@a", "web", "..", "rm", "git", "--", "-x", "+x", "run", "exec", "-x=y", "log", "in", "cat", "%1", "x,y")
		}
		if line += " "; m.IntN(wild) == 0 {
			line = line[:len(line)-1] + m.pick("  ", "", "\t", "\n", "\r", " \\\n", "\u00a0")
		}
	}
	if line = strings.TrimSuffix(line, " "); m.IntN(4) == 0 {
		line = m.pick("cd web && ", "cd +1 && ", "cd a/b && ", "cd .. && ", "cd web; ", "cd 'web' && ", "cd web 2>/dev/null && ", "cd && ", "cd -- web && ", "cd web x && ") + line
	}
	return line
}

// mutate changes some characters of a line.
func (m listMaker) mutate(line string) string {
	for range m.IntN(4) {
		at := m.IntN(len(line) + 1)
		end := min(len(line), at+m.IntN(3))
		switch m.IntN(4) {
		case 0:
			line = line[:at] + line[end:]
		case 1:
			line = line[:end] + line[at:]
		default:
			line = line[:at] + m.pick("\"", "'", " ", "|", "&", "&&", ";", "=", "-", ">", "2>&1", "\\", "$", "!", "#", "~", "{", ",", "}", "*", "[", "(", ")", "\n", "\t", "\r", "\x00", "é", "%", "/", "a") + line[end:]
		}
	}
	return line
}

// odd returns what a list of plain commands seldom has.
func (m listMaker) odd() string {
	switch m.IntN(4) {
	case 0:
		return m.pick("&>/dev/null", "> /dev/null", "2>&", "2>x", ">&", ">/dev/nul", "3>&1", "</dev/null", "2>>/dev/null", "1>/dev/null", "1>&2", "|&", "&", ";;", "\n", "2>&1", ">/dev/null && a")
	case 1:
		return m.pick("repeat", "chdir", "print", "noglob", "end", "r", "npx", "dotenv", "tmux", "perf", "vagrant", "bisect run", "tool run", "-C", "env", "sudo", "xargs", "wrapped", "find", "bash -c", "echo", "read", "true", "export", "cd", "time", "time --", "coproc", "!", "if", "then", "function")
	}
	return m.pick(">", "x;", "a=b", "a+=b", "!!", "!$", "{", "}", "{a,b}", "[", "]", "a[1]=x", "", "$x", "*", "?", "[a-z]", "~", "~/x", "a=~", "#", "a#b", "\\", "a\\ b", "é", "\x00", "\uf8ff", "(", ")", "()", "`a`", "/", "/etc", "-", "=x", "%")
}

// quoted returns a word with quotes somewhere, or what looks like one.
func (m listMaker) quoted() string {
	inside := func() string {
		return m.pick("", "a", "a b", "Mend both", " ", "exec", "run", "bisect run", "-C", "--", "x=y", "HOME=x", "a: b=c", "!", "$x", "$(rm y)", "`rm y`", "\\", "\\n", "\n", "\t", "\r", "é", "\x00", "\x7f", "\uf8fe", "\xff", "#", "*", "~", "{a,b}",
			"&&", "|", ";", ">x", "2>&1", "cd", "git", "(", "[", "((", "feat(x): y", "[31m", "%", "don't", "say \"a\"", "''", "@", "^", "<", "100%")
	}
	mark := m.pick("\"", "'", "\"", "'", "$'", "$\"")
	word := m.pick("", "", "", "", "a", "-m", "--x=", "a=", "=", "{", "~", "@", "+", "git", "\\", "|", "&&", ";", "2>&1") + mark + inside()
	if m.IntN(10) > 0 {
		word += mark[len(mark)-1:]
	}
	if m.IntN(4) == 0 {
		word += m.pick("b", "=", "\"c d\"", "'e'", "\"", "'", "~", "*", ",f}", "#", "=g", "''", "\"\"", "&&", ";")
	}
	return word
}

// What is read without the parser is read as with it.
func TestListsAreReadAsWithTheParser(t *testing.T) {
	config := Config{
		Home: "/home/u", Wrappers: []string{"wrapped"},
		Inside: func(place string) bool { return !strings.HasPrefix(place, "/") && !strings.Contains(place, "..") },
	}
	m := listMaker{rand.New(rand.NewPCG(*listSeed, 0))}
	taken, quoted, muted := 0, 0, 0
	for range *manyLists {
		line := m.list()
		if m.IntN(2) == 0 {
			line = m.mutate(line)
		}
		config.Posix, config.Zsh = m.IntN(2) == 0, m.IntN(2) == 0
		if !sameAsParser(t, config, line) {
			continue
		}
		taken++
		if strings.ContainsAny(line, `"'`) {
			quoted++
		}
		if strings.Contains(line, ">") {
			muted++
		}
	}
	t.Logf("%d taken, %d of them with quotes and %d with redirections", taken, quoted, muted)
	require.Greater(t, taken, *manyLists/20)
	require.Greater(t, quoted, *manyLists/200)
	require.Greater(t, muted, *manyLists/200)
	for _, line := range []string{
		"", "cd web", "cd web &&", "&& a", "a &&", "a && ", "a | | b", "a  && b", "a && cd web", "cd .. && a", "cd - && a", "a & b", "a &&b", "a; b", "f() { a; }",
		"a && read x", "a && export x", "sudo a | b", "a > x", "a 2>&1 b", "2>&1 a", "a 2>&1 ", "a | x=1 b", "time a && b", "a && ! b", "a\n&& b", "cd web x && a",
		`"a" && b`, `a "$x"`, `a "\\"`, `a "!"`, `a "b`, `a 'b`, "a 'b\nc'", `a "b=c"`, `a b"=c"`, `cd "web x" && a`, `cd "~" && a`, `a "b" c=d`, "a 'é'", "a $'b'", `git "-C" x push`, `git "bisect run" rm`, `npm exec a | b`,
		`a ` + strings.Repeat("'(('", 301), `a ` + strings.Repeat(" b", 32<<10), `a 2>'&1'`, `a ""&& b`, `a |"b`, `a |"b c`, `a |'b' c`, `a ;"é" b`, `a &&"$x" b`, `a 2>&1"b`, `a "b"|"c d`, `a "`, `"`, `a '`,
	} {
		_, ok := config.list(line)
		assert.False(t, ok, "%.60q", line)
	}
	for _, line := range []string{
		"a", "cd web && a", "cd web && a 2>&1 | b -x", "a ; b || c | d", "a 2>/dev/null && b 2>&1", "a >/dev/null 2>&1 && b >&2", `a "b c" 'd$e' && f -x="g h"`, `a "" ''b`, `npm test | tail -5`,
		`cd "web" && a`, `git commit -m "feat(x): don't" 2>&1 | cat`, `a '!' "&&" '|'`, "a '\\'",
	} {
		assert.True(t, sameAsParser(t, config, line), "%q", line)
	}
}

func FuzzLists(f *testing.F) {
	m := listMaker{rand.New(rand.NewPCG(1, 0))}
	for range 200 {
		f.Add(m.mutate(m.list()))
	}
	config := Config{Home: "/home/u", Inside: func(string) bool { return true }}
	f.Fuzz(func(t *testing.T, line string) {
		for _, config.Posix = range []bool{false, true} {
			sameAsParser(t, config, line)
		}
		config.Posix, config.Zsh = false, true
		sameAsParser(t, config, line)
	})
}

// sameAsParser reports whether a line is read without the parser. It fails where
// that is not as with it.
func sameAsParser(t *testing.T, config Config, line string) bool {
	t.Helper()
	parts, ok := config.list(line)
	if !ok {
		return false
	}
	want := config.read(line)
	if n := len(parts); config.Posix && len(want) == 2*n { // which reads a line in two ways, and finds the same
		want[n].Entered = want[0].Entered // of both
		require.Equal(t, want[:n], want[n:], "%q", line)
		want = want[:n]
	}
	require.Equal(t, want, parts, "%q", line)
	return true
}

// It is so for all programs that this package knows, whatever is behind them.
func TestListsOfKnownPrograms(t *testing.T) {
	config := Config{Home: "/home/u", Inside: func(string) bool { return true }}
	taken := 0
	for name := range quotedWords(t) {
		for _, args := range []string{"", " x", " -x rm y", " -c rm y", " -e rm y", " -p rm y", " -n -x rm y", " --exec rm y", " -v rm", " -a rm", " -F rm y", " -C rm", " x rm y", " 5 rm y", " exec rm y", " run rm y", " bisect run rm y", " tool run rm y", " mem record rm y"} {
			quoted := strings.ReplaceAll(args, " ", "' '")
			quoted = strings.TrimPrefix(quoted+"'", "'")
			for _, line := range []string{"a | " + name + args + " && a", "cd web && " + name + quoted + " 2>&1"} {
				for _, config.Zsh = range []bool{false, true} {
					if sameAsParser(t, config, line) {
						taken++
					}
				}
			}
		}
	}
	require.Greater(t, taken, 20_000)
}
