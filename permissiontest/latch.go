package permissiontest

import (
	"sync"

	"github.com/insomnia-run/permission"
)

// A latch opens when the tools of some calls have been counted.
type latch struct {
	open chan struct{}

	mu   sync.Mutex
	want map[string]bool
}

func newLatch(calls ...permission.ToolCall) *latch {
	l := &latch{open: make(chan struct{}), want: make(map[string]bool)}
	for _, c := range calls {
		l.want[about(c)] = true
	}
	return l
}

func (l *latch) count(c permission.ToolCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.want[about(c)] {
		return // another call, or once more
	}
	if delete(l.want, about(c)); len(l.want) == 0 {
		close(l.open)
	}
}
