package glob

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expansions seed the fuzzers too.
var expansions = []struct {
	pattern string
	want    []string
}{
	{"", []string{""}},
	{"git push *", []string{"git push *"}},
	{"a,b", []string{"a,b"}},
	{"{a,b}", []string{"a", "b"}},
	{"x{a,b}y", []string{"xay", "xby"}},
	{"{a,b}{c,d}", []string{"ac", "ad", "bc", "bd"}},
	{"{a,}b", []string{"ab", "b"}},
	{"{,}", []string{"", ""}},
	{"{*,a}*", []string{"**", "a*"}},
	{"{é,日本}", []string{"é", "日本"}},

	{"{a,{b,c}d}", []string{"a", "bd", "cd"}},
	{"{{a,b},{c,d}}", []string{"a", "b", "c", "d"}},
	{"{{{a,b}}}", []string{`\{\{a\}\}`, `\{\{b\}\}`}},

	// Nobody chooses from one: {} and ${x} are what they are in a shell.
	{"{}", []string{`\{\}`}},
	{"{a}", []string{`\{a\}`}},
	{"find * -exec * {} +", []string{`find * -exec * \{\} +`}},
	{"echo ${x}", []string{`echo $\{x\}`}},
	{"{a{b,c}d}", []string{`\{abd\}`, `\{acd\}`}},
	{"{a,{b}}", []string{"a", `\{b\}`}},
	{"}", []string{`\}`}},
	{"a}b,c}", []string{`a\}b,c\}`}},
	{"{a,b}}", []string{`a\}`, `b\}`}},

	{`\{a,b\}`, []string{`\{a,b\}`}},
	{`{a\,b}`, []string{`\{a\,b\}`}},
	{`{a\,b,c}`, []string{`a\,b`, "c"}},
	{`{a\},b}`, []string{`a\}`, "b"}},
	{`{a\\,b}`, []string{`a\\`, "b"}},
	{`\é\*`, []string{`\é\*`}},

	{"[{]", []string{"[{]"}},
	{"[,}]", []string{"[,}]"}},
	{"{[,],b}", []string{"[,]", "b"}},
	{"{[}],[{]}", []string{"[}]", "[{]"}},
	{"{[!,],[,-}]}", []string{"[!,]", "[,-}]"}},
	{`{[\],],b}`, []string{`[\],]`, "b"}},

	{"[a-z]", []string{"[a-z]"}},
	{"[!a-z]", []string{"[!a-z]"}},
	{"[!!]", []string{"[!!]"}},
	{"[-a]", []string{"[-a]"}},
	{"[!-a]", []string{"[!-a]"}},
	{"[---]", []string{"[---]"}},
	{`[\-a]`, []string{`[\-a]`}},
	{`[a\-z0\-9]`, []string{`[a\-z0\-9]`}},
	{`[\^a]`, []string{`[\^a]`}},
	{"[!^]", []string{"[!^]"}},
	{"[[]", []string{"[[]"}},
	{"a]", []string{"a]"}},
}

func TestExpand(t *testing.T) {
	for _, tt := range expansions {
		got, err := Expand(tt.pattern)
		require.NoError(t, err, tt.pattern)
		assert.Equal(t, tt.want, got, tt.pattern)
	}
}

