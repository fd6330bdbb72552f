package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/subject"
	"github.com/insomnia-run/permission/internal/visible"
)

// A program is one of which a rule that allows it with any arguments allows
// more than it shows.
type program struct {
	names   string // separated by blanks; a name may be "git config"
	why     string
	instead string
}

// programTable is the table of such programs. A rule speaks of a row if it
// starts with one of its names and goes on with a star. Those that only run
// another command, such as xargs and env, are not in it: what they run is judged
// by itself.
func programTable() []program {
	const narrow = "write the words that are needed, without a star at the end"
	return []program{
		{"sh bash zsh dash ksh fish csh tcsh powershell pwsh cmd busybox", "runs any code that is in its arguments, in a file or on its input",
			`allow the scripts by their names, such as "bash scripts/build.sh"`},
		{"python python2 python3 node deno bun ruby perl php lua Rscript osascript tclsh expect java tsx ts-node julia ed emacs vim vi nvim gdb", "runs any code that is in its arguments, in a file or on its input",
			`allow the scripts by their names, such as "python3 tools/check.py"`},
		{"eval source .", "runs whatever its arguments are, or stand for", "allow the commands themselves"},
		{"sudo doas su pkexec", "runs what other rules allow with all rights", "let a person be asked"},
		{"ssh rsync scp", "runs programs elsewhere, and here by its options (-o ProxyCommand, -e)", narrow},
		{"docker podman nerdctl kubectl", "starts anything, with any folder of this machine in reach", `allow its commands that look, such as "docker ps *"`},
		{"npx bunx uvx pipx", "fetches a package by its name and runs it", `name the packages, such as "npx tsc *"`},
		{"npm exec|npm x|pnpm dlx|pnpm exec|yarn dlx|yarn exec|bun x|uv tool run|pipx run", "fetches a package by its name and runs it", `name the packages, such as "npm exec tsc *"`},
		{"docker run|docker compose run|podman run|nerdctl run|kubectl run", "starts anything, with any folder of this machine in reach", narrow},
		{"npm yarn pnpm pip pip3 cargo go bundle gem poetry uv", "has commands that fetch, publish and run code", `allow its commands one by one, such as "npm test *"`},
		{"find", "deletes and writes files by its options (-delete, -fprint)", `deny "find * -{delete,fprint,fprint0,fprintf,fls} *" before it`},
		{"tar", "runs programs by its options (--checkpoint-action, --to-command) and writes what it unpacks anywhere", `allow its use, such as "tar -tzf *", behind a deny of "tar * --*"`},
		{"awk gawk mawk", "runs programs (system, pipes) and writes files", "use a program that only reads, such as cut or grep"},
		{"sed", "writes files and runs programs by its script (w, e) and by -i", `allow its use, such as "sed -n *", behind a deny of "sed * -i*"`},
		{"rg", "runs a program for each file by --pre", `deny "rg *--pre*" before it`},
		{"sort", "writes a file by -o and runs a program by --compress-program", `deny "sort *{-o,--output,--compress-program}*" before it`},
		{"uniq xxd", "writes the file that is its second argument", `allow it as a filter, such as "uniq -c"`},
		{"curl", "writes files by -o and sends them by -d, -F and -T", `name the host, "curl -s https://api.example.com/*", behind a deny of the same with " ?*" after it`},
		{"wget", "writes files, and sends them by --post-file", `name the host, "wget -q https://example.com/*", behind a deny of the same with " ?*" after it`},
		{"git", "runs programs by its configuration (-c, config) and its hooks, and has commands that lose work", `allow its commands one by one, such as "git status *"`},
		{"git config", "sets what git runs (core.pager, aliases)", `allow what reads, such as "git config --get *"`},
		{"git -c", "sets what git runs (core.pager, aliases)", "name what is set, and the command"},
		{"git rebase|git bisect|git submodule|git filter-branch|git difftool|git mergetool", "runs programs that its arguments name (--exec, run, foreach, --extcmd)",
			`name the use, such as "git rebase {main,--continue,--abort}"`},
		{"git clone|git fetch|git pull|git push|git ls-remote|git archive", "runs a program by --upload-pack, --receive-pack or --exec",
			`deny "git * --{upload-pack,receive-pack,exec}*" before it`},
		{"git grep", "runs a program by --open-files-in-pager", `deny "git grep *{-O,--open}*" before it`},
		{"git diff|git log|git show", "writes a file by --output", `deny "git * --output*" before it`},
		{"sqlite3 psql mysql mariadb", "runs programs and writes files by commands of its own (.shell, \\!)", narrow},
		{"go test|go build|go vet|go run", "runs a program by -exec, -toolexec and -vettool", `deny "go * -{exec,toolexec,vettool}*" before it`},
		{"tee dd", "writes any file", `name the folder: "tee build/*"`},
		{"zip", "runs a program by -TT", narrow},
		{"man less more", "runs programs by its options and its keys", "use cat"},
		{"nc ncat netcat socat telnet", "connects to anywhere, with a program on this end", narrow},
		{"crontab at launchctl systemctl", "runs programs later, out of reach of any rule", "let a person be asked"},
	}
}

// words returns the names of a row.
func (p program) words() []string {
	if strings.Contains(p.names, "|") || strings.HasPrefix(p.names, "git ") {
		return strings.Split(p.names, "|")
	}
	return strings.Fields(p.names)
}

