package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

const toolsHelp = `Usage:

	permission tools [-manifest FILE]

Tools prints which arguments of a call rules are matched with, for every tool
that is known by itself, and with -manifest for those that a manifest declares;
the declared ones go first. Spellings of one argument stand side by side: any of
them may be used, and two in one call must agree.

A tool that is in neither list is read as it comes: every text, number and
boolean of its input is matched, one named as a path, a command or a URL usually
is as that.
`

func toolsCommand() command {
	return command{
		name: "tools", summary: "say which arguments of which tools rules are matched with", help: toolsHelp,
		setup: func(f *flag.FlagSet) runFunc {
			manifest := f.String("manifest", "", "the `FILE` whose declared tools go first")
			return func(args []string, s stdio) (int, error) {
				if len(args) > 0 {
					return exitError, usage("tools", "got the argument %q, want none", args[0])
				}
				return tools(*manifest, s.out)
			}
		},
	}
}

func tools(manifest string, out io.Writer) (int, error) {
	if manifest != "" {
		p, err := permission.Load(manifest, nil)
		if err != nil {
			return exitError, err
		}
		for _, t := range p.Tools() {
			declaredTool(out, t)
		}
	}
	for _, row := range subject.Table() {
		builtinTool(out, row)
	}
	return 0, nil
}

func declaredTool(out io.Writer, t permission.Tool) {
	fmt.Fprintf(out, "%s (declared)\n", visible.Text(t.Name))
	for _, name := range t.Arguments {
		fmt.Fprintf(out, "\t%-8v%s, required\n", t.Kind, visible.Text(name))
	}
	for _, name := range t.Optional {
		fmt.Fprintf(out, "\t%-8v%s\n", t.Kind, visible.Text(name))
	}
}

func builtinTool(out io.Writer, row subject.Row) {
	fmt.Fprintln(out, strings.Join(row.Names, ", "))
	for _, a := range row.Arguments {
		fmt.Fprintf(out, "\t%-8v%s%s\n", a.Kind, strings.Join(a.Names, " or "), traits(a))
	}
	if row.Some {
		fmt.Fprintln(out, "\tat least one of these")
	}
	if len(row.Dir) > 0 {
		fmt.Fprintf(out, "\t%-8s%s: where the call runs; outside the root only a rule for \"*\" allows it\n", "dir", strings.Join(row.Dir, " or "))
	}
	if len(row.Widen) > 0 {
		fmt.Fprintf(out, "\t%-8s%s: unless false or empty, only a rule for \"*\" allows the call\n", "widens", strings.Join(row.Widen, ", "))
	}
	if len(row.Free) > 0 {
		fmt.Fprintf(out, "\t%-8s%s: may name anything, so without the others only a rule for \"*\" allows the call\n", "free", strings.Join(row.Free, ", "))
	}
}

// traits says what sets an argument apart.
func traits(a subject.Argument) string {
	var s string
	if a.Each != nil {
		s += " (a list), " + strings.Join(a.Each, " or ") + " of each"
	}
	if a.Required {
		s += ", required"
	}
	if a.Default != "" {
		s += ", default " + a.Default
	}
	if a.Below {
		s += ", a pattern for files below the path"
	}
	if a.Base {
		s += ", only as where the pattern starts"
	}
	return s
}
