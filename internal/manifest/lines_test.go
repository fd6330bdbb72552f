package manifest

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHeader(t *testing.T) {
	for line, want := range map[string]string{
		"[[permissions.rule]]": "rule", "\t[[ permissions . rule ]] # x": "rule", `[["permissions"."rule"]]`: "rule",
		"[['permissions'.\"tool\"]]\r": "tool", "[[permissions.rule.match]]": "", "[permissions.rule]": "",
		"[[permission.rule]]": "", "# [[permissions.rule]]": "", "x = [[permissions.rule]]": "", "[ [permissions.rule]]": "",
		"[[permissions]]": "", `[["permissions", "rule"]]`: "", `[["permissions.rule"]]`: "", `[["permissions"]]`: "",
		`[["permissions"."ru\u006ce"]]`: `ru\u006ce`, "[[permissions.rule]": "", "[[": "", "": "",
	} {
		key, ok := header(line)
		if !ok {
			key = ""
		}
		assert.Equal(t, want, key, "%q", line)
	}
}

func TestLines(t *testing.T) {
	lines := func(src string) (all []int) {
		for _, r := range load(t, src).Rules {
			all = append(all, r.Line)
		}
		return all
	}
	assert.Equal(t, []int{3, 7}, lines(head+rule+rule))
	assert.Equal(t, []int{3, 7}, lines("\ufeff"+strings.ReplaceAll(head+rule+rule, "\n", "\r\n")))
	assert.Equal(t, []int{4}, lines(head+"# [[permissions.rule]]\n"+rule), "a comment")
	assert.Equal(t, []int{7}, lines("x = [\n['permissions'],\n[['permissions']],\n]\n"+head+rule), "an array on lines")
	assert.Equal(t, []int{0}, lines(head+strings.Replace(rule, "rule", `"ru\u006ce"`, 1)), "an escaped key")
	assert.Equal(t, []int{0, 0}, lines(head+strings.Replace(rule, "rule", `"ru\u006ce"`, 1)+rule), "one of two")
	assert.Equal(t, []int{0}, lines("x = '''\n[[permissions.rule]]\n'''\n"+head+rule), "a long string")
	assert.Equal(t, []int{0}, lines(head+rule+"# \"\"\"\n"), "what may be one")
	assert.Equal(t, []int{0}, lines(head+"rule = [{tool = 'a', pattern = 'b', action = 'ask'}]\n"), "an inline array")
}

// Lines of one kind of entry do not hang on another's.
func TestLinesOfEachKind(t *testing.T) {
	doc := load(t, head+"tool = [{name = 'a', kind = 'text', arguments = ['b']}]\n"+rule)
	assert.Equal(t, 0, doc.Tools[0].Line)
	assert.Equal(t, 4, doc.Rules[0].Line)
}

// writer writes documents whose entries bear marks, and knows the line of
// each. Its choices come from a list of bytes, 0 after the end.
type writer struct {
	choices []byte
	b       strings.Builder
	lines   map[string]int // of the header of each marked entry
}

func (w *writer) choose(n int) int {
	if len(w.choices) == 0 {
		return 0
	}
	c := int(w.choices[0])
	w.choices = w.choices[1:]
	return c % n
}

func (w *writer) mark(line int) string {
	mark := fmt.Sprintf("m%d", len(w.lines))
	w.lines[mark] = line
	return mark
}

func (w *writer) line() int { return 1 + strings.Count(w.b.String(), "\n") }

func (w *writer) entry() {
	section := []string{"rule", "tool", "test"}[w.choose(3)]
	first := []string{"tool", "name", "tool"}
	escaped := section[:1] + fmt.Sprintf(`\u%04x`, section[1]) + section[2:]
	mark := w.mark(w.line())
	fmt.Fprintf(&w.b, [...]string{
		"[[permissions.%s]]\n", "  [[ permissions . \"%s\" ]]\n", "[['permissions'.%s]] # [[permissions.rule]]\n",
		"\t[[\tpermissions\t.'%s']]\n", "[[\"permissions\".\"%s\"]]\n",
	}[w.choose(5)], []string{section, section, section, section, escaped}[min(4, w.choose(6))])
	w.junk()
	fmt.Fprintf(&w.b, "%s = '%s'\n", first[strings.Index("rule tool test", section)/5], mark)
}

