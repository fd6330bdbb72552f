package permission_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

func TestAReplyIsReadStrictly(t *testing.T) {
	for in, want := range map[string]permission.Reply{
		`{"answer":"reject"}`:                            {},
		`{"id":"a","answer":"once","message":"x"}`:       {ID: "a", Answer: permission.Once, Message: "x"},
		`{"future":[1],"answer":"always","id":"\u0061"}`: {ID: "a", Answer: permission.Always},
	} {
		var r permission.Reply
		require.NoError(t, json.Unmarshal([]byte(in), &r), in)
		assert.Equal(t, want, r)
	}
	for _, in := range []string{
		`{}`, `{"answer":null}`, `{"answer":1}`, `{"answer":"yes"}`, `{"answer":"Once"}`, `{"Answer":"once"}`, `[]`, `"once"`,
		`{"answer":"reject","answer":"always"}`, `{"answer":"reject","Answer":"always"}`, `{"an\u017fwer":"always"}`,
		`{"answer":"reject","an\u017fwer":"always"}`, `{"id":"a","ID":"b","answer":"once"}`,
		`{"ID":"b","answer":"once"}`, `{"id":5,"answer":"once"}`, `{"answer":"once","message":7}`, `{"answer":"once","Message":"x"}`, `null`,
	} {
		r := permission.Reply{ID: "before"}
		assert.Error(t, json.Unmarshal([]byte(in), &r), in)
		assert.Equal(t, permission.Reply{ID: "before"}, r)
	}
}

func TestWordsRoundTrip(t *testing.T) {
	for v := range 32 {
		a, c, k := permission.Action(v), permission.Cause(v), permission.Kind(v)
		for _, word := range []interface {
			MarshalText() ([]byte, error)
			String() string
		}{a, c, k, permission.Answer(v)} {
			if text, err := word.MarshalText(); err == nil {
				assert.Equal(t, word.String(), string(text))
			}
		}
		if text, err := c.MarshalText(); err == nil {
			var back permission.Cause
			require.NoError(t, back.UnmarshalText(text))
			assert.Equal(t, c, back)
		}
	}
	var a permission.Action
	assert.Error(t, a.UnmarshalText([]byte("Allow")))
	assert.Error(t, a.UnmarshalText(nil))
}
