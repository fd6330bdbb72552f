package shell

import (
	"slices"
	"strings"
)

// container reads the command that is run in a container.
func (w *walker) container(c *command) {
	w.add(w.part(*c))
	at, sure := containerCommand(c.fields)
	if at < 0 {
		return
	}
	name := c.name()
	if !sure {
		w.unknown(c.source, "an option of "+name+" that is not known")
	}
	inner := *c
	inner.layers++
	rest := c.fields[at+1:]
	dashes := slices.IndexFunc(rest, func(f word) bool { return f.static && f.value == "--" })
	switch {
	case dashes >= 0 && isCluster(name):
		inner.fields = rest[dashes+1:]
	case isCluster(name) && has("debug job cronjob cj", c.fields[at].value):
		return // without a command
	default:
		inner.fields = w.contained(c, containerRow(c.name(), c.fields[at].value), rest)
	}
	if len(inner.fields) > 0 {
		w.command(inner)
	}
}

// isCluster reports whether a program runs containers in a cluster. Its options
// may stand behind the name of one.
func isCluster(name string) bool { return name == "kubectl" || name == "oc" }

// contained returns the command in the arguments of what runs a container, if
// there is one.
func (w *walker) contained(c *command, row wrapper, rest []word) []word {
	p := row.parse(append([]word{known("")}, rest...))
	if p.doubt {
		w.unknown(c.source, "an option of "+c.name()+" that is not known")
	}
	for _, text := range p.texts {
		w.code(text, c.source)
	}
	if p.shifts {
		w.shifted(c, p.inner)
	}
	if p.program == nil || p.program.static && p.program.value == "" {
		switch {
		case len(p.inner) == 0 || p.shifts || !strings.HasPrefix(leading(p.inner[0]), "-"):
			return p.inner
		case p.inner[0].value == "--":
			return p.inner[1:] // which some of these programs leave out
		}
		return nil // for the program that the image starts with
	}
	if first, ok := plain(p.program.value); ok && p.program.static {
		return append(first, p.inner...)
	}
	w.unknown(c.source, "another program that the container starts with")
	return p.inner
}

// shifted reads the commands that a container runs where what stands for its
// name is an option, without a value or with one.
func (w *walker) shifted(c *command, fields []word) {
	for range 2 {
		if len(fields) < 2 {
			return
		}
		fields = fields[1:]
		if fields[0].static && unfit(fields[0].value) {
			continue // no program has that name
		}
		inner := *c
		inner.layers++
		inner.fields = fields
		w.command(inner)
	}
}

// containerRow returns the row of the command of a program that runs one in a
// container.
func containerRow(program, command string) wrapper {
	switch {
	case isCluster(program):
		return wrapper{
			values: "cfln", flags: "itqT", operands: 1, long: "container context env filename image image-pull-policy labels namespace overrides pod-running-timeout port restart timeout",
			switches: "attach command expose no-tty quiet rm stdin tty",
		}
	case command == "exec":
		return wrapper{
			values: "euw", flags: "ditT", operands: 1, ends: true, long: "detach-keys env env-file index user workdir",
			switches: "detach interactive no-tty no-TTY privileged tty",
		}
	}
	return inContainer()
}

// inContainer is the row of the commands of docker and its like that make a
// container. What stands behind the image is for the program.
func inContainer() wrapper {
	return wrapper{
		values: "acehlmpuvw", flags: "diPqtT", operands: 1, ends: true, text: "health-cmd", starter: "entrypoint",
		long: "add-host annotation arch attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile cpu-count cpu-percent cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems " +
			"detach-keys device device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option dns-search domainname entrypoint env env-file env-from-file expose gpus group-add " +
			"health-cmd health-interval health-retries health-start-interval health-start-period health-timeout hostname ip ip6 ipc isolation label label-file link link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap memory-swappiness " +
			"mount name network network-alias oom-score-adj os pid pids-limit pod secret systemd platform publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs tz ulimit umask user userns uts volume volume-driver volumes-from workdir",
		switches: "build detach disable-content-trust init interactive no-deps no-healthcheck no-tty no-TTY oom-kill-disable privileged publish-all quiet quiet-build quiet-pull read-only replace remove-orphans rm service-ports sig-proxy tty use-aliases",
	}
}

// containerCommand returns where the word stands that runs a command in a
// container, or -1. It is not sure behind an option that may take a value.
func containerCommand(fields []word) (at int, sure bool) {
	const (
		values   = "-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --env-file --project-directory -n --namespace --kubeconfig --cluster --user -s --server --token --as --as-group --request-timeout --url --connection --identity --root --runroot --storage-driver -a --address"
		switches = "-D --debug --tls --tlsverify --remote -r --insecure-skip-tls-verify --all-resources --compatibility --dry-run"
	)
	sure = true
	group := ""
	for i := 1; i < len(fields); i++ {
		v := fields[i].value
		switch {
		case !fields[i].static:
			sure = false
		case has(values, v):
			i++
		case strings.HasPrefix(v, "-"):
			sure = sure && (strings.Contains(v, "=") || has(switches, v))
		case runsContained(fields[0], group, v):
			return i, sure
		case v != "compose" && v != "container" && v != "pod" && v != "create" && sure:
			return -1, sure
		default:
			group = v
		}
	}
	return -1, sure
}

// runsContained reports whether a word is the command, in a group of commands,
// that runs another in a container, now or when that is started.
func runsContained(program word, group, v string) bool {
	switch v {
	case "exec", "run", "rsh":
		return true
	case "job", "cronjob", "cj":
		return isCluster(base(program.value)) && group == "create"
	case "create":
		return !isCluster(base(program.value)) && !strings.HasSuffix(program.value, "-compose") && (group == "" || group == "container")
	case "debug":
		return isCluster(base(program.value))
	}
	return false
}
