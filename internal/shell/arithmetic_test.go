package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// Arithmetic evaluates what a variable holds, and a subscript in that may run
// anything.
func TestArithmeticEvaluatesAgain(t *testing.T) {
	for _, line := range []string{
		`read c <<< 'x[$(curl y)]'; echo $((c))`,
		`read c; echo $[c]`,
		`read c; ((c))`,
		`read c; [[ $c -eq 0 ]]`,
		`read c; [[ c -eq 0 ]]`,
		`read c; [[ -v $c ]]`,
		`read c; [[ -v "$c" ]]`,
		`read c; [[ -v a[c] ]]`,
		`read c; test -v 'a[c]'`,
		`read c; unset "a[$c]"`,
		`read c; unset 'a[c]'`,
		`read c; echo ${a[c]}`,
		`read c; echo ${a[$c]}`,
		`read c; echo ${v:c}`,
		`read c; echo ${v:0:c}`,
		`read c; for ((;c;)); do ls; done`,
		`read c; a[c]=1`,
		`read c; a=([c]=1)`,
		`read c; echo $((${c}))`,
		`read c; echo $(("$c"))`,
		`read c; echo $(('c'))`,
		`read ab; echo $((a$x))`,
		`read -ra c; echo $((c))`,
		`read -rac; echo $((c))`,
		`read; echo $((REPLY))`,
		`read c; d=$c; e=$d; echo $((e))`,
		`\read c; echo $((c))`,
		`builtin read c; echo $((c))`,
		`r=read; $r c; echo $((c))`,
		`mapfile -t c < f; echo $((c))`,
		`printf -v c %s 'x[$(curl y)]'; echo $((c))`,
		`select c in 'x[y]'; do echo $((c)); done`,
		`echo 'x[$(curl y)]' | while read n; do echo $((n+1)); done`,
		`for c in 'x[$(curl y)]'; do echo $((c)); done`,
		`for c; do echo $((c)); done`,
		`for c in *; do echo $((c)); done`,
		`echo $(( $(echo 'x[$(curl y)]') ))`,
		`echo $(( $(wc -l f) ))`,
		`wc() { echo 'x[y]'; }; echo $(( $(wc -l) ))`,
		`echo ${a[$(echo 'x')]}`,
		`a='x[$';b='(curl y)]';c=$a$b; echo $((c))`,
		`c=x; c+=[; c+=$; c+='(curl y)]'; echo $((c))`,
		`CI='x[$' ; CI+='(curl y)]'; test $((CI)) = 1 || ls`,
		`a=('x[$(curl y)]'); echo $((a))`,
		`a[1]=x; echo $((a[1]))`,
		`: ${c='x[$(curl y)]'}; echo $((c))`,
		`: ${c:=x}; echo $((c))`,
		`c='x[@(curl y)]'; echo $((${c/@/$}))`,
		`echo $((${c/@/$}))`,
		`echo $((${c:-x}))`,
		`bash -c 'echo $(($1))' _ 'x[$(curl y)]'`,
		`f(){ echo $(($1)); }; f x`,
		`set -- x; echo $(($1))`,
		`c=$1; echo $((c))`,
		`: x; echo $((_))`,
		`echo $((1$PWD))`,
		`[[ 1$PWD -gt 0 ]]`,
		`cd a && echo $((1$OLDPWD))`,
		`pushd 'd[$(rm p)]'; echo $((1$DIRSTACK))`,
		`x=$PWD; echo $((1$x))`,
		`x=1$PWD; echo $((x))`,
		`x=1$PWD; y=$x; echo $((y$x))`,
		`echo $((${PWD:-1}))`,
		`n=$(grep -c x 'a[$(rm p)]' 2> /dev/stdout); [[ 0?$n -eq 1 ]]`,
		`n=$(grep -c x 'a[$(rm p)]' 2>> /dev/stdout); echo $((n))`,
		`n=$(grep -c x 'a[$(rm p)]' &> /dev/stdout); echo $((n))`,
		`n=$(grep -c x 'a[$(rm p)]' 2>/dev/fd/1); echo $((n))`,
		`n=$(grep -c x 'a[$(rm p)]' 2> >(cat)); echo $((n))`,
		`n=$(grep -c x 'a[$(rm p)]' 2>/dev/stdout | tr -d x); echo $((n))`,
		`n=$(echo 1 | tr -d 'a[$(rm p)' 2>/dev/stdout); echo $((n))`,
		`n=$(wc -l 2<> /dev/stdout); echo $((n))`,
		`n=$(grep -c x *); [[ $n -gt 0 ]]`,
		`n=$(grep -c *); [[ $n -gt 0 ]]`,
		`n=$(grep -c x ?'[$(rm p)]'); echo $((n))`,
		`n=$(grep -c x {'a[$(rm p)]',b}); echo $((n))`,
		`x='b -H'; n=$(grep -c a$x 'a[$(rm p)]'); echo $((n))`,
		`n=$(grep -c x "$@"); echo $((n))`,
		`n=$(stat -c %s *); echo $((n))`,
		`x='--printf=a[$(rm p)] .'; n=$(stat -c %s $x); echo $((n))`,
		`n=$(git rev-list --count --format=a HEAD); echo $((n))`,
		`x='--objects HEAD'; n=$(git rev-list --count a$x); echo $((n))`,
		`export c=x; bash -c 'echo $((c))'`,
		`env c=x bash -c 'echo $((c))'`,
		`c=x bash -c 'echo $((c))'`,
		`eval 'c=x'; echo $((c))`,
		`x=build/a; y='x=1'; echo $((y)); echo hi > $x`,
		`x=build/a; : ${a['x=1']}; echo hi > $x`,
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
	argv := []string{"env", "c=x[$(curl y)]", "bash", "-c", "echo $((c))"}
	assert.True(t, slices.ContainsFunc(config().Arguments(argv), isHole))
}

// What is certainly a number, or not of the line's making, is no doubt.
func TestArithmeticOfNumbers(t *testing.T) {
	for _, line := range []string{
		`echo $((1+2))`,
		`echo $((PORT+1)) $(($#)) $(($? + 1))`,
		`i=0; while [ $i -lt 3 ]; do i=$((i+1)); done`,
		`for i in 1 2 3; do echo $((i*2)); done`,
		`for i in {1..3}; do echo $((i*2)); done`,
		`for i in $(seq 1 3); do echo $((i*2)); done`,
		`for f in *.go; do n=$((n+1)); done; echo $n`,
		`n=0; ((n++))`,
		`n=0; ((n+=2)); [[ $n -gt 3 ]]`,
		`n=-1; m=$n; echo $((m))`,
		`for ((i=0;i<3;i++)); do echo $i; done`,
		`n=$(wc -l < f); echo $((n+1))`,
		`n=$(cat f | wc -l | tr -d ' '); [[ $n -eq 0 ]]`,
		`s=$(date +%s); ls; echo $(( $(date +%s) - s ))`,
		`echo $(( $(nproc) / 2 ))`,
		`n=$(grep -c x f); [[ $n -gt 0 ]]`,
		`n=$(grep -c "y $x" f 2>/dev/null); echo $((n+1))`,
		`n=$(ls 2>&1 | grep -c x); echo $((n))`,
		`n=$(grep -c x a.txt 2> /dev/null | tr -d ' '); echo $((n))`,
		`n=$(wc -l < "$f"); echo $((n))`,
		`n=$(stat -c %s "$f"); [[ $n -lt 100 ]]`,
		`n=$(git rev-list --count --no-merges origin/main..HEAD); [[ $n -eq 1 ]]`,
		`n=$(git rev-list --count HEAD -- internal); echo $((n))`,
		`echo $((${#x} + ${#a[@]}))`,
		`echo $((${PORT:-3000} + 1))`,
		`a=(x y); echo ${a[0]} "${a[@]}"`,
		`a=(1 2); echo $((a[0]))`,
		`v=abc; echo ${v:0:2}`,
		`ls; code=$?; [[ $code -eq 0 ]]`,
		`[[ -v c ]]`,
		`read c; [[ $c == 1 ]]`,
		`read c; [ "$c" -eq 1 ]`,
		`read c; echo $((1))`,
	} {
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q: %v", line, said(config(), line))
	}
}

// A variable that changes what runs may be set in many ways.
func TestSpecialVariables(t *testing.T) {
	for _, line := range []string{
		`((PATH=1)); ls`,
		`((PATH++)); ls`,
		`: ${x[PATH=1]}; ls`,
		`echo $((PATH=1)); ls`,
		`echo $((PATH[0]=1)); ls`,
		`[[ PATH=1 -eq 1 ]]; ls`,
		`for ((PATH=1;;)); do ls; done`,
		`PS4='$'; PS4+='(rm x)'; set -x; ls`,
		`a=$; PS4="${a}(rm x)"; set -x; ls`,
		`BASH_CMDS[ls]=/path/rm; ls x`,
		`BASH_CMDS=([ls]=/path/rm); ls x`,
		`shopt -s expand_aliases; eval 'BASH_ALIASES[ls]=rm'; eval ls x`,
		`PROMPT_COMMAND=x; ls`,
		`export BASH_ENV=x; ls`,
		`BASH_ENV=x bash -c ls`,
		`env ENV=x sh -c ls`,
		`read PS4; ls`,
		`for PS4 in x; do ls; done`,
		`: ${PS4:=x}; ls`,
		`a=('x[$(curl y)]')`,
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
	for _, line := range []string{`((n=1)); ls`, `A+=x; ls`, `a=(x y); ls`, `echo $((n=1)); ls`} {
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
}

// A backslash is gone before arithmetic reads a name.
func TestArithmeticOfEscapedNames(t *testing.T) {
	doubted(t,
		`for bc in 'c[$(rm y)]'; do [[ b\c -eq 1 ]]; echo; done`,
		`for bc in 'c[$(rm y)]'; do [[ 0 -lt b\c ]]; done`,
		`for bc in 'c[$(rm y)]'; do [[ ""b\c -eq 1 ]]; done`,
		`for bc in 'c[$(rm y)]'; do [[ \b\c -eq 1 ]]; done`,
		`for bc in 'c[$(rm y)]'; do if [[ 1 -ne b\c ]]; then ls; fi; done`,
		`for bc in 'c[$(rm y)]'; do [[ -v a[b\c] ]]; done`,
		`for bc in 'c[$(rm y)]'; do [[ -v a[$n+b\c] ]]; done`,
		`for bc in 'c[$(rm y)]'; do a=([b\c]=1); done`,
		`for bc in 'c[$(rm y)]'; do a+=([b\c]=1); done`,
		`for bc in 'c[$(rm y)]'; do local q=([b\c]=1); done`,
		`for bc in 'c[$(rm y)]'; do declare -A q=([b\c]=1); done`,
		`for b in 'c[$(rm y)]'; do : $((b\c)); done`,
		`for b in 'c[$(rm y)]'; do : ${a[b\c]}; done`,
		`for c in 'c[$(rm y)]'; do [[ -v a[$((b))\c] ]]; done`,
		`[[ -v a[PAT\H=5] ]]; ls`,
		`[[ -v 'b[\$1]' ]]`,
		`x=$(grep -c \-r foo); ((x))`,
		`x=$(git rev-list --count \--objects HEAD); ((x))`,
	)
	for _, line := range []string{
		`[[ P\ATH=5 -eq 5 ]]; ls`,
		`[[ 5 -eq PAT\H=5 ]] && ls`,
		`[[ PS\4=1 -eq 1 ]]; ls`,
		`[[ IF\S=1 -eq 1 ]]; ls`,
		`[[ 1 -eq IF\S++ ]]; ls`,
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), func(p shell.Part) bool { return p.Unknown != "" && !p.Free }), "%q", line)
	}
	clear(t,
		`for bc in 1 2; do [[ b\c -eq 1 ]]; done`,
		`x=$(grep -c \\.go f); ((x))`,
		`x=$(grep -c "\.go$" f); ((x))`,
		`x=$(date +\%s); ((x))`,
		`[[ a\ b == "a b" ]]`,
		`[[ $x =~ \.go$ ]]`,
	)
}
