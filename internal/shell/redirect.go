package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// An input is what a command reads, where the line says so.
type input struct {
	text  string
	known bool
	own   bool // it certainly is not what the shell itself reads
}

// documents returns the here-documents and here-strings of a statement as they
// are written: what a program is fed may be what matters most about it.
func (w *walker) documents(s *syntax.Stmt) string {
	var b strings.Builder
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.WordHdoc:
			b.WriteString(" <<< " + w.source(r.Word))
		case syntax.Hdoc, syntax.DashHdoc:
			b.WriteString(" " + r.Op.String() + w.source(r.Word) + "\n")
			if r.Hdoc != nil {
				b.WriteString(w.source(r.Hdoc))
			}
		}
	}
	return b.String()
}

// stdin returns what the statement's command reads, if the line says so.
func (w *walker) stdin(s *syntax.Stmt) *input {
	var in *input
	shared := false
	for _, r := range s.Redirs {
		shared = shared || w.shares(r)
		if r.N != nil && strings.TrimLeft(r.N.Value, "0") != "" {
			continue // it is another descriptor that it is about
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			in = &input{own: true}
			if r.Hdoc == nil {
				in.known = true
			} else if quotedDelimiter(r.Word) || isLiteral(r.Hdoc) {
				in.text, in.known = hdocLiteral(r.Hdoc), r.Op == syntax.Hdoc || !strings.Contains(hdocLiteral(r.Hdoc), "\t")
			}
		case syntax.WordHdoc:
			f := w.exp.one(r.Word)
			in = &input{text: f.value, known: f.static, own: true}
		case syntax.RdrIn:
			in = &input{own: isOwn(w.exp.one(r.Word))}
		case syntax.DplIn, syntax.RdrInOut:
			in = &input{}
		default:
			if r.N != nil { // 0>&3
				in = &input{}
			}
		}
	}
	if in != nil && shared {
		in.known = false // a script that reads lines of itself, see takes
	}
	return in
}

// redirect reads one redirection.
func (w *walker) redirect(r *syntax.Redirect) {
	if name := descriptorName(r); name != "" {
		w.sets(name)
	}
	w.nested(r.Word)
	if r.Hdoc != nil && !quotedDelimiter(r.Word) {
		w.nested(r.Hdoc)
	}
	if w.input && w.shares(r) {
		w.unknown(w.source(r), "another way to what the shell reads its script from")
	}
	kind := Write
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	case syntax.RdrIn:
		kind = Read
	case syntax.DplIn, syntax.DplOut:
		if lit := r.Word.Lit(); isDescriptor(lit) {
			return
		}
	}
	if _, ok := first(r.Word.Parts).(*syntax.ProcSubst); ok && len(r.Word.Parts) == 1 {
		return // a pipe to a command that is read by itself
	}
	target := w.exp.fields([]*syntax.Word{r.Word})
	w.target(kind, r, target)
}

// descriptorName returns the variable that a redirection sets to its descriptor:
// {x}>file sets x.
func descriptorName(r *syntax.Redirect) string {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return ""
	}
	name, _, _ := strings.Cut(strings.Trim(r.N.Value, "{}"), "[")
	return name
}

