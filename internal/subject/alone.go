package subject

import (
	"crypto/sha256"
	"strings"

	"github.com/insomnia-run/permission/internal/glob"
	"github.com/insomnia-run/permission/internal/shell"
	"github.com/insomnia-run/permission/internal/text"
)

// Alone returns a name that s shares with no other subject, and the pattern
// that allows it and the least besides. There is none where part of s is
// unknown. A name may be longer than patterns can be.
//
// It tells apart what patterns do not: commands that differ in their quotes, in
// what they are fed or in where they run, and the arguments of a tool that
// nobody has declared in one input and in another.
func (r *Reader) Alone(s *Subject) (name, pattern string, ok bool) {
	for _, reading := range s.Narrow {
		mark := ""
		switch reading.Form {
		case text.Whole:
		case text.WriteWhole:
			mark = "> "
		case text.ReadWhole:
			mark = "< "
		default:
			continue
		}
		whole, known := reading.Text.Known()
		if !known {
			return "", "", false
		}
		if name = mark + whole; s.Kind == Command && mark == "" && whole != s.Text {
			name += "\x00" + s.Text
		}
		return name + "\x00" + s.bound, mark + r.quote(s.Kind, whole), true
	}
	return "", "", false
}

// bind binds the subjects of a tool that nobody has declared to its input and
// to where the call starts from: the one does not say what the others are for.
func (c *call) bind(input []byte) {
	sum := c.reader.placeOf(c.dir) + fingerprint(string(input))
	for i := range c.subjects {
		c.subjects[i].bound += sum
	}
}

// bindFed binds commands to their line that are fed by it: they mean what they
// are fed. Where the line has functions, any of them may be.
func bindFed(subjects []Subject, parts []shell.Part, line string) {
	functions, sum := strings.Contains(line, "()"), ""
	for i := range parts {
		if !functions && !parts[i].Fed {
			continue
		}
		if sum == "" {
			sum = fingerprint(line)
		}
		subjects[i].bound += sum
	}
}

// fingerprint returns what stands in a name for a text that may be long.
func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "\x00" + string(sum[:])
}

// bindPlaces binds commands to where they run: dir, and the commands of their
// line that change it. Where those do not plainly stand before all others, it
// takes the line to tell who runs where.
func (r *Reader) bindPlaces(subjects []Subject, dir, line string) {
	var moves strings.Builder
	rest, ahead, plain := line, 0, true // what stands behind those that do, and how many do
	for i := range subjects {
		move := movesTo(&subjects[i])
		if move == "" {
			continue
		}
		if moves.Len() == 0 {
			plain = !inBackground(line)
		}
		moves.WriteString(move)
		if plain = plain && ahead == i; plain {
			rest, plain = cutList(rest, subjects[i].Text)
			ahead++
		}
	}
	place := r.placeOf(dir) + moves.String()
	if !plain {
		place += fingerprint(line)
	}
	for i := range subjects {
		if subjects[i].Kind == Command && place != "" {
			subjects[i].bound = place
		}
	}
}

// cutList cuts a command and the sign behind which the rest of the list runs
// where it has gone.
func cutList(line, command string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(line, " \t\n"), command)
	rest = strings.TrimLeft(rest, " \t")
	for _, sign := range []string{"&&", ";", "\n"} {
		if rest, is := strings.CutPrefix(rest, sign); is {
			return rest, ok
		}
	}
	return "", false
}

// inBackground reports whether some of a line may run beside the rest, in a
// shell of its own that takes a cd before it along.
func inBackground(line string) bool {
	for i := 0; i < len(line); i++ {
		if line[i] != '&' {
			continue
		}
		start := i
		for i+1 < len(line) && line[i+1] == '&' {
			i++
		}
		redirects := start > 0 && (line[start-1] == '>' || line[start-1] == '<') || i+1 < len(line) && line[i+1] == '>'
		if n := i + 1 - start; n > 2 || n == 1 && !redirects {
			return true
		}
	}
	return false
}

// movesTo returns the command that s is, if it changes the directory. It goes by
// what the command means and not by how it is written: "cd", \cd and $x may all
// be cd.
func movesTo(s *Subject) string {
	for _, reading := range s.Narrow {
		command, whole := reading.Text.Known()
		if !whole {
			command = reading.Text.String() // holes tell it from one without
		}
		switch name, _, _ := strings.Cut(command, " "); name {
		case "cd", "pushd", "popd":
			if s.Kind == Command && reading.Form == text.Whole {
				return "\x00" + command
			}
		}
	}
	return ""
}

// placeOf names a directory that calls start from; the root has no name.
func (r *Reader) placeOf(dir string) string {
	if dir == "" {
		return ""
	}
	if dir = r.paths.absolute(r.paths.slashes(dir), ""); dir == r.paths.root {
		return ""
	}
	return dir
}

// quote returns a pattern for name. Where "\" separates, a class stands for
// what it would escape.
func (r *Reader) quote(k Kind, name string) string {
	if k != Path || !r.paths.windows {
		return glob.Quote(name)
	}
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", "{", "[{]", "}", "[}]").Replace(name)
}
