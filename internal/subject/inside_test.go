package subject

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inSource reports whether a path is in src to every tool: one that takes it
// as it stands, or one that knows ~ and file: URLs, with their escapes or not.
func inSource(value, dir string) bool {
	names := []string{value}
	if rest, ok := strings.CutPrefix(value, "~"); ok && (rest == "" || rest[0] == '/') {
		names = []string{"/home/u" + rest}
	}
	for _, home := range []string{"$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(value, home); ok && (rest == "" || rest[0] == '/') {
			names = []string{"/home/u" + rest}
		}
	}
	if len(value) > 5 && strings.EqualFold(value[:5], "file:") {
		rest := value[5:]
		if strings.HasPrefix(rest, "//") {
			rest = rest[strings.Index(rest[2:]+"/", "/")+2:]
		}
		decoded, _ := url.PathUnescape(rest)
		names = []string{rest, decoded}
	}
	for _, name := range names {
		if !path.IsAbs(name) {
			name = path.Join("/srv/proj", dir, name)
		}
		if name = path.Clean(name); name != "/srv/proj/src" && !strings.HasPrefix(name, "/srv/proj/src/") {
			return false
		}
	}
	return true
}

// What a permission for src/* allows is in src, as another piece of code
// cleans paths.
func FuzzInside(f *testing.F) {
	r := on(f, "linux")
	values := []string{
		"src/a", "src/../../etc/passwd", "./src/./a/", "/srv/proj/src//a", "../proj/src/a", "src", "a", "src/..", "src/~/../..", "~/../../srv/proj/src/a",
		"$HOME/x", "file:///srv/proj/src/a", "file:///srv/proj/src/%2e%2e/x", "file:///srv/proj/src/x%2fy/../../a", "file:///srv/proj/src/#/../../x",
		"/proc/self/cwd/src/a", "src/\x00", "{src,x}/a", "src/**/../../x", `src/\.\./x`, "!x", "src/a b", "src/x:y", "src/a\f*** Add File: b", "~root/src/a",
	}
	for i, v := range values {
		for tool := range uint8(6) {
			f.Add(tool, v, []string{"", "src", "..", "/etc"}[i%4])
		}
	}
	f.Fuzz(func(t *testing.T, tool uint8, value, dir string) {
		value = strings.ToValidUTF8(value, "/")
		quoted, err := json.Marshal(value)
		require.NoError(t, err)
		name := []string{"read", "multi_edit", "glob", "grep", "apply_patch", "other"}[tool%6]
		input := map[string]string{
			"read": `{"path":%s}`, "multi_edit": `{"edits":[{"path":"src/a"},{"path":%s}]}`, "glob": `{"pattern":%s}`,
			"grep": `{"pattern":"x","path":"src","include":%s}`, "other": `{"file":%s}`, "apply_patch": `{"patch":%s}`,
		}[name]
		if name == "apply_patch" {
			quoted, err = json.Marshal("*** Update File: " + value + "\n")
			require.NoError(t, err)
		}
		ss, err := r.Read(name, dir, fmt.Appendf(nil, input, quoted))
		if err != nil || !allAllowed(t, r, "src/*", ss) {
			return
		}
		base := dir
		if path.IsAbs(dir) {
			base = strings.TrimPrefix(path.Join("../..", dir), "/") // from the root
		}
		switch name {
		case "glob", "grep":
			checkPatternInside(t, name, value, base)
		case "apply_patch":
			value, _, _ = strings.Cut(strings.TrimSpace(value), "\n")
			require.True(t, inSource(strings.TrimSpace(value), base), "%q in %q", value, dir)
		default:
			require.True(t, inSource(value, base), "%s %q in %q", name, value, dir)
		}
	})
}

// allAllowed reports whether a permission is for all of the subjects.
func allAllowed(t testing.TB, r *Reader, pattern string, ss []Subject) bool {
	t.Helper()
	for _, s := range ss {
		if must, _ := match(t, r, true, s.Kind, pattern, []Subject{s}); !must {
			return false
		}
	}
	return len(ss) > 0
}

// checkPatternInside looks at patterns of plain letters alone: what others
// name is for their reader to say.
func checkPatternInside(t *testing.T, tool, pattern, dir string) {
	t.Helper()
	if strings.ContainsAny(pattern, `*?[]{}\!()|+@`) {
		return
	}
	if tool == "grep" {
		dir = path.Join(dir, "src")
	}
	require.True(t, inSource(pattern, dir), "%s %q in %q", tool, pattern, dir)
}
