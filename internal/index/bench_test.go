package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/workload"
)

// load returns rules for texts, and their queries as subjects.
func load(t testing.TB, n int) (*Rules, []workload.Query, []subject.Subject) {
	t.Helper()
	rules, queries := workload.Make(n, 1)
	var b Builder
	for _, r := range rules {
		tools, err := glob.Expand(r.Tool)
		require.NoError(t, err)
		alts, err := glob.Expand(r.Pattern)
		require.NoError(t, err)
		var p glob.Pattern
		for _, alt := range alts {
			p = append(p, glob.Alternative{Glob: glob.Compile(alt, glob.Options{}), Forms: text.Whole})
		}
		b.Add(tools, r.Action == 2, &Patterns{subject.Text: p})
	}
	subjects := make([]subject.Subject, len(queries))
	for i, q := range queries {
		subjects[i] = subject.Subject{Text: q.Text, Narrow: []text.Reading{{Text: text.Of(q.Text), Form: text.Whole}}}
	}
	return b.Rules(), queries, subjects
}

func BenchmarkFirst(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10_000} {
		rs, queries, subjects := load(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				j := i % len(queries)
				rs.For(queries[j].Tool).First(&subjects[j])
			}
		})
	}
}

// BenchmarkBytes is what the index is measured with: a look into a map, and one
// at each byte of the text.
func BenchmarkBytes(b *testing.B) {
	rules, queries := workload.Make(1000, 1)
	byTool := make(map[string]int)
	for i, r := range rules {
		byTool[r.Tool] = i
	}
	b.ReportAllocs()
	sum := 0
	for i := 0; b.Loop(); i++ {
		q := &queries[i%len(queries)]
		sum += byTool[q.Tool]
		for j := range len(q.Text) {
			sum += int(q.Text[j])
		}
	}
	if sum == 0 {
		b.Fatal("nothing was looked at")
	}
}

func BenchmarkLongText(b *testing.B) {
	rs, _, _ := load(b, 1000)
	s := subject.Subject{Narrow: []text.Reading{{Text: text.Of(strings.Repeat("zq/zx yy ", 1138)), Form: text.Whole}}}
	b.ReportAllocs()
	for b.Loop() {
		rs.For("bash").First(&s)
	}
}

// repeated returns n rules for what stands inside, and a long text that has
// their keys all over and that none of them matches.
func repeated(n int) (*Rules, *subject.Subject) {
	var b Builder
	for i := range n {
		g := glob.Compile(fmt.Sprintf("*secret%d?[0-9]*", i), glob.Options{})
		b.Add([]string{"bash"}, false, &Patterns{subject.Text: {{Glob: g, Forms: text.Whole}}})
	}
	long := text.Of("echo " + strings.Repeat("secret7 ", 8000))
	return b.Rules(), &subject.Subject{Narrow: []text.Reading{{Text: long, Form: text.Whole}}}
}

// A key that a text has thousands of times costs no more than to look at the
// text once for each rule.
func BenchmarkRepeatedKeys(b *testing.B) {
	for _, n := range []int{30, 1000} {
		rs, s := repeated(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				rs.For("bash").First(s)
			}
		})
	}
}

// A text may have the keys of many rules that do not match it before that of the
// one that does.
func TestKeysOfRulesThatDoNotMatch(t *testing.T) {
	for n := range 4 * maxFailed {
		rs, s := repeated(n)
		keys := ""
		for i := range n {
			keys += fmt.Sprint("secret", i, "xx ")
		}
		for i := range n {
			s.Narrow[0].Text = text.Of(keys + fmt.Sprint("secret", i, "x5"))
			decides, _ := rs.For("bash").First(s)
			require.Equal(t, i, decides, "of %d rules", n)
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	rs, s := repeated(1000) // which takes a minute if each place of a key is looked at whole
	decides, doubted := rs.For("bash").First(s)
	require.Equal(t, [2]int{-1, -1}, [2]int{decides, doubted})
}
