package permissionanthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/insomnia-run/permission"
)

// Words of the wire that the stable and the beta API have in common.
const (
	typeToolUse  = "tool_use"
	typeFallback = "fallback"

	stopToolUse    = "tool_use"
	stopPauseTurn  = "pause_turn"
	stopCompaction = "compaction"
)

// A use is a block of a message, as far as it matters for one that calls a tool.
type use struct {
	kind, id, name, toolset string
	input                   json.RawMessage
}

// toAnswer returns the calls among the blocks of a message that stopped for a
// reason, which are those that want a result.
//
// A message that was paused goes back as it is, and the API goes on with it.
// Calls before a fallback block are those of a model that refused: they are no
// part of the history that goes back, and a result would have no call.
func toAnswer(stop string, blocks []use) []use {
	if stop == stopPauseTurn || stop == stopCompaction {
		return nil
	}
	for i, b := range slices.Backward(blocks) {
		if b.kind == typeFallback {
			blocks = blocks[i+1:]
			break
		}
	}
	return slices.DeleteFunc(blocks, func(b use) bool { return b.kind != typeToolUse })
}

// A settler runs calls behind a hook. R is the result of a tool.
type settler[R any] struct {
	hook *permission.Hook
	call permission.ToolCall // what every call has
	run  func(context.Context, permission.ToolCall) R
	fail func(text string) R // an error result
}

// settle returns a result for each of the uses of a message that stopped for a
// reason, in their order and whatever happens. They run at the same time.
func (s *settler[R]) settle(ctx context.Context, stop string, uses []use) []R {
	results := make([]R, len(uses))
	var wg sync.WaitGroup
	for i, u := range uses {
		if stop != stopToolUse {
			results[i] = s.fail(cutOff(stop))
			continue
		}
		wg.Go(func() { results[i] = s.one(ctx, u) })
	}
	wg.Wait()
	return results
}

// one puts a call to the hook and runs it. That a tool may panic or not return
// is left to RunAll, which has an error result for whatever happens.
func (s *settler[R]) one(ctx context.Context, u use) (r R) {
	c := s.call
	c.ID, c.Name, c.Input = u.id, u.dispatched(), u.input
	got := s.hook.RunAll(ctx, []permission.ToolCall{c}, func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		r = s.run(ctx, c)
		return permission.ToolResult{}
	})[0]
	if got.IsError {
		return s.fail(got.Content)
	}
	return r
}

// cutOff says why the calls of a message did not run that ended for another
// reason than them. Its last input may end anywhere, and a refused message
// calls tools for nobody.
func cutOff(stop string) string {
	return fmt.Sprintf("The call was not run: its message ended with the stop_reason %q, so it may be incomplete. Call again if it is still needed.", stop)
}

// dispatched returns the name of the tool, which for a member of a toolset has
// that of the set before it: browser.click. A tool of the host's that is named
// click, which has no dot, is another one.
func (u use) dispatched() string {
	if u.toolset == "" {
		return u.name
	}
	return u.toolset + "." + u.name
}

// sendable returns what of a result's content the API takes: no text without a
// character that shows, and in an error result texts alone. The history could
// not be sent otherwise, ever again. Where there is a part that has no JSON, or
// an error without a text, why says what to send instead.
func sendable[C any](content []C, failed bool) (some []C, why string) {
	for _, c := range content {
		data, err := json.Marshal(c)
		if err != nil {
			return nil, unsendable
		}
		var wire struct{ Type, Text string }
		if json.Unmarshal(data, &wire) != nil {
			return nil, unsendable
		}
		blank := wire.Type == "text" && strings.TrimSpace(wire.Text) == ""
		if wire.Type == "" || blank || failed && wire.Type != "text" {
			continue
		}
		some = append(some, c)
	}
	if failed && len(some) == 0 {
		return nil, "The tool failed and said nothing."
	}
	return some, ""
}

// unsendable is told where a tool has a result that the SDK cannot write down.
const unsendable = "The tool ran, but its result cannot be sent."
