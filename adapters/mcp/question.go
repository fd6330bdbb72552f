package permissionmcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
)

// answerKey names the guard's question among the input requests of a result.
const answerKey = "permission"

const (
	// maxSubjects is how much of a call somebody can be expected to read. What
	// does not fit is not asked: nobody agrees to what was not shown.
	maxSubjects = 16 << 10
	// maxInput is how much of the rest is shown, such as the text of a file.
	maxInput = 4 << 10
)

// cannotAsk returns why a client with these capabilities cannot be asked.
func cannotAsk(c *mcp.ClientCapabilities) string {
	switch {
	case c == nil || c.Elicitation == nil:
		return "The client cannot be asked: it has not declared that it elicits answers from its user."
	case c.Elicitation.Form == nil && c.Elicitation.URL != nil:
		return "The client cannot be asked: it has declared that it elicits answers by URL alone."
	}
	return ""
}

// question returns what the user of a client is asked: yes or no, and nothing
// to fill in.
func question(r permission.Request) (*mcp.ElicitParams, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Run the tool %s?\n", visible(r.Call.Name))
	for _, s := range r.Subjects {
		fmt.Fprintf(&b, "- %v: %s\n", s.Kind, visible(s.Text))
	}
	if b.Len() > maxSubjects {
		return nil, errors.New("the call is too long for anybody to be asked about: split it")
	}
	fmt.Fprintf(&b, "Input: %s\nRule: %s", shown(r.Call.Input), reason(r.Decision))
	return &mcp.ElicitParams{
		Mode:            "form",
		Message:         b.String(),
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}, nil
}

// reason says why a call asks.
func reason(d permission.Decision) string {
	s := "none decides it"
	if d.Rule != nil {
		s = d.Rule.String()
	}
	switch {
	case d.Detail != "":
		s += ", and it could not be read: " + visible(d.Detail)
	case d.Rule != nil && d.Rule.Reason != "":
		s += ": " + visible(d.Rule.Reason)
	}
	return s
}

// shown returns an input on one line. Where it is long the middle is left out,
// which the text says.
func shown(input json.RawMessage) string {
	var b bytes.Buffer
	if len(input) == 0 || json.Compact(&b, input) != nil {
		return "none"
	}
	s := visible(b.String())
	if len(s) <= maxInput {
		return s
	}
	head, tail := s[:maxInput/2], s[len(s)-maxInput/2:]
	return fmt.Sprintf("%s [%d bytes are not shown] %s",
		strings.ToValidUTF8(head, ""), len(s)-maxInput, strings.ToValidUTF8(tail, ""))
}

// visible returns s with every character escaped that would not show, or that
// would turn the text around it: the model may have written it.
func visible(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		if hidden(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func hidden(r rune) bool {
	const brailleBlank = '\u2800'
	return !unicode.IsPrint(r) || r == brailleBlank ||
		unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
