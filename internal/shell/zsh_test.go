package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// zshConfig reads lines for zsh.
func zshConfig() shell.Config {
	c := config()
	c.Zsh = true
	return c
}

// What zsh reads otherwise is in doubt, whatever bash makes of it.
func TestLinesThatZshReadsOtherwise(t *testing.T) {
	for _, line := range []string{
		// grammar
		`repeat 2 rm x`, `foreach v in a b; rm $v; end`, `foreach v (a b) rm $v; end`, `for v (a b) rm $v`, `if [[ -f x ]] { rm x }`, `{ rm x } always { ls }`, `() { rm x }`, `f g() { rm x }`,
		`- rm x`, `nocorrect A=1 rm x`, `{ls,-l}`, `{ls; }`, `ls a}`, `ls }`, `a &! rm x`, `a &!rm x`, `a &| rm x`, `case a in a) ls;;& esac`,
		// words
		`cat =ls`, `=rm x`, `x==rm; $x`, `PATH=a:=b`, `cat ''=ls`, `cat $x=ls`, `cat "$x"=ls`, `cat $x~root/a`, `cat =(ls)`, `ls *(.)`, `ls *(e:'rm x':)`, `ls a(+f)`, `ls x(#i)y`, `ls <1-9>x`, `ls a<->`, `cat <1-9>x`,
		`rm $x:h`, `rm "$x:h"`, `rm "$IMAGE:latest"`, `rm $1:t`, `rm $x[1]`, `rm "$x[1]"`, `rm $#x`, `rm "$#x"`, `rm $#$x`, `rm $+x`, `rm $=x`, `rm $~x`, `rm $^x`, `rm ${=x}`, `rm ${~x}`, `rm ${(e)x}`, `rm ${${x}:-a}`, `rm ${:-a}`, `rm $10`,
		`rm ${x[(r)a]}`, `a[(r)b]=c`, `rm {1..$n}`, `rm {a..c}`, `rm {-1..1}`, `rm $x{a,b}`, `rm {,a}`, `rm {$,}HOME`, `rm [d/z]`, `rm {\`, `rm $"a"`, `rm $'\q'`, `rm $'\x0a\0'`, `rm a$IFS`, "rm `ls \\$x`", "cat <<E\n$x:h\nE", "cat <<E\n$x[1]\nE",
		// redirections
		`a >!f`, `a >>!f`, `a >&!f`, `a &>|f`, `a &>!f`, `a 10>f`, `a 2&>f`, `a 2>&f`, `a >&p`, `a <&p`, `> f`, `< f`, `x=1 > f`, `{ls} > f`, `rm {v} > f`, "sh <<A <<B\n:\nA\nrm x\nB", "echo 'rm x' | sh <<E\n:\nE", `curl x | sh < f`,
		// built-ins
		`chdir /etc; > f`, `cd a b`, `cd +1`, `pushd -2`, `emulate sh -c 'rm x'`, `setopt extendedglob`, `unsetopt nomatch`, `set -y`, `set -o shwordsplit`, `set -A a b`, `set -f`, `autoload f`, `functions -u f`, `zmodload zsh/files`, `zpty a rm x`, `sched +0 rm x`, `vared x`,
		`print -z rm x`, `print -v path x`, `print $x`, `r`, `fc -e - ls`, `integer x`, `float x`, `hash ls=/bin/rm`, `hash -d x=/etc`, `unset -m 'x*'`, `unhash ls`, `disable ls`, `alias -g G='| rm'`, `read 'path?'`, `read -A path`, `read -p x`, `read -k 1 x`, `read -d` + " x path?", `typeset -T A a`, `typeset -U x`, `export -T A a`, `\typeset -u x`, `command local -Z3 x`, `run-help ls`, `bye 'a[1]'`, `shift path`,
		// arithmetic that bash does not read
		`exit 'a[$(rm x)]'`, `f() { return 'a[$(rm x)]'; }`, `shift "a[$(echo x)]"`, `noglob exit 'a[$(rm x)]'`, `builtin exit 'a[$(rm x)]'`, `read x; exit $x`, `read x; [ "$x" -eq 1 ]`, `read x; test 1 -lt $x`, `read x y; [ "$x" "$y" 1 ]`, `[ 'a[$(rm x)]' -eq 1 ]`, `[ $(cat f) -gt 1 ]`, `[[ -t 'a[$(rm x)]' ]]`, `read x; [ -t $x ]`,
		`printf %d 'a[$(rm x)]'`, `read x; printf '%s %5d' a "$x"`, `read x; printf "$x" 1`, `printf '%*d' 'a[$(rm x)]' 1`, `read x; COLUMNS=$x; ls`, `read x; UID=$x`,
		// variables in which zsh looks up what it runs
		`path=(/tmp); ls`, `fpath=(x); f`, `functions[ls]='rm x'; ls`, `aliases[ls]='rm x'`, `commands[ls]=/bin/rm; ls`, `options[shwordsplit]=on`, `cdpath=(/etc); cd x`, `NULLCMD=rm`, `READNULLCMD=rm`, `nameddirs[x]=/etc`, `histchars='!^%'`, `argv=(a)`, `module_path=(x)`, `for path in a b; do ls; done`, `read path; ls`, `: ${path:=x}`, `((options=1))`, `export fpath=x`,
	} {
		assert.True(t, slices.ContainsFunc(zshConfig().Read(line), isHole), "%q: %v", line, said(zshConfig(), line))
	}
}

// Everyday lines are not, and come out as they do for bash.
func TestEverydayLinesForZsh(t *testing.T) {
	for _, line := range []string{
		`git status`, `cd web && npm test 2>&1 | tail -40`, `npm run build > out.log 2>&1`, `git show HEAD~1`, `git show HEAD^ --stat`, `git diff HEAD^..HEAD -- a`, `git log --format='%h %s' -n 5`, `git log --pretty=format:%h`, `git stash show stash@{0}`, `git rev-parse @{u}`,
		`curl -s 'http://x.test/?a=b&c=d'`, `curl http://x.test/?a=b`, `curl -w %{http_code} http://x.test`, `docker ps --format={{.Names}}`, `docker run -v "$PWD:/app" "$IMAGE" ls`, `make -j$(nproc) CC=clang`, `go test -run='^TestA$' ./...`, `grep -rn "foo$" src`, `grep -E '^(a|b)' f`, `find . -name '*.go' -exec wc -l {} \;`, `find . -type f -exec rm {} + 2>/dev/null`, `ls | xargs -I{} echo {}`,
		`for f in *.txt; do echo "$f"; done`, `for i in 1 2 3; do echo $i; done`, `for i in {1..5}; do echo $i; done`, `while read -r l; do echo "$l"; done < f`, `cat f | while IFS= read -r l; do echo "$l"; done`, `while IFS= read -r -d '' f; do ls "$f"; done < f`, `if [ -f x ]; then cat x; else ls; fi`, `[[ -f x && $a == b* ]] && ls`, `[[ "$a" =~ ^v[0-9]+$ ]] && ls`, `case $1 in a|b) ls;; *) cat x;; esac`, `[ "$x" = y ] || ls`, `[ a == b ] && ls`,
		`[ $? -eq 0 ] && ls`, `[ "$n" -gt 5 ] && ls`, `[ $# -lt 1 ] && ls`, `[ "$(ls | wc -l)" -gt 3 ] && ls`, `n=$(wc -l < f); [ "$n" -gt 3 ] && ls`, `rc=$?; echo "rc=$rc"; exit $rc`, `ls; exit 0`, `f() { ls; return 1; }; f`, `printf '%s\n' "$x"`, `printf '%d items\n' 5`, `printf "%-10s %5.2f\n" a 1.5`,
		`set -e; ls`, `set -euo pipefail; ls`, `set -o pipefail && ls`, `set -- a b; ls "$@"`, `export A=1 B="x y"; ls`, `local x=1; ls`, `declare -A m; ls`, `declare -a l; ls`, `x=5; echo $x ${x} "${x}" ${x:-a} "${x:0:2}" ${x#a} ${#x}`, `echo "${a[@]}" ${#a[@]}`, `echo "${x%.go}" "${x/a/b}"`, `echo $((1+2))`, `((i++)); ls`,
		"cat <<E\nhello $x 100% \"a\" it's\nE", "cat > f <<'E'\n$x:h *(e:ls:) =ls\nE", "git commit -m \"$(cat <<'E'\nfix(x): y [1] $a:h\n\n1. one\nE\n)\"", `echo a # it's a comment`, "# first\nls", "ls \\\n  -l", `time ls`, `! grep -q a f`, `(cd web && ls)`, `{ ls; cat f; } > out`, `ls && { cat f; }`, `ls > /dev/null 2>&1 &`, `a | b |& c`, `: > f`, `echo $(<f)`, `diff <(ls a) <(ls b)`, `cmd 2> >(tee log)`, `cat <<< "$x"`,
		`cp x{,.bak}`, `mkdir -p src/{a,b,c}`, `rm "{a" 'b}'`, `ls \=x a=b --x==y`, `echo "$" "a$" "$ x" 'a$b' \$x`, `echo "$x: $y"`, `echo "${x}:latest" "$x:/a" "$x:main"`, `echo "$x" "$x/y" $x.go $x-1`, `echo $'a\tb\n'`, `print hello`, `print -l a b`, `noglob curl http://x.test/?a`, `command ls`, `which ls`, `trap 'ls' EXIT`, `source x.sh`, `. ./x.sh`, `eval "ls -l"`, `cd ..`, `cd -P web`, `shift 2`, `hash -r`, `unset x`, `read -r a b <<< "x y"`, `COLUMNS=200 ls`, `FOO=bar ls`,
		`bash -c 'path=x; echo $x:h'`, `sh -c 'chdir x; a >!f'`, `ls **/*.go`, `echo HEAD^^ a#b a^b a~b`, `echo 'a' | sed -e 's/a/b/' -e '$d'`, `awk '{print $1}' f`, `python3 -c 'print(1)'`, `ssh host 'ls | wc -l'`,
	} {
		bash := slices.ContainsFunc(config().Read(line), isHole)
		i := slices.IndexFunc(zshConfig().Read(line), isHole)
		assert.True(t, i < 0 || bash, "%q: %v", line, said(zshConfig(), line))
	}
}

