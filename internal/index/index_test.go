package index

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/subject"
)

// line is a rule for paths.
type line struct {
	tool, pattern string
	allow         bool
}

func rules(t *testing.T, lines ...line) (*Rules, *subject.Reader) {
	t.Helper()
	r, err := subject.NewReader(subject.Config{Root: "/srv/proj", GOOS: "linux"})
	require.NoError(t, err)
	var b Builder
	for _, l := range lines {
		p, err := r.Pattern(subject.Path, l.pattern, l.allow)
		require.NoError(t, err)
		b.Add([]string{l.tool}, l.allow, &Patterns{subject.Path: p})
	}
	return b.Rules(), r
}

func TestFirst(t *testing.T) {
	rs, r := rules(t,
		line{"read", "src/*", true},
		line{"write", "*", true},
		line{"*", "**/.env", false},
		line{"read", "/etc/*", false},
		line{"re*", "*", true},
	)
	for _, c := range []struct {
		tool, path       string
		decides, doubted int
	}{
		{"read", "src/a", 0, -1},
		{"read", "src/.env", 0, -1},
		{"read", ".env", 2, -1},
		{"read", "a", 4, -1},
		{"write", ".env", 1, -1},
		{"other", ".env", 2, -1},
		{"other", "a", -1, -1},
		{"read", "file://host/a", 4, 2},
		{"other", "file://host/a", -1, 2},
	} {
		ss, err := r.Subjects(subject.Path, c.path, "")
		require.NoError(t, err)
		decides, doubted := rs.For(c.tool).First(&ss[0])
		assert.Equal(t, c.decides, decides, "%s %s", c.tool, c.path)
		assert.Equal(t, c.doubted, doubted, "%s %s", c.tool, c.path)
	}
}

func TestASubjectOfAKindThatNobodyThoughtOf(t *testing.T) {
	rs, r := rules(t, line{"x", "*", true}, line{"x", "*", false})
	ss, err := r.Subjects(subject.URL, "https://a.test/", "")
	require.NoError(t, err)
	decides, doubted := rs.For("x").First(&ss[0])
	assert.Equal(t, -1, decides)
	assert.Equal(t, 1, doubted, "a refusal may be meant for it")
}

// Names that no rule spells come from the model, which may make up any number.
// The zero value has no rules, and a kind that no pattern can be for is decided
// by none: what a rule refuses may be meant for it.
func TestFirstOfWhatNobodyHasMade(t *testing.T) {
	file := &subject.Subject{Kind: subject.Path, Text: "a"}
	var none Rules
	for _, w := range []Walk{{}, none.For("read")} {
		decides, doubted := w.First(file)
		assert.Equal(t, [2]int{-1, -1}, [2]int{decides, doubted})
		assert.Empty(t, w.Rules())
	}
	rs, _ := rules(t, line{"read", "*", true}, line{"write", "a", false}, line{"read", "/etc/*", false})
	for _, kind := range []subject.Kind{subject.Patch, subject.Patch + 1, 255} {
		decides, doubted := rs.For("read").First(&subject.Subject{Kind: kind, Text: "a"})
		assert.Equal(t, [2]int{-1, 2}, [2]int{decides, doubted}, "%v", kind)
		decides, doubted = rs.For("other").First(&subject.Subject{Kind: kind, Text: "a"})
		assert.Equal(t, [2]int{-1, -1}, [2]int{decides, doubted}, "%v", kind)
	}
}

func TestListsOfOtherNamesAreBounded(t *testing.T) {
	rs, _ := rules(t, line{"read", "src/*", true}, line{"*", "*", false})
	for i := range 10 * maxNames {
		rs.For(fmt.Sprint("tool", i))
	}
	assert.LessOrEqual(t, len(rs.lists.other.Load().all()), maxNames)
}

// Where there are many names and many wildcards, not every list is made
// beforehand, and those that are not answer alike.
func TestListsMadeBeforehandAreBounded(t *testing.T) {
	var lines []line
	for i := range 400 {
		lines = append(lines, line{fmt.Sprint("tool", i), fmt.Sprint("own", i), true}, line{"t*", fmt.Sprint("all", i), true})
	}
	rs, r := rules(t, lines...)
	assert.Less(t, len(rs.lists.named.all()), 50)
	for i := range 400 {
		for want, path := range map[int]string{2 * i: fmt.Sprint("own", i), 799: "all399"} {
			ss, err := r.Subjects(subject.Path, path, "")
			require.NoError(t, err)
			decides, _ := rs.For(fmt.Sprint("tool", i)).First(&ss[0])
			assert.Equal(t, want, decides)
		}
	}
}
