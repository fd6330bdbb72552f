package shell_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// hostile are lines of at most 64 KiB that are meant to take long to read.
func hostile() map[string]string {
	const size = 64<<10 - 64
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	nest := func(open, inner, close string) string {
		n := (size - len(inner)) / (len(open) + len(close))
		return strings.Repeat(open, n) + inner + strings.Repeat(close, n)
	}
	doubled := func(shell string) string {
		s := "rm x"
		for range 9 {
			s = shell + " -c \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + "\""
			if len(s) > size/2 {
				break
			}
		}
		return s
	}
	loops := func(body string) string {
		words := strings.Repeat("x ", 64)
		return "for a in " + words + "; do for b in " + words + "; do for c in " + words + "; do " + body + "\ndone; done; done"
	}
	all := map[string]string{
		"groups":          nest("{ ", ":", ";}"),
		"subshells":       nest("( ", ":", ")"),
		"substitutions":   "echo " + nest("$(a ", "", ")"),
		"quoted":          "echo " + nest("\"$(a ", "", ")\""),
		"backquotes":      "echo " + fill("`a`"),
		"arithmetic":      "echo $((" + strings.Repeat("(", 280) + "1" + strings.Repeat(")", 280) + fill("+1")[:60000] + "))",
		"parentheses":     "echo $(( " + nest("(", "1", ")") + "))",
		"parameters":      "echo " + nest("${x:-", "a", "}"),
		"quoted defaults": "echo " + nest("\"${x:-", "a", "}\""),
		"braces":          "echo " + fill("{a,b}"),
		"nested braces":   "echo " + nest("{a,", "b", "}"),
		"many braces":     fill("echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b};"),
		"sequences":       fill("echo {1..1024};"),
		"commands":        fill("a b;"),
		"pipes":           fill("a|") + "a",
		"and":             fill("a&&") + "a",
		"globs":           "ls " + fill("*a"),
		"brackets":        "ls " + fill("["),
		"open brackets":   "ls " + fill("[a"),
		"words":           "ls " + fill("a "),
		"variables":       "ls " + fill("$a "),
		"quotes":          "ls " + fill("''"),
		"comments":        fill("#\\\n"),
		"continuations":   "ls " + fill("a \\\n"),
		"documents":       fill("a<<E\nE\n"),
		"document":        "cat <<E\n" + fill("$x ") + "\nE",
		"assignments":     fill("a=b;"),
		"names":           fill("a=b $a;"),
		"env":             fill("env "),
		"sudo":            fill("sudo ") + "rm x",
		"timeout":         fill("timeout 5 ") + "rm x",
		"sh":              doubled("sh"),
		"bash":            doubled("bash"),
		"eval":            fill("eval ") + "rm x",
		"evals":           fill("eval 'a';"),
		"many sh":         fill("sh -c 'a b';"),
		"loops":           "for a in " + strings.Repeat("x ", 64) + "; do for b in " + strings.Repeat("x ", 64) + "; do for c in " + strings.Repeat("x ", 64) + "; do " + fill(">/dev/null;")[:60000-60000%11] + " done; done; done",
		"summing loops":   loops("((1" + fill("+1")[:60000] + "))"),
		"written loops":   loops("ls > " + fill("a")[:60000] + "$a$b$c"),
		"document loops":  loops("cat <<E\n" + fill("a")[:60000] + "$a$b$c\nE\n"),
		"doubts in loops": loops(fill("echo $((x+$1)) >&$y;")[:60000-60000%20]),
		"long doubts":     fill("PS4=a;ENV=b;let a;"),
		"numbers":         fill("a=$b;b=$a;echo $((a));"),
		"echoed numbers":  "c=" + nest("$(echo ", "1", ")"),
		"loop words":      "for a in " + strings.Repeat("x ", 64) + "; do ls " + fill("$a ")[:60000] + "; done",
		"functions":       fill("f() { a; };"),
		"cases":           "case x in " + fill("a) b;;") + " esac",
		"redirections":    "a " + fill(">b "),
		"git":             "git " + fill("-C a ") + "push",
		"find":            "find " + fill("-exec a \\; "),
		"export":          fill("export A=$B;"),
		"tildes":          "ls " + fill("~/a "),
		"carriages":       fill("a\r;"),
		"errors":          fill("a\n)\n"),
		"xargs":           fill("xargs -I{} ") + "rm {}",
		"time":            fill("time "),
		"not":             fill("! "),
		"traps":           fill("trap 'a' EXIT;"),
		"docker":          fill("docker exec ") + "rm x",
		"joined":          fill("ssh a ") + "rm x",
		"watch":           fill("watch ") + "'rm x'",
		"brackets in it":  "a[" + nest("a[", "1", "]") + "]=1",
		"open subscripts": fill("a["),
		"subscripts":      "echo " + nest("${a[", "1", "]}"),
		"slices":          "echo " + nest("${x:", "1", "}"),
		"files of":        "echo " + nest("<(", "a", ")"),
		"only nested":     "echo " + nest("$(", "a", ")"),
		"open quotes":     fill("eval \""),
		"early ends":      "echo " + fill("$(cat <<E\nE x)\nE\n)"),
		"scripts":         "bash <<'E'\n" + fill("read x\n") + "\nE",
		"counts":          fill("n=$(grep -c a {1..1024});"),
		"connections":     "cat < " + fill("/dev/tcp/$x"),
		"read connection": loops("{ :; } < " + fill("x$y")[:60000]),
		"messages":        loops("case \"$(cat <<'E'\n" + fill("x")[:60000] + "\nE\n)$a\" in a) ;; esac"),
	}
	maps.Copy(all, growing())
	return all
}

