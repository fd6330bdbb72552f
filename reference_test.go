package permission_test

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// reference answers as the comment of Evaluate says, in the most plodding way:
// with one regular expression a rule, and with patterns of stars and plain
// letters alone. A subject of nil is unknown.
func reference(fallback permission.Action, rs []permission.Rule, tool string, subjects []*string) permission.Action {
	worst := permission.Allow
	for _, s := range subjects {
		answer, doubt := fallback, false
		for _, r := range rs {
			if !matches(r.Tool, tool) {
				continue
			}
			single := strings.TrimRight(r.Pattern, "*") // several stars are as good as one
			if single != r.Pattern {
				single += "*"
			}
			must := s != nil && (matches(r.Pattern, *s) || matches(strings.TrimSuffix(single, " *"), *s))
			must = must || strings.Trim(r.Pattern, "*") == ""
			if must {
				answer = r.Action
				break
			}
			doubt = doubt || s == nil && r.Action != permission.Allow
		}
		if doubt {
			answer = min(answer, permission.Ask)
		}
		worst = min(worst, answer)
	}
	return worst
}

func matches(glob, s string) bool {
	parts := strings.Split(glob, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + `\z`).MatchString(s)
}

func FuzzReference(f *testing.F) {
	for seed := range int64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		r := rand.New(rand.NewSource(seed))
		pick := func(of ...string) string { return of[r.Intn(len(of))] }
		word := func() string {
			var b strings.Builder
			for range 1 + r.Intn(3) {
				b.WriteString(pick("a", "b", "ab", "a b", " a", "b"))
			}
			return strings.TrimSpace(b.String())
		}
		pattern := func() string {
			return pick("", "", "*") + word() + pick("", "*", " *", "*"+word(), " * "+word()) + pick("", "", "*")
		}
		var rs []permission.Rule
		for range r.Intn(6) {
			p := pattern()
			if r.Intn(6) == 0 {
				p = pick("*", "**")
			}
			rs = append(rs, permission.Rule{
				Tool: pick("bash", "b*", "*", "x"), Pattern: p, Action: permission.Action(r.Intn(3)),
			})
		}
		fallback := permission.Action(r.Intn(3))
		var given []permission.Subject
		var subjects []*string
		for range 1 + r.Intn(3) {
			s := word()
			given = append(given, permission.Subject{Kind: permission.Command, Text: s})
			subjects = append(subjects, &s)
			if r.Intn(4) == 0 {
				given[len(given)-1].Text = "$X"
				subjects[len(subjects)-1] = nil
			}
		}
		p, err := permission.Compile(fallback, rs, linux())
		require.NoError(t, err)
		got := p.EvaluateSubjects("bash", given...)
		require.Equal(t, reference(fallback, rs, "bash", subjects), got.Action, "%v\n%v\n%v", fallback, rs, given)

		// A rule that denies never makes the answer milder, wherever it stands.
		at := r.Intn(len(rs) + 1)
		more := append(append(append([]permission.Rule{}, rs[:at]...), permission.Rule{Tool: "*", Pattern: pattern()}), rs[at:]...)
		q, err := permission.Compile(fallback, more, linux())
		require.NoError(t, err)
		require.LessOrEqual(t, q.EvaluateSubjects("bash", given...).Action, got.Action)
	})
}
