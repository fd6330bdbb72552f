package permissionmcp

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/insomnia-run/permission"
)

// Options say how calls are put to the hook. Nil and the zero value are ready
// to use. Server and Client copy them.
type Options struct {
	// Server is what the host calls the server, and its rules with it: the tool
	// read of the server files is then judged as mcp__files__read. Take a name
	// from the host's own configuration, since a server may call itself
	// anything. Where it has a "__" in it or a "_" at its end, the tools of two
	// servers could have one name, and every call is refused. Empty means that
	// tools are judged by the names that they have.
	Server string

	// Complete returns c with what only the host knows of it: its Session, Dir,
	// ID and Metadata, or another Name for the rules. What it does to the Input
	// is not minded, and the tool that runs is the one that r names. It is called
	// from many goroutines at once. If it panics the call is refused. Nil leaves
	// calls as they are: without a session, so that what an approver agrees to
	// for always holds for one call.
	Complete func(ctx context.Context, r mcp.Request, c permission.ToolCall) permission.ToolCall

	// Methods are those beside the protocol's own that pass without being
	// judged, such as were added with [mcp.AddReceivingCustomMethod]. All others
	// are refused with an error of the protocol: they might run a tool.
	Methods []string
}

// A guard judges what comes through one middleware.
type guard struct {
	hook    *permission.Hook
	options Options
	open    tickets
}

func newGuard(h *permission.Hook, o *Options) *guard {
	g := &guard{hook: h}
	if o != nil {
		g.options = *o
		g.options.Methods = slices.Clone(o.Methods)
	}
	return g
}

// object returns arguments as the hook takes them. A nil map of a caller's has
// become null by the time that it is sent, and says no more than none does.
func object(arguments []byte) []byte {
	if string(bytes.TrimSpace(arguments)) == "null" {
		return []byte("{}")
	}
	return arguments
}

// call returns the call that is judged for a request, and what is wrong with
// its name. One without a name is malformed.
func (g *guard) call(ctx context.Context, r mcp.Request, tool string, input []byte) (c permission.ToolCall, wrong string) {
	c = permission.ToolCall{Name: tool, Input: input}
	if s := g.options.Server; s != "" {
		if strings.Contains(s, "__") || strings.HasSuffix(s, "_") {
			return permission.ToolCall{Input: input}, ambiguous
		}
		c.Name = "mcp__" + s + "__" + tool
	}
	if g.options.Complete != nil {
		c.Input = slices.Clone(input)
		c = g.options.Complete(ctx, r, c)
		c.Input = input
	}
	return c, ""
}
