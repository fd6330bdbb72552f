package shell

import (
	"slices"
	"strings"
)

// tmux reads the commands of tmux, which a semicolon divides: as a word, or at
// the end of one.
func (w *walker) tmux(c *command) {
	for args := c.fields[1:]; ; {
		end := slices.IndexFunc(args, func(f word) bool {
			return f.static && strings.HasSuffix(f.value, ";") && !strings.HasSuffix(f.value, `\;`)
		})
		last := end < 0
		if last {
			end = len(args)
		}
		one := *c
		one.fields = append([]word{c.fields[0]}, args[:end]...)
		if !last {
			if s := strings.TrimSuffix(args[end].value, ";"); s != "" {
				one.fields = append(one.fields, known(s))
				one.fields[len(one.fields)-1].source = s
			}
		}
		if len(one.fields) < len(c.fields) {
			one.source = written(one.fields)
		}
		w.tmuxCommand(&one)
		if last || w.full {
			return
		}
		args = args[end+1:]
		w.size += len(c.fed) // each command of tmux tells it again
	}
}

// withSemicolons returns words of tmux with a semicolon for each that ends one
// behind a backslash.
func withSemicolons(fields []word) []word {
	out := slices.Clone(fields)
	for i, f := range out {
		if s, ok := strings.CutSuffix(f.value, `\;`); ok && f.static {
			out[i] = known(s + ";")
			out[i].source = f.source
		}
	}
	return out
}

// tmuxCommand reads one command of tmux. A rule that refuses hears of it by its
// whole name as well.
func (w *walker) tmuxCommand(c *command) {
	var before wrapper
	before.launcher("tmux")
	p := before.parse(c.fields)
	name, whole := "", *c
	if at := len(c.fields) - len(p.inner); len(p.inner) > 0 {
		if name = tmuxName(p.inner[0]); name != "" && name != p.inner[0].value {
			whole.fields = slices.Clone(c.fields)
			whole.fields[at] = known(name)
			c.script = whole.fields
		}
	}
	t, from := launched(&whole, "tmux")
	if from == nil {
		w.add(w.part(*c))
	} else if w.wrapped(c, "tmux", t, withSemicolons(from)); p.doubt {
		return // that has been said
	}
	if p.doubt || slices.ContainsFunc(c.fields, expandsShell) || len(p.inner) > 0 && !tmuxKnows(name, p.inner[1:]) {
		w.unknown(c.source, "a command of tmux that may run others")
	}
}

// expandsShell reports whether tmux may run something to make a text of a word.
func expandsShell(f word) bool {
	s, _ := f.text.Known()
	return strings.Contains(s, "#(")
}

// tmuxName returns the whole name of a command of tmux, which may be written by
// its alias or by so much of its name that no other starts with it.
func tmuxName(f word) string {
	if !f.static || f.value == "" {
		return ""
	}
	found := ""
	for entry := range strings.FieldsSeq(tmuxNames) {
		name, alias, _ := strings.Cut(entry, "=")
		switch {
		case f.value == name, f.value == alias:
			return name
		case !strings.HasPrefix(name, f.value):
		case found != "":
			found = "several"
		default:
			found = name
		}
	}
	if found == "several" {
		return ""
	}
	return found
}

// tmuxKnows reports whether no argument of a command of tmux is a command for
// tmux or, unless that is read, for a shell.
func tmuxKnows(name string, args []word) bool {
	if slices.ContainsFunc(args, word.unbound) {
		return false // one of them may be a semicolon
	}
	switch name {
	case "set-option", "set-window-option":
		options := strings.Fields(tmuxOptions)
		return slices.ContainsFunc(args, func(f word) bool { return slices.Contains(options, strings.Split(f.value, "[")[0]) }) &&
			!slices.ContainsFunc(args, func(f word) bool {
				return !f.static || strings.HasPrefix(f.value, "-") && strings.Contains(f.value, "F")
			})
	case "display-message", "rename-session", "rename-window":
		return !slices.ContainsFunc(args, func(f word) bool { return !f.static })
	case "detach-client":
		return !slices.ContainsFunc(args, func(f word) bool { return strings.HasPrefix(leading(f), "-") && strings.Contains(leading(f), "E") })
	case "choose-buffer", "choose-client", "choose-tree", "display-panes":
		return len(args) == 0
	}
	return new(wrapper).tmuxCommand("tmux "+name) || name != "" && !has(tmuxHolders, name)
}

