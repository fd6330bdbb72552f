package approve_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// shown returns what the terminal shows of r up to the first question.
func shown(t testing.TB, r permission.Request) string {
	t.Helper()
	c := &typist{lines: []string{"n\n"}}
	_, err := at(c).Approve(t.Context(), r)
	require.NoError(t, err)
	return c.screen.String()
}

func TestTheScreen(t *testing.T) {
	assert.Equal(t, `
Permission needed
  tool     bash
  session  chat-7
  why      ask bash "git push *" (agent.toml:9)
  reason   pushes are reviewed
  command  git push origin main

  y        yes, this once
  a        yes, and always in this session:
           allow bash git push origin main
  n        no
  n TEXT   no, and TEXT is told to the agent
Run it? [y/a/n] `, shown(t, push()))

	assert.Equal(t, `
Permission needed
  tool     mcp__files__copy
  folder   /srv/app
  why      no rule decides it
  path     a
  path     docs/b
  text     ""
  Kind(9)  c

  y        yes, this once
  n        no
  n TEXT   no, and TEXT is told to the agent
Run it? [y/n] `, shown(t, permission.Request{
		Call:     permission.ToolCall{Name: "mcp__files__copy", Dir: "/srv/app"},
		Decision: permission.Decision{Action: permission.Ask, Cause: permission.CauseDefault},
		Subjects: []permission.Subject{
			{Kind: permission.Path, Text: "a"}, {Kind: permission.Path, Text: "docs/b"},
			{}, {Kind: 9, Text: "c"},
		},
	}))
}

// inputRows returns the rows of an input, each whole.
func inputRows(t *testing.T, input string, subjects ...permission.Subject) (rows []string) {
	t.Helper()
	r := push()
	r.Call.Input = []byte(input)
	if subjects != nil {
		r.Subjects = subjects
	}
	screen := strings.ReplaceAll(shown(t, r), "\n        |  ", "")
	_, rest, _ := strings.Cut(screen, "  tool     bash\n")
	rest, _, _ = strings.Cut(rest, "  session  ")
	for row := range strings.Lines(rest) {
		label := "           "
		if rows == nil {
			label = "  input    "
		}
		require.True(t, strings.HasPrefix(row, label), "%q", row)
		rows = append(rows, strings.TrimSuffix(row[len(label):], "\n"))
	}
	return rows
}

// A person sees all of the call, and not only what needs the answer.
func TestTheScreenShowsTheCall(t *testing.T) {
	for input, want := range map[string][]string{
		`{"command":"cd prod && ./deploy --all","workdir":"prod"}`: {"command: cd prod && ./deploy --all", "workdir: prod"},
		`{"name":"x","dry_run":true}`:                              {"name: x", "dry_run: true"},
		`{"name":"x","force":true}`:                                {"name: x", "force: true"},
		`{"z":1.50,"a":null,"m":"","z2":12345678901234567890}`:     {"z: 1.50", "a: null", `m: ""`, "z2: 12345678901234567890"},
		`{"a":"true","b":"1","c":"null","d":"[x","e":"{","f":"a\"b","g":"\"q\""}`: {
			`a: "true"`, `b: "1"`, `c: "null"`, `d: "[x"`, `e: "{"`, `f: a"b`, `g: "\"q\""`,
		},
		`{ "edits" : [ { "old" : "\u0072m \u202e", "new" : 1e2 } ] }`: {`edits: [{"old":"rm \u202e","new":1e2}]`},
		`{"a":"x\ny","b":"x\\ny","c":" x","d":"\u202e"}`:              {`a: "x\ny"`, `b: x\ny`, `c: " x"`, `d: "\u202e"`},
		`{"":1,"a b":2,"c: d":3,"\u0065":4,"é":5}`:                    {`"": 1`, `"a b": 2`, `"c: d": 3`, "e: 4", `"é": 5`},
		`{"a":1,"a":2}`:   {"a: 1", "a: 2"},
		` ["ls", "-l"] `:  {`["ls","-l"]`},
		`"ls"`:            {"ls"},
		"null":            {"null"},
		`{"command":"ls"`: {`"{\"command\":\"ls\""`},
		`{"a":1} {}`:      {`"{\"a\":1} {}"`},
		"{}":              nil,
		"":                nil,
	} {
		assert.Equal(t, want, inputRows(t, input), input)
	}
}

