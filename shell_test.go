package permission_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// lineMaker makes command lines and policies for them.
type lineMaker struct{ *rand.Rand }

func (m lineMaker) pick(of ...string) string { return of[m.IntN(len(of))] }

// simple returns a simple command that is not neutral.
func (m lineMaker) simple() string {
	s := m.pick("git", "rm", "npm", "/usr/bin/git", "./x", "A=1 git", "CI=1 npm", `r\m`, "$X", `"$X"`)
	for range m.IntN(4) {
		s += " " + m.pick("push", "-rf", "a", "'a b'", `"$X"`, "$X", "*.go", "$(git log)", "~/a", "{a,b}", "''", "-C", "x=1", "a=~/b", "`ls`")
	}
	return s + m.pick("", "", "", " > out", " 2>&1", " < in", " >> /etc/x")
}

// line returns a line with such a command in it.
func (m lineMaker) line() string {
	s := m.simple()
	switch m.IntN(8) {
	case 0:
		s = "timeout 5 " + strings.TrimPrefix(strings.TrimPrefix(s, "A=1 "), "CI=1 ")
	case 1:
		s = "X=a; " + s
	case 2:
		s = "cd d && " + s
	case 3:
		s = "for f in a b; do " + s + ` "$f"; done`
	case 4:
		s = "sh -c 'git push'; " + s
	case 5:
		s += m.pick("; ", " && ", " | ", "\n") + m.simple()
	}
	return s
}

func (m lineMaker) rules() []permission.Rule {
	var rs []permission.Rule
	for range m.IntN(6) {
		rs = append(rs, m.rule(permission.Action(m.IntN(3))))
	}
	return rs
}

func (m lineMaker) rule(a permission.Action) permission.Rule {
	return permission.Rule{Tool: "bash", Action: a, Pattern: m.pick("git *", "git push *", "rm *", "rm -rf *", "npm *", "*", "* a", "{git,npm} *", "> *", "> out",
		"< in", "> /etc/*", "A=1 *", "./x *", "/usr/bin/git *", "cd *", "ls *", "sh *", "timeout *", "*push*", "X=*", "?? *", "rm a")}
}

// judged returns what a policy says of a line.
func judged(t *testing.T, fallback permission.Action, rs []permission.Rule, line string) permission.Decision {
	t.Helper()
	p, err := permission.Compile(fallback, rs, linux())
	require.NoError(t, err)
	return p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: line})
}

// random runs a property for some lines and policies.
func random(t *testing.T, property func(m lineMaker, fallback permission.Action, rs []permission.Rule, line string)) {
	t.Helper()
	allowed := 0
	for seed := range uint64(500) {
		m := lineMaker{rand.New(rand.NewPCG(seed, 7))}
		fallback, rs, line := permission.Action(m.IntN(3)), m.rules(), m.line()
		if judged(t, fallback, rs, line).Action == permission.Allow {
			allowed++
		}
		if property(m, fallback, rs, line); t.Failed() {
			t.Fatalf("seed %d: %v\n%v\n%q", seed, fallback, rs, line)
		}
	}
	assert.Greater(t, allowed, 40, "too few of the lines are allowed for this to show anything")
}

func TestADenialNeverMakesALineMilder(t *testing.T) {
	random(t, func(m lineMaker, fallback permission.Action, rs []permission.Rule, line string) {
		at := m.IntN(len(rs) + 1)
		more := append(append(append([]permission.Rule{}, rs[:at]...), m.rule(permission.Deny)), rs[at:]...)
		assert.LessOrEqual(t, judged(t, fallback, more, line).Action, judged(t, fallback, rs, line).Action, "%v", more)
	})
}

func TestMoreCommandsNeverMakeALineMilder(t *testing.T) {
	random(t, func(m lineMaker, fallback permission.Action, rs []permission.Rule, line string) {
		more := line + m.pick("; ", " && ", " || ", " | ", "\n", " & ") + m.pick(m.simple(), "true", "pwd", "ls", "cd x", "exit 1")
		if m.IntN(2) == 0 {
			more = m.pick("true", "ls", m.simple(), "set -e") + m.pick("; ", " && ", " || ", " | ", "\n", " & ") + line
		}
		assert.LessOrEqual(t, judged(t, fallback, rs, more).Action, judged(t, fallback, rs, line).Action, "%q", more)
	})
}

func TestWrappingNeverMakesALineMilder(t *testing.T) {
	random(t, func(m lineMaker, fallback permission.Action, rs []permission.Rule, line string) {
		for _, form := range []string{"( %s )", "{ %s ;}", "if :; then %s ; fi", "while :; do %s ; done", "f() { %s ;}; f", "case a in a) %s ;; esac", "! { %s ;}", "echo $( %s )", "time %s", "coproc { %s ;}"} {
			more := fmt.Sprintf(form, line)
			assert.LessOrEqual(t, judged(t, fallback, rs, more).Action, judged(t, fallback, rs, line).Action, "%q", more)
		}
	})
}

func TestWrappersNeverMakeACommandMilder(t *testing.T) {
	random(t, func(m lineMaker, fallback permission.Action, rs []permission.Rule, _ string) {
		line := m.simple()
		if strings.HasPrefix(line, "A=1") || strings.HasPrefix(line, "CI=1") {
			return // there it is the wrapper's
		}
		for _, wrapper := range []string{"env ", "timeout 5 ", "nice -n 5 ", "nohup ", "command ", "env env ", "timeout -k 1 5 ", "sudo ", "xargs "} {
			assert.LessOrEqual(t, judged(t, fallback, rs, wrapper+line).Action, judged(t, fallback, rs, line).Action, "%q", wrapper+line)
		}
	})
}

func TestQuotesAroundPlainWordsChangeNothing(t *testing.T) {
	random(t, func(m lineMaker, fallback permission.Action, rs []permission.Rule, _ string) {
		words := []string{m.pick("git", "rm", "npm", "/usr/bin/git")}
		for range m.IntN(4) {
			words = append(words, m.pick("push", "-rf", "a", "out", "x/y", "a.b", "-C"))
		}
		quoted := append([]string{}, words...)
		for i := range quoted {
			quoted[i] = fmt.Sprintf(m.pick("%s", "'%s'", `"%s"`, "''%s", `%s""`, `$'%s'`), quoted[i])
		}
		a, b := judged(t, fallback, rs, strings.Join(words, " ")), judged(t, fallback, rs, strings.Join(quoted, " "))
		assert.Equal(t, a.Action, b.Action, "%q", quoted)
	})
}
