// Package barrier runs short steps on several threads that meet at a barrier
// after each step. A step takes some microseconds, so threads spin while they
// wait; they soon stop spinning and sleep, because when cores are scarce the
// thread that is late may need the core of the one that waits for it.
package barrier

import (
	"runtime"
	"sync/atomic"
)

// Threads is a fixed number of threads, the caller's own included.
type Threads struct {
	work func(thread int)
	step counter  // changes when a step begins
	done counter  // threads that have finished the step
	gate []waiter // by thread

	steps, waits int // in this sample: steps, and those in which the caller had to sleep
	alone        int // steps that the caller still does by itself
}

// When cores are scarce, several threads are slower than one. So every
// sampleSteps steps Threads looks at how often the caller had to sleep: after
// more than maxWaits times the caller does the next aloneSteps steps by itself
// [chosen: sampling then takes some 5 % of the time]. Which thread does a part
// of a step cannot change the outcome.
const (
	sampleSteps = 1000
	maxWaits    = 50
	aloneSteps  = 20000
)

// counter has cache lines of its own.
type counter struct {
	_ [64]byte
	atomic.Uint32
	_ [64]byte
}

// New starts n threads in all, n >= 1. Close ends them.
func New(n int) *Threads {
	c := &Threads{gate: make([]waiter, n)}
	for th := range c.gate {
		c.gate[th].wake = make(chan struct{}, 1)
	}
	for th := 1; th < n; th++ {
		go c.serve(th)
	}
	return c
}

// Count returns the number of threads.
func (c *Threads) Count() int { return len(c.gate) }

// Do calls work once for each thread number 0..n-1 and returns when all calls
// have returned.
func (c *Threads) Do(work func(thread int)) {
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
	if c.steps++; c.steps == sampleSteps {
		if c.waits > maxWaits {
			c.alone = aloneSteps
		}
		c.steps, c.waits = 0, 0
	}
}

// Close ends all threads but the caller's.
func (c *Threads) Close() { c.begin(nil) }

func (c *Threads) begin(work func(thread int)) {
	c.work = work
	c.done.Store(0)
	c.step.Add(1)
	for th := 1; th < len(c.gate); th++ {
		c.gate[th].wakeUp()
	}
}

func (c *Threads) serve(th int) {
	for step := uint32(1); ; step++ {
		c.gate[th].await(&c.step.Uint32, step)
		if c.work == nil {
			return
		}
		c.work(th)
		if c.done.Add(1) == uint32(len(c.gate)-1) {
			c.gate[0].wakeUp()
		}
	}
}

// waiter is where one thread waits for a counter.
type waiter struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [64]byte
}

// spins is how often a waiting thread checks the counter before it sleeps:
// some 50 µs, several times the difference between the parts of a step
// [chosen: with fewer, threads fall asleep in ordinary steps].
const spins = 1 << 16

// await returns when the counter has the value, and reports whether the thread
// slept.
func (s *waiter) await(counter *atomic.Uint32, value uint32) (slept bool) {
	for i := 0; counter.Load() != value; i++ {
		if i < spins {
			if i&0x3ff == 0x3ff {
				runtime.Gosched()
			}
			continue
		}
		slept = true
		s.asleep.Store(true)
		// The counter may have changed just before asleep was set; then nobody
		// will wake this thread.
		if counter.Load() != value || !s.asleep.CompareAndSwap(true, false) {
			<-s.wake
		}
	}
	return slept
}

// wakeUp wakes the thread if it sleeps. The counter has changed before.
func (s *waiter) wakeUp() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}
