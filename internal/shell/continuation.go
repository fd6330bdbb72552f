package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// continuationsFit reports whether every backslash before a line end stands
// where the parser and bash agree about it. bash joins the lines before it
// looks for words.
func continuationsFit(f *syntax.File, src string) bool {
	if !strings.Contains(src, "\\\n") {
		return true
	}
	places := placesOf(f, len(src))
	for i := 0; i+1 < len(src); i++ {
		if src[i] == '\\' && src[i+1] == '\n' && places[i] != inert && !escaped(src, i) && !continuationFits(src, i, places[i] == document) {
			return false
		}
	}
	return true
}

// escaped reports whether the backslash at i is itself escaped.
func escaped(src string, i int) bool {
	n := 0
	for j := i - 1; j >= 0 && src[j] == '\\'; j-- {
		n++
	}
	return n%2 == 1
}

func continuationFits(src string, i int, inDoc bool) bool {
	if i == 0 {
		return false
	}
	before := src[i-1]
	if before == ' ' {
		return true
	}
	if inDoc {
		return false
	}
	after := byte(0)
	if i+2 < len(src) {
		after = src[i+2]
	}
	if before == '\t' || after == 0 || after == ' ' || after == '\t' {
		return true
	}
	pair := src[max(0, i-2):i]
	return (pair == "&&" || pair == "||") && !strings.ContainsRune("&|;<>()", rune(after))
}

// A place says what a backslash before a line end is there.
type place uint8

const (
	code     place = iota
	document       // a continuation, but blanks count
	inert          // none
)

// placesOf returns the place of each byte of the source.
func placesOf(f *syntax.File, size int) []place {
	places := make([]place, size)
	mark := func(n syntax.Node, as place) {
		for i := int(n.Pos().Offset()); i < min(int(n.End().Offset()), size); i++ {
			places[i] = max(places[i], as)
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.SglQuoted, *syntax.Comment:
			mark(n, inert)
		case *syntax.Redirect:
			if n.Hdoc == nil || len(n.Hdoc.Parts) == 0 {
				break
			}
			if quotedDelimiter(n.Word) {
				mark(n.Hdoc, inert)
			} else {
				mark(n.Hdoc, document)
			}
		}
		return true
	})
	return places
}