// tmuxHolders are the commands of tmux that hold others, read them from
// elsewhere, say in which environment they run, or type what is not read here.
const tmuxHolders = "bind-key command-prompt confirm-before customize-mode display-menu if-shell paste-buffer set-environment set-hook source-file"

// tmuxOptions are the options of tmux that are known to hold no command.
const tmuxOptions = "aggressive-resize allow-rename automatic-rename base-index bell-action default-terminal destroy-unattached detach-on-destroy display-time escape-time " +
	"exit-empty extended-keys focus-events history-limit main-pane-height main-pane-width message-style mode-keys mode-style monitor-activity monitor-bell mouse pane-active-border-style " +
	"pane-base-index pane-border-style prefix remain-on-exit renumber-windows repeat-time set-clipboard set-titles status status-bg status-fg status-interval status-justify status-keys " +
	"status-left status-left-length status-position status-right status-right-length status-style synchronize-panes terminal-overrides visual-activity visual-bell " +
	"window-status-current-format window-status-current-style window-status-format window-status-style"

// tmuxNames are the commands of tmux, each with its alias.
const tmuxNames = "attach-session=attach bind-key=bind break-pane=breakp capture-pane=capturep choose-buffer choose-client choose-tree clear-history=clearhist " +
	"clear-prompt-history=clearphist clock-mode command-prompt confirm-before=confirm copy-mode customize-mode delete-buffer=deleteb detach-client=detach " +
	"display-menu=menu display-message=display display-panes=displayp display-popup=popup find-window=findw has-session=has if-shell=if join-pane=joinp " +
	"kill-pane=killp kill-server kill-session kill-window=killw last-pane=lastp last-window=last link-window=linkw list-buffers=lsb list-clients=lsc " +
	"list-commands=lscm list-keys=lsk list-panes=lsp list-sessions=ls list-windows=lsw load-buffer=loadb lock-client=lockc lock-server=lock lock-session=locks " +
	"move-pane=movep move-window=movew new-session=new new-window=neww next-layout=nextl next-window=next paste-buffer=pasteb pipe-pane=pipep " +
	"previous-layout=prevl previous-window=prev refresh-client=refresh rename-session=rename rename-window=renamew resize-pane=resizep resize-window=resizew " +
	"respawn-pane=respawnp respawn-window=respawnw rotate-window=rotatew run-shell=run save-buffer=saveb select-layout=selectl select-pane=selectp " +
	"select-window=selectw send-keys=send send-prefix server-access set-buffer=setb set-environment=setenv set-hook set-option=set set-window-option=setw " +
	"show-buffer=showb show-environment=showenv show-hooks show-messages=showmsgs show-options=show show-prompt-history=showphist show-window-options=showw " +
	"source-file=source split-window=splitw start-server=start suspend-client=suspendc swap-pane=swapp swap-window=swapw switch-client=switchc " +
	"unbind-key=unbind unlink-window=unlinkw wait-for=wait"

// tmuxCommand is the table of the commands of tmux that run those of a shell. The
// keys of send-keys may be written in hexadecimals, or be a command of the copy
// mode: with these options it is not known.
func (t *wrapper) tmuxCommand(words string) bool {
	switch words {
	case "tmux new-session", "tmux new":
		*t = wrapper{values: "ceFfnstxy", flags: "AdDEPX", sets: "e", single: true, full: true}
	case "tmux new-window", "tmux neww":
		*t = wrapper{values: "ceFnt", flags: "abdkPS", sets: "e", single: true, full: true}
	case "tmux split-window", "tmux splitw":
		*t = wrapper{values: "ceFlpt", flags: "bdfhIPvZ", sets: "e", single: true, full: true}
	case "tmux respawn-pane", "tmux respawnp", "tmux respawn-window", "tmux respawnw":
		*t = wrapper{values: "cet", flags: "k", sets: "e", single: true, full: true}
	case "tmux run-shell", "tmux run":
		*t = wrapper{values: "cdt", flags: "bE", code: true, full: true}
	case "tmux display-popup", "tmux popup":
		*t = wrapper{values: "bcdehsStTwxy", flags: "BCEN", sets: "e", single: true, full: true}
	case "tmux pipe-pane", "tmux pipep":
		*t = wrapper{values: "t", flags: "IOo", single: true, full: true}
	case "tmux send-keys", "tmux send":
		*t = wrapper{values: "cNt", flags: "FKlMR", typed: true, runner: true} // perhaps for another program than a shell
	default:
		return false
	}
	return true
}
