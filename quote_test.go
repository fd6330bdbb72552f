package permission_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// allowing returns what a policy that allows what Quote matches says to a text.
func allowing(t *testing.T, goos, s string, kind permission.Kind) func(text string) permission.Action {
	t.Helper()
	o := &permission.Options{Root: "/srv/app", Home: "/home/u", GOOS: goos}
	if goos == "windows" {
		o.Root, o.Home = `C:\app`, `C:\Users\u`
	}
	rule := permission.Rule{Tool: "t", Pattern: permission.Quote(s), Action: permission.Allow}
	p, err := permission.Compile(permission.Deny, []permission.Rule{rule}, o)
	require.NoError(t, err, s)
	return func(text string) permission.Action {
		return p.EvaluateSubjects("t", permission.Subject{Kind: kind, Text: text}).Action
	}
}

func TestAQuotedTextMatchesItselfAlone(t *testing.T) {
	const linux, windows = "linux", "windows"
	const text, path, url, command = permission.Text, permission.Path, permission.URL, permission.Command
	for _, c := range []struct {
		goos      string
		kind      permission.Kind
		s         string
		is, isNot string // s, as it is in a call, and a neighbour
	}{
		{linux, text, "what *?", "what *?", "what else"},
		{linux, text, `a\*b{c,d}[e]`, `a\*b{c,d}[e]`, `a\xb{c,d}[e]`},
		{linux, text, `\\server`, `\\server`, `\server`},
		{linux, text, `/\*`, `/\*`, "/*"},
		{linux, text, "*", "*", "x"},
		{linux, text, "git *", "git *", "git"},
		{linux, text, "[!a]-^", "[!a]-^", "b-^"},
		{linux, path, "/opt/*/x", "/opt/*/x", "/opt/a/x"},
		{linux, path, "app/[id]/{a,b}?.ts", "app/[id]/{a,b}?.ts", "app/i/a1.ts"},
		{linux, path, `a\*`, `a\*`, `a\b`},
		{linux, path, `a\b`, `a\b`, "a/b"},
		{linux, path, "~/*", "~/*", "~/x"},
		{linux, path, "**/.env", "**/.env", ".env"},
		{linux, path, "docs/*", "docs/*", "docs"},
		{linux, url, "https://example.com/a?b=*&c={d}", "https://example.com/a?b=*&c={d}", "https://example.com/a?b=x&c={d}"},
		{linux, url, "http://[::1]:8080/", "http://[::1]:8080/", "http://[::2]:8080/"},
		{linux, url, "https://example.com/*", "https://example.com/*", "https://example.com/"},
		{linux, command, "ls *.go", "ls '*.go'", "ls main.go"},
		{linux, command, "git log *", "git log '*'", "git log"},
		{linux, command, `find [ab] \{}`, `find '[ab]' '\{}'`, `find a '\{}'`},
		{windows, text, `a\*b`, `a\*b`, `a\xb`},
		{windows, path, `C:\opt\[id]\x`, `C:\opt\[id]\x`, `C:\opt\i\x`},
		{windows, path, `docs\{a,b}\c`, `docs\{a,b}\c`, `docs\a\c`},
		{windows, path, "C:/opt/{a}/x", `C:\opt\{a}\x`, `C:\opt\a\x`},
		{windows, path, "//server/share/[x]", `\\server\share\[x]`, `\\server\share\x`},
		{windows, path, "//server/share/x", `\\server\share\x`, `C:\server\share\x`},
		{windows, url, "https://example.com/a?b=[c]", "https://example.com/a?b=[c]", "https://example.com/a?b=c"},
		{windows, command, "ls [a] {b,c}", "ls '[a]' '{b,c}'", "ls a b"},
	} {
		says := allowing(t, c.goos, c.s, c.kind)
		assert.Equal(t, permission.Allow, says(c.is), "%s %v %q", c.goos, c.kind, c.s)
		assert.Equal(t, permission.Deny, says(c.isNot), "%s %v %q", c.goos, c.kind, c.s)
	}
}

// One backslash at the start and two are different places of Windows.
func TestAQuotedPlaceOfWindowsIsNoOther(t *testing.T) {
	places := []string{`\server\share\x`, `\\server\share\x`, `\/server\share\x`, `/\server\share\x`, `\\\server\share\x`, `C:\server\share\x`}
	for _, s := range places[:5] {
		says := allowing(t, "windows", s, permission.Path)
		for _, place := range places {
			assert.Equal(t, permission.Deny, says(place), "%q for %q", place, s)
		}
	}
}
