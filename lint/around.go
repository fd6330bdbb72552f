package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// shellRefusal finds refusals of commands that hold for more than is meant, or
// for less.
func (l *linter) shellRefusal(r *rule) {
	if r.allows() || !l.has(r, subject.Command) {
		return
	}
	shell := l.onlyShell(r)
	for _, alt := range r.alts {
		switch source := alt.source; {
		case isStars(source) || isRedirection(source):
		case !shell: // what is odd for the shell may be right for its other tools
			if strings.HasPrefix(source, "*") && !strings.HasPrefix(source, "**/") {
				l.leadingStar(r, &alt)
			}
		case strings.HasPrefix(source, "**/") || strings.Contains(source, " **/"):
			_, name, _ := strings.Cut(source, "**/")
			l.add(Advice, r, "shell-path", fmt.Sprintf("%s is matched with the whole command, so it wants a slash in it: \"cat .env\" has none", visible.Quote(source)),
				`write the programs before it, such as "{cat,head,grep}*[ /]`+name+`"`)
		case joined(source):
			l.operator(r, source)
		case strings.HasPrefix(source, "*"):
			l.leadingStar(r, &alt)
		case strings.HasPrefix(source, "/") && strings.Contains(strings.Fields(source)[0], "/"):
			l.absolute(r, source)
		default:
			l.starless(r, source)
		}
	}
}

// operators finds what is allowed of commands with what joins them.
func (l *linter) operators(r *rule) {
	if !r.allows() || !l.onlyShell(r) {
		return
	}
	for _, alt := range r.alts {
		switch {
		case isRedirection(alt.source):
		case strings.HasPrefix(alt.source, "time "):
			l.add(Advice, r, "operator", `"time" belongs to the shell, and what it times is looked at without it`,
				"write "+visible.Quote(strings.TrimPrefix(alt.source, "time ")))
		case joined(alt.source):
			l.operator(r, alt.source)
		}
	}
}

func (l *linter) operator(r *rule, source string) {
	l.add(Advice, r, "operator", fmt.Sprintf("%s holds for no chain of commands: each of them is looked at by itself, without what joins them or sends their output to a file", visible.Quote(source)),
		`leave it out: what a chain runs is judged anyway, and "> FILE" is for what it writes`)
}

// joined reports whether a pattern looks for a line of several commands, or one
// that writes a file. Programs that take expressions have those signs in them.
func joined(source string) bool {
	source = escaped.ReplaceAllString(source, "")
	return operators.MatchString(source) && !expressions.MatchString(source) && !execution.MatchString(source)
}

var operators = regexp.MustCompile(`&&|\|\||\*[|;>]|[|;>] ?\*|[|;&] ?(?:(?:ba|z|da|k|fi)?sh|rm|sudo)\b|^[|;&]$|\*&|&\*?$`)

// leadingStar finds a refusal that may be meant for everyday commands of which a
// part is not known.
func (l *linter) leadingStar(r *rule, alt *alternative) {
	var doubted []string
	for _, line := range []string{"$TOOL x", "echo $X", "ls *.go", `cat "$F"`, "ls $(pwd)"} {
		subjects, err := l.reader.Subjects(subject.Command, line, "")
		if err == nil && len(subjects) > 0 && alt.all[subject.Command].May(subjects[0].Narrow) {
			doubted = append(doubted, visible.Quote(line))
		}
	}
	if len(doubted) > 0 {
		l.add(Advice, r, "shell-star",
			fmt.Sprintf("%s may be meant for what nobody knows of a command, so that everyday ones are asked for, such as %s",
				alt.shown, strings.Join(doubted, ", ")), bounded(alt.source))
	}
}

var (
	behindWord = regexp.MustCompile(`^\*+ ([a-z])`)
	fileName   = regexp.MustCompile(`^\*+(?:\[[^\]]*\])?/?(?:[.~/]|[\w-]+[./_])`)
)

// bounded says what to write in place of a refusal for the shell that begins with
// a star.
func bounded(source string) string {
	switch {
	case behindWord.MatchString(source):
		return fmt.Sprintf("write %s, which also holds where another program starts it", visible.Quote(strings.TrimLeft(source, "* ")))
	case fileName.MatchString(source):
		return fmt.Sprintf("write the programs before it, such as %s", visible.Quote("{cat,head,grep}"+source))
	}
	return fmt.Sprintf("write the program before it, such as %s", visible.Quote("git "+source))
}

