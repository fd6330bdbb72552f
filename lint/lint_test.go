package lint_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/lint"
)

func options() *permission.Options {
	return &permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"}
}

// policy compiles rules that are written as "action tool pattern".
func policy(t *testing.T, o *permission.Options, lines ...string) *permission.Policy {
	t.Helper()
	var rules []permission.Rule
	for _, line := range lines {
		words := strings.SplitN(line, " ", 3)
		require.Len(t, words, 3, line)
		action, err := permission.ParseAction(words[0])
		require.NoError(t, err)
		rules = append(rules, permission.Rule{Tool: words[1], Pattern: words[2], Action: action})
	}
	p, err := permission.Compile(permission.Ask, rules, o)
	require.NoError(t, err, lines)
	return p
}

// found returns what lint finds as "rule check".
func found(findings []lint.Finding, level lint.Level) (all []string) {
	for _, f := range findings {
		if f.Level == level {
			all = append(all, fmt.Sprintf("%d %s", f.Rule, f.Check))
		}
	}
	return all
}

// Each policy has a fault, which stands before it, or none.
var faulty = []struct {
	want  string
	rules []string
}{
	// What an earlier rule decides.
	{"2 unreachable", []string{"ask * *", "allow read src/*"}},
	{"2 unreachable", []string{"deny read src/*", "allow read src/x/*"}},
	{"2 unreachable", []string{"allow bash git *", "allow bash git status"}},
	{"2 unreachable", []string{"allow bash git *", "allow bash git push *"}},
	{"2 unreachable", []string{"deny {read,write} **/.env", "ask read web/.env"}},
	{"2 unreachable", []string{"deny mcp__* *", "allow mcp__files__* *"}},
	{"2 unreachable", []string{"deny read ./*", "deny read /srv/proj/src/*"}},
	{"2 unreachable", []string{"deny read /srv/*", "allow read src/*"}},
	{"2 unreachable", []string{"deny webfetch domain:*.test", "allow webfetch https://a.test/b/*"}},
	{"2 unreachable", []string{"deny bash > build/*", "allow bash > build/x/*"}},
	{"3 unreachable", []string{"deny read a*", "deny write a*", "allow {read,write} ab"}},
	{"3 unreachable", []string{"deny read {a,b}/x", "deny read c/x", "allow read {a,c}/x"}},
	{"2 duplicate", []string{"allow bash git status", "allow bash git status"}},
	{"2 duplicate", []string{"deny read **/*a*/**/{b,c}*", "deny read **/*a*/**/{b,c}*"}},
	{"2 behind-allow", []string{"allow read **/*a*/**/{b,c}*", "deny read **/*a*/**/{b,c}*"}},
	{"2 unreachable", []string{"deny read src/../lib/*", "deny read lib/x"}},
	{"2 unreachable", []string{"deny read ~/*", "deny read /home/u/x"}},
	{"", []string{"deny read /srv/proj/?", "ask read ."}},
	{"2 unreachable", []string{"deny read *", "deny read x"}},
	{"2 unreachable", []string{"deny bash git *", "allow bash [g]it push"}},
	{"2 unreachable", []string{"deny bash GIT *", "deny bash \\GIT push"}},
	{"", []string{"allow bash git status", "allow bash git status *"}},
	{"", []string{"allow bash git push", "ask bash git pull"}},
	{"", []string{"deny read a", "allow {read,write} a"}},
	{"", []string{"deny mcp__files__* *", "allow mcp__* *"}},
	{"", []string{"allow read ./*", "ask read *"}},
	{"", []string{"allow read {?*,/tmp/*}", "ask read *"}},
	{"", []string{"allow read src/*", "deny write src/x"}},
	{"", []string{"deny webfetch https://a.test/*", "allow webfetch domain:a.test"}},
	{"", []string{"deny bash > build/*", "allow bash build/x"}},
	{"", []string{"deny read **/.env", "allow read ./*"}},

	// A refusal behind what it should limit.
	{"2 behind-allow", []string{"allow bash git *", "deny bash git push *"}},
	{"2 behind-allow", []string{"allow read ./*", "deny read **/.env"}},
	{"2 behind-allow", []string{"allow read *", "deny {read,write} /etc/*"}},
	{"2 behind-allow", []string{"allow bash git *", "ask bash {git push *,rm *}"}},
	{"2 behind-allow", []string{"allow webfetch https://a.test/*", "deny webfetch https://a.test/secret"}},
	{"2 behind-allow", []string{"allow * *", "deny bash rm *"}},
	{"3 behind-allow", []string{"deny read x", "allow read ./*", "deny read src/[id]/*"}},
	{"", []string{"deny bash git push *", "allow bash git *"}},
	{"", []string{"allow bash git push origin main", "deny bash git push {origin,upstream} {main,dev}"}},
	{"", []string{"allow read **/.env.example", "deny read **/.env*"}},
	{"", []string{"allow read ./*", "deny read /etc/*"}},

	// What no command is like.
	{"1 no-command", []string{"allow bash cd ui && npm test *"}},
	{"1 no-command", []string{"deny bash curl * | sh"}},
	{"1 no-command", []string{"deny bash git add *; git commit *"}},
	{"1 no-command", []string{"allow bash echo \"*\""}},
	{"1 no-command", []string{"allow bash cat $HOME/*"}},
	{"1 no-command", []string{"allow bash echo $(date)"}},
	{"1 no-command", []string{"deny bash echo * > /etc/*"}},
	{"1 no-command", []string{"allow bash make * 2>&1"}},
	{"1 no-command", []string{"deny bash >> *.log"}},
	{"1 no-command", []string{"allow bash git:*"}},
	{"1 no-command", []string{"allow bash docker:*"}},
	{"1 no-command", []string{"deny bash cat <<*"}},
	{"1 no-command", []string{"deny bash >*"}},
	{"1 no-command", []string{"allow bash (make *)"}},
	{"1 no-command", []string{"allow bash for *"}},
	{"1 no-command", []string{"deny bash while true*"}},
	{"1 no-command", []string{"allow bash ! grep *"}},
	{"1 no-command", []string{"deny bash :(){ :|:& };:"}},
	{"1 no-command", []string{"allow bash if true; then make; fi"}},
	{"", []string{"allow bash test -f x"}},
	{"", []string{"allow bash forge *"}},
	{"", []string{"deny bash psql -c select 1; *"}},
	{"", []string{"allow bash jq .a; *"}},
	{"", []string{"allow bash > build/*"}},
	{"", []string{"deny bash < secrets/*"}},
	{"", []string{"deny bash find * -exec rm * ;"}},
	{"", []string{"deny bash cat $HOME/*"}}, // which holds for what is written so
	{"", []string{"deny bash echo \"*\""}},
	{"", []string{"allow bash npm run test:unit"}},
	{"", []string{"deny bash awk *system(*"}},
	{"", []string{"deny bash curl * -w *"}},
	{"", []string{"allow note a && b"}},
	{"", []string{"deny pwsh * | iex"}}, // whose lines are looked at whole

	// What no path or URL is like.
	{"1 impossible", []string{"deny read */../x"}},
	{"1 impossible", []string{"deny read {.env.x,a/*/../x}"}},
	{"1 impossible", []string{"deny webfetch evil.com"}},
	{"1 impossible", []string{"allow webfetch docs.example.com/*"}},
	{"1 impossible", []string{"deny webfetch *.evil.com"}},
	{"1 impossible", []string{"deny webfetch HTTPS:*"}},
	{"", []string{"deny webfetch /etc/*"}}, // file:///etc/passwd
	{"", []string{"deny read {,x}"}},
	{"", []string{"deny read ./../x"}},
	{"", []string{"deny read a//b"}},
	{"", []string{"deny read src/./x"}},
	{"", []string{"deny read src/"}},
	{"", []string{"deny read **/..x/*"}},
	{"", []string{"deny webfetch https://evil.com"}},
	{"", []string{"deny webfetch domain:evil.com"}},
	{"", []string{"deny webfetch *.zip"}},
	{"", []string{"deny webfetch file:///etc/*"}},
	{"", []string{"deny webfetch HTTPS://evil.com/*"}},

	// Regular expressions.
	{"1 regexp", []string{"deny bash ^git push"}},
	{"1 regexp", []string{"deny bash rm -rf .*$"}},
	{"1 regexp", []string{"deny read .*\\.env$"}},
	{"1 regexp", []string{"deny bash git (push|pull)"}},
	{"1 regexp", []string{"deny bash rm\\s+*"}},
	{"1 regexp", []string{"deny read app/(a|b)/*"}},
	{"1 regexp", []string{"deny {read,grep} ^x"}},
	{"", []string{"allow bash go test -run ^TestFoo$"}},
	{"", []string{"allow bash go test -run (TestA|TestB) ./..."}},
	{"", []string{"allow bash pytest -k (a|b)"}},
	{"", []string{"allow bash git log --grep=(fix|feat)"}},
	{"", []string{"allow bash find . -regex .*\\\\.go$"}},
	{"", []string{"allow bash jq (.a|.b) *"}},
	{"", []string{"deny bash grep foo$"}},
	{"", []string{"deny read routes/$id"}},
	{"", []string{"allow note ^x"}},

	// Names of secrets in the root alone.
	{"1 bare-name", []string{"deny read .env"}},
	{"2 bare-name", []string{"deny bash rm *", "deny read {.netrc,**/x.key}"}},
	{"", []string{"deny read **/.env"}},
	{"", []string{"deny read .env", "deny read **/.env"}},
	{"1 bare-name", []string{"deny write .env"}},
	{"", []string{"ask write README.md"}},
	{"", []string{"ask {write,edit} .npmrc"}},

	// What the tool's calls are not about.
	{"1 other-kind", []string{"deny bash domain:evil.com"}},
	{"1 other-kind", []string{"deny read > x"}},
	{"1 other-kind", []string{"deny read https://evil.com/*"}},
	{"", []string{"deny read file:///etc/*"}},
	{"", []string{"deny bash curl https://evil.com/*"}},

	// Names of tools.
	{"1 unknown-tool", []string{"deny raed *"}},
	{"1 unknown-tool", []string{"deny Raed *"}},
	{"1 unknown-tool", []string{"deny {Read,Wriet} *"}},
	{"1 unknown-tool", []string{"deny {read,bahs} x"}},
	{"", []string{"deny Shell *"}}, // which a runtime may have
	{"", []string{"deny sl *"}},
	{"", []string{"deny read x"}},
	{"", []string{"deny lint x"}},
	{"", []string{"deny mcp__read *"}},
	{"", []string{"deny task x"}},
}

