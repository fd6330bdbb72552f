package visible

import "fmt"

// Panic returns what a panic says. Its value may be of a type whose own text
// panics, and once more while fmt tells of that, which fmt lets out.
func Panic(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", v)
		}
	}()
	return fmt.Sprint(v)
}
