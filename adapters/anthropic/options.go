package permissionanthropic

import "github.com/insomnia-run/permission"

// Options say what a hook is told of the calls of one conversation. Nil and
// the zero value are ready to use. They are copied.
type Options struct {
	// Session is that of every call, see [permission.ToolCall]. What an
	// approver agrees to for always holds for it alone; without one nothing
	// does. Conversations that share nothing have Options of their own.
	Session string
	// Dir is the directory that the tools run in, where paths of the calls
	// start. Empty means the root of the policy.
	Dir string
}

// call returns a call that has what o says of every one.
func (o *Options) call() permission.ToolCall {
	if o == nil {
		return permission.ToolCall{}
	}
	return permission.ToolCall{Session: o.Session, Dir: o.Dir}
}
