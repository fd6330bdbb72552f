package subject

import (
	"slices"
	"strings"
)

// An argument is one member of a tool's input that counts, in all the ways
// that runtimes spell it. Spellings that stand side by side must agree.
type argument struct {
	names    []string
	kind     Kind
	each     []string // the members of each object in a list that hold the value
	required bool
	standIn  string // read where the argument is missing or empty
	base     bool   // only says where the patterns below start from
	below    bool   // a pattern for files below the tool's first argument, if that is no such pattern itself
}

// A tool is one row of the table: how to read the input of the tools of these
// names.
type tool struct {
	names []string
	args  []argument
	dir   []string // members that give the directory of the call
	widen []string // members that make the call more than it shows
	free  []string // members whose text may name anything, where no argument does
	some  bool     // a call with none of the arguments cannot be read
	shell string   // what runs its command lines, if that is not Config.Shell

	settled map[string]bool // spellings that checkNames need not look at
}

// builtin is the table of tools that agent runtimes ship, in the spellings of
// Claude Code, Codex, Gemini CLI and OpenCode.
func builtin() []tool {
	fileNames := []string{"path", "file_path", "filePath", "absolute_path", "absolutePath"}
	dirNames := []string{"path", "dir_path", "dirPath", "directory"}
	file := argument{names: fileNames, kind: Path, required: true}
	dir := argument{names: dirNames, kind: Path, standIn: "."}
	return []tool{
		{
			names: []string{"bash", "Bash", "shell", "shell_command", "exec_command", "run_shell_command"},
			args:  []argument{{names: []string{"command", "cmd"}, kind: Command, required: true}},
			dir:   []string{"workdir", "cwd", "directory", "dir_path", "dirPath", "working_directory", "workingDirectory", "chdir"},
			widen: []string{
				"args", "arguments", "env", "envs", "environment", "environment_variables", "shell", "executable", "stdin",
				"user", "sudo", "elevated",
				"dangerouslyDisableSandbox", "with_escalated_permissions", "sandbox_permissions", "additional_permissions",
			},
		},
		{
			names: []string{"powershell", "PowerShell", "pwsh", "cmd"},
			args:  []argument{{names: []string{"command", "cmd"}, kind: Command, required: true}},
			dir:   []string{"workdir", "cwd", "directory"},
			widen: []string{"args", "arguments", "env", "environment", "stdin"},
			shell: powershell,
		},
		{names: []string{"read", "Read", "read_file", "view", "view_image"}, args: []argument{file}},
		{
			names: []string{"read_many_files"},
			args: []argument{
				{names: []string{"paths"}, kind: Path, below: true},
				{names: []string{"include"}, kind: Path, below: true},
			},
			some: true,
		},
		{names: []string{"write", "Write", "write_file"}, args: []argument{file}},
		{names: []string{"edit", "Edit", "replace"}, args: []argument{file}},
		{
			names: []string{"NotebookEdit", "NotebookRead"},
			args:  []argument{{names: []string{"notebook_path"}, kind: Path, required: true}},
		},
		{
			names: []string{"multi_edit", "multiedit", "MultiEdit"},
			args: []argument{
				{names: fileNames, kind: Path},
				{names: []string{"edits"}, each: fileNames, kind: Path},
			},
			some: true,
		},
		{names: []string{"ls", "LS", "list", "list_directory"}, args: []argument{dir}},
		{
			names: []string{"grep", "Grep", "grep_search", "search_file_content"},
			args:  []argument{dir, {names: []string{"include", "include_pattern", "includePattern", "glob"}, kind: Path, below: true}},
		},
		{
			names: []string{"glob", "Glob"},
			args: []argument{
				{names: dirNames, kind: Path, base: true, standIn: "."},
				{names: []string{"pattern"}, kind: Path, below: true, required: true},
			},
		},
		{
			names: []string{"webfetch", "WebFetch"},
			args:  []argument{{names: []string{"url"}, kind: URL}, {names: []string{"urls"}, kind: URL}},
			free:  []string{"prompt"},
		},
		{
			// It fetches whatever its prompt speaks of.
			names: []string{"web_fetch"},
			args:  []argument{{names: []string{"url"}, kind: URL}, {names: []string{"urls"}, kind: URL}},
			widen: []string{"prompt"},
		},
		{
			names: []string{"apply_patch", "patch"},
			args:  []argument{{names: []string{"patch", "input", "patchText", "patch_text"}, kind: Patch, required: true}},
		},
	}
}

// wellKnown returns how an argument of an undeclared tool is read, by the last
// word of its name in any of the usual spellings: repo_path and repoPath are
// paths.
func wellKnown(name string) Kind {
	last := lastWord(name)
	if last == "line" {
		last = lastWord(strings.TrimRight(name[:len(name)-len(last)], "_-.$@")) + last
	}
	switch last {
	case "command", "commands", "cmd", "commandline", "cmdline":
		return Command
	case "path", "paths", "file", "files", "filepath", "filepaths", "filename", "filenames", "absolutepath", "notebookpath",
		"src", "dst", "dest", "source", "destination", "dir", "dirs", "directory", "directories", "dirpath", "folder", "folders",
		"cwd", "workdir":
		return Path
	case "url", "urls", "uri", "uris", "href":
		return URL
	case "patch", "patches", "patchtext", "diff", "diffs":
		return Patch
	}
	return Text
}

// lastWord returns the last word of a name in small letters: of words that are
// joined by signs, or of which each starts with a capital. A number behind it
// counts like arguments.
func lastWord(name string) string {
	name = strings.TrimRight(strings.TrimRight(name, "0123456789"), "_-.$@")
	name = name[strings.LastIndexAny(name, "_-.$@")+1:]
	start := 0
	for i := 1; i < len(name); i++ {
		if isCapital(name[i]) && !isCapital(name[i-1]) {
			start = i
		}
	}
	return strings.ToLower(name[start:])
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// argumentNames returns the usual spelling of each argument, for people.
func (t *tool) argumentNames() string {
	var names []string
	for _, a := range t.args {
		names = append(names, quote(a.names[0]))
	}
	return strings.Join(names, ", ")
}

// kinds returns the kinds of subject that the arguments of t have.
func (t *tool) kinds() []Kind {
	var ks []Kind
	for _, a := range t.args {
		k := a.kind
		if k == Patch {
			k = Path
		}
		ks = with(ks, k)
	}
	return ks
}

// strict reports whether every call of t that can be read has one of its
// arguments. Other calls are read as undeclared.
func (t *tool) strict() bool {
	return t.some || slices.ContainsFunc(t.args, func(a argument) bool { return a.required || a.standIn != "" })
}

// IsShell reports whether the table has a tool of that name, whose case does
// not count, that runs command lines.
func IsShell(name string) bool {
	return slices.ContainsFunc(builtin(), func(t tool) bool {
		return t.args[0].kind == Command && t.shell == "" &&
			slices.ContainsFunc(t.names, func(n string) bool { return strings.EqualFold(n, name) })
	})
}
