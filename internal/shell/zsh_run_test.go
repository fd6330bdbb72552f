//go:build unix

package shell_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// zshLines are templates of the grammar with what zsh knows, or reads otherwise.
var zshLines = []string{
	"§p §w", "§L", "§c", "§w; §p §w", "x='§k'; §p $x", "x='a b'; §p $x §w", "x=rm; $x §w", "x='rm a'; $x", "§p $x:h", "§p \"$x:u\"", "§p ${x:t}", "§p $x[1]", "§p \"$x[2]\"", "a=(§w §w); §p $a", "a=(§w §w); §p $a[1]", "a=(§p §w); $a", "§p $#x", "§p $+x", "§p $=x", "§p $~x", "§p $^x",
	"§p ${=x}", "§p ${~x}", "§p ${(e)x}", "§p ${(s: :)x}", "x='$(§n)'; §p ${(e)x}", "§p =ls", "=§p §w", "x==§p; $x", "§p $x=ls", "§p =(§L)", "§p *(.)", "§p *(e:'§n':)", "§p <1-9>", "§p a<->", "§p **/*", "§p d/**", "§p (a|b)", "§p ^a", "§p a~b", "§p a#b", "§p HEAD^ HEAD~1",
	"repeat 2 §p §w", "repeat 2 do §L; done", "foreach v (a b) §p $v; end", "foreach v in a b; §p $v; end", "for v (a b) §p $v", "for v in a b; { §L }", "if [[ §t ]] { §L }", "if (( 1 )) §c", "while (( 0 )) { §L }", "{ §L } always { §L }", "{ §c }", "() { §L }", "() { §p $1 } §w", "f g() { §L }; g", "f() §c; f", "function { §L }", "case a { a) §c ;; }", "case a in a) §c ;| *) §c;; esac",
	"- §c", "noglob §c", "nocorrect §c", "nocorrect x=1 §p", "command §c", "builtin §c", "exec §c", "exec -a x §p §w", "time §c", "! §c", "coproc §c", "eval §c", "emulate sh -c '§n'", "emulate sh; x='§n'; $x", "setopt shwordsplit; x='§n'; $x", "set -y; x='§n'; $x", "setopt extendedglob; §p ^§w", "setopt ignorebraces; §p {a,b}",
	"§p §w >!o", "§p >>!o", "§p &>|o", "§p >&!o", "§p &|§c", "§p &!§c", "§p >o >d/o", "§p >o | §c", "§p <f <x.go", "§p | §p <f", "cat <<E | §p\n§n\nE\n", "echo §n | sh <<E\n:\nE\n", "sh <<A <<B\n§n\nA\n§n\nB\n", "sh <f <<A\n§n\nA\n", "> o", "< f", "x=1 > o", ">o <f", "NULLCMD=rm; > o", "READNULLCMD=git; < f", "§p 12>o", "§p 2&>o", "§p 2>&o", "§p > d/*", "§p > {o,d/o}", "§p > $x", "{v}>o §p", "§p >& p",
	"path=(d); §p §w", "functions[§p]='§n'; §p", "aliases[ls]='§n'\nls", "alias -g G='; §n'\n§p G", "commands[x]=/bin/echo; x", "functions[f]='§n'; f", "histchars='!^%'\n§p §w % §n", "options[shwordsplit]=on; x='§n'; $x", "argv=(§w §w); §p $1", "cdpath=(d); cd z; §p §r", "nameddirs[x]=/d; §p ~x", "hash ls=d/z; ls", "hash -d x=d; cd ~x; §p §r", "chdir d; §p §r", "cd d e; §p §r", "true | cd d; §p §r", "true | x=a; §p $x", "echo §w | read x; §p $x", "pushd d; cd +1; §p §r", "TRAPEXIT() { §L; }", "chpwd() { §L; }; cd d", "zshexit() { §L; }", "command_not_found_handler() { §p \"$@\"; }; nosuch §w",
	"integer x='§j'", "float x='§j'", "exit '§j'", "a=1; exit '§j'", "a=(1 2); shift '§j'", "a=1; f() { return '§j'; }; f", "a=(1 2); [ '§j' -eq 1 ]", "a=(1 2); read x <<< '§j'; [ \"$x\" -eq 1 ]", "a=(1 2); read x <<< '§j'; [[ -t $x ]]", "a=(1 2); read x <<< '§j'; printf %d \"$x\"", "a=(1 2); read x <<< '§j'; printf '%s %5d' a \"$x\"", "a=(1 2); read x <<< '§j'; exit $x", "a=(1 2); read x <<< '§j'; shift $x", "a=(1 2); read x <<< '§j'; §v", "a=(1 2); COLUMNS='§j'", "a=(1 2); print -C '§j' a", "a=(1 2); read x <<< '§j'; y=-eq; [ $x $y 1 ]", "a=(1 2); for v in 1; do break '§j'; done", "a=(1 2); read x <<< '§j'; echo ${x:$x}", "print §w", "print -z §w", "print -v x §w; §p $x", "print -P '§k'", "vared x", "r", "fc -e - ls", "sched +0 §p", "autoload f; f", "read -A x <<< '§w §w'; §p $x", "read 'x?a' <<< §w; §p $x", "read -p x <<< a", "typeset -T X x; X=§w; §p $x", "typeset -U x; x=§w; §p $x", "typeset -u x; x=§w; §p $x", "typeset -Z3 x=§w; §p $x",
	"§p {1..$x}", "x=3; §p {1..$x}", "§p {a..c}", "§p $x{a,b}", "xa=rm; x=; $x{a,b}", "§p a}", "{ §p a}", "§p }", "§p {a,b} {a} {}", "§p a{1,2}{3,4}", "{§p,a}", "§p {3..1}", "§p {01..12}", "§p {1..5..2}", "§p \"{a,b}\" {'a',\"b\"}", "§p ''=ls", "§p a=~/b", "§p --x=§w", "§p \"a$\" b$ \"$ a\"", "§p \"a!b\" !x", "§p $'a\\qb'", "§p $'\\x41\\n'", "§p \"`§p \\\"a\\\"`\"", "§p `§p \\$x`", "§p $\"a\"", "§p http://x/?a=b", "§p [a] [ ]", "§p ~x ~1 ~+", "§p a # §n", "§p a #§n'\n§p b", "# §n '\n§p b", "§p $(§p a # '\n)", "§p $(case a in a) §p b;; esac)", "§p $(cat <<E\n§d\nE\n)", "§p <<E\n$x:h $x[1] §d\nE\n", "§p a\\\nb", "§p \"a\\\nb\"", "(# §n\n§p a)", "[[ a =~ (a|b) ]] && §c", "[[ a == (a|b) ]] && §c", "[[ §w = §w ]] && §c", "[ a == b ] || §c", "case §w in (§w|a)b) §c;; esac", "§p $((§a)) $[§a]", "((§a)) && §c", "((§p) ; (§c))", "§p $((§p) ; (§c))", "let x=§a", "§p ${x:-§w} ${x:=§w}; §p $x", "§p ${x#§w} \"${x%%§w}\"", "§p ${${x}:-§w}", "§p ${:-§w}", "§p ${x:+§w}", "§p $10 ${10} $1a", "§p \"$@\" $* ${@:1}", "x=a*; §p $x > $x", "x=~; §p $x/a", "x=§w; §p ~x", "§p ${x/a/b} ${x//§w/b} ${x:#a}", "§p ${x:s/a/b/} ${x:h:t}", "§p $?:h $$:h", "§p `§n`:h $(§n)[1]",
}

