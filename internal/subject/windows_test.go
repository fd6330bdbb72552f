package subject

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWindowsPaths(t *testing.T) {
	r := on(t, "windows")
	for raw, want := range map[string]string{
		`a`:                    "path C:/ws/a ./a",
		`a\b`:                  "path C:/ws/a/b ./a/b",
		`.\a\\b/`:              "path C:/ws/a/b ./a/b",
		`a\..\..\x`:            "path C:/x",
		`C:\ws\a`:              "path C:/ws/a ./a",
		`c:/ws/a`:              "path C:/ws/a ./a",
		`C:/ws`:                "path C:/ws ./.",
		`C:\`:                  "path C:/",
		`C:/..\..\x`:           "path C:/x",
		`D:\x`:                 "path D:/x",
		`\xy`:                  "path C:/xy",
		`/ws/a`:                "path C:/ws/a ./a",
		`C:\WS\a`:              "path C:/WS/a | ./a",
		`\\srv\share\a\..\b`:   "path //srv/share/b",
		`//srv/share`:          "path //srv/share/",
		`\\srv\share\..\..\x`:  "path //srv/share/x",
		`~\a`:                  "path C:/Users/u/a | C:/ws/~/a ./~/a",
		`$HOME/a`:              "path C:/Users/u/a | C:/ws/$HOME/a ./$HOME/a",
		`file:///C:/ws/a`:      "path C:/ws/a ./a | C:/ws/file:/C:/ws/a ./file:/C:/ws/a",
		`file:///c:/Users/u`:   "path C:/Users/u | C:/ws/file:/c:/Users/u ./file:/c:/Users/u",
		`file:////srv/share/a`: "path //srv/share/a | C:/ws/file:/srv/share/a ./file:/srv/share/a",
		`a.b`:                  "path C:/ws/a.b ./a.b",
		` a`:                   "path C:/ws/ a ./ a",
		`a~b`:                  "path C:/ws/a~b ./a~b",
		`[a]{b,c}`:             "path C:/ws/[a]{b,c} ./[a]{b,c}",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.Equal(t, want, show(ss), raw)
	}
}

