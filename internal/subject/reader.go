package subject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
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

// A Tool declares how a tool's input is read.
type Tool struct {
	Names    []string // globs without braces, any of which may match
	Kind     Kind
	Required []string // arguments without which a call is malformed
	Optional []string // arguments that may be missing
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

// declared is the reading of the tools whose name a glob matches.
type declared struct {
	names   glob.Pattern
	literal []string // those of the names that are no globs
	tool    tool
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

// Names compiles globs over tool names.
func Names(alts []string) glob.Pattern {
	var p glob.Pattern
	for _, alt := range alts {
		p = append(p, glob.Alternative{Glob: glob.Compile(alt, glob.Options{}), Forms: whole("").Form})
	}
	return p
}

// row returns a declaration in the form of a row of the table.
func (t Tool) row() tool {
	var row tool
	for _, name := range t.Required {
		row.args = append(row.args, argument{names: []string{name}, kind: t.Kind, required: true})
	}
	for _, name := range t.Optional {
		row.args = append(row.args, argument{names: []string{name}, kind: t.Kind})
	}
	return row
}

// row returns how the tool of that name is read, or nil for one that nobody
// has declared. A declaration for it by name goes in the place of its row in
// the table; one for a glob only adds to that.
func (r *Reader) row(name string) *tool {
	table := r.builtin[name]
	var sum *tool
	for i := range r.declared {
		d := &r.declared[i]
		if !d.names.Must(asReading(name)) {
			continue
		}
		if sum == nil {
			sum = new(tool)
		}
		sum.args = append(sum.args, d.tool.args...)
		if slices.Contains(d.literal, name) {
			table = nil
		}
	}
	switch {
	case sum == nil:
		return table
	case table == nil:
		return sum
	}
	both := *table
	both.args = slices.Concat(table.args, sum.args)
	return &both
}

// Kinds returns the kinds of subject that calls of tools can have whose names
// one of the globs matches: all of them where one may be undeclared.
func (r *Reader) Kinds(names []string) []Kind {
	var ks []Kind
	for _, name := range names {
		literal, ok := glob.Literal(name)
		row := r.row(literal)
		if !ok || row == nil || !row.strict() {
			return []Kind{Text, Command, Path, URL}
		}
		for _, k := range row.kinds() {
			ks = with(ks, k)
			if k == URL {
				ks = with(ks, Path) // a file: URL is both
			}
		}
	}
	return ks
}

// with returns ks with k, once.
func with(ks []Kind, k Kind) []Kind {
	if slices.Contains(ks, k) {
		return ks
	}
	return append(ks, k)
}

// Has reports whether calls of the tool can have subjects of kind k. Rules are
// compiled for those kinds alone.
func (r *Reader) Has(tool string, k Kind) bool {
	if k == Patch {
		k = Path
	}
	return slices.Contains(r.Kinds([]string{glob.Quote(tool)}), k)
}

// MainKind returns how an example for the tool of that name is read: as what
// its calls are foremost about. It is Text where the name is a glob.
func (r *Reader) MainKind(name string) Kind {
	literal, ok := glob.Literal(name)
	if !ok {
		return Text
	}
	row := r.row(literal)
	if row == nil {
		return Text
	}
	for _, k := range []Kind{Path, URL, Command} {
		if slices.Contains(row.kinds(), k) {
			return k
		}
	}
	return Text
}

// MainArgument returns the name of the argument that a call of the tool is
// foremost about, if it takes a plain string.
func (r *Reader) MainArgument(name string) (argument string, ok bool) {
	row := r.row(name)
	if row == nil {
		return "", false
	}
	for _, a := range row.args {
		if a.each == nil && !a.base {
			return a.names[0], true
		}
	}
	return "", false
}

// Pattern compiles a pattern for subjects of kind k, for a rule that allows or
// one that refuses: a refusal also has the meanings that the author may have had
// in mind, such as brackets that are plain characters.
func (r *Reader) Pattern(k Kind, pattern string, allow bool) (glob.Pattern, error) {
	if k == Path {
		pattern = r.paths.slashes(pattern) // where "\" separates, it does not escape
	}
	alts, err := glob.Expand(pattern)
	if err != nil {
		return nil, err
	}
	if plain := glob.Plain(pattern); !allow && plain != pattern {
		alts = append(alts, plain) // a refusal also holds for the braces as they are written
	}
	p := make(glob.Pattern, 0, len(alts))
	for _, alt := range alts {
		if p, err = r.appendAlternative(p, k, alt, allow); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// appendAlternative adds one alternative of a pattern, as subjects of kind k
// are read, to p.
func (r *Reader) appendAlternative(p glob.Pattern, k Kind, alt string, allow bool) (glob.Pattern, error) {
	var more glob.Pattern
	var one glob.Alternative
	var err error
	switch k {
	case Path:
		one, err = r.paths.pattern(alt, allow)
		return append(p, one), err
	case Command:
		one, err = r.commandPattern(alt, allow)
		return append(p, one), err
	case URL:
		more, err = urlPattern(alt, allow)
	default:
		more, err = textPattern(alt, allow)
	}
	return append(p, more...), err
}

// textPattern compiles one alternative of a pattern for texts, which may be
// URLs and, of which the names of their arguments do not tell, paths.
func textPattern(alt string, allow bool) (glob.Pattern, error) {
	o := glob.Options{Tail: " ", Loose: !allow, Stars: !allow}
	p := glob.Pattern{{Glob: glob.Compile(alt, o), Forms: text.Whole}}
	switch {
	case strings.Trim(alt, "*") == "":
		p[0].Forms = text.Every
	case strings.Contains(alt, "://"):
		links, err := urlPattern(alt, allow)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			l.Forms = text.Link
			p = append(p, l)
		}
	default:
		p[0].Forms |= text.Link
	}
	return p, nil
}

// Subjects returns the subjects of one text, for paths from dir.
func (r *Reader) Subjects(k Kind, s, dir string) ([]Subject, error) {
	return r.subjects(k, s, dir, r.config.Shell)
}

// Example returns the subjects of an example for the tool of that name.
func (r *Reader) Example(tool, s string) ([]Subject, error) {
	return r.subjects(r.MainKind(tool), s, "", r.shellOf(r.row(tool)))
}

// PowerShell reports whether the command lines of a tool are for PowerShell or
// cmd, and so are looked at whole.
func (r *Reader) PowerShell(tool string) bool { return r.shellOf(r.row(tool)) == powershell }

// shellOf returns the shell that runs the command lines of a tool.
func (r *Reader) shellOf(t *tool) string {
	if t != nil && t.shell != "" {
		return t.shell
	}
	return r.config.Shell
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
