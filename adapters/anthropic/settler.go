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
		results[i] = s.fail("The tool did not return.") // it called runtime.Goexit
		wg.Go(func() { results[i] = s.one(ctx, u) })
	}
	wg.Wait()
	return results
}

// cutOff says why the calls of a message did not run that ended for another
// reason than them. Its last input may end anywhere, and a refused message
// calls tools for nobody.
func cutOff(stop string) string {
	return fmt.Sprintf("The call was not run: its message ended with the stop_reason %q, so it may be incomplete. Call again if it is still needed.", stop)
}

func (s *settler[R]) one(ctx context.Context, u use) (r R) {
	c := s.call
	c.ID, c.Name, c.Input = u.id, u.dispatched(), u.input
	v := s.hook.PreToolCall(ctx, c)
	if !v.Proceed {
		return s.fail(v.Result.Content)
	}
	defer func() {
		if p := recover(); p != nil {
			r = s.fail(fmt.Sprintf("The tool panicked: %v", p))
		}
	}()
	return s.run(ctx, v.Call)
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
// character that shows, and in an error result texts alone, at least one. The
// history could not be sent otherwise, ever again. Text returns that of a
// part; nil where it is none.
func sendable[C any](content []C, failed bool, text func(C) *string) []C {
	return slices.DeleteFunc(slices.Clone(content), func(c C) bool {
		s := text(c)
		return s == nil && failed || s != nil && strings.TrimSpace(*s) == ""
	})
}

// saidNothing stands in an error result that has no text.
const saidNothing = "The tool failed and said nothing."
