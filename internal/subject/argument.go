package subject

import (
	"slices"
	"strconv"
	"strings"
)

// texts returns what an argument holds: strings and, for a command, lists of
// words. All spellings count, and those that stand side by side must agree.
// Where lax, an item of a list may lack the member that holds the value. A
// string by itself is put into room.
func (a *argument) texts(in *value, lax bool, room *[1]string) (texts []string, lists [][]string, err error) {
	var first *member
	for i := range in.members {
		m := &in.members[i]
		switch {
		case !slices.Contains(a.names, m.name) || m.kind == kindNull && !a.required:
			continue
		case first != nil && !first.equal(&m.value):
			return nil, nil, malformed("arguments %q and %q are two spellings of one, with different values", first.name, m.name)
		}
		first = m
	}
	if first == nil {
		if a.required {
			return nil, nil, misnamed("argument %q is missing", a.names[0])
		}
		return nil, nil, nil
	}
	if !a.required && a.kind == Path && first.kind == kindString && first.text == "" {
		return nil, nil, nil // as good as missing
	}
	if first.kind == kindString && a.each == nil {
		room[0] = first.text
		return room[:], nil, nil
	}
	texts, lists, err = a.list(&first.value, lax)
	if err != nil {
		return nil, nil, malformed("argument %q: %v", first.name, err)
	}
	return texts, lists, nil
}

// list returns the texts in v, which has to be a list of them.
func (a *argument) list(v *value, lax bool) (texts []string, lists [][]string, err error) {
	switch {
	case v.kind != kindList:
		return nil, nil, malformed("want %s, found %s", a.wants(), v.article())
	case len(v.items) == 0:
		return nil, nil, malformed("an empty list")
	}
	for i := range v.items {
		item := &v.items[i]
		if a.each != nil {
			if item, err = a.member(item, i); err != nil {
				return nil, nil, err
			}
			if lax && item.kind == kindNull {
				continue
			}
		}
		if item.kind != kindString {
			return nil, nil, malformed("item %d: want a string, found %s", i+1, item.article())
		}
		texts = append(texts, item.text)
	}
	if a.kind == Command {
		return nil, [][]string{texts}, nil
	}
	return texts, nil, nil
}

// spelt returns the name that the argument has in the call.
func (a *argument) spelt(in *value) string {
	for i := range in.members {
		if name := in.members[i].name; slices.Contains(a.names, name) {
			return name
		}
	}
	return a.names[0]
}

// wants says in an error what the argument should be.
func (a *argument) wants() string {
	if a.each != nil {
		return "a list of objects"
	}
	return "a string or a list of strings"
}

// member returns the member of an item that holds the value, or null.
func (a *argument) member(item *value, i int) (*value, error) {
	if item.kind != kindObject {
		return nil, malformed("item %d: want an object, found %s", i+1, item.article())
	}
	if err := checkSpelling(item, a.each); err != nil {
		return nil, err
	}
	var found *value
	for j := range item.members {
		m := &item.members[j]
		if !slices.Contains(a.each, m.name) {
			continue
		}
		if found != nil && !found.equal(&m.value) {
			return nil, malformed("item %d: two spellings of %q with different values", i+1, a.each[0])
		}
		found = &m.value
	}
	if found == nil {
		return &value{kind: kindNull}, nil
	}
	return found, nil
}

// equal reports whether v and o are the same value.
func (v *value) equal(o *value) bool {
	return v.kind == o.kind && v.text == o.text &&
		slices.EqualFunc(v.items, o.items, func(a, b value) bool { return a.equal(&b) }) &&
		slices.EqualFunc(v.members, o.members, func(a, b member) bool { return a.name == b.name && a.equal(&b.value) })
}

// checkNames refuses a name that some decoders take for one that t reads,
// though it is spelt otherwise.
func (t *tool) checkNames(in *value) error {
	for i := range in.members {
		name := in.members[i].name
		if t.settled[name] {
			continue
		}
		for _, names := range t.spellings() {
			if err := checkName(name, names); err != nil {
				return err
			}
		}
	}
	return nil
}

// spellings returns the lists of names that t reads.
func (t *tool) spellings() [][]string {
	lists := [][]string{t.dir, t.widen, t.free}
	for i := range t.args {
		lists = append(lists, t.args[i].names)
	}
	return lists
}

// settle notes the names that t reads and that nobody takes for others.
func (t *tool) settle() {
	t.settled = make(map[string]bool)
	lists := t.spellings()
	for _, name := range slices.Concat(lists...) {
		t.settled[name] = !slices.ContainsFunc(lists, func(names []string) bool { return checkName(name, names) != nil })
	}
}

// checkSpelling is checkNames for one list of names.
func checkSpelling(in *value, names []string) error {
	for i := range in.members {
		if err := checkName(in.members[i].name, names); err != nil {
			return err
		}
	}
	return nil
}

// checkName returns an error for a name that is spelt like one of names, but not
// as any of them.
func checkName(name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	plain := bare(name)
	j := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(bare(n), plain) })
	if j >= 0 {
		return misnamed("an argument is spelt otherwise than %q, and some readers take it for that", names[j])
	}
	return nil
}

// bare returns a name without what decoders that mind no case may not mind
// either.
func bare(name string) string {
	if !strings.ContainsAny(name, "_-") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "_", ""), "-", "")
}

func quote(s string) string { return strconv.Quote(s) }
