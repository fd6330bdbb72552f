package subject

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
)

// textSubject returns the subject of a text that is taken as it stands.
func textSubject(s string) Subject {
	if len(s) > maxText {
		return unknown(Text, s, "a text longer than 1 MiB")
	}
	return Subject{Kind: Text, Text: s, Narrow: []text.Reading{whole(s)}}
}

func asReading(s string) []text.Reading { return []text.Reading{whole(s)} }

// lineSubjects reads a command line that runs in dir, for a shell of that name.
func (r *Reader) lineSubjects(line, dir, name string) []Subject {
	if name == powershell {
		one := r.powershellSubject(line)
		one.bound = r.placeOf(dir)
		return []Subject{one}
	}
	if shell.Simple(line) && (len(r.config.Wrappers) == 0 || !r.isWrapper(line)) {
		return plainSubject(line, r.placeOf(dir))
	}
	return r.parts(r.shell(dir, name).Read(line), dir, line)
}

// plainSubject returns the subject of a command that is read as it stands. Most
// calls have no other, so it takes no more than one piece of memory.
func plainSubject(line, bound string) []Subject {
	one := new(struct {
		subjects [1]Subject
		narrow   [1]text.Reading
	})
	one.narrow[0] = whole(line)
	one.subjects[0] = Subject{Kind: Command, Text: line, Narrow: one.narrow[:], bound: bound}
	return one.subjects[:]
}

// isWrapper reports whether the first word of a line is a wrapper's name.
func (r *Reader) isWrapper(line string) bool {
	name, _, _ := strings.Cut(line, " ")
	return slices.Contains(r.config.Wrappers, name)
}

// argvSubjects reads a command that is given as a list of its words.
func (r *Reader) argvSubjects(argv []string, dir string) []Subject {
	return r.parts(r.shell(dir, "").Arguments(argv), dir, strings.Join(argv, "\x00"))
}

// shell says how command lines that run in dir are read.
func (r *Reader) shell(dir, name string) shell.Config {
	return shell.Config{
		Posix: name == "posix",
		Fold:  r.paths.fold,
		Zsh:   name == "zsh",
		Home:  r.paths.home,
		Inside: func(place string) bool {
			s, err := r.paths.subject(place, dir)
			return err == nil && s.Unknown == "" && s.isInside() && len(s.Wide) == 0
		},
		Harmless: func(name string) bool { return slices.Contains(r.config.HarmlessEnv, name) },
		Wrappers: r.config.Wrappers,
		Parsers:  &r.parsers,
	}
}

// parts returns the subjects of the parts of a command line that runs in dir.
func (r *Reader) parts(parts []shell.Part, dir, line string) []Subject {
	all := make([]Subject, 0, len(parts))
	for i := range parts {
		if p := &parts[i]; p.Kind == shell.Command {
			all = append(all, commandSubject(p))
		} else {
			all = append(all, r.fileSubject(p, dir))
		}
	}
	for _, place := range parts[0].Entered {
		place, _ = r.paths.named(place)
		all[0].dirs = append(all[0].dirs, directory{r.paths.joined(place, dir), true})
	}
	r.bindPlaces(all, dir, line)
	bindFed(all, parts, line)
	return all
}

// commandSubject returns the subject of a simple command.
func commandSubject(p *shell.Part) Subject {
	s := Subject{Kind: Command, Text: p.Source, Free: p.Free, Unknown: p.Unknown}
	readings := make([]text.Reading, 0, len(p.Narrow)+len(p.Wide))
	for _, t := range p.Narrow {
		readings = append(readings, text.Reading{Text: t, Form: text.Whole})
	}
	for _, t := range p.Wide {
		readings = append(readings, text.Reading{Text: t, Form: form(t)})
	}
	n := len(p.Narrow)
	s.Narrow, s.Wide = readings[:n:n], readings[n:]
	if len(p.Narrow) > 0 && form(p.Narrow[0]) == text.Every {
		s.Wide = append(s.Wide, text.Reading{Text: text.Unknown(), Form: text.Every})
	}
	return s
}

