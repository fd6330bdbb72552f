//go:build unix

package shell_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
)

var (
	lines = flag.Int("shell.lines", 300, "how many lines TestBash and TestZsh run each")
	seed  = flag.Uint64("shell.seed", 1, "what they are made from")
	sweep = flag.Int("shell.sweep", 400, "run one in so many of the templates; 1 runs all")
	keep  = flag.Bool("shell.keep", false, "go on after a finding")
)

// A tally proves that lines were run.
type tally struct {
	lines, refused, killed, programs, written, blind int

	why map[string]int // what made lines blind
}

func (c *tally) note(why string) {
	if c.why == nil {
		c.why = make(map[string]int)
	}
	c.why[why]++
}

func (c *tally) String() string {
	return fmt.Sprintf("%d lines run, %d killed; %d programs seen, %d files written; not run: %d unsafe, %d with a part that is one hole %v",
		c.lines, c.killed, c.programs, c.written, c.refused, c.blind, c.why)
}

// Whatever real bash runs and writes is explained by a part.
func TestBash(t *testing.T) {
	t.Parallel()
	r := newRunner(t, "bash", "", config())
	m := maker{rand.New(rand.NewPCG(*seed, 0)), seeds(t)}
	count := runLines(t, r, m.line)
	require.Less(t, count.blind, 3*count.lines, "too little of what is made can be looked at")
}

// runLines runs lines, and fails if one does what no part explains.
func runLines(t *testing.T, r *runner, line func() string) tally {
	t.Helper()
	var count tally
	start := time.Now()
	for count.lines < *lines {
		before := count.lines
		if count.try(t, r, line()); count.lines > before && count.lines%1000 == 0 {
			t.Logf("so far %v", &count)
		}
	}
	t.Logf("%v; %.0f lines/s", &count, float64(count.lines)/time.Since(start).Seconds())
	require.NotZero(t, count.lines)
	require.NotZero(t, count.programs)
	require.NotZero(t, count.written)
	return count
}

// Each payload in each place, and in each place of each place.
func TestBashPlaces(t *testing.T) {
	t.Parallel()
	runPlaces(t, newRunner(t, "bash", "", config()))
}

func runPlaces(t *testing.T, r *runner) {
	t.Helper()
	var count tally
	n := 0
	for _, payload := range payloads {
		for _, inner := range append([]string{"§"}, positions...) {
			for _, outer := range positions {
				if n++; n%*sweep == 0 {
					count.try(t, r, at(outer, at(inner, payload)))
				}
			}
		}
	}
	t.Log(&count)
	require.NotZero(t, count.lines)
	require.NotZero(t, count.programs)
}

func FuzzBash(f *testing.F) {
	r := newRunner(f, "bash", "", config())
	for _, s := range seeds(f) {
		if len(s) < 60 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !utf8.Valid(line) {
			t.Skip()
		}
		new(tally).try(t, r, string(line))
	})
}

// try runs a line and fails if it did what no part explains.
func (c *tally) try(t testing.TB, r *runner, line string) {
	t.Helper()
	parts := read(t, r.config, line)
	if !mayRun(line) {
		c.refused++
		return
	}
	if i := slices.IndexFunc(parts, isHole); i >= 0 { // which explains whatever is run
		c.blind++
		c.note(parts[i].Unknown)
		return
	}
	did := r.run(t, line)
	c.lines++
	c.programs += len(did.programs)
	c.written += len(did.written)
	if did.killed {
		c.killed++
	}
	if why := unexplained(line, parts, did); why != "" {
		fail(t, "%s %s\nline: %q\nparts: %s", r.name, why, line, show(parts))
	}
}

// unexplained returns the first thing that a line did of which no part tells.
func unexplained(line string, parts []shell.Part, did ran) string {
	for _, argv := range did.programs {
		switch {
		case strings.Contains(line, "mktemp") && strings.Contains(strings.Join(argv, " "), "/tmp/tmp.abc"), argv[0] == "mktemp":
		case argv[0] == "bash" && slices.ContainsFunc(parts, sources): // a stub that this shell has run goes by its name
		case len(argv) == 1 && argv[0] == "cat" && strings.Contains(line, "<<"): // $(cat <<E) is the text that it prints
		case !slices.ContainsFunc(parts, func(p shell.Part) bool { return explains(p, argv, true) }):
			return fmt.Sprintf("ran %q, of which no rule would hear", argv)
		case !transparent[argv[0]] && !slices.ContainsFunc(parts, func(p shell.Part) bool { return !p.Free && explains(p, argv, runsScript(p)) }):
			return fmt.Sprintf("ran %q, which no rule has to allow", argv)
		}
	}
	for _, name := range did.written {
		if !slices.ContainsFunc(parts, func(p shell.Part) bool { return writes(p, name) }) {
			return fmt.Sprintf("wrote %q", name)
		}
	}
	return ""
}

