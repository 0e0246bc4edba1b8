// Package barrier runs series of short steps on several threads that meet after
// each step. A step takes some microseconds, so threads spin while they wait;
// they soon stop spinning and sleep, because when cores are scarce the thread
// that is late may need the core of the one that waits for it.
package barrier

import (
	"runtime"
	"sync/atomic"
)

// Work is one thread's part of a step of a series. If it returns true the series
// ends after this step.
type Work func(thread, step int) (stop bool)

// Threads is a fixed number of threads, the caller's own included.
type Threads struct {
	series counter       // changes when a series begins
	now    [2]assignment // the series in progress, and the one before, in turn
	met    counter       // how often a thread has come to a meeting
	gate   []waiter      // by thread

	steps, waits int // in this sample: steps, and those in which the caller had to sleep
	alone        int // steps that the caller still does by itself
}

// assignment is a series.
type assignment struct {
	work Work
	last atomic.Int64 // its last step
}

// When cores are scarce, several threads are slower than one. So once the caller
// had to sleep more than maxWaits times in a sample of sampleSteps steps it does the
// next aloneSteps steps by itself [chosen: samples are at most 5 % of the steps].
// Which thread does a part of a step cannot change the outcome.
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

// Series does at most n steps, n >= 1: in each of them it calls work once for
// every thread number, and no step begins before all calls of the one before it
// have returned. It returns the number of steps done, which are fewer when the caller
// is to continue alone, too.
func (c *Threads) Series(n int, work Work) (done int) {
	if c.alone > 0 {
		done = Alone(len(c.gate), n, work)
		c.alone = max(0, c.alone-done)
		return done
	}
	number := c.series.Load() + 1
	s := &c.now[number&1]
	s.work = work
	s.last.Store(int64(n - 1))
	c.series.Store(number)
	c.wakeOthers(0)
	return c.takePart(0, s)
}

// Alone works as Series on the caller's thread alone, which does the parts of all
// threads one after the other.
func Alone(threads, n int, work Work) (done int) {
	for stop := false; done < n && !stop; done++ {
		for th := range threads {
			stop = work(th, done) || stop
		}
	}
	return done
}

// Close ends all threads but the caller's.
func (c *Threads) Close() {
	number := c.series.Load() + 1
	c.now[number&1].work = nil
	c.series.Store(number)
	c.wakeOthers(0)
}

// serve does what every thread but the caller's does.
func (c *Threads) serve(th int) {
	for number := uint32(1); ; number++ {
		c.gate[th].await(&c.series.Uint32, number)
		s := &c.now[number&1]
		if s.work == nil {
			return
		}
		c.takePart(th, s)
	}
}

// takePart returns one thread's part of a series.
func (c *Threads) takePart(th int, s *assignment) (done int) {
	for step := 0; ; step++ {
		if s.work(th, step) {
			s.last.Store(int64(step))
		}
		slept := c.meetOthers(th)
		if th == 0 && c.sample(slept) { // the others may be in the next step already
			s.last.Store(min(s.last.Load(), int64(step+1)))
		}
		// A thread that is ahead can end the series only with a later step.
		if int64(step) >= s.last.Load() {
			return step + 1
		}
	}
}

// meetOthers returns when all threads have come to this meeting, and reports
// whether the thread slept.
func (c *Threads) meetOthers(th int) (slept bool) {
	n := uint32(len(c.gate))
	w := &c.gate[th]
	w.meetings += n
	if all := w.meetings; c.met.Add(1) != all {
		return w.await(&c.met.Uint32, all)
	}
	c.wakeOthers(th)
	return false
}

// sample notes whether the caller slept in a step, and decides whether it continues
// alone.
func (c *Threads) sample(slept bool) (alone bool) {
	if slept {
		c.waits++
	}
	if alone = c.waits > maxWaits; alone {
		c.alone = aloneSteps
	}
	if c.steps++; alone || c.steps == sampleSteps {
		c.steps, c.waits = 0, 0
	}
	return alone
}

// wakeOthers wakes all threads but th. What they wait for has happened before.
func (c *Threads) wakeOthers(th int) {
	for i := range c.gate {
		if i != th {
			c.gate[i].wakeUp()
		}
	}
}

// waiter is where one thread waits for a counter.
type waiter struct {
	meetings uint32 // value of Threads.met when all have come to the thread's last meeting
	asleep   atomic.Bool
	wake     chan struct{}
	_        [64]byte
}

// spins is how often a waiting thread checks the counter before it sleeps:
// some 50 µs, several times the difference between the parts of a step
// [chosen: with fewer, threads fall asleep in ordinary steps].
const spins = 1 << 16

// await returns when the counter has reached the value, and reports whether the
// thread slept.
func (s *waiter) await(counter *atomic.Uint32, value uint32) (slept bool) {
	for i := 0; int32(counter.Load()-value) < 0; i++ {
		if i < spins {
			if i&0x3ff == 0x3ff {
				runtime.Gosched()
			}
			continue
		}
		slept = true
		s.asleep.Store(true)
		// The counter may have changed just before asleep was set; then no thread
		// will wake this thread.
		if int32(counter.Load()-value) < 0 || !s.asleep.CompareAndSwap(true, false) {
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
