package shell

import (
	"strings"

	"github.com/insomnia-run/permission/internal/text"
)

// parsed is what a wrapper makes of its arguments.
type parsed struct {
	inner   []word
	assigns []assignment
	texts   []word // for a shell
	own     []word // commands of the program itself
	doubt   bool   // some option is not known
	shifts  bool   // an operand may be an option, and the command start later
	heavy   bool   // some option needs a rule
	replace string
	program *word // that an option names

	forSSH   []word // settings
	programs []word // that run with words that nobody knows
}

// parse finds the command in the arguments of a wrapper.
func (t wrapper) parse(fields []word) parsed {
	p := parsed{doubt: t.unsure}
	if t.behind != "" {
		t.marked(&p, fields)
		if t.ssh {
			t.behindHost(&p)
		}
		return p
	}
	if t.whole {
		p.inner = fields[min(1+t.operands, len(fields)):]
		return p
	}
	if t.placed(&p, fields) {
		return p
	}
	left := t.operands
	for i := 1; i < len(fields); i++ {
		f := fields[i]
		switch {
		case t.each && (!f.static || !strings.HasPrefix(f.value, "-")):
			p.texts = append(p.texts, f)
			continue
		case t.each && f.value == "--":
			p.texts = append(p.texts, fields[i+1:]...)
			return p
		case !f.static && !namesOption(f):
			p.doubt = p.doubt || left > 0 && f.several()
			p.shifts = p.shifts || left > 0 && mayBeOption(f)
		case f.value == "--" && t.operands == allOperands:
			continue // the shell that it starts takes what follows for options
		case f.value == "--":
			t.behindDashes(&p, fields[i+1:], left)
			return p
		case f.value == "-" && t.assigns:
			continue // env - is env -i
		case t.numeric && len(f.value) > 1 && (f.value[0] == '-' || f.value[0] == '+') && strings.Trim(f.value[1:], "-0123456789") == "":
			continue
		case strings.HasPrefix(leading(f), "--"):
			i += t.longOption(&p, fields[i:])
			continue
		case len(f.value) > 1 && f.value[0] == '-':
			i += t.shortOptions(&p, fields[i:])
			continue
		case t.assignment(&p, f):
			continue
		}
		if left == 0 {
			p.inner = fields[i:]
			return p
		}
		if left--; left == 0 && t.ends && !p.shifts {
			p.inner = fields[i+1:]
			return p
		}
	}
	return p
}

// placed reads the arguments of a wrapper that has another way to say where
// the command stands, if it has one.
func (t wrapper) placed(p *parsed, fields []word) bool {
	switch {
	case t.only:
		p.doubt = false // what is not known before it hides no option
		t.picked(p, fields)
	case t.behind != "":
		t.marked(p, fields)
		if t.ssh {
			t.behindHost(p)
		}
	case t.whole:
		p.inner = fields[min(1+t.operands, len(fields)):]
	default:
		return false
	}
	return true
}

// namesOption reports whether a word is one long option of which only the value
// is not known.
func namesOption(f word) bool {
	if f.static || f.several() {
		return false
	}
	name, _, ok := strings.Cut(leading(f), "=")
	return ok && len(name) > 2 && strings.HasPrefix(name, "--")
}

// marked reads the arguments of a wrapper up to a word behind which the command
// stands.
func (t wrapper) marked(p *parsed, fields []word) {
	for i := 1; i < len(fields); i++ {
		f := fields[i]
		p.doubt = p.doubt || f.several()
		if has(t.behind, f.value) {
			p.inner = fields[i+1:]
			return
		}
		option, value, joined := strings.Cut(f.value, "=")
		switch name := strings.TrimLeft(option, "-"); {
		case len(f.value) > 2 && f.value[0] == '-' && !has(t.text, name) && has(t.text, f.value[1:2]):
			p.texts = append(p.texts, known(f.value[2:]))
		case name == option || t.textOption(name, strings.HasPrefix(option, "--")) == "":
		case joined:
			p.texts = append(p.texts, known(value))
		case i+1 < len(fields):
			i++
			p.texts = append(p.texts, fields[i])
		}
	}
}

// assignment reads NAME=value before the command, whatever the name: env asks
// for no more.
func (t wrapper) assignment(p *parsed, f word) bool {
	name, value, ok := strings.Cut(f.value, "=")
	if !ok || !t.assigns || !f.static {
		return false
	}
	p.assigns = append(p.assigns, assignment{name: name, value: known(value), plain: true})
	return true
}

// behindDashes reads what stands behind --: no options, but all the rest.
func (t wrapper) behindDashes(p *parsed, fields []word, left int) {
	fields = fields[min(left, len(fields)):]
	for len(fields) > 0 && t.assignment(p, fields[0]) {
		fields = fields[1:]
	}
	p.inner = fields
}

// counts reports whether a word is no more than known characters and digits.
func counts(f word) bool {
	for _, h := range f.text.All() {
		if h != 0 && h != text.Digits && h != text.Number {
			return false
		}
	}
	return true
}

func has(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// longOption reads --name or --name=value and returns how many further words
// it takes.
func (t wrapper) longOption(p *parsed, fields []word) int {
	name, value, joined := strings.Cut(leading(fields[0])[2:], "=")
	p.heavy = p.heavy || has(t.heavy, name)
	inside := known(value)
	if !fields[0].static {
		inside = behindEquals(fields[0])
	}
	switch {
	case has(t.switches, name):
		return 0
	case has(t.joined, name):
		if name == "replace" && !joined {
			inside = known("{}")
		}
		t.value(p, name, inside)
		return 0
	case !has(t.long, name):
		p.doubt = p.doubt || !t.glued
		return 0
	case joined:
		t.value(p, name, inside)
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
			p.doubt = p.doubt || !t.glued
		}
	}
	return 0
}

// mayPipe reports whether the name of a file may be a command that strace pipes
// into.
func mayPipe(v word) bool {
	start := leading(v)
	return start == "" && !v.static || start != "" && (start[0] == '|' || start[0] == '!')
}

func (t wrapper) value(p *parsed, name string, v word) {
	p.doubt = p.doubt || v.several()
	switch {
	case has(t.starter, name):
		p.program = &v
	case has(t.own, name):
		p.own = append(p.own, v)
	case has(t.text, name):
		p.texts = append(p.texts, v)
	case has(t.forSSH, name):
		p.forSSH = append(p.forSSH, v)
	case has(t.programs, name):
		p.programs = append(p.programs, v)
	case has(t.pipes, name) && !v.static && mayPipe(v):
		p.doubt = true
	case has(t.pipes, name) && v.static && mayPipe(v):
		p.texts = append(p.texts, known(v.value[1:]))
	case has(t.sets, name):
		if n, value, ok := strings.Cut(v.value, "="); ok && v.static {
			p.assigns = append(p.assigns, assignment{name: n, value: known(value), plain: true})
		}
	case t.appends && (name == "I" || name == "replace" || name == "J"):
		p.replace = v.value
		p.doubt = p.doubt || !v.static
	}
}
