package lint_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/lint"
)

var (
	randomTools    = []string{"read", "bash", "webfetch", "note", "{read,write}", "*", "{bash,webfetch}", "w*", "mcp__*"}
	randomPatterns = []string{
		"*", "?*", "./*", "src/*", "src/a", "src/[ab]", "src/[!a]", "{src,lib}/a", "**/.env", "**/.env*", "/srv/proj/src/*", "/srv/*", "*.env", "src/", ".", "~/*", "/srv**/?", "/usr/**/rm *",
		"git *", "git push *", "git push", "git {push,pull} *", "git push -f", "rm *", "* rm *", "> src/*", "> *", "< src/a", "git push ?*", "git [p]ush *", "A=1 git *",
		"https://a.test/*", "https://*.test/*", "domain:a.test", "domain:*.test", "https://a.test", "https://a.test/b", "*a.test*", "file:///srv/*",
	}
	randomSubjects = map[permission.Kind][]string{
		permission.Path:    {".", "src", "src/a", "src/A", "src/b", "src/[ab]", "src/[!a]", "lib/a", ".env", "src/.env", "x.env", "/srv/x", "/etc/passwd", "/home/u/x", "/srv/proj/src/a", "src/a/.env.local", "/srv/.env"},
		permission.Command: {"git push", "git push -f", "git pull x", "git $X", `git "$@"`, "git push $X", "rm x", "sudo rm x", "x rm y", "x > src/a", "x > /etc/a", "x < src/a", "$X", "A=1 git push", "git push; rm x", "src/a", "x > $F", "git *.go", "GIT push"},
		permission.URL:     {"https://a.test/", "https://a.test/b?c", "http://b.test/", "https://a.test:8443/b", "https://evil.example/a.test", "file:///srv/x"},
		permission.Text:    {"", "x", "src/a", "git push", "https://a.test/b", ".env"},
	}
)

func randomRules(r *rand.Rand) []permission.Rule {
	var rules []permission.Rule
	for i := range 2 + r.IntN(5) {
		rules = append(rules, permission.Rule{
			Reason: strconv.Itoa(i), // tells rules apart
			Tool:   randomTools[r.IntN(len(randomTools))], Pattern: randomPatterns[r.IntN(len(randomPatterns))], Action: permission.Action(r.IntN(3)),
		})
	}
	return rules
}

// What is said never to decide does not, in policies as nobody would write them
// either: it is left out, and it decides nothing that is put to it.
func TestRandomPolicies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	dead := 0
	for range 600 {
		rules, o := randomRules(r), options()
		o.GOOS = []string{"linux", "linux", "darwin", "windows"}[r.IntN(4)]
		if o.GOOS == "windows" {
			o.Root, o.Home = `C:\srv\proj`, `C:\home\u`
		}
		p, err := permission.Compile(permission.Ask, rules, o)
		if err != nil {
			continue // a pattern that is none for all of the tools
		}
		for _, f := range lint.Policy(p) {
			if f.Check != "unreachable" && f.Check != "duplicate" {
				continue
			}
			dead++
			without, err := permission.Compile(permission.Ask, slices.Delete(slices.Clone(rules), f.Rule-1, f.Rule), o)
			require.NoError(t, err)
			checkDecidesNothing(t, p, without, rules[f.Rule-1], f)
		}
	}
	assert.Greater(t, dead, 50)
}

func checkDecidesNothing(t *testing.T, with, without *permission.Policy, rule permission.Rule, f lint.Finding) {
	for kind, all := range randomSubjects {
		for _, text := range all {
			for _, tool := range []string{"read", "write", "bash", "webfetch", "note", "mcp__x"} {
				if tool == "webfetch" && kind != permission.URL {
					continue // its calls are about URLs
				}
				s := permission.Subject{Kind: kind, Text: text}
				d := with.EvaluateSubjects(tool, s)
				if d.Cause == permission.CauseRule {
					assert.NotEqual(t, rule, *d.Rule, "%s %q: %v", tool, text, f)
				}
				if d.Cause != permission.CauseDoubt {
					assert.Equal(t, without.EvaluateSubjects(tool, s).Action, d.Action, "%s %q: %v", tool, text, f)
				}
			}
		}
	}
}
