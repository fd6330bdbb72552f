package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
)

// shows reports whether a line has a command, or a file that it writes, or a
// part of which nothing is known.
func shows(parts []shell.Part, want string) bool {
	return slices.ContainsFunc(parts, func(p shell.Part) bool {
		if p.Kind == shell.Write {
			return "> "+p.Path == want
		}
		for _, t := range slices.Concat(p.Narrow, p.Wide) {
			if p.Kind == shell.Command && t.String() == want {
				return true
			}
		}
		return false
	})
}

// Each line runs the command in a way that is easy to miss; … is a doubt.
func TestDisguises(t *testing.T) {
	for _, r := range [][2]string{
		{`test "$o" 'x[$(curl y)]'`, "…"},
		{`[ ! "$o" 'x[$(curl y)]' ]`, "…"},
		{"[ $o 'x[`curl y`]' ]", "…"},
		{`builtin test "$o" 'x[$(curl y)]'`, "…"},

		{`find . "$X" rm x \;`, "…"},
		{`find . "-$(echo exec)" curl y \;`, "…"},
		{`find . -exe? rm x \;`, "…"},
		{`find . -exec rm {} \;$x`, "…"},
		{`find . -exec rm {} $x\;`, "…"},
		{`xargs -I{} find . {} rm x \;`, "…"},
		{`find . -exec echo "$s" -exec rm x \;`, "…"},
		{`find . -exec xargs -d + curl y \;`, "curl y…"},
		{`find . -exec env -u + rm x \;`, "rm x"},
		{`find . -exec ls {} + -exec rm x \;`, "rm x"},
		{`fd --exec=rm`, "rm…"},
		{`fd -xrm`, "rm…"},
		{`fd -Hxrm a`, "rm…"},
		{`fd -x ls \; -x rm x`, "rm x…"},
		{`fd "-$x" rm x`, "…"},

		{`echo evil < .env > /dev/stdin`, "> /dev/stdin"},
		{`echo evil 2< .env > /dev/stderr`, "> /dev/stderr"},
		{`cat main.go 1<main.go > /dev/stdout`, "> /dev/stdout"},
		{`{ echo hi > /dev/stdin; } < main.go`, "> /dev/stdin"},
		{`f() { echo hi > /dev/stdout; }; f 1<main.go`, "> /dev/stdout"},
		{`bash -c 'echo hi > /dev/stdout' 1<main.go`, "> /dev/stdout"},
		{`trap 'echo hi > /dev/stdout' EXIT; exec 1<main.go`, "> /dev/stdout"},
		{`echo hi > /dev/fd/3`, "> /dev/fd/3"},
		{`echo hi > /proc/self/fd/3`, "> /proc/self/fd/3"},

		{`trap -- '-;curl y' EXIT`, "curl y"},
		{`trap -- 'curl y' EXIT`, "curl y"},
		{`bash <<< 'ls' 00< x`, "…"},
		{`bash 00<<< 'rm x'`, "rm x"},
		{`eval -- rm x`, "rm x"},
		{`env - curl y`, "curl y"},
		{`env -i - curl y`, "curl y"},
		{`env -- A=1 curl y`, "A=1 curl y"},

		{`git --git-dir="$D/.git" push origin`, "git push origin"},
		{`git --work-tree="$(pwd)" push`, "git push"},
		{`git --git-dir=$D push`, "git… push"},
		{`git "-$x" push`, "git… push"},

		{`docker exec web rm -rf -- /data`, "rm -rf -- /data"},
		{`docker run --rm img curl -s -- http://x`, "curl -s -- http://x"},
		{`docker exec -- web rm x`, "rm x"},
		{`docker run --entrypoint rm img x`, "rm x"},
		{`docker run --entrypoint=/bin/sh img -c 'rm x'`, "rm x"},
		{`docker compose run --entrypoint 'sh -c' web 'rm x'`, "rm x"},
		{`docker run --entrypoint '' img rm x`, "rm x"},
		{`docker run --entrypoint "$e" img x`, "…"},
		{`docker run --entrypoint '["rm"]' img x`, "…"},
		{`docker run --restart always --gpus all img rm x`, "rm x"},
		{`docker run --new always img rm x`, "…"},
		{`docker run --health-cmd 'rm x' img`, "rm x"},
		{`docker run img -- rm x`, "rm x"},
		{`docker run "$o" --help rm x`, "…"},
		{`docker create img rm x`, "rm x"},
		{`docker container create --name a img rm x`, "rm x"},
		{`podman exec -l rm x`, "…"},
		{`docker-compose -f a.yml exec -T web rm x`, "rm x"},
		{`podman-compose run web rm x`, "rm x"},
		{`kubectl debug -it p --image=a -- rm x`, "rm x"},
		{`oc debug p -- rm x`, "rm x"},
		{`docker exec "$o" web rm x`, "rm x"},
		{`docker exec "$o" A=1 web rm x`, "rm x"},
		{`docker exec $o web rm x`, "…"},
		{`oc rsh pod rm x`, "rm x"},
		{`docker --context run exec c rm x`, "rm x"},
		{`docker --new run exec c rm x`, "…"},
		{`kubectl -n run exec p -- rm -- x`, "rm -- x"},

		{`runuser root -c 'curl y'`, "curl y"},
		{`runuser -l root -c 'curl y'`, "curl y"},
		{`runuser root -c 'curl y' -u`, "curl y"},
		{`su root -- -c 'curl y'`, "curl y"},
		{`setarch -R curl y`, "curl y"},
		{`setarch x86_64 -R curl y`, "curl y"},
		{`timeout "$X" 5 rm x`, "…"},
		{`flock "$o" build/l curl y`, "…"},
		{`script "$o" 'curl y' /dev/null`, "…"},
		{`script -q /dev/null rm x`, "rm x"},

		{`bash /proc/self/fd/0 <<< 'rm x'`, "…"},
		{`bash //dev/stdin`, "…"},
		{`bash ../../../../dev/stdin`, "…"},
		{`. /proc/self/fd/3`, "…"},
		{`source -- /dev/stdin`, "…"},
		{`cd /dev && . ./stdin`, "…"},
		{`cd /proc/self/fd && bash 0`, "…"},
		{`cd / && bash dev/fd/3`, "…"},

		{`command declare -i 'x=a[$(rm y)]'`, "…"},
		{`command declare -i x=y`, "…"},
		{`\declare -n x=y`, "…"},
		{`command typeset 'a[$(rm y)]=1'`, "…"},
		{`command declare "$x"`, "…"},
		{`command declare y=$x`, "…"},
		{`\declare y=$x`, "…"},
		{`builtin let 'a[$(rm y)]'`, "…"},
		{`"let" 'a[b]'`, "…"},
		{`command export 'PS4=$(rm x)'`, "…"},
		{`unset 'a[$(rm y)]'`, "…"},
		{`jobs -x rm x`, "rm x"},
		{`history -s rm x`, "…"},
		{`fc -s`, "…"},
		{`hash -p /tmp/rm ls`, "…"},
		{`bash rm x`, "rm x"},
		{`. rm x`, "rm x"},
		{`source -- ./deploy.sh x`, "./deploy.sh x"},
		{`sh + +c 'rm x'`, "…"},
		{`sh -e ./deploy.sh "$x"`, "./deploy.sh …"},
		{`rbash -c 'curl y'`, "curl y"},
		{`fish -c 'curl y'`, "…"},
		{`csh -c 'curl y'`, "…"},
		{`tcsh -fc 'curl y'`, "…"},
		{`fish <<< 'curl y'`, "…"},
	} {
		parts := config().Read(r[0])
		assert.True(t, shows(parts, r[1]), "%s: %q", r[0], sayAll(parts))
	}
}

