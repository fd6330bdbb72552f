package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
)

func TestPathPatterns(t *testing.T) {
	r := on(t, "linux")
	for _, c := range []struct {
		pattern, path string
		deny, allow   bool
	}{
		// A relative permission is for what is inside the root.
		{"*", "/etc/x", true, true},
		{"**", "/etc/x", true, true},
		{"*.go", "a.go", true, true},
		{"*.go", "/etc/a.go", true, false},
		{"**/*", "a", true, true},
		{"**/*", "/etc/x", true, false},
		{"?*", "/etc/x", true, false},
		{"src/*", "../../src/x", false, false},
		// With ./ a refusal is for what is inside as well.
		{"./*", "a/b", true, true},
		{"./*", ".", true, true},
		{"./*", "/etc/x", false, false},
		{"./*.env", "a/.env", true, true},
		{"./*.env", "/etc/.env", false, false},
		{"././/*", "a", true, true},
		{"./", "a/b", true, false},
		{"./", "/etc", false, false},
		{".", ".", true, true},
		{".", "a", false, false},

		// Spellings of a pattern.
		{"./src//a/", "src/a", true, true},
		{"src/./a", "src/a", true, true},
		{"src/x/../a", "src/a", true, true},
		{"x/../../proj/a", "a", true, true},
		{"../*", "/srv/x", true, true},
		{"../*", "a", true, true},
		{"../other/*", "/srv/other/x", true, true},
		{"..", "/srv", true, true},
		{"../../../../x", "/x", true, true},
		{"/srv/proj/../proj/a", "a", true, true},
		{"//srv//proj/a", "a", true, true},
		{"/..", "/", true, true},
		{`\.\./x`, "/srv/x", true, true},
		{"/srv/proj/src/*", "src/a", true, true},
		{"/srv/proj/*", ".", true, true},
		{"/srv/proj", ".", true, true},

		// Never across a wildcard: it may stand for several components.
		{"*/../secret", "secret", false, false},
		{"a*/../secret", "secret", false, false},
		{"src/**/../../x", "x", false, false},
		{"[a]/../x", "x", false, false},
		{"a/../[x]", "x", true, true},

		// The home.
		{"~", "~", true, true},
		{"~/.ssh/*", "/home/u/.ssh/id", true, true},
		{"$HOME/.ssh/*", "~/.ssh", true, true},
		{"${HOME}/.ssh/*", "~/.ssh/id", true, true},
		{"~/x/../.ssh/*", "~/.ssh/id", true, true},
		{"~/", "~/a/b", true, false},
		{"{~,/root}/.ssh/*", "/home/u/.ssh/id", true, true},
		{"~/*", "/srv/proj/~/x", false, false},
		{"./~/*", "/srv/proj/~/x", true, true},
		{`\~/x`, "./~/x", true, true},
		{"a/~/b", "a/~/b", true, true},
		{"~x/*", "./~x/y", true, true},
		{"file:///etc/*", "/etc/x", true, true},
		{"FILE://localhost/srv/proj/src/*", "src/x", true, true},
		{"file:///srv/proj/a%20b/*", "a b/c", true, true},
		{"file:///srv/proj/%2Fa", "a", false, false},
		{"file:///a%2Ab", "/axb", false, false},
		{"file:*", "./file:x", true, true},

		// What may be missing.
		{"secrets/*", "secrets", true, true},
		{"secrets/*", "secrets/", true, true},
		{"secrets/*", "secretsx", false, false},
		{"secrets/**", "secrets", true, true},
		{"/etc/*", "/etc", true, true},
		{"/*", "/", true, true},
		{"**/.env", ".env", true, true},
		{"**/.env", "a/b/.env", true, true},
		{"**/.env", "a.env", false, false},
		{"src/**/x.go", "src/x.go", true, true},
		{"/srv/**/x", "/srv/x", true, true},

		// A slash at the end of a refusal.
		{"secrets/", "secrets", true, true},
		{"secrets/", "secrets/a/b", true, false},
		{"secrets/", "secretsx", false, false},
		{"*/secrets/", "a/secrets/b", true, false},
		{"/", "/etc/x", true, false},
		{"/", "/", true, true},
		{"../", "/srv/x", true, false},

		// Brackets and braces of a refusal are plain as well.
		{"app/[id]/*", "app/[id]/x", true, false},
		{"app/[id]/*", "app/i/x", true, true},
		{`app/\[id\]/*`, "app/[id]/x", true, true},
		{"t/{a,b}.x", "t/{a,b}.x", true, false},
		{"t/{a,b}.x", "t/b.x", true, true},
		{"t/{a}.x", "t/{a}.x", true, true},
		{"[.][.]/x", "/srv/x", false, false},
		{"a[/]b", "a/b", true, true},
	} {
		ss, err := r.Subjects(Path, c.path, "")
		require.NoError(t, err)
		must, _ := match(t, r, false, Path, c.pattern, ss)
		assert.Equal(t, c.deny, must, "deny %+v: %s", c, show(ss))
		must, _ = match(t, r, true, Path, c.pattern, ss)
		assert.Equal(t, c.allow, must, "allow %+v: %s", c, show(ss))
	}
}

