package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
)

const explainHelp = `Usage:

	permission explain -manifest FILE [-root DIR] [-home DIR] [-shell SHELL] [-json] TOOL [--] INPUT

Explain prints how a manifest comes to its answer for one call of TOOL: the
parts of the call and how each was read, which rules were tried on it and what
became of them, and what the model is told. Nothing is run. INPUT is the text of
the tool's main argument, or JSON, as 'permission help check' says.

	permission explain -manifest agent.toml bash 'cd web && git push $HOW'

Rules are tried in their order, up to the one that decides:

	match      it decides
	may match  a part of the call is unknown, and the rule is for some of what
	           may stand there: a deny or ask makes that an ask, an allow does
	           not count
	wide       the rule allows only what the part might be taken for besides
	default    the rule is for everything, and a part that needs no rule, such
	           as a cd inside the root, does not hear it
	no match   it is not for this part

What stands between ⟨ and ⟩ is unknown. A rule that you miss in the list stands
behind the one that decides, or is for another tool: case counts.

Exit codes are those of check:

	0  allow
	1  ask
	2  deny
	3  wrong usage, a manifest that does not load
`

// explain holds the flags of "permission explain".
type explain struct {
	single
	json bool
}

func explainCommand() command {
	return command{
		name: "explain", summary: "say how a manifest comes to its answer, rule by rule", help: explainHelp,
		setup: func(f *flag.FlagSet) runFunc {
			var e explain
			e.flags(f)
			f.BoolVar(&e.json, "json", false, "print JSON, whose form is stable")
			return e.run
		},
	}
}

func (e *explain) run(args []string, s stdio) (int, error) {
	p, call, err := e.load("explain", args)
	if err != nil {
		return exitError, err
	}
	trace := p.Explain(call)
	if e.json {
		return exitCode(trace.Decision.Action), printJSON(s.out, trace, "  ")
	}
	text := trace.String()
	if colours(s.out) {
		text = coloured(text)
	}
	_, err = io.WriteString(s.out, text)
	return exitCode(trace.Decision.Action), err
}

// colours reports whether w is a terminal whose owner does not mind colours.
func colours(w io.Writer) bool {
	f, ok := fileOf(w)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || runtime.GOOS == "windows" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 // a terminal, or nothing that shows anything
}

var (
	answers  = regexp.MustCompile(`(?m)^( *)(allow|ask|deny):`)
	outcomes = regexp.MustCompile(`(?m)^( +[0-9]+  )(match|may match|wide)( )`)
)

// coloured returns the text of a trace with its answers in colours and the rules
// that count in bold. All that the model wrote is escaped and stands further
// down a line.
func coloured(text string) string {
	text = answers.ReplaceAllStringFunc(text, func(line string) string {
		m := answers.FindStringSubmatch(line)
		colour := map[string]int{"allow": 32, "ask": 33, "deny": 31}[m[2]]
		return fmt.Sprintf("%s\x1b[1;%dm%s\x1b[0m:", m[1], colour, m[2])
	})
	return outcomes.ReplaceAllString(text, "$1\x1b[1m$2\x1b[0m$3")
}