// zshPieces are what mutations of lines for zsh put in besides.
var zshPieces = []string{"=", "(", ")", "(.)", "^", "~", ":h", "[1]", "$=", "${(e)", "!", "|", "<1-9>", " =ls", " - ", "noglob ", "repeat 2 ", "{", "}", " }", ";}", "{ ", "&|", "&!", ">!", "#", "**/", ">o ", "<f ", " always ", "$#", "$+", "..", "*(", "x=", "() "}

// Whatever real zsh runs and writes is explained by a part.
func TestZsh(t *testing.T) {
	t.Parallel()
	r := newRunner(t, "zsh", "-f", zshConfig())
	m := maker{rand.New(rand.NewPCG(*seed, 1)), seeds(t)}
	old := r.run(t, `ls $(case a in a) rm x;; esac)`).programs == nil // see unbalanced
	count := runLines(t, r, func() string {
		var line string
		switch n := m.IntN(8); {
		case n < 4:
			line = m.expand(m.pick(zshLines), m.IntN(4))
		case n < 5:
			line = m.expand(m.pick(zshLines), 2) + m.pick([]string{"; ", " && ", "\n", " | "}) + m.expand(m.pick(zshLines), 2)
		default:
			line = m.line()
		}
		if m.IntN(3) == 0 {
			line = m.mutateWith(line, zshPieces)
		}
		if old && unbalanced(line) {
			return "ls"
		}
		return line
	})
	require.Less(t, count.blind, 6*count.lines, "too little of what is made can be looked at")
}

// unbalanced reports whether a line has a substitution in which one that counts
// parentheses finds another end, as zsh before 5.0.8 does.
func unbalanced(line string) bool {
	_, substitution, ok := strings.Cut(line, "$(")
	return ok && strings.Count(substitution, ")") != strings.Count(substitution, "(")+1
}

// Each payload in each place, for zsh.
func TestZshPlaces(t *testing.T) {
	t.Parallel()
	runPlaces(t, newRunner(t, "zsh", "-f", zshConfig()))
}
