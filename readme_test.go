package permission_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// The README shows what is tested: its first manifest is the file that the
// example loads, its Go the body of that example, and its text what that
// prints. The errors that it quotes are those of such a file.
func TestReadme(t *testing.T) {
	readme := read(t, "README.md")
	example := read(t, "example_test.go")

	assert.Equal(t, strings.TrimSpace(read(t, "testdata/readme.toml")), block(t, readme, "toml", 0))

	code := regexp.MustCompile(`(?m)^`).ReplaceAllString(block(t, readme, "go", 0), "\t")
	assert.Contains(t, example, code)

	output := regexp.MustCompile(`(?m)^`).ReplaceAllString(block(t, readme, "", 0), "\t// ")
	assert.Contains(t, example, output)

	_, err := permission.ParseManifest("agent.toml", []byte(`[permissions]
default_action = "ask"
[[permissions.rule]]
tool = "bash"
pattern = "ls *"
action = "allow"

# ---
[[permissions.rule]]
tool = "bash"
pattern = "rm *"
action = "block"

[[permissions.rule]]
tool = "bash"
pattern = "cat {a,b"
action = "allow"
`), linux())
	require.Error(t, err)
	assert.Equal(t, block(t, readme, "", 1), err.Error())
}

// Links lead to files that are there.
func TestLinksOfTheReadmeLead(t *testing.T) {
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(read(t, name), -1) {
			_, err := os.Stat(m[1])
			assert.NoError(t, err, "%s: %s", name, m[1])
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// block returns the nth fenced block of a language.
func block(t *testing.T, text, language string, n int) string {
	t.Helper()
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)\n```$").FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			found = append(found, m[2])
		}
	}
	require.Greater(t, len(found), n)
	return found[n]
}
