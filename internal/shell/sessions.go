package shell

// session is the table of wrappers that run a command in a terminal, a debugger
// or a group of its own, and of others that change what is around it.
func (t *wrapper) session(name string) bool {
	switch name {
	case "sg":
		*t = wrapper{values: "c", flags: "-", text: "c", operands: 1, single: true, full: true, starts: true}
	case "newgrp":
		*t = wrapper{flags: "-", operands: allOperands, full: true, starts: true}
	case "at", "batch": // they have a shell run what they read
		*t = wrapper{values: "fqtV", flags: "bcdlmMrv", operands: allOperands, full: true, starts: true}
	case "screen": // what follows may be the name of a session as well
		*t = wrapper{values: "cehpsStT", flags: "46aAdDfilLmnOqQrRUvxX", runner: true}
	case "sshpass":
		*t = wrapper{values: "dfpP", flags: "ehvV", full: true}
	case "gdb":
		*t = wrapper{behind: "--args -args", text: "ex eval-command iex init-eval-command", debugger: true, full: true}
	case "lldb":
		*t = wrapper{behind: "--", text: "o O one-line one-line-before-file", debugger: true, full: true}
	case "valgrind":
		*t = wrapper{glued: true, full: true}
	case "coresched":
		*t = wrapper{behind: "--", full: true}
	case "distrobox-enter":
		*t = distrobox()
	case "flatpak-spawn":
		*t = wrapper{flags: "v", long: "directory env forward-fd", switches: "clear-env host latest-version no-network sandbox verbose watch-bus", full: true}
	case "wsl", "wsl.exe":
		*t = wrapper{values: "dstu", flags: "elqv", long: "cd distribution distribution-id set-default shell-type terminate unregister user",
			switches: "all exec help list online quiet running shutdown status system update verbose version", code: true, exact: true, full: true, starts: true}
	case "capsh":
		*t = wrapper{behind: "--", program: "bash", full: true, starts: true}
	case "xterm", "uxterm", "rxvt", "urxvt", "konsole", "alacritty", "x-terminal-emulator":
		*t = wrapper{behind: "-e", single: true, full: true}
	case "gnome-terminal":
		*t = wrapper{behind: "-- -x", full: true}
	case "dbus-run-session":
		*t = wrapper{long: "config-file dbus-daemon", full: true}
	case "uclampset":
		*t = wrapper{values: "mMp", flags: "aRsv", switches: "all-tasks reset-on-fork system verbose", full: true}
	case "logsave":
		*t = wrapper{flags: "asv", operands: 1, full: true}
	case "split":
		*t = wrapper{values: "abClnt", flags: "deuxz", long: "additional-suffix bytes filter line-bytes lines number separator suffix-length", joined: "hex-suffixes numeric-suffixes",
			switches: "elide-empty-files unbuffered verbose", numeric: true, text: "filter", operands: allOperands, full: true}
	default:
		return false
	}
	return true
}

// watching is the table of wrappers that run commands again and again, or side
// by side.
func (t *wrapper) watching(name string) bool {
	switch name {
	case "hyperfine":
		*t = wrapper{values: "cCDmMnprsSuw", flags: "EiN", long: "cleanup command-name conclude export-asciidoc export-csv export-json export-markdown export-orgmode input max-runs min-benchmarking-time min-runs output parameter-step-size prepare reference reference-name runs setup shell sort style time-unit warmup",
			joined: "ignore-failure", switches: "no-shell show-elapsed show-output", text: "c C p s cleanup conclude prepare reference setup", each: true, full: true}
	case "concurrently":
		*t = wrapper{values: "clmnpst", flags: "gikPr", long: "default-input-target hide kill-signal kill-timeout max-processes name-separator names prefix prefix-colors prefix-length restart-after restart-tries success teardown timestamp-format",
			switches: "group handle-input kill-others kill-others-on-fail no-color pad-prefix passthrough-arguments raw timings", text: "teardown", each: true, full: true}
	case "entr":
		*t = wrapper{values: "s", flags: "acdnprxz", text: "s", full: true}
	case "watchexec":
		*t = wrapper{values: "dEeFfijosWw", flags: "cnNpqrv", long: "debounce delay-run emit-events-to env exts filter filter-file filter-prog fs-events ignore ignore-file map-signal on-busy-update project-origin shell signal socket stop-signal stop-timeout watch watch-file watch-non-recursive workdir wrap-process",
			switches: "bell ignore-nothing no-default-ignore no-discover-ignore no-global-ignore no-meta no-process-group no-project-ignore no-vcs-ignore notify postpone print-events quiet restart stdin-quit timings verbose", code: true, exact: true, full: true}
	case "nodemon":
		*t = wrapper{values: "deiPswx", flags: "CILqV", long: "config cwd delay exec ext ignore polling-interval signal watch",
			switches: "dump exitcrash inspect inspect-brk js legacy-watch no-colors no-colours no-stdin no-update-notifier on-change-only quiet spawn verbose", text: "exec x", operands: allOperands, full: true}
	default:
		return false
	}
	return true
}

// elsewhere is the table of programs some of whose commands run others outside
// of this shell.
func (t *wrapper) elsewhere(words string) bool {
	switch words {
	case "tmux":
		*t = wrapper{values: "LST", flags: "2CDlNuvV"} // the file of -f holds commands
	case "perf", "rr":
		*t = wrapper{}
	case "perf record", "perf mem record", "perf sched record", "perf lock record":
		*t = wrapper{values: "cCDeFGjkmoprtu", flags: "abBdgiNnPqRsSTvW", long: "branch-filter call-graph cgroup clockid count cpu delay event freq mmap-pages output pid tid uid", joined: "intr-regs user-regs",
			switches: "all-cpus all-kernel all-user branch-any data no-buildid no-buildid-cache no-inherit no-samples quiet raw-samples stat timestamp verbose", full: true}
	case "perf stat":
		*t = wrapper{values: "CDeGIMoprtx", flags: "AaBcdgijnSTv", long: "cgroup cpu delay event field-separator interval-count interval-print log-fd metrics output pid post pre repeat tid timeout",
			switches: "all-cpus append big-num detailed json metric-only no-aggr no-inherit no-merge null per-core per-die per-node per-socket per-thread scale summary sync topdown transaction verbose", text: "post pre", full: true}
	case "perf trace":
		*t = wrapper{values: "CDeFmoptu", flags: "aSsTvf", long: "call-graph cgroup cpu delay event expr filter-pids max-events mmap-pages output pid tid uid", switches: "all-cpus failure summary verbose with-summary", full: true}
	case "rr record":
		*t = wrapper{values: "ov", flags: "hnw", joined: "env num-cpu-ticks output-trace-dir", switches: "chaos no-syscall-buffer wait", full: true}
	case "cargo":
		*t = wrapper{values: "CZ", flags: "qv", long: "color config", switches: "frozen locked offline quiet verbose", leads: "+"}
	case "cargo watch":
		*t = wrapper{values: "BCdEFiswx", flags: "cNq", long: "delay env exec features ignore shell use-shell watch workdir",
			switches: "clear ignore-nothing no-gitignore no-ignore no-restart notify poll postpone quiet skip-local-deps why", text: "s shell", own: "x exec", single: true, full: true}
	default:
		return t.tmuxCommand(words)
	}
	return true
}
