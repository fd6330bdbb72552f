package permission_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// tree makes a root with links in it, beside a vault that they lead to.
func tree(t *testing.T) (root, vault string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root, vault = filepath.Join(base, "root"), filepath.Join(base, "vault")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "src"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(vault, "deep"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(vault, "key"), nil, 0o600))
	for name, target := range map[string]string{
		"src/out":   vault,
		"src/deep":  filepath.Join(vault, "deep"),
		"src/key":   "../../vault/key",
		"src/later": filepath.Join(vault, "not-yet"),
		"src/in":    "../src",
		"src/loop":  "loop",
		"../alias":  root,
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(root, name)))
	}
	return root, vault
}

func TestResolveSymlinksFollowsEveryLink(t *testing.T) {
	root, vault := tree(t)
	for path, want := range map[string]string{
		root + "/src/a":             root + "/src/a",
		root + "/src/out/key":       vault + "/key",
		root + "/src/key":           vault + "/key",
		root + "/src/out/new/file":  vault + "/new/file",
		root + "/src/later":         vault + "/not-yet",
		root + "/src/in/in/in/a":    root + "/src/a",
		root + "/src/deep/../key":   vault + "/key",
		root + "/src/./nothing/../": root + "/src",
		root + "/../alias/src":      root + "/src",
		"/":                         "/",
	} {
		got, err := permission.ResolveSymlinks(path)
		require.NoError(t, err, path)
		assert.Equal(t, want, got, path)
	}
	for _, path := range []string{root + "/src/loop", vault + "/key/below", root + "/" + strings.Repeat("x", 5000), "src/a", ""} {
		got, err := permission.ResolveSymlinks(path)
		assert.Error(t, err, "%.80s", path)
		assert.Empty(t, got)
	}
}

func TestResolveJudgesWhereLinksLead(t *testing.T) {
	root, _ := tree(t)
	for _, base := range []string{root, filepath.Join(filepath.Dir(root), "alias")} {
		p, err := permission.Compile(permission.Deny, rules(t, "deny * **/vault/deep", "allow read src/*"),
			&permission.Options{Root: base, Home: "/home/u"})
		require.NoError(t, err)
		lexical := hook(t, p, nil)
		resolving := hook(t, p, &permission.HookOptions{Resolve: permission.ResolveSymlinks})
		for path, want := range map[string]bool{
			"src/a":            true,
			"src/in/a":         true,
			"src/in/in/new":    true,
			"src/out/key":      false,
			"src/key":          false,
			"src/later":        false,
			"src/deep":         false,
			"src/deep/../src":  false, // the system goes up from where the link leads
			"src/deep/../a":    false,
			"src/loop":         false,
			"src/x/../a":       true,
			base + "/src/in/a": true,
		} {
			c := call("read", string(must(json.Marshal(map[string]string{"path": path}))))
			assert.True(t, lexical.PreToolCall(t.Context(), c).Proceed, path)
			v := resolving.PreToolCall(t.Context(), c)
			assert.Equal(t, want, v.Proceed, "%s: %v", path, v.Decision)
			assert.Equal(t, v.Decision.Action, resolving.Evaluate(t.Context(), c).Action, path)
		}
	}
}

// Where the root or the home is a link, a path that goes round it is judged by
// its name from there as well, though no link is in it.
func TestResolveKnowsWhereTheRootReallyIs(t *testing.T) {
	root, vault := tree(t)
	alias := filepath.Join(filepath.Dir(root), "alias")
	for _, o := range []permission.Options{{Root: alias, Home: "/home/u"}, {Root: vault, Home: alias}} {
		rule := "src/in/"
		if o.Home == alias {
			rule = "~/src/in/"
		}
		p, err := permission.Compile(permission.Allow, rules(t, "deny read "+rule, "deny bash > "+rule+"*"), &o)
		require.NoError(t, err)
		resolving := hook(t, p, &permission.HookOptions{Resolve: func(path string) (string, error) {
			if path == alias || strings.HasPrefix(path, alias+"/") {
				return root + strings.TrimPrefix(path, alias), nil
			}
			return path, nil
		}})
		for path, want := range map[string]bool{
			root + "/src/in/a":    false,
			root + "/src/in":      false,
			alias + "/src/in/a":   false,
			root + "/src/other/a": true,
			root + "-b/src/in/a":  true,
		} {
			for tool, in := range map[string]map[string]string{"read": {"path": path}, "bash": {"command": "echo > " + path}} {
				v := resolving.PreToolCall(t.Context(), call(tool, string(must(json.Marshal(in)))))
				assert.Equal(t, want, v.Proceed, "%s %s: %v", tool, path, v.Decision)
			}
		}
	}

	// A place that cannot be followed is none that a path could be below.
	p, err := permission.Compile(permission.Allow, rules(t, "deny read x"), &permission.Options{Root: root, Home: "/home/u"})
	require.NoError(t, err)
	v := hook(t, p, &permission.HookOptions{Resolve: func(path string) (string, error) {
		if path == "/home/u" {
			return "", errors.New("no such place")
		}
		return path, nil
	}}).PreToolCall(t.Context(), call("read", `{"path":"src/a"}`))
	assert.True(t, v.Proceed, v.Decision)
}