// isDescriptor reports whether the word of >& or <& is a descriptor, to
// duplicate or close.
func isDescriptor(s string) bool {
	if s == "-" {
		return true
	}
	digits := strings.TrimSuffix(s, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func (w *walker) target(kind Kind, r *syntax.Redirect, target []word) {
	sign := "> "
	if kind == Read {
		sign = "< "
	}
	dirs := []string{""}
	p := Part{Kind: kind, Source: sign + w.source(r.Word), Free: kind == Read}
	switch {
	case len(target) == 1 && target[0].static && w.isHarmlessFile(target[0].value, kind):
		return
	case len(target) != 1 || !target[0].holds() && !target[0].static || target[0].static && target[0].value == "":
		p.Unknown = "the file of a redirection: write its name"
		if len(target) != 1 {
			break
		}
		if target[0].why != "" {
			p.Unknown = "the file of a redirection: " + target[0].why
		}
		if t := target[0].guess; t != nil {
			p.Path, _ = t.Known()
			p.Likely = true
		}
	case kind == Write && reopens(target[0]) && w.readsFiles():
		p.Path, p.Likely = marked(target[0].text), true
		p.Unknown = "the file behind a descriptor, which may be one that is opened to read: write its name"
	case !target[0].static:
		if p.Path = marked(target[0].text); mayClimb(p.Path) {
			p.Likely, p.Unknown = true, "a folder that may be the one above: write its name"
		}
		dirs = w.locate(&p, target[0].tilde)
	default:
		p.Path = target[0].value
		p.Source = sign + p.Path
		if strings.HasPrefix(p.Path, "/dev/tcp/") || strings.HasPrefix(p.Path, "/dev/udp/") {
			p.Kind, p.Free = Write, false
		}
		dirs = w.locate(&p, target[0].tilde)
	}
	for _, p.Dir = range dirs {
		w.add(p)
	}
	if kind == Read && (len(target) != 1 || !target[0].static && mayConnect(target[0].text)) {
		w.add(Part{Kind: Write, Source: p.Source, Unknown: "a file that is read, which may be a connection such as /dev/tcp/host/80: write its name"})
	}
}

// Mark stands in the paths of a Part for an unknown piece of a file's name, as
// text.Name is.
const Mark = '\uf8fe'

// marked returns a text with Mark for its holes.
func marked(t text.Text) string {
	var b strings.Builder
	for r, h := range t.All() {
		if h != 0 {
			r = Mark
		}
		b.WriteRune(r)
	}
	return b.String()
}

// mayClimb reports whether a marked path may lead through a folder called . or ..
// by a wildcard. Shells find those by a pattern that starts with a dot, bash up to
// 5.1 among them.
func mayClimb(path string) bool {
	parts := strings.Split(path, "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool {
		return strings.HasPrefix(part, ".") && strings.ContainsRune(part, Mark) && strings.Trim(part, "."+string(Mark)) == ""
	})
}

// isHarmlessFile reports whether a file holds nothing. The names of descriptors
// open the files behind them again, which may be ones that were opened to read.
func (w *walker) isHarmlessFile(name string, kind Kind) bool {
	switch name {
	case "/dev/null", "/dev/tty":
		return true
	case "/dev/stdin":
		return kind == Read
	case "/dev/stdout", "/dev/stderr":
		return kind == Read || !w.readsFiles()
	}
	return false
}

// reopens reports whether a word names a descriptor, of which a write opens the
// file again.
func reopens(f word) bool {
	if !f.static {
		return strings.HasPrefix(leading(f), "/dev/fd/") || strings.HasPrefix(leading(f), "/proc/")
	}
	dir, name := path.Split(path.Clean(f.value))
	switch {
	case strings.HasSuffix(dir, "/fd/"):
		return strings.HasPrefix(dir, "/dev/") || strings.HasPrefix(dir, "/proc/")
	case dir == "/dev/":
		return name == "stdin" || name == "stdout" || name == "stderr"
	}
	return false
}

// readsFiles reports whether the text that is read now, or one before it,
// has a redirection that reads a file. It has to be asked before a text inside
// of this one is read, which shares its descriptors.
func (w *walker) readsFiles() bool {
	if w.streams.any {
		return true
	}
	if !strings.Contains(w.src, "<") || w.streams.seen[w.src] {
		return false
	}
	if w.streams.seen == nil {
		w.streams.seen = make(map[string]bool)
	}
	w.streams.seen[w.src] = true
	f, _ := parse(w.Parsers, restore(w.src), w.lang, func(string) {})
	if f == nil {
		w.streams.any = true
		return true
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && readsFile(r) {
			w.streams.any = true
		}
		return true
	})
	return w.streams.any
}

// fileReads tells whether some text reads a file by redirection, and which
// texts have been looked through for that.
type fileReads struct {
	any  bool
	seen map[string]bool
}

func readsFile(r *syntax.Redirect) bool {
	lit := r.Word.Lit()
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut:
		return lit != "/dev/null" && lit != "/dev/tty"
	case syntax.DplIn:
		return lit != "-"
	}
	return false
}
