package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// zshCommand looks at a command that is another one in zsh, or has other
// options there.
func (w *walker) zshCommand(c *command, name string) {
	args := c.fields[1:]
	why := ""
	switch {
	case name == "print":
		if printsOnly(args) {
			return
		}
		why = "an option of print that is not known: write printf"
	case name == "chdir":
		why = "chdir, which is cd in zsh: write cd"
	case zshOwn(name):
		why = name + ", which is a word or a command of zsh's own: write it as other shells do"
	default:
		why = zshOtherwise(name, args)
	}
	if why != "" {
		w.unknown(c.source, why)
	}
}

// printsOnly reports whether print prints its words and does no more.
func printsOnly(args []word) bool {
	for _, f := range args {
		switch {
		case !mayBeOption(f) || f.value == "-" || f.value == "--":
			return true
		case !f.static || strings.Trim(f.value, "-lnrNaoOi") != "":
			return false
		}
	}
	return true
}

// zshOwn reports whether a name is none that other shells know, and in zsh that
// of a word of its grammar, or of a built-in that runs its arguments, or sets or
// changes how later words are read.
func zshOwn(name string) bool {
	switch name {
	case "-", "nocorrect", "repeat", "foreach", "end", "always", "print", "chdir", "autoload", "bindkey", "bye", "comparguments", "compcall", "compctl",
		"compdescribe", "compfiles", "compgroups", "compquote", "compset", "comptags", "comptry", "compvalues", "disable", "emulate", "float",
		"functions", "getln", "integer", "nameref", "private", "pushln", "r", "run-help", "sched", "setopt", "sysopen", "sysread", "syswrite", "ttyctl",
		"unhash", "unsetopt", "vared", "which-command", "zargs", "zcompile", "zed", "zf_chgrp", "zf_chmod", "zf_chown", "zf_ln", "zf_mkdir", "zf_mv", "zf_rm",
		"zf_rmdir", "zformat", "zftp", "zle", "zmodload", "zmv", "zparseopts", "zprof", "zpty", "zregexparse", "zselect", "zsocket", "zstat", "zstyle",
		"zsystem", "ztcp":
		return true
	}
	return false
}

// zshOtherwise says what is read otherwise in the arguments of a built-in that
// bash has, too.
func zshOtherwise(name string, args []word) string {
	options := func(letters string) bool {
		return slices.ContainsFunc(args, func(f word) bool {
			return mayBeOption(f) && (!f.static || len(f.value) > 1 && strings.Trim(f.value[1:], letters) != "")
		})
	}
	switch name {
	case "declare", "typeset", "local", "export", "readonly":
		if slices.ContainsFunc(args, func(f word) bool {
			return mayBeOption(f) && !declaresAlike(f.value) || strings.HasPrefix(leading(f), "+")
		}) {
			return "an option of " + name + " that zsh reads otherwise: leave it out"
		}
	case "read":
		if !zshRead(args) {
			return "read with more than -r and names, which zsh reads otherwise: give it an input by redirection"
		}
	case "unset":
		if options("fv") {
			return "an option of unset that is not known: leave it out"
		}
	case "set":
		if !zshSet(args) {
			return "an option of set that is another one in zsh: write its name behind -o"
		}
	case "hash":
		if len(args) > 1 || len(args) == 1 && args[0].value != "-r" {
			return "hash with a name, which changes what later words mean"
		}
	case "cd", "pushd":
		return zshPlace(args)
	case "shift":
		if slices.ContainsFunc(args, func(f word) bool { return f.static && strings.Trim(f.value, "0123456789") != "" }) {
			return "shift of an array: write a number"
		}
	}
	return ""
}

// zshRead reports whether read does in zsh what it does in bash.
func zshRead(args []word) bool {
	for i := 0; i < len(args); i++ {
		f := args[i]
		switch {
		case !f.static:
			return false
		case !strings.HasPrefix(f.value, "-"):
			if !isName(f.value) {
				return false
			}
		case len(f.value) < 2 || strings.Trim(f.value[1:len(f.value)-1], "rs") != "" || strings.IndexByte("rsd", f.value[len(f.value)-1]) < 0:
			return false
		case strings.HasSuffix(f.value, "d"):
			i++ // the delimiter
		}
	}
	return true
}

// declaresAlike reports whether an option of declare is the same to zsh.
func declaresAlike(option string) bool {
	return len(option) > 1 && option[0] == '-' && strings.Trim(option[1:], "xrgaAi") == "" || option == "--"
}

// zshSet reports whether set does to zsh what it does to bash.
func zshSet(args []word) bool {
	for i, f := range args {
		switch {
		case f.static && f.value == "--", !f.static && !mayBeOption(f), f.static && (f.value == "" || f.value[0] != '-' && f.value[0] != '+'):
			if i > 0 && strings.HasSuffix(args[i-1].value, "o") {
				continue // the name of an option
			}
			return true
		case !f.static || len(f.value) < 2 || strings.Trim(f.value[1:], "euxo") != "":
			return false
		}
	}
	return true
}

// zshPlace says what zsh changes to otherwise: a place on the stack of
// directories, or this one with a text of its name replaced by another.
func zshPlace(args []word) string {
	places := 0
	for _, f := range args {
		switch s := leading(f); {
		case strings.HasPrefix(s, "+"), len(s) > 1 && s[0] == '-' && strings.Trim(s[1:2], "0123456789") == "":
			return "a place on the stack of directories: write its name"
		case !strings.HasPrefix(s, "-") || s == "-":
			places++
		}
	}
	if places > 1 {
		return "cd with two words, of which zsh replaces one by the other: write the directory"
	}
	return ""
}

