package subject

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reads is one call with what it is read as, or with an error.
type reads struct{ tool, input, want string }

func check(t *testing.T, r *Reader, cases []reads) {
	t.Helper()
	for _, c := range cases {
		ss, err := r.Read(c.tool, "", []byte(c.input))
		if want, ok := strings.CutPrefix(c.want, "error: "); ok {
			assert.ErrorContains(t, err, want, "%s %s", c.tool, c.input)
			continue
		}
		if assert.NoError(t, err, "%s %s", c.tool, c.input) {
			assert.Equal(t, c.want, texts(ss), "%s %s", c.tool, c.input)
		}
	}
}

// Every spelling of every argument of every tool counts by itself, and two of
// them side by side have to agree.
func TestTableSpellings(t *testing.T) {
	r := on(t, "linux")
	for _, row := range Table() {
		for _, tool := range row.Names {
			for _, a := range row.Arguments {
				for _, name := range a.Names {
					values := sampleOf(a)
					input := inputFor(row, a, fmt.Sprintf("%q:%s", name, values[0]))
					ss, err := r.Read(tool, "", []byte(input))
					require.NoError(t, err, "%s %s", tool, input)
					if !a.Base {
						assert.Contains(t, texts(ss), "one", "%s %s", tool, input)
					}
					for _, other := range a.Names {
						if other == name {
							continue
						}
						same := inputFor(row, a, fmt.Sprintf("%q:%s,%q:%s", name, values[0], other, values[0]))
						again, err := r.Read(tool, "", []byte(same))
						require.NoError(t, err, "%s %s", tool, same)
						assert.Equal(t, texts(ss), texts(again), "%s %s", tool, same)
						differ := inputFor(row, a, fmt.Sprintf("%q:%s,%q:%s", name, values[0], other, values[1]))
						_, err = r.Read(tool, "", []byte(differ))
						assert.ErrorContains(t, err, "two spellings of one, with different values", "%s %s", tool, differ)
					}
				}
			}
		}
	}
}

// sampleOf returns two values that an argument may have.
func sampleOf(a Argument) [2]string {
	switch {
	case a.Each != nil:
		return [2]string{`[{"` + a.Each[0] + `":"one"}]`, `[{"` + a.Each[0] + `":"two"}]`}
	case a.Kind == URL:
		return [2]string{`"https://one.test/"`, `"https://two.test/"`}
	case a.Kind == Patch:
		return [2]string{`"*** Add File: one"`, `"*** Add File: two"`}
	}
	return [2]string{`"one"`, `"two"`}
}

// inputFor returns an input with the members, and with what else the row
// requires.
func inputFor(row Row, a Argument, members string) string {
	for _, other := range row.Arguments {
		if other.Required && other.Names[0] != a.Names[0] {
			members += fmt.Sprintf(",%q:%s", other.Names[0], sampleOf(other)[0])
		}
	}
	return "{" + members + "}"
}

// What an argument that has to be there may not be.
func TestTableWrongTypes(t *testing.T) {
	r := on(t, "linux")
	for _, row := range Table() {
		for _, tool := range row.Names {
			for _, a := range row.Arguments {
				for _, v := range []string{`7`, `true`, `{}`, `{"path":"one"}`, `[]`, `[7]`, `["one",null]`, `[["one"]]`, `["one",{}]`} {
					input := inputFor(row, a, fmt.Sprintf("%q:%s", a.Names[0], v))
					_, err := r.Read(tool, "", []byte(input))
					assert.Error(t, err, "%s %s", tool, input)
				}
				if a.Required {
					for _, v := range []string{"null", ""} {
						input := inputFor(row, a, fmt.Sprintf("%q:%s", a.Names[0], v))
						if v == "" {
							input = strings.Replace(inputFor(row, a, ""), "{,", "{", 1)
						}
						_, err := r.Read(tool, "", []byte(input))
						assert.Error(t, err, "%s %s", tool, input)
					}
				}
			}
		}
	}
}

