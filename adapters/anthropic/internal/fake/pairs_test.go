package fake

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The history of the last message, which answers a call of read, a member of a
// toolset, and one that the API ran itself.
func history(answer ...Block) []Message {
	click := ToolUse("b", "click", `{}`)
	click.ToolsetName = "browser"
	return []Message{
		{Role: "user", Content: Blocks{Text("go")}},
		{Role: "assistant", Content: Blocks{
			ToolUse("refused", "read", `{}`), {Type: "fallback"},
			ToolUse("a", "read", `{}`), click, {Type: "server_tool_use", ID: "srv"},
		}},
		{Role: "user", Content: answer},
	}
}

func TestCheck(t *testing.T) {
	result := func(id, set string, failed bool, content ...Block) Block {
		return Block{Type: "tool_result", ToolUseID: id, ToolsetName: set, IsError: failed, Content: content}
	}
	a, b := result("a", "", false), result("b", "browser", true, Text("no"))
	picture := Block{Type: "image"}
	for name, c := range map[string]struct {
		history []Message
		want    string // empty where the API takes it
	}{
		"both":             {history(a, b), ""},
		"another order":    {history(b, a), ""},
		"text behind":      {history(a, b, Text("and then")), ""},
		"none":             {history(Text("and then")), "without `tool_result` blocks"},
		"one":              {history(a), "without `tool_result` blocks"},
		"no message":       {history()[:2], "without `tool_result` blocks"},
		"twice":            {history(a, b, a), "unexpected `tool_use_id`"},
		"one too many":     {history(a, b, result("c", "", false)), "unexpected `tool_use_id`"},
		"the API's own":    {history(a, b, result("srv", "", false)), "unexpected `tool_use_id`"},
		"who refused":      {history(a, b, result("refused", "", false)), "unexpected `tool_use_id`"},
		"text before":      {history(Text("first"), a, b), "must come first"},
		"without the set":  {history(a, result("b", "", false)), "toolset_name"},
		"empty text":       {history(result("a", "", false, Text("")), b), "non-empty"},
		"no type":          {history(result("a", "", false, Block{}), b), "must have a type"},
		"an empty error":   {history(result("a", "", true), b), "cannot be empty"},
		"a picture":        {history(result("a", "", false, picture), b), ""},
		"a picture failed": {history(result("a", "", true, picture), b), "must be type `text`"},
		"the same ID":      {append(history(a, b), history(a, b)[1:]...), "must be unique"},
		"too late":         {append(history(Text("wait"))[:3], Message{Role: "user", Content: Blocks{a, b}}), "without `tool_result` blocks"},
		"no user":          {history(a, b)[1:], "must use the \"user\" role"},
		"nothing":          {nil, "must use the \"user\" role"},
	} {
		err := check(c.history)
		if c.want == "" {
			assert.NoError(t, err, name)
			continue
		}
		assert.ErrorContains(t, err, c.want, name)
	}
}