// The directory that a call names for itself is a path as well, and so is the
// one that its files start from.
func TestResolveJudgesWhereCallsRun(t *testing.T) {
	root, _ := tree(t)
	for _, base := range []string{root, filepath.Join(filepath.Dir(root), "alias")} {
		p, err := permission.Compile(permission.Deny, rules(t, "allow bash {make,echo} *", "allow bash > ./*", "allow read ./*"),
			&permission.Options{Root: base, Home: "/home/u"})
		require.NoError(t, err)
		lexical := hook(t, p, nil)
		resolving := hook(t, p, &permission.HookOptions{Resolve: permission.ResolveSymlinks})
		judge := func(c permission.ToolCall, want bool) {
			assert.True(t, lexical.PreToolCall(t.Context(), c).Proceed, "%s", c.Input)
			v := resolving.PreToolCall(t.Context(), c)
			assert.Equal(t, want, v.Proceed, "%s in %s: %v", c.Input, c.Dir, v.Decision)
		}
		for dir, want := range map[string]bool{
			".": true, "src": true, "src/in": true, "src/x/..": true, base + "/src": true,
			"src/out": false, "src/deep": false, "src/deep/..": false, "src/deep/../src": false,
		} {
			for _, command := range []string{"make", "echo x > f", "cd x && echo x > f"} {
				in := must(json.Marshal(map[string]string{"command": command, "workdir": dir}))
				judge(call("bash", string(in)), want)
			}
			if !filepath.IsAbs(dir) {
				c := call("read", `{"path":"f"}`)
				c.Dir = base + "/" + dir
				judge(c, want)
			}
		}
	}
}

// A directory that a command line changes to is judged by where it leads, as if
// the line named that.
func TestResolveJudgesWhereLinesGo(t *testing.T) {
	root, vault := tree(t)
	p, err := permission.Compile(permission.Deny, rules(t, "allow bash {make,git status,cd "+vault+"/deep}"),
		&permission.Options{Root: root, Home: "/home/u"})
	require.NoError(t, err)
	lexical := hook(t, p, nil)
	resolving := hook(t, p, &permission.HookOptions{Resolve: permission.ResolveSymlinks})
	for line, want := range map[string]bool{
		"cd src && make":                                    true,
		"cd src/in && make":                                 true,
		"cd src && cd in && make && cd ..":                  true,
		"cd src/out && make":                                false,
		"cd src/deep && make":                               true, // there is a rule for it
		"cd src && cd out; make":                            false,
		"git -C src/in status":                              true,
		"git -C src/out status":                             false,
		"bash -c 'cd src/out && make'":                      false,
		"cd src && bash -c 'cd out && make'":                false, // from where the text is read
		"cd src && bash -c 'cd in && make'":                 true,
		"f() { cd out; make; }; cd src; f":                  false,
		"f() { cd in; make; }; cd src; f":                   true,
		"while make; do cd out; cd src; done":               false,
		"while make; do cd in; cd src; done":                true,
		"for d in src/in src/out; do (cd $d && make); done": false,
		"for d in src/*/; do (cd \"$d\" && make); done":     false,
	} {
		c := call("bash", fmt.Sprintf(`{"command":%q}`, line))
		assert.True(t, lexical.PreToolCall(t.Context(), c).Proceed, line)
		v := resolving.PreToolCall(t.Context(), c)
		assert.Equal(t, want, v.Proceed, "%s: %v", line, v.Decision)
	}
}

// A file that a command line reads or writes is judged by where it leads, too.
func TestResolveJudgesRedirections(t *testing.T) {
	p := compile(t, permission.Deny, "deny bash > /etc/*", "deny bash < /vault/*", "allow bash {make,> out/*,< out/*}")
	h := hook(t, p, &permission.HookOptions{Resolve: func(path string) (string, error) {
		switch path {
		case "/srv/proj/out/etc":
			return "/etc/passwd", nil
		case "/srv/proj/out/vault":
			return "/vault/key", nil
		case "/srv/proj/out/tmp":
			return "/tmp/x", nil
		}
		return path, nil
	}})
	for line, want := range map[string]bool{
		"make > out/log":   true,
		"make > out/etc":   false,
		"make > out/tmp":   false,
		"make < out/vault": false,
		"make < out/tmp":   true, // what is read needs no rule
	} {
		v := h.PreToolCall(t.Context(), call("bash", fmt.Sprintf(`{"command":%q}`, line)))
		assert.Equal(t, want, v.Proceed, "%s: %v", line, v.Decision)
	}
}

func TestAResolverThatFailsRefuses(t *testing.T) {
	p := compile(t, permission.Allow)
	for _, resolve := range []func(string) (string, error){
		func(string) (string, error) { return "", errors.New("no such host") },
		func(string) (string, error) { panic("boom") },
		func(string) (string, error) { return "", nil },
		func(string) (string, error) { return "/etc/a\x00b", nil },
		func(string) (string, error) { return "/etc/\xff", nil },
		func(path string) (string, error) { // the root cannot be followed
			if path == "/srv/proj" {
				return "", errors.New("no such host")
			}
			return "/etc/a", nil
		},
	} {
		h := hook(t, p, &permission.HookOptions{Resolve: resolve})
		assert.False(t, h.PreToolCall(t.Context(), call("read", `{"path":"a"}`)).Proceed)
		assert.True(t, h.PreToolCall(t.Context(), call("bash", `{"command":"ls"}`)).Proceed)
	}
}

// What links lead to counts for the limit of what a call may touch.
func TestResolveIsBounded(t *testing.T) {
	away := func(path string) (string, error) { return "/real" + path, nil }
	h := hook(t, compile(t, permission.Allow), &permission.HookOptions{Resolve: away})
	for n, want := range map[int]bool{2048: true, 2049: false} {
		input := must(json.Marshal(map[string][]string{"path": slices.Repeat([]string{"a"}, n)}))
		v := h.PreToolCall(t.Context(), call("read", string(input)))
		assert.Equal(t, want, v.Proceed, n)
		assert.Equal(t, want, v.Decision.Cause != permission.CauseMalformed, n)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