// refusals seed the fuzzers too. The offset is that of ^ in the mark below a
// pattern.
var refusals = []struct{ pattern, mark, reason string }{
	{"{a,b",
		"^", `"{" is never closed: write "\{" for the character`},
	{"{a,{b}",
		"^", `"{" is never closed`},
	{"a{b,{c",
		"    ^", `"{" is never closed`},
	{"é{a",
		"  ^", `"{" is never closed`}, // offsets count bytes
	{`{a,b\}`,
		"^", `"{" is never closed`},
	{"[",
		"^", `"[" is never closed: write "\[" for the character`},
	{"ab[cd",
		"  ^", `"[" is never closed`},
	{"[!",
		"^", `"[" is never closed`},
	{"[a-",
		"^", `"[" is never closed`},
	{"[a-z",
		"^", `"[" is never closed`},
	{`[a\]`,
		"^", `"[" is never closed`},
	{`[a\`,
		"^", `"[" is never closed`},
	{"{a,[}",
		"   ^", `"[" is never closed`},
	{"a[]",
		"  ^", `write "\[\]" for the two`},
	{"[!]",
		"  ^", `no characters`},
	{"x[^a]",
		"  ^", `write "[!", or "[\^" for the character`},
	{"[a-zA-Z]",
		"    ^", `write {[a-z],[0-9]} for several`},
	{"[z-a]",
		"   ^", "ends before it starts"},
	{`ab\`,
		"  ^", `"\" at the end: write "\\" for the character`},
	{`{a,\`,
		"   ^", `"\" at the end`},
	{"a\x00",
		" ^", "NUL"},
	{"[a\x00]",
		"  ^", "NUL"},
	{"\\\x00",
		" ^", "NUL"},
	{"a\xff",
		" ^", "not UTF-8"},
	{"[a\xff]",
		"  ^", "not UTF-8"},
	{"\\\xc3",
		" ^", "not UTF-8"},
}

func TestExpandRefuses(t *testing.T) {
	for _, tt := range refusals {
		got, err := Expand(tt.pattern)
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, "%q", tt.pattern)
		assert.Nil(t, got, "%q", tt.pattern)
		assert.Equal(t, strings.Index(tt.mark, "^"), syntax.Offset, "%q", tt.pattern)
		assert.Contains(t, syntax.Reason, tt.reason, "%q", tt.pattern)
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := Expand("cat [^.]*")
	assert.EqualError(t, err, `at offset 5: "[^" does not negate: write "[!", or "[\^" for the character`)
}

func TestExpandLimits(t *testing.T) {
	list := func(n int) string { return "{" + strings.Repeat("a,", n-1) + "a}" }
	nest := func(n int) string { return strings.Repeat("{", n) + "a" + strings.Repeat("}", n) }
	for name, tt := range map[string]struct {
		pattern string
		alts    int
		offset  int // of the error, where alts is 0
		reason  string
	}{
		"bytes, at the limit":          {pattern: strings.Repeat("a", MaxPattern), alts: 1},
		"bytes, above it":              {pattern: strings.Repeat("a", MaxPattern+1), offset: MaxPattern, reason: "longer than 4096 bytes"},
		"alternatives, at the limit":   {pattern: list(64), alts: 64},
		"alternatives, above it":       {pattern: "x" + list(65), offset: 1, reason: "more than 64 alternatives: write several rules"},
		"a product, at the limit":      {pattern: strings.Repeat("{a,b}", 6) + "c", alts: 64},
		"a product, above it":          {pattern: strings.Repeat("{a,b}", 7) + "c", offset: 30, reason: "more than 64 alternatives"},
		"a product within, above it":   {pattern: "{x," + strings.Repeat("{a,b}", 7) + "}", offset: 33, reason: "more than 64 alternatives"},
		"a sum within, above it":       {pattern: "{" + list(32) + "," + list(33) + "}", offset: 0, reason: "more than 64 alternatives"},
		"what gobwas takes 1.6 s for":  {pattern: strings.Repeat("{a,a}", 22) + "[c]", offset: 30, reason: "more than 64 alternatives"},
		"nesting, at the limit":        {pattern: nest(64), alts: 1},
		"nesting, above it":            {pattern: nest(65), offset: 64, reason: "nested deeper than 64"},
		"many braces without a choice": {pattern: strings.Repeat("{}", MaxPattern/2), alts: 1},
		"only opening braces":          {pattern: strings.Repeat("{", MaxPattern), offset: 64, reason: "nested deeper than 64"},
	} {
		t.Run(name, func(t *testing.T) {
			alts, err := Expand(tt.pattern)
			if tt.alts > 0 {
				require.NoError(t, err)
				assert.Len(t, alts, tt.alts)
				return
			}
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.Equal(t, tt.offset, syntax.Offset)
			assert.Contains(t, syntax.Reason, tt.reason)
		})
	}
}

func TestPlain(t *testing.T) {
	for pattern, want := range map[string]string{
		"":            "",
		"a*?b":        "a*?b",
		"{a,b}":       `\{a,b\}`,
		"{a,{b}}":     `\{a,\{b\}\}`,
		`\{a\}`:       `\{a\}`,
		`\\{`:         `\\\{`,
		"[{}]{é}":     `[{}]\{é\}`,
		"app/[id]/{}": `app/[id]/\{\}`,
	} {
		got := Plain(pattern)
		assert.Equal(t, want, got)
		alts, err := Expand(got)
		require.NoError(t, err)
		assert.Equal(t, []string{want}, alts)
	}
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "a", `\`, "*", "?", "[a]", "{a,b}", "[", "{", "}", "a-b,!^", "日 本"} {
		alts, err := Expand(Quote(s))
		require.NoError(t, err, s)
		require.Len(t, alts, 1, s)
		back, ok := Literal(alts[0])
		assert.True(t, ok, s)
		assert.Equal(t, s, back)
	}
}

func TestSplit(t *testing.T) {
	for alt, want := range map[string][]string{
		"":          {""},
		"a":         {"a"},
		"/":         {"", ""},
		"a/b":       {"a", "b"},
		"a//b/":     {"a", "", "b", ""},
		`a\/b/c`:    {`a\/b`, "c"},
		`a\\/b`:     {`a\\`, "b"},
		"[/]/b":     {"[/]", "b"},
		"[.-9]/b":   {"[.-9]", "b"},
		"é/*?/[!/]": {"é", "*?", "[!/]"},
	} {
		assert.Equal(t, want, Split(alt, '/'), alt)
	}
}

func TestLiteral(t *testing.T) {
	for alt, want := range map[string]string{
		"":           "",
		"git status": "git status",
		`\*\?\[\{é`:  "*?[{é",
		`\\`:         `\`,
		"a]-,!":      "a]-,!",
	} {
		got, ok := Literal(alt)
		assert.True(t, ok, alt)
		assert.Equal(t, want, got, alt)
	}
	for _, alt := range []string{"*", "a?", "[a]", `\\*`} {
		got, ok := Literal(alt)
		assert.False(t, ok, alt)
		assert.Empty(t, got, alt)
	}
}

func TestOtherCase(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		patterns   []string
	}{
		{"Bash", "bash", []string{"read", "{bash,shell}"}},
		{"Bash", "", []string{"bash", "{Bash,shell}"}},
		{"Bash", "", []string{"read", "*"}},
		{"Bash", "", []string{"{bash"}},
		{"Bash", "", nil},
	} {
		assert.Equal(t, tt.want, OtherCase(tt.patterns, tt.name), "%v", tt.patterns)
	}
}
