package shell_test

import "testing"

// A home that the line sets, in whatever way, is nobody's, and so it is for the
// shells that the line starts.
func TestHomesThatTheLineSets(t *testing.T) {
	for _, line := range []string{
		`HOME=/x bash -c 'a > ~/b'`,
		`env HOME=/x bash -c 'a > ~/b'`,
		`env HOME=/x timeout 5 bash -c 'a > ~/b'`,
		`export HOME=/x; bash -c 'a > ~/b'`,
		`HOME=/x sh -c 'a > $HOME/b'`,
		`HOME=/x bash -c 'bash -c "a > ~/b"'`,
		`env -i sh -c 'a > $HOME/b'`,
		`env -u HOME sh -c 'a > $HOME/b'`,
		`sudo bash -c 'a > ~/b'`,
		`bash -c 'a > ~/c'; sudo bash -c 'a > ~/b'`,
		`command export HOME=/x; a > ~/b`,
		`mapfile -t HOME <<< /x; a > ~/b`,
		`n=HOME; mapfile -t "$n" <<< /x; a > ~/b`,
		`getopts / HOME -/; a > ~/b`,
		`printf -v HOME /x; a > ~/b`,
		`printf -vHOME /x; a > ~/b`,
		`read -a HOME <<< /x; a > ~/b`,
		`read -raHOME <<< /x; a > ~/b`,
		`read -p x HOME; a > ~/b`,
		`exec {HOME}<f; a > ~/b`,
		`unset HOME; a > ~/b`,
		`r=$(b); $r HOME; a > ~/b`,
	} {
		got := said(config(), line)
		found := false
		for _, s := range got {
			found = found || s == "> …"
			if s == "> ~/b" {
				t.Errorf("%q: %v", line, got)
			}
		}
		if !found {
			t.Errorf("%q: %v", line, got)
		}
	}
	check(t, []row{
		{`bash -c 'a > ~/b'`, []string{"(bash -c a > ~/b)", "> ~/b", "a"}},
		{`timeout 5 bash -c 'a > ~/b'`, []string{"(timeout 5 bash -c a > ~/b)", "(bash -c a > ~/b)", "> ~/b", "a"}},
		{`export A=1; bash -c 'a > ~/b'`, []string{"export A=1", "(bash -c a > ~/b)", "> ~/b", "a"}},
		{`printf "$f\n" "$x"; a > ~/b`, []string{"printf …\\n …", "> ~/b", "a"}},
		{`"$d/tool" x; a > ~/b`, []string{"…/tool x", "> ~/b", "a"}},
	})
}

// So is what programs print, where functions or variables may stand behind it.
func TestOutputThatTheLineChanges(t *testing.T) {
	check(t, []row{
		{`mktemp() { a; }; export -f mktemp; bash -c 'b > $(mktemp)'`, []string{"a", "export -f mktemp", "(bash -c b > $(mktemp))", "mktemp", "> …", "b"}},
		{`mktemp() { a; }; declare -fx mktemp; bash -c 'b > $(mktemp)'`, []string{"a", "declare -fx mktemp", "(bash -c b > $(mktemp))", "mktemp", "> …", "b"}},
		{`export TMPDIR=/x; b > "$(mktemp)"`, []string{"export TMPDIR=/x", "mktemp", "> …", "b"}},
		{`TMPDIR=/x bash -c 'b > "$(mktemp)"'`, []string{`TMPDIR=/x bash -c b > "$(mktemp)"`, "mktemp", "> …", "b"}},
		{`env 'BASH_FUNC_ls%%=() { rm 1; }' bash -c ls`, []string{"(env BASH_FUNC_ls%%=() { rm 1; } bash -c ls)", "…", "BASH_FUNC_ls%%=() { rm 1; } bash -c ls", "ls"}},
		{"cat() { a; }; export -f cat; bash -c 'b \"$(cat <<E\nx\nE\n)\"'", []string{"a", "export -f cat", "(bash -c b \"$(cat <<E\nx\nE\n)\")", "cat", "b …"}},
		{`b > "$(mktemp)"`, []string{"mktemp", "> /tmp/tmp.*", "b"}},
		{"export PATH=$PATH:x; git commit -m \"$(cat <<'E'\nx\nE\n)\"", []string{"export PATH=…:x", "git commit -m x"}},
	})
	doubted(t, `env SHELLOPTS=keyword bash -c 'ls x=1'`)
}

// Where cd leads rests on options of the shell and on the home.
func TestPlacesOfCD(t *testing.T) {
	check(t, []row{
		{`shopt -s cdable_vars; s=/x; cd s && a > b`, []string{"shopt -s cdable_vars", "(s=/x)", "(cd s)", "> …", "a"}},
		{`mapfile -t CDPATH <<< /x; cd d && a > b`, []string{"…", "mapfile -t CDPATH", "(cd d)", "> …", "a"}},
		{`cd '~' && a > b`, []string{"(cd ~)", "> b in ./~", "a"}},
		{`cd ~/x && a > b`, []string{"cd ~/x", "> b in ~/x", "a"}},
		{`shopt -s nullglob; cd d && a > b`, []string{"(shopt -s nullglob)", "(cd d)", "> b in d", "a"}},
	})
}

// A word in quotes may be an option, or a name, that is evaluated.
func TestOptionsInQuotes(t *testing.T) {
	doubted(t,
		`read -r x <<< '-C rm'; mapfile "$x" -c1 a <<< y`,
		`mapfile "-$x" -c1 a <<< y`,
		`compgen "$x" 'rm p'`,
		`compgen "-$x"`,
		`complete "$x" a`,
		`getopts a "$x"`,
		`getopts a 'b[$(rm p)]'`,
		`x='-p'; wait "$x" PATH -n`,
		`read x; wait $x`,
		`bash -c 'a=(1); unset "$1"' _ 'a[$(rm p)]'`,
	)
	clear(t,
		`mapfile -t -d "$d" -n "$n" lines < f`,
		`compgen -G "$d/*.go"`,
		`getopts ab: o; echo "$o"`,
		`a & p=$!; wait $p; wait "$p"`,
		`wait "$pid"`,
		`p=(); a & p+=($!); for x in "${p[@]}"; do wait "$x"; done`,
	)
}
