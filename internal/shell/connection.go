package shell

import (
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// connects are the starts of names for which bash opens a connection, where
// they stand in a redirection. A host and a port follow.
var connects = [...]string{"/dev/tcp/", "/dev/udp/"}

// mayConnect reports whether the name of a file may be one for which bash opens
// a connection, if its holes are what they can be.
func mayConnect(name text.Text) bool {
	for _, start := range connects {
		at := make([]bool, len(start)+4)
		at[0] = true
		for r, h := range name.All() {
			if h == 0 {
				at = behind(start, at, string(r))
				continue
			}
			for more := true; more; { // a hole is as long as it has to be
				more = false
				for i, is := range behind(start, at, fillings(h, start)) {
					more = more || is && !at[i]
					at[i] = at[i] || is
				}
			}
		}
		if at[len(at)-1] {
			return true
		}
	}
	return false
}

// fillings returns characters that stand for all that may be in a hole.
func fillings(h text.Hole, start string) string {
	switch h {
	case text.Digits, text.Number:
		return "0"
	case text.Name:
		return strings.ReplaceAll(start, "/", "") + "0"
	}
	return start + "0"
}

// behind returns where in the name of a connection one may be behind one of
// some characters: in its start, in the host, right behind the slash there, or
// in the port, which is a number or the name of a service.
func behind(start string, at []bool, characters string) []bool {
	after := make([]bool, len(at))
	host, slash, port := len(start)+1, len(start)+2, len(start)+3
	for _, c := range characters {
		for i, is := range at {
			switch {
			case !is:
			case i < len(start):
				after[i+1] = after[i+1] || c == rune(start[i])
			case i <= host && c == '/':
				after[slash] = true
			case i <= host:
				after[host] = true
			case c != '/' && c != '.':
				after[port] = true
			}
		}
	}
	return after
}
