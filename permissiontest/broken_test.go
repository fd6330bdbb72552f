package permissiontest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insomnia-run/permission"
)

type (
	// runFunc is the type of Runtime.Run.
	runFunc = func(context.Context, *permission.Hook, []permission.ToolCall, permission.ToolFunc) []permission.ToolResult
	// oneFunc runs one call.
	oneFunc = func(context.Context, *permission.Hook, permission.ToolCall, permission.ToolFunc) permission.ToolResult
)

// each is a runtime that runs each call by itself.
func each(one oneFunc) runFunc {
	return func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
		results := make([]permission.ToolResult, len(calls))
		var wg sync.WaitGroup
		for i, c := range calls {
			wg.Go(func() {
				defer func() {
					if v := recover(); v != nil {
						results[i] = permission.ToolResult{Content: fmt.Sprint(v), IsError: true}
					}
					results[i].CallID = c.ID
				}()
				results[i] = one(ctx, h, c, tool)
			})
		}
		wg.Wait()
		return results
	}
}

// after is a runtime that does something to the results of a correct one.
func after(change func([]permission.ToolResult) []permission.ToolResult) runFunc {
	return func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
		return change(h.RunAll(ctx, calls, tool))
	}
}

// before is a runtime that does something to the calls before the hook.
func before(change func(permission.ToolCall) permission.ToolCall) runFunc {
	return func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc) []permission.ToolResult {
		var changed []permission.ToolCall
		for _, c := range calls {
			changed = append(changed, change(c))
		}
		return h.RunAll(ctx, changed, tool)
	}
}

// A breach is a runtime that breaks the contract in one way. It fails at least
// the named point, and the failure says so.
type breach struct {
	name, point, says string
	run               runFunc
}

// eachRewritten is a runtime that runs each call by itself, with its user's hook.
func eachRewritten(one rewriter) func(context.Context, *permission.Hook, []permission.ToolCall, permission.ToolFunc, Rewrite) []permission.ToolResult {
	return func(ctx context.Context, h *permission.Hook, calls []permission.ToolCall, tool permission.ToolFunc, rewrite Rewrite) (results []permission.ToolResult) {
		for _, c := range calls {
			r := one(ctx, h, c, tool, rewrite)
			if r.CallID == "" {
				r.CallID = c.ID
			}
			results = append(results, r)
		}
		return results
	}
}

// Every point of the contract has a runtime that breaks it, and is told so.
func TestBrokenRuntimes(t *testing.T) {
	points := make(map[string]bool)
	fails := func(t *testing.T, name, says string, r Runtime) {
		points[name] = true
		i := slices.IndexFunc(contract(), func(p point) bool { return p.name == name })
		require.GreaterOrEqual(t, i, 0, "there is no point %q", name)
		p := contract()[i]
		t.Parallel()
		err := p.check(t.Context(), r)
		assert.ErrorContains(t, err, says)
		assert.ErrorContains(t, err, p.mend)
	}
	for _, b := range slices.Concat(brokenResults(), brokenInputs()) {
		t.Run(b.name, func(t *testing.T) { fails(t, b.point, b.says, Runtime{Run: b.run}) })
	}
	for _, b := range brokenTurns() {
		t.Run(b.name, func(t *testing.T) { fails(t, b.point, b.says, Runtime{Run: b.run, Timeout: impatient}) })
	}
	for _, b := range brokenRewriters() {
		t.Run(b.name, func(t *testing.T) {
			fails(t, b.point, b.says, Runtime{Run: runAll().Run, RunRewritten: eachRewritten(b.one)})
		})
	}
	for _, p := range contract() {
		assert.True(t, points[p.name], "no broken runtime shows that %q proves anything", p.name)
	}
}
