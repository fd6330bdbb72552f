package shell_test

import "testing"

// A descriptor's number is set like any other value.
func TestDescriptorsInVariables(t *testing.T) {
	doubted(t,
		`: {PATH}</dev/null; ls`,
		`echo hi {PATH}>/dev/null; ls`,
		`echo hi {PATH}>&1; ls`,
		`{ :; } {PATH}<&0; ls`,
		`read -r y {PATH}<<< x; ls`,
		"cat {PATH}<<E\nx\nE\nls",
		`exec {BASH_ENV}<f; bash x`,
		`exec {b[x]}<f`,
	)
	check(t, []row{
		{`exec {HOME}</dev/null; echo hi > ~/x`, []string{"…", "(exec)", "> …", "echo hi"}},
		{`exec {GOFLAGS}>x; ls`, []string{"GOFLAGS=…", "> x", "(exec)", "ls"}},
		{`exec {fd}>x; ls`, []string{"> x", "(exec)", "ls"}},
		{`D=a; exec {fd}>x; ls > $D`, []string{"(D=a)", "> x", "(exec)", "> a", "ls"}},
	})
}

// What programs read needs a rule however it is set, and other names do not.
func TestVariablesOfPrograms(t *testing.T) {
	check(t, []row{
		{`GOFLAGS=-toolexec=rm; go test`, []string{"GOFLAGS=-toolexec=rm", "go test"}},
		{`NODE_OPTIONS+=x; npm test`, []string{"NODE_OPTIONS=…", "npm test"}},
		{`read GOFLAGS; go test`, []string{"GOFLAGS=…", "(read GOFLAGS)", "go test"}},
		{`printf -v CC x; make`, []string{"CC=…", "printf -v CC x", "make"}},
		{`: ${LESSOPEN:=x}; less a`, []string{"LESSOPEN=…", "(:…)", "less a"}},
		{`: "${PATH:=x}"; ls`, []string{"…", "(: …)", "ls"}},
		{`for PYTHONPATH in x; do ls; done`, []string{"PYTHONPATH=…", "ls"}},
		{`f() { local GOFLAGS=x; go test; }`, []string{"local GOFLAGS=x", "go test"}},
		{`f() { local CC; make; }`, []string{"local CC", "make"}},
		{`bash -c 'https_proxy=x; curl y'`, []string{"(bash -c https_proxy=x; curl y)", "https_proxy=x", "curl y"}},
		{`AWS_CONFIG_FILE=x; aws y`, []string{"AWS_CONFIG_FILE=x", "aws y"}},
		{`((CARGO_HOME=1)); cargo b`, []string{"CARGO_HOME=…", "cargo b"}},

		{`AWS_REGION=x; aws y`, []string{"(AWS_REGION=x)", "aws y"}},
		{`VERSION=$(git describe); go build -v "$VERSION"`, []string{"git describe", "(VERSION=…)", "go build -v …"}},
		{`: "${FOO:=x}"; ls`, []string{"(: …)", "ls"}},
		{`for f in *.go; do x="$f"; ls; done`, []string{"(x=….go)", "ls"}},
		{`CC=gcc; $CC a.c`, []string{"CC=gcc", "gcc a.c"}},
	})
	c := config()
	c.Harmless = func(name string) bool { return name == "GOFLAGS" || name == "PATH" }
	for _, r := range []row{
		{`GOFLAGS=-v; go test`, []string{"(GOFLAGS=-v)", "go test"}},
		{`PATH=x; ls`, []string{"PATH=x", "ls"}},
	} {
		if got := said(c, r.line); len(got) != len(r.want) || got[0] != r.want[0] {
			t.Errorf("%q: %v", r.line, got)
		}
	}
}
