package permissionmcp

import (
	"context"
	"errors"
	"strings"

	"github.com/insomnia-run/permission"
)

// An Elicitor is an approver that asks the user of the client whose call came
// through [Server]: by an elicitation where the session is older than
// 2026-07-28, and by an input request where it is not. The zero value is ready,
// and a nil one asks nobody. It is safe for concurrent use.
//
// A yes is for that one call: the same tool, the same bytes, the same reason,
// and it is used up by it. What asks for input in the middle of its work is not
// asked about again. An answer to anything else is as none, and the user is
// asked about what the call is now.
//
// A call is refused where its client has not declared that it can show forms,
// where its user says no or nothing, and where the answer is no plain yes. For
// input requests the time to answer is that of the policy or the hook, at most
// 15 minutes. Then the answer comes too late.
//
// The answer comes from the client. It is the consent of that client's user,
// and no protection from a client that answers by itself. Open questions are
// kept in the memory of the process, so a client of several has to come back to
// the one that asked.
type Elicitor struct {
	// Else is asked where the client cannot be. Nil refuses the call.
	Else permission.Approver
}

// Approve implements [permission.Approver]. Its error wraps
// [permission.ErrNoApprover] where there is nobody to ask, as for calls that did
// not come through Server, and [permission.ErrClosed] where the question was
// dismissed, the answer came too late, or the client has to call again.
func (e *Elicitor) Approve(ctx context.Context, r permission.Request) (permission.Reply, error) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok || e == nil {
		return e.other(ctx, r)
	}
	terms, err := digestOf(x.tool, r)
	if err != nil {
		return permission.Reply{}, err
	}
	a, err := x.ask(ctx, r, terms)
	if errors.Is(err, permission.ErrNoApprover) {
		if e.Else == nil {
			x.explain(strings.TrimPrefix(err.Error(), permission.ErrNoApprover.Error()+": "))
		}
		a, err = e.other(ctx, r)
	}
	if err == nil && a.Answer != permission.Reject {
		x.agree(terms)
	}
	return a, err
}

func (e *Elicitor) other(ctx context.Context, r permission.Request) (permission.Reply, error) {
	if e == nil || e.Else == nil {
		return permission.Reply{}, permission.ErrNoApprover
	}
	return e.Else.Approve(ctx, r)
}