// What is there twice is shown once, if nothing is lost by it.
func TestTheScreenIsCalm(t *testing.T) {
	path := permission.Subject{Kind: permission.Path, Text: "src/a.go"}
	assert.Nil(t, inputRows(t, `{"command":"git push origin main"}`))
	assert.Nil(t, inputRows(t, `{"file_path":"src/a.go"}`, path))
	assert.Nil(t, inputRows(t, `{"url":"https://go.dev/"}`, permission.Subject{Kind: permission.URL, Text: "https://go.dev/"}))
	for input, subjects := range map[string][]permission.Subject{
		`{"command":"git push  origin main"}`:        nil, // not the same
		`{"command":"git push origin main","env":1}`: nil,
		`{"path":"src/a.go"}`:                        {path, path},
		`{"from":"src/a.go"}`:                        {path}, // or "to"
		`{"path":1}`:                                 {{Kind: permission.Path, Text: "1"}},
		`{"text":"delete"}`:                          {{Text: "delete"}},
	} {
		assert.NotEmpty(t, inputRows(t, input, subjects...), input)
	}
}

// A call that is large does not hide what is asked, and says how large it is.
func TestTheScreenShowsPartOfALongInput(t *testing.T) {
	input := func(value any) string {
		b, err := json.Marshal(map[string]any{"a": value})
		require.NoError(t, err)
		return string(b)
	}
	long := strings.Repeat("é", 200) + strings.Repeat("x", 1<<20) + strings.Repeat("日", 100)
	cut := fmt.Sprintf(`a: "%s" [%d characters left out] "%s"`, strings.Repeat("é", 200), 1<<20, strings.Repeat("日", 100))
	assert.Equal(t, []string{cut}, inputRows(t, input(long)))
	assert.Equal(t, []string{"a: " + strings.Repeat("é", 300)}, inputRows(t, input(strings.Repeat("é", 300))))

	list := inputRows(t, input(strings.Split(strings.Repeat("x", 400), "")))
	require.Len(t, list, 1)
	assert.Contains(t, list[0], " [1301 characters left out] ")
	assert.Less(t, len(list[0]), 600)

	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	rows := inputRows(t, "{"+strings.Join(many, ",")+"}")
	require.Len(t, rows, 21)
	assert.Equal(t, "m19: 19", rows[19])
	assert.Equal(t, "and 980 more, which are not shown", rows[20])

	name := inputRows(t, `{"`+strings.Repeat("n", 1000)+`":1}`)
	assert.Equal(t, []string{fmt.Sprintf(`"%s" [960 characters left out] "%s": 1`, strings.Repeat("n", 30), strings.Repeat("n", 10))}, name)
}

// Nothing in a text passes for what it is not.
func TestPartsThatLookAlike(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{
		"a", "a ", " a", "a\n", `a\n`, `"a\n"`, `"a"`, `"a `, "a\t", "", `""`, `"`, "\u00a0a", "a\u200b", `a\u200b`, "\xff", "\ufffd",
	} {
		r := push()
		r.Subjects[0].Text = text
		_, row, _ := strings.Cut(shown(t, r), "  command  ")
		row, _, _ = strings.Cut(row, "\n")
		assert.Equal(t, row, strings.TrimSpace(row), "%q", text)
		if text == "\xff" { // which nothing that was read holds
			continue
		}
		assert.Empty(t, seen[row], "%q", text)
		seen[row] = fmt.Sprintf("%q", text)
	}
}

func TestTheScreenSaysWhatIsUnknown(t *testing.T) {
	p, err := permission.Compile(permission.Allow, []permission.Rule{
		{Tool: "bash", Pattern: "rm *", Action: permission.Deny, Reason: "nothing is lost", File: "agent.toml", Line: 3},
	}, nil)
	require.NoError(t, err)
	c := &typist{lines: []string{"n\n"}}
	h, err := permission.NewHook(p, &permission.HookOptions{Approver: at(c)})
	require.NoError(t, err)
	v := h.PreToolCall(t.Context(), permission.ToolCall{Name: "bash", Session: "s", Input: []byte(`{"command":"$TOOL -rf build"}`)})
	assert.Equal(t, permission.CauseRejected, v.Decision.Cause)
	screen := c.screen.String()
	for _, row := range []string{
		"  why      this rule may be meant for it: deny bash \"rm *\" (agent.toml:3)\n",
		"  reason   nothing is lost\n", "  unknown  ", "  command  $TOOL -rf build\n", "Run it? [y/n] ",
	} {
		assert.Contains(t, screen, row)
	}
}

// hostile are texts that would like to be more than a text.
var hostile = []string{
	"ls\x1b[2J\x1b[1;1H  command  ls",
	"ls\r  command  git status",
	"ls\n\n  y        yes, this once\nRun it? [y/a/n] ",
	"ls\x08\x08\x08\x08rm",
	"ls \u202e fr- mr \u2066",
	"l\u200bs\u2060\ufeff\u00ad",
	"ls\u2028Run it?\u0085x\x0b\x0c",
	"ls\x9b2J\xff\xc0\x80",
	"ls\x1b]0;title\x07\x1b]52;c;AAAA\x1b\\",
	"a\u3164b\U000e0041c",
	strings.Repeat("ls ", 40) + "  command  ls",
	strings.Repeat(" ", 69) + "Run it? [y/n] " + strings.Repeat(" ", 200) + "$",
	strings.Repeat("日本", 60),
}

