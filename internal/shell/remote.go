package shell

// remote is the table of programs some of whose commands run others on another
// machine, or in a system inside this one.
func (t *wrapper) remote(words string) bool {
	switch words {
	case "gcloud":
		*t = gcloud()
	case "gcloud alpha", "gcloud beta", "gcloud compute", "gcloud alpha compute", "gcloud beta compute", "gcloud compute tpus", "gcloud alpha compute tpus":
		*t = gcloud()
		t.group = true
	case "gcloud compute ssh", "gcloud alpha compute ssh", "gcloud beta compute ssh", "gcloud compute tpus tpu-vm ssh", "gcloud alpha compute tpus tpu-vm ssh",
		"gcloud cloud-shell ssh", "gcloud alpha cloud-shell ssh", "vagrant ssh":
		*t = wrapper{behind: "--", text: "c command", ssh: true, code: true, full: true, starts: true}
	case "vagrant":
		*t = wrapper{}
	case "aws":
		*t = aws()
	case "aws ecs":
		*t = aws()
		t.group = true
	case "aws ecs execute-command":
		*t = wrapper{only: true, text: "command", full: true}
	case "fly", "flyctl":
		*t = wrapper{long: "access-token", switches: "debug verbose"}
	case "fly ssh", "flyctl ssh":
		*t = wrapper{group: true}
	case "fly console", "flyctl console", "fly ssh console", "flyctl ssh console":
		*t = wrapper{only: true, values: "acgoru", text: "C command", full: true}
	case "heroku", "multipass", "distrobox", "colima", "limactl", "minikube":
		*t = wrapper{}
	case "heroku run", "heroku run:detached":
		*t = wrapper{values: "aers", flags: "x", long: "app env remote size type", switches: "exit-code no-launcher no-notify no-tty", code: true, exact: true, full: true}
	case "heroku local:run":
		*t = wrapper{values: "ep", long: "env port", runner: true}
	case "minikube ssh":
		*t = wrapper{values: "np", long: "node profile", switches: "native-ssh", code: true, full: true, starts: true}
	default:
		return t.guest(words)
	}
	return true
}

// guest is the table of those for systems inside this one.
func (t *wrapper) guest(words string) bool {
	switch words {
	case "multipass exec":
		*t = wrapper{values: "d", flags: "nv", long: "working-directory", switches: "no-map-working-directory", operands: 1, full: true}
	case "colima ssh":
		*t = wrapper{values: "p", long: "profile", full: true, starts: true}
	case "limactl shell":
		*t = wrapper{long: "shell workdir", operands: 1, full: true, starts: true}
	case "lxc", "incus":
		*t = wrapper{flags: "qv", long: "project", switches: "debug force-local quiet verbose"}
	case "lxc exec", "incus exec":
		*t = wrapper{flags: "nqtTv", long: "cwd env group mode project user", switches: "debug disable-stdin force-interactive force-local force-noninteractive quiet verbose", operands: 1, full: true}
	case "toolbox":
		*t = wrapper{flags: "vy", long: "log-level", switches: "assumeyes log-podman verbose"}
	case "toolbox run":
		*t = wrapper{values: "cdr", long: "container distro preserve-fds release", full: true}
	case "distrobox enter":
		*t = distrobox()
	case "flatpak":
		*t = wrapper{flags: "v", switches: "system user verbose"}
	case "flatpak run":
		*t = wrapper{flags: "v", long: "allow arch branch command cwd device disallow env filesystem nofilesystem nosocket persist runtime runtime-version share socket talk-name unshare",
			switches: "devel die-with-parent file-forwarding sandbox system user verbose", starter: "command", operands: 1, ends: true, full: true}
	case "snap":
		*t = wrapper{}
	case "snap run":
		*t = wrapper{runner: true}
	default:
		return false
	}
	return true
}

func gcloud() wrapper {
	return wrapper{flags: "q", long: "account billing-project configuration format impersonate-service-account project region verbosity zone", switches: "quiet"}
}

func aws() wrapper {
	return wrapper{long: "ca-bundle cli-connect-timeout cli-read-timeout color endpoint-url output profile query region", switches: "debug no-cli-pager no-paginate no-sign-request no-verify-ssl"}
}

func distrobox() wrapper {
	return wrapper{behind: "-- -e --exec", full: true, starts: true}
}

// behindHost reads what stands behind the name of a host of ssh: options of it,
// too, before the command.
func (t wrapper) behindHost(p *parsed) {
	var host wrapper
	host.changing("ssh")
	host.operands = 0
	q := host.parse(append([]word{known("ssh")}, p.inner...))
	p.inner, p.doubt, p.forSSH = q.inner, p.doubt || q.doubt, q.forSSH
}
