package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// write builds a text of parts, each a string or a Hole.
func write(parts ...any) Text {
	var b Builder
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case Hole:
			b.WriteHole(p)
		}
	}
	return b.Text()
}

// collect returns what All yields, in order.
func collect(t Text) (parts []any) {
	for r, h := range t.All() {
		if h != 0 {
			parts = append(parts, h)
		} else {
			parts = append(parts, r)
		}
	}
	return parts
}

func TestAll(t *testing.T) {
	for name, tt := range map[string]struct {
		text  Text
		want  []any
		shown string
		known string
		whole bool
	}{
		"zero value":          {text: Text{}, whole: true},
		"empty builder":       {text: write(), whole: true},
		"no hole":             {text: Of("aé"), want: []any{'a', 'é'}, shown: "aé", known: "aé", whole: true},
		"unknown":             {text: Unknown(), want: []any{Any}, shown: "…"},
		"hole at the start":   {text: write(Name, "a"), want: []any{Name, 'a'}, shown: "…a", known: "a"},
		"hole at the end":     {text: write("a", Args), want: []any{'a', Args}, shown: "a…", known: "a"},
		"hole between":        {text: write("é", Word, "b"), want: []any{'é', Word, 'b'}, shown: "é…b", known: "éb"},
		"holes side by side":  {text: write("a", Digits, Any, "b"), want: []any{'a', Digits, Any, 'b'}, shown: "a……b", known: "ab"},
		"known in two pieces": {text: write("a", "b"), want: []any{'a', 'b'}, shown: "ab", known: "ab", whole: true},
		// The bytes of a character may come from two sources with a hole in
		// between, and the hole must not get lost between them.
		"hole in a character": {text: write("\xc3", Any, "\xa9"), want: []any{'�', Any, '�'}, shown: "�…�", known: "é"},
		"not UTF-8":           {text: Of("\xff"), want: []any{'�'}, shown: "�", known: "\xff", whole: true},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, collect(tt.text))
			assert.Equal(t, tt.shown, tt.text.String())
			known, whole := tt.text.Known()
			assert.Equal(t, tt.known, known)
			assert.Equal(t, tt.whole, whole)
		})
	}
}

func TestAllStops(t *testing.T) {
	for stop := 1; stop <= 3; stop++ {
		n := 0
		for range write("a", Any, "b").All() {
			if n++; n == stop {
				break
			}
		}
		assert.Equal(t, stop, n)
	}
}

// A text that was handed out must not change when its builder goes on.
func TestBuilderGoesOn(t *testing.T) {
	var b Builder
	b.WriteString("a")
	b.WriteHole(Any)
	first := b.Text()
	b.WriteHole(Word)
	b.WriteString("b")
	assert.Equal(t, []any{'a', Any}, collect(first))
	assert.Equal(t, []any{'a', Any, Word, 'b'}, collect(b.Text()))
}

func TestForms(t *testing.T) {
	var all Form
	for _, f := range []Form{Whole, Inside, Host, Link, WriteWhole, WriteInside, ReadWhole, ReadInside} {
		assert.Zero(t, all&f, "forms are bits of their own")
		all |= f
	}
	assert.Equal(t, Every, all)
}
