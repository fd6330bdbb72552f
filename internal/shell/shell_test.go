package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// said returns what a line is read as: each part by its first narrow reading,
// with a sign for what it is.
func said(c shell.Config, line string) []string {
	return sayAll(c.Read(line))
}

// sign returns a part as a test spells it: in parentheses where it is free, and
// with an ellipsis for a hole.
func sign(p shell.Part) string {
	s := ""
	switch {
	case p.Kind != shell.Command:
		s = map[shell.Kind]string{shell.Write: "> ", shell.Read: "< "}[p.Kind]
		switch {
		case p.Likely || p.Path == "":
			s += "…"
		case p.Dir != "":
			s += p.Path + " in " + p.Dir
		default:
			s += p.Path
		}
		return strings.ReplaceAll(s, string(shell.Mark), "*")
	case len(p.Narrow) > 0:
		s = p.Narrow[0].String()
	default:
		s = "wide only"
	}
	if p.Free {
		s = "(" + s + ")"
	}
	return s
}

type row struct {
	line string
	want []string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		assert.Equal(t, r.want, said(config(), r.line), "%q", r.line)
	}
}

func TestWords(t *testing.T) {
	check(t, []row{
		{`rm -rf 'a b' "c"d\ e`, []string{"rm -rf a b cd e"}},
		{`r\m x`, []string{"rm x"}},
		{`"rm" ''`, []string{"rm ''"}},
		{`rm x""y`, []string{"rm xy"}},
		{"rm a\\\nb", []string{"…", "rm ab"}},
		{`echo "a\$b\c"`, []string{`echo a$b\c`}},
		{"rm a\rb", []string{"rm a\rb"}},
		{`'' x`, []string{"… x"}},
		{`'a b' x`, []string{"… x"}},
		{"", []string{""}},
		{"# nothing", []string{""}},
	})
}

func TestHoles(t *testing.T) {
	check(t, []row{
		{`rm "$x"`, []string{"rm …"}},
		{`rm $x y`, []string{"rm… y"}},
		{`rm a$x`, []string{"rm a…"}},
		{`rm "$@"`, []string{"rm…"}},
		{`rm ""$@`, []string{"rm …"}},
		{`rm "$@$x"`, []string{"rm…"}},
		{`rm ${x:-$(ls)}`, []string{"ls", "rm…"}},
		{`$x rm y`, []string{"…rm y"}},
		{`rm *.go`, []string{"rm ….go"}},
		{`rm [ab]/[cd]`, []string{"rm …/…"}},
		{`rm [a/b]`, []string{"rm [a/b]"}},
		{`rm x["."]go y`, []string{"rm x… y"}},
		{`rm [ x`, []string{"rm [ x"}},
		{`rm ~bob/x`, []string{"rm …/x"}},
		{`rm ~/x`, []string{"rm ~/x"}},
		{`dd if=~/x`, []string{"dd if=~/x"}},
		{`echo $((1+1))`, []string{"echo …"}},
		{`cat <(ls)`, []string{"ls", "cat /dev/fd/…"}},
		{`echo @(a|b)`, []string{"…", "echo …"}},
	})
}

func TestBraces(t *testing.T) {
	check(t, []row{
		{`rm {a,b}c`, []string{"rm ac bc"}},
		{`rm {a,}`, []string{"rm a"}},
		{`rm a{,b}`, []string{"rm a ab"}},
		{`{rm,x}`, []string{"rm x"}},
		{`rm {1..3}`, []string{"rm 1 2 3"}},
		{`rm {01..3}`, []string{"rm 01 02 03"}},
		{`rm {3..1..2}`, []string{"rm 3 1"}},
		{`rm {a}`, []string{"rm {a}"}},
		{`rm "{a,b}"`, []string{"rm {a,b}"}},
		{`rm $x{a,b}`, []string{"rm……"}}, // $xa and $xb
		{`rm {$,}HOME`, []string{"rm… HOME"}},
		{`rm {a,$x}b`, []string{"rm ab…"}},
		{`rm ${x/a/{b,c}}{1,2}`, []string{"rm…"}},
		{`rm {1..9999}`, []string{"…", "rm…"}},
		{`export A={b,c}`, []string{"export A=…"}},
	})
}