func (w *writer) inline() {
	fmt.Fprintf(&w.b, "%s = [{tool = '%s'},\n  {name = '%s'}]\n", []string{"rule", "tool", "x"}[w.choose(3)], w.mark(0), w.mark(0))
}

// junk writes something that is no entry, though it may look like one.
func (w *writer) junk() {
	w.b.WriteString([...]string{
		"", "\n", "# [[permissions.rule]]\n", "  # \"\"\"\n",
		"a = [\n['permissions'],\n[['permissions']],\n[[\"permissions.rule\"]],\n]\n",
		"b = '''\n[[permissions.rule]]\ntool = 'x'\n'''\n", "c = \"\"\"\\\n[[permissions.tool]]\n\"\"\"\n",
		"d = '[[permissions.rule]]'\n", "e = {\n f = [\n[1]] }\n", "g = \"'''\"\n", "h.i.j = 1\n",
	}[w.choose(11)])
}

func (w *writer) host() {
	w.b.WriteString([...]string{
		"[x]\n", "[[x.rule]]\n", "[[rule]]\n", "[permissions]\ndefault_action = 'ask'\n", "[permissions.rule.deep]\n",
		"[permissions.test.input]\n", "[[permissions.rule.match]]\n", "[[permissions.Rule]]\n", "[['permissions.rule']]\n",
		"[permissions.rule]\n", "permissions.rule = [{}]\n", "[[permissions]]\n",
	}[w.choose(12)])
}

func (w *writer) document() string {
	if w.choose(2) == 1 {
		w.b.WriteString("\ufeff")
	}
	crlf := w.choose(2) == 1
	for len(w.choices) > 0 {
		switch w.choose(6) {
		case 0, 1, 2:
			w.entry()
		case 3:
			w.junk()
		case 4:
			w.host()
		case 5:
			w.inline()
		}
	}
	if crlf {
		return strings.ReplaceAll(w.b.String(), "\n", "\r\n")
	}
	return w.b.String()
}

// checkLines fails if a line that is reported is not that of the entry's
// header, and returns how many were reported.
func checkLines(t *testing.T, choices []byte) (known int) {
	w := writer{choices: choices, lines: make(map[string]int)}
	src := w.document()
	doc, faults := Read([]byte(src))
	if doc == nil {
		return 0
	}
	check := func(mark string, line int) {
		if line != 0 && mark != "" {
			known++
			require.Equal(t, w.lines[mark], line, "%s in\n%s", mark, src)
		}
	}
	for _, r := range doc.Rules {
		check(r.Tool, r.Line)
	}
	for _, e := range doc.Tools {
		check(e.Name, e.Line)
	}
	for _, e := range doc.Tests {
		check(e.Tool, e.Line)
	}
	for _, f := range faults {
		if f.Line != 0 {
			_, ok := header(strings.Split(strings.TrimPrefix(src, "\ufeff"), "\n")[f.Line-1])
			require.True(t, ok, "line %d of\n%s", f.Line, src)
		}
	}
	return known
}

func TestLineIsNeverWrong(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	known := 0
	for range 20_000 {
		choices := make([]byte, r.Intn(40))
		r.Read(choices)
		known += checkLines(t, choices)
	}
	assert.Greater(t, known, 1000, "the test has found too little to look at")
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x01\x01\x00\x01\x02\x03\x04\x05\x03\x05\x00\x02"))
	f.Fuzz(func(t *testing.T, choices []byte) { checkLines(t, choices[:min(len(choices), 200)]) })
}
