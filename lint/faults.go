package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/text"
	"github.com/insomnia-run/permission/internal/visible"
)

// noCommand finds patterns that no simple command is like.
func (l *linter) noCommand(r *rule) {
	if !l.onlyShell(r) {
		return
	}
	if why, instead := subject.NoCommand(withoutSemicolons(r.Pattern), r.allows()); why != "" {
		l.add(Fault, r, "no-command", why, instead)
		return
	}
	for i := range r.alts {
		source := r.alts[i].source
		if m := syntax.FindString(source); m != "" {
			l.add(Fault, r, "no-command",
				fmt.Sprintf("%s belongs to the shell, and each command inside is looked at by itself, without it", visible.Quote(strings.TrimSpace(m))),
				"write a rule for each of those commands")
		}
		if m := redirection.FindStringSubmatch(source); m != nil && !isRedirection(source) {
			l.add(Fault, r, "no-command",
				fmt.Sprintf("what a line writes and reads by redirection is no word of its commands, and %s has %s", visible.Quote(source), visible.Quote(m[1])),
				"write a rule for the command and one for the file, such as \"> build/*\" or \"< secrets/*\"")
		}
		if m := prefixRule.FindStringSubmatch(source); m != nil {
			l.add(Fault, r, "no-command",
				fmt.Sprintf("a colon before the star is a plain character here, and no program is called %s", visible.Quote(m[1]+":")),
				fmt.Sprintf("write %s", visible.Quote(m[1]+" *")))
		}
	}
}

var (
	// syntax matches what begins a compound command, or the body of a function.
	syntax      = regexp.MustCompile(`^(?:(?:if|for|while|until|case|select|function|!|\\?\{) |\()|^[^ ]*\(\) ?\\?\{`)
	redirection = regexp.MustCompile(`(?:^| )((?:[0-9]|&)?(?:>>?|<<?<?)(?:&[0-9]|[/~.*\w]\S*)?)(?: |$)`)
	prefixRule  = regexp.MustCompile(`^([a-z]+):\*$`)
	execution   = regexp.MustCompile(` -(?:exec|ok)(?:dir)? `)
)

func isRedirection(source string) bool {
	return strings.HasPrefix(source, "> ") || strings.HasPrefix(source, "< ")
}

// withoutSemicolons returns a pattern without the semicolon that ends find's
// -exec, which is a word of the command, and those that end the statements of
// another language.
func withoutSemicolons(pattern string) string {
	if execution.MatchString(pattern) {
		return strings.TrimSuffix(strings.ReplaceAll(pattern, " ; ", " "), " ;")
	}
	if takesCode.MatchString(pattern) {
		return statement.ReplaceAllString(pattern, "$1$2")
	}
	return pattern
}

// impossible finds patterns that no path or URL is like, as they are spelt when
// rules are looked at.
func (l *linter) impossible(r *rule) {
	for i := range r.alts {
		alt := &r.alts[i]
		if why := regular(alt.source); why != "" && !l.has(r, subject.Text) && !(l.has(r, subject.Command) && searches(alt.source)) {
			l.add(Fault, r, "regexp", why, "leave it out: a pattern always matches the whole, and * is any characters")
			return
		}
		switch {
		case alt.source == "": // as in {,x}, which is for nothing but x
		case l.only(r, subject.Path) && !l.matchable(alt.all[subject.Path], subject.Path):
			l.add(Fault, r, "impossible",
				fmt.Sprintf("no path is like %s: paths are cleaned before rules see them, so they have no .., no // and no /./", alt.shown),
				"write the path as it is without them")
		case l.only(r, subject.URL) && strings.HasPrefix(alt.source, "/"): // a file: URL
		case l.only(r, subject.URL) && !l.matchable(alt.all[subject.URL], subject.URL):
			host, _, _ := strings.Cut(alt.source, "/")
			l.add(Fault, r, "impossible",
				fmt.Sprintf("no URL is like %s: one starts with its scheme, and has a slash behind the host", alt.shown),
				fmt.Sprintf("write %s, or %s for a part of it", visible.Quote("domain:"+host), visible.Quote("https://"+host+"/*")))
		case l.only(r, subject.URL) && !r.allows() && bareHost.MatchString(alt.source):
			host := bareHost.FindStringSubmatch(alt.source)[1]
			l.add(Fault, r, "impossible",
				fmt.Sprintf("%s is no pattern for a host: a URL goes on behind its host, at least with a slash", alt.shown),
				fmt.Sprintf("write %s", visible.Quote("domain:{"+host+",*."+host+"}")))
		}
	}
}

