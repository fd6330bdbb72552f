package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A command that takes a line of the script that its shell reads makes another
// script of the rest.
func TestScriptsThatAreRead(t *testing.T) {
	for _, script := range []string{
		"read x", "read -r -u 0 x", "read -d '#' x", "echo a; read x", "(read x)", "while read x; do break; done",
		"test \"$(read x; echo a)\"", "select x in a; do break; done", "mapfile -n1 x", "readarray -n 1 x", "command read x",
		"f() { read x; }; f < f", "{ f() { read x; }; } < f; f", "echo $(read x) < f", "x=$(read x) < f", "cat <(read x)",
		"read x < /dev/stdin", "read x < /dev/fd/0", "read x < \"$f\"", "exec 3<&0; read x <&3", "{ read x <&3; } 3<&0", "exec 3>&0",
		"exec < f", "exec 0< f", "exec <&3", "trap 'read x' EXIT < f", "eval 'read x'", "bash -c 'read x'", "timeout 5 bash -c 'read x'",
		"head -c 6", "head -n 1", "head -n1 -", "head --lines 1", "head \"$o\" f", "timeout 5 head -c 6", "dd bs=1 count=9", "dd if=/dev/stdin count=1",
		"sed -u 1q", "sed -n -e 1q", "sed --debug -u 1q", "grep -m1 x", "grep -m 1 -e x", "awk '{exit}'", "awk -ve=1 '{exit}'",
		"read -ru3 x 3</dev/stdin </dev/null", "exec 3</dev/stdin\nread -ru3 x </dev/null", "read -ru3 x 3</proc/self/fd/0 </dev/null",
		"{ read -ru3 x; } 3</dev/fd/0 </dev/null", "read -ru3 x 3<&0- </dev/null", "read -ru3 x 3<&00 </dev/null", "mapfile -u3 x 3</dev/stdin </dev/null",
		"bash -c 'read -ru3 x' 3</dev/stdin </dev/null", "f() { read -ru3 x; }\nf 3</dev/stdin </dev/null", "f() { read -ru3 x; } 3</dev//stdin </dev/null\nf",
		"read -ru3 x 3<>/dev/stdin </dev/null", "exec {x}</dev/stdin", "read -ru1 x >&0 </dev/null", "cd /dev; read -ru3 x 3<stdin </dev/null",
		"cd /dev/fd; read -ru3 x 3<0 </dev/null", "read -ru3 x 3<\"$f\" </dev/null", "f=/dev/stdin; read -ru3 x 3<$f </dev/null",
		"read -r x < /proc/$$/fd/0 | true", "true | read -r x < /proc/$$/fd/0", "head -c8 /proc/$PPID/fd/0 </dev/null", "head -c8 /dev/fd/$((0)) f",
		"ln -s /dev/stdin l </dev/null", "echo 'rm y' > /dev/stdin", "ls | tee /proc/$$/fd/0", "cd /proc/self/fd", "3</dev/stdin",
		"head -c8 f - >/dev/null", "od -N8 f -", "head -c8 f \"$x\"", "grep -m1 x f -", "sed -u 1q f -", "head -c8 f /dev/stdin",
		"od -N 3", "xxd -l 3 /dev/stdin", "sudo -S ls", "\"$p\" x", "set -o histexpand",
	} {
		line := "bash <<'E'\n" + script + "\ncat <<'F'\nrm p\nF\nE"
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
	for _, line := range []string{
		"bash -s <<E\nread x\nls\nE", "bash <<< $'read x\\nls'", "timeout 5 bash <<'E'\nread x\nE", "exec bash <<'E'\nread x\nE",
		"bash <<'E' 3<&0\nread -ru3 x\nE", "bash 3</dev/stdin <<'E'\nls\nE", "bash <<'E' >&0\nread -ru1 x\nE", "sudo bash <<'E' 3</dev/fd/0\nls\nE",
		"bash <<< $'read -ru3 x 3</dev/stdin </dev/null\\nls'", "sh -c 'read -ru3 x 3</dev/stdin'; sh <<'E'\nsh -c 'read -ru3 x 3</dev/stdin' </dev/null\nE",
		"bash -c \"bash <<'E'\nread x\nE\n\"", "sh <<'E'\nread x\nE", "ssh web <<'E'\nread x\nE", "bash -i <<'E'\nls\nE",
	} {
		assert.True(t, slices.ContainsFunc(config().Read(line), isHole), "%q", line)
	}
}

// Scripts whose commands have an input of their own are read as they stand.
func TestScriptsThatAreNotRead(t *testing.T) {
	for _, script := range []string{
		"ls", "cd web && npm ci && npm test", "set -euo pipefail\nfor f in a b; do echo \"$f\"; done", "cat f", "x=1; echo $x",
		"while read -r l; do echo \"$l\"; done < f", "ls | while read -r l; do echo \"$l\"; done", "read x <<< a", "read x < /dev/null",
		"f() { read x; } < f; f", "if read x; then ls; fi < f", "head -5 f", "head -n 5 f", "cat f | head -n 5", "sed -n 1p f",
		"sed -i -e s/a/b/ f", "grep -q x f", "grep -c -e x f", "awk '{print $1}' f", "dd if=f of=g", "ls >&2", "cat <<'F'\nread x\nF",
		"trap 'rm x' EXIT", "git log | head",
		"while read -ru3 l; do echo \"$l\"; done 3< f < /dev/null", "while read -ru3 l; do echo \"$l\"; done 3< <(ls) < /dev/null", "exec 3< f\nread -ru3 x < /dev/null",
		"exec 3>&1 4>&2\nls >&3 2>&4", "exec 3>&-", "ls 2>&1 > f", "diff <(a) <(b)", "cat f - < g", "ls | cat f -", "head -n 5 f g", "cat /proc/cpuinfo",
		"exec 3< f 4> g", "cat <&3", "ls > /dev/stdout 2> /dev/stderr", "head -c 8 /dev/urandom < /dev/null", "ls /dev/sda1",
	} {
		line := "bash <<'E'\n" + script + "\nE"
		assert.False(t, slices.ContainsFunc(config().Read(line), isHole), "%q: %v", line, said(config(), line))
	}
	clear(t, "bash -c 'read x; ls'; read y; bash script.sh < f", "bash <<'E' 2>&1\nls\nE", "bash 3< f <<'E'\nread -ru3 x < /dev/null\nE",
		"read -ru3 x 3</dev/stdin", "exec 3<&0; head -c8 /dev/stdin", "cat /dev/stdin <<'E'\nls\nE", "bash <<'E' >&2\nls\nE")
}
