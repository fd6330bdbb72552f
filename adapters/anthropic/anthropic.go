// Package permissionanthropic puts a [permission.Hook] before the tools of an
// agent that is built on the Go SDK of the Anthropic API.
//
// A loop of one's own settles each message of the model. Whatever becomes of
// its calls, the history stays one that the API takes: one user message with a
// tool_result for each tool_use, in order.
//
//	settle := permissionanthropic.Settle(hook, run, &permissionanthropic.Options{Session: id})
//	for {
//		message, err := client.Messages.New(ctx, params)
//		if err != nil {
//			return err
//		}
//		params.Messages = append(params.Messages, message.ToParam())
//		results, ok := settle(ctx, message)
//		if !ok {
//			return nil // the model calls no tool any more
//		}
//		params.Messages = append(params.Messages, results)
//	}
//
// The tool runners of the SDK run tools by themselves; guarded ones are judged
// first:
//
//	tools = permissionanthropic.Guard(hook, tools, &permissionanthropic.Options{Session: id})
//	runner := client.Beta.Messages.NewToolRunner(tools, params)
//
// What the hook asks goes to its approver, for as long as the hook allows.
//
// Tools that the API runs itself (web search, code execution, the servers of
// its MCP connector: blocks of type server_tool_use and mcp_tool_use) have run
// before the message arrives. Nothing here sees them, and no rule is matched
// with them: what may not run there must not be in the request.
package permissionanthropic

import "github.com/insomnia-run/permission"

// Options say what a hook is told of the calls of one conversation. Nil and
// the zero value are ready to use. They are copied.
type Options struct {
	// Session is that of every call, see [permission.ToolCall]. What an
	// approver agrees to for always holds for it alone; without one nothing
	// does. Conversations that share nothing have Options of their own.
	Session string
	// Dir is the directory that the tools run in, where paths of the calls
	// start. Empty means the root of the policy.
	Dir string
}

// call returns a call that has what o says of every one.
func (o *Options) call() permission.ToolCall {
	if o == nil {
		return permission.ToolCall{}
	}
	return permission.ToolCall{Session: o.Session, Dir: o.Dir}
}