// Where case does not count that is so for refusals alone, the root included.
func TestFoldedPatterns(t *testing.T) {
	for goos, folds := range map[string]bool{"darwin": true, "linux": false} {
		r := on(t, goos)
		for _, c := range []struct{ pattern, path string }{
			{".git/*", ".GIT/config"},
			{".GIT/*", ".git/config"},
			{"*.ENV", "a.env"},
			{"/etc/*", "/ETC/passwd"},
			{"~/.ssh/*", "/home/U/.SSH/id"},
			{"secrets/*", "/SRV/Proj/secrets/a"},
			{"secrets/*", "/\u017frv/proj/\u017fecrets/a"},
			{"./*", "/srv/PROJ/a"},
			{"k*", "\u212aey"},
		} {
			ss, err := r.Subjects(Path, c.path, "")
			require.NoError(t, err)
			must, _ := match(t, r, false, Path, c.pattern, ss)
			assert.Equal(t, folds, must, "%s deny %+v", goos, c)
			must, _ = match(t, r, true, Path, c.pattern, ss)
			assert.False(t, must, "%s allow %+v", goos, c)
		}
		ss, err := r.Subjects(Path, ".GITIGNORE", "")
		require.NoError(t, err)
		must, _ := match(t, r, false, Path, ".git/*", ss)
		assert.False(t, must)
	}
}

// The root and the home may have characters in them that mean something in a
// pattern.
func TestPatternsInOddPlaces(t *testing.T) {
	r, err := NewReader(Config{Root: `/srv/[a]*{b,c}\d`, Home: "/home/[u]", GOOS: "linux"})
	require.NoError(t, err)
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"../x", `/srv/x`, true},
		{"../../y/*", "/y/z", true},
		{"src/*", `/srv/[a]*{b,c}\d/src/a`, true},
		{"src/*", `/srv/axb\d/src/a`, false},
		{"~/x", "/home/[u]/x", true},
		{"~/x", "/home/u/x", false},
	} {
		ss, err := r.Subjects(Path, c.path, "")
		require.NoError(t, err)
		must, _ := match(t, r, true, Path, c.pattern, ss)
		assert.Equal(t, c.want, must, c)
	}
}

func TestPatternsThatCannotBe(t *testing.T) {
	r := on(t, "linux")
	for _, k := range []Kind{Text, Command, Path, URL} {
		for _, pattern := range []string{"[", "[a", "[]", "[^a]", "{a", "{a,b", `a\`, "[b-a]", "a\x00", "\xff", long(glob.MaxPattern + 1)} {
			_, err := r.Pattern(k, pattern, true)
			var s *glob.SyntaxError
			assert.ErrorAs(t, err, &s, "%v %q", k, short(pattern))
		}
	}
}
