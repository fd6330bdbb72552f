package subject

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repeat joins n numbered copies of a part of JSON.
func repeat(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// More subjects than anybody can look at, or more text, is refused; just as
// many are not.
func TestLimits(t *testing.T) {
	r := on(t, "linux", Tool{Names: []string{"mine"}, Kind: Text, Required: []string{"a"}})
	for _, c := range []struct {
		tool, input string
		fine        bool
	}{
		{"read", `{"path":[` + repeat(4096, `"f%d"`) + `]}`, true},
		{"read", `{"path":[` + repeat(4097, `"f%d"`) + `]}`, false},
		{"other", `{"a":[` + repeat(4096, `%d`) + `]}`, true},
		{"other", `{"a":[` + repeat(4097, `%d`) + `]}`, false},
		{"other", `{` + repeat(4097, `"path%d":"x"`) + `}`, false},
		{"other", `{` + repeat(2048, `"k.%d":{"url":"x"}`) + `}`, true},
		{"other", `{` + repeat(2049, `"k.%d":{"url":"x"}`) + `}`, false},
		{"other", `{"url":[` + repeat(4097, `"%d"`) + `]}`, false},
		{"multi_edit", `{"edits":[` + repeat(4097, `{"path":"f%d"}`) + `]}`, false},
		{"webfetch", `{"urls":[` + repeat(4097, `"https://a.test/%d"`) + `]}`, false},
		{"webfetch", `{"urls":[` + repeat(2049, `"file:///%d"`) + `]}`, false},
		{"apply_patch", `{"patch":"` + strings.Repeat(`*** Add File: a\n`, 4096) + `"}`, true},
		{"apply_patch", `{"patch":"` + strings.Repeat(`*** Add File: a\n`, 4097) + `"}`, false},
		{"apply_patch", `{"patch":"` + strings.Repeat(`+++ a\n`, 4097) + `"}`, false},
		{"apply_patch", `{"patch":"*** Add File: a\n` + strings.Repeat(`+x\n`, 1<<20) + `"}`, true},
		{"apply_patch", `{"patch":"*** Add File: a\n*** Add File: b\n` + strings.Repeat(`+x\n`, 1<<20) + `"}`, true},
		{"glob", `{"path":[` + repeat(65, `"d%d"`) + `],"pattern":["{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}"]}`, false},
		{"glob", `{"path":[` + repeat(64, `"d%d"`) + `],"pattern":["{a,b,c,d,e,f,g,h}{a,b,c,d,e,f,g,h}"]}`, true},
		{"glob", `{"path":[` + repeat(4000, `"d%d"`) + `],"pattern":[` + repeat(4000, `"%d"`) + `]}`, false},

		// One text may be longer, several together may not.
		{"mine", `{"a":"` + long(2<<20) + `"}`, true},
		{"mine", `{"a":["` + long(2<<20) + `","x"]}`, false},
		{"mine", `{"a":["` + long(1<<19) + `","` + long(1<<19) + `"]}`, true},
		{"mine", `{"a":["` + long(1<<19) + `","` + long(1<<19) + `x"]}`, false},
		{"other", `{"a":"` + long(1<<19) + `","b":["` + long(1<<19) + `x"]}`, false},
		{"glob", `{"path":"` + strings.Repeat("a/../", 1<<18) + `","pattern":["a","b"]}`, false},
		{"bash", `{"command":"` + long(2<<20) + `"}`, true},
	} {
		_, err := r.Read(c.tool, "", []byte(c.input))
		if c.fine {
			assert.NoError(t, err, "%s %s", c.tool, short(c.input))
		} else {
			assert.ErrorContains(t, err, "touches too many things", "%s %s", c.tool, short(c.input))
		}
	}
}

// The limits hold while a call is read, not only behind it: what a few lists
// multiply to does not fit into any memory.
func TestLimitsHoldWhileReading(t *testing.T) {
	c := call{reader: on(t, "linux")}
	for range maxSubjects {
		require.NoError(t, c.add(Text, ""))
	}
	assert.Equal(t, errTooMany, c.add(Text, ""))

	c = call{reader: on(t, "linux")}
	require.NoError(t, c.add(Text, long(maxTexts+1)))
	assert.Equal(t, errTooMany, c.add(Path, "a"))
}

func TestLongCommandLines(t *testing.T) {
	for n, known := range map[int]bool{64 << 10: true, 64<<10 + 1: false} {
		ss, err := on(t, "linux").Subjects(Command, "echo "+long(n-5), "")
		require.NoError(t, err)
		assert.Equal(t, known, ss[0].Unknown == "", n)
	}
}

func TestLongURLs(t *testing.T) {
	const start = "https://a.test/"
	for n, known := range map[int]bool{64 << 10: true, 64<<10 + 1: false} {
		ss, err := on(t, "linux").Subjects(URL, start+long(n-len(start)), "")
		require.NoError(t, err)
		assert.Equal(t, known, ss[0].Unknown == "", n)
	}
}

// heavy makes inputs of about n bytes that give the reader much to do.
var heavy = map[string]func(n int) (tool, input string){
	"path": func(n int) (string, string) { return "read", `{"path":"` + strings.Repeat("a/../", n/5) + `"}` },
	"proc": func(n int) (string, string) {
		return "read", `{"path":"` + strings.Repeat("/proc/self/root", n/15) + `"}`
	},
	"file": func(n int) (string, string) {
		return "read", `{"path":"file:///` + strings.Repeat("%2e%2e/", n/7) + `#"}`
	},
	"glob":   func(n int) (string, string) { return "glob", `{"pattern":"` + strings.Repeat("**/../", n/6) + `"}` },
	"braces": func(n int) (string, string) { return "glob", `{"pattern":"` + strings.Repeat("{a,b}", n/5) + `"}` },
	"url": func(n int) (string, string) {
		return "webfetch", `{"url":"https://a.test/` + strings.Repeat("%252e%252e/", n/11) + `"}`
	},
	"query": func(n int) (string, string) {
		return "webfetch", `{"url":"https://a.test/?` + strings.Repeat("%41", n/3) + `"}`
	},
	"slashes": func(n int) (string, string) {
		return "webfetch", `{"url":"https://a.test/` + strings.Repeat("/", n) + `"}`
	},
	"patch": func(n int) (string, string) {
		return "apply_patch", `{"patch":"` + strings.Repeat(`--- a\n`, n/7) + `"}`
	},
	"one line": func(n int) (string, string) {
		return "apply_patch", `{"patch":"*** Add File: ` + strings.Repeat(" ", n) + `x"}`
	},
	"breaks": func(n int) (string, string) {
		return "apply_patch", `{"patch":"*** Add File: a` + strings.Repeat(`\f`, n/2) + `"}`
	},
	"git": func(n int) (string, string) {
		return "apply_patch", `{"patch":"diff --git ` + strings.Repeat("a ", n/2) + `"}`
	},
	"names":     func(n int) (string, string) { return "read", `{"path":"a",` + repeat(n/12, `"_%d":1`) + `}` },
	"values":    func(n int) (string, string) { return "read", `{"path":"a","x":[` + numbers(n/2) + `]}` },
	"command":   func(n int) (string, string) { return "bash", `{"command":[` + repeat(n/10, `"%d"`) + `]}` },
	"text":      func(n int) (string, string) { return "other", `{"a":"` + long(n) + `"}` },
	"malformed": func(n int) (string, string) { return "other", strings.Repeat(`{"a":`, n/5) },
}

func BenchmarkRead(b *testing.B) {
	r := on(b, "linux")
	for name, makeInput := range heavy {
		for _, n := range []int{4 << 10, 64 << 10} { // the time for a byte stays what it is
			tool, input := makeInput(n)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(input)))
				for b.Loop() {
					_, _ = r.Read(tool, "", []byte(input))
				}
			})
		}
	}
	b.Run("everyday", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.Read("edit", "", []byte(`{"file_path":"src/main.go","old_string":"a","new_string":"b"}`)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
