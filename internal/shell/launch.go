package shell

import "strings"

// launched returns the row of the command of a program that runs others, such
// as the one of uv run, and its arguments from that command on.
func launched(c *command, name string) (t wrapper, args []word) {
	var before wrapper
	if strings.Contains(name, " ") || !before.launcher(name) {
		return t, nil
	}
	if t, args = before.below(name, c.fields); args != nil {
		return t, args
	}
	if t.launcher(name + " ") {
		return t, c.fields
	}
	return t, nil
}

// below returns the row of the command that stands behind the options of a
// program, or of a group of its commands, and the arguments from it on. Behind
// an option that is not known any word may be that command.
func (t wrapper) below(name string, fields []word) (row wrapper, args []word) {
	p := t.parse(fields)
	sure := !p.doubt
	for args := p.inner; len(args) > 0; args = args[1:] {
		if args[0].static && t.leads != "" && strings.HasPrefix(args[0].value, t.leads) {
			continue
		}
		for n := min(2, len(args)); n > 0; n-- {
			words := name + " " + spoken(args[:n])
			if !row.launcher(words) {
				continue
			}
			rest := args[n-1:]
			row.unsure = !sure
			if row.group {
				row, rest = row.below(words, rest)
			}
			if rest != nil {
				return row, rest
			}
		}
		if sure = sure && args[0].static; sure {
			break
		}
	}
	return wrapper{}, nil
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
	if strings.HasPrefix(words, "git") { // as most lines do, and no other table has such
		return t.gitTool(words)
	}
	return t.nodeTool(words) || t.pythonTool(words) || t.environment(words) || t.elsewhere(words) || t.remote(words) || t.managed(words)
}