// A path that Windows may take for another is allowed by patterns for
// everything alone, and refused as the plain file.
func TestWindowsDisguises(t *testing.T) {
	r := on(t, "windows")
	for raw, plain := range map[string]string{
		`\\?\C:\secret\a`:               "C:/secret/a",
		`//?/c:/secret/a`:               "C:/secret/a",
		`\\.\C:\secret\a`:               "C:/secret/a",
		`\??\C:\secret\a`:               "C:/secret/a",
		`\\?\C:\ws\..\secret\a`:         "C:/secret/a",
		`\\?\C:\ws\.env`:                ".env",
		`\\?\UNC\srv\share\a`:           "//srv/share/a",
		`\\?\unc\srv\share\a`:           "//srv/share/a",
		`\\?\UNC\localhost\C$\secret\a`: "C:/secret/a",
		`\\localhost\c$\secret\a`:       "C:/secret/a",
		`\\127.0.0.1\C$\ws\.env`:        ".env",
		`//box/d$/x`:                    "D:/x",
		`/c/secret/a`:                   "C:/secret/a",
		`\C\secret\a`:                   "C:/secret/a",
		`/c`:                            "C:/",
		`/d/x`:                          "D:/x",
		`/C:/secret/a`:                  "C:/secret/a",
		`C:.env`:                        ".env",
		`c:sub\..\.env`:                 ".env",
		`C:..\secret\a`:                 "C:/secret/a",
		`C:secret\a`:                    "C:/secret/a",
		`D:x`:                           "D:/x",
		`.env::$DATA`:                   ".env",
		`.env:stream`:                   ".env",
		`.env:stream:$DATA`:             ".env",
		`sub::$INDEX_ALLOCATION\x`:      "sub/x",
		`.env.`:                         ".env",
		`.env . .`:                      ".env",
		`.env `:                         ".env",
		`a.\b \.env`:                    "a/b/.env",
		`a\...\..\.env`:                 "a/.env",
		`.env.::$DATA`:                  ".env",
		`file:///C:/ws/.env::$DATA`:     ".env",
		`~\.ssh.\id`:                    "C:/Users/u/.ssh/id",
		`~u\.ssh`:                       "C:/Users/u/.ssh",
	} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, raw)
		must, _ := match(t, r, false, Path, plain, ss)
		assert.True(t, must, "deny %s for %s: %s", plain, raw, show(ss))
		for _, pattern := range []string{plain, "./*", "/*", "C:/*", "C:*", "**/*", "?*"} {
			must, _ = match(t, r, true, Path, pattern, ss)
			assert.False(t, must, "allow %s for %s", pattern, raw)
		}
		must, _ = match(t, r, true, Path, "*", ss)
		assert.True(t, must, raw)
	}
	for _, raw := range []string{`PROGRA~1\x`, `a\B~12.TXT`, `x~9`, `C:\GIT~1`, `PROGRA~1.~XY`, `a~b~1`, `~1~x`, `\\?\GLOBALROOT\x`, `\\?\Volume{1}\x`, `\\.`, `\\?`, `\\.\`} {
		ss, err := r.Subjects(Path, raw, "")
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, raw)
		must, may := match(t, r, false, Path, "secret/*", ss)
		assert.False(t, must, raw)
		assert.True(t, may, "any refusal may be meant: %s", raw)
	}
}

// A directory of the call in the spelling of Windows.
func TestWindowsDirectories(t *testing.T) {
	r := on(t, "windows")
	for _, c := range []struct{ raw, dir, want string }{
		{`a`, `sub`, "path C:/ws/sub/a ./sub/a"},
		{`..\a`, `C:\ws\sub`, "path C:/ws/a ./a"},
		{`a`, `D:\x`, "path D:/x/a"},
		{`\ab`, `D:\x`, "path C:/ab"},
	} {
		ss, err := r.Subjects(Path, c.raw, c.dir)
		require.NoError(t, err)
		assert.Equal(t, c.want, show(ss), c)
	}
	// From the directory of a drive: the call's, if it is that drive's.
	ss, err := r.Subjects(Path, `D:.env`, `D:\x`)
	require.NoError(t, err)
	for _, plain := range []string{"D:/x/.env", "D:/.env"} {
		must, _ := match(t, r, false, Path, plain, ss)
		assert.True(t, must, plain)
	}
	// A directory may be in disguise as well.
	for _, dir := range []string{`C:\ws\sub.`, `sub::$DATA`, `\\?\C:\ws\sub`, `/c/ws/sub`, `C:sub`} {
		ss, err = r.Subjects(Path, `x`, dir)
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, dir)
		must, _ := match(t, r, false, Path, "sub/x", ss)
		assert.True(t, must, "%s: %s", dir, show(ss))
	}
	for _, dir := range []string{`A:`, `\\.`, `\\?`} {
		ss, err = r.Subjects(Path, `x`, dir)
		require.NoError(t, err)
		assert.NotEmpty(t, ss[0].Unknown, dir)
	}

	ss, err = r.Subjects(Path, `..\x`, `sub\y`)
	require.NoError(t, err)
	assert.Equal(t, []string{"C:/ws/sub/x", "C:/ws/sub/y/../x"}, ss[0].files)
}

func TestWindowsPatterns(t *testing.T) {
	r := on(t, "windows")
	for _, c := range []struct {
		pattern, path string
		deny, allow   bool
	}{
		{`secret\*`, `secret\a`, true, true},
		{`secret\*`, `SECRET/a`, true, false},
		{`C:\ws\secret\*`, `secret\a`, true, true},
		{`c:/ws/secret/*`, `secret\a`, true, true},
		{`C:\WS\secret\*`, `secret\a`, true, false},
		{`\ws\secret\*`, `secret\a`, true, true},
		{`\etc\*`, `C:\etc\x`, true, true},
		{`\etc\*`, `D:\etc\x`, false, false},
		{`C:*`, `a`, true, true},
		{`C:*`, `C:\x`, true, true},
		{`C:*`, `D:\x`, false, false},
		{`d:*`, `D:\x`, true, true},
		{`D:*`, `a`, false, false},
		{`C:\`, `C:\x\y`, true, false},
		{`C:\`, `C:\`, true, true},
		{`D:/x/`, `D:\x\y`, true, false},
		{`~\.ssh\*`, `C:\Users\u\.ssh\id`, true, true},
		{`~/.ssh/*`, `c:\users\U\.SSH\id`, true, false},
		{`\\srv\share\*`, `//srv/share/x`, true, true},
		{`\\*\share\*`, `//srv/share/x`, true, true},
		{`\\srv\*\x`, `//srv/any/x`, true, true},
		{`\\srv\*`, `//srv/any/x/y`, true, true},
		{`\\srv\*`, `//srv/any`, true, true},
		{`\\srv\*`, `//other/any/x`, false, false},
		{`\\srv\share`, `//srv/share`, true, true},
		{`\\srv\share`, `//srv/share/x`, false, false},
		{`..\x`, `C:\x`, true, true},
		{`..\..\x`, `C:\x`, true, true},
		{`file:///C:/x/*`, `C:\x\a`, true, true},
		{`[*]`, `*`, true, true},
		{`[?:]\x`, `C:\x`, false, false},
		{`?:\secret`, `D:\secret`, true, false},
		{`app\[id]\*`, `app\[id]\x`, true, false},
		{`{a,b}\c`, `b\c`, true, true},
		{`./*`, `C:\WS\a`, true, false},
	} {
		ss, err := r.Subjects(Path, c.path, "")
		require.NoError(t, err)
		must, _ := match(t, r, false, Path, c.pattern, ss)
		assert.Equal(t, c.deny, must, "deny %+v: %s", c, show(ss))
		must, _ = match(t, r, true, Path, c.pattern, ss)
		assert.Equal(t, c.allow, must, "allow %+v: %s", c, show(ss))
	}
}

func TestWindowsFilePatterns(t *testing.T) {
	check(t, on(t, "windows"), []reads{
		{"glob", `{"pattern":"src\\*.go"}`, "path src/*.go"},
		{"glob", `{"pattern":"C:\\x\\*","path":"src"}`, "path C:/x/*"},
		{"glob", `{"pattern":"..\\*","path":"src\\"}`, "path *"},
		{"glob", `{"pattern":"*","path":"\\\\?\\C:\\x"}`, `path ?//?/C:/x/*`},
		{"glob", `{"pattern":"src\\*\\..\\x"}`, `path ?src\*\..\x`},
		{"glob", `{"pattern":"x","path":"C:"}`, "path ?C:x"},
		{"glob", `{"pattern":"x","path":"C:\\"}`, "path C:/x"},
		{"glob", `{"pattern":"{a}\\x"}`, "path {a}/x"},
		{"grep", `{"pattern":"x","include":"*.{ts,js}","path":"a\\b"}`, "path a/b; path a/b/*.ts; path a/b/*.js"},
		{"bash", `{"command":"ls","workdir":"C:\\ws\\sub"}`, "command ls"},
		{"bash", `{"command":"ls","workdir":"D:\\"}`, `command ?cd D:\; command ls`},
		{"bash", `{"command":"ls","workdir":"sub."}`, `command ?cd sub.; command ls`},
	})
}
