package permissiontest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/insomnia-run/permission"
)

// settled checks that there is one result for each call, in any order.
func settled(calls []permission.ToolCall, results []permission.ToolResult) error {
	var errs []error
	for _, c := range calls {
		n := 0
		for _, r := range results {
			if r.CallID == c.ID {
				n++
			}
		}
		if n != 1 {
			errs = append(errs, fmt.Errorf("%d results for %q (%s): want one", n, c.ID, about(c)))
		}
	}
	if len(errs) == 0 && len(results) != len(calls) {
		errs = append(errs, fmt.Errorf("%d results for %d calls", len(results), len(calls)))
	}
	return errors.Join(errs...)
}

// paired checks that results answer calls one by one.
func paired(calls []permission.ToolCall, results []permission.ToolResult) error {
	if err := settled(calls, results); err != nil {
		return err
	}
	for i, c := range calls {
		if results[i].CallID != c.ID {
			return fmt.Errorf("result %d is for %q: want %q", i+1, results[i].CallID, c.ID)
		}
	}
	return nil
}

// didRun checks that r answers c with what its tool returned, which ran once.
func (t *trial) didRun(c permission.ToolCall, r permission.ToolResult) error {
	name := about(c)
	switch n := t.times(c); {
	case n != 1:
		return fmt.Errorf("the tool of %s ran %d times: want once", name, n)
	case r.IsError:
		return fmt.Errorf("%s ran, and its result is an error: %q", name, r.Content)
	case !contains(r, outputOf(name)):
		return fmt.Errorf("%s ran, and its result is %q: want what the tool returned, %q", name, r.Content, outputOf(name))
	}
	return nil
}

// wasRefused checks that r answers c with what the hook says, and that its tool
// did not run.
func (t *trial) wasRefused(c permission.ToolCall, r permission.ToolResult) error {
	t.mu.Lock()
	refusals := slices.Clone(t.refusals)
	t.mu.Unlock()
	name := about(c)
	var want []string
	for _, one := range refusals {
		if one.call == name {
			want = append(want, one.text)
		}
	}
	switch n := t.times(c); {
	case n > 0:
		return fmt.Errorf("the tool of %s ran, which was refused", name)
	case len(want) == 0:
		return fmt.Errorf("%s did not run, and the hook was not asked about it", name)
	case !r.IsError && !t.runtime.NoErrorFlag:
		return fmt.Errorf("%s was refused, and is_error is not set in its result", name)
	case !slices.ContainsFunc(want, func(s string) bool { return contains(r, s) }):
		return fmt.Errorf("%s was refused, and its result is %q: want the text of the hook, %q", name, r.Content, want[len(want)-1])
	}
	return nil
}

// failed checks that r tells of a failure.
func (t *trial) failed(c permission.ToolCall, r permission.ToolResult) error {
	switch {
	case !r.IsError && !t.runtime.NoErrorFlag:
		return fmt.Errorf("%s failed, and is_error is not set in its result", about(c))
	case contains(r, output(c)):
		return fmt.Errorf("%s failed, and its result is that of a tool which ran", about(c))
	}
	return nil
}

// ranNot checks that none of these calls ran.
func (t *trial) ranNot(calls ...permission.ToolCall) error {
	for _, c := range calls {
		if t.times(c) > 0 {
			return fmt.Errorf("the tool of %s ran", about(c))
		}
	}
	return nil
}

// as checks calls and their results by their paths: those below ok ran, those
// below secret were refused.
func (t *trial) as(calls []permission.ToolCall, results []permission.ToolResult) error {
	if err := paired(calls, results); err != nil {
		return err
	}
	for i, c := range calls {
		check := t.didRun
		if isSecret(c) {
			check = t.wasRefused
		}
		if err := check(c, results[i]); err != nil {
			return err
		}
	}
	return nil
}

func isSecret(c permission.ToolCall) bool { return strings.HasPrefix(about(c), c.Name+" secret/") }

// contains reports whether the model reads text in r.
func contains(r permission.ToolResult, text string) bool { return strings.Contains(r.Content, text) }
