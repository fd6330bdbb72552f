package permission

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/index"
	"github.com/insomnia-run/permission/internal/manifest"
	"github.com/insomnia-run/permission/internal/subject"
)

// A Tool says how to read the input of a tool. Where several entries fit one
// name, all of them count. The zero value is not a tool: Compile refuses it.
type Tool struct {
	// Name is a glob over the tool's name.
	Name string
	// Kind says how the arguments are read; zero is Text.
	Kind Kind
	// Arguments name the members of the input that must be there, each a
	// string or a list of strings: a call without one of them is malformed.
	Arguments []string
	// Optional name those that may be missing. At least one of Arguments and
	// Optional has a name.
	Optional []string
}

// Options say where calls run and how their tools are read. Nil and the zero
// value are ready to use. Compile copies them.
type Options struct {
	// Root is the directory that relative paths and patterns start from, an
	// absolute path. Empty means the current directory when the policy is
	// compiled.
	Root string
	// Home is what ~ and $HOME at the start of a path stand for. Empty means
	// the user's home when the policy is compiled; where there is none, a
	// pattern that needs it is an error.
	Home string
	// GOOS is the system that the calls run on, as in runtime.GOOS, which
	// empty means. It decides how paths are spelt and whether case counts in
	// deny and ask rules, so any other name is an error.
	GOOS string
	// Tools say how to read tools that the built-in table does not know, or
	// reads otherwise: an entry that names a tool goes in the place of its row
	// there, and one whose glob only matches it adds to the row.
	Tools []Tool
	// KnownTools are the names of the runtime's tools, or globs over them. No
	// call is decided by them: package lint reports rules for other tools.
	KnownTools []string
	// Shell is what runs the command lines of calls: "bash", which empty means,
	// "posix" for sh, dash and the like, "zsh", or "powershell", which stands for
	// cmd too and in which only plain commands are read. A line for zsh is read
	// as bash reads it, and is in doubt besides where zsh reads it otherwise with
	// the options that it has by itself, from version 5.1 on: *(e:ls:), $x:h, =ls.
	// Say "zsh" where calls run in the user's shell and that is one, as on macOS.
	Shell string
	// Wrappers are names of programs that run the command in their arguments,
	// as sudo does, beside those that are known: the command is then judged as
	// well as the wrapper.
	Wrappers []string
	// HarmlessEnv are names of variables that may be set before a command
	// although the rule that allows it does not name them, beside those that
	// are known, such as NO_COLOR.
	HarmlessEnv []string
	// SkillAliases say, for a name in a skill's allowed-tools, which tool of the
	// runtime it stands for, as in {"Read": "read_file"}; the value is a glob as
	// in Rule.Tool. A name without an alias stands for itself. Case does not
	// count.
	SkillAliases map[string]string
	// SkillAlways are rules that allow what stays usable while a skill runs,
	// whatever it lists, if the policy allows it too: the tool that starts
	// skills, say, or reads below their folder. Case does not count in their
	// Tool.
	SkillAlways []Rule
}

// complete returns o with what the process knows in place of what is empty,
// and with slices of its own.
func (o *Options) complete() (Options, error) {
	var full Options
	if o != nil {
		full = *o
	}
	full.clone()
	if full.GOOS == "" {
		full.GOOS = runtime.GOOS
	}
	if full.Home == "" {
		full.Home, _ = os.UserHomeDir() // where there is none, patterns that need it are refused
	}
	if full.Root == "" {
		dir, err := os.Getwd()
		if err != nil {
			return full, optionError("Root is empty, and there is no current directory: %w", err)
		}
		full.Root = dir
	}
	return full, nil
}

// clone makes what o holds its own.
func (o *Options) clone() {
	o.Tools, o.KnownTools = o.tools(), slices.Clone(o.KnownTools)
	o.Wrappers, o.HarmlessEnv = slices.Clone(o.Wrappers), slices.Clone(o.HarmlessEnv)
	o.SkillAliases, o.SkillAlways = maps.Clone(o.SkillAliases), slices.Clone(o.SkillAlways)
}

// tools returns a copy of o.Tools that shares nothing with it.
func (o *Options) tools() []Tool {
	all := slices.Clone(o.Tools)
	for i, t := range all {
		all[i].Arguments, all[i].Optional = slices.Clone(t.Arguments), slices.Clone(t.Optional)
	}
	return all
}

