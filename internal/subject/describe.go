package subject

// A Row is a row of the built-in table, for people to look at.
type Row struct {
	Names     []string
	Arguments []Argument
	Some      bool     // a call with none of them cannot be read
	Dir       []string // arguments that give the directory of the call
	Widen     []string // arguments that make the call more than it shows
	Free      []string // arguments whose text may name anything, where none of the others does
}

// An Argument is an argument of a Row, in all its spellings.
type Argument struct {
	Names    []string
	Kind     Kind
	Each     []string // the members of each object of a list that hold it
	Required bool
	Default  string
	Below    bool // a pattern for files below the first argument
	Base     bool // only says where those patterns start from
}

// Table returns the built-in table in its order.
func Table() []Row {
	var rows []Row
	for _, t := range builtin() {
		row := Row{Names: t.names, Some: t.some, Dir: t.dir, Widen: t.widen, Free: t.free}
		for _, a := range t.args {
			row.Arguments = append(row.Arguments, Argument{
				Names: a.names, Kind: a.kind, Each: a.each, Required: a.required,
				Default: a.standIn, Below: a.below, Base: a.base,
			})
		}
		rows = append(rows, row)
	}
	return rows
}

// Undeclared returns a declaration that would read a call of a tool that
// nobody has declared: the text arguments of the kind that most depends on how
// it is read. There is none where the input has no text argument.
func (r *Reader) Undeclared(name string, input []byte) (kind Kind, arguments []string, ok bool) {
	if r.row(name) != nil {
		return Text, nil, false
	}
	in, err := r.decoders.parse(input, nil)
	if err != nil {
		return Text, nil, false
	}
	for _, k := range []Kind{Path, Command, URL, Patch, Text} {
		for i := range in.members {
			m := &in.members[i]
			_, texts := m.strings()
			if (m.kind == kindString || texts) && r.likeliest(m) == k {
				arguments = append(arguments, m.name)
			}
		}
		if len(arguments) > 0 {
			return k, arguments, true
		}
	}
	return Text, nil, false
}

// likeliest returns how a text argument of an undeclared tool is best declared.
// A name that may be that of a patch is not enough for one.
func (r *Reader) likeliest(m *member) Kind {
	k := wellKnown(m.name)
	if k != Patch {
		return k
	}
	if _, err := r.paths.patchSubjects(m.text, ""); err != nil {
		return Text
	}
	return Patch
}
