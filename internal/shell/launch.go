package shell

import "strings"

// launched returns the row of the command of a program that runs others, such
// as the one of uv run, and its arguments from that command on. Behind an option
// that is not known any word may be that command.
func launched(c *command, name string) (t wrapper, args []word) {
	var before wrapper
	if strings.Contains(name, " ") || !before.launcher(name) {
		return t, nil
	}
	p := before.parse(c.fields)
	sure := !p.doubt
	for args := p.inner; len(args) > 0; args = args[1:] {
		for n := min(2, len(args)); n > 0; n-- {
			if t.launcher(name + " " + spoken(args[:n])) {
				t.unsure = !sure
				return t, args[n-1:]
			}
		}
		if sure = sure && args[0].static; sure {
			break
		}
	}
	if t.launcher(name + " ") {
		return t, c.fields
	}
	return t, nil
}

// spoken returns words as a table has them, or a blank where one is not known.
func spoken(words []word) string {
	var known []string
	for _, f := range words {
		if !f.static {
			return " "
		}
		known = append(known, f.value)
	}
	return strings.Join(known, " ")
}

// launcher is the tables of programs that run others: of a program, the options
// before its own command, and of each such command behind its name the row.
// Behind a name and a blank they have the row of a program that needs none.
func (t *wrapper) launcher(words string) bool {
	return t.nodeTool(words) || t.pythonTool(words) || t.environment(words) || t.elsewhere(words)
}