func TestFaults(t *testing.T) {
	for _, tt := range faulty {
		got := strings.Join(found(lint.Policy(policy(t, options(), tt.rules...)), lint.Fault), ", ")
		assert.Equal(t, tt.want, got, "%q", tt.rules)
	}
}

var advised = []struct {
	want  string
	rules []string
}{
	{"1 everything", []string{"allow * *"}},
	{"1 everything", []string{"allow bash *"}},
	{"1 everything", []string{"allow read **"}},
	{"1 everything", []string{"allow webfetch *"}},
	{"", []string{"deny * *"}},
	{"", []string{"allow mcp__tracker__* *"}},
	{"", []string{"allow read ./*"}},

	{"1 program", []string{"allow bash python *"}},
	{"1 program", []string{"allow bash /usr/bin/python3 *"}},
	{"1 program", []string{"allow bash bash -c *"}},
	{"1 program", []string{"allow bash sudo *"}},
	{"1 program", []string{"allow bash find *"}},
	{"1 program", []string{"allow bash git *"}},
	{"1 program", []string{"allow bash git config *"}},
	{"1 program", []string{"allow bash git -c *"}},
	{"1 program", []string{"allow bash {ls,sort} *"}},
	{"1 program", []string{"allow bash curl *"}},
	{"1 program", []string{"allow bash rg *"}},
	{"1 program", []string{"allow bash rg -n *"}},
	{"1 program", []string{"allow bash curl -s *"}},
	{"1 program", []string{"allow bash bash -l *"}},
	{"1 program", []string{"allow bash busybox *"}},
	{"1 program", []string{"allow bash python3.12 *"}},
	{"1 program", []string{"allow bash python3 -m *"}},
	{"1 program", []string{"allow bash npm exec *"}},
	{"1 program", []string{"allow bash docker run *"}},
	{"1 program", []string{"allow bash git rebase *"}},
	{"1 program", []string{"allow bash git fetch *"}},
	{"1 program", []string{"allow bash psql -c *"}},
	{"", []string{"deny bash git push *", "deny bash git -c *", "allow bash git *"}},
	{"2 program", []string{"ask bash git push *", "allow bash git *"}},
	{"1 program", []string{"allow bash uniq *"}},
	{"", []string{"allow bash uniq -c"}},

	// A URL with a star, behind which options and more URLs may stand.
	{"1 url-tail", []string{"allow bash curl -s https://api.example.com/*"}},
	{"1 url-tail", []string{"allow bash curl {,-s }http://{localhost,127.0.0.1}:[0-9][0-9][0-9][0-9]{,/*}"}},
	{"1 url-tail", []string{"allow bash curl localhost:8080/*"}},
	{"1 url-tail", []string{"allow {bash,shell} wget -q https://example.com/*"}},
	{"", []string{"deny bash curl -s https://api.example.com/* ?*", "allow bash curl -s https://api.example.com/*"}},
	{"", []string{"allow bash curl -s https://api.example.com/health"}},
	{"", []string{"allow bash curl --version *"}},
	{"", []string{"allow webfetch https://api.example.com/*"}},
	{"", []string{"allow bash bash -n *"}},
	{"", []string{"allow bash git rebase main"}},
	{"", []string{"allow bash node --test *"}},
	{"", []string{"allow bash npm exec tsc *"}},
	{"", []string{"allow bash git status *"}},
	{"", []string{"allow bash git config --get *"}},
	{"", []string{"allow bash ls *"}},
	{"", []string{"allow bash python3 -m json.tool *"}},
	{"", []string{"allow bash python3 tools/check.py *"}},
	{"", []string{"allow bash sed -n *"}},
	{"", []string{"allow bash find . -name x"}},
	{"", []string{"deny bash find * -delete", "allow bash find *"}},
	{"", []string{"deny bash python *"}},
	{"", []string{"allow bash {xargs,env} *"}},

	{"1 inner-star", []string{"allow bash git * --stat"}},
	{"1 leading-star", []string{"allow bash * --version"}},
	{"1 letter-star", []string{"allow bash make*"}},
	{"1 letter-star", []string{"allow bash npm run test*"}},
	{"", []string{"allow bash make *"}},
	{"", []string{"allow bash ./scripts/x*"}},
	{"", []string{"allow bash TAG=* make x"}},
	{"", []string{"deny bash make*"}},

	{"1 shell-star", []string{"deny bash *.env*"}},
	{"1 shell-star", []string{"deny bash * rm *"}},
	{"1 operator", []string{"deny bash *&&*"}},
	{"1 operator", []string{"ask bash *;*"}},
	{"1 operator", []string{"deny bash curl*|*sh"}},
	{"1 operator", []string{"deny bash curl * |sh"}},
	{"1 operator", []string{"deny bash *;rm *"}},
	{"1 operator", []string{"deny bash echo *>*"}},
	{"1 operator", []string{"allow bash cd web&&make test"}},
	{"1 operator", []string{"allow bash time make test"}},
	{"1 shell-path", []string{"deny bash cat **/.env"}},
	{"1 shell-star", []string{"deny {bash,read} *.env"}},
	{"1 no-arguments", []string{"deny bash git push", "allow bash git push *"}},
	{"1 no-arguments", []string{"deny bash git clean --force", "allow bash git clean *"}},
	{"", []string{"deny bash bash -", "allow bash bash - x"}},
	{"", []string{"allow bash git blame --format=%H|%an"}},
	{"", []string{"deny bash grep *|*"}},
	{"", []string{"allow bash > build/*"}},
	{"1 shell-path", []string{"deny bash **/.env"}},
	{"1 program-path", []string{"deny bash /bin/rm *", "allow bash rm *"}},
	{"1 program-path", []string{"deny bash /usr/**/rm *", "allow bash rm *"}},
	{"", []string{"deny bash /srv**/?"}},
	{"1 no-arguments", []string{"deny bash yarn", "allow bash yarn *"}},
	{"", []string{"deny bash {cat,head} *.env*"}},
	{"", []string{"deny bash *"}},
	{"", []string{"deny bash yarn"}},
	{"", []string{"deny bash bash", "allow bash bash x"}},

	{"1 brackets", []string{"allow read app/[slug]/*"}},
	{"1 brackets", []string{"allow read app/[[...slug]]/page.tsx"}},
	{"1 brackets", []string{"allow bash cat app/[slug]/x"}},
	{"", []string{"allow read [a-c]/*"}},
	{"1 brackets", []string{"deny edit *.[jt]s"}},
	{"", []string{"allow read *.[ch]"}},
	{"", []string{"deny read app/[slug]/*"}},
	{"", []string{`allow read app/\[slug\]/*`}},

	{"1 wildcard-tool", []string{"deny * *password*"}},
	{"1 wildcard-tool", []string{"deny * *.env"}},
	{"1 wildcard-tool", []string{"allow * ./*"}},
	{"", []string{"deny * **/.env"}},

	{"1 wide-url", []string{"allow webfetch https://*"}},
	{"1 wide-url", []string{"allow webfetch *example.com*"}},
	{"1 wide-url", []string{"allow webfetch https://*example.com/*"}},
	{"1 wide-url", []string{"allow webfetch domain:*"}},
	{"1 wide-url", []string{"allow webfetch domain:*.*"}},
	{"1 wide-url", []string{"allow webfetch domain:*.com"}},
	{"1 wide-url", []string{"allow webfetch https://*:443/*"}},
	{"1 wide-url", []string{"allow webfetch https://a.example*"}},
	{"1 wide-url", []string{"allow webfetch https://docs.*/*"}},
	{"1 wide-url", []string{"allow webfetch domain:a.example*"}},
	{"1 front-page", []string{"allow webfetch https://docs.example.com"}},
	{"", []string{`allow webfetch http://\[::1\]:[0-9][0-9][0-9][0-9]/*`}},
	{"", []string{"allow webfetch https://*.internal/*"}},
	{"", []string{"allow webfetch https://*.example.com/*"}},
	{"", []string{"allow webfetch domain:docs.example.com"}},
	{"", []string{"deny webfetch *example.com*"}},

	{"1 around", []string{"deny read **/.env", "allow bash cat *"}},
	{"1 around", []string{"deny read **/.env", "allow bash grep *"}},
	{"1 around", []string{"deny read **/.env", "allow grep ./*"}},
	{"1 around", []string{"deny write secrets/*", "allow edit ./*"}},
	{"1 around", []string{"deny write secrets/*", "allow bash > ./*", "allow bash echo *"}},
	{"1 around", []string{"deny read **/.env", "deny bash cat *.env", "allow bash cat *"}}, // but cat < .env
	{"1 around", []string{"deny * **/.env", "allow bash cat *"}},
	{"", []string{"deny read **/.env", "deny bash {cat *.env,< **/.env}", "allow bash cat *"}},
	{"", []string{"deny read **/.env", "allow bash ls *"}},
	{"", []string{"deny {read,grep} **/.env", "allow grep ./*"}},

	{"1 spelling", []string{"deny bash rm -rf *", "allow bash rm *"}},
	{"2 spelling", []string{"ask bash git status", "deny bash git clean -fd *", "allow bash git clean *"}},
	{"1 spelling", []string{"deny bash git push --force *", "allow bash git push *"}},
	{"1 spelling", []string{"deny bash {git push -f *,git push --force *}", "allow bash git push *"}},
	{"1 spelling", []string{"deny bash rm -rf /", "allow bash rm *"}},
	{"", []string{"deny bash rm -rf *"}},
	{"", []string{"deny bash rm {-*,* -*}", "allow bash rm *"}},

	{"1 near-tool", []string{"deny readfile x"}},
	{"1 near-tool", []string{"deny reads x"}},
	{"1 near-tool", []string{"deny {read,BASH} x"}},
	{"", []string{"deny lint x"}},
}

