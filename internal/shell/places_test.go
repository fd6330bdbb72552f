package shell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A cd may fail, so that what follows it may be written in either place; in a
// subshell it is forgotten at the end, and before it nothing has changed.
func TestPlacesInOrder(t *testing.T) {
	check(t, []row{
		{`(cd s && a > b)`, []string{"(cd s)", "> b in s", "a"}},
		{`(cd s && a > b); c > d`, []string{"(cd s)", "> b in s", "a", "> d", "c"}},
		{`x=$(cd s && a > b); c > d`, []string{"(cd s)", "> b in s", "a", "(x=…)", "> d", "c"}},
		{`a > b; cd s`, []string{"> b", "a", "(cd s)"}},
		{`cd s || exit 1; a > b`, []string{"(cd s)", "(exit 1)", "> b", "> b in s", "a"}},
		{`if cd s; then a > b; fi`, []string{"(cd s)", "> b", "> b in s", "a"}},
		{`a && cd s && b > c`, []string{"a", "(cd s)", "> c in s", "b"}},
		{`cd s && cd .. && a > b`, []string{"(cd s)", "(cd ..)", "> b in s/..", "a"}},
		{`cd s; cd /t && a > b`, []string{"(cd s)", "cd /t", "> b in /t", "a"}},
		{`for d in x y; do (cd $d && a > b); done`, []string{"(cd x)", "> b in x", "a", "(cd y)", "> b in y", "a"}},
		{`X=s; cd $X && a > b`, []string{"(X=s)", "(cd s)", "> b in s", "a"}},
		{`cd d* && a > b`, []string{"(cd d…)", "> b in d*", "a"}},
		{`for d in x/*/; do (cd "$d" && a > b); done`, []string{"(cd x/…/)", "> b in x/*/", "a"}},
	})
	for _, line := range []string{
		`for d in x y; do cd $d && a > b; done`,
		`while c; do a > b; cd d; done`,
		`f() { a > b; }; cd d; f`,
		`f() { cd d; }; f; a > b`,
		`cd "$x"; a > b`,
		`cd .?; a > b`,
		`cd *; a > b`,
		`cd {x,y}; a > b`,
		`cd; a > b`,
		`cd -; a > b`,
		`cd -- d; a > b`,
		`A=1 cd d; a > b`,
		`command cd d; a > b`,
		`\cd d; a > b`,
		`pushd d; a > b`,
		`eval 'cd d'; a > b`,
		`trap 'a > b' EXIT; cd d`,
		`trap 'cd d' DEBUG; a > b`,
		`x=cd; $x d; a > b`,
		`$x d; a > b`,
		`cd() { :; }; cd d; a > b`,
		`CDPATH=x; cd d; a > b`,
		`shopt -s autocd; cd d; a > b`,
		`cd d; bash -c 'a > b'`,
		`cd a; cd b; cd c; cd d; a > b`,
	} {
		assertShows(t, line, "> …")
	}
}

// A line that may be in more places than are counted, or in one with a longer
// name than there is, may write anywhere, until it says where it is.
func TestPlacesHaveALimit(t *testing.T) {
	long := strings.Repeat("x", 3000)
	assertShows(t, "cd "+long+" && cd "+long+" && a > b", "> …")
	assertShows(t, strings.Repeat("cd d; ", 8)+"a > b", "> …")
	assertShows(t, strings.Repeat("cd d; ", 8)+"cd /t && a > b", "> b in /t")
	assertShows(t, strings.Repeat("cd d; ", 7)+"a > b", "> b in d/d/d/d/d/d/d")
	assertShows(t, `cd x; cd y; cd z; a > b`, "> b in x/y/z")
	assertShows(t, "cd "+long+" && a > b", "> b in "+long)
}

func assertShows(t *testing.T, line, want string) {
	t.Helper()
	for _, s := range said(config(), line) {
		if s == want {
			return
		}
	}
	t.Errorf("%q has no %q: %v", line, want, said(config(), line))
}

