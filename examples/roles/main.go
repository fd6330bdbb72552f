// Command roles prints what three roles of an agent may do: the build, plan and
// explore of OpenCode, over defaults that they share and below the rules of a
// session. It shows
//
//   - how lists in which the last match wins become rules of which the first
//     does, layer by layer;
//   - what each role answers to a call, and which rule says so;
//   - tools that ask in the middle of their work: for a folder outside of the
//     project, or because the model goes round in circles;
//   - a run without anybody at the keyboard, in which every ask is a refusal.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/insomnia-run/permission"
)

// options say where the calls would run. Without them that is here, in the
// current directory; but the example is to print the same on every machine.
func options() *permission.Options {
	return &permission.Options{Root: "/srv/app", Home: "/home/dev", GOOS: "linux"}
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	columns, err := columns()
	if err != nil {
		return err
	}
	for _, c := range samples() {
		if err := row(w, c, columns); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "As build, with nobody there to answer:\n\n")
	return unattended(context.Background(), w, columns[0].policy)
}

// A column of the table is what calls are judged by.
type column struct {
	name   string
	policy *permission.Policy
}

// columns returns one for each role, and one for a session that runs as build.
func columns() ([]column, error) {
	var all []column
	for _, role := range roles() {
		p, err := layers(options(), defaults(), role)
		if err != nil {
			return nil, err
		}
		all = append(all, column{role.name, p})
	}
	p, err := all[0].policy.Override(session().firstMatch()...)
	return append(all, column{"build, in a session", p}), err
}

// row prints what becomes of a call in each column, and which rule decides.
func row(w io.Writer, c call, columns []column) error {
	fmt.Fprintln(w, c)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, col := range columns {
		d := c.judge(col.policy, options())
		rule := "no rule matches"
		if d.Rule != nil {
			rule = fmt.Sprintf("%s:%d\t%s %s", d.Rule.File, d.Rule.Line, d.Rule.Tool, strconv.Quote(d.Rule.Pattern))
		}
		fmt.Fprintf(t, "  %s\t%v\t%s\n", col.name, d.Action, rule)
	}
	fmt.Fprintln(t)
	return t.Flush()
}
