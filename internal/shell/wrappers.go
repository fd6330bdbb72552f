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
	exact    bool   // or a program that is handed them as they stand
	each     bool   // every operand is a text for a shell
	appends  bool   // words that nobody knows follow the command
	numeric  bool   // -10 is an option
	assigns  bool   // NAME=value may stand before the command
	text     string // an option whose value is a text for a shell
	forSSH   string // options whose value is a setting of ssh
	programs string // options whose value is a program
	pipes    string // options whose value is a file, or a command behind a sign
	sets     string // options whose value is NAME=value
	behind   string // words of which one stands before the command; other options do not matter
	program  string // the command is the arguments of this program
	only     bool   // of its options only those in text matter, and nothing else does
	ends     bool   // behind its operands no option is its own
	starter  string // an option whose value is the program, of which the command is the arguments
	typed    bool   // its words are typed
	whole    bool   // all that follows is the command
	glued    bool   // no option takes a further word
	own      string // options whose values are commands of the program itself
	ssh      bool   // what follows are arguments of ssh behind a host
	debugger bool   // its texts are for a debugger, which has words for a shell
	group    bool   // its own command follows its options, as with a program
	leads    string // words that start so may stand before the command of a program
	settings bool   // its arguments may be settings that run something
	starts   bool   // without a command it starts a shell, which may read one
	runner   bool   // it runs the tools of a project, see walker.heard
	unsure   bool   // an option before the row's own command is not known
	label    byte   // what divides the name of a tool from its version or environment
}

// allOperands is for a wrapper whose operands are none of the command's words.
const allOperands = maxLine

// named makes t the row of the wrapper of that name, if there is one. It looks
// in several tables, each of which does so.
func (t *wrapper) named(name string) bool {
	return t.transparent(name) || t.changing(name) || t.watching(name) || t.session(name) || t.tool(name) || t.rarer(name)
}

// transparent is the table of wrappers that change nothing about what the
// command does, and so need no rule of their own.
func (t *wrapper) transparent(name string) bool {
	switch name {
	case "timeout":
		*t = wrapper{values: "ks", flags: "vfp", long: "kill-after signal", switches: "foreground preserve-status verbose", operands: 1}
	case "nice":
		*t = wrapper{values: "n", long: "adjustment", numeric: true}
	case "nohup", "builtin", "noglob", "nocorrect":
		*t = wrapper{}
	case "time":
		*t = wrapper{values: "fo", flags: "apvq", long: "format output", switches: "append portability verbose quiet", heavy: "o output"}
	case "stdbuf":
		*t = wrapper{values: "ioe", long: "input output error"}
	case "ionice":
		*t = wrapper{values: "cn", flags: "t", long: "class classdata", switches: "ignore"}
	case "chrt":
		*t = wrapper{values: "TPD", flags: "abfior", switches: "batch fifo idle other rr", operands: 1}
	case "taskset":
		*t = wrapper{flags: "ac", switches: "all-tasks cpu-list", operands: 1}
	case "setsid":
		*t = wrapper{flags: "cfw", switches: "ctty fork wait"}
	case "setarch":
		*t = wrapper{flags: "R3BFILSTXZv", operands: 1, starts: true}
	case "caffeinate":
		*t = wrapper{values: "tw", flags: "dimsu"}
	case "unbuffer", "command":
		*t = wrapper{flags: "p"}
	case "exec":
		*t = wrapper{values: "a", flags: "cl"}
	case "env":
		*t = wrapper{values: "uC", flags: "i0v", long: "unset chdir", switches: "ignore-environment null debug", heavy: "C chdir", assigns: true}
	default:
		return false
	}
	return true
}

