package skill

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// file returns a SKILL.md with lines of front matter.
func file(lines ...string) []byte {
	return []byte("---\nname: demo\n" + strings.Join(lines, "\n") + "\n---\nBody.\n")
}

// report writes faults one a line, as LINE KEY: ERROR.
func report(faults []Fault) []string {
	var all []string
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%d %s: %v", f.Line, f.Key, f.Err))
	}
	return all
}

// A skill whose author meant to restrict it must never load without limit.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		data    []byte
		mention string
	}{
		"underscore":      {file("allowed_tools: Read"), `3 allowed_tools: unknown key: did you mean "allowed-tools"?`},
		"camel case":      {file("allowedTools: Read"), `allowedTools: unknown key: did you mean "allowed-tools"?`},
		"title case":      {file("Allowed-Tools: Read"), `Allowed-Tools: unknown key: did you mean "allowed-tools"?`},
		"singular":        {file("allowed-tool: Read"), `allowed-tool: unknown key: did you mean "allowed-tools"?`},
		"two words":       {file("allowed tools: Read"), "unknown key"},
		"short":           {file("allow-tools: Read"), "unknown key"},
		"shorter":         {file("allow-tool: Read"), "unknown key"},
		"longer":          {file("allowed-tools-list: Read"), "unknown key"},
		"prefix":          {file("x-allowed-tools: Read"), "unknown key"},
		"turned":          {file("toolAllowlist: Read"), "unknown key"},
		"letters swapped": {file("alowled-tools: Read"), "unknown key"},
		"look-alike":      {file("аllowed-tools: Read"), "unknown key"}, // the а is Cyrillic
		"zero width":      {file("allowed-\u200btools: Read"), `allowed-\u200btools: unknown key`},
		"odd hyphen":      {file("allowed\u2011tools: Read"), "unknown key"},
		"blank in quotes": {file(`"allowed-tools ": Read`), "unknown key"},
		"both":            {file("allowed-tools: Read", "allowed_tools: Write"), "4 allowed_tools: unknown key"},

		"null in a word":    {file("allowed-tools: Null"), "found null, not a string"},
		"number":            {file("allowed-tools: 7"), "found a number, not a string"},
		"date":              {file("allowed-tools: 2026-01-01"), "found a date, not a string"},
		"mapping":           {file("allowed-tools: {Read: true}"), "found a mapping, not a string"},
		"item is a number":  {file("allowed-tools: [Read, 0.5]"), "allowed-tools[2]: found a number, not a string"},
		"name is a list":    {[]byte("---\nname: [a]\n---\n"), "2 name: found a list, not a string"},
		"key is a list":     {file("? [allowed-tools]", ": Read"), "found a list as a key, want a string"},
		"key is a number":   {file("7: x"), "found a number as a key, want a string"},
		"root is a string":  {[]byte("---\nallowed-tools\n---\n"), "front matter is a string, want a mapping"},
		"root is missing":   {[]byte("---\n# nothing\n---\n"), "front matter is null, want a mapping"},
		"unfilled template": {file("{{FIELDS}}"), "YAML"},

		"anchor":           {file("allowed-tools: &t Read"), "3 : found the anchor &t"},
		"anchor on a key":  {file("&k allowed-tools: Read"), "found the anchor &k"},
		"alias as a key":   {file("x: &k allowed-tools", "*k : Read"), "4 : found the alias *k"},
		"alias":            {file("x: &t Read", "allowed-tools: *t"), "4 : found the alias *t"},
		"alias below":      {file("metadata:", "  a: &a [1]", "  b: [*a]"), "5 : found the alias *a"},
		"unknown alias":    {file("allowed-tools: *t"), "unknown anchor"},
		"merge key":        {file("<<: {allowed-tools: Read}"), "3 : found the merge key"},
		"merge key below":  {file("metadata: {<<: {a: b}}"), "found the merge key"},
		"tag":              {file("allowed-tools: !!str Read"), `3 : found the tag "!!str"`},
		"tag on a list":    {file("allowed-tools: !!seq [Read]"), `found the tag "!!seq"`},
		"tag on a key":     {file("!!str allowed-tools: Read"), `found the tag "!!str"`},
		"tag at the root":  {[]byte("---\n!!map {name: x}\n---\n"), `found the tag "!!map"`},
		"tag below":        {file("metadata: {a: !x b}"), `found the tag "!x"`},
		"duplicate":        {file("allowed-tools: Read", "license: x", `"allowed-tools": Write`), "5 allowed-tools: duplicate key: it is on line 3 too"},
		"duplicate name":   {file("name: other"), "3 name: duplicate key: it is on line 2 too"},
		"duplicate below":  {file("metadata: {a: 1, b: {c: 1, c: 2}}"), "c: duplicate key"},
		"explicit key too": {file("? allowed-tools", ": Read", "allowed-tools: Write"), "duplicate key"},

		"second document":      {file("--- # more", "allowed-tools: Read"), "second YAML document"},
		"after a document end": {file("...", "# none", "allowed-tools: Read"), "not valid YAML"},
		"directive":            {file("%YAML 1.2"), "not valid YAML"},
		"unclosed quote":       {file(`description: "x`, "allowed-tools: Read"), "not valid YAML: near line"},
		"indented field":       {file("description: x", "  allowed-tools: Read"), "not valid YAML"},
		"control character":    {file("allowed-tools: Re\x07ad"), "not valid YAML"},
		"NUL":                  {file("x: y\x00", "allowed-tools: Read"), "not valid YAML"},

		"nothing":           {nil, "no front matter"},
		"only the mark":     {[]byte("\ufeff"), "no front matter"},
		"one delimiter":     {[]byte("---\nallowed-tools: Read\n"), "no front matter"},
		"only a delimiter":  {[]byte("---"), "no front matter"},
		"not at the top":    {[]byte("\n---\nname: x\n---\n"), "no front matter"},
		"two marks":         {[]byte("\ufeff\ufeff---\nname: x\n---\n"), "no front matter"},
		"four dashes":       {[]byte("----\nname: x\n----\n"), "no front matter"},
		"indented":          {[]byte("---\nname: x\n ---\n"), "no front matter"},
		"carriage returns":  {[]byte("---\rname: x\r---\r"), "no front matter"},
		"not UTF-8":         {file("allowed-tools: Read", "x: \xff"), "0 : found bytes that are not UTF-8"},
		"body is not UTF-8": {append(file(), 0xfe), "not UTF-8"},
		"UTF-16":            {[]byte("\xff\xfe-\x00-\x00-\x00"), "not UTF-8"},
		"front matter size": {file("x: " + strings.Repeat("y", 64<<10)), "65536 bytes"},
		"file size":         {append(file(), make([]byte, 1<<20)...), "larger than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			doc, faults := Read(tt.data)
			assert.Nil(t, doc)
			assert.Contains(t, strings.Join(report(faults), "\n"), tt.mention)
		})
	}
}

