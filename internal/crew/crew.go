// Package crew lets several threads do a step together: each its part, and
// nobody goes on before all are done. Steps are short, some microseconds, so
// the threads wait for each other awake.
package crew

import (
	"runtime"
	"sync/atomic"
)

// Crew is a number of threads, the caller's own among them.
type Crew struct {
	n    int
	work func(thread int)
	_    [64]byte // the counters lie in cache lines of their own
	step atomic.Uint32
	_    [64]byte
	done atomic.Int32
}

// New returns a crew of n threads, n >= 1. It has to be closed.
func New(n int) *Crew {
	c := &Crew{n: n}
	for th := 1; th < n; th++ {
		go c.serve(th)
	}
	return c
}

// Threads returns their number.
func (c *Crew) Threads() int { return c.n }

// Do calls work on every thread, with numbers 0..n-1, and returns when all have
// returned.
func (c *Crew) Do(work func(thread int)) {
	c.begin(work)
	work(0)
	for i := 0; c.done.Load() != int32(c.n-1); i++ {
		rest(i)
	}
}

func (c *Crew) begin(work func(thread int)) {
	c.work = work
	c.done.Store(0)
	c.step.Add(1)
}

// Close ends the other threads.
func (c *Crew) Close() { c.begin(nil) }

func (c *Crew) serve(th int) {
	for step := uint32(1); ; step++ {
		for i := 0; c.step.Load() != step; i++ {
			rest(i)
		}
		if c.work == nil {
			return
		}
		c.work(th)
		c.done.Add(1)
	}
}

// rest lets others run now and then: on a machine with fewer cores than
// threads the one that is waited for may be among them.
func rest(i int) {
	if i&0xff == 0xff {
		runtime.Gosched()
	}
}
