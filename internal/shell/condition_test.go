package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// doubted checks that each line has a part of which nothing is known.
func doubted(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
}

// clear checks that none has.
func clear(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q: %v", line, said(config(), line))
	}
}

// A word behind -v is evaluated wherever in a test it stands.
func TestConditions(t *testing.T) {
	doubted(t,
		`test -v x -o -v 'a[$(rm p)]'`,
		`[ -v x -a -v 'a[$(rm p)]' ]`,
		`[ x = -v -o -v 'a[$(rm p)]' ]`,
		"test \"-v\" = x -o -v 'a[`rm p`]'",
		`[ -R x -o -v 'a[$(rm p)]' ]`,
		`test ! -v x -a -v 'a[$(rm p)]'`,
		`test \( -v x \) -o \( -v 'a[$(rm p)]' \)`,
		`test -v -R -o -v 'a[$(rm p)]'`,
		`{ test -v x -o -v 'a[$(rm p)]'; } | ls`,
		`read x <<< 'a[$(rm p)]'; test -v x -o -v "$x"`,
		`[ -n x -a "$o" $e 'a[$(rm p)]' ]`,
		`[ -e * ]`,
		`[ -f - ] || [ -? 'a[$(rm p)]' ]`,
	)
	clear(t,
		`[ -f "$f" ]`,
		`test -n "$x"`,
		`[ "$a" = "$b" ] && ls`,
		`[ ! -f "$a" -a ! -d "$b" ]`,
		`[ "$a" -gt "$b" ] || [ "x$a" "$b" ]`,
		`[ -v x -o -v y ]`,
		`[ -f *.go ]`,
		`for f in *; do [ -f "$f" ] && ls; done`,
	)
}

// "$@" and lists may be several words, and one of them -v.
func TestConditionsOfLists(t *testing.T) {
	doubted(t,
		`read -r -a b <<< '-v a[$(rm${IFS}p)]'; test "${b[@]}"`,
		`f() { test "$@"; }; f -v 'a[$(rm p)]'`,
		`bash -c '[ "$@" ]; ls' _ -v 'a[$(rm p)]'`,
		`test "${@}"`,
		`test "${@:1}"`,
		`test ! "$@"`,
		`test x -o "$@"`,
		`test -n "$@"`,
		`[ "$@" ] && echo yes`,
		`[ "${x:-$@}" ]`,
		`[ "${x:-"$@"}" ]`,
		`b=(-v 'a[$'); b[1]+='(rm p)]'; [ "${b[@]+"${b[@]}"}" ]`,
		`b=(-v x); [ "${b[@]:1}" ]`,
	)
	clear(t,
		`[ -z "$*" ]`,
		`[ $# -gt 0 ] && [ "$#" -gt 0 ]`,
		`[ "${#a[@]}" -gt 0 ]`,
		`a=(x y); [ "${a[*]}" = x ]`,
		`[ "${a[0]}" = x ]`,
		`b=(1 2); [ "${b[@]}" ]`,
		`[ -n "${x:-y}" -a -n "${y:+z}" ]`,
	)
	check(t, []row{
		{`git "${x:-$@}"`, []string{"git…"}},
		{`git "${x:-"${a[@]}"}"`, []string{"git…"}},
		{`git "${#a[@]}" ${#x}`, []string{"git … …"}},
	})
}

// A text that is evaluated later takes in what the parameters then are.
func TestParametersEvaluatedLater(t *testing.T) {
	doubted(t,
		`f() { [[ -v 'b[$1]' ]]; }; f 'a[$(rm p)]'`,
		`bash -c "test -v 'b[\$1]'" _ 'a[$(rm p)]'`,
		`[[ -v 'b[${1}]' ]]`,
		`[[ -v 'b[$@]' ]]`,
		`[[ -v 'b[$*]' ]]`,
		`[[ -v 'b[${@: -1}]' ]]`,
		`[[ -v 'b[${!#}]' ]]`,
		`[[ -v 'b[10#$1]' ]]`,
		`[[ -v 'b[$0]' ]]`,
		`[[ -v 'b[${x:-$1}]' ]]`,
		`[[ -v 'b[${x@P}]' ]]`,
		`[[ 'b[$1]' -gt 0 ]]`,
		`[ -v 'b[$1]' ]`,
		`unset 'b[$1]'`,
		`unset "b[\$1]"`,
		`unset $'b[$1]'`,
		`test "$0" "b[\$1]"`,
		`read c; [[ -v 'b[${c}]' ]]`,
	)
	clear(t,
		`[[ -v 'a[$i]' ]]`,
		`[[ -v 'a[${i}]' ]]`,
		`unset 'a[i]' 'a[$i]' "a[$i]"`,
		`[[ -v 'a[$#]' ]]`,
		`[[ $x == 'b[$1]' ]]`,
		`[ "$1" = "$2" ]`,
	)
}