// programs finds what is allowed with any arguments and had better not be.
func (l *linter) programs(r *rule) {
	if !r.allows() || !l.has(r, subject.Command) {
		return
	}
	var first program
	var shown, name string
	var rows, more []string
	for _, alt := range r.alts {
		p, found := l.wideProgram(r, alt.source)
		if found == "" || slices.Contains(rows, p.names) {
			continue
		}
		if rows = append(rows, p.names); len(rows) > 1 {
			more = append(more, found)
			continue
		}
		first, shown, name = p, alt.shown, found
	}
	if len(rows) == 0 {
		return
	}
	why := fmt.Sprintf("%s also covers what %s does besides: it %s", shown, name, first.why)
	if len(more) > 0 {
		why += "; look at " + strings.Join(more, ", ") + " as well"
	}
	l.add(Advice, r, "program", why, first.instead)
}

// wideProgram returns the row and the name of the program that an alternative
// of r allows with any arguments; no name where there is none.
func (l *linter) wideProgram(r *rule, source string) (program, string) {
	if isRedirection(source) {
		return program{}, ""
	}
	for _, p := range programTable() {
		if name := p.startOf(source); name != "" && !l.guarded(r, name) {
			return p, name
		}
	}
	return program{}, ""
}

// startOf returns the name of a row that a pattern starts with, a star behind
// it, whatever options are between the two.
func (p program) startOf(source string) string {
	source = programPath(source)
	for _, name := range p.words() {
		for _, spelt := range []string{source, versioned.ReplaceAllString(source, "$1$2")} {
			if rest, ok := strings.CutPrefix(spelt, name); ok && goesOn(name, rest) {
				return name
			}
		}
	}
	return ""
}

// versioned matches a program with its version in its name, such as python3.12.
var versioned = regexp.MustCompile(`^(python|perl|ruby|lua|php|node|pip|tclsh)[0-9][0-9.]*( |\*|$)`)

// programPath returns a pattern without the folder of the program.
func programPath(source string) string {
	word, rest, more := strings.Cut(source, " ")
	if strings.HasPrefix(word, "/") {
		word = path.Base(word)
	}
	if more {
		word += " "
	}
	return word + rest
}

// goesOn reports whether what stands behind a name is any arguments. A program
// that runs code does so with any of its options.
func goesOn(name, rest string) bool {
	words := strings.Fields(rest)
	if !strings.HasPrefix(rest, " ") {
		return rest == "*"
	}
	for i, w := range words {
		switch last := i == len(words)-1; {
		case glob.IsStars(w):
			return true
		case last, !strings.HasPrefix(w, "-"), name == "sed", name == "tar", harmlessOption(name, w):
			return false
		case w == "-m" && strings.Trim(words[i+1], "*") != "":
			return false // which names a module
		}
	}
	return false
}

// harmlessOption reports whether an option turns a program into another one
// that its rule names.
func harmlessOption(program, w string) bool {
	switch program {
	case "git config":
		return w == "--get"
	case "node":
		return w == "--test" || w == "--check"
	case "php":
		return w == "-l"
	case "sh", "bash", "zsh", "dash", "ksh":
		return w == "-n"
	}
	return w == "--version" || w == "--help"
}

// urlTails finds an allow of a URL for a program that takes more of them, and
// options, behind it.
func (l *linter) urlTails(r *rule) {
	tool, known := r.literalTool()
	if !r.allows() || !known || !l.has(r, subject.Command) {
		return
	}
	for _, alt := range r.alts {
		line, known := sample(oneOf.ReplaceAllString(alt.source, "$1"))
		if !known || !fetches.MatchString(alt.source) {
			continue
		}
		if line += " -o x"; l.answer(tool, permission.Command, line) == permission.Allow {
			l.add(Advice, r, "url-tail", fmt.Sprintf("the star of %s also stands for what comes behind the URL, such as %s", alt.shown, visible.Quote(line)),
				fmt.Sprintf("deny %s before it", visible.Quote(alt.source+" ?*")))
			return
		}
	}
}

// fetches matches a command that ends with a URL, up to a star, and oneOf a class
// of characters.
var (
	fetches = regexp.MustCompile(`^(?:curl|wget) (?:.* )?[^ -][^ ]*[.:/][^ ]*\*$`)
	oneOf   = regexp.MustCompile(`\[([0-9A-Za-z])[^\]]*\]`)
)

// guarded reports whether a rule before r refuses some uses of a program: its
// options have then been thought of. Of git with any words a rule against some
// of its commands has not thought of what it can be told to run.
func (l *linter) guarded(r *rule, name string) bool {
	if tool, known := r.literalTool(); name == "git" && known {
		return l.answer(tool, permission.Command, "git -c core.pager=x log") != permission.Allow
	}
	first, _, _ := strings.Cut(name, " ")
	return slices.ContainsFunc(l.rules[:r.number-1], func(a *rule) bool {
		return a.Action != permission.Allow && l.has(a, subject.Command) &&
			slices.ContainsFunc(a.alts, func(alt alternative) bool {
				return strings.HasPrefix(alt.source, first+" ") || strings.HasPrefix(alt.source, first+"*")
			})
	})
}
