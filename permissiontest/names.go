package permissiontest

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/insomnia-run/permission"
	"github.com/insomnia-run/permission/internal/subject"
)

// A request for a tool by its name, and whether the policy allows it.
type named struct {
	tool    string
	allowed bool
}

// everyName tries tools of which the library knows nothing, under names that
// stand for one another to some and that no runtime has heard of, and those
// that a runtime may take for harmless.
func everyName(ctx context.Context, r Runtime) error {
	server, tool, other := random(), random(), random()
	tools := []named{
		{"mcp__" + server + "__" + tool, true}, {tool, false}, {server + "__" + tool, false},
		{other, true}, {"mcp__" + server + "__" + other, false}, {strings.ToUpper(other), false},
		{random(), false},
	}
	for _, row := range subject.Table() {
		for _, name := range row.Names {
			tools = append(tools, named{name, false})
		}
	}
	for _, name := range []string{
		"Agent", "AskUserQuestion", "BashOutput", "ExitPlanMode", "KillShell", "LSP", "Skill", "SlashCommand", "Task",
		"TodoRead", "TodoWrite", "ToolSearch", "WebSearch", "ask_user", "diagnostics", "google_web_search", "help", "lsp",
		"memory", "plan", "plan_enter", "plan_exit", "question", "save_memory", "search", "skill", "status", "task",
		"think", "todo", "todo_read", "todo_write", "todoread", "todowrite", "tool_search", "update_plan", "websearch",
		"mcp__trusted__" + random(), "mcp__internal__" + random(), "internal_" + random(), "trusted_" + random(),
	} {
		tools = append(tools, named{name, false})
	}
	return runNamed(ctx, r, tools)
}

// longMessage has more calls than a runtime may look at together.
func longMessage(ctx context.Context, r Runtime) error {
	var tools []named
	for i := range 40 {
		tools = append(tools, named{random(), i%3 != 1})
	}
	return runNamed(ctx, r, tools)
}

func random() string { return "x" + strings.ToLower(rand.Text()[:10]) }

// runNamed runs a message with a call of each tool.
func runNamed(ctx context.Context, r Runtime, tools []named) error {
	var rules []permission.Rule
	for _, one := range tools {
		if one.allowed {
			rules = append(rules, permission.Rule{Tool: permission.Quote(one.tool), Pattern: "*", Action: permission.Allow})
		}
	}
	t, err := newTrial(r, rules...)
	if err != nil {
		return err
	}
	var calls []permission.ToolCall
	for i, one := range tools {
		calls = append(calls, t.call(one.tool, fmt.Sprintf(`{"path":"docs/%d"}`, i)))
	}
	results, err := t.answers(ctx, calls)
	if err != nil {
		return err
	}
	for i, c := range calls {
		check := t.wasRefused
		if tools[i].allowed {
			check = t.didRun
		}
		if err := check(c, results[i]); err != nil {
			return err
		}
	}
	return nil
}