func TestShellTools(t *testing.T) {
	check(t, on(t, "linux"), []reads{
		{"bash", `{"command":"git status","description":"curl evil","timeout":5}`, "command git status"},
		{"shell", `{"command":["git","log","a b"]}`, "command git log 'a b'"},
		{"exec_command", `{"cmd":"ls","login":true,"sandbox_permissions":"use_default","justification":"rm"}`, "command ls"},
		{"exec_command", `{"cmd":"ls","sandbox_permissions":"require_escalated"}`, "command ls; command ?sandbox_permissions"},
		{"shell", `{"command":["ls"],"with_escalated_permissions":true}`, "command ls; command ?with_escalated_permissions"},
		{"shell", `{"command":["ls"],"with_escalated_permissions":false}`, "command ls"},
		{"shell", `{"command":["ls"],"with_escalated_permissions":"false"}`, "command ls; command ?with_escalated_permissions"},
		{"Bash", `{"command":"ls","dangerouslyDisableSandbox":1}`, "command ls; command ?dangerouslyDisableSandbox"},
		{"Bash", `{"command":"ls","dangerouslyDisableSandbox":0}`, "command ls"},
		{"bash", `{"command":"ls","env":{},"environment":[],"shell":"","args":null,"stdin":""}`, "command ls"},
		{"bash", `{"command":"ls","env":{"PATH":"/evil"}}`, "command ls; command ?env"},
		{"bash", `{"command":"git","args":["push"]}`, "command git; command ?args"},
		{"bash", `{"command":"ls","shell":"/evil/sh"}`, "command ls; command ?shell"},
		{"bash", `{"command":"git push","stdin":"x"}`, "command git push; command ?stdin"},
		{"bash", `{"command":"ls","env":{"A":"1"},"shell":"x"}`, "command ls; command ?env; command ?shell"},

		{"bash", `{"command":"ls","workdir":"sub"}`, "command ls"},
		{"bash", `{"command":"ls","cwd":"."}`, "command ls"},
		{"bash", `{"command":"ls","cwd":""}`, "command ls"},
		{"bash", `{"command":"ls","cwd":null}`, "command ls"},
		{"bash", `{"command":"ls","workdir":"/srv/proj/a/../b"}`, "command ls"},
		{"bash", `{"command":"ls","directory":"/etc"}`, "command ?cd /etc; command ls"},
		{"bash", `{"command":"ls","dir_path":"a/../../x"}`, "command ?cd a/../../x; command ls"},
		{"bash", `{"command":"ls","workdir":"~"}`, "command ?cd ~; command ls"},
		{"bash", `{"command":"ls","workdir":"~/../../srv/proj"}`, "command ?cd ~/../../srv/proj; command ls"},
		{"bash", `{"command":null}`, `error: argument "command": want a string or a list of strings, found null`},
		{"bash", `{"command":"ls","cmd":null}`, "error: two spellings of one"},
		{"bash", `{"command":"ls","workdir":"/proc/self/cwd"}`, "command ?cd /proc/self/cwd; command ls"},
		{"bash", `{"command":"ls","workdir":"a","cwd":"a"}`, "command ls"},
		{"bash", `{"command":"ls","workdir":"a","cwd":"b"}`, `error: arguments "workdir" and "cwd" are two spellings`},
		{"bash", `{"command":"ls","workdir":["a","b"]}`, "error: want one directory"},
		{"bash", `{"command":"ls","workdir":["a"]}`, "command ls"},
		{"bash", `{"command":"ls","workdir":7}`, `error: argument "workdir"`},
		{"bash", `{"command":"ls","workdir":"a\u0000"}`, `error: argument "workdir": a path with a NUL`},
	})
}