// The index of an element is arithmetic however the name is written.
func TestNamesOfElementsThatAreExpanded(t *testing.T) {
	const bad = `for b in 'c[$(rm y)]'; do a=(1); `
	for _, command := range []string{
		`n='a[b]'; [ -v "$n" ]`,
		`n='[b]'; [ -v "a$n" ]`,
		`n='a['; test -v "${n}b]"`,
		`n='a[b+'; [ -v "$n$?]" ]`,
		`[ -v a\[b] ]`,
		`[ -v {'a[b]',} ]`,
		`{test,-v,'a[b]'}`,
		`[ -v {a..a}'[b]' ]`,
		`[ x -o -v {a,c}'[b]' ]`,
		`[ -v \a'[b]' ]`,
		`[ -R \a'[b]' ]`,
		"[ -v \"$(cat <<'E'\na[b]\nE\n)\" ]",
		`for n in 'a[b]'; do test -v "$n"; done`,
		`builtin test -v a\[b]`,
		`command [ -v a\[b] ]`,
		`eval '[ -v a\[b] ]'`,
		`f() { [ -v a\[b] ]; }; f`,
		`unset a\[b]`,
		`unset -v {x,a}'[b]'`,
		`n='a[b+'; unset "$n$?]"`,
		`command unset a\[b]`,
	} {
		doubted(t, bad+command+"; done")
	}
	doubted(t,
		`bash -c 'b=$1; a=(1); [ -v a\[b] ]' _ 'c[$(rm y)]'`,
		`n='a[PATH=5]'; a=(1); [ -v "$n" ]; ls`,
		`a=(1); test -v a\[PATH=5]; ls`,
		`a=(1); unset a\[PATH=5]; ls`,
		`x=51rm; a=(1); [ -v a\[IFS=1] ]; timeout $x echo a`,
	)
	clear(t,
		`for n in HOME PATH; do [ -v "$n" ] || echo "$n"; done`,
		`n=FOO; [ -v "$n" ] && ls`,
		`n='a[0]'; a=(1); [ -v "$n" ] && ls`,
		`for i in 1 2; do a=(1); [ -v a\[i] ]; unset a\[i]; done`,
		`[ "$x" = '[b]' ] && ls`,
	)
}

// A text that is evaluated loses its quotes, and takes in its variables.
func TestNamesThatArePutTogether(t *testing.T) {
	const bad = `a=(1); for bc in 'c[$(rm y)]'; do `
	for _, command := range []string{
		`[ -v 'a[b"c"]' ]`,
		`[[ -v 'a[b"c"]' ]]`,
		`[[ 'a[b"c"]' -eq 1 ]]`,
		`unset 'a[b"c"]'`,
		`[ -v 'a[b${e}c]' ]`,
		`[[ -v 'a[b${e}c]' ]]`,
		`[[ 'a[b$e]' -eq 1 ]]`,
		`unset 'a[b$#]'`,
	} {
		doubted(t, bad+command+"; done")
	}
	doubted(t,
		`[[ PA${e}TH=5 -eq 5 ]]; ls`,
		`[[ 'a[PA${e}TH=5]' -eq 5 ]]; ls`,
		`[[ 'a[PA"TH"=5]' -eq 5 ]]; ls`,
		`[[ PATH-$e- -eq 0 ]]; ls`,
		`[[ 'a[PATH-${e}-]' -eq 5 ]]; ls`,
	)
	clear(t,
		`n=a; i=1; unset 'a[$i]' "a[$i]"`,
		`n=a; [[ $x-$y-1 -gt 0 ]]`,
		`n=a; [[ 'b"c' == x ]]`,
	)
}
