package shell_test

import "testing"

// The text that an array is declared with is a list, and expanded once more.
func TestListsOfArrays(t *testing.T) {
	doubted(t,
		`declare -a b='(<(rm p))'`,
		`p='$'; declare -a b="($p(rm p))"`,
		`f() { local b=(); local b='(<(rm p))'; }; f`,
		`f() { local b=(1); local b="$x"; }; read -r x <<< '($(rm p))'; f`,
		`f() { local -a b=$1; }; f '($(rm p))'`,
		`f() { declare -ag b=$1; }`,
		`f() { readonly -a b=$1; }`,
		`f() { export -a b=$1; }`,
		`f() { typeset -A b=$1; }`,
		`f() { local b=(1); local b+=$1; }`,
		`f() { local b=(1) b=$1; }`,
		`f() { local b[0]=1; local b=$1; }`,
		`f() { local a; a=(); local a=$1; }`,
		`f() { local b=$1; }; b=(1); f x`,
		`read -r x; declare -a b; declare b="$x"`,
		`read -r x; declare -x -a b="$x"`,
		`read -r x; mapfile b < f; declare b="$x"`,
		`read -r x; read -a b; declare b="$x"`,
		`read -r x; read -ab; declare b="$x"`,
		`read -r x; ((b[0]=1)); declare b="$x"`,
		`read -r x; : ${b[0]:=1}; declare b="$x"`,
		`read -r x; [[ 'b[0]=1' -eq 1 ]]; declare b="$x"`,
		`read -r x; declare MAPFILE="$x"`,
		`read -r x; declare PIPESTATUS="$x"`,
		`read -r x; . ./f; declare b="$x"`,
		`for x in '($(rm p))'; do declare -a b="$x"; done`,
		`declare -a b={x,'($(rm p))'}`,
		`declare -a b='([a[c]]=1)'`,
		`command declare -a "b=$x"`,
		`command declare -a 'b=(<(rm p))'`,
		`command readonly -a "b=$x"`,
		`builtin export -a "b=$x"`,
		`b=(1); command declare "b=$x"`,
	)
	clear(t,
		`f() { local x="$1"; echo "$x"; }`,
		`declare -a files=(a b)`,
		`f() { local -a arr=("$@"); }`,
		`declare -A m=([k]=v)`,
		`declare -a b='(a b)'`,
		`declare -a b="$?" c=x`,
		`f() { local re='(a|b)$' p="/tmp/$1"; }`,
		`b=(); f() { local b="x$1"; }`,
		`a=(1 2); declare b="$x"`,
		`a=(1); readonly a="$x"; export a="$x"`,
		`b=(1); b="$x"; b+="$x"`,
	)
}

// An index is arithmetic, behind command and quotes too.
func TestIndexesOfDeclarations(t *testing.T) {
	doubted(t,
		`read -r x <<< 'a[$(rm p)]'; command declare 'b[x]=1'`,
		`read -r x <<< 'a[$(rm p)]'; \declare 'b[x]=1'`,
		`read -r x <<< 'a[$(rm p)]'; builtin typeset 'b[x]=1'`,
		`read -r x <<< 'a[$(rm p)]'; "readonly" b[x]=1`,
		`command declare 'b[$1]=x'`,
		`command declare "b[$x]=1"`,
	)
	clear(t, `command declare b=1`, `command export "b=a[1]"`, `\declare -a b`)
}
