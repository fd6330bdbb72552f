package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
)

// hole is how show writes a path that only a pattern for everything allows.
const hole = "path … | any:…"

func TestPosixPaths(t *testing.T) {
	for _, goos := range []string{"linux", "darwin"} {
		r := on(t, goos)
		for raw, want := range map[string]string{
			"a":                      "path /srv/proj/a ./a",
			"./a":                    "path /srv/proj/a ./a",
			".//a/./b/":              "path /srv/proj/a/b ./a/b",
			"a/../b":                 "path /srv/proj/b ./b",
			".":                      "path /srv/proj ./.",
			"":                       "",
			"/":                      "path /",
			"//":                     "path /",
			"..":                     "path /srv",
			"../proj":                "path /srv/proj ./.",
			"../proj/a":              "path /srv/proj/a ./a",
			"../project/a":           "path /srv/project/a",
			"../../../../x":          "path /x",
			"/srv/proj":              "path /srv/proj ./.",
			"/srv/proj/":             "path /srv/proj ./.",
			"/srv/proj/a":            "path /srv/proj/a ./a",
			"//srv//proj//a":         "path /srv/proj/a ./a",
			"/srv/proj/../proj/a":    "path /srv/proj/a ./a",
			"/srv/proj/../other":     "path /srv/other",
			"/../srv/proj/a":         "path /srv/proj/a ./a",
			"/srv/projx":             "path /srv/projx",
			"src/../../../opt/x":     "path /opt/x",
			" a ":                    "path /srv/proj/ a  ./ a ",
			"...":                    "path /srv/proj/... ./...",
			"a/.../b":                "path /srv/proj/a/.../b ./a/.../b",
			`a\..\b`:                 `path /srv/proj/a\..\b ./a\..\b`,
			"%2e%2e/x":               "path /srv/proj/%2e%2e/x ./%2e%2e/x",
			"a\nb":                   "path /srv/proj/a\nb ./a\nb",
			"C:/x":                   "path /srv/proj/C:/x ./C:/x",
			"\uff0e\uff0e/x":         "path /srv/proj/\uff0e\uff0e/x ./\uff0e\uff0e/x",
			"https://a.test/../x":    "path /srv/proj/https:/x ./https:/x",
			"~":                      "path /home/u | /srv/proj/~ ./~",
			"~/":                     "path /home/u | /srv/proj/~ ./~",
			"~/a/../b":               "path /home/u/b | /srv/proj/~/b ./~/b",
			"$HOME/a":                "path /home/u/a | /srv/proj/$HOME/a ./$HOME/a",
			"${HOME}/a":              "path /home/u/a | /srv/proj/${HOME}/a ./${HOME}/a",
			"~/../../srv/proj/a":     "path /srv/proj/a ./a | /srv/srv/proj/a",
			"./~/a":                  "path /srv/proj/~/a ./~/a",
			"a/~/b":                  "path /srv/proj/a/~/b ./a/~/b",
			"$HOMELESS/a":            "path /srv/proj/$HOMELESS/a ./$HOMELESS/a",
			"~$doc.docx":             "path /srv/proj/~$doc.docx ./~$doc.docx",
			"~1":                     "path /srv/proj/~1 ./~1",
			"~root/.ssh":             hole + " /srv/proj/~root/.ssh ./~root/.ssh",
			"~u/.ssh":                hole + " /home/u/.ssh /srv/proj/~u/.ssh ./~u/.ssh",
			"~u":                     hole + " /home/u /srv/proj/~u ./~u",
			"./~u":                   "path /srv/proj/~u ./~u",
			"file:///opt/x":          "path /opt/x | /srv/proj/file:/opt/x ./file:/opt/x",
			"FILE:/opt/x":            "path /opt/x | /srv/proj/FILE:/opt/x ./FILE:/opt/x",
			"file://localhost/opt/x": "path /opt/x | /srv/proj/file:/localhost/opt/x ./file:/localhost/opt/x",
			"file:////srv/../x":      "path /x | /srv/proj/file:/x ./file:/x",
			"file:///a%20b%C3%A9":    "path /a bé | /srv/proj/file:/a%20b%C3%A9 ./file:/a%20b%C3%A9",
			"file:///~/x":            "path /~/x | /srv/proj/file:/~/x ./file:/~/x",
			"file":                   "path /srv/proj/file ./file",
			"files:///x":             "path /srv/proj/files:/x ./files:/x",
		} {
			ss, err := r.Subjects(Path, raw, "")
			if want == "" {
				assert.Error(t, err, "%s %q", goos, raw)
				continue
			}
			require.NoError(t, err, "%s %q", goos, raw)
			assert.Equal(t, want, show(ss), "%s %q", goos, raw)
		}
		for raw, want := range map[string]string{"a\x00": "NUL", "\xff": "UTF-8", "": "empty"} {
			_, err := r.Subjects(Path, raw, "")
			assert.ErrorContains(t, err, want)
		}
	}
}

