package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/syntax"
)

// No program that this package knows by name does anything to its shell where
// its call is a plain one.
func TestPlainCallsDoNothingToTheShell(t *testing.T) {
	plain := 0
	for name := range quotedWords(t) {
		f, err := syntax.NewParser().Parse(strings.NewReader(name+" x -p y"), "")
		if err != nil || len(f.Stmts) != 1 {
			continue
		}
		c, ok := f.Stmts[0].Cmd.(*syntax.CallExpr)
		if !ok {
			continue
		}
		if program, _ := plainCall(c); program == "" {
			continue
		}
		plain++
		before, after := factsOf(new(syntax.File), 0), factsOf(new(syntax.File), 0)
		w := Config{}.walker()
		d := doubter{numbers: w.numbers, doubt: func(why string) { t.Errorf("%s: %s", name, why) }}
		for _, args := range []string{"x -p y", "-x rm y", "-v rm", "-prm", "-a rm", "-n -p rm", "5 rm y"} {
			var words []word
			for s := range strings.FieldsSeq(args) {
				words = append(words, known(s))
			}
			after.effects(name, words, false)
			w.set(&d, append([]word{known(name)}, words...))
		}
		assert.Equal(t, before, after, name)
		assert.Equal(t, newNumbers(), w.numbers, name)
	}
	require.Greater(t, plain, 300)
}

// quotedWords returns the words in quotes of all sources.
func quotedWords(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	all := make(map[string]bool)
	for _, name := range files {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`"([^"\n]*)"`).FindAllStringSubmatch(string(src), -1) {
			for word := range strings.FieldsSeq(m[1]) {
				all[word] = true
			}
		}
	}
	return all
}

// Wait forgets the variable behind its -p before it waits, wherever that stands.
func TestVariablesThatWaitSets(t *testing.T) {
	for line, once := range map[string]bool{
		`x=a; wait -p x; $x rm y`:    false,
		`x=a; wait -npx; $x rm y`:    false,
		`x=a; wait -n -px; $x rm y`:  false,
		`x=a; wait $! -p x; $x rm y`: false,
		`x=a; wait $! -fpx; $x rm y`: false,
		`x=a; wait -p"x$z"; $x rm y`: false,
		`x=a; wait -px$?; $x rm y`:   false,
		`x=a; wait $!; $x y`:         true,
		`x=a; wait 5 6; $x y`:        true,
		`x=a; b & wait; $x y`:        true,
	} {
		f, _ := parse(nil, line, syntax.LangBash, func(string) {})
		x := factsOf(f, 0)
		assert.Equal(t, once, x.once("x"), line)
	}
}

// Of a program some of whose commands run others those are not plain.
func TestCommandsThatRunOthers(t *testing.T) {
	for _, command := range []string{
		"git", "git -C x log", "git --no-pager log", "git bisect run x", "git submodule foreach x", "npm", "npm -s test", "npm exec x", "npm x", "npm exec", "uv tool run x", "uv run x",
		"git submodule update", "git push --exec x", "git push -- --exec x", "git rebase -ix x", "aws ecs x", "git clone -c a.b=x u", "git config a.b x", "cargo +nightly watch", "gcloud compute x", "dotenv", "dotenv x", "dotenv run x", "perf mem record x", "tmux ls", "tmux new x", "npx", "npx x", "sudo x",
	} {
		assert.False(t, runsItself(command), command)
	}
	for _, command := range []string{"git log -3", "git bisect start", "git push origin x", "git push -u origin x", "git fetch --all", "git rebase x", "npm test", "cargo test x", "npm run exec", "npm test x", "uv tool list", "uv sync run", "perf mem report", "prog x"} {
		assert.True(t, runsItself(command), command)
	}
}
