package main

import (
	"context"
	"fmt"
	"io"

	"github.com/insomnia-run/permission"
)

// circles is how often the same call comes before somebody has a look.
const circles = 3

// An agent runs the calls of one session.
type agent struct {
	hook    *permission.Hook
	place   *permission.Options // of the policy
	session string
	tool    permission.ToolFunc
	last    string // the call before
	times   int    // that it has come without another between
}

// call runs one call, once all that it asks for is given.
func (a *agent) call(ctx context.Context, c permission.ToolCall) permission.ToolResult {
	c.Session = a.session
	mine := &call{ToolCall: c, again: a.circling(c)}
	return a.hook.Wrap(func(ctx context.Context, c permission.ToolCall) permission.ToolResult {
		for _, q := range mine.inquiries(a.place) {
			if v := a.ask(ctx, c, q); !v.Proceed {
				return v.Result
			}
		}
		return a.tool(ctx, c)
	})(ctx, c)
}

// ask puts an inquiry. The call stays what it is for whoever is asked; the name
// is that of the permission.
func (a *agent) ask(ctx context.Context, c permission.ToolCall, q inquiry) permission.Verdict {
	c.Name = q.permission
	return a.hook.Authorize(ctx, c, []permission.Subject{q.subject}, []string{q.always})
}

// circling counts c, and reports whether it is one too many of the same.
func (a *agent) circling(c permission.ToolCall) bool {
	if this := c.Name + " " + string(c.Input); this != a.last {
		a.last, a.times = this, 0
	}
	a.times++
	return a.times >= circles
}

// A consumer answers for somebody who is not there. Something has to: an ask
// waits for as long as the call does.
type consumer struct {
	yes bool // agree to everything, as a person has said beforehand
	out io.Writer
}

// Approve implements permission.Approver.
func (c consumer) Approve(_ context.Context, r permission.Request) (permission.Reply, error) {
	if c.yes {
		return permission.Reply{ID: r.ID, Answer: permission.Once}, nil
	}
	for _, s := range r.Subjects {
		fmt.Fprintf(c.out, "! %s asks for %q: refused\n", r.Call.Name, s.Text)
	}
	return permission.Reply{}, permission.ErrNoApprover // no person has said no
}

// unattended runs the samples, of which no ask is agreed to.
func unattended(ctx context.Context, w io.Writer, p *permission.Policy) error {
	hook, err := permission.NewHook(p, &permission.HookOptions{Approver: consumer{out: w}})
	if err != nil {
		return err
	}
	a := &agent{hook: hook, place: options(), session: "run", tool: stub}
	for _, c := range samples() {
		r := a.call(ctx, c.ToolCall)
		if r.IsError {
			fmt.Fprintf(w, "%s\n  %s\n", c.Name, r.Content)
		}
	}
	return nil
}

// stub stands for a tool. It sees only calls that may run.
func stub(_ context.Context, c permission.ToolCall) permission.ToolResult {
	return permission.ToolResult{Content: "(the output of " + c.Name + ")"}
}
