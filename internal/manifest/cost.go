package manifest

import "strings"

// The decoder keeps the whole path of every key, and for a dotted key that of
// each of its parts, so that 40 KB of dots or nested braces would take
// gigabytes. What it would keep is therefore counted first. A full manifest of
// common shape costs a twentieth of what is allowed.
const (
	maxCost  = 32 << 20 // bytes of paths
	partCost = 16       // bytes for one part of a path, beside its text
)

// tooCostly reports whether the paths of the keys in src are more than the
// decoder is given, and before which offset.
func tooCostly(src string) (offset int, ok bool) {
	c := counter{src: src}
	for c.pos < len(src) && c.cost <= maxCost {
		c.step()
	}
	return c.pos, c.cost > maxCost
}

// counter adds up the paths of the keys of a document. It knows as much of
// TOML as it takes to tell keys from strings and comments; what else it counts
// is of no weight. After a syntax error it may count anything, for the decoder
// stops there.
type counter struct {
	src  string
	pos  int
	cost int

	start int   // of the current key
	parts int   // of the current key, so far
	base  int   // the path of the table that the current key is in
	outer []int // the paths of the tables around it
	begun bool  // the current line has more than blanks before pos
}

func (c *counter) step() {
	switch ch := c.src[c.pos]; ch {
	case '#':
		c.pos = c.lineEnd()
		return
	case '"', '\'':
		c.begun = true
		c.pos += stringLen(c.src[c.pos:])
		return
	case '[', '{':
		if len(c.outer) == 0 && !c.begun {
			c.header()
			return
		}
		c.outer = append(c.outer, c.base)
		c.base += c.part()
		c.cost += c.base
		c.next()
	case ']', '}':
		if n := len(c.outer); n > 0 {
			c.base, c.outer = c.outer[n-1], c.outer[:n-1]
		}
		c.next()
	case '.', '=':
		c.parts++
		c.cost += c.base + c.part()
	case ',':
		c.next()
	case '\n':
		if len(c.outer) == 0 {
			c.next()
			c.begun = false
		}
	case ' ', '\t', '\r':
	default:
		c.begun = true
	}
	c.pos++
}

// part returns the cost of the current key.
func (c *counter) part() int { return c.pos - c.start + partCost*(c.parts+1) }

// next starts a key behind the current character.
func (c *counter) next() { c.start, c.parts = c.pos+1, 0 }

// header reads a table's header.
func (c *counter) header() {
	end := c.lineEnd()
	parts := 1 + strings.Count(c.src[c.pos:end], ".")
	c.base = end - c.pos + partCost*parts
	c.cost += c.base * parts
	c.pos = end
}

func (c *counter) lineEnd() int {
	if n := strings.IndexByte(c.src[c.pos:], '\n'); n >= 0 {
		return c.pos + n
	}
	return len(c.src)
}

// stringLen returns the length of the string, of any of the four forms, that s
// starts with.
func stringLen(s string) int {
	quote, i := s[:1], 1
	long := strings.HasPrefix(s, strings.Repeat(quote, 3))
	if long {
		quote, i = s[:3], 3
	}
	for i < len(s) {
		switch {
		case s[i] == '\\' && quote[0] == '"':
			i++
		case s[i] == '\n' && !long:
			return i
		case strings.HasPrefix(s[i:], quote):
			i += len(quote)
			for n := 0; long && n < 2 && i < len(s) && s[i] == quote[0]; n++ {
				i++ // a long string may end in two quotes of its own
			}
			return i
		}
		i++
	}
	return len(s)
}
