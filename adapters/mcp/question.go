package permissionmcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/visible"
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

// question returns what the user of a client is asked about a call of a tool:
// yes or no, and nothing to fill in.
//
// Each text of the call is on one line, behind a word of the question's own. The
// lines are so far in that a client that takes the message for Markdown shows
// them as they are.
func question(tool string, r permission.Request) (*mcp.ElicitParams, error) {
	var b strings.Builder
	row := func(label, text string) {
		fmt.Fprintf(&b, "    %s: %s\n", label, spaced(text))
	}
	fmt.Fprintf(&b, "Run the tool %s?\n\n", visible.Plain(tool))
	for _, s := range r.Subjects {
		row(s.Kind.String(), visible.Plain(s.Text))
	}
	if b.Len() > maxSubjects {
		return nil, errors.New("the call is too long for anybody to be asked about: split it")
	}
	row("input", shown(r.Call.Input))
	if r.Call.Name != tool {
		row("judged as", visible.Plain(r.Call.Name))
	}
	row("rule", reason(r.Decision))
	return &mcp.ElicitParams{
		Mode:            "form",
		Message:         strings.TrimSuffix(b.String(), "\n"),
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}, nil
}

var blanks = regexp.MustCompile(` {17,}`)

// spaced returns s with long runs of blanks counted: what is behind them would
// be out of sight.
func spaced(s string) string {
	return blanks.ReplaceAllStringFunc(s, func(run string) string {
		return fmt.Sprintf(" [%d blanks] ", len(run))
	})
}

// reason says why a call asks.
func reason(d permission.Decision) string {
	s := "none decides it"
	if d.Rule != nil {
		s = d.Rule.String()
	}
	switch {
	case d.Detail != "":
		s += ", and it could not be read: " + visible.Text(d.Detail)
	case d.Rule != nil && d.Rule.Reason != "":
		s += ": " + visible.Text(d.Rule.Reason)
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
	s := string(visible.JSON(b.Bytes()))
	if len(s) <= maxInput {
		return s
	}
	head, tail := s[:maxInput/2], s[len(s)-maxInput/2:]
	return fmt.Sprintf("%s [%d bytes are not shown] %s",
		strings.ToValidUTF8(head, ""), len(s)-maxInput, strings.ToValidUTF8(tail, ""))
}
