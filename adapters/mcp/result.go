package permissionmcp

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rounds is the first version of the protocol in which a server asks by the
// results of a call, and in which results have to say what type they are of.
const rounds = "2026-07-28"

const (
	complete      = "complete"
	inputRequired = "input_required"
)

// resultOf returns an empty result of a type. The SDK sets that only for results
// of a tool's handler. No other code can but by decoding one.
func resultOf(kind string) *mcp.CallToolResult {
	r := new(mcp.CallToolResult)
	if err := json.Unmarshal([]byte(`{"content":[],"resultType":"`+kind+`"}`), r); err != nil {
		return new(mcp.CallToolResult) // still no result of a tool
	}
	return r
}

// refusal returns the result of a call that was not run, for a client that
// speaks that version.
func refusal(version, text string) *mcp.CallToolResult {
	r := new(mcp.CallToolResult)
	if version >= rounds {
		r = resultOf(complete)
	}
	r.Content = []mcp.Content{&mcp.TextContent{Text: text}}
	r.IsError = true
	return r
}

// unreadable is told for requests that are none that the SDK makes.
const unreadable = "Permission denied: the tool was not run. The request cannot be read: want the parameters of tools/call."

// broken is told where the guard itself fails.
const broken = "Permission denied: the tool was not run. The permission layer failed. Tell the user."

// ambiguous is told where two servers' tools could have one name.
const ambiguous = `Permission denied: the tool was not run. The host's name for the server must not hold "__" or end in "_".`
