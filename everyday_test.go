package permission_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

// stricter are the calls of a working day that should run and do not, by what
// holds them up. Each is a price; none may become a call that runs and should
// not.
var stricter = map[string][]string{
	// The rules say so: the words that they look for stand in the call, or they
	// name no program of that kind.
	"the rules": {
		"ci-grep-env-word", "ci-rm-two", "ci-rm-tmp", "ci-mktemp", "blk-grep-ssh-doc", "blk-rm-abs-root", "blk-python-stdin", "blk-bash-heredoc",
	},
	// Alone they are judged like any other command.
	"a neutral command alone": {"ci-pwd", "ci-cd-only", "ci-test-f", "ci-command-v"},
	// An assignment that is not known to be harmless has to stand in a rule.
	"an assignment": {"ci-go-golden", "ci-go-goflags", "ci-node-options"},
	// A name that is known only when the line runs may be .env, or -exec.
	"words from a program": {
		"ci-go-test-list", "ci-grep-pipeline", "ci-xargs-grep", "ci-xargs-sed", "ci-find-exec-grep", "ci-while-read", "ci-wc-subst",
		"blk-while", "blk-find-exec",
	},
	// So may what a variable holds.
	"a variable": {"blk-curl-data-var"},
	// A program in a directory that is known only when the line runs.
	"a program": {"ci-lint-gopath", "ci-cd-toplevel", "blk-var-tool"},
}

// What policies for a working day say of its calls. None is answered more
// mildly than it should be; how many are answered more strictly is counted.
func TestEverydayCallsAreNoMilderThanTheyShouldBe(t *testing.T) {
	known := make(map[string]string)
	for why, ids := range stricter {
		for _, id := range ids {
			known[id] = why
		}
	}
	calls := 0
	for _, name := range []string{"ci-allowlist", "blocklist"} {
		file := filepath.Join("testdata", "everyday", name+".toml")
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		p, err := permission.ParseManifest(file, data, &permission.Options{Root: "/srv/proj", Home: "/home/u", GOOS: "linux"})
		require.NoError(t, err)
		for _, c := range corpus(t, "everyday/"+name+".jsonl") {
			calls++
			want, err := permission.ParseAction(c.Call.Want)
			require.NoError(t, err)
			d := p.Evaluate(permission.ToolCall{Name: c.Call.Tool, Input: c.Call.Input})
			why, listed := known[c.ID]
			assert.LessOrEqual(t, d.Action, want, "%s is milder: %+v", c.ID, d)
			switch short := want == permission.Allow && d.Action < want; {
			case short && !listed:
				t.Errorf("%s is %v, and should be allowed: %v %q: %s", c.ID, d.Action, d.Cause, d.Subject.Text, d.Detail)
			case !short && listed:
				t.Errorf("%s is allowed now: strike it from the list (%s)", c.ID, why)
			}
			delete(known, c.ID)
		}
	}
	assert.Empty(t, known, "no such calls")
	assert.Greater(t, calls, 300)
	count := 0
	for _, ids := range stricter {
		count += len(ids)
	}
	assert.LessOrEqual(t, count, 28)
}