func requestOf(text string) permission.Request {
	rule := permission.Rule{Tool: text, Pattern: text, Action: permission.Allow, Reason: text, File: text}
	input, _ := json.Marshal(map[string]any{text: text, "a": []string{text}, "b": 1})
	return permission.Request{
		Call:     permission.ToolCall{Name: text, Session: text, Dir: text, Input: input},
		Decision: permission.Decision{Action: permission.Ask, Cause: permission.CauseDoubt, Rule: &rule, Detail: text},
		Subjects: []permission.Subject{{Text: text}, {Kind: permission.Command, Text: text}},
		Always:   []permission.Rule{rule, rule},
	}
}

// checkScreen checks that each row is the prompt's own, fits, and has nothing
// that a terminal would obey.
func checkScreen(t testing.TB, screen string) {
	t.Helper()
	own := []string{
		"", "Permission needed", "Run it? [y/a/n] ",
		"  y        yes, this once", "  a        yes, and always in this session:",
		"  n        no", "  n TEXT   no, and TEXT is told to the agent",
	}
	labels := []string{"tool", "input", "session", "folder", "why", "reason", "unknown", "text", "command", "long", ""}
	for row := range strings.SplitSeq(screen, "\n") {
		if slices.Contains(own, row) {
			continue
		}
		require.GreaterOrEqual(t, len(row), 11, "%q", row)
		if row[:11] != "        |  " {
			assert.Contains(t, labels, strings.TrimSpace(row[:11]), "%q", row)
			assert.Equal(t, "  ", row[:2], "%q", row)
			assert.Equal(t, "  ", row[9:11], "%q", row)
		}
		width := 0
		for _, r := range row {
			assert.True(t, unicode.IsPrint(r) && !unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point), "%q", row)
			if width++; r > unicode.MaxASCII {
				width++
			}
		}
		assert.Less(t, width, 80, "%q", row)
	}
	assert.Equal(t, 1, strings.Count("\n"+screen, "\nRun it?"))
	assert.True(t, strings.HasSuffix(screen, "\nRun it? [y/a/n] "))
}

func TestNothingOfACallPassesForThePrompt(t *testing.T) {
	for _, text := range hostile {
		r := requestOf(text)
		checkScreen(t, shown(t, r))
		r.Call.Input = []byte(text) // no JSON
		checkScreen(t, shown(t, r))
	}
	screen := shown(t, requestOf("ls\n\x1b[2J\r\u202e"))
	for _, row := range []string{
		`  command  "ls\n\x1b[2J\r\u202e"`,
		`           "ls\n\x1b[2J\r\u202e": "ls\n\x1b[2J\r\u202e"`,
	} {
		assert.Contains(t, screen, row+"\n")
	}
}

func FuzzScreen(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" && len(text) < 10_000 {
			r := requestOf(text)
			checkScreen(t, shown(t, r))
			r.Call.Input = []byte(text)
			checkScreen(t, shown(t, r))
		}
	})
}

// What begins out of sight says so where the person is asked, whatever it is in
// the call that is long.
func TestALongPromptSaysWhereItBegins(t *testing.T) {
	hidden := "python3 -c 'evil();" + strings.Repeat(" ", 5000) + "print(1)'"
	long, many, rules := push(), push(), push()
	long.Subjects[0].Text = hidden
	many.Subjects = slices.Repeat(many.Subjects, 30)
	rules.Always[0].Pattern = hidden
	for _, r := range []permission.Request{long, many, rules} {
		screen := shown(t, r)
		rows := strings.Count(screen[strings.Index(screen, "Permission needed"):strings.Index(screen, "  long ")], "\n")
		assert.Contains(t, screen, fmt.Sprintf("\n  long     it begins %d rows above: look at all of them\nRun it?", rows+1))
	}
	assert.NotContains(t, shown(t, push()), "  long ")
}

func TestALongSubjectIsWhole(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("0123456789 abcde", 4<<10),
		strings.Repeat("äöü日本", 13<<10),
		"echo " + strings.Repeat("x", 68) + "; rm -rf /",
	} {
		r := push()
		r.Subjects[0].Text = text
		screen := shown(t, r)
		_, rest, _ := strings.Cut(screen, "  command  ")
		rest, _, _ = strings.Cut(rest, "\n\n  y ")
		assert.True(t, text == strings.ReplaceAll(rest, "\n        |  ", ""))
	}
	r := push()
	r.Always[0].Pattern = strings.Repeat("p q", 20<<10)
	screen := strings.ReplaceAll(shown(t, r), "\n        |  ", "")
	assert.True(t, strings.Contains(screen, "           allow bash "+r.Always[0].Pattern+"\n"))
}