func TestAdvice(t *testing.T) {
	for _, tt := range advised {
		findings := lint.Policy(policy(t, options(), tt.rules...))
		assert.Empty(t, found(findings, lint.Fault), "%q", tt.rules)
		got := found(findings, lint.Advice)
		if tt.want == "" {
			// Neighbours speak of one check; others may have something to say.
			assert.Empty(t, got, "%q", tt.rules)
			continue
		}
		assert.Contains(t, got, tt.want, "%q", tt.rules)
	}
}

// A refusal that does not mind case covers all that an allow of the same pattern
// does, also where a class leaves a letter out.
func TestClassWithoutCase(t *testing.T) {
	for _, goos := range []string{"darwin", "linux"} {
		o := options()
		o.GOOS = goos
		assert.NotEmpty(t, found(lint.Policy(policy(t, o, "ask read [!a]/x", "allow read [!a]/x")), lint.Fault), goos)
	}
}

// Policies that make sense have no fault.
func TestSensiblePolicies(t *testing.T) {
	files, err := filepath.Glob("../examples/*/manifest.toml")
	require.NoError(t, err)
	everyday, err := filepath.Glob("../testdata/everyday/*.toml")
	require.NoError(t, err)
	files = append(append(files, everyday...), "../testdata/readme.toml")
	require.GreaterOrEqual(t, len(files), 6)
	for _, file := range files {
		p, err := permission.Load(file, &permission.Options{Root: "/srv/app", Home: "/home/dev", GOOS: "linux"})
		require.NoError(t, err)
		for _, f := range lint.Policy(p) {
			assert.Equal(t, lint.Advice, f.Level, "%v", f)
			assert.NotEmpty(t, f.Why)
			assert.NotEmpty(t, f.Instead)
			assert.Equal(t, file, f.File)
		}
	}
}

