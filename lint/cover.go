package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// maxNamed bounds the earlier rules that a finding names, and maxTogether the
// alternatives of those that are looked at together.
const (
	maxNamed    = 3
	maxTogether = 40
)

// cover finds rules that never decide since those before them do.
func (l *linter) cover(r *rule) {
	var by []*rule
	for _, tool := range r.tools {
		killers := l.killers(r, tool).killers
		if killers == nil {
			l.behind(r)
			return
		}
		for _, k := range killers {
			if !slices.Contains(by, k) {
				by = append(by, k)
			}
		}
	}
	l.report(r, by)
}

// report reports that rules before r decide all that it matches.
func (l *linter) report(r *rule, by []*rule) {
	allowed := slices.ContainsFunc(by, (*rule).allows)
	switch one := by[0]; {
	case len(by) == 1 && one.Tool == r.Tool && one.Pattern == r.Pattern && one.Action == r.Action:
		l.add(Fault, r, "duplicate", fmt.Sprintf("%s says the same", one.named()), "leave one of them out")
	case !r.allows() && allowed:
		l.behindAllow(r, by, r.Pattern)
	default:
		l.add(Fault, r, "unreachable", fmt.Sprintf("it is unreachable, since %s all that it matches", decides(by)),
			"put it before, if it is an exception, or leave it out")
	}
}

func (l *linter) behindAllow(r *rule, by []*rule, pattern string) {
	l.add(Fault, r, "behind-allow",
		fmt.Sprintf("it cannot %v %s, since the first match decides and %s that", r.Action, visible.Quote(pattern), decides(by)),
		fmt.Sprintf("put it before %s", by[0].named()))
}

// behind finds a refusal of which one tool, or one alternative, is behind a
// wider rule that allows.
func (l *linter) behind(r *rule) {
	if r.allows() {
		return
	}
	for _, tool := range r.tools {
		k := l.killers(r, tool)
		if slices.ContainsFunc(k.killers, (*rule).allows) {
			l.behindAllow(r, k.killers, r.Pattern)
			return
		}
		if len(r.alts) == 1 || k.looked {
			continue
		}
		k.looked = true
		for i := range r.alts {
			if a := l.allowOf(&r.alts[i], k.earlier, tool); a != nil {
				l.behindAllow(r, []*rule{a}, r.alts[i].source)
				return
			}
		}
	}
}

// allowOf returns the first rule that allows all of one alternative of a refusal
// behind it, and more.
func (l *linter) allowOf(alt *alternative, earlier []*rule, tool string) *rule {
	if !hasWord(alt.source) {
		return nil
	}
	for _, a := range earlier {
		if a.allows() && a.mayCover(alt) && l.covers([]*rule{a}, side{tool, alt.plain}) && !l.coversBack(alt.plain, a, tool) {
			return a
		}
	}
	return nil
}

// coversBack reports whether a pattern covers all of a rule: that is then an
// exception, and nothing wider.
func (l *linter) coversBack(p map[subject.Kind]glob.Pattern, a *rule, tool string) bool {
	return l.covers([]*rule{{tools: []string{tool}, all: p}}, side{tool: tool, patterns: a.plain})
}

// decides names rules that decide.
func decides(by []*rule) string {
	if len(by) == 1 {
		return fmt.Sprintf("%s %s", by[0].named(), verb(by[0]))
	}
	var names []string
	for _, r := range by[:min(len(by), maxNamed)] {
		names = append(names, r.named())
	}
	more := ""
	if len(by) > maxNamed {
		more = " and others"
	}
	return strings.Join(names, " and ") + more + " decide"
}

func verb(r *rule) string {
	switch r.Action.String() {
	case "deny":
		return "denies"
	case "ask":
		return "asks for"
	}
	return "allows"
}

