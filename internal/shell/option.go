package shell

import (
	"slices"
	"strings"
)

// parsed is what a wrapper makes of its arguments.
type parsed struct {
	inner   []word
	assigns []assignment
	text    *word // for a shell
	doubt   bool  // some option is not known
	heavy   bool  // some option needs a rule
	replace string
}

// parse finds the command in the arguments of a wrapper.
func (t wrapper) parse(fields []word) parsed {
	var p parsed
	left := t.operands
	i := 1
	for ; i < len(fields); i++ {
		f := fields[i]
		switch {
		case !f.static:
			if left == 0 {
				p.inner = fields[i:]
				return p
			}
			p.doubt = p.doubt || f.several()
			left--
			continue
		case f.value == "--":
			i++
			t.skipOperands(fields, &i, left)
			p.inner = fields[min(i, len(fields)):]
			return p
		case t.numeric && len(f.value) > 1 && (f.value[0] == '-' || f.value[0] == '+') && strings.Trim(f.value[1:], "-0123456789") == "":
			continue
		case strings.HasPrefix(f.value, "--"):
			i += t.longOption(&p, fields[i:])
			continue
		case len(f.value) > 1 && f.value[0] == '-':
			i += t.shortOptions(&p, fields[i:])
			continue
		case t.assigns && strings.Contains(f.value, "="): // whatever the name: env asks for no more
			name, value, _ := strings.Cut(f.value, "=")
			p.assigns = append(p.assigns, assignment{name: name, value: known(value), plain: true})
			continue
		}
		if left == 0 {
			p.inner = fields[i:]
			return p
		}
		left--
	}
	return p
}

func (t wrapper) skipOperands(fields []word, i *int, left int) {
	for ; left > 0 && *i < len(fields); left-- {
		*i++
	}
}

func has(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// longOption reads --name or --name=value and returns how many further words
// it takes.
func (t wrapper) longOption(p *parsed, fields []word) int {
	name, value, joined := strings.Cut(fields[0].value[2:], "=")
	p.heavy = p.heavy || has(t.heavy, name)
	switch {
	case has(t.switches, name):
		return 0
	case !has(t.long, name):
		p.doubt = true
		return 0
	case joined:
		t.value(p, name, known(value))
		return 0
	case len(fields) > 1:
		t.value(p, name, fields[1])
	}
	return 1
}

// shortOptions reads a cluster of short options.
func (t wrapper) shortOptions(p *parsed, fields []word) int {
	for j, c := range fields[0].value[1:] {
		name := string(c)
		p.heavy = p.heavy || has(t.heavy, name)
		switch rest := fields[0].value[1+j+len(name):]; {
		case strings.Contains(t.values, name) && rest != "":
			t.value(p, name, known(rest))
			return 0
		case strings.Contains(t.values, name):
			if len(fields) > 1 {
				t.value(p, name, fields[1])
			}
			return 1
		case !strings.Contains(t.flags, name):
			p.doubt = true
		}
	}
	return 0
}

func (t wrapper) value(p *parsed, name string, v word) {
	p.doubt = p.doubt || v.several()
	switch {
	case has(t.text, name):
		p.text = &v
	case t.appends && (name == "I" || name == "replace" || name == "J"):
		p.replace = v.value
		p.doubt = p.doubt || !v.static
	}
}