// Where everything else is allowed there is a shell, whether a rule names it or
// not.
func TestAroundByDefault(t *testing.T) {
	rule := permission.Rule{Tool: "Read", Pattern: "**/.env"}
	for _, tt := range []struct {
		fallback permission.Action
		tools    []string
		want     string
	}{
		{permission.Allow, nil, `Bash "cat .env" is allowed`},
		{permission.Allow, []string{"Read", "Bash"}, `Bash "cat .env" is allowed`},
		{permission.Allow, []string{"Read"}, ""},
		{permission.Ask, nil, ""},
	} {
		o := options()
		o.KnownTools = tt.tools
		p, err := permission.Compile(tt.fallback, []permission.Rule{rule}, o)
		require.NoError(t, err)
		why := ""
		for _, f := range lint.Policy(p) {
			why += f.Why
		}
		assert.Equal(t, tt.want != "", why != "", why)
		assert.Contains(t, why, tt.want)
	}
}

// What is said to be written instead is right.
func TestInstead(t *testing.T) {
	for rule, want := range map[string]string{
		"deny bash * rm *":                   `write "rm *", which`,
		"deny bash *.env*":                   `"{cat,head,grep}*.env*"`,
		"deny bash *--force*":                `"git *--force*"`,
		"deny bash cat **/.env":              `"{cat,head,grep}*[ /].env"`,
		"deny WebFetsch x":                   `"WebFetch"`,
		"allow webfetch https://docs.*":      `"https://docs.example.com/*"`,
		"allow webfetch https://example.com": `"https://example.com/*"`,
		"allow bash time make":               `write "make"`,
	} {
		findings := lint.Policy(policy(t, options(), rule))
		require.Len(t, findings, 1, rule)
		assert.Contains(t, findings[0].Instead, want, rule)
	}
}

