package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Options that words become only when the line runs, and variables of the shell
// that it reads as arithmetic.
func TestHiddenOptions(t *testing.T) {
	for _, line := range []string{
		`v=-v; printf $v 'a[$(rm p)]' x`,
		`printf "${v:--v}" 'a[$(rm p)]' x`,
		`for x in -v; do printf $x 'a[$(rm p)]' x; done`,
		`printf "$(printf %s -v)" 'a[$(rm p)]' x`,
		`echo '-v a[$(rm${IFS}p)] x' | while read x; do printf $x; done`,
		`printf $(echo -vPATH) .; ls x`,
		`for x in -vy; do printf $x 'a[$(rm p)]'; done; echo $((y))`,
		`read -a"$x" y`,
		`test $(echo -v 'a[$(rm${IFS}p)]')`,
		`[ "$(echo -v)" "$(echo 'a[$(rm p)]')" ]`,
		`read x y <<< '-v a[$(rm${IFS}p)]'; [ $x $y ]`,
		`read x y <<< '-v a[$(rm${IFS}p)]'; test "$x" "$y"`,
		`read x <<< 'y -o -v a[$(rm${IFS}p)]'; [ -f $x ]`,
		`read RANDOM <<< 'a[$(rm p)]'`,
		`read -aRANDOM <<< 'a[$(rm${IFS}p)]'`,
		`printf -vOPTIND 'a[$(rm p)]'`,
		`for SECONDS in 'a[$(rm p)]'; do echo; done`,
		`mapfile -t RANDOM <<< 'a[$(rm p)]'`,
		`mapfile -t BASHPID <<< 'a[$(rm p)]'`,
		`mapfile "$(echo SECONDS)" <<< 'a[$(rm p)]'`,
		`mapfile -t PATH < f; ls`,
		`x=$(echo '-C a[$(rm${IFS}p)]'); read -p $x'' y`,
		`read x <<< '-v a[$(rm${IFS}p)]'; printf $x'' b`,
		`mapfile -n $x'' y`,
		`unset "$(echo 'y[$(rm p)]')"`,
		`read x <<< 'y[$(rm p)]'; unset "$x"`,
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
	for _, line := range []string{
		`printf "$x\n"`,
		`printf "${c}%s${d}\n" "$x"`,
		`printf '%s' "$x"`,
		`read -r -p "Go on? [y/N] " x; echo "$x"`,
		`read -t 5 -n1 x`,
		`[ "$a" = "$b" ] && [ -z "$c" -o "$d" != "$e" ]`,
		`[ $# -eq 0 ] || [ $? -eq 0 ]; ls`,
		`for i in 1 2; do [ $i -eq 2 ] && ls; done`,
		`unset "$x" y`,
		`mapfile -t -d "$d" -n "$n" lines < f; echo "${lines[0]}"`,
		`SECONDS=0; sleep 1; echo $SECONDS`,
	} {
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q: %v", line, said(config(), line))
	}
}

// Long options of xargs that take a value only behind = leave the next word.
func TestOptionalValues(t *testing.T) {
	for _, line := range []string{`xargs --replace rm {}`, `xargs --eof rm`, `xargs --verbose --max-lines rm`, `xargs --replace=X rm X`, `x86_64 rm p`} {
		assert.Contains(t, strings.Join(said(config(), line), "; "), "; rm", "%q", line)
	}
}