// named names a rule for people.
func (r *rule) named() string {
	s := fmt.Sprintf("rule %d (%s %s", r.number, visible.Short(r.Tool), visible.Quote(r.Pattern))
	if r.Line > 0 {
		s += fmt.Sprintf(", line %d", r.Line)
	}
	return s + ")"
}

// before returns the rules before r for calls of a tool.
func (l *linter) before(r *rule, tool string) []*rule {
	var all []*rule
	for _, a := range l.rules[:r.number-1] {
		if l.coversTool(a, tool) {
			all = append(all, a)
		}
	}
	return all
}

// killing is what has been found for a tool of a rule. Most rules are for several
// tools that are about the same and have the same rules before them.
type killing struct {
	kinds            []subject.Kind
	earlier, killers []*rule
	looked           bool // its allows have been looked at one by one
}

// killers returns rules before r that decide all that r matches in calls of a
// tool, or nil. One is better than several.
func (l *linter) killers(r *rule, tool string) *killing {
	kinds, earlier := l.kindsOf(tool), l.before(r, tool)
	for _, k := range r.killings {
		if slices.Equal(k.kinds, kinds) && slices.Equal(k.earlier, earlier) {
			return k
		}
	}
	k := &killing{kinds: kinds, earlier: earlier, killers: l.killersAmong(earlier, r, tool)}
	r.killings = append(r.killings, k)
	return k
}

func (l *linter) killersAmong(earlier []*rule, r *rule, tool string) []*rule {
	for _, a := range earlier {
		if l.kills(a, r, tool) {
			return []*rule{a}
		}
	}
	own := side{tool, r.all}
	near := slices.DeleteFunc(slices.Clone(earlier), func(a *rule) bool { return !l.touches(a, r) })
	if len(near) < 2 || size(near) > maxTogether || !l.covers(near, own) {
		return nil
	}
	for i := len(near) - 1; i >= 0 && len(near) > 2; i-- {
		if fewer := slices.Delete(slices.Clone(near), i, i+1); l.covers(fewer, own) {
			near = fewer
		}
	}
	return near
}

// kills reports whether a decides all that r matches in calls of a tool. Of a
// refusal behind an allow it does where all that was meant is allowed.
func (l *linter) kills(a, r *rule, tool string) bool {
	own, plain := side{tool, r.all}, side{tool, r.plain}
	exception := !r.allows() && a.allows()
	meant := exception && hasWord(r.Pattern)
	switch {
	case !a.mayCover(&r.alts[0]):
		return false
	case a.Pattern == r.Pattern && (meant || a.allows() == r.allows()):
		return l.exists(own) // to prove that a pattern covers itself would take long
	}
	return l.covers([]*rule{a}, own) || meant && l.covers([]*rule{a}, plain)
}

// size returns how much there is to follow of several rules at the same time.
func size(rules []*rule) (n int) {
	for _, r := range rules {
		n += len(r.alts)
	}
	return n
}

// hasWord reports whether a pattern says more than where something is.
func hasWord(pattern string) bool {
	return strings.ContainsFunc(pattern, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// touches reports whether it is not plain to see that a has nothing to do with
// r.
func (l *linter) touches(a, r *rule) bool {
	for k, p := range a.all {
		for _, one := range p {
			for _, other := range r.all[k] {
				if !l.apart(one.Glob, other.Glob) {
					return true
				}
			}
		}
	}
	return false
}

// coversTool reports whether a is for all tools that a glob is for.
func (l *linter) coversTool(a *rule, tool string) bool {
	key := [2]string{a.Tool, tool}
	yes, known := l.tools[key]
	if !known {
		yes = coversName(a.tools, tool)
		l.tools[key] = yes
	}
	return yes
}

func coversName(globs []string, tool string) bool {
	var as []*glob.Glob
	for _, g := range globs {
		as = append(as, glob.Compile(g, glob.Options{}))
	}
	yes, _ := glob.Covers(as, glob.Compile(tool, glob.Options{}))
	return yes
}
