package permission_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/insomnia-run/permission"
)

func Example() {
	policy, err := permission.Load("testdata/readme.toml", nil)
	if err != nil {
		log.Fatal(err) // every fault of the file, each with its line
	}
	hook, err := permission.NewHook(policy, &permission.HookOptions{RefuseAsks: true})
	if err != nil {
		log.Fatal(err)
	}
	// The tool calls of one assistant message, as the model wrote them.
	calls := []permission.ToolCall{
		{ID: "1", Name: "read", Input: json.RawMessage(`{"path": "src/main.go"}`)},
		{ID: "2", Name: "read", Input: json.RawMessage(`{"path": "src/../.env"}`)},
		{ID: "3", Name: "bash", Input: json.RawMessage(`{"command": "git push origin main"}`)},
	}
	run := func(ctx context.Context, call permission.ToolCall) permission.ToolResult {
		return permission.ToolResult{Content: call.Name + " ran"}
	}
	for _, result := range hook.RunAll(context.Background(), calls, run) {
		fmt.Println(result.CallID, result.IsError, result.Content)
	}
	// Output:
	// 1 false read ran
	// 2 true Permission denied: "read" ".env" was not run. The rule for {read,grep} "**/.env" (testdata/readme.toml:4) says deny. Reason: secrets stay out of the transcript. Take another way, or tell the user what you need and why.
	// 3 true Permission denied: "bash" "git push origin main" was not run. It needs approval, as whatever no rule decides, and no approver is attached. Take another way, or tell the user what you need and why.
}
