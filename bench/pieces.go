package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/insomnia-run/permission/internal/glob"
)

// A piece is a part of a glob without alternatives, in the terms in which it
// is put to engines that have other patterns.
type piece struct {
	kind pieceKind
	text string // plain characters, or a class as it is written
}

type pieceKind uint8

const (
	plain pieceKind = iota
	star
	one
	class
)

// piecesOf returns the pieces of each alternative of a pattern.
func piecesOf(pattern string) ([][]piece, error) {
	alts, err := glob.Expand(pattern)
	if err != nil {
		return nil, err
	}
	all := make([][]piece, len(alts))
	for i, alt := range alts {
		all[i] = pieces(alt)
	}
	return all, nil
}

// pieces cuts an alternative, which is valid and has no escape in a class.
func pieces(alt string) []piece {
	var all []piece
	for alt != "" {
		p, n := piece{kind: plain}, 1
		switch alt[0] {
		case '*':
			p.kind = star
		case '?':
			p.kind = one
		case '[':
			n = strings.IndexByte(alt, ']') + 1
			p = piece{class, alt[:n]}
		case '\\':
			_, size := utf8.DecodeRuneInString(alt[1:])
			n += size
			p.text = alt[1:n]
		default:
			_, n = utf8.DecodeRuneInString(alt)
			p.text = alt[:n]
		}
		if last := len(all) - 1; p.kind == plain && last >= 0 && all[last].kind == plain {
			all[last].text += p.text
		} else {
			all = append(all, p)
		}
		alt = alt[n:]
	}
	return all
}

// A test is one that every policy language has for texts, for whole a
// comparison.
type test uint8

const (
	other test = iota // none of the following
	whole
	starts
	ends
	contains
)

// testOf returns the test that an alternative is, and for which text.
func testOf(ps []piece) (test, string) {
	var shape strings.Builder
	text := ""
	for _, p := range ps {
		switch p.kind {
		case star:
			shape.WriteByte('*')
		case plain:
			shape.WriteByte('a')
			text = p.text
		default:
			return other, ""
		}
	}
	switch shape.String() {
	case "a":
		return whole, text
	case "a*":
		return starts, text
	case "*a":
		return ends, text
	case "*a*":
		return contains, text
	}
	return other, ""
}

// expression returns an alternative as a regular expression, in which a dot is
// any character.
func expression(ps []piece) string {
	var b strings.Builder
	for _, p := range ps {
		switch p.kind {
		case star:
			b.WriteString(".*")
		case one:
			b.WriteString(".")
		case class:
			b.WriteString(strings.Replace(p.text, "[!", "[^", 1))
		default:
			b.WriteString(regexp.QuoteMeta(p.text))
		}
	}
	return b.String()
}

// members returns the characters of a class that is not negated.
func members(class string) ([]string, error) {
	inner := []rune(class[1 : len(class)-1])
	if inner[0] == '!' {
		return nil, fmt.Errorf("%s: a class of what is left out", class)
	}
	if len(inner) != 3 || inner[1] != '-' {
		return strings.Split(string(inner), ""), nil
	}
	var all []string
	for r := inner[0]; r <= inner[2]; r++ {
		all = append(all, string(r))
	}
	return all, nil
}

// unclassed returns an alternative as several without classes.
func unclassed(ps []piece) ([][]piece, error) {
	all := [][]piece{nil}
	for _, p := range ps {
		options := []piece{p}
		if p.kind == class {
			chars, err := members(p.text)
			if err != nil {
				return nil, err
			}
			options = nil
			for _, c := range chars {
				options = append(options, piece{plain, c})
			}
		}
		var next [][]piece
		for _, before := range all {
			for _, o := range options {
				next = append(next, append(before[:len(before):len(before)], o))
			}
		}
		all = next
	}
	return all, nil
}
