package shell

// A wrapper is a program that runs the command in its arguments. An option
// that is not in its row makes the command unknown.
type wrapper struct {
	values   string // short options that take a value
	flags    string // short options that take none
	long     string // long options that take a value
	switches string // long options that take none
	joined   string // long options that take a value only behind =
	heavy    string // options of a transparent wrapper that need a rule, short and long
	operands int    // before the command
	full     bool   // the wrapper itself needs a rule
	code     bool   // what follows is joined and read by a shell
	single   bool   // one word alone is a text for a shell, several are the command
	each     bool   // every operand is a text for a shell
	appends  bool   // words that nobody knows follow the command
	numeric  bool   // -10 is an option
	assigns  bool   // NAME=value may stand before the command
	text     string // an option whose value is a text for a shell
	behind   string // words of which one stands before the command; other options do not matter
	program  string // the command is the arguments of this program
	starts   bool   // without a command it starts a shell, which may read one
	runner   bool   // it runs the tools of a project, see walker.heard
	unsure   bool   // an option before the row's own command is not known
	label    byte   // what divides the name of a tool from its version or environment
}

// allOperands is for a wrapper whose operands are none of the command's words.
const allOperands = maxLine

// wrapperNamed returns the row of a wrapper.
func wrapperNamed(name string) (wrapper, bool) {
	for _, table := range []func(string) (wrapper, bool){transparent, changing, watching, session, tool, rarer} {
		if t, ok := table(name); ok {
			return t, true
		}
	}
	return wrapper{}, false
}

// transparent is the table of wrappers that change nothing about what the
// command does, and so need no rule of their own.
func transparent(name string) (wrapper, bool) {
	switch name {
	case "timeout":
		return wrapper{values: "ks", flags: "vfp", long: "kill-after signal", switches: "foreground preserve-status verbose", operands: 1}, true
	case "nice":
		return wrapper{values: "n", long: "adjustment", numeric: true}, true
	case "nohup", "builtin", "noglob", "nocorrect":
		return wrapper{}, true
	case "time":
		return wrapper{values: "fo", flags: "apvq", long: "format output", switches: "append portability verbose quiet", heavy: "o output"}, true
	case "stdbuf":
		return wrapper{values: "ioe", long: "input output error"}, true
	case "ionice":
		return wrapper{values: "cn", flags: "t", long: "class classdata", switches: "ignore"}, true
	case "chrt":
		return wrapper{values: "TPD", flags: "abfior", switches: "batch fifo idle other rr", operands: 1}, true
	case "taskset":
		return wrapper{flags: "ac", switches: "all-tasks cpu-list", operands: 1}, true
	case "setsid":
		return wrapper{flags: "cfw", switches: "ctty fork wait"}, true
	case "setarch":
		return wrapper{flags: "R3BFILSTXZv", operands: 1}, true
	case "caffeinate":
		return wrapper{values: "tw", flags: "dimsu"}, true
	case "unbuffer", "command":
		return wrapper{flags: "p"}, true
	case "exec":
		return wrapper{values: "a", flags: "cl"}, true
	case "env":
		return wrapper{values: "uC", flags: "i0v", long: "unset chdir", switches: "ignore-environment null debug", heavy: "C chdir", assigns: true}, true
	}
	return wrapper{}, false
}

