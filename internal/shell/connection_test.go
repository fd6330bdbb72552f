package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// For bash some files are connections, and reading one opens it.
func TestConnections(t *testing.T) {
	opens := func(p shell.Part) bool { return p.Kind == shell.Write && !p.Free }
	for _, line := range []string{
		`cat < /dev/tcp/localhost/1`, `cat < "/dev/tcp/$h"`, `cat < /dev/tcp/$h/80`, `cat < /dev/tcp/localhost/$$`, `cat < /dev/$x/localhost/1`,
		`cat < "$f"`, `cat < $f`, `cat < "$1"`, `cat < "$d/localhost/1"`, `cat < "$d/1"`, `cat < "$d/http"`, `cat < /dev/tcp/a?/1`,
		`cat < /d$x`, `cat < "/dev/ud$x/1"`, `read x < "$(echo /dev/tcp/a/1)"`, `x=$(< $f)`, `{ ls >&0; } < "/dev/tcp/$h"`,
		`while read l; do ls; done < "$f"`, `d=/dev/tcp; cat < $d/$h/1`, `for f in /dev/tcp/a/1; do cat < $f; done`,
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), opens), "%q: %v", line, said(config(), line))
	}
	for _, line := range []string{
		`cat < f`, `cat < /etc/$x`, `cat < "$d/f.txt"`, `cat < "$d/a.b/c.d"`, `cat < ./$x`, `cat < x$f`, `cat < *.txt`, `cat < /dev/shm/$f`, `cat < /tmp/$$`,
		`for f in *.txt; do while read -r l; do ls; done < "$f"; done`, `for f in a b; do wc -l < "$f"; done`, `cat < <(ls)`, `cat < ~/$x`,
		`f=a/b; cat < "$f"`, `cat < "$(mktemp)"`, `cat < /dev/fd/$x`, `cat < "$HOME/1"`, `cat <<< "$f"`,
	} {
		assert.False(t, slices.ContainsFunc(config().Read(line), opens), "%q: %v", line, said(config(), line))
	}
}