// A file: URL that readers take for different files is allowed as none of
// them, and refused as any.
func TestFileURLsThatReadersDifferOn(t *testing.T) {
	r := on(t, "linux")
	for raw, plain := range map[string][]string{
		"file:.env":                              {".env"},
		"file://.env":                            {".env"},
		"file:srv/proj/.env":                     {".env", "srv/proj/.env"},
		"file://host/srv/proj/.env":              {".env", "host/srv/proj/.env"},
		"file:%2eenv":                            {".env", "%2eenv"},
		"file:///srv/proj/src/%2e%2e/.env":       {".env", "src/%2e%2e/.env"},
		"file:///srv/proj/src/x%2fy/../../.env":  {"src/.env", ".env"},
		"file:///srv/proj/src/%2F/.env":          {"src/.env", "src/%2F/.env"},
		"file:///srv/proj/src/a#/../../.env":     {"src/a", ".env"},
		"file:///srv/proj/src/a?/../../.env":     {"src/a", ".env"},
		"file:///srv/proj/src/%252e%252e/x":      {"src/%2e%2e/x", "src/%252e%252e/x"},
		"file:///srv/proj/a%5Cb":                 {`a\b`, "a%5Cb"},
		"file://localhost/srv/proj/%2Eenv":       {".env", "%2Eenv"},
		"FILE:///srv/proj/.env#x":                {".env", ".env#x"},
		"file:///srv/proj/.env?":                 {".env", ".env?"},
		"file:///proc/self/root/srv/proj/.env#x": {".env"},
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, raw)
		for _, pattern := range append(plain, "./*", "/*", "/srv/proj/*") {
			must, _ := match(t, r, true, Path, pattern, ss)
			assert.False(t, must, "allow %s for %s", pattern, raw)
		}
		for _, pattern := range plain {
			must, _ := match(t, r, false, Path, glob.Quote(pattern), ss)
			assert.True(t, must, "deny %s for %s: %s", pattern, raw, show(ss))
		}
	}
	for _, raw := range []string{"file:///%zz", "file:///a%00b", "file:///a%0Ab", "file:///%ff", "file://evil.test/x", "file:\\\\x", "file://./x", "file://~/x", "file://localhostx/y"} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, raw)
		must, _ := match(t, r, true, Path, "./*", ss)
		assert.False(t, must, raw)
	}
}

// The links of /proc to the root and to the directory of a process are known
// without looking.
func TestPathsThroughProc(t *testing.T) {
	r := on(t, "linux")
	for raw, plain := range map[string]string{
		"/proc/self/root/etc/passwd":                "/etc/passwd",
		"/proc/1/root/etc/passwd":                   "/etc/passwd",
		"/proc/self/task/7/root/etc/passwd":         "/etc/passwd",
		"/proc/thread-self/root":                    "/",
		"/proc//self/./root//etc/passwd":            "/etc/passwd",
		"/proc/self/root/../../etc/passwd":          "/etc/passwd",
		"/proc/self/root/proc/self/root/etc/passwd": "/etc/passwd",
		"/x/../proc/self/../self/root/etc":          "/etc",
		"../../proc/self/root/etc":                  "/etc",
		"/proc/self/cwd/.env":                       "/srv/proj/.env",
		"/proc/net/../cwd/.env":                     "/srv/proj/.env",
		"/proc/net/dev/../../environ":               "/proc/self/environ",
		"/proc/thread-self/../../cwd/.env":          "/srv/proj/.env",
		"/proc/thread-self/cwd/.env":                "/srv/proj/.env",
		"/x/../proc/./net//../root/etc":             "/etc",
		"/dev/fd/3/../../cwd/a":                     "/srv/proj/a",
		"/proc/self/cwd/../other":                   "/srv/other",
		"/proc/self/root/srv/proj/../proj/a":        "/srv/proj/a",
		"~/../../proc/self/root/etc":                "/etc",
		"file:///proc/self/root/etc/passwd":         "/etc/passwd",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.Contains(t, ss[0].Unknown, "/proc", raw)
		must, _ := match(t, r, false, Path, plain, ss)
		assert.True(t, must, "deny %s for %s: %s", plain, raw, show(ss))
		for _, pattern := range []string{plain, "/*", "./*"} {
			must, _ = match(t, r, true, Path, pattern, ss)
			assert.False(t, must, "allow %s for %s", pattern, raw)
		}
	}
	ss, err := r.Subjects(Path, "/proc/self/cwd/x", "sub")
	require.NoError(t, err)
	must, _ := match(t, r, false, Path, "sub/x", ss)
	assert.True(t, must, show(ss))

	for _, raw := range []string{"/proc/self/environ", "/proc/cpuinfo", "proc/self/root/x", "/srv/proj/proc/1/root", "/proc/self/rootx", "/proc/selfie/root", "/proc/root", "/proc/self/task/root", "/proc/net/dev", "/proc/net/x/../dev", "/proc/x/../net/dev", "/tmp/../etc"} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.Empty(t, ss[0].Unknown, raw)
	}
}

