package approve_test

import (
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
  text     
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
	return permission.Request{
		Call:     permission.ToolCall{Name: text, Session: text, Dir: text},
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
	labels := []string{"tool", "session", "folder", "why", "reason", "unknown", "text", "command", ""}
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
		checkScreen(t, shown(t, requestOf(text)))
	}
	assert.Contains(t, shown(t, requestOf("ls\n\x1b[2J\r\u202e")), `  command  ls\n\x1b[2J\r\u202e`+"\n")
}

func FuzzScreen(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text != "" && len(text) < 10_000 {
			checkScreen(t, shown(t, requestOf(text)))
		}
	})
}

func TestALongSubjectIsWhole(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("0123456789abcde ", 4<<10),
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
	r.Always[0].Pattern = strings.Repeat("p ", 30<<10)
	screen := strings.ReplaceAll(shown(t, r), "\n        |  ", "")
	assert.True(t, strings.Contains(screen, "           allow bash "+r.Always[0].Pattern+"\n"))
}
