// Package permissionanthropic puts a [permission.Hook] before the tools of an
// agent that is built on the Go SDK of the Anthropic API.
//
// A loop of one's own settles each message of the model. Whatever becomes of
// its calls, the history stays one that the API takes: one user message with a
// tool_result for each tool_use, in order.
//
//	run := func(ctx context.Context, call permission.ToolCall) anthropic.ToolResultBlockParam {
//		text, err := dispatch(ctx, call.Name, call.Input) // to the host's own tools
//		if err != nil {
//			text = err.Error()
//		}
//		return *anthropic.NewToolResultBlock(call.ID, text, err != nil).OfToolResult
//	}
//	settle := permissionanthropic.Settle(hook, run, &permissionanthropic.Options{Session: id})
//	for {
//		message, err := client.Messages.New(ctx, params)
//		if err != nil {
//			return err
//		}
//		params.Messages = append(params.Messages, message.ToParam())
//		results, ok := settle(ctx, message)
//		switch {
//		case ok:
//			params.Messages = append(params.Messages, results)
//		case message.StopReason != anthropic.StopReasonPauseTurn:
//			return nil // the model calls no tool any more
//		}
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