// What a function runs has been read where the line defines it.
func TestFunctionsOfTheLine(t *testing.T) {
	check(t, []row{
		{`f() { a "$1"; }; f b`, []string{"a …", "(f b)"}},
		{`f() { a; }; f && (f); x=$(f)`, []string{"a", "(f)", "(f)", "(f)", "(x=…)"}},
		{`f() ( a ) > b; f`, []string{"> b", "a", "(f)"}},
		{`f() { a; } & f x`, []string{"a", "f x"}},
		{`f() { "$@"; }; f rm x`, []string{"…", "(f rm x)"}},
		{`f x; f() { a; }`, []string{"f x", "a"}},
		{`if a; then f() { b; }; fi; f x`, []string{"a", "b", "f x"}},
		{`(f() { a; }); f x`, []string{"a", "f x"}},
		{`f() { a; }; unset -f f; f x`, []string{"a", "unset -f f", "f x"}},
		{`f() { a; }; unset f; f x`, []string{"a", "unset f", "f x"}},
		{`u() { unset f; }; f() { a; }; u; f x`, []string{"unset f", "a", "u", "f x"}},
		{`u() { builtin unset f; }; f() { a; }; u; f x`, []string{"(builtin unset f)", "unset f", "a", "u", "f x"}},
		{`u() { unset {f,b}; }; f() { a; }; u; f x`, []string{"unset f b", "a", "u", "f x"}},
		{`trap 'unset f' DEBUG; f() { a; }; f x`, []string{"(trap unset f DEBUG)", "unset f", "a", "f x"}},
		{`f() { a; unset f; }; f; f x`, []string{"a", "unset f", "f", "f x"}},
		{`u() { unset A; }; f() { a; }; u; f x`, []string{"(unset A)", "a", "(u)", "(f x)"}},
		{`f() { a; }; unset -v A; f x`, []string{"a", "unset -v A", "(f x)"}},
		{`f() { a; }; . g; f x`, []string{"a", ". g", "f x"}},
		{`f() { a; }; command f x`, []string{"a", "(command f x)", "f x"}},
		{`f() { a; }; env f x`, []string{"a", "(env f x)", "f x"}},
		{`f() { a; }; bash -c 'f x'`, []string{"a", "(bash -c f x)", "f x"}},
		{`f() { a; }; A=1 f x`, []string{"a", "A=1 f x"}},
		{`./f() { a; }; ./f x`, []string{"a", "./f x"}},
		{`f() { a; }; ./f x`, []string{"a", "./f x"}},
		{`f() { :; }; f`, []string{":", "f"}},
		{`f() { a; } | b; f x`, []string{"a", "b", "f x"}},
	})
}

// Everyday words that say no more than they seem to.
func TestNothingHidden(t *testing.T) {
	check(t, []row{
		{`for k in "${!m[@]}"; do a "$k"; done`, []string{"a …"}},
		{`IFS=',' read -ra x <<< "a,b"`, []string{"read -ra x"}},
		{`read() { a; }; IFS=, read x`, []string{"a", "IFS=, read x"}},
		{`IFS=, a x`, []string{"IFS=, a x"}},
		{`a > >(b c) 2>&1`, []string{"b c", "a"}},
		{`a &> >(b) < <(c)`, []string{"b", "c", "a"}},
		{`for f in *.json; do a "$f" > "${f%.json}.out"; done`, []string{"> *.out", "a ….json"}},
		{`for f in *.json; do a > "${f%.js}.out"; done`, []string{"> …", "a"}},
		{`for f in *.json; do a > "${f%.*}.out"; done`, []string{"> …", "a"}},
		{`X=a.b; a "${X%.b}" "${X%.c}" "${X%%.b}"`, []string{"(X=a.b)", "a a a.b a"}},
		{`a "${X%.b}"`, []string{"a …"}},
		{`X=a; a "${X%}"`, []string{"(X=a)", "a …"}},
		{`exec 2>&1; a`, []string{"(exec)", "a"}},
		{`exec > x; a`, []string{"> x", "(exec)", "a"}},
		{`exec < x; a`, []string{"< x", "exec", "a"}},
		{`exec <&3; a`, []string{"exec", "a"}},
		{`A=1 exec 2>&1; a`, []string{"A=1 exec", "a"}},
		{`a & p=$!; kill $p; wait $p`, []string{"a", "(p=…)", "kill …", "(wait …)"}},
		{`a & wait "$!"`, []string{"a", "(wait …)"}},
		{`x=$(a); wait $x`, []string{"a", "(x=…)", "wait…", "…"}},
	})
	doubted(t, `echo ${!x}`, `echo ${!x[0]}`, `echo ${!x[@]@P}`)
	clear(t, `echo "${!m[*]}" ${!m[@]}`, `a | b; [ ${PIPESTATUS[0]} -eq 0 ]`)
}

// In zsh a second word of cd is what stands in place of the first one in the name
// of where it is: several folders that a wildcard finds lead anywhere.
func TestPlacesOfZsh(t *testing.T) {
	zsh := zshConfig()
	for line, free := range map[string]bool{
		`cd d* && a`: false, `cd [ab]/ && a`: false,
		`for d in */; do (cd "$d" && a); done`: true, `cd s && cd .. && a`: true,
	} {
		for _, p := range zsh.Read(line) {
			if strings.HasPrefix(p.Source, "cd ") {
				assert.Equal(t, free, p.Free, "%s: %s", line, p.Source)
			}
		}
	}
}