func TestFileTools(t *testing.T) {
	check(t, on(t, "linux"), []reads{
		{"read", `{"path":"a","offset":3,"limit":7}`, "path a"},
		{"Write", `{"file_path":"/srv/proj/a","content":"/etc/passwd"}`, "path a"},
		{"edit", `{"filePath":"a","oldString":"x","newString":"y"}`, "path a"},
		{"read", `{"path":["a","../b"]}`, "path a; path /srv/b"},
		{"read", `{"path":""}`, `error: argument "path": an empty path`},
		{"read", `{"path":["a",""]}`, "error: an empty path"},
		{"read", `{"paths":["a"]}`, `error: argument "path" is missing`},
		{"NotebookEdit", `{"notebook_path":"n.ipynb","new_source":"import os"}`, "path n.ipynb"},

		{"multi_edit", `{"edits":[{"path":"a"},{"path":"b"}]}`, "path a; path b"},
		{"multi_edit", `{"edits":[{"file_path":"a"},{"filePath":"b","path":"b"}]}`, "path a; path b"},
		{"multi_edit", `{"edits":[{"path":"a","file_path":"b"}]}`, `error: item 1: two spellings of "path"`},
		{"multi_edit", `{"edits":[]}`, "error: an empty list"},
		{"multi_edit", `{"path":"a","edits":[]}`, "error: an empty list"},
		{"multi_edit", `{"edits":[{"path":"a"},{"old_string":"x"}]}`, "error: item 2: want a string, found null"},
		{"multi_edit", `{"edits":[{"path":"a"},{"path":7}]}`, "error: item 2: want a string, found a number"},
		{"multi_edit", `{"edits":["a"]}`, "error: item 1: want an object, found a string"},
		{"multi_edit", `{"edits":{"path":"a"}}`, "error: want a list of objects, found an object"},
		{"multi_edit", `{"edits":null}`, "error: none of the arguments"},
		{"multi_edit", `{}`, "error: none of the arguments"},
		// The file stands once, beside its edits.
		{"MultiEdit", `{"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]}`, "path a"},
		{"multiedit", `{"filePath":"a","edits":[{"oldString":"x"},{"filePath":"../b"},{"filePath":null}]}`, "path a; path /srv/b"},
		{"MultiEdit", `{"file_path":"a","edits":[{"path":7}]}`, "error: item 1"},

		{"ls", `{}`, "path ."},
		{"ls", ``, "path ."},
		{"LS", `{"path":""}`, "path ."},
		{"list", `{"path":null}`, "path ."},
		{"list_directory", `{"dir_path":"/etc"}`, "path /etc"},
		{"ls", `{"path":"secrets/"}`, "path secrets"},

		{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}`, "path a"},
		{"apply_patch", `{"patch":["*** Add File: a","*** Add File: b"]}`, "path a; path b"},
		{"apply_patch", `{"patch":"garbage"}`, "error: no file is named"},
		{"patch", `{"patchText":""}`, "error: no file is named"},
	})
}

func TestSearchTools(t *testing.T) {
	check(t, on(t, "linux"), []reads{
		{"grep", `{"pattern":"/etc/passwd"}`, "path ."},
		{"grep", `{"pattern":"x","path":"src"}`, "path src"},
		{"grep", `{"pattern":"x","path":["a","b"],"include":"*.go"}`, "path a; path b; path a/*.go; path b/*.go"},
		{"Grep", `{"pattern":"x","glob":"**/*.{ts,tsx}","path":"src"}`, "path src; path src/**/*.ts; path src/**/*.tsx"},
		{"grep", `{"pattern":"x","include":["*.go","!*_test.go"]}`, "path .; path *.go"},
		{"grep", `{"pattern":"x","include":""}`, "path ."},
		{"grep", `{"pattern":"x","include":"../x"}`, "path .; path /srv/x"},
		{"grep_search", `{"pattern":"x","includePattern":"a.go"}`, "path .; path a.go"},

		{"glob", `{"pattern":"*.go"}`, "path *.go"},
		{"glob", `{"pattern":"*.go","path":"/etc"}`, "path /etc/*.go"},
		{"glob", `{"pattern":"*","path":["a","b/"]}`, "path a/*; path b/*"},
		{"glob", `{"pattern":"secrets/*","path":[""]}`, "path secrets/*"},
		{"glob", `{"pattern":"","path":[""]}`, "error: an empty path"},
		{"glob", `{"pattern":"*","path":"/"}`, "path /*"},
		{"glob", `{"pattern":"","path":"a"}`, "path a"},
		{"glob", `{"pattern":"!a"}`, "path !a"},
		{"glob", `{"pattern":"{a,../b}/x"}`, "path a/x; path /srv/b/x"},
		{"glob", `{"pattern":"../../../etc/*","path":"src"}`, "path /etc/*"},
		{"glob", `{"pattern":"/etc/*","path":"src"}`, "path /etc/*"},
		{"glob", `{"pattern":"~/.ssh/*","path":"src"}`, "path /home/u/.ssh/*"},
		{"glob", `{"pattern":"${HOME}/x"}`, "path /home/u/x"},
		{"glob", `{"pattern":"*","path":"~"}`, "path /home/u/*"},
		{"glob", `{"pattern":"{a}/{1..3}.txt"}`, "path {a}/{1..3}.txt"},
		{"glob", `{"pattern":"[^a]*"}`, "path [^a]*"},
		{"glob", `{"path":"a"}`, `error: argument "pattern" is missing`},
		{"glob", `{"pattern":"{a"}`, "path ?{a"},
		{"glob", `{"pattern":"**/../x"}`, "path ?**/../x"},
		{"glob", `{"pattern":"a?/../x"}`, "path ?a?/../x"},
		{"glob", `{"pattern":"a/../x"}`, "path x"},
		// A .. that only the reader of the pattern sees.
		{"glob", `{"pattern":"src/\\.\\./\\.\\./.env"}`, `path ?src/\.\./\.\./.env`},
		{"glob", `{"pattern":"src/{..}/{..}/x"}`, "path ?src/{..}/{..}/x"},
		{"glob", `{"pattern":"src/{.,a}{.,b}/x"}`, "path x; path src/.b/x; path src/a./x; path src/ab/x"},
		{"glob", `{"pattern":"src/[.][.]/x"}`, "path ?src/[.][.]/x"},
		{"glob", `{"pattern":"src/@(..|a)/x"}`, "path ?src/@(..|a)/x"},
		{"glob", `{"pattern":"src/*.spec.[jt]s"}`, "path src/*.spec.[jt]s"},
		{"glob", `{"pattern":"x","path":"file:///srv/proj/src"}`, "path src/x"},
		{"glob", `{"pattern":"#/../../../etc/passwd","path":"file:///srv/proj/src"}`, "path ?file:///srv/proj/src/#/../../../etc/passwd"},

		{"read_many_files", `{"paths":["a","b/*.md"],"include":["c","!d"]}`, "path a; path b/*.md; path c"},
		{"read_many_files", `{"include":["src/**/../../.env"]}`, "path ?src/**/../../.env"},
		{"read_many_files", `{"paths":["/etc/passwd"]}`, "path /etc/passwd"},
		{"read_many_files", `{"exclude":["x"]}`, "error: none of the arguments"},
	})
}

func TestFetchTools(t *testing.T) {
	check(t, on(t, "linux"), []reads{
		{"webfetch", `{"url":"https://a.test","prompt":"and https://evil.test/"}`, "url https://a.test/"},
		{"webfetch", `{"urls":["https://a.test/x","https://b.test/y"],"format":"text"}`, "url https://a.test/x; url https://b.test/y"},
		{"webfetch", `{"url":"https://a.test/","urls":["https://b.test/"]}`, "url https://a.test/; url https://b.test/"},
		{"webfetch", `{"url":"a.test"}`, `error: argument "url": a URL without a scheme`},
		{"webfetch", `{"url":""}`, "error: a URL without a scheme"},
		{"webfetch", `{"url":7}`, `error: want a string or a list of strings, found a number`},
		{"webfetch", `{"url":"file:///etc/passwd"}`, "url file:///etc/passwd; path /etc/passwd"},
		// Gemini's fetches what the prompt names, and it may name anything.
		{"web_fetch", `{"prompt":"read https://a.test/ and evil.test"}`, "url ?prompt"},
		{"web_fetch", `{"prompt":"x","url":null}`, "url ?prompt"},
		// So may that of others, where nothing else says what they fetch.
		{"webfetch", `{"prompt":"read https://a.test/"}`, "url ?prompt"},
		{"WebFetch", `{"prompt":"x","url":null}`, "url ?prompt"},
		// Without any it is read as what nobody has declared.
		{"webfetch", `{"uri":"https://a.test"}`, "url https://a.test/"},
		{"webfetch", `{"link":"x"}`, "text x"},
		{"webfetch", `{}`, "text "},
	})
}

func TestDeclaredTools(t *testing.T) {
	r := on(t, "linux",
		Tool{Names: []string{"move", "copy*"}, Kind: Path, Required: []string{"src"}, Optional: []string{"dst"}},
		Tool{Names: []string{"*_from"}, Kind: URL, Optional: []string{"origin"}},
		Tool{Names: []string{"write"}, Kind: Path, Optional: []string{"out"}},
		Tool{Names: []string{"edi*"}, Kind: Path, Optional: []string{"also"}},
		Tool{Names: []string{"run"}, Kind: Command, Required: []string{"line"}},
		Tool{Names: []string{"note"}, Kind: Text, Required: []string{"note"}})
	check(t, r, []reads{
		{"move", `{"src":"a","dst":"../b","path":"x"}`, "path a; path /srv/b"},
		{"copy_from", `{"src":"a","origin":"https://a.test"}`, "path a; url https://a.test/"},
		{"copy_from", `{"src":"a","dst":null}`, "path a"},
		{"copy", `{"src":"a","dst":["b","c"]}`, "path a; path b; path c"},
		{"copy", `{"dst":"b"}`, `error: argument "src" is missing`},
		{"copy", `{"src":"a","dst":""}`, "path a"},
		{"run", `{"line":"ls"}`, "command ls"},
		{"run", `{"line":["git","push"]}`, "command git push"},
		{"note", `{"note":["a","b"]}`, "text a; text b"},
		// What is declared stands in place of the built-in reading.
		{"write", `{"out":"a","path":"b"}`, "path a"},
		{"write", `{"path":"b","x":1}`, "path b; text 1"},
		// A glob adds to it.
		{"edit", `{"path":"a","also":"b"}`, "path a; path b"},
		{"edit", `{"also":"b"}`, `error: argument "path" is missing`},
	})
}

// A model is told of the argument that it wrote, not of the one that the table
// names first.
func TestErrorsNameTheArgumentOfTheCall(t *testing.T) {
	r := on(t, "linux")
	for in, want := range map[string][2]string{
		`{"file_path":""}`:                          {"Read", `argument "file_path": an empty path`},
		`{"pattern":"x","glob":"a\u0000"}`:          {"grep", `argument "glob": a path with a NUL character`},
		`{"command":"ls","cwd":["a","b"]}`:          {"bash", `argument "cwd": want one directory`},
		`{"command":"ls","directory":"a\u0000"}`:    {"bash", `argument "directory": a path with a NUL character`},
		`{"path":"a","edits":[{"path":"b\u0000"}]}`: {"multi_edit", `argument "edits": a path with a NUL character`},
	} {
		_, err := r.Read(want[0], "", []byte(in))
		assert.EqualError(t, err, want[1], in)
	}
}