// read reads a line, and fails with the line if that panics.
func read(t testing.TB, c shell.Config, line string) []shell.Part {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			fail(t, "reading panicked: %v\nline: %q\n%s", p, line, debug.Stack())
		}
	}()
	return c.Read(line)
}

func fail(t testing.TB, format string, args ...any) {
	t.Helper()
	if *keep {
		t.Errorf("FINDING "+format, args...)
		return
	}
	t.Fatalf(format, args...)
}

// sources reports whether a part has the shell itself run a script.
func sources(p shell.Part) bool {
	return p.Kind == shell.Command && len(p.Narrow) > 0 && sourced.MatchString(p.Narrow[0].String())
}

// sourced is source with a script.
var sourced = regexp.MustCompile(`^([^ ]*=[^ ]* )*(source|\.) [^ ]`)

// runsScript reports whether a part is a shell with its script, which is
// allowed as that.
func runsScript(p shell.Part) bool {
	return p.Kind == shell.Command && len(p.Narrow) > 0 && script.MatchString(p.Narrow[0].String())
}

// script is a shell with something to run.
var script = regexp.MustCompile(`^([^ ]*=[^ ]* )*[^ ]*sh [^ ]`)

// transparent programs are stubs that need no rule of their own.
var transparent = map[string]bool{"setsid": true}

func show(parts []shell.Part) string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "\n\t%v %q path=%q free=%v narrow=%v wide=%v %s", p.Kind, p.Source, p.Path, p.Free, p.Narrow, p.Wide, p.Unknown)
	}
	return b.String()
}

// dynamic is a program whose name has a hole.
var dynamic = regexp.MustCompile("^([A-Za-z_][A-Za-z_0-9]*[+]?=[^ ]* )*[^ ]*[\ue000-\ue010]")

// prefix is the assignments before a command.
var prefix = regexp.MustCompile(`^[^ ]*=`)

// explains reports whether a command's part has a reading for a program with
// these arguments.
func explains(p shell.Part, argv []string, wide bool) bool {
	if p.Kind != shell.Command {
		return false
	}
	if len(p.Narrow) > 0 && dynamic.MatchString(shape(p.Narrow[0])) {
		return true // a program that nobody knows, which may run any other
	}
	texts := p.Narrow
	if wide {
		texts = slices.Concat(texts, p.Wide)
	}
	said := slices.Clone(argv)
	for i, s := range argv {
		if said[i] = strings.ReplaceAll(s, home, "~"); s == "" {
			said[i] = "''"
		}
	}
	for _, t := range texts {
		if s := strings.Join(said, " "); canBe(t, s) || prefix.MatchString(t.String()) && endsIn(t, s) {
			return true
		}
	}
	return false
}

func canBe(t text.Text, s string) bool { return matcher(shape(t)).MatchString(s) }

// endsIn reports whether t can be assignments and then s.
func endsIn(t text.Text, s string) bool {
	for at, r := range shape(t) {
		rest := shape(t)[at:]
		if r == ' ' && matcher(rest[1:]).MatchString(s) || r >= '\ue000' && r < '\ue010' && matcher(rest).MatchString(" "+s) {
			return true
		}
	}
	return false
}

// shape returns t with a character of private use for each hole.
func shape(t text.Text) string {
	var b strings.Builder
	for r, h := range t.All() {
		if h != 0 {
			r = '\ue000' + rune(h)
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), home, "~")
}

// matcher returns what matches the strings that a shape can be. A glob can
// become several names, so that what stands for one is not looked at closely.
// "$!" is an empty word as long as nothing runs in the background.
func matcher(shape string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for _, r := range shape {
		switch h := text.Hole(r - '\ue000'); {
		case r < '\ue000' || r > '\ue010':
			b.WriteString(regexp.QuoteMeta(string(r)))
		case h == text.Args:
			b.WriteString(`(?: .*)?`)
		case h == text.Digits:
			b.WriteString(`(?:[0-9]*|'')`)
		case h == text.Number:
			b.WriteString(`(?:[-0-9]*|'')`)
		default:
			b.WriteString(`.*`)
		}
	}
	return regexp.MustCompile(b.String() + `$`)
}

// writes reports whether a part says that the file is written.
func writes(p shell.Part, name string) bool {
	if p.Kind == shell.Command && len(p.Narrow) > 0 && dynamic.MatchString(shape(p.Narrow[0])) {
		return true
	}
	if p.Kind != shell.Write {
		return false
	}
	if p.Path == "" || p.Likely {
		return true
	}
	want := path.Join(p.Dir, p.Path)
	if strings.ContainsRune(want, shell.Mark) {
		want = strings.ReplaceAll(regexp.QuoteMeta(want), string(shell.Mark), ".*")
		return regexp.MustCompile(`^` + want + `$`).MatchString(name)
	}
	return want == name
}