func TestAnsiC(t *testing.T) {
	check(t, []row{
		{`$'rm' x`, []string{"rm x"}},
		{`$'\x72\155' x`, []string{"rm x"}},
		{`$'rm\x00zz' x`, []string{"rm x"}},
		{`$'\x{72}m' x`, []string{"rm x"}},
		{`$'\u72\U6d' x`, []string{"rm x"}},
		{`echo $'a\'b'`, []string{"echo a'b"}},
		{`echo $'\z\\'`, []string{`echo \z\`}},
		{`echo $'\ca'`, []string{"echo \x01"}},
		{`git$'\t'push`, []string{"…"}},
	})
}

func TestHereDocuments(t *testing.T) {
	check(t, []row{
		{"cat <<'E'\n$(rm x)\nE\n", []string{"cat"}},
		{"cat <<E\n$(rm x)\nE\n", []string{"rm x", "cat"}},
		{"git commit -m \"$(cat <<'E'\n`rm x`\nE\n)\"", []string{"git commit -m `rm x`"}},
		{"cat() { rm x; }; git commit -m \"$(cat <<'E'\na\nE\n)\"", []string{"rm x", "(cat)", "git commit -m …"}},
		{"bash <<'E'\nrm x\nE\n", []string{"(bash)", "rm x"}},
		{"bash 3<<'E'\nls\nE\n", []string{"bash", "…"}},
		{"bash <<'E' 0<&3\nls\nE\n", []string{"bash", "…"}},
		{"ls | bash", []string{"ls", "bash", "…"}},
		{"echo $(cat <<''\nx\n\n)", []string{"…", "echo x"}},
		{"echo $(cat <<E\nx\nE\ngit a;rm b)", []string{"…", "cat", "git a", "rm b", "echo…"}},
		{"cat <<E\nE\\\n\nrm x\nE", []string{"…", "cat"}},
	})
}

func TestStaticVariables(t *testing.T) {
	check(t, []row{
		{`X=a; rm "$X"`, []string{"(X=a)", "rm a"}},
		{`X=a; rm ${X}b`, []string{"(X=a)", "rm ab"}},
		{`X=a && rm $X`, []string{"(X=a)", "rm a"}},
		{`X='a b'; rm $X`, []string{"(X=a b)", "rm…"}},
		{`X=a; X=b; rm $X`, []string{"(X=a)", "(X=b)", "rm b"}},
		{`false && X=a; rm "$X"`, []string{"(false)", "(X=a)", "rm …"}},
		{`X=a | rm "$X"`, []string{"(X=a)", "rm …"}},
		{`(X=a); rm "$X"`, []string{"(X=a)", "rm …"}},
		{`X=a; read X; rm "$X"`, []string{"(X=a)", "(read X)", "rm …"}},
		{`X=a; [[ 1 -eq X=2 ]]; rm "$X"`, []string{"(X=a)", "rm …"}},
		{`X=a; ((X[0]=2)); rm "$X"`, []string{"(X=a)", "rm …"}},
		{`X=a; . f; rm "$X"`, []string{"(X=a)", ". f", "rm …"}},
		{`X=a; . "$X/f"`, []string{"(X=a)", ". a/f"}},
		{`X=a; trap 'rm "$X"' EXIT`, []string{"(X=a)", "(trap rm \"$X\" EXIT)", "rm a"}},
		{`X=a; eval 'X=b'; rm "$X"`, []string{"(X=a)", "(eval X=b)", "(X=b)", "rm …"}},
		{`X=~/a; rm "$X"/b`, []string{"(X=~/a)", "rm ~/a/b"}},
		{`export X=a; rm $X`, []string{"export X=a", "rm a"}},
		{`for f in a b; do rm "$f"; done`, []string{"rm a", "rm b"}},
		{`for f in *.go; do rm "$f"; done`, []string{"rm ….go"}},
		{`for f in $x; do rm "$f"; done`, []string{"rm …"}},
		{`X=env; $X rm y`, []string{"(X=env)", "(env rm y)", "rm y"}},
		{`sh -c 'X=a; rm $X'`, []string{"(sh -c X=a; rm $X)", "(X=a)", "rm…", "(X=a)", "rm…"}},
	})
}

func TestPlaces(t *testing.T) {
	check(t, []row{
		{`a > b`, []string{"> b", "a"}},
		{`a > /dev/null 2>&1`, []string{"a"}},
		{`cd d && a > b`, []string{"(cd d)", "> b in d", "a"}},
		{`cd d; a > b`, []string{"(cd d)", "> b", "> b in d", "a"}},
		{`cd d && a || b > c`, []string{"(cd d)", "a", "> c", "> c in d", "b"}},
		{`! cd d && a > b`, []string{"(cd d)", "> b", "> b in d", "a"}},
		{`cd d && cd e && a > b`, []string{"(cd d)", "(cd e)", "> b in d/e", "a"}},
		{`eval 'cd d'; a > b`, []string{"(eval cd d)", "(cd d)", "> …", "a"}},
		{`cd d; eval 'a >b'`, []string{"(cd d)", "(eval a >b)", "> …", "a"}},
		{`cd d && sh -c 'a >b'`, []string{"(cd d)", "(sh -c a >b)", "> …", "a", "> …", "a"}},
		{`env -C d sh -c 'a >b'`, []string{"env -C d sh -c a >b", "(sh -c a >b)", "> …", "a", "> …", "a"}},
		{`time -- builtin cd d; a >b`, []string{"(builtin cd d)", "(cd d)", "> …", "a"}},
		{`a > *.txt`, []string{"> *.txt", "a"}},
		{`a > "$x"`, []string{"> …", "a"}},
		{`a >&b`, []string{"> b", "a"}},
		{`rm -rf>&-rf x`, []string{"…", "> -rf", "rm -rf x"}},
		{`for f in *.md; do a > "o/$(basename "$f" .md).html"; done`, []string{"basename ….md .md", "> o/*.html", "a"}},
		{`a < b`, []string{"< b", "a"}},
		{`< b`, []string{"< b", ""}},
	})
}

// What needs no rule beside other commands, and what only looks like it.
func TestNeutral(t *testing.T) {
	check(t, []row{
		{`pwd; a`, []string{"(pwd)", "a"}},
		{`pwd`, []string{"pwd"}},
		{`set -euo pipefail; a`, []string{"(set -euo pipefail)", "a"}},
		{`set -k; a x=1`, []string{"…", "set -k", "a x=1"}},
		{`test -f x && a`, []string{"(test -f x)", "a"}},
		{`test -v x && a`, []string{"(test -v x)", "a"}},
		{`test -v 'x[1]' && a`, []string{"test -v x[1]", "a"}},
		{`read -r x; a`, []string{"(read -r x)", "a"}},
		{`read PATH; a`, []string{"…", "(read PATH)", "a"}},
		{`cd d && a`, []string{"(cd d)", "a"}},
		{`cd /etc && a`, []string{"cd /etc", "a"}},
		{`cd && a`, []string{"cd", "a"}},
		{`pwd() { b; }; pwd; a`, []string{"b", "(pwd)", "a"}},
		{`X=1 true; a`, []string{"X=1 true", "a"}},
		{`CI=1 true; a`, []string{"(true)", "a"}},
		{`shopt -s nullglob; a`, []string{"(shopt -s nullglob)", "a"}},
		{`shopt -s expand_aliases; a`, []string{"shopt -s expand_aliases", "a"}},
		{`trap 'true' EXIT; a`, []string{"(trap true EXIT)", "(true)", "a"}},
		{`PATH=x; a`, []string{"PATH=x", "a"}},
		{`enable -n cd; a`, []string{"…", "enable -n cd", "a"}},
		{`alias r='rm a'; r b`, []string{"alias r=rm a", "rm a", "…", "r b"}},
	})
}

// Each kind of line on which the fuzz test has found bash to run something else
// than was read, by its smallest line.
func TestFoundByFuzzing(t *testing.T) {
	check(t, []row{
		{"echo hi # c \\\nrm x", []string{"echo hi", "rm x"}},
		{"echo a\\\r\nrm x", []string{"echo a\r", "rm x"}},
		{"rm a\rb", []string{"rm a\rb"}},
		{"a > b\rc", []string{"> b\rc", "a"}},
		{`echo "${x:-'$(rm y)'}"`, []string{"…", "echo …"}},
		{`echo ${x:-<(rm y)}`, []string{"…", "echo…"}},
		{`echo $(( '$(rm x)' ))`, []string{"…", "…", "echo …"}},
		{"a=(1)#; rm x", []string{"…", "…", "(a=…)"}},
		{"echo \"$\\\n(rm x)\"", []string{"…", "echo $(rm x)"}},
		{"coproc A=1 rm x", []string{"…", "A=1 rm x", "rm x"}},
		{"time -- rm x", []string{"rm x"}},
		{"time -- rm x | a", []string{"rm x", "a"}},
		{"time -- A=1 rm x", []string{"…", "A=1 rm x"}},
		{"time -- coproc rm", []string{"…", "coproc rm"}},
		{"echo >&'$(rm x)'", []string{"…", "> $(rm x)", "echo"}},
		{"rm x=~/a", []string{"rm x=~/a"}},
		{"set -k; rm x=1", []string{"…", "set -k", "rm x=1"}},
		{"shopt -s expand_aliases\nalias r='rm a'\nr b", []string{"shopt -s expand_aliases", "alias r=rm a", "rm a", "…", "r b"}},
		{"env '\va=b' rm x", []string{"(env \va=b rm x)", "\va=b rm x"}},
		{`"timeout"$x 5 rm`, []string{"timeout… 5 rm"}},
		{`"$${x:-"a"}"`, []string{"…", "…{x:-a}"}},
		{"export x={a=,b}~/c; rm \"$x\"", []string{"export x=…", "rm …"}},
	})
	// Other readings tell a deny rule of the rest.
	for line, want := range map[string]string{
		"rm x=~/a":         "rm x=" + home + "/a",
		"rm ~/*":           "rm " + home + "/…",
		`"$x" push`:        "…",
		"git -C $x status": "git… status",
		"git -C d status":  "git status",
		"/opt/x/rm y":      "rm y",
		`"$d/rm" y`:        "rm y",
		"rm$IFS-rf x":      "rm -rf x",
		"A=1 rm x":         "rm x",
		"echo $TOKEN":      "echo $TOKEN",
		"xargs git -C d":   "git…",
	} {
		found := false
		for _, p := range config().Read(line) {
			for _, w := range slices.Concat(p.Narrow, p.Wide) {
				found = found || w.String() == want
			}
		}
		assert.True(t, found, "%q has no reading %q", line, want)
	}
}

// What cannot be read is said, with a way to write it plainly.
func TestUnknown(t *testing.T) {
	for line, want := range map[string]string{
		`git push origin "$B"`:                   "the value of $B: write the value, or assign it before, as a command of its own",
		`git push origin "$(git branch --show)"`: "what $(git …) prints: write that, a path or a branch name say, instead of the substitution",
		`rm *.go`:                                "the names that a wildcard stands for: write the names",
		`rm ~bob/x`:                              "the home of ~bob: write the path",
		`rm "$1"`:                                "the parameter $1: write its value",
		`$X y`:                                   "which program runs: the value of $X: write the value, or assign it before, as a command of its own",
		`rm ${x%y}`:                              "what ${x…} becomes: write the value",
		`rm $((1))`:                              "the result of arithmetic: write the number",
		`A=1 B=2 make`:                           "what A=… changes: the rule that allows it has to start with that assignment",
		`CI=1 B=2 make`:                          "what B=… changes: the rule that allows it has to start with that assignment",
		`a > "$x"`:                               "the file of a redirection: the value of $x: write the value, or assign it before, as a command of its own",
		`pushd x; a > b`:                         "the directory that a redirection starts from: name the file from the root",
		`ls | sh`:                                "the shell reads its script from elsewhere",
		`echo "`:                                 "a command line that cannot be parsed: mind quotes and brackets",
		`'a b' c`:                                "a program's name that no program has: write it in plain letters",
	} {
		var why []string
		for _, p := range config().Read(line) {
			if p.Unknown != "" {
				why = append(why, p.Unknown)
			}
		}
		assert.Equal(t, []string{want}, why, line)
	}
}

// What a program may do besides, by its options, is a hole beside its command.
func TestMoreThanTheCommand(t *testing.T) {
	for line, want := range map[string]string{
		"bash --rcfile x -c ls":                  "an option of bash that is not known",
		"bash --init-file x -c ls":               "an option of bash that is not known",
		"bash --wordexp -c ls":                   "an option of bash that is not known",
		"bash + x":                               "an option of bash that is not known",
		"docker $X exec c rm y":                  "an option of docker that is not known",
		"docker run $X":                          "an option of docker that is not known",
		"source -p x y":                          "an option of source that is not known",
		"jobs $X":                                "words of jobs that may say -x",
		"mapfile 'a[$(rm y)]'":                   "a name that the shell evaluates",
		"readarray -t 'a[$(rm y)]'":              "a name that the shell evaluates",
		"enable -f x y":                          "built-ins that are turned on and off",
		"parallel ::: a":                         "commands that stand where only the program reads them",
		"bash -s <<< ls -i":                      "an interactive shell, which may put words of its history into the lines that it reads",
		"bash <<E\nselect x in a; do b; done\nE": "select, which reads lines of the script itself: give it another input",
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), func(p shell.Part) bool {
			return isHole(p) && p.Unknown == want
		}), line)
	}
}

