package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/insomnia-run/permission/internal/visible"
)

// source returns the text of a manifest without the mark that editors put
// before it, if it is one that the decoder can be given.
func source(data []byte) (string, *Fault) {
	if len(data) > MaxSize {
		return "", &Fault{Err: fmt.Errorf("larger than %d bytes", MaxSize)}
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return "", &Fault{Err: errors.New("found UTF-16, want UTF-8")}
	}
	src := strings.TrimPrefix(string(data), "\ufeff")
	if i := invalid(src); i < len(src) {
		return "", &Fault{Line: lineAt(src, i), Err: fmt.Errorf("found the byte 0x%02x, want UTF-8", src[i])}
	}
	if i, ok := tooCostly(src); ok {
		return "", &Fault{Line: lineAt(src, i), Err: errors.New("too many keys that are nested or dotted this deeply")}
	}
	return src, nil
}

// invalid returns the offset of the first byte of s that is not UTF-8, or its
// length.
func invalid(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return i
		}
	}
	return len(s)
}

func lineAt(src string, offset int) int { return 1 + strings.Count(src[:offset], "\n") }

// decode returns the values of a document and its keys in their order.
func decode(src string) (values map[string]any, keys []toml.Key, fault *Fault) {
	defer func() {
		if r := recover(); r != nil { // the decoder panics at what its author calls a bug
			values, keys, fault = nil, nil, &Fault{Err: fmt.Errorf("not valid TOML: %s", visible.Text(visible.Panic(r)))}
		}
	}()
	meta, err := toml.Decode(src, &values)
	var pe toml.ParseError
	switch {
	case errors.As(err, &pe):
		return nil, nil, syntaxFault(src, pe)
	case err != nil:
		return nil, nil, &Fault{Err: err}
	}
	return values, meta.Keys(), nil
}

// syntaxFault says where a document is not TOML, and why.
//
// The line is that of the error's last byte: the decoder's own is one less at
// the end of the file and in files with CRLF, and one more after an unfinished
// header. Of a string of several lines only the first is certain.
func syntaxFault(src string, pe toml.ParseError) *Fault {
	start := min(max(pe.Position.Start, 0), len(src))
	last := min(max(start+pe.Position.Len-1, start), len(src))
	line, where := lineAt(src, last), "at"
	if first := lineAt(src, start); first < line {
		line, where = first, "in the text that starts at"
	}
	message := strings.TrimSuffix(visible.Text(pe.Message), ".")
	if strings.HasPrefix(message, "Key ") || strings.HasPrefix(message, "Escaped ") || strings.HasPrefix(message, "Invalid ") {
		message = strings.ToLower(message[:1]) + message[1:]
	}
	err := fmt.Errorf("not valid TOML %s line %d: %s", where, line, message)
	if advice := advice(message, src[strings.LastIndexByte(src[:start], '\n')+1:start]); advice != "" {
		err = fmt.Errorf("%w: %s", err, advice)
	}
	return &Fault{Line: line, Err: err}
}

// advice says what may help with a syntax error, before which the line has the
// given text.
func advice(message, before string) string {
	const quotes = "text goes in double or single quotes"
	switch {
	case strings.Contains(message, "escape") || strings.Contains(message, "hexadecimal digits"):
		return `in double quotes \ starts an escape; single quotes keep it as it stands`
	case strings.HasPrefix(message, "expected value but found"),
		strings.HasPrefix(message, "expected a digit but got"),
		strings.HasPrefix(message, "floats must start with a digit"):
		return quotes
	case strings.HasPrefix(message, "expected a top-level item to end") && strings.Contains(before, "="):
		return quotes
	}
	return ""
}
