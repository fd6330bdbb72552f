package subject

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/text"
)

// on returns a reader for a system, with a root and a home of its kind.
func on(t testing.TB, goos string, tools ...Tool) *Reader {
	t.Helper()
	c := Config{Root: "/srv/proj", Home: "/home/u", GOOS: goos, Tools: tools}
	if goos == "windows" {
		c.Root, c.Home = `C:\ws`, `C:\Users\u`
	}
	r, err := NewReader(c)
	require.NoError(t, err)
	return r
}

// In these tests a reading is written as its text, with a mark for its form
// and an ellipsis for each hole.
var forms = map[text.Form]string{text.Whole: "", text.Inside: "./", text.Host: "@", text.Every: "any:"}

// show returns the readings of subjects: their kind, the narrow ones, and
// behind a bar the wide ones.
func show(ss []Subject) string {
	var all []string
	for _, s := range ss {
		words := []string{s.Kind.String()}
		for _, r := range s.Narrow {
			words = append(words, forms[r.Form]+r.Text.String())
		}
		if len(s.Wide) > 0 {
			words = append(words, "|")
		}
		for _, r := range s.Wide {
			words = append(words, forms[r.Form]+r.Text.String())
		}
		all = append(all, strings.Join(words, " "))
	}
	return strings.Join(all, "; ")
}

// texts returns the kinds and texts of subjects, with a question mark for
// those that are not known.
func texts(ss []Subject) string {
	var all []string
	for _, s := range ss {
		word := s.Kind.String() + " " + s.Text
		if s.Unknown != "" {
			word = s.Kind.String() + " ?" + s.Text
		}
		all = append(all, word)
	}
	return strings.Join(all, "; ")
}

// must reports whether a rule with the pattern decides some of the subjects,
// and may whether it could.
func match(t testing.TB, r *Reader, allow bool, k Kind, pattern string, ss []Subject) (must, may bool) {
	t.Helper()
	for _, s := range ss {
		p, err := r.Pattern(s.Kind, pattern, allow)
		require.NoError(t, err, pattern)
		must = must || p.Must(s.Narrow) || !allow && p.Must(s.Wide)
		may = may || p.May(s.Narrow) || !allow && p.May(s.Wide)
	}
	return must, may
}

func TestKinds(t *testing.T) {
	for k, want := range map[Kind]string{Text: "text", Command: "command", Path: "path", URL: "url", Patch: "patch", 9: "Kind(9)"} {
		assert.Equal(t, want, k.String())
	}
}

// What cannot be known at all is for patterns of everything alone to allow,
// and for any to refuse.
func TestUnknown(t *testing.T) {
	r := on(t, "linux")
	for _, k := range []Kind{Text, Command, Path, URL} {
		ss := []Subject{unknown(k, "x", "why")}
		for pattern, allowed := range map[string]bool{"*": true, "**": true, "./*": false, "/*": false, "*a": false, "?*": false, "*://*": false, "x": false} {
			must, _ := match(t, r, true, k, pattern, ss)
			assert.Equal(t, allowed, must, "allow %v %q", k, pattern)
			must, may := match(t, r, false, k, pattern, ss)
			if pattern != "./*" { // everything inside the root, where an unknown path may well be
				assert.Equal(t, allowed, must, "deny %v %q", k, pattern)
			}
			assert.True(t, may, "deny %v %q", k, pattern)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"bash", "mcp__a__b", "github/create", "a.b:c", "工具"} {
		assert.NoError(t, CheckName(name), name)
	}
	for name, want := range map[string]string{
		"": "no name", "a b": "blank", "a\tb": "blank", "a\n": "blank", "a\x00": "blank", "\u00a0": "blank",
		"a\u2028": "blank", "\x7f": "blank", "\u0085": "blank", "a\xff": "UTF-8",
		strings.Repeat("a", 257): "longer than 256 bytes",
	} {
		err := CheckName(name)
		assert.ErrorContains(t, err, want, "%q", name)
		var m *Malformed
		assert.ErrorAs(t, err, &m)
	}
}

func TestMainKind(t *testing.T) {
	r := on(t, "linux", Tool{Names: []string{"mine"}, Kind: URL, Required: []string{"u"}}, Tool{Names: []string{"theirs*"}, Kind: Text, Optional: []string{"t"}})
	for name, want := range map[string]Kind{
		"bash": Command, "read": Path, "apply_patch": Path, "glob": Path, "webfetch": URL, "mine": URL,
		"theirs": Text, "unknown": Text, "re*": Text, "b?sh": Text, `\bash`: Command,
	} {
		assert.Equal(t, want, r.MainKind(name), name)
	}
	for name, want := range map[string]string{
		"bash": "command", "read": "path", "glob": "pattern", "grep": "path", "webfetch": "url", "multi_edit": "path",
		"apply_patch": "patch", "mine": "u", "theirs1": "t",
	} {
		got, ok := r.MainArgument(name)
		assert.True(t, ok, name)
		assert.Equal(t, want, got, name)
	}
	_, ok := r.MainArgument("unknown")
	assert.False(t, ok)
}

// Rules are compiled for the kinds of subject that their tools can have. One
// that is left out would be a subject that no rule reaches.
func TestKindsOfTools(t *testing.T) {
	every := []Kind{Text, Command, Path, URL}
	r := on(t, "linux",
		Tool{Names: []string{"put"}, Kind: Path, Required: []string{"a"}},
		Tool{Names: []string{"put", "fetch"}, Kind: URL, Required: []string{"b"}},
		Tool{Names: []string{"loose"}, Kind: Path, Optional: []string{"a"}},
		Tool{Names: []string{"diff"}, Kind: Patch, Required: []string{"a"}})
	for name, want := range map[string][]Kind{
		"bash": {Command}, "read": {Path}, "grep": {Path}, "apply_patch": {Path}, "diff": {Path},
		"put": {Path, URL}, "fetch": {URL, Path}, "loose": every, "webfetch": every, "unknown": every, "*": every, "b*": every,
	} {
		assert.Equal(t, want, r.Kinds([]string{name}), name)
	}
	all := on(t, "linux", Tool{Names: []string{"*"}, Kind: Path, Required: []string{"a"}})
	assert.Equal(t, every, all.Kinds([]string{"b*"}), "what a glob matches may be declared otherwise as well")
	assert.Equal(t, []Kind{Command, Path}, r.Kinds([]string{"bash", "read"}))
	assert.True(t, r.Has("read", Patch))
	assert.False(t, r.Has("read", Command))
	assert.True(t, r.Has("b*", Command), "the name, not what it matches as a glob")
}
