package subject

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/shell"
)

// Resolve adds to the subjects of a call the files that their paths lead to
// once resolve has followed the links in them.
func (r *Reader) Resolve(ss []Subject, resolve func(string) (string, error)) ([]Subject, error) {
	f := follower{paths: &r.paths, resolve: resolve}
	all := ss
	for _, s := range ss {
		for _, dir := range s.dirs {
			real, out, err := f.outside(dir.path)
			switch {
			case err != nil:
				return nil, err
			case out && real == "":
				all = append(all, unknown(Command, "cd "+strings.ReplaceAll(dir.path, string(shell.Mark), "*"), "where the links in a directory lead that a wildcard finds: write its name"))
			case out && dir.inLine: // as if the line named it
				all = append(all, Subject{Kind: Command, Text: "cd " + real, Narrow: asReading("cd " + real)})
			case out:
				all = append(all, unknown(Command, "cd "+real, "the command runs outside the root"))
			}
		}
		for _, file := range s.files {
			real, err := f.follow(file)
			if err != nil {
				return nil, err
			}
			if real == r.paths.cleaned(file) && !f.renamed(real) {
				continue
			}
			target, err := f.target(real)
			if err != nil {
				return nil, err
			}
			all = append(all, target.insteadOf(s))
		}
	}
	return all, Limit(all)
}

// A follower follows the links of one call.
type follower struct {
	*paths
	resolve func(string) (string, error)
	bases   []base // found once
}

// base is a place that rules name files from, and where it really is.
type base struct{ name, real string }

// follow returns where a path leads to.
func (f *follower) follow(path string) (string, error) {
	real, err := f.resolve(path)
	if err != nil {
		return "", malformed("a path whose links cannot be followed")
	}
	real = f.slashes(real)
	if _, rest := f.cutVolume(real); !strings.HasPrefix(rest, "/") {
		return "", malformed("a path whose links lead to one that is not absolute")
	}
	return f.cleaned(real), nil
}

// places returns the root and the home, and where they really are.
func (f *follower) places() ([]base, error) {
	for _, name := range []string{f.root, f.home} {
		if len(f.bases) == 2 || name == "" {
			break
		}
		real, err := f.follow(name)
		if err != nil {
			return nil, err
		}
		f.bases = append(f.bases, base{name, real})
	}
	return f.bases, nil
}

// target returns the subject of a path without links. Where a link leads to
// the root or the home, what is below that is named from there, as rules do.
func (f *follower) target(real string) (Subject, error) {
	s, err := f.subject(real, "")
	if err != nil {
		return s, err
	}
	s.files = nil
	places, err := f.places()
	if err != nil {
		return s, err
	}
	for _, b := range places {
		rest, ok := strings.CutPrefix(real, b.real)
		if !ok || b.real == b.name || rest != "" && rest[0] != '/' {
			continue
		}
		below, err := f.subject(b.name+rest, "")
		if err != nil {
			return s, err
		}
		below.Wide = append(below.Wide, s.Narrow...)
		below.files = nil
		return below, nil
	}
	return s, nil
}

// renamed reports whether a path without links is below the root or the home
// only by where that really is, so that rules name it from there. A place that
// cannot be followed is none.
func (f *follower) renamed(real string) bool {
	places, err := f.places()
	return err == nil && slices.ContainsFunc(places, func(b base) bool {
		rest, ok := strings.CutPrefix(real, b.real)
		return ok && b.real != b.name && (rest == "" || rest[0] == '/')
	})
}

// outside returns where the path of a directory leads to, and whether that is
// out of the root, though its letters are not.
func (f *follower) outside(dir string) (real string, out bool, err error) {
	if _, ok := f.inside(f.cleaned(dir)); !ok {
		return "", false, nil // which has been said
	}
	if strings.ContainsRune(dir, shell.Mark) {
		return "", true, nil // anywhere
	}
	if real, err = f.follow(dir); err != nil || real == f.cleaned(dir) {
		return "", false, err
	}
	target, err := f.target(real)
	return real, !target.isInside(), err
}

// insteadOf returns the file that another leads to, in the same role.
func (s Subject) insteadOf(link Subject) Subject {
	if link.Kind != Command {
		return s
	}
	to := link.forms
	return Subject{
		Kind: Command, Text: link.Text, Free: link.Free, Unknown: s.Unknown,
		Narrow: to.readings(s.Narrow), Wide: to.readings(s.Wide),
	}
}
