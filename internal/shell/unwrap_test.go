package shell_test

import "testing"

func TestWrappers(t *testing.T) {
	check(t, []row{
		{`timeout 5 rm x`, []string{"(timeout 5 rm x)", "rm x"}},
		{`timeout -k 1 -s INT 5 rm x`, []string{"(timeout -k 1 -s INT 5 rm x)", "rm x"}},
		{`timeout --signal=INT 5 rm x`, []string{"(timeout --signal=INT 5 rm x)", "rm x"}},
		{`timeout --new 5 rm x`, []string{"timeout --new 5 rm x", "…", "rm x"}},
		{`timeout $t rm x`, []string{"timeout… rm x", "…", "rm x"}},
		{`nice -n $n rm x`, []string{"nice -n… rm x", "…", "rm x"}},
		{`nice -10 rm x`, []string{"(nice -10 rm x)", "rm x"}},
		{`time -o f rm x`, []string{"-o f rm x"}},
		{`\time -o f rm x`, []string{"time -o f rm x", "rm x"}},
		{`env A=1 rm x`, []string{"(env A=1 rm x)", "A=1 rm x"}},
		{`env CI=1 rm x`, []string{"(env CI=1 rm x)", "rm x"}},
		{`env -C d rm x`, []string{"env -C d rm x", "rm x"}},
		{`env -S 'rm a' b`, []string{"env -S rm a b", "(env rm a b)", "rm a b"}},
		{`sudo -u bob rm x`, []string{"sudo -u bob rm x", "rm x"}},
		{`command -v rm`, []string{"command -v rm"}},
		{`command rm x`, []string{"(command rm x)", "rm x"}},
		{`"$d/timeout" 5 rm x`, []string{"(…/timeout 5 rm x)", "rm x"}},
		{`"$x" rm y`, []string{"… rm y"}},
		{`xargs rm`, []string{"xargs rm", "rm…"}},
		{`xargs env`, []string{"xargs env", "(env…)", "…"}},
		{`xargs -I% rm %`, []string{"xargs -I% rm %", "rm …"}},
		{`find . -name '*.go' -exec rm {} \;`, []string{"find . -name *.go -exec rm {} ;", "rm ….go"}},
		{`find $x -name a`, []string{"find… -name a", "…"}},
		{`git -C d push`, []string{"git -C d push"}},
		{`runuser -l bob -c 'rm x'`, []string{"runuser -l bob -c rm x", "rm x", "rm x"}},
		{`runuser -u bob -- rm x`, []string{"runuser -u bob -- rm x", "rm x"}},
		{`parallel ::: 'rm x'`, []string{"parallel ::: rm x", "…"}},
	})
}

// A name of a file that a loop has found may be several words where it is not
// quoted, and find and fd run some of them.
func TestNamesThatAreSplit(t *testing.T) {
	doubted(t,
		`for f in xx*; do find . $f; done`, `for f in xx*; do find $f -name a; done`, `for f in xx*; do find . ./$f; done`, `for f in -n*; do find . $f; done`,
		`for f in xx*; do g=$f; find . $g; done`, `for f in xx*; do sudo find . $f; done`, `for f in xx*; do find . -exec echo $f \; ; done`,
		`find . -exec echo $x \;`, `find . -exec echo "$@" \;`, `for f in xx*; do fd $f; done`, `for f in xx*; do fd -x echo $f; done`, `fd $x`, `fd a -x echo $x`,
	)
	clear(t,
		`for f in xx*; do find . "$f"; done`, `for f in *.go; do gofmt -l $f; done`, `for f in xx*; do find "./$f" -name '*.go'; done`, `find src/*.go -newer a`,
		`for f in xx*; do find . -newer "$f" -exec ls "$f" {} \; ; done`, `find . -exec ls *.go \;`, `for f in xx*; do fd -x echo "$f"; done`, `fd a *.go`,
		`for d in a b; do find $d -name x; done`, `find . -mtime +$((1+1)) -exec grep "$x" {} +`, `fd "$x" -x ls`, `n=1; find . -size +$n`,
	)
}

func TestTextsThatAreCode(t *testing.T) {
	check(t, []row{
		{`bash -c 'rm x'`, []string{"(bash -c rm x)", "rm x"}},
		{`bash -kc 'rm x'`, []string{"bash -kc rm x", "rm x", "…"}},
		{`bash -c "$x"`, []string{"bash -c …", "…"}},
		{`bash -- -c x`, []string{"bash -- -c x"}},
		{`LD_PRELOAD=x bash -c 'rm x'`, []string{"LD_PRELOAD=x bash -c rm x", "rm x"}},
		{`zsh -c 'rm x'`, []string{"(zsh -c rm x)", "rm x"}},
		{`zsh -c '=rm x'`, []string{"(zsh -c =rm x)", "…", "=rm x"}},
		{`eval rm x`, []string{"(eval rm x)", "rm x"}},
		{`eval "$x"`, []string{"eval …", "…"}},
		{`trap "$x" EXIT`, []string{"trap … EXIT", "…"}},
		{`ssh h 'rm x'`, []string{"ssh h rm x", "rm x"}},
		{`source <(x)`, []string{"x", "…", "source /dev/fd/…"}},
	})
}