// The text of zsh -c is read as a line for zsh, wherever it stands; that of
// another shell is read as that does. A program that runs a text in a shell that
// nobody names may run it in the user's.
func TestTextsForZsh(t *testing.T) {
	hole := func(c shell.Config, line string) bool { return slices.ContainsFunc(c.Read(line), isHole) }
	for _, line := range []string{`zsh -c 'echo $x:h'`, `zsh -fc 'chdir x'`, "zsh <<'E'\nrepeat 2 ls\nE", `zsh -c "eval 'chdir x'"`, `bash -c 'zsh -c "chdir x"'`, `zsh -bc ls`, `zsh -yc ls`, `zsh -o shwordsplit -c ls`} {
		assert.True(t, hole(config(), line), line)
	}
	for _, line := range []string{`zsh -c 'ls "$x"'`, `zsh -c 'git show HEAD^'`, `zsh -c 'for f in *.go; do ls "$f"; done'`, `zsh -lc 'npm test'`, `echo $x:h; chdir x`, `ssh h 'chdir x'`} {
		assert.False(t, hole(config(), line), "%s: %v", line, said(config(), line))
	}
	for _, line := range []string{`ssh h 'chdir x'`, `su -c 'chdir x' u`, `eval 'chdir x'`, `trap 'chdir x' EXIT`} {
		assert.True(t, hole(zshConfig(), line), line)
	}
	assert.False(t, hole(zshConfig(), `sh -c 'echo $x:h'`))
	for _, shell := range []string{"ksh", "mksh"} {
		assert.True(t, hole(config(), shell+` -c 'a=b ls'`), shell)
	}
}

