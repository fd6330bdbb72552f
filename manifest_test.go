package permission_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

var testOptions = permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"}

func TestManifestCases(t *testing.T) {
	data, err := os.ReadFile("testdata/manifests.jsonl")
	require.NoError(t, err)
	cases := 0
	for scan := bufio.NewScanner(bytes.NewReader(data)); scan.Scan(); cases++ {
		var c struct {
			ID       string `json:"id"`
			Manifest string `json:"manifest"`
			Base64   []byte `json:"manifest_b64"`
			Want     string `json:"want"`
			Note     string `json:"note"`
			// want_warning is what lint says of a manifest that loads.
		}
		require.NoError(t, json.Unmarshal(scan.Bytes(), &c))
		t.Run(c.ID, func(t *testing.T) {
			if c.Base64 == nil {
				c.Base64 = []byte(c.Manifest)
			}
			p, err := permission.ParseManifest("policy.toml", c.Base64, &testOptions)
			t.Log(err)
			if c.Want == "ok" {
				require.NoError(t, err, c.Note)
				assert.True(t, p.Enabled())
				return
			}
			mention, ok := strings.CutPrefix(c.Want, "error mentioning ")
			require.True(t, ok, "want: %q", c.Want)
			require.ErrorContains(t, err, mention, c.Note)
			assert.Nil(t, p)
		})
	}
	require.NotZero(t, cases, "no case was read")
}
