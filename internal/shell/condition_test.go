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
