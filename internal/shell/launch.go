package shell

import "strings"

// launched returns the row of the command of a program that runs others, such
// as the one of uv run, and its arguments from that command on. Behind an option
// that is not known any word may be that command.
func launched(c *command, name string) (t wrapper, args []word) {
	before, commands := launcher(name)
	if commands == nil {
		return wrapper{}, nil
	}
	p := before.parse(c.fields)
	sure := !p.doubt
	for args := p.inner; len(args) > 0; args = args[1:] {
		for n := min(2, len(args)); n > 0; n-- {
			if t, ok := commands[spoken(args[:n])]; ok {
				t.unsure = !sure
				return t, args[n-1:]
			}
		}
		if sure = sure && args[0].static; sure {
			break
		}
	}
	if t, ok := commands[""]; ok {
		return t, c.fields
	}
	return wrapper{}, nil
}

// spoken returns words as the key of a table, or a blank where one is not known.
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

// launches reports whether some commands of a program run others.
func launches(name string) bool {
	_, commands := launcher(name)
	return commands != nil
}

// launcher returns the options of a program that runs others before its own
// command, and the rows of those of its commands that do.
func launcher(name string) (before wrapper, commands map[string]wrapper) {
	for _, table := range []func(string) (wrapper, map[string]wrapper){nodeTool, pythonTool, environment, elsewhere} {
		if before, commands := table(name); commands != nil {
			return before, commands
		}
	}
	return wrapper{}, nil
}
