package subject

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameAsDecoder reports whether an input is read without a decoder. It fails
// where that is not as with one.
func sameAsDecoder(t *testing.T, input []byte) bool {
	t.Helper()
	v, ok := readFlat(input, make([]member, 2))
	if !ok {
		return false
	}
	want, err := new(decoders).parseAny(input)
	require.NoError(t, err, "%q", input)
	require.True(t, want.equal(&v), "%q: %+v", input, v)
	return true
}

// What is read without a decoder is read as with one.
func TestFlatInputsAreReadAsByADecoder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	value := func() string {
		switch r.IntN(3) {
		case 0:
			return pick("0", "7", "120000", "true", "false", "null", "-1", "01", "1.5", "1e3", "1E3", "00", "12a", "nul", "trues", "True", "NaN", "[]", "{}", `["x"]`, "", "x", "0x1", "12345678901234567890123")
		case 1:
			return `"` + pick("a", "ls", "") + pick(`\"`, `\\`, `\/`, `\n`, `\t`, `\b`, `\f`, `\r`, `\u0041`, `\ud800`, `\x`, `\`, "é", "\x00", "\x1f", "\x7f", "\x80", "\xff", "\n", `\é`, "\\\n", `\\\"`, `\"\`) + pick("b", "", `\"c`) + `"`
		}
		return `"` + pick("ls -la", "git diff --stat", "", "a/b.go", "{}", "[", ":,", "'", "//") + `"`
	}
	taken := 0
	for range 100_000 {
		var b strings.Builder
		b.WriteString(pick("{", "{", "{", "{", " {", "{ ", "", "[", "{,", "\n{\t"))
		for i := range r.IntN(5) {
			if i > 0 {
				b.WriteString(pick(",", ",", ",", ",", ", ", "\r\n,", "", ",,", ";"))
			}
			b.WriteString(pick(`"command"`, `"command"`, `"timeout"`, `"description"`, `"a"`, `"b"`, `"c"`, `"d"`, `""`, `"a\n"`, `"\u0061"`, `"é"`, "a", "1") + pick(":", ":", ":", ":", ": ", " :", "", "::", "=") + value())
		}
		b.WriteString(pick("}", "}", "}", "}", " }", "} \n", "", "]", ",}", "}}", "}x", "} {}", "}\x00"))
		if sameAsDecoder(t, []byte(b.String())) {
			taken++
		}
	}
	require.Greater(t, taken, 5000)
	for _, input := range []string{`{}`, `{"command":"ls"}`, `{"command":"git commit -m \"a\"","timeout":120000,"background":false,"x":null}`, " {\t\"a\" :\n\"b\"\r} "} {
		assert.True(t, sameAsDecoder(t, []byte(input)), input)
	}
	for _, input := range []string{``, `{"a":"b","a":"c"}`, `{"a":"é"}`, `{"a":{}}`, `{"a":"\u0041"}`, `{"a":"` + strings.Repeat("x", maxFlat) + `"}`, `{"a":1,}`, `{,"a":1}`, `{"a":1}{`} {
		assert.False(t, sameAsDecoder(t, []byte(input)), "%.60q", input)
	}
}

func FuzzFlat(f *testing.F) {
	for _, input := range []string{`{}`, `{"command":"git commit -m \"a\"","timeout":120000,"background":false,"x":null}`, `{"a":1,"a":2}`, ` {"a":"\\\n"} `} {
		f.Add([]byte(input))
	}
	f.Fuzz(func(t *testing.T, input []byte) { sameAsDecoder(t, input) })
}
