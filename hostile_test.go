package permission_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// manyRules are a thousand rules none of which decides anything early.
func manyRules() []permission.Rule {
	var rs []permission.Rule
	for i := range 1000 {
		rs = append(rs, permission.Rule{
			Tool: "bash", Action: permission.Action(i % 3),
			Pattern: []string{"prog%d *", "*prog%d*", "git prog%d *", "> **/prog%d/*", "p?og%d* -[xyz] *"}[i%5],
		})
		rs[i].Pattern = fmt.Sprintf(rs[i].Pattern, i)
	}
	return rs
}

// hostileLines are lines of 64 KiB that make a reader or a matcher work.
func hostileLines() map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, (64<<10-64)/len(unit)) }
	return map[string]string{
		"commands":   fill("a b;"),
		"pipes":      fill("a|") + "a",
		"env":        fill("env ") + "a",
		"words":      "ls " + fill("a "),
		"globs":      "ls " + fill("*a"),
		"variables":  "ls " + fill("$a "),
		"sudo":       fill("sudo ") + "rm x",
		"hole each":  fill("echo $a*;"),
		"near match": "echo " + fill("prog") + "$x",
		"files":      fill("a >b$$;a"),
		"braces":     fill("echo {1..1024};"),
		"set":        fill("a=b $a;"),
		"shells":     fill("sh -c 'a b';"),
		"quoted":     "echo '" + fill("p") + "'",
		"groups":     fill("(") + fill(")"),
		"arithmetic": "echo $((" + fill("(") + "1",
		"subscripts": fill("a["),
		"values":     "a=" + strings.Repeat("x", 15000) + ";" + fill("b $a;")[:45000],
		"doubling":   doubling(40) + "ls",
		"alternates": "ls " + strings.Repeat("{a,b", 10000) + strings.Repeat("}", 10000),
		"numbered":   "ls {1..1024}" + strings.Repeat("x", 60000),
		"connection": fill("a < $x/$y;"),
	}
}

// doubling sets variables each of which holds the one before it twice.
func doubling(n int) string {
	line := "a0=xxxxxxxxxx;"
	for i := range n {
		line += fmt.Sprintf(`a%d="$a%d$a%d";`, i+1, i, i)
	}
	return line
}

// Every hostile line is decided, and none is allowed that has a part which
// nothing but the default speaks of.
func TestHostileLinesAreDecided(t *testing.T) {
	p, err := permission.Compile(permission.Deny, manyRules(), linux())
	require.NoError(t, err)
	for name, line := range hostileLines() {
		d := p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: line})
		assert.Equal(t, permission.Deny, d.Action, name)
		assert.NotEqual(t, permission.CauseFault, d.Cause, name)
	}
}

// Any line against a thousand rules should take less than a second.
func BenchmarkHostileLines(b *testing.B) {
	p, err := permission.Compile(permission.Allow, manyRules(), linux())
	require.NoError(b, err)
	for name, line := range hostileLines() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.EvaluateSubjects("bash", permission.Subject{Kind: permission.Command, Text: line})
			}
		})
	}
}

// A thousand patterns of many stars are tried with a text of a MiB that none of
// them matches, in a time that grows with the text and not with the stars.
func TestManyStarsOverALongText(t *testing.T) {
	p, input := manyStars(t, 1<<20-100)
	d := p.Evaluate(permission.ToolCall{Name: "note", Input: input})
	assert.Equal(t, permission.CauseDefault, d.Cause)
	assert.Equal(t, permission.Ask, d.Action)
}

func manyStars(t testing.TB, size int) (*permission.Policy, []byte) {
	t.Helper()
	var rs []permission.Rule
	for i := range 1000 {
		rs = append(rs, permission.Rule{Tool: "note", Pattern: strings.Repeat("*a", 9) + fmt.Sprintf("*b%d", i)})
	}
	p, err := permission.Compile(permission.Ask, rs, linux())
	require.NoError(t, err)
	return p, []byte(`{"text":"` + strings.Repeat("a", size) + `"}`)
}

func BenchmarkManyStars(b *testing.B) {
	for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
		p, input := manyStars(b, size-100)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				p.Evaluate(permission.ToolCall{Name: "note", Input: input})
			}
		})
	}
}
