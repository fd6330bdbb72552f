package approve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
)

// How much is shown of an input, of which the parts that need the answer are
// shown whole besides.
const (
	maxMembers = 20
	maxName    = 40  // characters
	maxValue   = 300 // characters
	maxEnd     = 100 // of those, at the end
)

// input shows the input of the call, a row for each member: the parts that need
// an answer are not all that runs.
func (s *screen) input(r permission.Request) {
	if len(r.Call.Input) == 0 {
		return
	}
	members, ok := membersOf(r.Call.Input)
	switch {
	case !ok:
		s.row("input", valueOf(bytes.TrimSpace(r.Call.Input)))
		return
	case len(r.Subjects) == 1 && saysNoMore(members, r.Subjects[0]):
		return
	}
	label := "input"
	for i, m := range members {
		if i == maxMembers {
			s.row(label, fmt.Sprintf("and %d more, which are not shown", len(members)-i))
			break
		}
		s.row(label, nameOf(m.name)+": "+valueOf(m.value))
		label = ""
	}
}

// A member is one of an input's object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf returns the members of an object in their order. An input that is
// read to be judged is one.
func membersOf(input []byte) (members []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(input))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		token, _ := d.Token()
		name, is := token.(string)
		m := member{name: name}
		if !is || d.Decode(&m.value) != nil {
			return nil, false
		}
		members = append(members, m)
	}
	_, err := d.Token()
	return members, err == nil && !d.More()
}

// saysNoMore reports whether all of the input is the subject, in an argument
// that is no more than its kind says: what a "from" and a "to" are for, only
// their names do.
func saysNoMore(members []member, subject permission.Subject) bool {
	var text string
	return len(members) == 1 && slices.Contains(usualNames[subject.Kind], members[0].name) &&
		json.Unmarshal(members[0].value, &text) == nil && text == subject.Text
}

var usualNames = map[permission.Kind][]string{
	permission.Command: {"command", "cmd"},
	permission.Path:    {"path", "file_path", "filePath", "absolute_path", "absolutePath", "notebook_path"},
	permission.URL:     {"url"},
}

// nameOf returns a name as people are shown it.
func nameOf(name string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-.$@", r)
	}
	if name != "" && len(name) <= maxName && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return shortened(name, maxName, maxName/4, visible.QuoteWhole)
}

// valueOf returns a value as people are shown it: a string as it is where it
// cannot be taken for another value, any other as JSON without blanks.
func valueOf(value json.RawMessage) string {
	var text string
	if bytes.HasPrefix(value, []byte{'"'}) && json.Unmarshal(value, &text) == nil {
		show := visible.Plain
		if json.Valid([]byte(text)) || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			show = visible.QuoteWhole
		}
		return shortened(text, maxValue, maxEnd, show)
	}
	compact, err := jsontext.AppendFormat(nil, value, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return shortened(string(value), maxValue, maxEnd, visible.QuoteWhole)
	}
	return shortened(string(compact), maxValue, maxEnd, visible.Text)
}

// shortened returns s as show has it. Of one of more than limit characters it
// leaves out the middle and quotes the rest.
func shortened(s string, limit, end int, show func(string) string) string {
	n := utf8.RuneCountInString(s)
	if n <= limit {
		return show(s)
	}
	from, to := 0, len(s)
	for range limit - end {
		_, size := utf8.DecodeRuneInString(s[from:])
		from += size
	}
	for range end {
		_, size := utf8.DecodeLastRuneInString(s[:to])
		to -= size
	}
	return fmt.Sprintf("%s [%d characters left out] %s", visible.QuoteWhole(s[:from]), n-limit, visible.QuoteWhole(s[to:]))
}
