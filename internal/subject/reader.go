package subject

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/shell"
)

const (
	maxName     = 256      // bytes of a tool's name
	maxPath     = 64 << 10 // bytes of a path, of which no system takes as much
	maxText     = 1 << 20  // bytes of one text
	maxSubjects = 4096     // of one call
	maxTexts    = 1 << 20  // bytes of their texts
)

// Config says where calls run and which tools are declared.
type Config struct {
	Root, Home string // absolute paths; Home may be empty
	GOOS       string // as in runtime.GOOS
	Tools      []Tool

	Shell       string   // bash, posix, zsh or powershell; empty is bash
	Wrappers    []string // further programs that run the command in their arguments
	HarmlessEnv []string // further variables that may be set before a command
}

// A Reader reads calls and patterns. It is safe for concurrent use.
type Reader struct {
	paths    paths
	config   Config
	declared []declared
	builtin  map[string]*tool
	decoders decoders
	parsers  shell.Parsers
}

// NewReader returns the reader of a configuration, whose globs must be valid and
// without braces. It fails for a Root or Home that is not absolute.
func NewReader(c Config) (*Reader, error) {
	p, err := newPaths(c)
	if err != nil {
		return nil, err
	}
	r := &Reader{paths: p, config: c, builtin: make(map[string]*tool)}
	for _, t := range builtin() {
		t.settle()
		for _, name := range t.names {
			r.builtin[name] = &t
		}
	}
	for _, t := range c.Tools {
		d := declared{names: Names(t.Names), tool: t.row()}
		for _, alt := range t.Names {
			if name, ok := glob.Literal(alt); ok {
				d.literal = append(d.literal, name)
			}
		}
		r.declared = append(r.declared, d)
	}
	return r, nil
}

// Place names where r reads from: readers of one place read a pattern alike.
func (r *Reader) Place() string {
	return r.config.Root + "\x00" + r.config.Home + "\x00" + r.config.GOOS
}

// Subjects returns the subjects of one text, for paths from dir.
func (r *Reader) Subjects(k Kind, s, dir string) ([]Subject, error) {
	return r.subjects(k, s, dir, r.config.Shell)
}

// Example returns the subjects of an example for the tool of that name.
func (r *Reader) Example(tool, s string) ([]Subject, error) {
	return r.subjects(r.MainKind(tool), s, "", r.shellOf(r.row(tool)))
}

// subjects is Subjects for command lines of a certain shell.
func (r *Reader) subjects(k Kind, s, dir, shell string) ([]Subject, error) {
	if !utf8.ValidString(s) {
		return nil, malformed("a %v that is not UTF-8", k)
	}
	var one Subject
	var err error
	switch k {
	case Path:
		one, err = r.paths.subject(s, dir)
	case URL:
		return r.urlSubjects(s, dir)
	case Command:
		return r.lineSubjects(s, dir, shell), nil
	case Patch:
		return r.paths.patchSubjects(s, dir)
	default:
		one = textSubject(s)
		one.bound = r.placeOf(dir)
	}
	return []Subject{one}, err
}

// urlSubjects returns the subject of a URL and, for one of a file, that of its
// path.
func (r *Reader) urlSubjects(s, dir string) ([]Subject, error) {
	one, err := urlSubject(s)
	if err != nil || !strings.EqualFold(s[:min(len(s), len("file:"))], "file:") {
		return []Subject{one}, err
	}
	file, err := r.paths.subject(s, dir)
	return []Subject{one, file}, err
}

// Read returns the subjects of a call: at least one, or an error that says
// why the call cannot be read.
func (r *Reader) Read(name, dir string, input []byte) ([]Subject, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	var room [4]member
	in, err := r.decoders.parse(input, room[:])
	if err != nil {
		return nil, err
	}
	row := r.row(name)
	c := call{reader: r, dir: dir, shell: r.shellOf(row)}
	if row != nil {
		if err := c.declared(row, &in); err != nil {
			return nil, err
		}
	}
	if len(c.subjects) == 0 {
		if err := c.undeclared(&in); err != nil {
			return nil, err
		}
		c.bind(input)
	}
	return c.subjects, Limit(c.subjects)
}

// CheckName returns an error for a tool's name that is malformed.
func CheckName(name string) error {
	switch {
	case name == "":
		return malformed("the tool has no name")
	case len(name) > maxName:
		return malformed("the tool's name is longer than %d bytes", maxName)
	case !utf8.ValidString(name):
		return malformed("the tool's name is not UTF-8")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return malformed("the tool's name has a blank or control character")
	}
	return nil
}

var errTooMany = malformed("the call touches too many things: split it")

// Limit returns an error for more subjects than anybody can look at.
func Limit(ss []Subject) error {
	size := 0
	for _, s := range ss {
		size += len(s.Text)
	}
	if len(ss) > maxSubjects || size > maxTexts && len(ss) > 1 {
		return errTooMany
	}
	return nil
}