// bareHost matches what is meant as the name of a host and stands at the end of
// a URL.
var bareHost = regexp.MustCompile(`^\*\.?((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|ai|co|app|edu|gov|internal|local|test))$`)

func (l *linter) matchable(p glob.Pattern, k subject.Kind) bool {
	return len(p) == 0 || slices.ContainsFunc(p, func(a glob.Alternative) bool {
		return slices.ContainsFunc(formsOf(k), func(f text.Form) bool {
			return a.Forms&f != 0 && a.Glob.Meets(languageOf(k, f, l.windows()))
		})
	})
}

var (
	anchored = regexp.MustCompile(`[\w*)\]]\$$`)
	choice   = regexp.MustCompile(`\([^() ]*\|[^() ]*\)`)
	// expressions matches programs that are given expressions, or code, and
	// options that are.
	expressions = regexp.MustCompile(`^(?:git )?(?:[a-z]*grep|rg|ag|ack|sed|[gm]?awk|jq|yq|perl|ruby|node|python[0-9.]*|find|fd|pytest|jest|vitest|psql|mysql|sqlite3) ` +
		`| --?(?:run|bench|skip|fuzz|[ktePEGS]|i?regexp?|grep|match|filter|pattern|testNamePattern)[ =]`)
	takesCode = regexp.MustCompile(`^(?:[gm]?awk|jq|perl|ruby|node|php|python[0-9.]*|psql|mysql|mariadb|sqlite3|sed) `)
	statement = regexp.MustCompile(`([^ ;]);( |$)`)
	classes   = regexp.MustCompile(`\\[bdswBDSW](?:[+*]|$)`)
)

// regular says what in a pattern is the sign of a regular expression.
func regular(source string) string {
	switch {
	case strings.HasPrefix(source, "^"):
		return `"^" is a plain character, and nothing starts with it`
	case anchored.MatchString(source):
		return `"$" is a plain character, and nothing ends in it`
	case choice.MatchString(source):
		return `"(a|b)" is plain characters: alternatives are written {a,b}`
	case classes.MatchString(source):
		return `a "\" takes the meaning from the next character, and stands for no class`
	}
	return ""
}

// searches reports whether a pattern is for a program that is given regular
// expressions.
func searches(source string) bool {
	return expressions.MatchString(source) || strings.HasPrefix(source, "*")
}

// secret matches the names of files that are secrets wherever they are.
var secret = regexp.MustCompile(`^(?:\.env(?:\.?\*|\.local|\.production)?|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|vault-token)|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?)$`)

// bareName finds refusals of a secret that hold in the root only.
func (l *linter) bareName(r *rule) {
	if r.allows() || !l.only(r, subject.Path) {
		return
	}
	reads := slices.ContainsFunc(r.tools, func(t string) bool { return slices.Contains(readers, t) })
	for _, alt := range r.alts {
		name := strings.TrimPrefix(alt.source, "./")
		if !secret.MatchString(name) || !reads && !strings.HasPrefix(name, ".env") {
			continue // who writes the one in the root configures the project
		}
		below := "web/" + strings.ReplaceAll(name, "*", "x")
		for _, tool := range r.tools {
			if _, literal := glob.Literal(tool); literal && l.answer(tool, permission.Path, below) > r.Action {
				l.add(Fault, r, "bare-name",
					fmt.Sprintf("%s is the one in the root alone: %s, for one, is not refused", alt.shown, visible.Quote(below)),
					fmt.Sprintf("write %s", visible.Quote("**/"+name)))
				return
			}
		}
	}
}

// otherKind finds patterns for things that the tool's calls are not about.
func (l *linter) otherKind(r *rule) {
	for _, alt := range r.alts {
		source := alt.shown
		switch {
		case strings.HasPrefix(alt.source, "domain:") && (l.only(r, subject.Path) || l.only(r, subject.Command)):
			l.add(Fault, r, "other-kind", source+" is for URLs, and no call of these tools is about one", "name the tool that takes the URL")
		case isRedirection(alt.source) && (l.only(r, subject.Path) || l.only(r, subject.URL)):
			l.add(Fault, r, "other-kind", source+" is for the redirections of a command line, and these tools run none", "write the path alone")
		case strings.Contains(alt.source, "://") && !strings.HasPrefix(alt.source, "file:") && l.only(r, subject.Path):
			l.add(Fault, r, "other-kind", source+" is for URLs, and these tools take paths", "name the tool that takes the URL")
		}
	}
}
