package subject

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/text"
)

var systems = []string{"linux", "darwin", "windows"}

// Texts that soon lead to others of interest.
var seedTexts = []string{
	"", "a", "./~/x", "~", "~root/x", "$HOME/a", "file:///a%20b", "file:///a#", "/proc/self/root/x", "../proj/a", "a/../b//c/",
	`C:\ws\a`, `\\?\C:\x`, `\\box\c$\x`, "a::$DATA", "a. .", "PROGRA~1", "/c/x", "C:x",
	"https://A.test:443/%7ea/../b?%61#f", "https://a.test/%2f..%5c%25", "https://\u212aite.test./", "https://[::1]/", "file://localhost/x", "https://a.test//;/..;/x",
	"*** Add File: a\n*** Move to: b", "--- a/x\n+++ b/y z\n@@ -1 +1 @@\n", "diff --git \"a/\\303\\251\" b/x\nrename to c", "+++ a\r@@ -1", "Index:x",
	"git push", "FOO=1 a", "a; b", "{a,b}/../*", "[a", "**/../x", "\x00", "\xff", "é\u2028",
}

// Whatever a text is, its subjects are whole: rules can reach them, they have
// readings, and what is known of them says so in one way.
func checkSubjects(t *testing.T, r *Reader, k Kind, s, dir string) {
	t.Helper()
	ss, err := r.Subjects(k, s, dir)
	if err != nil {
		var m *Malformed
		require.ErrorAs(t, err, &m)
		return
	}
	require.NotEmpty(t, ss)
	for i := range ss {
		checkSubject(t, r, &ss[i])
	}
}

func checkSubject(t *testing.T, r *Reader, s *Subject) {
	t.Helper()
	require.NotEmpty(t, s.Narrow)
	require.Contains(t, []Kind{Text, Command, Path, URL}, s.Kind)
	holes := false
	for _, n := range s.Narrow {
		require.NotEqual(t, text.Every, n.Form)
		_, known := n.Text.Known()
		holes = holes || !known
	}
	if s.Kind == Command { // where Unknown may also say what a rule would have to
		require.False(t, holes && s.Unknown == "", "%s", show([]Subject{*s}))
		return
	}
	require.Equal(t, s.Unknown != "", holes, "%q: %s", s.Unknown, show([]Subject{*s}))
	if holes {
		return
	}
	if s.Kind == Path {
		checkPath(t, r, s)
	}
	if s.Kind == Path || s.Kind == URL {
		again, err := r.Subjects(s.Kind, s.Text, "")
		require.NoError(t, err, "%q", s.Text)
		require.Equal(t, s.Text, again[0].Text)
		require.Equal(t, s.Narrow, again[0].Narrow, "%q", s.Text)
	}
	if r.paths.windows || strings.Contains(s.Text, "\x00") || len(s.Text) > glob.MaxPattern/2 {
		return // what cannot be written as a pattern
	}
	// The text by itself is a pattern for this subject.
	p, err := r.Pattern(s.Kind, glob.Quote(s.Text), true)
	require.NoError(t, err, "%q", s.Text)
	require.True(t, p.Must(s.Narrow), "%q", s.Text)
}

// checkPath wants clean absolute paths, and from the root only what is in it.
func checkPath(t *testing.T, r *Reader, s *Subject) {
	t.Helper()
	abs, _ := s.Narrow[0].Text.Known()
	volume, rest := r.paths.cutVolume(abs)
	require.Equal(t, path.Clean("/"+rest), rest)
	require.Equal(t, r.paths.windows, volume != "")
	for _, n := range append(s.Narrow[1:], s.Wide...) {
		rel, _ := n.Text.Known()
		if n.Form == text.Inside {
			require.False(t, rel == ".." || strings.HasPrefix(rel, "../") || strings.HasPrefix(rel, "/"), "%q", rel)
		}
	}
}

func FuzzSubjects(f *testing.F) {
	for i, s := range seedTexts {
		for k := range kinds {
			f.Add(uint8(k), uint8(i), s, seedTexts[(i+7)%len(seedTexts)])
		}
	}
	f.Add(uint8(Command), uint8(0), "<0", "\xc1")
	readers := []*Reader{on(f, "linux"), on(f, "darwin"), on(f, "windows")}
	f.Fuzz(func(t *testing.T, kind, system uint8, s, dir string) {
		checkSubjects(t, readers[int(system)%len(readers)], Kind(kind)%kinds, s, dir)
	})
}

// Calls of every tool in the table are read without a panic, and rules can
// reach what they are read as.
func FuzzRead(f *testing.F) {
	names := []string{"other", "mine"}
	for _, row := range Table() {
		names = append(names, row.Names[0])
	}
	for i, s := range []string{
		``, `{}`, `{"command":"ls","env":{"a":"b"},"workdir":"/x"}`, `{"command":["a",1,null,{"path":"x"}]}`, `{"path":["a","~/b"],"include":["*.{a,b}","!c"]}`,
		`{"pattern":"{a,b}/../../*","path":"file:///x"}`, `{"edits":[{"path":"a"},{"file_path":"b"}],"path":"c"}`, `{"urls":["https://a.test"],"prompt":"x"}`,
		`{"patch":"*** Add File: a\n--- a/x\n+++ b/x"}`, `{"uri":"file:///x","files":{"a/b":"c"},"n":[1,[true]]}`, `{"a":1}}`, "\xff",
	} {
		for j := range names {
			f.Add(uint8(j), uint8(i+j), []byte(s))
		}
	}
	mine := Tool{Names: []string{"mine"}, Kind: Patch, Required: []string{"patch"}, Optional: []string{"path", "command"}}
	readers := []*Reader{on(f, "linux", mine), on(f, "darwin", mine), on(f, "windows", mine)}
	f.Fuzz(func(t *testing.T, tool, system uint8, input []byte) {
		r := readers[int(system)%len(readers)]
		name := names[int(tool)%len(names)]
		ss, err := r.Read(name, "", input)
		if err != nil {
			var m *Malformed
			require.ErrorAs(t, err, &m)
			require.Less(t, len(err.Error()), 200)
			return
		}
		require.NotEmpty(t, ss)
		for i := range ss {
			require.True(t, r.Has(name, ss[i].Kind), "%s has no %v", name, ss[i].Kind)
			checkSubject(t, r, &ss[i])
		}
	})
}

// The same over texts that are made of the pieces of the seeds.
func TestSubjectsOfRandomTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	piece := func() string {
		s := seedTexts[rnd.IntN(len(seedTexts))]
		if s == "" {
			return "/"
		}
		i := rnd.IntN(len(s))
		return s[i : i+rnd.IntN(len(s)-i)+1]
	}
	n := 30_000
	if testing.Short() {
		n = 3000
	}
	for range n {
		s := ""
		for range 1 + rnd.IntN(4) {
			s += piece()
		}
		s = strings.ToValidUTF8(s, "/")
		checkSubjects(t, on(t, systems[rnd.IntN(3)]), Kind(rnd.IntN(int(kinds))), s, []string{"", "sub", "/x", "../y"}[rnd.IntN(4)])
	}
}
