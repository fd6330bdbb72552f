package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTools(t *testing.T) {
	inDir(t, map[string]string{"m.toml": `
[permissions]
default_action = "deny"
[[permissions.tool]]
name = "mcp__files__*"
kind = "path"
arguments = ["target"]
optional = ["also"]
`})
	var out, err strings.Builder
	assert.Equal(t, 0, run([]string{"tools", "-manifest", "m.toml"}, nil, &out, &err), err.String())
	text := out.String()
	assert.True(t, strings.HasPrefix(text, "mcp__files__* (declared)\n\tpath    target, required\n\tpath    also\n"), text)
	for _, part := range []string{
		"bash, Bash, ", "command or cmd, required", "workdir or cwd", "with_escalated_permissions",
		"edits (a list), path or file_path", "default .", "a pattern for files below the path",
		"url     url", "patch   patch or input", "only as where the pattern starts", "at least one of these",
		"free    prompt: may name anything",
	} {
		assert.Contains(t, text, part)
	}

	out.Reset()
	assert.Equal(t, 0, run([]string{"tools"}, nil, &out, &err))
	assert.NotContains(t, out.String(), "declared")
	assert.Equal(t, exitError, run([]string{"tools", "x"}, nil, &out, &err))
	assert.Equal(t, exitError, run([]string{"tools", "-manifest", "none.toml"}, nil, &out, &err))
}
