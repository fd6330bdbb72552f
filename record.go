package permission

import (
	"log/slog"
	"time"

	"github.com/insomnia-run/permission/internal/visible"
)

// A Record tells a log or an audit trail of one decided call. As a
// [slog.LogValuer] it leaves out everything that the model wrote but the names,
// in which it escapes what would rewrite a line of a log.
type Record struct {
	Time       time.Time     // when the call was handed in
	CallID     string        // ToolCall.ID
	Session    string        // ToolCall.Session
	Tool       string        // ToolCall.Name, which the model wrote
	Decision   Decision      // as in the Verdict
	Asked      bool          // the policy said ask
	PolicyHash string        // Policy.Hash of the one that decided; empty where there was none
	Duration   time.Duration // until the call was decided, the wait for an answer included
}

// LogValue implements [slog.LogValuer].
func (r Record) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Time("time", r.Time),
		slog.String("call", visible.Text(r.CallID)),
		slog.String("session", visible.Text(r.Session)),
		slog.String("tool", visible.Short(r.Tool)),
		slog.String("action", r.Decision.Action.String()),
		slog.String("cause", r.Decision.Cause.String()),
		slog.String("kind", r.Decision.Subject.Kind.String()),
		slog.Bool("asked", r.Asked),
		slog.String("policy", r.PolicyHash),
		slog.Duration("duration", r.Duration),
	}
	if rule := r.Decision.Rule; rule != nil {
		attrs = append(attrs, slog.String("rule", rule.String()))
	}
	return slog.GroupValue(attrs...)
}
