// Package permissionmcp puts the tool calls of the Model Context Protocol
// behind a [permission.Hook], for programs that are built with
// github.com/modelcontextprotocol/go-sdk.
//
// [Server] is middleware of a server: it judges each tools/call before the
// tool's handler runs.
//
//	hook, err := permission.NewHook(policy, &permission.HookOptions{Approver: &permissionmcp.Elicitor{}})
//	if err != nil {
//		return err
//	}
//	server := mcp.NewServer(&mcp.Implementation{Name: "files", Version: "v1.0.0"}, nil)
//	server.AddReceivingMiddleware(permissionmcp.Server(hook, nil))
//
// [Client] is middleware of a client, such as an agent: it judges each call
// before it is sent.
//
//	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1.0.0"}, nil)
//	client.AddSendingMiddleware(permissionmcp.Client(hook, &permissionmcp.Options{Server: "files"}))
//
// A refused call is answered with a tool result that has IsError set and says
// why, in the form that the client's version of the protocol wants. An ask goes
// to the approver of the hook. [Elicitor] is one that puts it to the user of the
// calling client.
//
// # Order
//
// The SDK runs the middleware first that was added last. Add this one before
// any other, so that it is next to the tools: what middleware that was added
// earlier makes of a call's arguments nobody judges any more.
//
// # What it does not do
//
// It judges tool calls. Prompts and resources of a server are no tools and pass.
// What a tool's handler does by itself, such as calling another tool's handler
// as a function, does not come through here. Neither do the defaults that
// [mcp.AddTool] adds from a tool's schema, and the _meta of a request is not
// looked at.
package permissionmcp
