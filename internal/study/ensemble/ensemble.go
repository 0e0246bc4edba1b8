// Package ensemble runs many machines in parallel, each on one thread, within the limits of cores and memory.
//
//	work 0, 1, 2, ... ──► Crew: a free core? enough memory? ──► begins, in this order
//
//	ensemble.go  the whole package
//
// A machine's run depends only on the machine, so results are the same for any number of workers. Only the use of the
// results needs care: it must follow the order of the work, not the order in which pieces end.
package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"emsim/internal/base/memlimit"
)

// Crew limits how many pieces of work run at a time: one per worker, as long as their memory fits. A piece that is too
// large for the memory runs alone.
type Crew struct {
	workers int
	memory  uint64        // limit for all pieces together
	used    func() uint64 // returns how many bytes the process uses

	mu      sync.Mutex
	running int
	taken   uint64 // estimated bytes of the running pieces
	waiting []*turn
}

// turn is a piece of work that waits to begin.
type turn struct {
	bytes uint64
	begun chan struct{} // closed when it may begin
}

// New returns a crew with the given number of workers. If workers is 0, the crew has one worker for each core that the
// process may use. Its memory limit comes from Memory.
func New(workers int) *Crew {
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	return &Crew{workers: workers, memory: Memory(), used: memlimit.HeapBytes}
}

// Enter waits until a piece of work of about the given size may begin. Pieces begin in the order of their calls. Unless
// Enter returns the error of ctx, Leave must follow.
func (c *Crew) Enter(ctx context.Context, bytes uint64) error {
	t := &turn{bytes, make(chan struct{})}
	c.mu.Lock()
	c.waiting = append(c.waiting, t)
	c.admit()
	c.mu.Unlock()
	select {
	case <-t.begun:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.waiting, t); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		c.admit() // this piece may have been too large, while the next one is not
	} else {
		c.leave(bytes)
	}
	return ctx.Err()
}

// Leave ends a piece of work of the given size, and lets waiting pieces begin.
func (c *Crew) Leave(bytes uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(bytes)
}

func (c *Crew) leave(bytes uint64) {
	c.running--
	c.taken -= bytes
	c.admit()
}

// admit lets the next pieces begin while mayBegin permits it. The caller holds mu.
func (c *Crew) admit() {
	for len(c.waiting) > 0 && c.mayBegin(c.waiting[0].bytes) {
		t := c.waiting[0]
		c.waiting = c.waiting[1:]
		c.running++
		c.taken += t.bytes
		close(t.begun)
	}
}

// mayBegin reports whether another piece may begin. Machines may outgrow their estimates, so the bytes actually in use
// are checked too.
func (c *Crew) mayBegin(bytes uint64) bool {
	switch {
	case c.running == 0:
		return true
	case c.running >= c.workers || c.taken+bytes > c.memory:
		return false
	case c.used()+bytes <= c.memory:
		return true
	}
	runtime.GC() // some memory may belong to machines that have ended
	return c.used()+bytes <= c.memory
}

// assumed is the memory, in bytes, of a computer that does not report it.
const assumed = 4 << 30

// Memory returns how many bytes all machines together may take: three quarters of the memory that is left.
func Memory() uint64 {
	left, _ := memlimit.BytesLeft()
	if left == math.MaxUint64 {
		left = assumed
	}
	return left / 4 * 3
}

// Each does n pieces of work, which begin in the order of their numbers and take about bytes(i) of memory each. After
// ctx ends, no further piece begins. When all begun pieces have ended, Each returns how many there were.
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

// InOrder works like Each, for work that can fail. It behaves as if the pieces were done one after another up to the
// first that fails. It returns the number and the error of that piece, or n and nil. It cancels the contexts of later
// pieces that have begun, and drops their results.
func (c *Crew) InOrder(ctx context.Context, n int, bytes func(i int) uint64,
	work func(ctx context.Context, i int) error,
) (int, error) {
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
	if failure == nil && begun < n { // ctx ended between two pieces
		if failure = work(ctx, begun); failure == nil {
			failure = ctx.Err()
		}
		return begun, failure
	}
	return first, failure
}
