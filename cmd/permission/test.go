package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/casefile"
	"github.com/insomnia-run/permission/internal/visible"
)

const testHelp = `Usage:

	permission test [-root DIR] [-home DIR] [-shell SHELL] FILE...
	permission test -manifest FILE [-root DIR] [-home DIR] [-shell SHELL] [CASES...]

Test runs what FILEs say about permissions and prints a line for each answer
that is not the wanted one, then the totals:

	FAIL push: got allow, want ask: rule bash "git *" (agent.toml:3) matches "git push" (c.jsonl:7)
	12 passed, 1 failed

A FILE whose name ends in .toml is a manifest: its match and not_match examples
and its [[permissions.test]] tables are run. Any other is a file of cases, one
JSON object a line:

	{"id": "push", "tool": "bash", "input": {"command": "git push"}, "want": "ask"}

Such a case is for the rules of -manifest; one with rules and a default_action
of its own uses these. A case may also be a whole manifest or SKILL.md, which
should load or not, or of whose rules "permission lint" should say something. Of
courses of events the command says that it skips them. A name or a form that it
does not know makes a file unreadable, and so does a file without cases.
testdata/README.md in the source describes all forms.

Without CASES, -manifest is one more manifest to test.

Cases run on linux in /srv/proj with the home /home/u, where they, -root or
-home do not say otherwise; a manifest's own tests run as it would be loaded
here.

Exit codes:

	0  all passed
	1  something failed, or nothing ran
	3  wrong usage, a file that cannot be read
`

// test holds the flags of "permission test".
type test struct {
	manifest string
	place    place
}

func testCommand() command {
	return command{
		name: "test", summary: "run a manifest's examples, or files of cases", help: testHelp,
		setup: func(f *flag.FlagSet) runFunc {
			var t test
			f.StringVar(&t.manifest, "manifest", "", "the `FILE` whose rules decide cases that have none")
			t.place.flags(f, "the `DIR` that calls start from", "the `DIR` that ~ stands for")
			return t.run
		},
	}
}

func (t *test) run(files []string, s stdio) (int, error) {
	var manifests, cases []string
	for _, file := range files {
		switch {
		case strings.HasPrefix(file, "-"):
			return exitError, usage("test", "%q is no file: flags go before files", file)
		case filepath.Ext(file) == ".toml":
			manifests = append(manifests, file)
		default:
			cases = append(cases, file)
		}
	}
	if t.manifest != "" && len(cases) == 0 {
		manifests = append(manifests, t.manifest)
	}
	if len(manifests)+len(cases) == 0 {
		return exitError, usage("test", "nothing to test: name a manifest or a file of cases")
	}
	counts := &tally{out: s.out}
	err := errors.Join(t.examples(manifests, counts), t.cases(cases, counts))
	counts.total()
	if err == nil && counts.passed+counts.failed == 0 {
		fmt.Fprintln(s.err, "permission test: nothing ran")
	}
	return counts.exit(), err
}

// cases runs each of files. It says so where none of their cases was for the
// rules of -manifest, which then has not been tested.
func (t *test) cases(files []string, counts *tally) error {
	r := runner{manifest: t.manifest, shell: t.place.shell, policies: make(map[casefile.Env]*permission.Policy), tally: counts}
	var errs []error
	for _, file := range files {
		cases, err := t.read(file)
		if err == nil {
			err = r.run(cases)
		}
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	if err == nil && len(files) > 0 && t.manifest != "" && len(r.policies) == 0 {
		fmt.Fprintf(counts.out, "%s was not needed: every case has rules of its own\n", visible.Text(t.manifest))
	}
	return err
}

func (t *test) read(name string) ([]casefile.Case, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return casefile.Read(name, f, casefile.Env{Root: t.place.root, Home: t.place.home})
}

// examples runs what each of manifests says of itself.
func (t *test) examples(manifests []string, counts *tally) error {
	var errs []error
	for _, name := range manifests {
		checks, err := t.checks(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if len(checks) == 0 {
			fmt.Fprintf(counts.out, "%s has no examples and no tests\n", visible.Text(name))
		}
		for _, c := range checks {
			counts.add(c.Passed(), mismatch{c.Name, c.Got, c.Want, c.Why, location(name, c.Line)})
		}
	}
	return errors.Join(errs...)
}

func (t *test) checks(name string) ([]permission.Check, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return permission.CheckManifest(name, data, t.place.options())
}

// A tally counts what ran and prints what did not come out as wanted.
type tally struct {
	out                     io.Writer
	passed, failed, skipped int
}

// A mismatch says how an answer differs from the wanted one.
type mismatch struct{ id, got, want, cause, place string }

func (t *tally) add(passed bool, m mismatch) {
	if passed {
		t.passed++
		return
	}
	t.failed++
	fmt.Fprintf(t.out, "FAIL %s: got %s, want %s%s (%s)\n",
		visible.Text(m.id), visible.Text(m.got), visible.Text(m.want), remarks(oneLine(m.cause)), visible.Text(m.place))
}

func (t *tally) skip(c casefile.Case, why string) {
	t.skipped++
	fmt.Fprintf(t.out, "SKIP %s: %s (%s)\n", visible.Text(c.ID), why, visible.Text(location(c.File, c.Line)))
}

func (t *tally) total() {
	fmt.Fprintf(t.out, "%d passed, %d failed", t.passed, t.failed)
	if t.skipped > 0 {
		fmt.Fprintf(t.out, ", %d skipped", t.skipped)
	}
	fmt.Fprintln(t.out)
}

// exit returns the exit code. That nothing ran is a failure: a gate that
// checks nothing must not look like one that holds.
func (t *tally) exit() int {
	if t.failed > 0 || t.passed == 0 {
		return 1
	}
	return 0
}

// oneLine puts the lines of an error behind each other.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "; ") }
