// Package crew lets several threads do a step together: each its part, and
// nobody goes on before all are done. Steps are short, some microseconds, so
// the threads wait for each other awake; but not for long, because where other
// work wants the cores too, the one that is waited for may need this one's.
package crew

import (
	"runtime"
	"sync/atomic"
)

// Crew is a number of threads, the caller's own among them.
type Crew struct {
	work func(thread int)
	step counter   // changes when a step begins
	done counter   // threads that have ended their part of it
	gate []sleeper // by thread

	steps, waits int // of the last steps, and in how many of them somebody was late
	alone        int // steps to do without the others
}

// Where cores are scarce a crew is slower than one thread. So it looks now and
// then how it fares: when of `looked` steps more than `late` had to wait for
// long, the caller does the next `apart` alone [chosen: a look takes some 5 % of
// the time then]. Who does a step is nothing that its outcome could depend on.
const (
	looked = 1000
	late   = 50
	apart  = 20000
)

// counter lies in a cache line of its own.
type counter struct {
	_ [64]byte
	atomic.Uint32
	_ [64]byte
}

// New returns a crew of n threads, n >= 1. It has to be closed.
func New(n int) *Crew {
	c := &Crew{gate: make([]sleeper, n)}
	for th := range c.gate {
		c.gate[th].wake = make(chan struct{}, 1)
	}
	for th := 1; th < n; th++ {
		go c.serve(th)
	}
	return c
}

// Threads returns their number.
func (c *Crew) Threads() int { return len(c.gate) }

// Do calls work on every thread, with numbers 0..n-1, and returns when all have
// returned.
func (c *Crew) Do(work func(thread int)) {
	if c.alone > 0 {
		c.alone--
		for th := range c.gate {
			work(th)
		}
		return
	}
	c.begin(work)
	work(0)
	if c.gate[0].await(&c.done.Uint32, uint32(len(c.gate)-1)) {
		c.waits++
	}
	if c.steps++; c.steps == looked {
		if c.waits > late {
			c.alone = apart
		}
		c.steps, c.waits = 0, 0
	}
}

// Close ends the other threads.
func (c *Crew) Close() { c.begin(nil) }

func (c *Crew) begin(work func(thread int)) {
	c.work = work
	c.done.Store(0)
	c.step.Add(1)
	for th := 1; th < len(c.gate); th++ {
		c.gate[th].rouse()
	}
}

func (c *Crew) serve(th int) {
	for step := uint32(1); ; step++ {
		c.gate[th].await(&c.step.Uint32, step)
		if c.work == nil {
			return
		}
		c.work(th)
		if c.done.Add(1) == uint32(len(c.gate)-1) {
			c.gate[0].rouse()
		}
	}
}

// sleeper is where one thread waits.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [64]byte
}

// awakeFor is how often a thread looks before it goes to sleep: some 50 µs,
// several times what the parts of a step differ by [chosen: with fewer, threads
// fall asleep in ordinary steps].
const awakeFor = 1 << 16

// await returns when the counter has the value, and reports whether the thread
// slept.
func (s *sleeper) await(counter *atomic.Uint32, value uint32) (slept bool) {
	for i := 0; counter.Load() != value; i++ {
		if i < awakeFor {
			if i&0x3ff == 0x3ff {
				runtime.Gosched()
			}
			continue
		}
		slept = true
		s.asleep.Store(true)
		// The value may have come just before, and nobody has seen this one
		// asleep.
		if counter.Load() != value || !s.asleep.CompareAndSwap(true, false) {
			<-s.wake
		}
	}
	return slept
}

// rouse wakes the thread when it is asleep; whatever it waits for is there.
func (s *sleeper) rouse() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}