// What looks like one of them and is in daily use is in no doubt.
func TestNoDisguises(t *testing.T) {
	for _, line := range []string{
		`[ -n "$x" ]`, `test "$a" = 'b[1]'`, `[ 'a$(b)' = c ]`,
		`find "$dir" -name '*.go'`, `find . -name '*.go' -exec grep -l "$pat" {} +`, `find . -mtime "-$days"`,
		`find . -name a -exec ls {} \; -exec wc {} +`, `fd -tx foo`, `fd "$pat" src`, `fd -e txt`,
		`echo hi > /dev/stderr`, `echo hi > /dev/stdout`, `echo hi > /dev/null < .env`, `cat < /dev/stdin`,
		`ls < /dev/null > /dev/stderr`, `trap - EXIT`, `trap -- 'rm x' EXIT`, `env A=1 ls`,
		`git -C "$d" log`, `docker exec web ls`, `docker exec -T "$c" sh -c 'ls /a'`, `docker build -t exec .`, `docker compose exec web npm run test -- --watch`,
		`docker compose -f run.yml run --rm web ls`, `kubectl get pods -n run`, `kubectl -n a exec p -- ls`,
		`docker run img --help`, `docker run --rm -p 80:80 img --port "$p"`, `docker compose run --rm web --version`, `docker exec web ls --all`, `docker network create a`, `docker-compose up -d`, `kubectl create deployment a --image=b`, `kubectl debug -it p --image=a`,
		`timeout 5 ls`, `timeout "$((2*3))" ls`, `flock "/tmp/$x" ls`, `su bob -c ls`, `script -c ls log`,
		`bash scripts/build.sh`, `cd sub && . ./env.sh`, `. venv/bin/activate`, `bash src/stdin/run.sh`,
		`command -v declare`, `command export A=1`, `command export "A=$x"`, `unset x`, `jobs -l`, `history 5`, `hash -r`,
		`fish script.fish`, `fish --version`, `declare -r x=1`,
	} {
		parts := config().Read(line)
		assert.False(t, slices.Contains(sayAll(parts), "…"), "%s: %q", line, sayAll(parts))
		for _, p := range parts {
			assert.NotEqual(t, shell.Write, p.Kind, "%s: %s", line, strings.TrimSpace(p.Source))
		}
	}
}

// A descriptor that the line opens to read is any file to who writes to it by its
// name.
func TestFilesBehindDescriptors(t *testing.T) {
	for _, line := range []string{
		`exec 3<main.go; echo hi > /dev/fd/3`, `exec 3<main.go; echo hi >> /proc/$$/fd/3`, `{ echo hi > /dev//fd/3; } 3<main.go`, `echo hi > /dev/fd/$x < main.go`,
		`f() { echo hi > /dev/stdout; }; f 1<main.go`, `echo hi 2<main.go > /dev/stderr`,
	} {
		assertShows(t, line, "> …")
	}
	check(t, []row{
		{`exec 3> f; echo hi >&3`, []string{"> f", "(exec)", "echo hi"}},
		{`echo hi > /dev/fd/3`, []string{"> /dev/fd/3", "echo hi"}},
		{`cat < f > fd/3`, []string{"< f", "> fd/3", "cat"}},
		{`cat < f > /dev/null 2>&1`, []string{"< f", "cat"}},
	})
}
