package workload

import (
	"fmt"
	"strings"
)

// LongestLine is the size of the longest command line that is read.
const LongestLine = 64 << 10

// Lines are command lines of just under a size that are meant to take long to
// read.
func Lines(size int) map[string]string {
	size -= 64
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	most := func(unit string) string { return strings.Repeat(unit, size*9/10/len(unit)) } // with room for more
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
	return map[string]string{
		"groups":          nest("{ ", ":", ";}"),
		"subshells":       nest("( ", ":", ")"),
		"substitutions":   "echo " + nest("$(a ", "", ")"),
		"quoted":          "echo " + nest("\"$(a ", "", ")\""),
		"backquotes":      "echo " + fill("`a`"),
		"arithmetic":      "echo $((" + strings.Repeat("(", 280) + "1" + strings.Repeat(")", 280) + most("+1") + "))",
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
		"loops":           "for a in " + strings.Repeat("x ", 64) + "; do for b in " + strings.Repeat("x ", 64) + "; do for c in " + strings.Repeat("x ", 64) + "; do " + most(">/dev/null;") + " done; done; done",
		"summing loops":   loops("((1" + most("+1") + "))"),
		"written loops":   loops("ls > " + most("a") + "$a$b$c"),
		"document loops":  loops("cat <<E\n" + most("a") + "$a$b$c\nE\n"),
		"doubts in loops": loops(most("echo $((x+$1)) >&$y;")),
		"long doubts":     fill("PS4=a;ENV=b;let a;"),
		"numbers":         fill("a=$b;b=$a;echo $((a));"),
		"echoed numbers":  "c=" + nest("$(echo ", "1", ")"),
		"loop words":      "for a in " + strings.Repeat("x ", 64) + "; do ls " + most("$a ") + "; done",
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
		"npx":             fill("npx "),
		"tmux":            "tmux " + fill("new a \\; "),
		"tmux texts":      "tmux " + fill("new 'a;b' \\; "),
		"git words":       "git --a " + fill("b "),
		"hyperfine":       "hyperfine " + fill("'a b' "),
		"hyperfine words": "hyperfine $a " + fill("'b'$c "),
		"sources":         fill(". a;"),
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
		"read connection": loops("{ :; } < " + most("x$y")),
		"tests":           "[ " + fill("$x ") + "]",
		"static tests":    "[ " + fill("-v $x ") + "]",
		"quoted tests":    fill("[ \"$x\" = $y ];"),
		"conditions":      "[[ " + most("$x -eq $y && ") + "a ]]",
		"here-strings":    loops("a $a$b$c <<< '" + most("x") + "'"),
		"fed wrappers":    loops(strings.Repeat("env ", 38) + "a$a$b$c <<'E'\n" + strings.Repeat("x", size/2) + "\nE\n"),
		"fed tmux":        "tmux " + strings.Repeat("a \\; ", size/12) + "<<'E'\n" + strings.Repeat("x", size/2) + "\nE\n",
		"fed lists":       strings.Repeat("a <<E; ", size/100) + "\n" + strings.Repeat("x\nE\n", size/100) + strings.Repeat("x", size/2),
		"find in a loop":  "for f in a* b* c*; do find " + most("$f ") + "; done",
		"finds":           "find " + fill("-exec $x "),
		"tmux options":    "tmux set " + fill("a "),
		"places":          places(size, "; ") + "> x",
		"places in lists": places(size, " && ") + "> x",
		"one place":       fill("cd a; ") + "> x",
		"deep place":      fill("cd a && ") + "> x",
		"long places":     strings.Repeat("cd "+strings.Repeat("x", 7000)+"; ", 8) + strings.Repeat("> x; ", 1000),
		"shorter places":  strings.Repeat("cd "+strings.Repeat("x", 1000)+"; ", 3) + strings.Repeat("> x; ", 10000),
		"messages":        loops("case \"$(cat <<'E'\n" + most("x") + "\nE\n)$a\" in a) ;; esac"),
	}
}

// places returns as many changes of the directory as fit, each to another name.
func places(size int, between string) string {
	var b strings.Builder
	for i := 0; b.Len() < size-16; i++ {
		fmt.Fprintf(&b, "cd d%d%s", i, between)
	}
	return b.String()
}

// Doubling sets variables each of which holds the one before it twice.
func Doubling(n int) string {
	line := "a0=xxxxxxxxxx;"
	for i := range n {
		line += fmt.Sprintf(`a%d="$a%d$a%d";`, i+1, i, i)
	}
	return line
}

// Growing are lines that are much longer once their variables and braces have
// been expanded.
func Growing() map[string]string {
	double := Doubling(40)
	document, inner := "<<'E'\n"+strings.Repeat("x", 30000)+"\nE\n", "for a in "+strings.Repeat("x ", 64)+"; do "
	pairs, long := strings.Repeat("{a,b}", 10), strings.Repeat("x", 30000)
	return map[string]string{
		"here-strings":      inner + inner + inner + "a $a <<< '" + strings.Repeat("x", 50000) + "'; done; done; done",
		"fed wrappers":      inner + inner + strings.Repeat("env ", 38) + "a$a" + document + "done; done",
		"fed tmux":          "tmux " + strings.Repeat("a \\; ", 6000) + document,
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
		"aliases of git":    "git " + strings.Repeat("-c alias.a='!b' ", 1500) + "a " + strings.Repeat("x ", 16000),
		"padded":            "echo {" + strings.Repeat("0", 60000) + "1..1024}",
	}
}

// MatchedLines are command lines of that size of which most are soon read, and
// which then have many parts, or long ones, to be matched with rules.
func MatchedLines() map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, (64<<10-64)/len(unit)) }
	return map[string]string{
		"commands":   fill("a b;"),
		"pipes":      fill("a|") + "a",
		"env":        fill("env ") + "a",
		"words":      "ls " + fill("a "),
		"globs":      "ls " + fill("*a"),
		"variables":  "ls " + fill("$a "),
		"sudo":       fill("sudo ") + "rm x",
		"hole each":  fill("echo $a*;"),
		"near match": "echo " + fill("prog") + "$x",
		"files":      fill("a >b$$;a"),
		"braces":     fill("echo {1..1024};"),
		"set":        fill("a=b $a;"),
		"shells":     fill("sh -c 'a b';"),
		"quoted":     "echo '" + fill("p") + "'",
		"groups":     fill("(") + fill(")"),
		"arithmetic": "echo $((" + fill("(") + "1",
		"subscripts": fill("a["),
		"values":     "a=" + strings.Repeat("x", 15000) + ";" + fill("b $a;")[:45000],
		"doubling":   Doubling(40) + "ls",
		"alternates": "ls " + strings.Repeat("{a,b", 10000) + strings.Repeat("}", 10000),
		"numbered":   "ls {1..1024}" + strings.Repeat("x", 60000),
		"connection": fill("a < $x/$y;"),
	}
}

// Near returns n rules for commands none of which decides anything early, and
// of which MatchedLines have much that looks like what they match.
func Near(n int) []Rule {
	shapes := []string{"prog%d *", "*prog%d*", "git prog%d *", "> **/prog%d/*", "p?og%d* -[xyz] *"}
	rules := make([]Rule, n)
	for i := range rules {
		rules[i] = Rule{"bash", fmt.Sprintf(shapes[i%len(shapes)], i), uint8(i % 3)}
	}
	return rules
}