// form returns the forms of a command's reading: a command of which nothing is
// known may write and read files, too.
func form(t text.Text) text.Form {
	if known, whole := t.Known(); known == "" && !whole {
		return text.Every
	}
	return text.Whole
}

// fileSubject is a file that a command line writes or reads.
func (r *Reader) fileSubject(p *shell.Part, dir string) Subject {
	to := fileForms{text.WriteWhole, text.WriteInside}
	if p.Kind == shell.Read {
		to = fileForms{text.ReadWhole, text.ReadInside}
	}
	from, known := r.startOf(p, dir)
	file, err := r.paths.subject(p.Path, from)
	if p.Path == "" || p.Likely || err != nil || !known {
		s := Subject{
			Kind: Command, Text: p.Source, Free: p.Free, Unknown: p.Unknown,
			Narrow: []text.Reading{{Text: text.Unknown(), Form: to.whole}},
			Wide:   []text.Reading{{Text: text.Unknown(), Form: to.whole | to.inside}},
		}
		if p.Likely && err == nil {
			s.Wide = append(append(s.Wide, to.readings(file.Narrow)...), to.readings(file.Wide)...)
		}
		switch {
		case s.Unknown != "":
		case err != nil:
			s.Unknown = err.Error()
		case !known:
			s.Unknown = "a home that is not known"
		}
		return s
	}
	why := file.Unknown
	if strings.ContainsRune(p.Path+p.Dir, shell.Mark) {
		why, file.files = "part of a file's name", nil
	}
	return Subject{
		Kind: Command, Text: p.Source, Free: p.Free, Unknown: why,
		Narrow: to.readings(file.Narrow), Wide: to.readings(file.Wide), files: file.files, forms: to,
	}
}

// startOf returns the directory that the path of a redirection starts from, if
// it is known. It is not clean: behind a link a .. leads elsewhere.
func (r *Reader) startOf(p *shell.Part, dir string) (from string, known bool) {
	switch {
	case p.Dir == "":
		return dir, true
	case !strings.HasPrefix(p.Dir, "~"):
		return r.paths.joined(p.Dir, dir), true
	}
	place, why := r.paths.named(p.Dir)
	return r.paths.joined(place, dir), why == ""
}

// fileForms are the forms that the readings of a path have in a command line.
type fileForms struct{ whole, inside text.Form }

func (f fileForms) readings(rs []text.Reading) []text.Reading {
	var out []text.Reading
	for _, r := range rs {
		out = append(out, text.Reading{Text: unmarked(r.Text), Form: f.form(r.Form)})
	}
	return out
}

// unmarked returns a path with holes for the marks in it.
func unmarked(t text.Text) text.Text {
	s, whole := t.Known()
	if !whole || !strings.ContainsRune(s, shell.Mark) {
		return t
	}
	var b text.Builder
	for i, part := range strings.Split(s, string(shell.Mark)) {
		if i > 0 {
			b.WriteHole(text.Name)
		}
		b.WriteString(part)
	}
	return b.Text()
}

func (f fileForms) form(of text.Form) text.Form {
	var to text.Form
	if of&text.Whole != 0 {
		to |= f.whole
	}
	if of&text.Inside != 0 {
		to |= f.inside
	}
	return to
}

// commandPattern compiles one alternative of a pattern for commands: "> PATH"
// and "< PATH" are for files that are written and read.
func (r *Reader) commandPattern(alt string, allow bool) (glob.Alternative, error) {
	to := fileForms{text.WriteWhole, text.WriteInside}
	name, ok := strings.CutPrefix(alt, "> ")
	if !ok {
		to = fileForms{text.ReadWhole, text.ReadInside}
		name, ok = strings.CutPrefix(alt, "< ")
	}
	if ok {
		a, err := r.paths.pattern(name, allow)
		a.Forms = to.form(a.Forms)
		return a, err
	}
	a := glob.Alternative{Glob: glob.Compile(alt, glob.Options{Tail: " ", Loose: !allow, Fold: !allow && r.paths.fold}), Forms: text.Whole}
	if glob.IsStars(alt) {
		a.Forms = text.Every
	}
	return a, nil
}
