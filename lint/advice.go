package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// everything finds rules that allow all there is.
func (l *linter) everything(r *rule) {
	if !r.allows() || !isStars(r.Pattern) {
		return
	}
	switch {
	case slices.ContainsFunc(r.tools, isStars):
		l.add(Advice, r, "everything", "it allows every call of every tool, those too that are yet to come", "name the tools")
	case l.has(r, subject.Command):
		l.add(Advice, r, "everything", "it allows every command line, those too that nobody can read", `name the commands, such as "git status *"`)
	case l.has(r, subject.URL):
		l.add(Advice, r, "everything", "it allows every URL, those of this machine and its network too", `name the hosts, such as "domain:docs.example.com"`)
	case l.has(r, subject.Path):
		l.add(Advice, r, "everything", "it allows every path, those outside the root too", `write "./*" for everything inside the root`)
	}
}

var (
	letterStar  = regexp.MustCompile(`(?:^| )[^ /=*?\[-]*[A-Za-z0-9]\*$`)
	assignments = regexp.MustCompile(`^(?:[A-Za-z_]\w*=\S* )+`)
)

// stars finds stars in what is allowed of commands that take in more than they
// show.
func (l *linter) stars(r *rule) {
	if !r.allows() || !l.has(r, subject.Command) {
		return
	}
	for _, alt := range r.alts {
		source := alt.shown
		body := assignments.ReplaceAllString(strings.TrimRight(alt.source, "*"), "")
		switch {
		case isStars(alt.source) || isRedirection(alt.source):
		case strings.HasPrefix(alt.source, "*"):
			l.add(Advice, r, "leading-star", source+" starts with any program", "write one pattern for each program")
		case letterStar.MatchString(alt.source):
			word := strings.TrimRight(alt.source, "*")
			l.add(Advice, r, "letter-star", fmt.Sprintf("%s also covers what only begins so, such as %s", source, visible.Quote(word+"x")),
				fmt.Sprintf("write %s", visible.Quote(word+" *")))
		case strings.Contains(unescapedStars(body), "*"):
			l.add(Advice, r, "inner-star", fmt.Sprintf("the star before the end of %s stands for any words and options", source),
				"write the words that may stand there as {a,b}")
		}
	}
}

// unescapedStars returns a pattern without what is escaped.
func unescapedStars(source string) string {
	return escaped.ReplaceAllString(source, "")
}

var escaped = regexp.MustCompile(`(?s)\\.`)

var (
	bracket = regexp.MustCompile(`\[[^\]]+\]`)
	route   = regexp.MustCompile(`(?:^|[/ ])(\[?\[(?:\.\.\.)?[A-Za-z][A-Za-z0-9_-]+\]\]?)(?:$|[/. ])`)
	spread  = regexp.MustCompile(`^\[[A-Za-z0-9]-[A-Za-z0-9]\]$`)
)

// brackets finds classes that may not be meant, or not alone.
func (l *linter) brackets(r *rule) {
	for _, alt := range r.alts {
		plain := escaped.ReplaceAllString(alt.source, "")
		m := bracket.FindString(plain)
		name := routeIn(plain)
		switch {
		case r.allows() && name != "":
			l.add(Advice, r, "brackets", fmt.Sprintf("%s is any one of those characters, and not a folder of that name", visible.Quote(name)),
				fmt.Sprintf("write %s for the name", visible.Quote(glob.Quote(name))))
		case !r.allows() && m != "" && name == "" && l.only(r, subject.Path):
			l.add(Advice, r, "brackets", fmt.Sprintf("%s is a class of characters, and in a rule that refuses also read literally", visible.Quote(m)),
				"write {a,b} for one of several, if that is not wanted")
		}
	}
}

// routeIn returns what in a pattern looks like a folder that is named in
// brackets, as those of routes are.
func routeIn(source string) string {
	m := route.FindStringSubmatch(source)
	if m == nil || spread.MatchString(m[1]) {
		return ""
	}
	return m[1]
}

// wildcardTool finds narrow patterns for tools of which nobody knows what they
// take.
func (l *linter) wildcardTool(r *rule) {
	if !slices.ContainsFunc(r.tools, isStars) || isStars(r.Pattern) {
		return
	}
	if r.allows() {
		l.add(Advice, r, "wildcard-tool", "of tools that nobody has declared every text is matched, and what looks like a path may be anything there", "name the tools")
		return
	}
	for _, alt := range r.alts {
		if strings.HasPrefix(alt.source, "*") && !strings.HasPrefix(alt.source, "**/") {
			l.add(Advice, r, "wildcard-tool",
				fmt.Sprintf("%s also hits texts that only speak of it, such as a message or a search, and command lines with a part that is not known", alt.shown),
				`name the tools, or write "**/NAME" for paths and the commands that read it for the shell`)
			return
		}
	}
}

// urls finds patterns for URLs that allow more hosts than they show, or fewer
// pages.
func (l *linter) urls(r *rule) {
	if !r.allows() || !l.only(r, subject.URL) {
		return
	}
	for _, alt := range r.alts {
		source := alt.shown
		_, rest, whole := strings.Cut(alt.source, "://")
		host, _, paged := strings.Cut(rest, "/")
		name, domain := strings.CutPrefix(alt.source, "domain:")
		switch {
		case isStars(alt.source) || strings.HasPrefix(alt.source, "file:"):
		case domain:
			l.hostOf(r, alt, name, "domain:docs.example.com")
		case whole:
			if !l.hostOf(r, alt, host, "https://docs.example.com/*") && !paged {
				l.add(Advice, r, "front-page", fmt.Sprintf("%s is the page \"/\" alone: an allow covers no other path of a host", source),
					fmt.Sprintf("write %s for all of them", visible.Quote(alt.source+"/*")))
			}
		default:
			l.add(Advice, r, "wide-url", fmt.Sprintf("%s is matched with the whole URL, so that a path or a query of any host may hold it", source),
				`write "domain:HOST" for a host, or "https://HOST/*" for what is below it`)
		}
	}
}

var (
	port   = regexp.MustCompile(`:[0-9*\[\]-]*$`)
	suffix = regexp.MustCompile(`[*?]\.((?:com|org|net|io|dev|ai|co|app|edu|gov|info|me|xyz|co\.uk))$`)
)

// hostOf finds what is odd about the host of an allowed URL, and reports whether
// there is something.
func (l *linter) hostOf(r *rule, alt alternative, host, example string) bool {
	host = port.ReplaceAllString(host, "")
	why, instead := "", "name the hosts, such as "+visible.Quote(example)
	_, literal := glob.Literal(host)
	switch begin := strings.TrimRight(host, "*?"); {
	case literal:
		return false
	case !hasWord(bracket.ReplaceAllString(host, "")):
		why = "allows every host, those of this machine and its network too"
	case begin != host:
		why = "also allows hosts that only begin so, such as " + visible.Quote(strings.Trim(begin, "*?.")+".evil.test")
		instead = "write the host to its end, such as " + visible.Quote(example)
	case suffix.MatchString(host):
		why = "allows every host below " + visible.Quote(suffix.FindStringSubmatch(host)[1])
	case host[0] == '*' && host[1] != '.' && host[1] != '*':
		why = "also allows hosts that only end so, such as " + visible.Quote("evil"+host[1:])
		instead = fmt.Sprintf("write %s with a dot behind the star, and the host itself", visible.Quote("*."+host[1:]))
	default:
		return false
	}
	l.add(Advice, r, "wide-url", alt.shown+" "+why, instead)
	return true
}
