package visible

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":                         `""`,
		"git push":                 `"git push"`,
		"größer 日本 é":              `"größer 日本 é"`,
		`a"b\c`:                    `"a\"b\\c"`,
		"a\nb\x1b[2Kc":             `"a\nb\x1b[2Kc"`,
		"a\u202eb\u200bc\u00a0d":   `"a\u202eb\u200bc\u00a0d"`,
		"\u3164\u2800\ufe0f\u034f": `"\u3164\u2800\ufe0f\u034f"`,
		"a\xffb":                   "\"a\ufffdb\"",
		strings.Repeat("é", 197):   `"` + strings.Repeat("é", 197) + `"`,
		strings.Repeat("é", 198):   `"` + strings.Repeat("é", 120) + " [18 characters] " + strings.Repeat("é", 60) + `"`,
	} {
		assert.Equal(t, want, Quote(in))
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":          `""`,
		" ":         `" "`,
		"a b":       "a b",
		"a ":        `"a "`,
		`a"b\c`:     `a"b\c`,
		`"a"`:       `"\"a\""`,
		"a\nb":      `"a\nb"`,
		"a\n\\n":    `"a\n\\n"`,
		"é\u202e\"": `"é\u202e\""`,

		strings.Repeat("a", 200): strings.Repeat("a", 200),
	} {
		assert.Equal(t, want, Plain(in))
	}
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": "größer 日本"}` + "\n":      `{"a": "größer 日本"}` + "\n",
		"\"a\u202eb\u200bc\u009bd\x7f\"": `"a\u202eb\u200bc\u009bd\u007f"`,
		"\"\U000e0001\"":                 `"\udb40\udc01"`,
	} {
		got := JSON([]byte(in))
		assert.Equal(t, want, string(got))
		assert.JSONEq(t, in, string(got))
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("a\u202eb")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		assert.False(t, strings.ContainsFunc(q, hidden))
		assert.True(t, utf8.ValidString(q))
		assert.Less(t, len(q), 12*maxShown, "bounded, even if every character is escaped")
	})
}
