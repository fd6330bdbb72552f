package permission_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// A tape is where a property takes its choices from: a fuzzer changes one at a
// time, and a random one is as good. At its end every choice is the first.
type tape struct{ bytes []byte }

func (t *tape) n(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b) % n
}

func (t *tape) flip() bool             { return t.n(2) == 1 }
func choose[T any](t *tape, of ...T) T { return of[t.n(len(of))] }

// near returns a pattern that is for something like s, where one that is random
// would seldom be.
func (t *tape) near(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s[:len(s)-t.n(len(s))]), "[", "[[]")
	if s = strings.TrimSpace(s + choose(t, "", "*", "/*", "?", "/")); s == "" {
		return "*"
	}
	return s
}

// several returns up to most texts of a kind.
func (t *tape) several(most int, one func() string) []string {
	var all []string
	for range t.n(most + 1) {
		all = append(all, one())
	}
	return all
}

// property runs check over choices: those of a fuzzer and, as a plain test,
// some that are random but the same in every run.
func property(f *testing.F, check func(testing.TB, *tape)) {
	rnd := rand.New(rand.NewSource(1))
	for range 500 {
		b := make([]byte, 40+rnd.Intn(80))
		rnd.Read(b)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, &tape{b}) })
}

// repeatedly is property without the fuzzer, many times.
func repeatedly(t *testing.T, check func(testing.TB, *tape)) {
	n := 4000
	if testing.Short() {
		n = 500
	}
	rnd := rand.New(rand.NewSource(2))
	for range n {
		b := make([]byte, 40+rnd.Intn(80))
		rnd.Read(b)
		check(t, &tape{b})
	}
}

func randomRules(t *tape, tool string, actions []permission.Action, pattern func() string) []permission.Rule {
	var rs []permission.Rule
	for range 1 + t.n(6) {
		rs = append(rs, permission.Rule{Tool: tool, Pattern: pattern(), Action: choose(t, actions...)})
	}
	return rs
}

var (
	allActions  = []permission.Action{permission.Deny, permission.Ask, permission.Allow}
	withoutAsks = []permission.Action{permission.Deny, permission.Allow}
)

// A place is a system with the directories that calls run in.
type place struct{ goos, root, home string }

var places = []place{
	{"linux", "/srv/proj", "/home/u"},
	{"darwin", "/srv/proj", "/home/u"},
	{"windows", "C:/ws/proj", "C:/home/u"},
}

func (p place) options() *permission.Options {
	return &permission.Options{Root: p.root, Home: p.home, GOOS: p.goos}
}

func decides(_ testing.TB, p *permission.Policy, tool, argument, value string) permission.Action {
	input, _ := json.Marshal(map[string]string{argument: value})
	return p.Evaluate(permission.ToolCall{Name: tool, Input: input}).Action
}

func (t *tape) component() string {
	return choose(t, "a", "b", "src", ".env", "secrets", "a.go", "A", "proj", "x y", "[id]", "~")
}

// file returns a path in its plainest spelling, absolute and with slashes.
func (t *tape) file(p place) string {
	base := choose(t, p.root, p.root, p.root, p.home, path.Dir(p.root), strings.TrimSuffix(p.root[:strings.Index(p.root, "/")+1], "/")+"/etc")
	return strings.Join(append([]string{base}, t.several(3, t.component)...), "/")
}

// pathPattern returns a pattern that may be for the file.
func (t *tape) pathPattern(p place, file string) string {
	if t.n(4) == 0 {
		return t.near(strings.TrimPrefix(file, choose(t, "", p.root+"/")))
	}
	base := choose(t, "", "", "./", "**/", "*", p.root+"/", p.home+"/", "~/", "/", "../", path.Dir(p.root)+"/")
	pattern := base + strings.Join(append(t.several(2, t.component), choose(t, "*", "**", "", "*.go", "a", "?", ".env", "{a,b}", "*/a")), "/")
	if strings.TrimSpace(pattern) == "" {
		return "*"
	}
	return pattern
}