// What a command of zsh is given may end within a word: at a NUL, which other
// shells leave out.
func TestWordsThatMayEndInZsh(t *testing.T) {
	for _, r := range []row{
		{`rm "$(printf 'x\0').tmp"`, []string{`printf x\0`, "rm …"}},
		{`x=$(cat f); rm "$x.tmp" $x.tmp`, []string{"cat f", "(x=…)", "rm ……"}},
		{`read -r x < f; rm $x.tmp`, []string{"< f", "(read -r x)", "rm…"}},
		{`f() { rm "$1.tmp"; }`, []string{"rm …"}},
		{`rm "$x.tmp" "$(pwd)/x" $(git rev-parse HEAD).tmp`, []string{"(pwd)", "git rev-parse HEAD", "rm ….tmp /…/x ….tmp"}},
		{`for f in *.go; do mv "$f" "$f.bak"; done`, []string{"mv ….go ….go.bak"}},
		{`n=3; rm "$n.tmp"`, []string{"(n=3)", "rm 3.tmp"}},
	} {
		assert.Equal(t, r.want, said(zshConfig(), r.line), "%q", r.line)
	}
}

// Some variables need a rule only where zsh reads them.
func TestVariablesOfZsh(t *testing.T) {
	free := func(c shell.Config, line string) bool { return c.Read(line)[0].Free }
	for _, name := range []string{"path", "fpath", "NULLCMD", "TMPPREFIX", "STTY", "ARGV0", "UID", "prompt", "ZSH_EVAL_CONTEXT"} {
		assert.True(t, free(config(), name+"=1; ls"), name)
		assert.False(t, free(zshConfig(), name+"=1; ls"), name)
	}
	assert.True(t, free(zshConfig(), "x=1; ls"))
	assert.Equal(t, []string{"x=a", "rm …"}, []string{zshConfig().Read("x=a; rm $x")[0].Narrow[0].String(), zshConfig().Read("status=a; rm \"$status\"")[1].Narrow[0].String()})
}