func TestRead(t *testing.T) {
	for name, data := range map[string][]byte{
		"nothing after it":       []byte("---\nallowed-tools: Read\n---"),
		"delimiter in the body":  append(file("allowed-tools: Read"), "---\nallowed_tools: Write\n---\n"...),
		"field in a text":        file("description: |", "  allowed_tools: Write", "  ---", "allowed-tools: Read"),
		"flow mapping":           []byte("---\n{name: demo, allowed-tools: [Read]}\n---\n"),
		"explicit key":           file("? allowed-tools", ": Read"),
		"blank before the colon": file("allowed-tools : Read"),
		"list not indented":      file("allowed-tools:", "- Read"),
		"empty items":            file(`allowed-tools: ["", Read, ","]`),
		"lines that CR ends":     []byte("---\nname: demo\rallowed-tools: Read\n---\n"),
		"without a name":         []byte("---\nallowed-tools: Read\n---\n"),
		"other null values":      file("license:", "metadata: ~", "allowed-tools: Read"),
		"the same key elsewhere": file("metadata: {name: x, allowed-tools: Write}", "allowed-tools: Read"),
	} {
		t.Run(name, func(t *testing.T) {
			doc, faults := Read(data)
			require.Empty(t, report(faults))
			assert.False(t, doc.Unrestricted)
			require.Len(t, doc.Entries, 1)
			assert.Equal(t, "Read", doc.Entries[0].Tool)
			assert.Equal(t, "*", doc.Entries[0].Pattern)
		})
	}
}
