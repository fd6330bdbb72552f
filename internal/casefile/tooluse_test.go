package casefile_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/casefile"
)

func TestToolUses(t *testing.T) {
	tests := []struct {
		line    string
		want    casefile.ToolUse
		mention string
	}{
		{line: `{"type":"tool_use","id":"a","name":"bash","input":{"command":"ls"},"cache_control":null}`,
			want: casefile.ToolUse{ID: "a", Name: "bash", Input: []byte(`{"command":"ls"}`)}},
		{line: `{"tool":"bash","input":"ls","want":"deny"}`,
			want: casefile.ToolUse{Name: "bash", Input: []byte(`"ls"`)}},
		{line: `{"type":"text","text":"hello"}`, mention: `"type" is "text"`},
		{line: `{"name":"bash","tool":"bash","input":{}}`, mention: `want "name"`},
		{line: `{"input":{}}`, mention: `want "name"`},
		{line: `{"name":"bash"}`, mention: `"input" is missing`},
		{line: `{"name":"bash","Input":{}}`, mention: `name "Input": want "input"`},
		{line: `{"name":"bash","Input":{"command":"rm x"},"input":{"command":"ls"}}`, mention: `name "Input": want "input"`},
		{line: `{"name":"bash","input":{},"input":{}}`, mention: "occurs twice"},
		{line: `{"name":7,"input":{}}`, mention: `"name": got a JSON number`},
		{line: `nonsense`, mention: "not a JSON object"},
	}
	for _, tt := range tests {
		n := 0
		for use, err := range casefile.ToolUses(strings.NewReader("\n" + tt.line + "\n")) {
			n++
			if tt.mention == "" {
				assert.NoError(t, err)
				assert.Equal(t, tt.want, use)
				continue
			}
			assert.ErrorContains(t, err, "line 2: ")
			assert.ErrorContains(t, err, tt.mention)
		}
		assert.Equal(t, 1, n, tt.line)
	}
}

func TestToolUsesGoesOnAfterABadLine(t *testing.T) {
	var got []string
	for use, err := range casefile.ToolUses(strings.NewReader("x\n" + `{"name":"a","input":{}}` + "\nx\n")) {
		if err == nil {
			got = append(got, use.Name)
		} else {
			got = append(got, "error")
		}
	}
	assert.Equal(t, []string{"error", "a", "error"}, got)
}