func TestLimits(t *testing.T) {
	for name, line := range map[string]string{
		"long":    "ls " + strings.Repeat("a", 64<<10),
		"texts":   strings.Repeat("eval ", 20) + "ls",
		"layers":  strings.Repeat("env ", 60) + "ls",
		"parts":   strings.Repeat("a;", 5000),
		"parens":  "echo $((" + strings.Repeat("(", 400) + "1" + strings.Repeat(")", 400) + "))",
		"words":   "ls {1..2000}",
		"private": "ls \uf8ff",
	} {
		parts := config().Read(line)
		found := false
		for _, p := range parts {
			found = found || isHole(p)
		}
		assert.True(t, found, name)
	}
	// What stands before the limit is looked at all the same.
	assert.Equal(t, "rm x", sign(config().Read("rm x\n)")[1]))
	assert.Contains(t, said(config(), "rm x; ls {1..2000}"), "rm x")
}

func TestPosix(t *testing.T) {
	posix := config()
	posix.Posix = true
	assert.Equal(t, []string{"> f", "echo a rm x", "…"}, said(posix, "echo a &>f rm x"))
	assert.Equal(t, []string{"a b", "a $b"}, said(posix, "a $'b'"))
	assert.Equal(t, []string{"a b"}, said(posix, "a b"))
}

func TestConfig(t *testing.T) {
	c := config()
	c.Wrappers = []string{"run"}
	c.Harmless = func(name string) bool { return name == "APP" }
	assert.Equal(t, []string{"run rm x", "rm x"}, said(c, "run rm x"))
	assert.Equal(t, []string{"rm x"}, said(c, "APP=1 rm x"))
	assert.Equal(t, []string{"cd d"}, said(shell.Config{}, "cd d"))
	assert.Equal(t, []string{"cd d", "a"}, said(shell.Config{}, "cd d; a"))
	assert.Equal(t, []string{"(bash -c rm x)", "rm x"}, sayAll(c.Arguments([]string{"bash", "-c", "rm x"})))
	assert.Equal(t, []string{""}, sayAll(c.Arguments(nil)))
}

func sayAll(parts []shell.Part) []string {
	var all []string
	for _, p := range parts {
		all = append(all, sign(p))
	}
	return all
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	for _, s := range positions {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		posix := config()
		posix.Posix = true
		for _, c := range []shell.Config{config(), posix, zshConfig()} {
			if len(c.Read(line)) == 0 {
				t.Error("no part")
			}
		}
	})
}