// absolute finds refusals of a program in one place that go by with its name.
func (l *linter) absolute(r *rule, source string) {
	word, rest, _ := strings.Cut(source, " ")
	short := path.Base(word)
	tool, ok := r.literalTool()
	full, known := sample(source)
	if !ok || !known || !hasWord(short) {
		return
	}
	program, arguments, more := strings.Cut(full, " ")
	line := path.Base(program)
	if more {
		line += " " + arguments
	}
	if l.answer(tool, permission.Command, line) == permission.Allow {
		instead := "{,*/}" + short
		if rest != "" {
			instead += " " + rest
		}
		l.add(Advice, r, "program-path", fmt.Sprintf("%s refuses the program by its path, and %s goes by", visible.Quote(source), visible.Quote(short)),
			fmt.Sprintf("write %s", visible.Quote(instead)))
	}
}

// command matches a program, or a command or long option of one, at the end of
// which words are missed.
var command = regexp.MustCompile(`^[^ =]+$|^[^=]+ (?:--)?[a-z][a-z-]*$`)

// starless finds refusals of a command that goes by with more arguments. Of some
// programs to be started without any is what is meant.
func (l *linter) starless(r *rule, source string) {
	name, literal := glob.Literal(source)
	tool, ok := r.literalTool()
	alone := []string{"sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "env", "set", "export", "printenv", "declare"}
	if !literal || !ok || !command.MatchString(name) || slices.Contains(alone, name) {
		return
	}
	if l.answer(tool, permission.Command, name+" x") == permission.Allow {
		l.add(Advice, r, "no-arguments", fmt.Sprintf("%s is the command with no more words: %s goes by", visible.Quote(source), visible.Quote(name+" x")),
			fmt.Sprintf("write %s", visible.Quote(source+" *")))
	}
}

// literalTool returns the first tool that r names.
func (r *rule) literalTool() (string, bool) {
	for _, t := range r.tools {
		if name, ok := glob.Literal(t); ok {
			return name, true
		}
	}
	return "", false
}

var optioned = regexp.MustCompile(`^(rm|git clean|git push|git reset|git branch|chmod|chown|cp|docker rm|docker rmi) (-[A-Za-z]{1,3}|--[a-z]+)( .*)?$`)

// spellings finds refusals of options that go by if they are spelt otherwise.
func (l *linter) spellings(r *rule) {
	tool, ok := r.literalTool()
	if r.allows() || !ok || !l.only(r, subject.Command) {
		return
	}
	for _, alt := range r.alts {
		text, ok := sample(alt.source)
		if !ok {
			continue
		}
		if strings.HasSuffix(alt.source, " *") {
			text += " x"
		}
		m := optioned.FindStringSubmatch(text)
		if m == nil || l.answer(tool, permission.Command, text) == permission.Allow {
			continue // no such pattern, or an exception before r
		}
		for _, other := range respelt(m[1], m[2], m[3]) {
			if l.answer(tool, permission.Command, other) == permission.Allow {
				l.add(Advice, r, "spelling", fmt.Sprintf("%s goes by: options have several spellings and places, and %s names one", visible.Quote(other), alt.shown),
					fmt.Sprintf("refuse all, such as %s, or allow only what is needed", visible.Quote(m[1]+" {-*,* -*}")))
				return
			}
		}
	}
}

// longOptions are the long spellings of a program's short options.
var longOptions = map[string]string{
	"rm r": "--recursive", "rm f": "--force", "rm R": "--recursive", "git push f": "--force", "git push d": "--delete", "git clean f": "--force",
	"git branch d": "--delete", "chmod R": "--recursive", "chown R": "--recursive", "docker rm f": "--force", "docker rmi f": "--force",
}

// respelt returns other ways to write options of a program, before operands or
// behind them.
func respelt(program, options, operands string) (all []string) {
	add := func(options string) { all = append(all, program+" "+options+operands) }
	letters, long := strings.TrimPrefix(options, "-"), strings.HasPrefix(options, "--")
	switch {
	case long:
		for _, letter := range []string{"r", "f", "R", "d"} {
			if longOptions[program+" "+letter] == options {
				add("-" + letter)
			}
		}
	case len(letters) == 2:
		add("-" + letters[1:] + letters[:1])
		add("-" + letters[:1] + " -" + letters[1:])
	}
	if words := spelledOut(program, letters); words != "" && !long {
		add(words)
	}
	if program == "rm" && !long && strings.Contains(letters, "r") {
		add("-" + strings.ReplaceAll(letters, "r", "R"))
	}
	if operands != "" {
		all = append(all, program+operands+" "+options)
	}
	return all
}

// spelledOut returns short options as long ones, if all of them have one.
func spelledOut(program, letters string) string {
	var words []string
	for i := range letters {
		word := longOptions[program+" "+letters[i:i+1]]
		if word == "" {
			return ""
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// around finds refused files that other tools can get at.
func (l *linter) around(r *rule) {
	tools := r.tools
	switch {
	case r.allows():
		return
	case slices.ContainsFunc(r.tools, isStars) && strings.HasPrefix(r.Pattern, "**/"):
		tools = []string{"read"} // whatever reads a file
	case !l.only(r, subject.Path):
		return
	}
	names := l.toolsBeside(r)
	for _, alt := range r.alts {
		file, ok := sample(alt.source)
		if !ok || !hasWord(alt.source) {
			continue
		}
		if strings.HasSuffix(file, "/") {
			file += "x"
		}
		for _, tool := range tools {
			if l.goesAround(r, tool, alt.source, file, names) {
				return
			}
		}
	}
}

// readers and writers are tools that do the same to a file.
var (
	readers = []string{"read", "Read", "read_file", "view", "grep", "Grep", "grep_search", "search_file_content"}
	writers = []string{"write", "Write", "write_file", "edit", "Edit", "replace", "multi_edit", "multiedit", "MultiEdit", "apply_patch", "patch"}
)

// goesAround reports the first other tool that may have a file, of those that a
// pattern is for, which a tool may not.
func (l *linter) goesAround(r *rule, tool, pattern, file string, names []string) bool {
	if l.answer(tool, permission.Path, file) > r.Action {
		return false // an exception before r lets this one pass
	}
	kin, lines := readers, []string{"cat " + file, "head " + file, "grep x " + file, "cat < " + file}
	if slices.Contains(writers, tool) {
		kin, lines = writers, []string{"echo x > " + file, "tee " + file, "cp x " + file}
	} else if !slices.Contains(readers, tool) {
		return false
	}
	for _, name := range names {
		var what string
		switch {
		case slices.Contains(kin, name) && l.answer(name, permission.Path, file) == permission.Allow:
			what = name + " " + visible.Quote(file)
		case l.reader.MainKind(name) == subject.Command:
			for _, line := range lines {
				if l.answer(name, permission.Command, line) == permission.Allow {
					what = name + " " + visible.Quote(line)
					break
				}
			}
		}
		if what != "" {
			l.add(Advice, r, "around", fmt.Sprintf("%s is allowed, and gets at what %s may not", what, tool), "refuse that too, before the rule that allows it"+redirected(what, pattern))
			return true
		}
	}
	return false
}

// redirected says how to refuse what a line writes or reads of the files of a
// pattern: the rules for its commands are not for that.
func redirected(what, pattern string) string {
	for _, sign := range []string{"<", ">"} {
		if strings.Contains(what, " "+sign+" ") {
			return ": for the shell, as " + visible.Quote(sign+" "+pattern)
		}
	}
	return ""
}

// toolsBeside returns the tools that a refusal of r is not to be got around with:
// those that rules name and the runtime has. Where none of them is a shell, there
// is one nevertheless.
func (l *linter) toolsBeside(r *rule) []string {
	all := l.literalTools()
	for _, name := range l.options.KnownTools {
		if name, ok := glob.Literal(name); ok && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(l.options.KnownTools) > 0 || slices.ContainsFunc(all, func(t string) bool { return l.reader.MainKind(t) == subject.Command }) {
		return all
	}
	if name, _ := r.literalTool(); name != "" && unicode.IsUpper(rune(name[0])) {
		return append(all, "Bash")
	}
	return append(all, "bash")
}

// literalTools returns the tools that rules name, in their order.
func (l *linter) literalTools() []string {
	var all []string
	for _, r := range l.rules {
		for _, t := range r.tools {
			if name, ok := glob.Literal(t); ok && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// sample returns a plain text that a pattern matches, if it is easy to find.
func sample(source string) (text string, ok bool) {
	if strings.ContainsAny(source, `[\`) {
		return "", false
	}
	s := strings.TrimSuffix(strings.ReplaceAll(source, "**/", ""), " *")
	if rest := strings.TrimRight(s, "*"); rest != "" && hasWord(rest[len(rest)-1:]) {
		s = rest
	}
	s = strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(s)
	return s, s != ""
}
