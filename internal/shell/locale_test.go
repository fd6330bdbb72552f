package shell_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
)

// needs reports whether some part of a line needs a rule, and none that speaks
// of ls will do.
func needs(line string) bool {
	return slices.ContainsFunc(config().Read(line), func(p shell.Part) bool {
		isLs := slices.ContainsFunc(p.Narrow, func(t text.Text) bool { return t.String() == "ls" })
		return !p.Free && !isLs
	})
}

// A locale may make a letter of a backslash and what stands before it.
func TestLocales(t *testing.T) {
	for _, line := range []string{
		"LC_ALL=zh_CN.gbk\nls", "LC_ALL=zh_CN.gbk; ls", "LC_CTYPE=zh_TW.big5; ls", "LANG=zh_TW; ls", "LC_ALL=$x; ls", "LC_ALL=C$x; ls",
		"LC_ALL=C; LC_ALL+=.gbk; ls", "LC_ALL=zh_CN.gbk ls", "LANG=ja_JP.SJIS ls", "LC_ALL=\"$x\" ls", "env LC_ALL=zh_CN.gbk ls",
		"export LC_ALL=zh_CN.gbk; ls", "f() { local LC_ALL=zh_CN.gbk; ls; }", "read LC_ALL; ls", "read -r LANG <<< zh_CN.gbk; ls",
		"for LC_ALL in zh_CN.gbk; do ls; done", "printf -v LC_CTYPE zh_CN.gbk; ls", ": ${LC_ALL:=zh_CN.gbk}; mapfile LANG < f; ls",
		"LC_ALL=zh_CN.gbk bash -c ls", "LC_ALL=/tmp/x.UTF-8 ls", "LC_ALL=x/y.UTF-8; ls", "LC_ALL=a.utf8@/x ls", "LANG=en_US.ISO-8859-1 ls",
		"TEXTDOMAIN=x; ls", "TEXTDOMAINDIR=x; ls",
	} {
		assert.True(t, needs(line), "%q", line)
	}
	for _, line := range []string{
		"LC_ALL=C ls", "LC_ALL=C; ls", "LANG=C.UTF-8 ls", "LANG=en_US.UTF-8 ls", "LC_ALL=de_DE.utf8 ls", "LC_ALL= ls", "LC_ALL=POSIX ls",
		"export LC_ALL=C.UTF-8 LANG=C.UTF-8; ls", "LC_CTYPE=sr_RS.UTF-8@latin ls", "x=C; LC_ALL=$x ls", "env LC_ALL=C ls", "LANG=C bash -c ls",
		"LANGUAGE=de ls", "export LANG; ls",
	} {
		assert.False(t, needs(line), "%q: %v", line, said(config(), line))
	}
}
