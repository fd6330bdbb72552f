package subject

import (
	"slices"
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// powershell is the shell of lines that are never read as those of bash: for
// PowerShell and for cmd.
const powershell = "powershell"

// maxRuns bounds the commands that a plain line may run besides.
const maxRuns = 32

// powershellSubject reads a line for PowerShell or cmd. Only a plain command
// means to them what it means to everybody.
func (r *Reader) powershellSubject(line string) Subject {
	plain := strings.Join(strings.Fields(line), " ")
	if strings.IndexFunc(line, notPlainEverywhere) < 0 {
		s := Subject{Kind: Command, Text: plain, Narrow: []text.Reading{whole(plain)}, Wide: r.powershellRuns(plain)}
		if slices.ContainsFunc(s.Wide, func(w text.Reading) bool { return w.Form == text.Every }) {
			s.Unknown = "a text or a command that only PowerShell or cmd reads"
		}
		return s
	}
	s := unknown(Command, line, "a line for PowerShell or cmd with more than plain words: run one plain command")
	s.Wide = append(s.Wide, whole(line), whole(plain))
	return s
}

func notPlainEverywhere(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune(" ._/:=@,-", r)
}

// powershellRuns returns what else a plain line may run, for rules that refuse:
// the program under its bare name, and the command that it runs itself.
func (r *Reader) powershellRuns(plain string) (wide []text.Reading) {
	lines := []string{plain}
	for n := 0; n < len(lines); n++ {
		if n == maxRuns || len(plain) > maxPath {
			return append(wide, text.Reading{Text: text.Unknown(), Form: text.Every})
		}
		if n > 0 {
			wide = append(wide, whole(lines[n]))
		}
		lines = append(lines, behindRunner(lines[n])...)
		if encodes(lines[n]) {
			wide = append(wide, text.Reading{Text: text.Unknown(), Form: text.Every})
		}
		if bare := bareProgram(lines[n]); bare != lines[n] {
			lines = append(lines, bare)
		}
	}
	for _, p := range r.shell("", "").Read(plain) { // which knows what runs others everywhere
		for _, t := range p.Narrow {
			if s, known := t.Known(); known && s != plain {
				wide = append(wide, whole(s))
			}
		}
	}
	return wide
}

// bareProgram returns a line without what may stand around the name of its
// program: "@" and what cmd reads over, a directory, an extension. To cmd a name
// ends at a sign, too, so that rd/s is rd /s.
func bareProgram(line string) string {
	first, args, _ := strings.Cut(line, " ")
	name := strings.TrimLeft(first, "@,=")
	if at := strings.IndexAny(name, "/,="); at > 0 && strings.Trim(name[:at], letters) == "" {
		return name[:at] + " " + strings.TrimSpace(strings.TrimLeft(name[at:], ",=")+" "+args)
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, extension := range [...]string{".exe", ".com", ".cmd", ".bat", ".ps1"} {
		if n := len(name) - len(extension); n > 0 && strings.EqualFold(name[n:], extension) {
			name = name[:n]
		}
	}
	return strings.TrimSpace(name + " " + args)
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// behindRunner returns what may be the command that the program of a line runs:
// it stands behind options, each of which may take a value.
func behindRunner(line string) (commands []string) {
	first, rest, _ := strings.Cut(line, " ")
	first = strings.ToLower(first)
	switch first {
	case "if": // behind its condition, of up to six words: if /i not a equ b
		for n := 0; rest != "" && n < 7; n++ {
			commands = append(commands, rest)
			_, rest, _ = strings.Cut(rest, " ")
		}
		return commands
	case ".", "forfiles", "runas", "winpty", "call", "start", "cmd", "powershell", "pwsh", "wsl", "iex", "invoke-expression", "saps", "start-process",
		"conhost", "wt", "sudo", "gsudo", "psexec", "psexec64":
	default:
		return nil
	}
	for words := 1; rest != "" && len(commands) <= maxRuns; { // that may still be the command's first
		option := rest[0] == '-' || rest[0] == '/'
		switch {
		case option && takesValue(first, word(rest)):
			words = 2
		case option:
			words = 1
		case words == 0:
			return commands
		default:
			words--
		}
		commands = append(commands, rest)
		if at := strings.IndexByte(rest, '/'); option && first == "cmd" && at+2 < len(rest) && strings.IndexByte("cCkKrR", rest[at+1]) >= 0 {
			commands = append(commands, strings.TrimSpace(rest[at+2:])) // /cdir is /c dir
		} else if at := strings.LastIndexByte(word(rest), '/'); option && first == "cmd" && at > 0 && at+2 < len(rest) {
			commands = append(commands, strings.TrimSpace(rest[at+2:])) // and /q/cdir
		}
		_, rest, _ = strings.Cut(rest, " ")
	}
	return commands
}

// takesValue reports whether an option of a runner takes the word behind it, so
// that the command may stand behind that.
func takesValue(runner, option string) bool {
	name := strings.ToLower(strings.TrimLeft(option, "-/"))
	var starts []string // of the names of such options
	switch runner {
	case "wt", "psexec", "psexec64":
		return true
	case "start":
		return slices.Contains([]string{"d", "affinity", "node", "machine"}, name)
	case "powershell", "pwsh":
		starts = []string{"ep", "ex", "w", "v", "if", "inp", "of", "o", "ps", "config", "settings", "custom"}
	case "saps", "start-process":
		starts = []string{"cr", "v", "wi", "wo", "red"}
	}
	return slices.ContainsFunc(starts, func(s string) bool { return strings.HasPrefix(name, s) })
}

// encodes reports whether a line runs PowerShell with a text that nobody can
// read. Its options may be shortened, and have another sign before them.
func encodes(line string) bool {
	words := strings.Fields(strings.ToLower(line))
	if len(words) == 0 || words[0] != "powershell" && words[0] != "pwsh" {
		return false
	}
	return slices.ContainsFunc(words[1:], func(w string) bool {
		name := strings.TrimLeft(w, "-/")
		return name != w && name != "" && (name == "ec" || strings.HasPrefix("encodedcommand", name))
	})
}

// word returns the first word of a line.
func word(line string) string {
	first, _, _ := strings.Cut(line, " ")
	return first
}
