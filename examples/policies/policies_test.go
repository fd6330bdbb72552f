package policies_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/lint"
)

// Every file loads wherever it is used, which runs its examples and tests, and
// lint finds no fault in it. The README has a line for each.
func TestPolicies(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)

	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			assert.Contains(t, string(readme), "(examples/policies/"+file+")")
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, o := range []permission.Options{
				{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"},
				{Root: "/Users/u/proj", Home: "/Users/u", GOOS: "darwin"},
				{Root: "/tmp/proj", Home: "/root", GOOS: "linux"},
			} {
				checks, err := permission.CheckManifest(file, data, &o)
				require.NoError(t, err)
				examples := slices.IndexFunc(checks, func(c permission.Check) bool { return strings.HasPrefix(c.Name, "test ") })
				assert.Positive(t, examples, "no examples, or no tests")
				for _, c := range checks {
					assert.True(t, c.Passed(), "%s:%d: %s: got %s, want %s: %s", file, c.Line, c.Name, c.Got, c.Want, c.Why)
				}

				p, err := permission.ParseManifest(file, data, &o)
				require.NoError(t, err)
				for _, f := range lint.Policy(p) {
					assert.Equal(t, lint.Advice, f.Level, "%v", f)
				}
			}
		})
	}
}