func TestKnownTools(t *testing.T) {
	o := options()
	o.KnownTools = []string{"read_file", "sh", "mcp__files__*"}
	for rule, want := range map[string]string{
		"deny read_file *": "", "deny mcp__files__put *": "", "deny mcp__* *": "", "deny * x": "",
		"deny mcp__file__put *": "1 unknown-tool", "deny bash *": "1 unknown-tool", "deny {sh,bash} *": "1 unknown-tool", "deny web* *": "1 unknown-tool",
	} {
		assert.Equal(t, want, strings.Join(found(lint.Policy(policy(t, o, rule)), lint.Fault), ", "), rule)
	}
	findings := lint.Policy(policy(t, o, "deny read_flie *"))
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0].Instead, `"read_file"`)

	declared := options()
	declared.Tools = []permission.Tool{{Name: "raed", Kind: permission.Path, Arguments: []string{"x"}}}
	assert.Empty(t, lint.Policy(policy(t, declared, "deny raed **/x")))
}

func TestFinding(t *testing.T) {
	f := lint.Finding{Level: lint.Advice, File: "a.toml", Line: 3, Rule: 2, Check: "program", Why: "it\x1b runs", Instead: "write less"}
	assert.Equal(t, `a.toml:3: rule 2: program (advice): it\x1b runs: write less`, f.String())
	f.Line = 0
	assert.Equal(t, `a.toml: rule 2: program (advice): it\x1b runs: write less`, f.String())
	f.File = ""
	assert.Equal(t, `permission: rule 2: program (advice): it\x1b runs: write less`, f.String())
	f.Line = 3
	assert.Equal(t, `line 3: rule 2: program (advice): it\x1b runs: write less`, f.String())
	data, err := json.Marshal(lint.Finding{Rule: 1, Check: "c", Why: "w", Instead: "i"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"level":"fault","rule":1,"check":"c","why":"w","instead":"i"}`, string(data))
	assert.Equal(t, "Level(9)", lint.Level(9).String())
	var back lint.Finding
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, lint.Fault, back.Level)
	assert.ErrorContains(t, json.Unmarshal([]byte(`{"level":"x"}`), &back), `unknown level "x"`)
}

func TestPoliciesWithoutRules(t *testing.T) {
	off, err := permission.ParseManifest("off.toml", nil, options())
	require.NoError(t, err)
	for _, p := range []*permission.Policy{nil, {}, off, permission.Strictest()} {
		assert.Empty(t, lint.Policy(p))
	}
}

func TestStrictest(t *testing.T) {
	p := policy(t, options(), "allow bash make")
	q := policy(t, options(), "deny bash make", "allow bash make")
	assert.Equal(t, []string{"2 unreachable"}, found(lint.Policy(permission.Strictest(p, q)), lint.Fault))
}

func TestSkill(t *testing.T) {
	data, err := os.ReadFile("testdata/SKILL.md")
	require.NoError(t, err)
	s, err := permission.ParseSkill("SKILL.md", data)
	require.NoError(t, err)
	findings := lint.Skill(nil, s)
	require.Len(t, findings, 1)
	assert.Equal(t, "2 no-command", found(findings, lint.Fault)[0])
	assert.Equal(t, "SKILL.md", findings[0].File)

	o := options()
	o.KnownTools, o.SkillAliases = []string{"read_file", "bash"}, map[string]string{"Read": "read_file"}
	p := policy(t, o)
	assert.Equal(t, []string{"2 no-command", "3 unknown-tool"}, found(lint.Skill(permission.Strictest(p, p), s), lint.Fault))
	for list, want := range map[string][]string{
		"WebFetch(x.test) WebFetch(domain:x.test)": {"1 impossible"},
		"Read(src/**) Edit(^src)":                  {"2 regexp"},
		"Read(a/*/../b)":                           {"1 impossible"},
		"Exec(ls, wc) mcp__x(a) Bash(git:*)":       nil,
	} {
		s, err := permission.ParseSkill("SKILL.md", []byte("---\nallowed-tools: "+list+"\n---\n"))
		require.NoError(t, err)
		assert.Equal(t, want, found(lint.Skill(nil, s), lint.Fault), list)
	}
	assert.Empty(t, lint.Skill(p, nil))
	assert.Empty(t, lint.Skill(p, &permission.Skill{Unrestricted: true}))
}

// What a rule is said never to decide, it does not: without it every subject
// is answered as before.
func TestUnreachableRulesDecideNothing(t *testing.T) {
	texts := map[permission.Kind][]string{
		permission.Command: {"git status", "git push", "git push origin main", "git commit -m x", "rm -rf x", "git pull", "x > build/x", "x > build/x/y", `git "$@"`, "git $X"},
		permission.Path:    {"src/x", "src/x/y", ".env", "web/.env", "/etc/x", "a", "ab", "a/x", "b/x", "c/x", "/srv/proj/src/z", "src/i/x", "src/[id]/x"},
		permission.URL:     {"https://a.test/", "https://a.test/secret", "https://a.test/b/c?d", "http://b.test:8080/b"},
		permission.Text:    {"x", ""},
	}
	tried := 0
	for _, tt := range faulty {
		at := slices.IndexFunc([]string{"unreachable", "duplicate"}, func(s string) bool { return strings.HasSuffix(tt.want, s) })
		if at < 0 {
			continue
		}
		rules := tt.rules[:len(tt.rules)-1]
		with, without := policy(t, options(), tt.rules...), policy(t, options(), rules...)
		for kind, all := range texts {
			for _, text := range all {
				for _, tool := range []string{"read", "write", "bash", "webfetch", "mcp__files__put", "note"} {
					s := permission.Subject{Kind: kind, Text: text}
					assert.Equal(t, without.EvaluateSubjects(tool, s).Action, with.EvaluateSubjects(tool, s).Action, "%q: %s %q", tt.rules, tool, text)
					tried++
				}
			}
		}
	}
	assert.Positive(t, tried)
}

// A rule for many programs is told of all at once, and of each kind once.
func TestProgramsOfOneRule(t *testing.T) {
	findings := lint.Policy(policy(t, options(), "allow bash {ls,sort,go test,go vet,awk} *"))
	require.Len(t, findings, 1)
	assert.Contains(t, findings[0].Why, `"sort *" also covers`)
	assert.Regexp(t, `; look at (awk, go (test|vet)|go (test|vet), awk) as well$`, findings[0].Why)
}

// A declaration takes the place of the row in the table, and with it what the
// row knows.
func TestDeclaredTexts(t *testing.T) {
	o := options()
	o.Tools = []permission.Tool{
		{Name: "{bash,read,webfetch,apply_patch}", Kind: permission.Text, Arguments: []string{"command"}},
		{Name: "write", Kind: permission.Path, Arguments: []string{"target"}},
		{Name: "note", Kind: permission.Text, Arguments: []string{"text"}},
	}
	for rule, want := range map[string]string{
		"allow bash git status":              "declare it with the kind command",
		"allow {note,read} src/*":            "declare it with the kind path",
		"allow webfetch https://docs.test/*": "declare it with the kind url",
		"allow apply_patch src/*":            "declare it with the kind patch",
		"allow write src/*":                  "",
		"allow note src/*":                   "",
		"deny bash rm *":                     "",
		"allow edit src/*":                   "",
	} {
		var instead string
		for _, f := range lint.Policy(policy(t, o, rule)) {
			if f.Check == "declared-text" {
				assert.Equal(t, lint.Advice, f.Level)
				instead = f.Instead
			}
		}
		if want == "" {
			assert.Empty(t, instead, rule)
			continue
		}
		assert.Contains(t, instead, want, rule)
	}
}

// Of rules that cover another between them those are named that it takes, and not
// too many.
func TestCoversThatManyRulesMakeAreShort(t *testing.T) {
	rules := []string{"deny bash x*", "deny bash [ab]*", "deny bash [cd]*", "deny bash ?x*", "deny bash [ef]*", "allow bash [a-f]*"}
	findings := lint.Policy(policy(t, options(), rules...))
	require.NotEmpty(t, findings)
	why := findings[len(findings)-1].Why
	assert.Contains(t, why, "rule 2 ")
	assert.Contains(t, why, "rule 5 ")
	assert.NotContains(t, why, "rule 1 ")
	assert.NotContains(t, why, "rule 4 ")
	rules = []string{"deny bash [ab]*", "deny bash [cd]*", "deny bash [ef]*", "deny bash [gh]*", "allow bash [a-h]*"}
	findings = lint.Policy(policy(t, options(), rules...))
	require.NotEmpty(t, findings)
	assert.Contains(t, findings[len(findings)-1].Why, " and others decide")
}
