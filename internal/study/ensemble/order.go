package ensemble

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// Each does n pieces of work, which begin in the order of their numbers and
// take about bytes(i) of memory each. After the end of ctx no further one begins. It
// returns how many have begun, once all of these have ended.
func (c *Crew) Each(ctx context.Context, n int, bytes func(i int) uint64, work func(i int)) (begun int) {
	var all sync.WaitGroup
	var once sync.Once
	var bug any // the first panic
	for ; begun < n; begun++ {
		i, size := begun, bytes(begun)
		if ctx.Err() != nil || c.Enter(ctx, size) != nil {
			break
		}
		all.Go(func() {
			defer c.Leave(size)
			defer func() {
				if x := recover(); x != nil {
					once.Do(func() { bug = fmt.Sprintf("%v\n\n%s", x, debug.Stack()) })
				}
			}()
			work(i)
		})
	}
	all.Wait()
	if bug != nil {
		panic(bug)
	}
	return begun
}

// InOrder is Each for work that can fail. It behaves as if the pieces were done
// one after another up to the first that fails: it returns that one's number
// and error, or n and nil. Later pieces, begun or not, are ended by their
// contexts; what they gave does not count.
func (c *Crew) InOrder(ctx context.Context, n int, bytes func(i int) uint64, work func(ctx context.Context, i int) error) (int, error) {
	more, noMore := context.WithCancel(ctx)
	defer noMore()
	var mu sync.Mutex
	first, failure := n, error(nil)
	running := map[int]context.CancelFunc{}
	begun := c.Each(more, n, bytes, func(i int) {
		mu.Lock()
		if i > first {
			mu.Unlock()
			return
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		running[i] = stop
		mu.Unlock()
		err := work(ctx, i)
		mu.Lock()
		defer mu.Unlock()
		delete(running, i)
		if err == nil || i > first {
			return
		}
		first, failure = i, err
		noMore()
		for j, stop := range running {
			if j > i {
				stop()
			}
		}
	})
	if failure == nil && begun < n { // ctx has ended between two pieces
		if failure = work(ctx, begun); failure == nil {
			failure = ctx.Err()
		}
		return begun, failure
	}
	return first, failure
}
