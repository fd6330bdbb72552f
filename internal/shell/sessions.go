package shell

// session is the table of wrappers that run a command in a terminal, a debugger
// or a group of its own, and of others that change what is around it.
func session(name string) (wrapper, bool) {
	switch name {
	case "sg":
		return wrapper{values: "c", flags: "-", text: "c", operands: 1, single: true, full: true, starts: true}, true
	case "newgrp":
		return wrapper{flags: "-", operands: allOperands, full: true, starts: true}, true
	case "screen": // what follows may be the name of a session as well
		return wrapper{values: "cehpsStT", flags: "46aAdDfilLmnOqQrRUvxX", runner: true}, true
	case "sshpass":
		return wrapper{values: "dfpP", flags: "ehvV", full: true}, true
	case "gdb":
		return wrapper{behind: "--args -args", full: true}, true
	case "lldb", "coresched":
		return wrapper{behind: "--", full: true}, true
	case "capsh":
		return wrapper{behind: "--", program: "bash", full: true}, true
	case "xterm", "uxterm", "rxvt", "urxvt", "konsole", "alacritty", "x-terminal-emulator":
		return wrapper{behind: "-e", single: true, full: true}, true
	case "gnome-terminal":
		return wrapper{behind: "-- -x", full: true}, true
	case "dbus-run-session":
		return wrapper{long: "config-file dbus-daemon", full: true}, true
	case "uclampset":
		return wrapper{values: "mMp", flags: "aRsv", switches: "all-tasks reset-on-fork system verbose", full: true}, true
	case "logsave":
		return wrapper{flags: "asv", operands: 1, full: true}, true
	case "split":
		return wrapper{values: "abClnt", flags: "deuxz", long: "additional-suffix bytes filter line-bytes lines number separator suffix-length", joined: "hex-suffixes numeric-suffixes",
			switches: "elide-empty-files unbuffered verbose", numeric: true, text: "filter", operands: allOperands, full: true}, true
	}
	return wrapper{}, false
}

// watching is the table of wrappers that run commands again and again, or side
// by side.
func watching(name string) (wrapper, bool) {
	switch name {
	case "hyperfine":
		return wrapper{values: "cCDmMnprsSuw", flags: "EiN", long: "cleanup command-name conclude export-asciidoc export-csv export-json export-markdown export-orgmode input max-runs min-benchmarking-time min-runs output parameter-step-size prepare reference reference-name runs setup shell sort style time-unit warmup",
			joined: "ignore-failure", switches: "no-shell show-elapsed show-output", text: "c C p s cleanup conclude prepare reference setup", each: true, full: true}, true
	case "concurrently":
		return wrapper{values: "clmnpst", flags: "gikPr", long: "default-input-target hide kill-signal kill-timeout max-processes name-separator names prefix prefix-colors prefix-length restart-after restart-tries success teardown timestamp-format",
			switches: "group handle-input kill-others kill-others-on-fail no-color pad-prefix passthrough-arguments raw timings", text: "teardown", each: true, full: true}, true
	case "entr":
		return wrapper{values: "s", flags: "acdnprxz", text: "s", full: true}, true
	case "watchexec":
		return wrapper{values: "dEeFfijosWw", flags: "cnNpqrv", long: "debounce delay-run emit-events-to env exts filter filter-file filter-prog fs-events ignore ignore-file map-signal on-busy-update project-origin shell signal socket stop-signal stop-timeout watch watch-file watch-non-recursive workdir wrap-process",
			switches: "bell ignore-nothing no-default-ignore no-discover-ignore no-global-ignore no-meta no-process-group no-project-ignore no-vcs-ignore notify postpone print-events quiet restart stdin-quit timings verbose", code: true, full: true}, true
	case "nodemon":
		return wrapper{values: "deiPswx", flags: "CILqV", long: "config cwd delay exec ext ignore polling-interval signal watch",
			switches: "dump exitcrash inspect inspect-brk js legacy-watch no-colors no-colours no-stdin no-update-notifier on-change-only quiet spawn verbose", text: "exec x", operands: allOperands, full: true}, true
	}
	return wrapper{}, false
}

// elsewhere is the table of programs some of whose commands run others outside
// of this shell.
func elsewhere(name string) (before wrapper, commands map[string]wrapper) {
	switch name {
	case "tmux":
		return wrapper{values: "LST", flags: "2CDlNuvV"}, tmuxCommands() // the file of -f holds commands
	case "perf":
		return wrapper{}, perfCommands()
	case "vagrant":
		return wrapper{}, map[string]wrapper{"ssh": {values: "c", flags: "pt", long: "command", switches: "no-tty plain tty", text: "c command", operands: allOperands, full: true}}
	}
	return wrapper{}, nil
}

func perfCommands() map[string]wrapper {
	record := wrapper{values: "cCDeFGjkmoprtu", flags: "abBdgiNnPqRsSTvW", long: "branch-filter call-graph cgroup clockid count cpu delay event freq mmap-pages output pid tid uid", joined: "intr-regs user-regs",
		switches: "all-cpus all-kernel all-user branch-any data no-buildid no-buildid-cache no-inherit no-samples quiet raw-samples stat timestamp verbose", full: true}
	return map[string]wrapper{
		"record": record, "mem record": record, "sched record": record, "lock record": record,
		"stat": {values: "CDeGIMoprtx", flags: "AaBcdgijnSTv", long: "cgroup cpu delay event field-separator interval-count interval-print log-fd metrics output pid post pre repeat tid timeout",
			switches: "all-cpus append big-num detailed json metric-only no-aggr no-inherit no-merge null per-core per-die per-node per-socket per-thread scale summary sync topdown transaction verbose", text: "post pre", full: true},
		"trace": {values: "CDeFmoptu", flags: "aSsTvf", long: "call-graph cgroup cpu delay event expr filter-pids max-events mmap-pages output pid tid uid", switches: "all-cpus failure summary verbose with-summary", full: true},
	}
}