// zshEvaluates looks at the words of a built-in that zsh reads as arithmetic, and
// bash does not: exit 'a[$(rm x)]' runs rm there.
func (d *doubter) zshEvaluates(name string, words []*syntax.Word) {
	switch name {
	case "exit", "return", "shift", "break", "continue", "logout":
		for _, w := range words {
			d.reads(w)
		}
	case "test", "[":
		for i, w := range words {
			if o := operandOf(w, gap); i > 0 && o.text == "-t" || i > 1 && (comparesNumbers(o.text) || mayCompare(o, words, i)) {
				for _, at := range []int{i - 1, i + 1} {
					if at < len(words) && !(o.text == "-t" && at < i) {
						d.reads(words[at])
					}
				}
			}
		}
	case "printf":
		d.formats(words)
	}
}

// zshProgram returns the program of a command behind the words that stand before
// one in zsh.
func zshProgram(args []word) string {
	for _, f := range args {
		if f.value != "noglob" && f.value != "exec" {
			return f.value
		}
	}
	return ""
}

func comparesNumbers(s string) bool {
	switch s {
	case "-eq", "-ne", "-lt", "-le", "-gt", "-ge":
		return true
	}
	return false
}

// mayCompare reports whether a word of test that is an expansion may be an
// operator between the ones around it, none of which is one itself.
func mayCompare(o operand, words []*syntax.Word, i int) bool {
	if !strings.Contains(o.text, gap) && !o.unknown || i+1 >= len(words) {
		return false
	}
	for _, other := range []*syntax.Word{words[i-1], words[i+1]} {
		if s := other.Lit(); s != "" && strings.IndexByte("-=!<>()]", s[0]) >= 0 {
			return false
		}
	}
	return true
}

// formats looks at the words that a format of printf makes numbers of.
func (d *doubter) formats(words []*syntax.Word) {
	at := slices.IndexFunc(words, func(w *syntax.Word) bool { return textOf(w) == "printf" }) + 1
	if at < len(words) && words[at].Lit() == "--" {
		at++
	}
	if at >= len(words) {
		return
	}
	format := operandOf(words[at], gap)
	kinds, fits := conversions(format.text)
	for i, w := range words[at+1:] {
		if !fits || format.unknown || len(format.takes) > 0 || len(kinds) > 0 && kinds[i%len(kinds)] {
			d.reads(w)
		}
	}
}

// conversions tells for each word that a format takes whether it is a number. It
// fits unless the format says itself which word goes where.
func conversions(format string) (numbers []bool, fits bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		start := i + 1
		for i = start; i < len(format) && strings.IndexByte("#0- +'.123456789lhqjzt", format[i]) >= 0; i++ {
			if format[i] == 'q' {
				break
			}
		}
		switch {
		case i >= len(format):
			return numbers, true
		case format[i] == '%' && i == start:
		case strings.IndexByte("sbqcn", format[i]) >= 0:
			numbers = append(numbers, false)
		case strings.IndexByte("diouxXeEfFgGaA", format[i]) >= 0:
			numbers = append(numbers, true)
		default:
			return nil, false
		}
	}
	return numbers, true
}

// zshReads reports whether zsh reads a variable that is like any other to bash.
func zshReads(name string) bool {
	switch name {
	case "ARGV0", "DIRSTACKSIZE", "EGID", "ERRNO", "EUID", "FUNCNEST", "GID", "KEYTIMEOUT", "LOGCHECK", "MAILPATH", "PROMPT", "PROMPT2", "PROMPT3", "PROMPT4",
		"PROMPT_EOL_MARK", "PS4", "RPROMPT", "RPROMPT2", "RPS1", "RPS2", "REPORTTIME", "SAVEHIST", "SPROMPT", "STTY", "TIMEFMT", "TMPPREFIX", "TMPSUFFIX",
		"TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT", "UID", "USERNAME", "WATCH", "WATCHFMT", "WORDCHARS", "ZBEEP", "ZDOTDIR",
		"mailpath", "manpath", "pipestatus", "prompt", "psvar", "signals", "status", "watch":
		return true
	}
	return zshFinds(name) || strings.HasPrefix(name, "ZLE_") || strings.HasPrefix(name, "ZSH_")
}

// zshFinds reports whether zsh looks up in a variable what later words mean, and
// so what it runs.
func zshFinds(name string) bool {
	switch name {
	case "aliases", "argv", "builtins", "cdpath", "commands", "dirstack", "dis_aliases", "dis_builtins", "dis_functions", "dis_functions_source",
		"dis_galiases", "dis_reswords", "dis_saliases", "fignore", "FIGNORE", "fpath", "FPATH", "functions", "functions_source", "galiases", "HISTCHARS", "histchars", "history",
		"KEYBOARD_HACK", "mapfile", "modules", "MODULE_PATH", "module_path", "nameddirs", "NULLCMD", "options", "parameters", "path", "READNULLCMD",
		"reswords", "saliases", "userdirs", "usergroups", "widgets", "keymaps", "zsh_eval_context":
		return true
	}
	return false
}

// zshInteger reports whether zsh reads as arithmetic whatever a variable is set
// to.
func zshInteger(name string) bool {
	switch name {
	case "COLUMNS", "LINES", "SHLVL", "UID", "EUID", "GID", "EGID", "ERRNO", "SAVEHIST", "TRY_BLOCK_ERROR", "TRY_BLOCK_INTERRUPT", "FUNCNEST", "TTYIDLE", "ZSH_SUBSHELL":
		return true
	}
	return false
}

// startsWithEquals reports whether a word of a plain line is one that zsh
// replaces.
func startsWithEquals(f word) bool { return strings.HasPrefix(f.value, "=") }
