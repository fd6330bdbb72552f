package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Inside parentheses bash ends a here-document at a line that only starts with
// the delimiter, if a parenthesis follows on it.
func TestDocumentsThatEndEarly(t *testing.T) {
	for _, line := range []string{
		"git commit -m \"$(cat <<'EOF'\nfix\nEOF rm p; echo \")\"\nEOF\n)\"",
		"echo \"$(cat <<'EOF'\nEOF rm p)\"\nEOF\n)\"",
		"echo \"$(cat <<EOF\nEOF rm p)\"\nEOF\n)\"",
		"echo \"$(cat <<\\E\nE rm p)\"\nE\n)\"",
		"echo \"$(cat <<'E F'\nE F rm p)\"\nE F\n)\"",
		"echo \"$(cat <<$'E'\nE rm p)\"\nE\n)\"",
		"echo $(cat <<END_OF_MESSAGE\nEND_OF_MESSAGErm p)\nEND_OF_MESSAGE\n)",
		"echo $(cat <<-E\n\t\tE rm p)\n\tE\n)",
		"echo $(cat <<E\nE \\\nrm p)\nE\n)",
		"echo ${x:-$(cat <<E\nE rm p)}\nE\n)}",
		"[ \"$(cat <<E\nE rm p)\" ]\nE\n)\" ]",
		"echo $(a) $(cat <<E\nE rm p)\nE\n)",
		"echo $( (cat <<E) )\nE rm p))\nE\n",
		"echo $(for x in a; do cat <<E\nE done; rm p)\nE\ndone)",
		"echo $(cat <<E || true\nE rm p)\nE\n)",
		"cat <(cat <<E\nE) <(rm p)\nE\n)",
		"cat <<< \"$(cat <<E\nE rm p)\"\nE\n)\"",
		"eval 'echo $(cat <<E\nE rm p)\nE\n)'",
		"bash <<'X'\necho $(cat <<E\nE rm p)\nE\n)\nX",
		"x=$(cat <<E\nE rm p)\nE\n)",
		"cat <<X\n$(cat <<E\nE rm p)\nE\n)\nX",
		"cat <<A $(cat <<B\nB rm p)\nB\n)\nA",
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
	for _, line := range []string{
		"git commit -m \"$(cat <<'EOF'\nfix: x (y)\n\nEnd of file (EOF) is\nread; once. EOF)\nEOF\n)\"",
		"git commit -m \"$(cat <<'EOF'\nEOF is the end\nEOF\n)\"",
		"cat <<E\nE rm p)\nE",
		"(cat <<E\nE rm p)\nE\n)",
		"echo \"`cat <<E\nE rm p)\nE\n`\"",
	} {
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q: %v", line, said(config(), line))
	}
}
