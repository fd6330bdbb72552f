// Package shell reads a command line into what it would do: the simple
// commands that it would run, wherever they stand, and the files that it would
// read and write by redirection. What cannot be known is a hole.
//
// It reads the line as the shell does that will run it. mvdan.cc/sh parses;
// where that parser and bash are known to differ, the line is in doubt: it gets
// a part that is one hole, beside everything that can be seen.
//
// A line goes this way:
//
//   - Most lines need no parser: Simple tells a single plain command, list.go
//     reads plain commands with operators between them, plain.go plain words.
//   - parse.go parses any other, doubt.go, with arithmetic.go and arrays.go, looks
//     for what bash may run besides, and facts.go and effects.go note in advance what
//     the line does to its own reading, such as which variables it sets once.
//   - walk.go and clauses.go go through the statements in their order, with
//     places.go for the directory, input.go for what is fed to whom, and assign.go and
//     counters.go for the variables that are known.
//   - word.go, build.go, braces.go, param.go and output.go expand the words.
//   - command.go makes a Part of a command, with a spelling for each variant.
//   - unwrap.go, with option.go, handed.go and the tables of wrappers beside it,
//     finds the commands in its arguments, holds.go, git.go and programs.go those
//     that options, settings and variables name, and codes.go the texts there that
//     are code: all of them go through the same again.
//   - zsh.go, zshexpand.go and zshcommand.go tell where zsh reads a text otherwise.
package shell

import (
	"hash/maphash"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/insomnia-run/permission/internal/text"
)

// The limits of one line. What is over one of them adds a hole and never keeps
// a rule from being looked at.
const (
	maxLine     = 64 << 10 // bytes
	maxParts    = 4096
	maxTexts    = 256 << 10 // bytes of all parts
	maxReparse  = 12        // texts in texts that are code
	maxLayers   = 40        // commands that run commands
	maxHoled    = 16 << 10  // characters of a text with holes
	holeCost    = 15        // what a hole counts for, beside one
	maxSteps    = 1 << 16   // statements and words, those of a loop once for each of its words
	nodesInStep = 16        // of the syntax, which are quicker to look at
	maxWords    = 1024      // of one brace expansion
	braceCost   = 15        // steps for each word that braces make
	braceSize   = 1 << 15   // steps of one brace expansion
	maxBraces   = 16        // open at once
	maxValue    = 16 << 10  // bytes of a variable that is known
	bytesInStep = 16        // of the values of variables that are put into words
	maxRepairs  = 8         // parses of one text
	maxCuts     = 4         // lines at its end that cannot be parsed
	maxParens   = 300       // open at once inside arithmetic
	maxPrefixes = 16        // assignments before a command that are read by themselves
	maxNested   = 1000      // brackets that are open at once
)

// Kind says what a part of a line does. The zero value runs a command.
type Kind uint8

const (
	Command Kind = iota // runs a simple command
	Write               // writes a file
	Read                // reads a file
)

// A Part is one thing that a line does.
type Part struct {
	Kind Kind
	// Source is the part for people, as far as possible as it is written. Of a
	// file it has the sign of the redirection before it.
	Source string
	// Narrow and Wide are the ways to spell a command; a file has none. An allow
	// rule is matched with the narrow ones alone.
	Narrow, Wide []text.Text
	// Path is the file that is written or read, where it is known, and Dir the
	// directory that it starts from if that is not the call's. A Likely path is
	// no more than what a rule that refuses should hear of.
	Path, Dir string
	Likely    bool
	// Free parts need no rule that allows them beside other parts.
	Free bool
	// Fed commands are given an input by the line, in a document, from a file or
	// through a pipe.
	Fed bool
	// Entered, of the first part, are the directories that were taken to be
	// inside the root, by their letters.
	Entered []string
	// Unknown says why a part or some of it cannot be known.
	Unknown string
}

// Config says how lines are read. The zero value is bash without a home, in
// which every place is outside the root. It may be used concurrently, as far as
// its functions may.
type Config struct {
	Posix    bool
	Zsh      bool // read as bash does, and in doubt where zsh does otherwise
	Home     string
	Harmless func(name string) bool // whether a variable may be set before a command
	Inside   func(dir string) bool  // whether a directory is inside the root
	Fold     bool                   // whether programs are found by their name in another case
	Wrappers []string               // further programs that run the command in their arguments
	Parsers  *Parsers               // that may be used; may be nil
}

// walker returns one that has read nothing.
func (c Config) walker() walker {
	numbers := newNumbers()
	numbers.zsh = c.Zsh
	return walker{
		Config: c, zsh: c.Zsh, seed: maphash.MakeSeed(), streams: new(fileReads), steps: new(int),
		guesses: make(map[string]word), numbers: numbers,
	}
}

// Read returns what line does: at least one part.
func (c Config) Read(line string) []Part {
	if parts, ok := c.list(line); ok {
		return parts
	}
	return c.read(line)
}

// read is Read for any line.
func (c Config) read(line string) []Part {
	w := c.walker()
	if words, ok := plain(line); ok && !c.special(base(words[0].value)) && !(c.Zsh && slices.ContainsFunc(words, startsWithEquals)) {
		w.command(command{fields: words, source: strings.TrimSpace(line)})
	} else {
		w.line(line, syntax.LangBash, 0)
		if c.Posix { // many a sh is bash by another name
			w.line(line, syntax.LangPOSIX, 0)
		}
	}
	return w.finish()
}

// Arguments is Read for a command that is given as a list of its words.
func (c Config) Arguments(argv []string) []Part {
	w := c.walker()
	if len(argv) == 0 {
		return w.finish()
	}
	var fields []word
	for _, arg := range argv {
		f := known(arg)
		f.source = asWritten(arg)
		fields = append(fields, f)
	}
	source := written(fields)
	w.set(&doubter{numbers: w.numbers, doubt: func(why string) { w.unknown(source, why) }}, fields)
	w.command(command{fields: fields, source: source})
	return w.finish()
}

// asWritten returns a word in quotes if it needs them, so that people, and the
// grants that they give, tell one word with a blank from two.
func asWritten(word string) string {
	if word != "" && isPlain(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// finish adds what only the whole line tells, and returns the parts. Where none
// needs a rule of its own all do, and a line without any command is an empty
// one.
func (w *walker) finish() []Part {
	for _, src := range w.numbers.resolve() {
		w.unknown(restore(src), "arithmetic with a variable that may hold code: write the number")
	}
	for _, src := range w.numbers.expanded() {
		w.unknown(restore(src), "a value for an array that the shell expands: write its elements in parentheses")
	}
	if len(w.parts) > 0 {
		w.parts[0].Entered = w.reached()
	}
	idle := true // nothing is run, and nothing written
	for _, p := range w.parts {
		if !p.Free {
			return w.parts
		}
		idle = idle && p.Kind == Read
	}
	if idle {
		return append(w.parts, Part{Narrow: []text.Text{{}}})
	}
	for i := range w.parts {
		if w.parts[i].Kind != Read {
			w.parts[i].Free = false
		}
	}
	return w.parts
}
