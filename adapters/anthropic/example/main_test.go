package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/adapters/anthropic/internal/fake"
)

var update = flag.Bool("update", false, "write testdata/*.txt anew")

type approver permission.Answer

func (a approver) Approve(context.Context, permission.Request) (permission.Reply, error) {
	return permission.Reply{Answer: permission.Answer(a)}, nil
}

type nobody struct{}

func (nobody) Approve(context.Context, permission.Request) (permission.Reply, error) {
	return permission.Reply{}, permission.ErrNoApprover
}

// What the program prints, where nobody can be asked and where somebody
// agrees. The API has taken every history on the way.
func TestOutput(t *testing.T) {
	for name, a := range map[string]permission.Approver{
		"nobody.txt": nobody{},
		"yes.txt":    approver(permission.Once),
	} {
		t.Run(name, func(t *testing.T) {
			work, err := furnish(t.TempDir())
			require.NoError(t, err)
			server := fake.New(fake.Script(script()...))
			defer server.Close()
			var out bytes.Buffer
			require.NoError(t, play(t.Context(), &agent{client: server.Client(), model: "fake", out: &out}, work, a, "Say hello."))
			require.Len(t, server.History(), 2*len(script())-1, "the script was played to its end")

			golden := filepath.Join("testdata", name)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), out.String())
			assert.NotContains(t, out.String(), "none of")
			data, err := os.ReadFile(filepath.Join(work, "main.go"))
			require.NoError(t, err)
			assert.Contains(t, string(data), "hello, world")
		})
	}
}
