package lint_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/lint"
)

// many returns a policy of rules as people write them, none of which covers
// another.
func many(tb testing.TB, n int) *permission.Policy {
	var rules []permission.Rule
	for i := range n / 4 {
		rules = append(rules,
			permission.Rule{Tool: "bash", Pattern: fmt.Sprintf("{tool%d,./run%d} *{a,b}* -x *", i, i)},
			permission.Rule{Tool: "bash", Pattern: fmt.Sprintf("tool%d {status,diff,log} *", i), Action: permission.Allow},
			permission.Rule{Tool: "{read,write,edit}", Pattern: fmt.Sprintf("**/part%d/{*.key,*.pem}", i)},
			permission.Rule{Tool: "webfetch", Pattern: fmt.Sprintf("https://{www,docs}.host%d.test/*", i), Action: permission.Allow},
		)
	}
	p, err := permission.Compile(permission.Ask, rules, nil)
	require.NoError(tb, err)
	return p
}

func BenchmarkPolicy(b *testing.B) {
	p := many(b, 200)
	for b.Loop() {
		lint.Policy(p)
	}
}

// Many stars for many tools, and the same again, are what takes longest.
func BenchmarkAlike(b *testing.B) {
	var rules []permission.Rule
	for i := range 200 {
		rules = append(rules, permission.Rule{
			Tool: "{read,write,edit,grep,glob,ls}", Action: permission.Action(i % 3),
			Pattern: fmt.Sprintf("**/part%d*/**/*sub%d*/{a,b,c,d}*.{go,ts}", i%9, i%11),
		})
	}
	p, err := permission.Compile(permission.Ask, rules, nil)
	require.NoError(b, err)
	for b.Loop() {
		lint.Policy(p)
	}
}

func BenchmarkEveryday(b *testing.B) {
	for _, name := range []string{"blocklist", "ci-allowlist"} {
		p, err := permission.Load("../testdata/everyday/"+name+".toml", nil)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				lint.Policy(p)
			}
		})
	}
}