func TestPlacesOfMacOS(t *testing.T) {
	for raw, plain := range map[string]string{
		"/System/Volumes/Data/etc/x":         "/etc/x",
		"/system/volumes/DATA/srv/proj/.env": ".env",
		"/.nofollow/etc/x":                   "/etc/x",
		"/.nofollow/SRV/proj/.env":           ".env",
		"../../.nofollow/etc/x":              "/etc/x",
		".env/..namedfork/data":              ".env",
		"file:///.nofollow/etc/x":            "/etc/x",
		"/.vol/7/9":                          "/7/9",
	} {
		for goos, known := range map[string]bool{"darwin": false, "linux": true} {
			r := on(t, goos)
			ss, err := r.Subjects(Path, raw, "")
			require.NoError(t, err)
			assert.Equal(t, known, ss[0].Unknown == "", "%s %s", goos, raw)
			must, _ := match(t, r, false, Path, plain, ss)
			assert.Equal(t, !known, must, "%s %s: %s", goos, raw, show(ss))
		}
	}
}

// What people are shown, and what they may agree to for good, names the file
// and no other.
func TestTextsOfPaths(t *testing.T) {
	r := on(t, "linux")
	for raw, want := range map[string]string{
		"a/../b":         "b",
		"/srv/proj":      ".",
		"/srv/proj/~":    "./~",
		"./~/x":          "./~/x",
		"./~root":        "./~root",
		"./$HOME/x":      "./$HOME/x",
		"./${HOME}":      "./${HOME}",
		"./file:/x":      "./file:/x",
		"./~x/../~1":     "~1",
		"~/x":            "/home/u/x",
		"~root/x":        "~root/x",
		"file:///etc/x#": "file:///etc/x#",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.Equal(t, want, ss[0].Text, raw)
	}
}

func TestPathsFromADirectory(t *testing.T) {
	r := on(t, "linux")
	for _, c := range []struct{ raw, dir, want string }{
		{"a", "sub", "path /srv/proj/sub/a ./sub/a"},
		{"../a", "sub", "path /srv/proj/a ./a"},
		{"a", "/etc", "path /etc/a"},
		{"a", "/srv/proj/../x/", "path /srv/x/a"},
		{"a", "..", "path /srv/a"},
		{"/a", "sub", "path /a"},
		{"~/a", "/etc", "path /home/u/a | /etc/~/a"},
		{"~u/a", "/etc", "path … | any:… /home/u/a /etc/~u/a"},
	} {
		ss, err := r.Subjects(Path, c.raw, c.dir)
		require.NoError(t, err)
		assert.Equal(t, c.want, show(ss), c)
	}
}

func TestPathsWithoutAHome(t *testing.T) {
	r, err := NewReader(Config{Root: "/srv/proj", GOOS: "linux"})
	require.NoError(t, err)
	ss, err := r.Subjects(Path, "~/x", "")
	require.NoError(t, err)
	assert.Equal(t, hole+" /srv/proj/~/x ./~/x", show(ss))
	for _, pattern := range []string{"~/x", "~", "$HOME/*", "${HOME}", "{a,~/b}"} {
		_, err = r.Pattern(Path, pattern, false)
		assert.ErrorIs(t, err, errNoHome, pattern)
	}
	_, err = r.Pattern(Path, "a/~/b", false)
	assert.NoError(t, err)
}

