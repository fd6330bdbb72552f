// Command permission tries a manifest from the command line: what it decides
// for a call, how it comes to that, whether its examples and files of cases come
// out as they should, and which of its rules cannot mean what they say.
//
//	permission check -manifest agent.toml bash 'git push origin main'
//	permission explain -manifest agent.toml bash 'git push origin main'
//	permission test agent.toml
//	permission test -manifest agent.toml cases.jsonl
//	permission lint -manifest agent.toml
//
// As "permission hook" it decides for a coding agent that runs a command before
// each tool call.
//
// "permission help COMMAND" says more.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/insomnia-run/permission/internal/visible"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// exitError is the exit code of every command for wrong usage and for what
// cannot be read. The flag package's own would be 2, which says deny.
const exitError = 3

// stdio is what a command reads and writes.
type stdio struct {
	in  io.Reader
	out *output
	err io.Writer
}

// A command is one word after "permission".
type command struct {
	name    string
	summary string
	help    string                      // all but the flags
	setup   func(*flag.FlagSet) runFunc // defines its flags
	// fail tells of an error and returns the exit code; nil prints it, for
	// exitError.
	fail func(stdio, error) int
	// idle reports what would be left undone on standard input if the command
	// only printed its help; nil where that is nothing.
	idle func(io.Reader) error
}

// A runFunc runs a command with the arguments after its flags and returns the
// exit code, for which an error has one of its own.
type runFunc func(args []string, s stdio) (int, error)

func commands() []command {
	return []command{checkCommand(), explainCommand(), testCommand(), lintCommand(), toolsCommand(), hookCommand()}
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := stdio{in: stdin, out: &output{Writer: stdout}, err: stderr}
	if len(args) == 0 {
		overview(stderr)
		return exitError
	}
	switch args[0] {
	case "-h", "-help", "--help":
		return help(nil, s)
	case "help":
		return help(args[1:], s)
	}
	c, err := find(args[0])
	if err != nil {
		return fail(s, "permission", err)
	}
	return c.run(args[1:], s)
}

func help(args []string, s stdio) int {
	describe := overview
	if len(args) > 0 {
		c, err := find(args[0])
		if err != nil {
			return fail(s, "permission help", err)
		}
		describe = c.describe
	}
	if describe(s.out); s.out.err != nil {
		return fail(s, "permission help", s.out.err)
	}
	return 0
}

// find returns the command of that name.
func find(name string) (command, error) {
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
	}
	return command{}, usageError{fmt.Sprintf("unknown command %q", name), "permission help"}
}

// run parses the flags of c, runs it and returns the exit code.
func (c command) run(args []string, s stdio) int {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	runCommand := c.setup(flags)
	flags.VisitAll(func(f *flag.Flag) { f.Value = &once{Value: f.Value} })
	code, err := 0, flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		err = c.printHelp(s)
	case err != nil:
		err = usage(c.name, "%v", err)
	default:
		code, err = runCommand(flags.Args(), s)
	}
	if err == nil {
		err = s.out.err
	}
	switch {
	case err != nil && c.fail != nil:
		return c.fail(s, err)
	case err != nil:
		return fail(s, "permission "+c.name, err)
	}
	return code
}

// printHelp describes c, unless something waits for it to do its work.
func (c command) printHelp(s stdio) error {
	if c.idle != nil {
		if err := c.idle(s.in); err != nil {
			return err
		}
	}
	c.describe(s.out)
	return nil
}

// printJSON writes v as JSON that a terminal may show: a call may hold what would
// turn the text around it.
func printJSON(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(visible.JSON(b.Bytes()))
	return err
}

// once is the value of a flag that may be given once: of two manifests the last
// would be all that counts, and the first look as if it did.
type once struct {
	flag.Value
	given bool
}

func (o *once) Set(s string) error {
	if o.given {
		return errors.New("given twice")
	}
	o.given = true
	return o.Value.Set(s)
}

// IsBoolFlag tells the flag package of a flag without a value.
func (o *once) IsBoolFlag() bool {
	b, ok := o.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// fail prints an error, escaped and indented behind its first line, and returns
// exitError.
func fail(s stdio, who string, err error) int {
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		lines[i] = visible.Text(line)
	}
	fmt.Fprintf(s.err, "%s: %s\n", who, strings.Join(lines, "\n\t"))
	if u := new(usageError); errors.As(err, u) {
		fmt.Fprintf(s.err, "Run '%s' for usage.\n", u.help)
	}
	return exitError
}

// A usageError is the caller's; help is the command that says how to do
// better.
type usageError struct{ text, help string }

func (e usageError) Error() string { return e.text }

// usage returns a usageError that sends the caller to the help of a command.
func usage(command, format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...), "permission help " + command}
}

// overview prints the list of commands.
func overview(w io.Writer) {
	fmt.Fprint(w, `Permission says what a manifest's [permissions] rules decide for tool calls.

Usage:

	permission COMMAND [FLAGS] [ARGUMENTS]

Commands:

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "\t%-8s%s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nRun 'permission help COMMAND' for more.\n")
}

// describe prints the help of c with its flags.
func (c command) describe(w io.Writer) {
	fmt.Fprintf(w, "%s\nFlags:\n\n", c.help)
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(w)
	c.setup(flags)
	flags.PrintDefaults()
}
