package permissiontest

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insomnia-run/permission"
)

// runAll is Hook.RunAll as a runtime.
func runAll() Runtime {
	return Runtime{
		Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
			return h.RunAll(ctx, calls, tool)
		},
		RunRewritten: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) []permission.ToolResult {
			return h.RunAll(ctx, calls, func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
				input := rewrite(c)
				if bytes.Equal(input, c.Input) {
					return tool(ctx, c)
				}
				c.Input = input
				return h.Wrap(tool)(ctx, c)
			})
		},
	}
}

// oneByOne is a loop over Hook.Wrap as a runtime.
func oneByOne() Runtime {
	return Runtime{
		Run: func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) (results []permission.ToolResult) {
			for _, c := range calls {
				results = append(results, h.Wrap(tool)(ctx, c))
			}
			return results
		},
		Sequential: true,
	}
}

func TestRuntimesThatKeepTheContract(t *testing.T) {
	t.Run("RunAll", func(t *testing.T) { Run(t, runAll()) })
	t.Run("Wrap", func(t *testing.T) { Run(t, oneByOne()) })
}

// remote is a runtime with a connection in it: that decodes inputs, numbers
// calls for itself and has nothing to tell errors by, and no more than a
// cancellation comes through.
func remote() Runtime {
	run := func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
		there, cancel := context.WithCancel(context.Background())
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		if ctx.Err() != nil {
			cancel() // at once
		}
		sent := make([]permission.ToolCall, len(calls))
		for i, c := range calls {
			var in any
			if len(c.Input) > 0 && json.Unmarshal(c.Input, &in) == nil {
				c.Input, _ = json.Marshal(in)
			}
			sent[i] = permission.ToolCall{Name: c.Name, Input: c.Input}
		}
		results := make([]permission.ToolResult, len(calls))
		for i, c := range sent {
			r := h.Wrap(tool)(there, c)
			results[i] = permission.ToolResult{CallID: calls[i].ID, Content: r.Content}
		}
		return results
	}
	return Runtime{
		Run: run, Sequential: true, NoCallIDs: true, NoErrorFlag: true, Reencodes: true, Detached: true,
		NoSessions: true, NoDirs: true, NoMetadata: true,
	}
}

func TestFactsTakeBackWhatTheySay(t *testing.T) {
	t.Run("all", func(t *testing.T) { Run(t, remote()) })
	for name, fact := range map[string]struct {
		unset func(*Runtime)
		fails []string
	}{
		"Sequential": {func(r *Runtime) { r.Sequential = false }, []string{
			"calls run at the same time", "an ask holds up no other call", "cancelling settles every call",
		}},
		"NoCallIDs": {func(r *Runtime) { r.NoCallIDs = false }, []string{
			"an ask is put once", "an approval is for one call", "the tool gets what was judged",
		}},
		"NoErrorFlag": {func(r *Runtime) { r.NoErrorFlag = false }, []string{
			"results are in order", "a refusal is a result", "a refusal stops no other call", "an ask is put once",
			"an ask without an answer refuses", "an approval is for one call", "a tool that fails has a result", "a tool that panics has a result",
			"cancelling settles every call", "a cancelled turn runs nothing", "a call keeps its directory",
			"every name goes through the hook", "messages of any length", "inputs of any size", "IDs need not be unique",
			"a new policy holds at once", "a hook that was not made refuses",
		}},
		"Reencodes": {func(r *Runtime) { r.Reencodes = false }, []string{
			"ambiguous input is refused", "the tool gets what was judged",
		}},
		"Detached":   {func(r *Runtime) { r.Detached = false }, []string{"a tool has the turn's context", "a skill restricts"}},
		"NoSessions": {func(r *Runtime) { r.NoSessions = false }, []string{"sessions are kept apart"}},
		"NoDirs":     {func(r *Runtime) { r.NoDirs = false }, []string{"a call keeps its directory"}},
		"NoMetadata": {func(r *Runtime) { r.NoMetadata = false }, []string{"a call keeps its metadata"}},
	} {
		t.Run("not "+name, func(t *testing.T) {
			t.Parallel()
			r := remote()
			fact.unset(&r)
			var failed []string
			for _, p := range contract() {
				r.Timeout = 0
				if slices.Contains(fact.fails, p.name) {
					r.Timeout = impatient // it may wait in vain
				}
				if p.exempt(r) == "" && p.check(t.Context(), r) != nil {
					failed = append(failed, p.name)
				}
			}
			assert.Equal(t, fact.fails, failed)
		})
	}
}

// A fact takes back what a runtime cannot do, and not what it does wrong.
func TestFactsAreNoExcuse(t *testing.T) {
	for _, b := range brokenInputs() {
		r := Runtime{Run: b.run, NoSessions: true, NoDirs: true, NoMetadata: true}
		switch b.name {
		case "has one session for all", "judges in the root", "runs in the root":
			i := slices.IndexFunc(contract(), func(p point) bool { return p.name == b.point })
			assert.Error(t, contract()[i].check(t.Context(), r), b.name)
		}
	}
}

// impatient is the time for runtimes that are to hang or to wait in vain.
const impatient = time.Second
