package workload

import (
	"fmt"
	"strings"
)

// Lines are command lines of just under 64 KiB that are meant to take long to
// read.
func Lines() map[string]string {
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
	return map[string]string{
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
