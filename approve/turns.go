package approve

import (
	"context"
	"slices"
	"sync"
)

// turns are taken one at a time, in order of arrival. The zero value is ready.
type turns struct {
	mu      sync.Mutex
	taken   bool
	waiting []chan struct{} // each is closed when its turn comes
}

// take waits for a turn, which has to be passed on, or for the end of ctx.
func (q *turns) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	turn := q.join()
	select {
	case <-turn:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		q.leave(turn)
		return ctx.Err()
	}
	return nil
}

// join returns a channel that is closed when the turn comes, which may be now.
func (q *turns) join() chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	turn := make(chan struct{})
	if q.taken {
		q.waiting = append(q.waiting, turn)
		return turn
	}
	q.taken = true
	close(turn)
	return turn
}

// leave gives up a place in the queue, or the turn if it has come.
func (q *turns) leave(turn chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, turn); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		return
	}
	q.next()
}

// pass gives the turn to whoever waits longest.
func (q *turns) pass() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next()
}

// next gives the turn to whoever waits longest, or to nobody. The caller holds mu.
func (q *turns) next() {
	if len(q.waiting) == 0 {
		q.taken = false
		return
	}
	close(q.waiting[0])
	q.waiting = slices.Delete(q.waiting, 0, 1)
}
