package subject

import (
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
)

// A Tool declares how a tool's input is read.
type Tool struct {
	Names    []string // globs without braces, any of which may match
	Kind     Kind
	Required []string // arguments without which a call is malformed
	Optional []string // arguments that may be missing
}

// declared is the reading of the tools whose name a glob matches.
type declared struct {
	names   glob.Pattern
	literal []string // those of the names that are no globs
	tool    tool
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