// changing is the table of wrappers that change with which rights, where, or
// on what the command runs.
func (t *wrapper) changing(name string) bool {
	switch name {
	case "sudo":
		*t = wrapper{values: "ugChpTDRrtUa", flags: "AbEHikKlnPSsvVB", long: "user group close-from host prompt chdir chroot role type other-user command-timeout",
			switches: "askpass background preserve-env set-home login non-interactive preserve-groups stdin shell bell", full: true, assigns: true, starts: true}
	case "doas":
		*t = wrapper{values: "uCa", flags: "nsL", full: true, starts: true}
	case "pkexec":
		*t = wrapper{long: "user", switches: "disable-internal-agent keep-cwd", full: true}
	case "su":
		*t = wrapper{values: "csgGwT", flags: "-lmpPf", long: "command shell group supp-group session-command whitelist-environment", switches: "login preserve-environment pty fast", full: true, text: "c command session-command", programs: "s shell", operands: allOperands, starts: true}
	case "runuser":
		*t = wrapper{values: "csgGwu", flags: "-lmpPf", long: "command shell group supp-group session-command user whitelist-environment", switches: "login preserve-environment pty fast", full: true, text: "c command session-command", programs: "s shell", starts: true}
	case "chroot":
		*t = wrapper{long: "userspec groups", switches: "skip-chdir", operands: 1, full: true, starts: true}
	case "unshare":
		*t = wrapper{values: "SGRw", flags: "muinpUCTrcf", long: "root wd setuid setgid map-user map-group propagation setgroups", switches: "mount uts ipc net pid user cgroup time fork map-root-user map-current-user mount-proc kill-child keep-caps", full: true, starts: true}
	case "nsenter":
		*t = wrapper{values: "tSGW", flags: "muinpUCTarwFZe", long: "target setuid setgid wdns", switches: "all mount uts ipc net pid user cgroup time root wd no-fork preserve-credentials env follow-context", full: true, starts: true}
	case "systemd-run":
		*t = wrapper{values: "pEutHM", flags: "dGPqrSt", long: "unit property setenv uid gid nice working-directory slice description host machine service-type on-active on-calendar", switches: "user system scope wait pty pipe quiet collect same-dir no-block no-ask-password remain-after-exit shell send-sighup", sets: "E setenv", full: true, starts: true}
	case "strace", "ltrace":
		*t = wrapper{values: "abeEoOpPsSuUXIln", flags: "cCdDfFhiknqrtTvVwxyYzZL", long: "output trace attach user env", switches: "follow-forks seccomp-bpf summary-only summary decode-fds", pipes: "o output", sets: "E env", full: true}
	case "xargs":
		*t = wrapper{values: "aEILdnPsSJR", flags: "0oprtx", long: "arg-file delimiter max-args max-procs max-chars process-slot-var", joined: "max-lines replace eof", switches: "null no-run-if-empty interactive verbose exit open-tty", full: true, appends: true}
	case "parallel":
		*t = wrapper{values: "jaSnNLIdPC", flags: "0kqtuvmXr", long: "jobs arg-file sshlogin max-args colsep delay joblog results timeout retries halt tmpdir", switches: "keep-order dry-run verbose bar progress eta line-buffer null will-cite no-notice tag group ungroup", full: true, appends: true, code: true}
	case "watch":
		*t = wrapper{values: "nqs", flags: "bcdegprtwx", long: "interval equexit shotsdir", switches: "beep color differences errexit chgexit precise no-title no-wrap exec", full: true, code: true, exact: true}
	case "flock":
		*t = wrapper{values: "wEc", flags: "enosuxFv", long: "timeout wait conflict-exit-code command", switches: "exclusive shared unlock nonblock nb close no-fork verbose", full: true, operands: 1, text: "c command"}
	case "script":
		*t = wrapper{values: "cEIOTBmo", flags: "aefqt", long: "command echo log-in log-out log-io log-timing output-limit logging-format", switches: "append return flush force quiet", full: true, text: "c command", operands: allOperands, starts: true}
	case "busybox", "toybox":
		*t = wrapper{full: true}
	case "ssh":
		*t = wrapper{values: "BbcDEeFIiJLlmOoPpQRSWw", flags: "46AaCfGgKkMNnqsTtVvXxYy", forSSH: "o", operands: 1, full: true, code: true, starts: true}
	case "firejail", "bwrap", "fakeroot", "proxychains", "proxychains4", "xvfb-run", "faketime", "cpulimit":
		*t = wrapper{full: true, operands: map[string]int{"faketime": 1}[name], switches: "quiet", flags: "aq", starts: true}
	default:
		return false
	}
	return true
}

// rarer is a list of further wrappers. Their options are not known, so with one
// of them the command is unknown too.
func (t *wrapper) rarer(name string) bool {
	switch name {
	case "setpriv", "prlimit", "run0", "tini", "dumb-init", "choom", "numactl", "cgexec", "proot", "eatmydata", "torsocks", "torify",
		"rlwrap", "chronic", "catchsegv", "linux64", "linux32", "i386", "x86_64", "uname26",
		"systemd-inhibit", "aa-exec", "dbus-launch", "ssh-agent", "sandbox-exec",
		"xcrun", "arch", "chpst", "softlimit", "start-stop-daemon", "fakechroot":
		*t = wrapper{full: true, starts: true} // some of them do
	case "gosu", "su-exec", "runcon", "envdir", "setlock", "setuidgid", "envuidgid":
		*t = wrapper{full: true, operands: 1}
	default:
		return false
	}
	return true
}
