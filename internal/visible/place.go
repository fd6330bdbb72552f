package visible

import "strconv"

// Place returns file:line, as far as that is known: a file is not where it is
// empty, nor a line where it is 0. Nothing is known of neither.
func Place(file string, line int) string {
	switch {
	case line == 0:
		return file
	case file == "":
		return "line " + strconv.Itoa(line)
	}
	return file + ":" + strconv.Itoa(line)
}
