package subject

import "strings"

// Resolve adds to the subjects of a call the files that their paths lead to
// once resolve has followed the links in them.
func (r *Reader) Resolve(ss []Subject, resolve func(string) (string, error)) ([]Subject, error) {
	all := ss
	for _, s := range ss {
		for _, file := range s.files {
			real, err := resolve(file)
			if err != nil {
				return nil, malformed("a path whose links cannot be followed")
			}
			if r.paths.absolute(r.paths.slashes(real), "") == r.paths.absolute(file, "") {
				continue
			}
			target, err := r.paths.resolved(real, resolve)
			if err != nil {
				return nil, err
			}
			all = append(all, target)
		}
	}
	return all, Limit(all)
}

// resolved returns the subject of a path without links. Where a link leads to
// the root or the home, what is below that is named from there, as rules do.
func (p *paths) resolved(real string, resolve func(string) (string, error)) (Subject, error) {
	s, err := p.subject(real, "")
	if err != nil {
		return s, err
	}
	s.files = nil
	for _, base := range []string{p.root, p.home} {
		if base == "" {
			continue
		}
		realBase, err := resolve(base)
		if err != nil {
			return s, malformed("the links in %s cannot be followed", base)
		}
		rest, ok := strings.CutPrefix(p.slashes(real), p.slashes(realBase))
		if !ok || realBase == base || rest != "" && rest[0] != '/' {
			continue
		}
		below, err := p.subject(base+rest, "")
		if err != nil {
			return s, err
		}
		below.Wide = append(below.Wide, s.Narrow...)
		below.files = nil
		return below, nil
	}
	return s, nil
}
