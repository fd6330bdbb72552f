package subject

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUndeclaredTools(t *testing.T) {
	check(t, on(t, "linux"), []reads{
		// Every scalar, at every depth, in the order of the input.
		{"x", `{"a":"1","b":2,"c":true,"d":null,"e":[3,[false,{"f":"4"}]],"g":{"h":{"i":"5"}}}`, "text 1; text 2; text true; text 3; text false; text 4; text 5"},
		{"x", `{"a":{"b":[]},"c":{}}`, "text "},
		{"x", `{"a":""}`, "text "},

		// A name in any of its usual spellings tells the kind, at any depth.
		{"x", `{"path":"a/../b","n":{"filePath":"./c"},"l":[{"file-path":"d/"}]}`, "path b; path c; path d"},
		{"x", `{"src":"a","dst":"b","Source":"c","destination":"d","DIRECTORY":"e","notebook_path":"f"}`, "path a; path b; path c; path d; path e; path f"},
		{"x", `{"paths":["a","../b"],"files":[["c"]]}`, "path a; path /srv/b; path c"},
		{"x", `{"path":{"value":"a/../b"}}`, "path value; path b"},
		{"x", `{"path":7,"url":true}`, "text 7; text true"},
		{"x", `{"url":"HTTPS://A.test:443/x","uris":"https://A.test","uri":"https://b.test"}`, "url https://a.test/x; url https://a.test/; url https://b.test/"},
		{"x", `{"uri":"file:///srv/proj/.env"}`, "url file:///srv/proj/.env; path .env"},
		{"x", `{"cmd":"git push"}`, "command git push"},

		// A list of words is one command.
		{"x", `{"command":["git","push","-f"]}`, "command git push -f"},
		{"x", `{"command":["head","-n",5,"a"]}`, "command head -n 5 a"},
		{"x", `{"command":[]}`, "text "},
		{"x", `{"command":["ls; rm -rf /"]}`, "command ?'ls; rm -rf /'"},
		{"x", `{"command":[["git","push"],["ls"]]}`, "command git push; command ls"},
		{"x", `{"command":["ls",null]}`, "command ls"},
		{"x", `{"command":[{"command":"ls"}]}`, "command ls"},

		// What is not as its name says is not known.
		{"x", `{"url":"a.test/x"}`, "url ?a.test/x"},
		{"x", `{"url":""}`, "url ?"},
		{"x", `{"url":"https://a.test\\@b.test/"}`, `url ?https://a.test\@b.test/`},
		{"x", `{"path":"a\u0000b"}`, "path ?a\x00b"},
		{"x", `{"path":""}`, "path ?"},
		{"x", `{"uri":"file:relative"}`, "url ?file:relative"},

		// A name that is no argument's is a key that somebody chose.
		{"x", `{"files":{"/etc/passwd":"x","a/../.env":"y"}}`, "path /etc/passwd; text x; path .env; text y"},
		{"x", `{"headers":{"X-A":"1","Host: evil":"2"}}`, "text 1; text Host: evil; text 2"},
		{"x", `{"rm -rf /":1}`, "text rm -rf /; text 1"},
		{"x", `{"":1,"main.go":2}`, "text ; text 1; text main.go; text 2"},
		{"x", `{"snake_case":1,"kebab-case":2,"$ref":3,"@type":4,"größe":5,"A1":6}`, "text 1; text 2; text 3; text 4; text 5; text 6"},
		{"x", `{"urls":{"https://A.test":1}}`, "url https://a.test/; text 1"},
	})
}

// The host offers to declare a tool with the arguments that matter most.
func TestUndeclared(t *testing.T) {
	r := on(t, "linux", Tool{Names: []string{"mine"}, Kind: Path, Required: []string{"path"}})
	for input, want := range map[string]string{
		`{"note":"x","file":"a","path":["b","c"]}`: "path [file path]",
		`{"note":"x","cmd":"a","url":"b"}`:         "command [cmd]",
		`{"note":"x","diff":"--- a/x\n+++ b/x\n"}`: "patch [diff]",
		`{"diff":"short"}`:                         "text [diff]",
		`{"note":"x","url":"b"}`:                   "url [url]",
		`{"b":"x","a":"y","n":1,"l":[1]}`:          "text [b a]",
	} {
		kind, arguments, ok := r.Undeclared("x", []byte(input))
		require.True(t, ok, input)
		assert.Equal(t, want, fmt.Sprint(kind, " ", arguments), input)
	}
	for _, c := range []reads{{tool: "x", input: `{"a":1}`}, {tool: "x", input: `{`}, {tool: "x"}, {tool: "mine", input: `{"path":"a"}`}, {tool: "read", input: `{"path":"a"}`}} {
		_, _, ok := r.Undeclared(c.tool, []byte(c.input))
		assert.False(t, ok, c)
	}
}

// A refusal of a path holds for a text too, whose argument does not say that
// it is one.
func TestRefusalsOfTexts(t *testing.T) {
	r := on(t, "linux")
	for _, c := range []struct {
		pattern, value string
		deny, allow    bool
	}{
		{"**/.env", ".env", true, false},
		{"**/.env", "a/.env", true, true},
		{"*.env", "a/b.env", true, true},
		{"drop *", "drop table", true, true},
		{"drop *", "drop", true, true},
		{"drop *", "dropped", false, false},
		{"[id]", "[id]", true, false},
		{"[id]", "i", true, true},
		{"{a,b}", "{a,b}", true, false},
		{"{a,b}", "b", true, true},
		{"*", "", true, true},
	} {
		ss, err := r.Subjects(Text, c.value, "")
		require.NoError(t, err)
		must, _ := match(t, r, false, Text, c.pattern, ss)
		assert.Equal(t, c.deny, must, "deny %+v", c)
		must, _ = match(t, r, true, Text, c.pattern, ss)
		assert.Equal(t, c.allow, must, "allow %+v", c)
	}
}

// An allow of a URL is no allow of a text that holds one, and an allow of a
// folder none of a text that climbs out of it.
func TestTextsThatMayBeMore(t *testing.T) {
	r := on(t, "linux")
	for _, c := range []struct {
		pattern, input string
		want           bool
	}{
		{"https://*.example.com/*", `{"target":"https://api.example.com/x"}`, true},
		{"https://*.example.com/*", `{"target":"HTTPS://API.example.com:443/x"}`, true},
		{"https://*.example.com/*", `{"target":"https://evil.test/a.example.com/x"}`, false},
		{"https://docs.example.com/*", `{"target":"https://docs.example.com/ and https://evil.test/"}`, false},
		{"https://docs.example.com/*", `{"target":"https://docs.example.com@evil.test/"}`, false},
		{"src/*", `{"target":"src/a"}`, true},
		{"src/*", `{"target":"src/../../etc/passwd"}`, false},
		{"src/*", `{"target":"src\\..\\..\\etc"}`, false},
		{"src/*", `{"repo_path":"src/a/../b"}`, true},
		{"src/*", `{"repoPath":"src/../../etc/passwd"}`, false},
		{"SELECT *", `{"sql":"SELECT a..b"}`, true},
		{"*", `{"target":"see https://a.test/.. and ../x"}`, true},
	} {
		ss, err := r.Read("mcp__x__y", "", []byte(c.input))
		require.NoError(t, err)
		p, err := r.Pattern(ss[0].Kind, c.pattern, true)
		require.NoError(t, err)
		assert.Equal(t, c.want, p.Must(ss[0].Narrow), "%s %s", c.pattern, c.input)
	}
}
