package shell_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/shell"
)

// words returns the words of all texts in the sources of this package: among
// them are the names of all programs that it knows.
func words(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	all := map[string]bool{"prog": true, "go": true, "npm": true}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				require.NoError(t, err)
				for _, word := range strings.Fields(s) {
					all[strings.Trim(word, `"'`)] = true
				}
			}
			return true
		})
	}
	return all
}

// operands are what a program, or a built-in of a shell, may run something for.
var operands = strings.Split(`
 x
 -x
 -c x
 -v x
 x y
 - x
 -- x
 5 x
 -i x y
 a=b x
 a:b
 -n 5 rm x
 run rm x
 exec a -- rm x
 -x rm y
 -X rm y
 -e rm y
 -E rm y
 -c rm y
 -C rm y
 -p rm y
 -F rm y
 -s rm y
 -r rm y
 -t rm y
 -a rm=y
 -vrm y
 -prm y
 -xp rm y
 +x rm y
 -- -x rm y
 -n -x rm y
 -l -x rm y
 --command rm y
 --command=rm y
 --exec rm y
 --exec=rm y
 -i -- rm y
 1 rm y
 a@b rm y
 @x rm
 PATH
 x PATH
 -r PATH
 -p PATH 1
 -v PATH y
 -vPATH y`, "\n")

// A line that is simple is read as it stands, whatever it is about.
func TestSimpleLinesAreReadAsTheyStand(t *testing.T) {
	simple := 0
	names := words(t)
	for name := range words(t) {
		names["git "+name] = true
	}
	for name := range names {
		for _, args := range operands {
			line := name + args
			if !shell.Simple(line) {
				continue
			}
			simple++
			for _, c := range []shell.Config{{}, {Posix: true}, {Zsh: true}, config()} {
				if c.Zsh && slices.Contains([]string{"cd", "pushd", "shift", "unset"}, name) {
					continue // what they change otherwise ends with the line
				}
				parts := c.Read(line)
				if c.Posix && len(parts) == 2 && assert.Equal(t, parts[0], parts[1]) {
					parts = parts[:1] // it is read in two ways
				}
				require.Len(t, parts, 1, line)
				p := parts[0]
				assert.Equal(t, shell.Command, p.Kind, line)
				assert.False(t, p.Free, line)
				assert.Empty(t, p.Unknown, line)
				assert.Empty(t, p.Wide, line)
				assert.Equal(t, line, p.Source)
				require.Len(t, p.Narrow, 1, line)
				known, whole := p.Narrow[0].Known()
				assert.True(t, whole)
				assert.Equal(t, line, known)
			}
		}
	}
	assert.Greater(t, simple, 9000)
	for _, line := range []string{"", " ", "prog ", " prog", "prog  x", "prog\tx", "prog\nx", "./prog", "a=b", "a=b prog", "prog $x", "prog a=b", "prog -x a=", "prog 'x'", "prog *", "prog ~", "%1 x",
		"if x", "time x", "rm x; y", "git -C x push", "sudo rm x", "npm x build", "jobs -x rm y", "hash -p rm y", "printf -v PATH y", "read PATH", "getopts x PATH", "wait -p PATH", "repeat 2 rm x", "- rm x", "chdir x", "setopt x", "print -z x", "r", "disable rm", "end", "prog " + strings.Repeat("x", 64<<10)} {
		assert.False(t, shell.Simple(line), "%.40q", line)
	}
	for _, line := range []string{"prog", "go test ./...", "ls -la src", "rm -rf build", "make -j4 all", "cat a.txt b.txt", "go test -run=X --count=1", "git diff --stat=80 x", "npm run build"} {
		assert.True(t, shell.Simple(line), line)
	}
}
