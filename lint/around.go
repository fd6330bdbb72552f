package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// shellRefusal finds refusals of commands that hold for more than is meant, or
// for less.
func (l *linter) shellRefusal(r *rule) {
	if r.allows() || !l.onlyShell(r) {
		return
	}
	for _, alt := range r.alts {
		switch source := alt.source; {
		case isStars(source) || isRedirection(source):
		case strings.HasPrefix(source, "**/"):
			l.add(Advice, r, "shell-path", fmt.Sprintf("%s is matched with the whole command, so it wants a slash in it: \"cat .env\" has none", visible.Quote(source)),
				`write the programs before it, such as "{cat,head,grep}*[ /]`+strings.TrimPrefix(source, "**/")+`"`)
		case operators.MatchString(source):
			l.add(Advice, r, "operator", fmt.Sprintf("%s holds for no chain of commands: each of them is looked at by itself, without what joins them", visible.Quote(source)),
				"leave it out: what a chain runs is judged anyway")
		case strings.HasPrefix(source, "*"):
			l.leadingStar(r, &alt)
		case strings.HasPrefix(source, "/") && strings.Contains(strings.Fields(source)[0], "/"):
			l.absolute(r, source)
		default:
			l.starless(r, source)
		}
	}
}

// operators matches what looks for a line of several commands.
var operators = regexp.MustCompile(`^\*? ?(?:;|&&|\|\|?|&) ?\*?$`)

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
				alt.shown, strings.Join(doubted, ", ")),
			fmt.Sprintf("write the programs before it, such as %s", visible.Quote("{cat,head,grep}"+alt.source)))
	}
}

// absolute finds refusals of a program in one place that go by with its name.
func (l *linter) absolute(r *rule, source string) {
	word, _, _ := strings.Cut(source, " ")
	short := word[strings.LastIndexByte(word, '/')+1:]
	tool, ok := r.literalTool()
	if full, known := sample(source); ok && known && short != "" && l.answer(tool, permission.Command, short+full[len(word):]) == permission.Allow {
		l.add(Advice, r, "program-path", fmt.Sprintf("%s refuses the program by its path, and %s goes by", visible.Quote(source), visible.Quote(short)),
			fmt.Sprintf("write %s", visible.Quote("{,*/}"+short+source[len(word):])))
	}
}

// starless finds refusals of a program that go by with its arguments. Of some
// programs to be started without any is what is meant.
func (l *linter) starless(r *rule, source string) {
	name, literal := glob.Literal(source)
	tool, ok := r.literalTool()
	alone := []string{"sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "env", "set", "export", "printenv", "declare"}
	if !literal || !ok || strings.ContainsAny(name, " =") || slices.Contains(alone, name) {
		return
	}
	if l.answer(tool, permission.Command, name+" x") == permission.Allow {
		l.add(Advice, r, "no-arguments", fmt.Sprintf("%s is the command without arguments: %s goes by", visible.Quote(source), visible.Quote(name+" x")),
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

var clusters = regexp.MustCompile(`^(rm|git clean|git push|chmod|chown|cp|docker rm|docker rmi) -([A-Za-z]{1,3})( .*)?$`)

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
		m := clusters.FindStringSubmatch(text)
		if m == nil || l.answer(tool, permission.Command, text) == permission.Allow {
			continue // no such pattern, or an exception before r
		}
		for _, flags := range respelt(m[1], m[2]) {
			if other := m[1] + " " + flags + m[3]; l.answer(tool, permission.Command, other) == permission.Allow {
				l.add(Advice, r, "spelling", fmt.Sprintf("%s goes by: options have several spellings, and %s names one", visible.Quote(other), alt.shown),
					fmt.Sprintf("refuse all, such as %s, or allow only what is needed", visible.Quote(m[1]+" {-*,* -*}")))
				return
			}
		}
	}
}

// respelt returns other ways to write short options of a program.
func respelt(program, flags string) []string {
	var all []string
	long := map[string]string{
		"rm r": "--recursive", "rm f": "--force", "rm R": "--recursive", "git push f": "--force", "git clean f": "--force",
		"chmod R": "--recursive", "chown R": "--recursive",
	}
	if len(flags) == 2 {
		all = append(all, "-"+flags[1:]+flags[:1], "-"+flags[:1]+" -"+flags[1:])
	}
	var words []string
	for i := range flags {
		if word := long[program+" "+flags[i:i+1]]; word != "" {
			words = append(words, word)
		}
	}
	if len(words) == len(flags) {
		all = append(all, strings.Join(words, " "))
	}
	if program == "rm" && strings.Contains(flags, "r") {
		all = append(all, "-"+strings.ReplaceAll(flags, "r", "R"))
	}
	return all
}

// around finds refused files that other tools can get at.
func (l *linter) around(r *rule) {
	if r.allows() || !l.only(r, subject.Path) {
		return
	}
	names := l.literalTools()
	for _, alt := range r.alts {
		file, ok := sample(alt.source)
		if !ok || !hasWord(alt.source) {
			continue
		}
		for _, tool := range r.tools {
			if l.goesAround(r, tool, file, names) {
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

// goesAround reports the first other tool that may have a file which a tool may
// not.
func (l *linter) goesAround(r *rule, tool, file string, names []string) bool {
	if l.answer(tool, permission.Path, file) > r.Action {
		return false // an exception before r lets this one pass
	}
	kin, lines := readers, []string{"cat " + file, "head " + file, "grep x " + file}
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
			l.add(Advice, r, "around", fmt.Sprintf("%s is allowed, and gets at what %s may not", what, tool), "refuse that too, before the rule that allows it")
			return true
		}
	}
	return false
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
	if strings.HasSuffix(source, "/") {
		s += "x"
	}
	return s, s != ""
}