// reader returns the reader of o. With an error it is one that rules can be
// tried with, so that what is wrong with them is said too.
func (o *Options) reader() (*subject.Reader, error) {
	c := subject.Config{
		Root: o.Root, Home: o.Home, GOOS: o.GOOS,
		Shell: o.Shell, Wrappers: o.Wrappers, HarmlessEnv: o.HarmlessEnv,
	}
	errs := o.checkShell()
	for _, name := range o.KnownTools {
		if err := checkToolGlob(name); err != nil {
			errs = append(errs, optionError("KnownTools has %q: %w", name, err))
		}
	}
	for i, t := range o.Tools {
		if err := t.check(); err != nil {
			errs = append(errs, &ManifestError{Key: fmt.Sprintf("tool[%d]", i+1), Err: err})
			continue
		}
		names, _ := glob.Expand(t.Name) // which check has tried
		c.Tools = append(c.Tools, subject.Tool{
			Names: names, Kind: subject.Kind(t.Kind), Required: t.Arguments, Optional: t.Optional,
		})
	}
	r, err := subject.NewReader(c)
	if err != nil {
		errs = append(errs, &ManifestError{Key: "Options", Err: err})
		c.Root, c.Home, c.GOOS = "/", "/", "linux"
		r, _ = subject.NewReader(c)
	}
	return r, errors.Join(errs...)
}

// checkShell reports what is wrong with the options for command lines.
func (o *Options) checkShell() (errs []error) {
	switch o.Shell {
	case "", "bash", "posix", "zsh", "powershell":
	default:
		errs = append(errs, optionError("Shell is %q: want bash, posix, zsh or powershell", o.Shell))
	}
	for _, name := range o.Wrappers {
		if name == "" || strings.ContainsFunc(name, isBlankOrControl) || strings.Contains(name, "/") {
			errs = append(errs, optionError("Wrappers has %q: want the name of a program, without its path", name))
		}
	}
	for _, name := range o.HarmlessEnv {
		if !manifest.IsVariable(name) {
			errs = append(errs, optionError("HarmlessEnv has %q: want the name of a variable", name))
		}
	}
	return errs
}

// alias returns the tool that a name in a skill stands for.
func (o *Options) alias(name string) string {
	for from, to := range o.SkillAliases {
		if strings.EqualFold(from, name) {
			return to
		}
	}
	return name
}

// checkSkills reports what is wrong with the options for skills.
func (o *Options) checkSkills(reader *subject.Reader) error {
	var errs []error
	seen := make(map[string]string)
	for _, from := range slices.Sorted(maps.Keys(o.SkillAliases)) {
		to := o.SkillAliases[from]
		if err := errors.Join(checkToolGlob(from), checkToolGlob(to)); err != nil {
			errs = append(errs, optionError("SkillAliases has %q for %q: %w", to, from, err))
		}
		if other, twice := seen[strings.ToLower(from)]; twice {
			errs = append(errs, optionError("SkillAliases has both %q and %q, which differ in case alone", other, from))
		}
		seen[strings.ToLower(from)] = from
	}
	for i := range o.SkillAlways {
		r := &o.SkillAlways[i]
		if r.Action != Allow {
			errs = append(errs, optionError("SkillAlways has a rule that says %v: want allow, as the policy refuses", r.Action))
		}
		var b index.Builder
		for _, f := range compileRule(&b, reader, r) {
			errs = append(errs, optionError("SkillAlways: rule %d: %s: %w", i+1, f.key, f.err))
		}
	}
	return errors.Join(errs...)
}

func optionError(format string, args ...any) error {
	return &ManifestError{Key: "Options", Err: fmt.Errorf(format, args...)}
}

// check reports what is wrong with t by itself.
func (t *Tool) check() error {
	if err := checkToolGlob(t.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if t.Kind > Patch {
		return fmt.Errorf("kind: unknown kind %v: want Text, Command, Path, URL or Patch", t.Kind)
	}
	if len(t.Arguments)+len(t.Optional) == 0 {
		return errors.New("arguments: none, nor optional ones: name the members of the input to read")
	}
	if slices.Contains(t.Arguments, "") || slices.Contains(t.Optional, "") {
		return errors.New("arguments: an empty name")
	}
	return nil
}

// checkToolGlob returns what is wrong with a glob over tool names.
func checkToolGlob(name string) error {
	_, err := toolGlobs(name)
	return err
}

// toolGlobs returns the alternatives of a glob over tool names.
func toolGlobs(name string) ([]string, error) {
	if name == "" {
		return nil, errors.New("empty: want the name of a tool, or a glob over names")
	}
	if i := strings.IndexFunc(name, isBlankOrControl); i >= 0 {
		return nil, fmt.Errorf("%q has a blank or control character at offset %d, which no tool's name has", name, i)
	}
	alts, err := glob.Expand(name)
	if err != nil {
		return nil, err
	}
	for _, alt := range alts {
		if i := strings.IndexAny(alt, "(),|"); i >= 0 {
			return nil, fmt.Errorf("%q, which no tool's name has: write {read,write} for several, and what the call is about as the pattern", alt[i:i+1])
		}
	}
	return alts, nil
}

func isBlankOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
