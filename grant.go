package permission

import (
	"fmt"
	"slices"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
)

// maxProposed is how many patterns a tool may propose for one ask.
const maxProposed = 64

// A grantable is a part of a call that needs an answer, with what a grant for it
// would be.
type grantable struct {
	asked
	key     exactly
	pattern string // for it alone
	known   bool   // nothing of it is unknown or in doubt, so that it can be granted
}

// exactly names one subject of a tool's calls, see subject.Reader.Alone, as it is
// read in one place: under another root the same command runs elsewhere.
type exactly struct {
	tool, name, place string
	kind              subject.Kind
}

// identify names each of the parts of a tool's call.
func identify(tool string, asking []asked) []grantable {
	all := make([]grantable, len(asking))
	for i, a := range asking {
		name, pattern, ok := a.reader.Alone(a.read)
		all[i] = grantable{
			asked: a, pattern: pattern, known: ok && !a.doubt && a.read.Unknown == "",
			key: exactly{tool, name, a.reader.Place(), a.read.Kind},
		}
	}
	return all
}

// A proposal is a pattern for subjects of a tool's calls, as it is read in one
// place: a relative path is another one where the root is another.
type proposal struct {
	tool, pattern, place string
	kind                 subject.Kind
}

// compile compiles a pattern for subjects of a's kind, tool and place.
func (a *grantable) compile(pattern string) (proposal, glob.Pattern, error) {
	at := proposal{a.key.tool, pattern, a.key.place, a.read.Kind}
	if err := checkPattern(pattern); err != nil {
		return at, nil, err
	}
	p, err := a.reader.Pattern(a.read.Kind, pattern, true)
	return at, p, err
}

// A grant is what the answer Always to one ask adds: exactly what was asked
// for, or what the tool has proposed instead.
type grant struct {
	exact    []exactly                 // empty where something is proposed
	proposed map[proposal]glob.Pattern // by the tool
	rules    []Rule                    // which allow no less, for people
}

// newGrant returns what Always grants to an ask; nothing if part of it is
// unknown. It fails for a proposal that is no pattern.
func newGrant(asking []grantable, proposed []string) (grant, error) {
	if len(proposed) > maxProposed {
		return grant{}, fmt.Errorf("%d proposed patterns: want %d at most", len(proposed), maxProposed)
	}
	g := grant{proposed: make(map[proposal]glob.Pattern)}
	for _, pattern := range proposed {
		for i := range asking {
			at, p, err := asking[i].compile(pattern)
			if err != nil {
				return grant{}, fmt.Errorf("the proposed pattern %q: %w", pattern, err)
			}
			g.proposed[at] = p
			g.show(at.tool, pattern)
		}
	}
	for i := range asking {
		a := &asking[i]
		switch {
		case !a.known:
			return grant{}, nil
		case len(proposed) > 0:
		case !a.isPattern():
			return grant{}, nil
		default:
			g.exact = append(g.exact, a.key)
			g.show(a.key.tool, a.pattern)
		}
	}
	return g, nil
}

// isPattern reports whether the pattern for a alone allows it, as people are
// told. One that is longer than manifests take is not tried.
func (a *grantable) isPattern() bool {
	if len(a.pattern) > glob.MaxPattern {
		return true
	}
	_, p, err := a.compile(a.pattern)
	return err == nil && p.Must(a.read.Narrow)
}

// show adds a rule to those that people are shown, where it is not there yet.
func (g *grant) show(tool, pattern string) {
	r := Rule{Tool: glob.Quote(tool), Pattern: pattern, Action: Allow}
	if !slices.Contains(g.rules, r) {
		g.rules = append(g.rules, r)
	}
}

// size returns how many bytes of names and patterns g holds.
func (g *grant) size() int {
	n := 0
	for _, e := range g.exact {
		n += len(e.tool) + len(e.name) + len(e.place)
	}
	for p := range g.proposed {
		n += len(p.tool) + len(p.pattern) + len(p.place)
	}
	return n
}

// grants are what a session has been granted.
type grants struct {
	exact    map[exactly]bool
	proposed map[proposal]glob.Pattern
	size     int
}

// add adds what g grants.
func (gs *grants) add(g grant) {
	if gs.exact == nil {
		gs.exact, gs.proposed = make(map[exactly]bool), make(map[proposal]glob.Pattern)
	}
	gs.size += g.size()
	for _, e := range g.exact {
		gs.exact[e] = true
	}
	for at, p := range g.proposed {
		gs.proposed[at] = p
	}
}

// cover reports whether gs hold all that is asked for. What is in doubt or
// unknown is never covered.
func (gs *grants) cover(asking []grantable) bool {
	for i := range asking {
		if a := &asking[i]; !a.known || !gs.exact[a.key] && !gs.proposes(a) {
			return false
		}
	}
	return len(asking) > 0
}

// proposes reports whether a pattern that a tool has proposed covers a.
func (gs *grants) proposes(a *grantable) bool {
	for at, p := range gs.proposed {
		same := at.tool == a.key.tool && at.kind == a.key.kind && at.place == a.key.place
		if same && p.Must(a.read.Narrow) {
			return true
		}
	}
	return false
}
