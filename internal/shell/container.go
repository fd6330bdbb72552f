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
	if !sure {
		w.unknown(c.source, "an option of "+c.name()+" that is not known")
	}
	inner := *c
	inner.layers++
	rest := c.fields[at+1:]
	dashes := slices.IndexFunc(rest, func(f word) bool { return f.static && f.value == "--" })
	if name := c.name(); dashes >= 0 && (name == "kubectl" || name == "oc") {
		inner.fields = rest[dashes+1:]
	} else {
		p := inContainer().parse(append([]word{known("")}, rest...))
		inner.fields = p.inner
		if p.doubt {
			w.unknown(c.source, "an option of "+name+" that is not known")
		}
		if len(p.texts) > 0 {
			w.unknown(c.source, "another program that the container starts with")
		}
		if p.shifts {
			w.shifted(c, p.inner)
		}
	}
	if len(inner.fields) > 0 {
		w.command(inner)
	}
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

// inContainer is the row of the commands that run one in a container.
func inContainer() wrapper {
	return wrapper{
		values: "euwvpcnhlm", flags: "itdPqT", operands: 1, text: "entrypoint",
		long:     "env user workdir volume publish name network env-file container namespace hostname entrypoint mount label memory cpus platform add-host context",
		switches: "interactive tty detach rm privileged init quiet stdin no-TTY no-tty",
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
	for i := 1; i < len(fields); i++ {
		v := fields[i].value
		switch {
		case !fields[i].static:
			sure = false
		case has(values, v):
			i++
		case strings.HasPrefix(v, "-"):
			sure = sure && (strings.Contains(v, "=") || has(switches, v))
		case v == "exec" || v == "run" || v == "rsh":
			return i, sure
		case v != "compose" && v != "container" && v != "pod" && sure:
			return -1, sure
		}
	}
	return -1, sure
}
