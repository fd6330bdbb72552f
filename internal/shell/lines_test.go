package shell_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/shell"
)

// home is the home of the lines that bash runs. There is no such directory.
const home = "/nonexistent/home"

// config reads lines as the runner runs them.
func config() shell.Config {
	return shell.Config{Home: home, Inside: func(dir string) bool { return !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "~") }}
}

// isHole reports whether a part is a command of which nothing is known.
func isHole(p shell.Part) bool {
	return p.Kind == shell.Command && len(p.Narrow) > 0 && p.Narrow[0].String() == "…" && !p.Free
}

// seeds are the lines of the corpus.
func seeds(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, name := range []string{"shell.jsonl", "everyday/ci-allowlist.jsonl", "everyday/blocklist.jsonl"} {
		data, err := os.ReadFile("../../testdata/" + name)
		require.NoError(t, err)
		for l := range strings.Lines(string(data)) {
			var c struct{ Input struct{ Command any } }
			if json.Unmarshal([]byte(l), &c) == nil {
				if s, ok := c.Input.Command.(string); ok && len(s) < 400 {
					all = append(all, s)
				}
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}

// grammar makes lines: a § and a letter stand for one of the letter's texts.
// The first texts of a letter are the shortest, and the only ones when a line
// has become deep.
var grammar = map[rune][]string{
	'L': {"§c", "§c", "§c; §c", "§c && §c", "§c || §c", "§c | §c", "§c\n§c", "§c & §c", "§c |& §c", "! §c", "§c;§c", "§c&§c", "§s", "§s; §c", "§s && §c", "§s | §c", "§s\n§L"},
	'c': {"§p §w", "§p", "§p §w §w", "§p §w §w §w", "§A §p §w", "§p §w §r", "§p §r §w", "§r §p §w", "§A", "§A; §p §u", "§A\n§p §u §w", "§K", "§b", "§x", "§s", "§H"},
	's': {"( §L )", "{ §L; }", "if §L; then §L; else §L; fi", "if §L; then §L; fi", "for v in §w §w; do §p $v §w; done", "for v in §w; do §L; done", "while §c; do §L; break; done",
		"until §c; do §L; break; done", "case §w in §w) §L;; *) §L;; esac", "case §w in (§w|§w) §L;& §w) §L;; esac", "f() { §L; }; f §w", "function f { §L; }; f", "[[ §t ]]", "[[ §t ]] && §c", "((§a))", "((§a)) && §c",
		"for ((v=§a; v<2; v++)); do §L; done", "select v in §w; do §L; done", "time §c", "time -p §c", "coproc §c", "coproc N { §L; }", "(§L)", "§s §r", "{ §L; } §r", "time -- §c", "! ! §c", "f() ( §L ) §r; f"},
	'p': {"rm", "git", "cat", "curl", "ls", "touch", "r\\m", "'rm'", "\"rm\"", "r''m", "$'rm'", "$'\\x72m'", "${x:-rm}", "$(echo rm)", "{rm,x}", "$x", "\"$x\"", "~", "r*", "$x''rm", "rm\\\n"},
	'w': {"a", "-rf", "x.go", "'a b'", "\"a b\"", "§q", "\"§d\"", "\"§d§d\"", "'§k'", "$'§e'", "$x", "\"$x\"", "${x}", "${x:-§w}", "\"${x:-§w}\"", "${x+§w}", "${x:=§w}", "$(§L)", "`§n`", "\"$(§L)\"", "\"`§n`\"", "<(§L)", ">(§L)", "$((§a))", "$[§a]", "{a,b}", "{§w,§w}",
		"{1..3}", "{a..c}", "{c..a..2}", "{01..3}", "{,a}", "a{,b}c", "*", "*.go", "d/?", "[a-z]*", "[d]/[z]", "[!a]", "[x\".\"]go", "x[.]go", "[[:alpha:]]", "[]a]*", "[d/z]", "x'.'g?", "{$,}HOME", "{$,a}x", "{a=,b}~/c", "$x{a,b}", "{a,$x}b", "{'a',\"b c\"}", "{a,b}$x", "{~,b}/c", "{\\,,b}", "{*,a}", "~", "~/a", "~root/a", "a\\ b", "a\\\nb", "\\a", "''", "\"\"", "$1", "\"$@\"", "$*", "${x%§w}", "${x#§w}", "${x/§w/§w}", "\"${x/§w/§w}\"", "${x:§a:1}", "${#x}", "${x^^}", "${!x}", "${x@Q}",
		"${a[§a]}", "${a[@]}", "§w§w", "a=§w", "--x=§w", "a:~", "x=~/a", "$'a\\\\'b", "\"a\\\"b\"", "\"\\$x\"", "#", "a#b", "%", "@(a|b)", "!(a)", "$?", "$$", "$IFS", "a$IFS", "rm$IFS§w", "{a,b}{1,2}", "{a,{b,c}}", "{a}", "{a,b", "a,b}", "{}", "\\{a,b}", "{a,b\\}", "$\"a b\"", "$\"$(§L)\"", "\"${x:-'§k'}\"", "${x:-'§k'}", "\"${x:-\"§d\"}\"", "$((${x:-§a}))", "${v}", "[", "]", "a]", "[a", "^", "é", "\r", "a\rb", "\u200b", "-", "--", "{x..§w}", "{1..x}", "{-3..3..2}", "{3..1}", "{a..C}"},
	'u': {"$x", "\"$x\"", "${x}", "$x$x", "\"$x/a\"", "$v", "$x.go"},
	'd': {"a", "$x", "${x:-§d}", "${x:-'§k'}", "$(§L)", "`§n`", "$((§a))", "\\\"", "\\$", "\\`", "\\\\", "\\\n", "\\a", "'", "'§k'", "${x/§d/§d}", "${x#'§k'}", " ", "$", "$@", "!", "${x:+\"§d\"}", "${x:?§d}", "\n"},
	'k': {"a", "$(§n)", "`§n`", "\"$(§n)\"", "\\", "\"", "{a,b}", "\n", "#", ";§n", "}", "a[$(§n)]", "<(§n)", "\\\n"},
	'e': {"a", "\\'", "\\\\", "\\n", "\\x41", "\\101", "\\u41", "\\U41", "\\x{41}", "\\cA", "\\0", "\\x00z", "\\e", "\\z", "\"", "$(§n)", "\\", "\\c\\\\", "\\x", "\\u", "\\400", "\\xff"},
	'q': {"a'§k'b", "\"§d\"a", "a\"§d\"", "'§k'\"§d\"", "$'§e'a", "a$'§e'"},
	'a': {"1", "x", "x+1", "$x", "$(§n)", "a[§a]", "'§k'", "\"§d\"", "(§a)", "x=§a", "§a?§a:§a", "x++", "a['§k']", "`§n`", "§a,§a", "§a==§a", "-§a", "a[$(§n)]", "1#§a", "$((§a))", "${x:-§a}", "\\\n1"},
	't': {"a", "§w == §w", "-n §w", "-v §w", "§a -eq §a", "'§k' -lt 1", "-v 'a[$(§n)]'", "§w =~ §w", "§w && §t", "( §t )", "! §t", "-z §w || §t", "§w < §w"},
	'r': {">o", ">>o", ">d/o", "2>&1", ">&2", "<f", "2>o", "&>o", "&>>o", ">|o", "<>o", "{v}>o", ">&o", ">'o p'", "> §w", "< §w", "<<<§w", "<<< \"§d\"", "3>o", "<&-", ">&'§k'", ">\"o$x\"", "> \"$(§L)\"", "<(§L)", "1>o", "12>o"},
	'A': {"x=§w", "x=", "x+=§w", "a=(§w §w)", "a[§a]=§w", "a=([§a]=§w)", "a['§k']=1", "y=1 x=§w", "x=§w y=§w", "x=rm", "x='rm a'", "export x=§w", "declare x=§w", "declare -a a=(§w)", "declare 'a=(§k)'", "readonly y=§w", "local x=§w", "declare -i x='§k'", "declare -n x='§k'", "typeset x=§w", "IFS=§w", "PS4='§k'", "a=(§w)#", "x=$(§L)", "x=~/a", "x={a,b}", "declare §w", "export §w"},
	// Variables that are set more than once, or to numbers.
	'K': {"§N; §N; §p $x", "§N; §N; §p \"$x\" z$x", "§N\n§N; §N\n§p $x", "§N; for x in §M; do §p $x; done; §p $x", "for x in §M; do §p $x; §N; done; §p $x", "for x in §M; do §p $x; done; for x in §M; do §p \"$x\"; done", "§N; while [ $x -lt 3 ]; do §p $x; §N; break; done", "for ((x=0;x<2;x++)); do §p $x; §N; done; §p $x", "f() { §N; §p $x; }; §N; f; §p $x", "§N; trap '§p $x' EXIT; §N", "§N; §N && §N; §p $x", "§N; y=$x; §N; §p $y$x", "x=.env\n: $((1/0)); §N; §N\n§p $x", "§N; (§N; §p $x); §p $x", "§N; §N | cat; §N & §p $x", "IFS=1; §N; §p $x", "§N; §p ${x%.a} ${x##*/} \"${x%.*}\"", "for x in *.go d/z; do §p ${x%.go} \"${x##*/}\" ${x%.*}; done", "git & §N; §p $! $x"},
	'N': {"x=0", "x=1", "x=$((x+1))", "x+=§M", "x=§M", "x=$((1/0))", "x=$((5%3))", "x=\"$((x-9))\"", "((x++))", "((x=2))", "((x-=4))", "x=$?", "x=$(§L)", "export x=2", "x=b y=$((1/x))", "local x=1", "[[ x -eq x=3 ]]", "unset x", "x[0]=b", "x=(a 'b c')", "read x <f", ": ${x:=1}", "eval 'x=b'", "true && x=b", "declare x=4", "let x=3", "x=08", "x=''", "x=$y", "x=$!", "x='a b'", "x=a.b.c", "x=d/z.go"},
	'M': {"1 2", "{1..3}", "$(echo 1 2)", "a b", "7", "$((1+2)) 4", "08", "'1 2'", "", "{08..10}", "*.go"},
	'b': {":", "true", "cd d", "cd d && §c", "cd §w", "cd d; §p §r", "cd d && §p §r; §p §r", "(cd d; §p §r); §p §r", "(cd d && §p §r); §p §r", "cd d || true; §p §r", "if cd d; then §p §r; fi; §p §r", "§p §r; cd d", "for v in d .; do (cd $v && §p §r); done", "f() { §p §w; } | §c; f §w", "f() { §c; }; §c; f §w", "true && cd d && §p §r || §p §r", "x=$(cd d && §p §r); §p §r", "{c,}d d; §p §r", "eval 'cd d'; §p §r", "cd d; eval '§n >o'", "cd d && sh -c '§n >o'", "builtin cd d; §p §r", "x=cd; $x d; §p §r", "f() { §p §r; }; cd d; f", "x=(cd d); §p §r", "pushd d; §p §r", "find d -execdir sh -c '§n >o' \\;", "env -C d sh -c '§n >o'", "x=$(cd d) >o", "cd d 2>o && §p §r", "cd d | §p §r", "cd d & §p §r", "trap '§p §r' EXIT; cd d", "! cd d && §p §r", "cd nowhere && §p §r || §p §r", "cd nowhere; §p §r", "cd d && cd .; §p §r", "CDPATH=d; cd d && §p §r", "echo §w", "echo §w §w", "printf %s §w", "printf -v x %s §w", "read x <<< §w", "set -- §w §w", "set -f", "shopt -s nullglob", "shopt -s extglob\nls §w", "unset x", "eval §w", "eval §p §w", "eval \"§p §w\"", "eval '§k'", "trap '§n' EXIT", "trap \"§d\" EXIT", "trap §w EXIT",
		"let x=§a", "let §a", "test §w", "[ §w = §w ]", "test -v §w", "alias r=rm", "shopt -s expand_aliases\nalias r='rm a'\nr b", "source §w", ". /dev/stdin <<< '§n'", "source <(echo '§n')", "mapfile -C '§n' -c 1 m < f", "read 'a[§k]' <<< 1", "wait", "pushd d", "popd", "hash -r", "type §w", "true §w", "break", "return", "echo '§n' | sh", "echo '§n' | bash", "cat f | while read x; do §p $x; done", "set -k; §p x=1", "export -f f", "read -r x y < f; §p §u", "getopts a v -a; §p $v", "compgen -C '§n'", "readonly x", "bind -x '§k'"},
	'x': {"env §p §w", "env x=§w §p §w", "env -S '§p §k'", "env -S \"§p a\" b", "timeout 5 §p §w", "timeout -k 1 -s INT 5 §p", "timeout --signal=INT 5 §p §w", "nice §p §w", "nice -n 5 §p", "nice -5 §p §w", "nohup §p §w", "stdbuf -oL §p §w", "command §p §w", "command -v §p", "builtin echo §w", "builtin eval '§n'", "command eval §w", "xargs §p <<< §w", "echo §w | xargs §p §w", "echo §w | xargs -I% §p %", "echo a | xargs -n1 -t §p",
		"echo a | xargs -I {} sh -c '§n {}'", "find . -name '*.go' -exec §p {} \\;", "find . -exec §p {} +", "find d -type f -exec sh -c '§n' \\;", "sh -c '§n'", "sh -c \"§d\"", "sh -c '§k'", "bash -c '§n' a b", "bash -c §w", "bash -xc '§n'", "bash -c '$0 $1' §p §w", "sh -c '\"$@\"' a §p §w", "bash <<< '§n'", "bash <<E\n§n\nE\n", "sh <<'E'\n§n\nE\n", "sh -s <<< '§n'", "env -u x §p", "env -- §p §w", "timeout -- 5 §p §w", "nice -- §p §w", "time env §p", "env env env §p §w", "bash -c 'x=§w; §p $x'", "timeout 5 sh -c '§n'", "env bash -c '§n'", "xargs -a f §p", "nohup nice timeout 5 §p §w", "sudo §p §w", "builtin command §p §w", "command -- §p §w", "command command §p", "\\command §p §w", "'env' §p §w", "\"timeout\" 5 §p", "bash -o pipefail -c '§n'", "bash -ec '§n'", "bash --norc -c '§n'", "sh +c '§n'", "bash -c -- '§n'", "echo §n | xargs env", "echo §n | xargs timeout 5", "echo b | xargs git -C d", "echo §n | xargs sh -c", "bash 3<<'E'\n§n\nE\n", "echo '§n' | bash 3<<'E'\n:\nE\n", "echo '§n' | bash <<'E' 0<&3 3<&0\n:\nE\n", "find $x -name §w", "\"$x\" §p §w", "$x §p §w", "x=env; \"$x\" §p §w", "x=$(echo env); \"$x\" §p §w", "x=$(echo 5 git); timeout $x §p", "git -C $x §w", "x='a b'; git -C $x §w", "nice -n $x §p §w", "{env,§p} §w", "{env,-S,§n}", "env{,} §p"},
	'H': {"cat <<E\n§d\nE\n", "cat <<'E'\n§k\nE\n", "cat <<-E\n\t§d\n\tE\n", "cat <<\"E\"\n§k\nE\n", "cat <<\\E\n§k\nE\n", "cat <<E | §c\n§d\nE\n", "cat <<E; §c\n§d§d\nE\n", "cat <<A <<B\n§d\nA\n§d\nB\n", "cat <<E && §p §w\n$(§L)\nE\n§c", "cat <<E\nE\\\n\n§c\nE\n", "x=$(cat <<'E'\n§k\nE\n); §p \"$x\"", "git commit -m \"$(cat <<'E'\n§k\nE\n)\"", "cat <<E\n\\$(§n)§d\nE\n§c", "cat <<$x\n§k\n$x\n", "cat <<''\n§k\n\n§c", "cat <<E\n${x:-'§k'}\nE\n"},
	// What is known only when the line runs: options that values spell, names that
	// hold code, and the variables that the shell reads as arithmetic.
	'h': {"read x y <<< '§o §j'; §v", "read x <<< '§j'; §v", "x=§o; §v", "x=§o y='§j'; §v", "x='§o §j'; §v", "read x <<< '§o §j'; §v", "read x <<< '§o'; §v", "read §i <<< '§j'; §v", "for x in §o; do §v; done", "for x in a §o '§j'; do §v; done", "for y in '§j'; do §v; done",
		"echo '§o §j' | while read x y; do §v; done", "echo '§o §j' | while read x; do §v; done", "x=$(echo §o); §v", "x=$(echo '§o §j'); §v", "y=$(printf %s '§j'); x=§o; §v", "set -- §o '§j'; x=$1 y=$2; §v", "f() { §v; }; read x y <<< '§o §j'; f", "eval '§v'; read y <<< '§j'; §v", "x=§i; §v", "y='§j'\nx=§o §v", "export x=§o; §v", ": ${x:=§o}; §v", "x=(§o); §v", "x+=§o; §v", "§v", "§v; §v", "read x <<< '§o §j'; §S", "read x <<< '§o §j'; §S", "read x <<< 'a §j'; §S"},
	'S': {"\\declare v=$x", "command declare v=$x", "read -p $x'' v", "read $x''", "printf $x'' b", "printf a$x b", "test $x''", "[ ''$x ]", "mapfile -n $x'' v", "wait $x''", "unset ''$x", "declare v=$x", "export v=$x", "\\export v=$x", "\\local $x''", "set -- $x''", "echo $x''", "getopts a $x'' -a", "trap $x'' EXIT", "\\readonly v=$x", "read -n $x v", "read v$x", "mapfile $x$v", "eval : $x", "let $x", "cd $x''"},
	'v': {"§T", "§F", "§R", "§O", "§T; §v", "§F && §v", "(§R)", "§O; §v"},
	'T': {"test §m '§j'", "test §m §y", "[ §m '§j' ]", "[ §m §y ]", "[ ! §m §y ]", "[ -f §m ]", "[ a = §m ]", "[ §m = a -o §m §y ]", "[ §m -eq §y ]", "[ §y -eq 1 ]", "[[ §m -eq 1 ]]", "[[ -v §m ]]", "[[ §m == §y ]]", "\\test §m §y", "builtin test §m §y", "t=test; $t §m §y", "test §m", "test §m §y §m", "[ -v §y ]", "test §o §y", "test a§m §y"},
	'F': {"printf §m '§j' b", "printf §m §y b", "printf §m §i '§j'", "printf §m%s §y", "printf §m", "printf -- §m §y", "printf '%s' §y", "printf '%d' §y", "printf -v§i '§j'", "printf -v §i %s '§j'", "printf -v §i %d §y", "printf -v §m a", "builtin printf §m §y", "t=printf; $t §m §y b", "printf §m§m §y b"},
	'R': {"read §m §i <<< '§j'", "read §m <<< '§j'", "read -a§i <<< '§j'", "read -ra §i <<< '§j'", "read -ra§i <<< '§j'", "read -d b -a §i <<< '§j'", "read -p §m §i <<< '§j'", "read -n 9 §i <<< '§j'", "read -a §m <<< '§j'", "read -a\"$x\" <<< '§j'", "read §i x <<< '§j'", "mapfile -t §i <<< '§j'", "mapfile §m <<< '§j'", "readarray -t §i <<< '§j'", "§i=§y", "§i='§j'", "§i+='§j'", "§i=(§y)", "for §i in '§j'; do :; done", "for §i in §y; do :; done", "select §i in '§j'; do break; done <<< 1", ": ${§i:=§y}", "((§i=§i))", "((§i=y))",
		"export §i=§y", "declare §i=§y", "declare §m §i=§y", "declare §m", "readonly §i=§y", "f() { local §i=§y; }; f", "local §m", "typeset §i=§y", "OPTIND=§y getopts a v -a", "§i=§y true", "§i=§y §p", "env §i=§y bash -c 'echo $((§i))'", "x=§i; read $x <<< '§j'", "command read §i <<< '§j'", "command export §i=§y", "builtin declare §i=§y", "\\declare §i=§m", "command declare §i=§m", "\\typeset v=§m"},
	'O': {"((x))", "echo $((§i))", "echo $((y))", "echo ${a[§i]}", "echo ${a[y]}", "echo ${a:y}", "a[y]=1", "unset §m", "unset §m §y", "unset \"a[$y]\"", "wait §m §y", "getopts §y §i -a", "getopts a §m -a", "bash -c 'echo $((§i))'", "bash -c 'test $0 $1' §m §y", "sh -c 'printf $0' §m", "let §m", "shift §y", "exit §y", "break §y", "cd §m §y", "type §m §y", "trap §m §y", "enable §m", "echo §m §y", "history §m", "set §m §y", "command §m §y", "xargs §m §y <<< a", "find . §m §y", "env §m §y", "timeout §m 5 §y"},
	'm': {"$x", "\"$x\"", "${x}", "$x$y", "\"$x$y\"", "\"${x}\"", "${x:-§o}", "\"${x:-§o}\"", "${v:-§o}", "\"${v:-§o}\"", "-$x", "\"-$x\"", "$(echo §o)", "\"$(echo §o)\"", "\"$(printf %s §o)\"", "\"$1\"", "$@", "${x[@]}", "\"${x[0]}\"", "${x%a}", "${x,,}", "$'§o'", "{§o,a}", "{§o,§o}", "§o", "$x''", "-?", "$x\"§o\""},
	'y': {"$y", "\"$y\"", "${y}", "'§j'", "\"$x\"", "$x", "y", "x", "$2", "a[y]", "'a[y]'", "\"a[$y]\"", "a[$y]", "${y:-'§j'}", "\"$(echo '§j')\"", "$(echo '§j')", "1", "$((y))", "${y[0]}", "$y$x", "${#y}", "\"${y}b\""},
	'o': {"-v", "-v", "-v", "-v", "-v", "-vy", "-v§i", "-v a", "-a", "-ay", "-a§i", "-R", "-R", "-n", "-p", "-i", "-r", "-o", "a", "b -o -v", "-e -o -v", "v", "-eq", "1 -eq", "-C", "-ra", "-A", "!", "--", "§i"},
	'i': {"RANDOM", "SECONDS", "OPTIND", "y", "x", "a", "SRANDOM", "HISTCMD", "LINENO", "HISTSIZE", "EPOCHSECONDS", "BASHPID", "UID", "EUID", "PPID", "REPLY", "OPTARG", "MAPFILE", "COLUMNS", "LINES", "OPTERR", "SHLVL", "TMOUT", "BASH_SUBSHELL", "BASH_ARGV0", "FUNCNEST", "IGNOREEOF", "DIRSTACK", "GROUPS", "FUNCNAME", "_", "§i[0]"},
	'j': {"a[$(rm)]", "a[$(rm${IFS}b)]", "a[$(rm b)]", "y[`rm`]", "1+a[$(curl)]", "a[$(>o)]", "1", "y", "x", "a[y]", "a[x=1]", "-v", "-v a[$(rm)]", "a[$(rm${IFS}b)]=1", "b -o -v a[$(rm)]", "SECONDS", "a[0]"},
	'n': {"rm b", "git b", "curl b", "rm", "touch b;rm c", "rm *", "rm $x", "ls|cat"},
}

// A maker makes lines.
type maker struct {
	*rand.Rand
	seeds []string
}

// line returns a line of the grammar, or a changed seed.
func (m *maker) line() string {
	switch n := m.IntN(13); {
	case n < 5:
		return m.expand("§L", 0)
	case n < 7:
		return m.mutate(m.expand("§L", 2))
	case n < 8:
		return m.position(m.position(m.pick(payloads)))
	case n < 10:
		return m.mutate(m.pick(m.seeds))
	case n < 12:
		return m.expand("§h", 0)
	default:
		return m.mutate(m.expand("§h", 2))
	}
}

func (m *maker) pick(list []string) string { return list[m.IntN(len(list))] }

func (m *maker) expand(s string, depth int) string {
	var b strings.Builder
	letter := false
	for _, r := range s {
		switch {
		case r == '§':
			letter = true
		case !letter:
			b.WriteRune(r)
		default:
			letter = false
			list := grammar[r]
			if depth > 6 || b.Len() > 400 {
				list = list[:2]
			}
			b.WriteString(m.expand(m.pick(list), depth+1))
		}
	}
	return b.String()
}

// pieces are what mutations put in.
var pieces = []string{"\\\n", "\n", ";", "&", "|", "#", " #", "'", "\"", "`", "$(", ")", "(", "{", "}", "${", "$'", "<<E\n", "\nE\n", "<(", ">o", "\\", " ", "\t", "\r", "[", "]", "=", "rm q", ";rm q;", "\nrm q\n", "&&", "||", "((", "))", "$((", "[[", "]]",
	"!", "*", "~", "-", ",", "\\'", "$x", "\"$x\"", "x=rm;", "time ", "coproc ", "eval ", "then", "fi", "do", "done", "in", "esac", ";;", "$", "@", "/", "<<<", "<<-E\n\t", ">&", "<&", "2>", "\v", "\f", "\u00a0", "\x01", "function ", "--", "`rm q`", "$(rm q)", "<(rm q)", "'$(rm q)'", "\"$(rm q)\""}

func (m *maker) mutate(s string) string { return m.mutateWith(s, pieces) }

func (m *maker) mutateWith(s string, pieces []string) string {
	for range 1 + m.IntN(4) {
		at := 0
		if len(s) > 0 {
			at = m.IntN(len(s))
		}
		end := min(len(s), at+1+m.IntN(4))
		switch m.IntN(6) {
		case 0:
			s = s[:at] + s[end:]
		case 1:
			s = s[:at] + s[at:end] + s[at:]
		case 2:
			s = s[:at] + m.pick(pieces) + s[end:]
		default:
			s = s[:at] + m.pick(pieces) + s[at:]
		}
	}
	return strings.ToValidUTF8(s, "")
}

func (m *maker) position(payload string) string { return at(m.pick(positions), payload) }

func at(position, payload string) string { return strings.ReplaceAll(position, "§", payload) }

// payloads run a program, if the place lets them.
var payloads = []string{"$(rm p)", "`rm p`", "<(rm p)", ";rm p;", "\nrm p\n", "&rm p&", "|rm p", "# \\\nrm p\n", "\"$(rm p)\"", "'$(rm p)'", "a[$(rm p)]", "$\\\n(rm p)", "rm p", "${y:-$(rm p)}", "\\$(rm p)", "${y:-<(rm p)}", "$(\nrm p)", "$'$(rm p)'", "\r#;rm p", "$((1+$(rm p)))"}

// positions are places in a line.
var positions = []string{"echo §", "echo \"§\"", "echo '§'", "echo $'§'", "echo $\"§\"", "echo ${y:-§}", "echo \"${y:-§}\"", "echo \"${y:-'§'}\"", "echo \"${y:-\"§\"}\"", "echo ${y:-'§'}", "echo ${y/a/§}", "echo \"${y/§/a}\"", "echo ${y:§}", "echo ${a[§]}", "echo $((§))", "echo $(('§'))", "echo $((\"§\"))", "echo $[§]", "((§))", "(( '§' ))",
	"cat <<E\n§\nE\n", "cat <<'E'\n§\nE\n", "cat <<-E\n\t§\n\tE\n", "cat <<E\n${y:-'§'}\nE\n", "cat <<< §", "cat <<< \"§\"", "x=§", "x=\"§\"", "x='§'", "a=(§)", "a=([§]=1)", "a[§]=1", "a['§']=1", "x=1 cat §", "declare x=§", "declare 'x=§'", "export x=\"§\"", "[[ § ]]", "[[ -n \"§\" ]]", "[[ a == § ]]", "[[ '§' -eq 1 ]]", "[[ -v '§' ]]", "test -v '§'", "case § in *) ;; esac", "case a in §) ;; esac", "for v in §; do :; done",
	"for ((v=§;v<0;)); do :; done", "if §; then :; fi", "while § ; do break; done", "( § )", "{ § ; }", "f() { § ; }; f", "eval '§'", "eval \"§\"", "trap '§' EXIT", "sh -c '§'", "sh -c \"§\"", "bash -c '§'", "env -S '§'", "cat > §", "cat < §", "cat >& §", "cat >&'§'", "cat 2>&1 §", "echo a # §", "echo a #§\n", "`echo §`", "\"`echo §`\"", "$(echo §)", "echo <(echo §)", "! §", "time §", "coproc §", "coproc N { § ; }", "let §", "let x='§'", "read '§' <f", "printf -v '§' a", "unset '§'", "echo {§,a}", "echo {a,'§'}", "echo @(§)", "~§", "select v in §; do :; done", "cd d && §", "git commit -m \"$(cat <<'E'\n§\nE\n)\"", "git commit -m \"$(cat <<E\n§\nE\n)\"", "git commit -m \"$(cat <<'E'\nE§)\"\nE\n)\"", "echo $(cat <<-E\n\tE§)\n\tE\n)", "bash <<'E'\n§\ncat <<'F'\nrm p\nF\nE\n", "bash <<'E'\nread x§\ncat '\nrm p\n'\nE\n",
	"echo '§' | sh", "xargs § <<< a", "find . -exec § {} \\;", "echo a | xargs -I{} sh -c '§'", "timeout 5 §", "command §", "x='§'; echo $((x))", "x='§'; eval \"$x\"", "x='§'; [[ $x -eq 1 ]]", "declare -i x='§'", "PS4='§'; set -x; :", "x='§'; echo ${x@P}", "x='§'; echo ${!x}", "x='§'; $x", "x=rm; $x §", "set -- §; echo \"$@\"", "source <(echo '§')", "mapfile -C '§' -c1 <f", "§", "§ a", "a§", "rm§", "echo \\§", "echo a\\\n§", "echo a \\\n§", "alias q='§'", "echo ${y@§}", "echo ${#§}", "echo ${y^§}", "echo \"${y%%'§'}\"", "echo ${y%%'§'}", "echo ${a['§']}", "echo \"${a[\"§\"]}\"", "echo ${y:'§'}", "echo $((a['§']))", "wait -p '§' -n"}

var (
	// unsafe is what no line may hold that is run: what leaves the folder, or
	// reaches other processes.
	unsafe = regexp.MustCompile(`\.\.|kill|ulimit|umask|suspend|logout|\bhash\b|PATH|HISTFILE|BASH_ENV|` +
		`(^|[^-])exec|env.*-[a-zA-Z]*i|command.*-[a-zA-Z]*p|-fprint|-fls|-delete|/(tmp|etc|home|usr|bin|var|proc|root|sys|srv|opt|work|lib|run|mnt|boot|sbin|dev/(tcp|udp|pts|shm))`)
	// slash is one that may start a path from the root of the system.
	slash = regexp.MustCompile(`(^|[^a-zA-Z0-9_.])/`)
	known = regexp.MustCompile(`/dev/(null|stdin|stdout|stderr|fd)|~/|\$x/a`)
)

// mayRun reports whether a line is safe to run.
func mayRun(line string) bool {
	return len(line) < 4000 && !strings.ContainsRune(line, 0) && !unsafe.MatchString(line) && !slash.MatchString(known.ReplaceAllString(line, "@"))
}