// respelt returns another spelling of an absolute path that names the same
// file without looking at any.
func (t *tape) respelt(p place, file string) string {
	if rel, ok := strings.CutPrefix(file, p.root+"/"); ok && t.flip() {
		file = choose(t, "", "./", "././/", "../"+path.Base(p.root)+"/", "x/../") + rel
		if strings.HasPrefix(file, "~") {
			file = "./" + file
		}
	} else if file == p.root && t.flip() {
		file = choose(t, ".", "./", "x/..", "../"+path.Base(p.root))
	}
	if t.flip() && strings.Contains(file, "/") {
		i := strings.LastIndex(file, "/")
		file = file[:i] + choose(t, "/", "//", "/./", "/x/../", "/x/y/../../") + file[i+1:]
	}
	file += choose(t, "", "", "/", "/.", "/x/..")
	if p.goos == "windows" {
		if t.flip() {
			file = strings.ReplaceAll(file, "/", `\`)
		}
		if t.flip() && strings.HasPrefix(file, "C:") {
			file = "c" + file[1:]
		}
	}
	return file
}

func checkPathSpellings(t testing.TB, c *tape) {
	p := choose(c, places...)
	fallback := choose(c, allActions...)
	file := c.file(p)
	rs := randomRules(c, "read", allActions, func() string { return c.pathPattern(p, file) })
	policy, err := permission.Compile(fallback, rs, p.options())
	require.NoError(t, err)
	other := c.respelt(p, file)
	want := decides(t, policy, "read", "path", file)
	require.Equal(t, want, decides(t, policy, "read", "path", other), "%s %q %q\n%v %v", p.goos, file, other, fallback, rs)

	// What a tool that does not know ~ takes counts for refusals only.
	if rest, ok := strings.CutPrefix(file, p.home); ok {
		for _, home := range []string{"~", "$HOME", "${HOME}"} {
			got := decides(t, policy, "read", "path", home+rest)
			require.True(t, got <= want || got < permission.Allow, "%s %q %q\n%v %v", p.goos, file, home+rest, fallback, rs)
		}
	}
}

func FuzzPathSpellings(f *testing.F) { property(f, checkPathSpellings) }
func TestPathSpellings(t *testing.T) { repeatedly(t, checkPathSpellings) }
func FuzzPathDisguises(f *testing.F) { property(f, checkPathDisguises) }
func TestPathDisguises(t *testing.T) { repeatedly(t, checkPathDisguises) }
func FuzzURLSpellings(f *testing.F)  { property(f, checkURLSpellings) }
func TestURLSpellings(t *testing.T)  { repeatedly(t, checkURLSpellings) }
func FuzzMoreArguments(f *testing.F) { property(f, checkMoreArguments) }
func TestMoreArguments(t *testing.T) { repeatedly(t, checkMoreArguments) }
func FuzzMoreRefusals(f *testing.F)  { property(f, checkMoreRefusals) }
func TestMoreRefusals(t *testing.T)  { repeatedly(t, checkMoreRefusals) }

// disguised returns a spelling that some system or tool takes for the path,
// and whether it tells which path that is.
func (t *tape) disguised(p place, file string) (other string, plain bool) {
	slash := t.respelt(p, file)
	if p.goos != "windows" {
		n := fmt.Sprint(choose(t, "self", "1", "thread-self", "self/task/7"))
		return choose(t,
			"file://"+file, "FILE://localhost"+file, "file:"+file+"#", "file://"+strings.ReplaceAll(file, "/", "/%2e/"),
			"/proc/"+n+"/root"+file, "/x/../proc/"+n+"/cwd/../.."+file, slash,
		), true
	}
	drive, rest := file[:2], file[2:]
	back := strings.ReplaceAll(file, "/", `\`)
	if t.n(8) == 0 {
		i := strings.LastIndex(back, `\`)
		return back[:i+1] + `ABCDEF~1`, false
	}
	return choose(t,
		`\\?\`+back, `\\.\`+back, `\??\`+back, "//?/"+file, back+"::$DATA", back+":s", back+".", back+" ", back+". .",
		"/"+strings.ToLower(drive[:1])+rest, `\\localhost\`+drive[:1]+`$`+strings.ReplaceAll(rest, "/", `\`),
		`\\?\UNC\box\c$`+strings.ReplaceAll(rest, "/", `\`), "file:///"+file, "FILE:/"+file+"?", "/"+file, slash,
	), true
}

// No spelling of a path that is refused is allowed.
func checkPathDisguises(t testing.TB, c *tape) {
	p := choose(c, places...)
	fallback := choose(c, allActions...)
	actions := choose(c, allActions, withoutAsks)
	file := c.file(p)
	rs := randomRules(c, "read", actions, func() string { return c.pathPattern(p, file) })
	policy, err := permission.Compile(fallback, rs, p.options())
	require.NoError(t, err)
	other, plain := c.disguised(p, file)
	want, got := decides(t, policy, "read", "path", file), decides(t, policy, "read", "path", other)
	if want < permission.Allow {
		require.Less(t, got, permission.Allow, "%s %q %q\n%v %v", p.goos, file, other, fallback, rs)
	}
	// An earlier rule may ask about the spelling as such. Where none asks:
	if plain && len(actions) == len(withoutAsks) {
		require.LessOrEqual(t, got, want, "%s %q %q\n%v %v", p.goos, file, other, fallback, rs)
	}
}

func (t *tape) segment() string { return choose(t, "a", "b", "admin", "a-b", "x.y", "~u", "A") }

// urls returns two spellings of one URL.
func (t *tape) urls() (plain, other string) {
	scheme := choose(t, "https", "http", "ftp", "wss", "gopher")
	host := choose(t, "a.test", "b.a.test", "evil.test", "127.0.0.1", "[::1]", "a_b.test")
	port := choose(t, "", "", ":8443", ":80", ":443")
	query := choose(t, "", "", "?q", "?a=b&c=/../d", "?")
	segments := t.several(3, t.segment)
	plain = scheme + "://" + host + port + "/" + strings.Join(segments, "/") + query

	standard := map[string]string{"https": "443", "wss": "443", "http": "80", "ftp": "21"}[scheme]
	if port == "" && standard != "" {
		port = choose(t, "", ":", ":"+standard, ":00"+standard)
	} else if port == ":"+standard {
		port = choose(t, port, "", ":", ":0"+standard)
	}
	if !strings.HasPrefix(host, "[") {
		host += choose(t, "", ".")
	}
	if t.flip() {
		scheme, host = strings.ToUpper(scheme), strings.ToUpper(host)
	}
	var b strings.Builder
	b.WriteString(scheme + "://" + choose(t, "", "u@", "u:p@", "evil.test@", ":@") + host + port)
	for _, s := range segments {
		b.WriteString(choose(t, "", "", "/.", "/%2e", "/x/..", "/x/%2E%2e", "/x/y/../.."))
		b.WriteString("/" + t.encoded(s))
	}
	switch {
	case len(segments) == 0:
		b.WriteString(choose(t, "", "/", "/.", "/..", "/x/.."))
	case segments[len(segments)-1] == "":
		b.WriteString(choose(t, "", ".", "x/.."))
	}
	return plain, b.String() + query + choose(t, "", "#", "#x", "#https://a.test/")
}

// encoded encodes some of the characters of s, none of which needs it.
func (t *tape) encoded(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(choose(t, s[i:i+1], s[i:i+1], fmt.Sprintf("%%%02x", s[i]), fmt.Sprintf("%%%02X", s[i])))
	}
	return b.String()
}

// urlPattern returns a pattern that may be for a URL in its plainest spelling.
func (t *tape) urlPattern(url string) string {
	switch t.n(6) {
	case 0:
		return t.near(url)
	case 1:
		return choose(t, "*", "*a.test*", "domain:a.test", "domain:*.a.test", "domain:*", "https:*")
	}
	host := choose(t, "a.test", "*.a.test", "*", "evil.test", "b.*", "[::1]", "A.Test.", "127.0.0.1")
	return choose(t, "https", "http", "*", "http{,s}", "FTP") + "://" + host + choose(t, "", "", ":443", ":*", ":8443") +
		choose(t, "", "/", "/*", "/**") + strings.Join(t.several(2, t.segment), "/") + choose(t, "", "*", "/*", "?q", "/**/a")
}

func checkURLSpellings(t testing.TB, c *tape) {
	fallback := choose(c, allActions...)
	plain, other := c.urls()
	rs := randomRules(c, "webfetch", allActions, func() string { return c.urlPattern(plain) })
	policy, err := permission.Compile(fallback, rs, linux())
	require.NoError(t, err)
	want := decides(t, policy, "webfetch", "url", plain)
	require.Equal(t, want, decides(t, policy, "webfetch", "url", other), "%q %q\n%v %v", plain, other, fallback, rs)
}

// value returns some JSON that holds a scalar, or at the least may.
func (t *tape) value(depth int) string {
	if depth == 0 || t.flip() {
		return choose(t, `"a"`, `"src/../.env"`, `"https://a.test/x"`, `"git push"`, `7`, `true`, `""`, `"drop table x"`, `"~/.ssh/id"`)
	}
	if t.flip() {
		return "[" + t.value(depth-1) + "," + t.value(depth-1) + "]"
	}
	return "{" + fmt.Sprintf("%q:", t.name()) + t.value(depth-1) + "}"
}

func (t *tape) name() string {
	return choose(t, "a", "path", "command", "url", "note", "files", "src", "/etc/passwd", "x y", "cmd")
}

func (t *tape) anyPattern() string {
	return choose(t, "*", "a*", "*.env", "**/.env", "src/*", "./*", "git *", "git push", "https://a.test/*", "drop *", "~/.ssh/*", "7", "true", "*a*", "[a-z]*", "/etc/*")
}

// One more argument of a tool that nobody has declared never makes the answer
// milder, if the call already had something to judge.
func checkMoreArguments(t testing.TB, c *tape) {
	fallback := choose(c, allActions...)
	policy, err := permission.Compile(fallback, randomRules(c, "x", allActions, c.anyPattern), linux())
	require.NoError(t, err)
	before := fmt.Sprintf("%q:%s", c.name(), c.value(2))
	more := fmt.Sprintf("%q:%s", "more_"+c.name(), c.value(2))
	d := policy.Evaluate(call("x", "{"+before+"}"))
	for _, input := range []string{"{" + before + "," + more + "}", "{" + more + "," + before + "}", `{"o":{` + more + "}," + before + "}", `{"l":[{` + before + "},{" + more + "}]}"} {
		require.LessOrEqual(t, policy.Evaluate(call("x", input)).Action, d.Action, "%s\n%v %v", input, fallback, policy.Rules())
	}
}

// A rule that denies, wherever it stands, never makes an answer milder.
func checkMoreRefusals(t testing.TB, c *tape) {
	p := choose(c, places...)
	tool, argument, pattern := "read", "path", c.anyPattern
	var value string
	switch c.n(4) {
	case 0:
		file := c.file(p)
		value, _ = c.disguised(p, file)
		pattern = func() string { return c.pathPattern(p, file) }
	case 1:
		tool, argument = "webfetch", "url"
		plain, other := c.urls()
		pattern = func() string { return c.urlPattern(plain) }
		value = other + choose(c, "", "", "%2f..%2fadmin", "//x")
	case 2:
		tool, argument = "x", "note"
		value = c.component()
	case 3:
		tool, argument = "bash", "command"
		value = choose(c, "git push", "git push; ls", "/bin/git log", "a b", "A=1 b", "cd /x")
	}
	fallback := choose(c, allActions...)
	rs := randomRules(c, tool, allActions, pattern)
	policy, err := permission.Compile(fallback, rs, p.options())
	require.NoError(t, err)
	at := c.n(len(rs) + 1)
	more := append(append(append([]permission.Rule{}, rs[:at]...), permission.Rule{Tool: choose(c, "*", tool), Pattern: pattern()}), rs[at:]...)
	stricter, err := permission.Compile(fallback, more, p.options())
	require.NoError(t, err)
	before := decides(t, policy, tool, argument, value)
	require.LessOrEqual(t, decides(t, stricter, tool, argument, value), before, "%q at %d\n%v %v", value, at, fallback, more)
}

// Whatever the input and wherever it runs, a policy that allows nothing allows
// nothing, decides without a fault, and decides the same again.
func FuzzNothingPasses(f *testing.F) {
	texts := []string{``, `{}`, `{"a":[1,{"path":"~/x"}]}`, `C:\ws\a::$DATA`, "file:///%2e%2e#", "https://\u212a.test/%2f..", "*** Add File: a\f--- b\n+++ c", `{"a":"\ud800"}`, "\xff"}
	for i, s := range texts {
		for kind := range uint8(5) {
			f.Add(uint8(i), kind, []byte(s))
		}
	}
	tools := []string{"bash", "read", "multi_edit", "glob", "grep", "webfetch", "apply_patch", "other", "read_many_files"}
	var policies []*permission.Policy
	for _, p := range places {
		policy, err := permission.Compile(permission.Ask, rules(f, "deny * **/.env", "ask * ~/*", "deny {webfetch,other} https://*.test/*", "ask bash a *"), p.options())
		require.NoError(f, err)
		policies = append(policies, policy)
	}
	f.Fuzz(func(t *testing.T, tool, kind uint8, s []byte) {
		name := tools[int(tool)%len(tools)]
		policy := policies[int(kind)%len(policies)]
		given := permission.Subject{Kind: permission.Kind(kind % 6), Text: string(s)}
		for _, d := range [][2]permission.Decision{
			{policy.Evaluate(call(name, string(s))), policy.Evaluate(call(name, string(s)))},
			{policy.EvaluateSubjects("other", given), policy.EvaluateSubjects("other", given)},
		} {
			require.NotEqual(t, permission.Allow, d[0].Action, "%s %q", name, s)
			require.NotEqual(t, permission.CauseFault, d[0].Cause, "%s %q", name, s)
			require.Equal(t, d[0], d[1])
		}
	})
}