// changing is the table of wrappers that change with which rights, where, or
// on what the command runs.
func changing(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{values: "ugChpTDRrtUa", flags: "AbEHikKlnPSsvVB", long: "user group close-from host prompt chdir chroot role type other-user command-timeout",
			switches: "askpass background preserve-env set-home login non-interactive preserve-groups stdin shell bell", full: true, assigns: true}, true
	case "doas":
		return wrapper{values: "uCa", flags: "nsL", full: true}, true
	case "pkexec":
		return wrapper{long: "user", switches: "disable-internal-agent keep-cwd", full: true}, true
	case "su":
		return wrapper{values: "csgGwT", flags: "-lmpPf", long: "command shell group supp-group session-command whitelist-environment", switches: "login preserve-environment pty fast", full: true, text: "c command session-command", operands: allOperands, starts: true}, true
	case "runuser":
		return wrapper{values: "csgGwu", flags: "-lmpPf", long: "command shell group supp-group session-command user whitelist-environment", switches: "login preserve-environment pty fast", full: true, text: "c command session-command", starts: true}, true
	case "chroot":
		return wrapper{long: "userspec groups", switches: "skip-chdir", operands: 1, full: true, starts: true}, true
	case "unshare":
		return wrapper{values: "SGRw", flags: "muinpUCTrcf", long: "root wd setuid setgid map-user map-group propagation setgroups", switches: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user mount-proc kill-child keep-caps", full: true, starts: true}, true
	case "nsenter":
		return wrapper{values: "tSGW", flags: "muinpUCTarwFZe", long: "target setuid setgid wdns", switches: "all mount uts ipc net pid user cgroup time root wd no-fork preserve-credentials env follow-context", full: true, starts: true}, true
	case "systemd-run":
		return wrapper{values: "pEutHM", flags: "dGPqrSt", long: "unit property setenv uid gid nice working-directory slice description host machine service-type on-active on-calendar", switches: "user system scope wait pty pipe quiet collect same-dir no-block no-ask-password remain-after-exit shell send-sighup", full: true}, true
	case "strace", "ltrace":
		return wrapper{values: "abeEoOpPsSuUXIln", flags: "cCdDfFhiknqrtTvVwxyYzZL", long: "output trace attach user env", switches: "follow-forks seccomp-bpf summary-only summary decode-fds", full: true}, true
	case "xargs":
		return wrapper{values: "aEILdnPsSJR", flags: "0oprtx", long: "arg-file delimiter max-args max-procs max-chars process-slot-var", joined: "max-lines replace eof", switches: "null no-run-if-empty interactive verbose exit open-tty", full: true, appends: true}, true
	case "parallel":
		return wrapper{values: "jaSnNLIdPC", flags: "0kqtuvmXr", long: "jobs arg-file sshlogin max-args colsep delay joblog results timeout retries halt tmpdir", switches: "keep-order dry-run verbose bar progress eta line-buffer null will-cite no-notice tag group ungroup", full: true, appends: true, code: true}, true
	case "watch":
		return wrapper{values: "nqs", flags: "bcdegprtwx", long: "interval equexit shotsdir", switches: "beep color differences errexit chgexit precise no-title no-wrap exec", full: true, code: true}, true
	case "flock":
		return wrapper{values: "wEc", flags: "enosuxFv", long: "timeout wait conflict-exit-code command", switches: "exclusive shared unlock nonblock nb close no-fork verbose", full: true, operands: 1, text: "c command"}, true
	case "script":
		return wrapper{values: "cEIOTBmo", flags: "aefqt", long: "command echo log-in log-out log-io log-timing output-limit logging-format", switches: "append return flush force quiet", full: true, text: "c command", operands: allOperands}, true
	case "busybox", "toybox":
		return wrapper{full: true}, true
	case "ssh":
		return wrapper{values: "BbcDEeFIiJLlmOoPpQRSWw", flags: "46AaCfGgKkMNnqsTtVvXxYy", operands: 1, full: true, code: true, starts: true}, true
	case "firejail", "bwrap", "fakeroot", "proxychains", "proxychains4", "xvfb-run", "faketime", "cpulimit":
		return wrapper{full: true, operands: map[string]int{"faketime": 1}[name], switches: "quiet", flags: "aq"}, true
	}
	return wrapper{}, false
}

// rarer is a list of further wrappers. Their options are not known, so with one
// of them the command is unknown too.
func rarer(name string) (wrapper, bool) {
	switch name {
	case "setpriv", "prlimit", "run0", "tini", "dumb-init", "choom", "numactl", "cgexec", "proot", "eatmydata", "torsocks", "torify",
		"rlwrap", "chronic", "valgrind", "catchsegv", "linux64", "linux32", "i386", "x86_64", "uname26",
		"systemd-inhibit", "aa-exec", "dbus-launch", "ssh-agent", "sandbox-exec",
		"xcrun", "arch", "chpst", "softlimit", "start-stop-daemon", "fakechroot":
		return wrapper{full: true}, true
	case "gosu", "su-exec", "runcon", "envdir", "setlock", "setuidgid", "envuidgid":
		return wrapper{full: true, operands: 1}, true
	}
	return wrapper{}, false
}