func TestRoots(t *testing.T) {
	for _, c := range []struct{ root, raw, want string }{
		{"/", "a", "path /a ./a"},
		{"/", "/", "path / ./."},
		{"/", "../a", "path /a ./a"},
		{"/srv/proj//./", "a", "path /srv/proj/a ./a"},
		{"/srv/[a]/*", "/srv/[a]/*/x", "path /srv/[a]/*/x ./x"},
	} {
		r, err := NewReader(Config{Root: c.root, GOOS: "linux"})
		require.NoError(t, err)
		ss, err := r.Subjects(Path, c.raw, "")
		require.NoError(t, err)
		assert.Equal(t, c.want, show(ss), c)
	}
	for _, c := range []Config{
		{GOOS: "linux"}, {Root: "srv", GOOS: "linux"}, {Root: "/srv", Home: "u", GOOS: "linux"}, {Root: `C:\ws`, GOOS: "linux"},
		{Root: "/ws", GOOS: "windows"}, {Root: `C:ws`, GOOS: "windows"}, {Root: `\ws`, GOOS: "windows"}, {Root: "C:/ws", Home: "/u", GOOS: "windows"},
	} {
		_, err := NewReader(c)
		assert.ErrorContains(t, err, "want an absolute path", c)
	}
}

// Where case does not count, a refusal finds a path that spells the root
// otherwise; a permission does not.
func TestFoldedRoots(t *testing.T) {
	for goos, want := range map[string]string{"darwin": " | ./a", "linux": ""} {
		for _, raw := range []string{"/SRV/proj/a", "/Srv/Proj/a", "/\u017frv/proj/a", "../PROJ/a"} {
			ss, err := on(t, goos).Subjects(Path, raw, "")
			require.NoError(t, err)
			abs := raw
			if raw == "../PROJ/a" {
				abs = "/srv/PROJ/a"
			}
			assert.Equal(t, "path "+abs+want, show(ss), "%s %q", goos, raw)
		}
	}
	r := on(t, "darwin")
	for raw, want := range map[string]string{
		"/SRV/proj":      "path /SRV/proj | ./.",
		"/SRV/projx/a":   "path /SRV/projx/a",
		"/SRV":           "path /SRV",
		"~/../../PROJ/a": "path /PROJ/a | /srv/PROJ/a ./a",
		"/srv/proj/A":    "path /srv/proj/A ./A",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.Equal(t, want, show(ss), raw)
	}
}

// /etc, /tmp and /var are links into /private on every Mac, and nowhere else.
func TestPathsHaveTwoNamesOnMacOS(t *testing.T) {
	for raw, want := range map[string]string{
		"/etc":             "path /etc /private/etc",
		"/private/etc/x":   "path /private/etc/x /etc/x",
		"/tmp/a/../b":      "path /tmp/b /private/tmp/b",
		"/PRIVATE/Var/x":   "path /PRIVATE/Var/x | /Var/x",
		"/etcetera/x":      "path /etcetera/x",
		"/private/home/x":  "path /private/home/x",
		"/srv/proj/tmp/x":  "path /srv/proj/tmp/x ./tmp/x",
		"/private":         "path /private",
		"/private/etcx":    "path /private/etcx",
		"/private/tmp/../": "path /private",
	} {
		ss, err := on(t, "darwin").Subjects(Path, raw, "")
		require.NoError(t, err, raw)
		assert.Equal(t, want, show(ss), raw)
	}
	ss, err := on(t, "linux").Subjects(Path, "/etc/x", "")
	require.NoError(t, err)
	assert.Equal(t, "path /etc/x", show(ss))

	r, err := NewReader(Config{Root: "/private/tmp/proj", GOOS: "darwin"})
	require.NoError(t, err)
	for raw, want := range map[string]string{
		"/tmp/proj/a":         "path /tmp/proj/a /private/tmp/proj/a ./a",
		"/private/tmp/proj/a": "path /private/tmp/proj/a ./a /tmp/proj/a",
		"/tmp/Proj/a":         "path /tmp/Proj/a /private/tmp/Proj/a | ./a",
		"/tmp/other":          "path /tmp/other /private/tmp/other",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err, raw)
		assert.Equal(t, want, show(ss), raw)
	}
}