// growing are lines that are much longer once their variables and braces have
// been expanded.
func growing() map[string]string {
	double := "a0=xxxxxxxxxx;"
	for i := range 40 {
		double += fmt.Sprintf(`a%d="$a%d$a%d";`, i+1, i, i)
	}
	pairs, long := strings.Repeat("{a,b}", 10), strings.Repeat("x", 30000)
	return map[string]string{
		"doubling":          double + "ls",
		"perhaps doubling":  "f() { :; }; eval x; " + double + "ls",
		"doubling for a -c": "bash -c '" + double + "ls'",
		"values":            "a=" + long + ";echo " + strings.Repeat("$a ", 10000),
		"shorter values":    "a=" + long[:16000] + ";echo \"" + strings.Repeat("$a", 16000) + "\"",
		"value as command":  "a=" + long[:16000] + ";b=ls;$b " + strings.Repeat("$a ", 16000),
		"words in braces":   "echo " + strings.Repeat("{a,b", 2000) + strings.Repeat("}", 2000),
		"open braces":       "echo " + strings.Repeat("{a,b", 15000),
		"behind braces":     "echo {1..1024}" + long,
		"quoted in braces":  "echo " + pairs + "'" + long + "'",
		"value in braces":   "a=" + long[:16000] + ";echo " + pairs + "\"$a\"",
		"many in braces":    "echo " + strings.Repeat(pairs+long[:1000]+" ", 60),
		"padded":            "echo {" + strings.Repeat("0", 60000) + "1..1024}",
	}
}

// Every hostile line comes to an end, with parts that rules can be matched
// with; the benchmark tells how soon. Neither the parts nor what it takes to
// make them grows with what the line would expand to.
func TestHostileLines(t *testing.T) {
	for name, line := range hostile() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parts := config().Read(line)
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(600), "MiB: %s", name)
		assert.NotEmpty(t, parts, name)
		assert.LessOrEqual(t, len(line), 64<<10, name)
		assert.LessOrEqual(t, len(parts), 4097, name)
		size := 0
		for _, p := range parts {
			for _, r := range slices.Concat(p.Narrow, p.Wide) {
				known, _ := r.Known()
				size += len(known)
			}
		}
		assert.Less(t, size, 4<<20, name)
	}
}

// What a line may grow to has a bound, and beyond it nothing is known.
func TestGrowth(t *testing.T) {
	chain := func(n int) string {
		line := "a0=xxxxxxxxxx;"
		for i := range n {
			line += fmt.Sprintf(`a%d="$a%d$a%d";`, i+1, i, i)
		}
		return line + fmt.Sprintf(`rm "$a%d"`, n)
	}
	nested := func(n int) string { return "rm " + strings.Repeat("{a,b", n) + strings.Repeat("}", n) }
	last := func(line string) string {
		all := said(config(), line)
		return all[len(all)-1]
	}
	assert.Equal(t, "rm "+strings.Repeat("x", 80), last(chain(3)))
	assert.Equal(t, "rm …", last(chain(30)))
	assert.Equal(t, "rm build/out/x", last(`a=build; b="$a/out"; c=$b/x; rm $c`))
	assert.Equal(t, "rm a ba bb", last(nested(2)))
	assert.Equal(t, "rm…", last(nested(20)))
	assert.Contains(t, said(config(), nested(20)), "…")
	assert.Equal(t, "rm 1a 1b 2a 2b", last("rm {1,2}{a,b}"))
	assert.Equal(t, "rm 08 09 10", last("rm {08..10}"))
	assert.Equal(t, "rm…", last("rm {1..1024}"+strings.Repeat("x", 2000)))
	colors := "printf '" + strings.Repeat(`\e[31mred\e[0m `, 1000) + "'"
	assert.False(t, slices.ContainsFunc(config().Read(colors), isHole))
}

func BenchmarkRead(b *testing.B) {
	for name, line := range hostile() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				config().Read(line)
			}
		})
	}
	b.Run("everyday", func(b *testing.B) {
		for b.Loop() {
			config().Read(`cd web && npm test 2>&1 | tail -40`)
		}
	})
}
