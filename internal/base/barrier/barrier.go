// Package barrier runs series of short steps on several threads that meet after each step. A step takes some
// microseconds, so waiting threads spin. They soon stop spinning and sleep, because when cores are scarce a late thread
// may need the core of a waiting one.
package barrier

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Work does one thread's part of a step of a series. If it returns true, the series ends after this step.
type Work func(thread, step int) (stop bool)

// Threads is a fixed number of threads, including the caller's.
type Threads struct {
	series counter       // changes when a series begins
	now    [2]assignment // the series in progress and the one before it, alternately
	met    counter       // how often threads have arrived at meetings
	gate   []waiter      // by thread

	steps, waits int           // in this sample: the steps, and the steps in which the caller slept
	slept        time.Duration // in this sample
	began        time.Time     // when the first step of this sample had ended
	alone        int           // remaining steps that the caller does alone
}

// assignment is the work and the length of a series.
type assignment struct {
	work Work
	last atomic.Int64 // its last step
}

// When cores are scarce, several threads are slower than one. So if the caller sleeps in more than maxWaits of
// sampleSteps steps, and for more than 1/leastSlept of the time, it does the next aloneSteps steps alone [chosen:
// samples are at most 5 % of the steps; two threads of which one sleeps for a third of the time gain at most a third].
// In a step of milliseconds the parts can differ by more than the time that a thread spins, so the number of sleeps
// alone does not show scarce cores. The result does not depend on which thread does a part of a step.
const (
	sampleSteps = 1000
	maxWaits    = 50
	leastSlept  = 3
	aloneSteps  = 20000
)

// counter is a counter on cache lines of its own.
type counter struct {
	_ [64]byte
	atomic.Uint32
	_ [64]byte
}

// New starts n-1 threads, n >= 1, which work together with the caller's. Close ends them.
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

// Series does at most n steps, n >= 1. In each step it calls work once for every thread number, and no step begins
// before all calls of the previous step have returned. It returns the number of steps done: fewer than n if work
// stopped the series, or if the caller is to continue alone.
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

// Alone works like Series, but the caller's thread does the parts of all threads, one after the other.
func Alone(threads, n int, work Work) (done int) {
	for stop := false; done < n && !stop; done++ {
		for th := range threads {
			stop = work(th, done) || stop
		}
	}
	return done
}

// Close ends all threads except the caller's.
func (c *Threads) Close() {
	number := c.series.Load() + 1
	c.now[number&1].work = nil
	c.series.Store(number)
	c.wakeOthers(0)
}

// serve runs the loop of every thread except the caller's.
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

// takePart does one thread's part of a series and returns the number of steps done.
func (c *Threads) takePart(th int, s *assignment) (done int) {
	for step := 0; ; step++ {
		if s.work(th, step) {
			s.last.Store(int64(step))
		}
		slept := c.meetOthers(th)
		if th == 0 && c.sample(slept) { // the others may have begun the next step
			s.last.Store(min(s.last.Load(), int64(step+1)))
		}
		// A thread that is ahead can end the series only with a later step.
		if int64(step) >= s.last.Load() {
			return step + 1
		}
	}
}

// meetOthers returns when all threads have come to this meeting. It returns how long the thread slept.
func (c *Threads) meetOthers(th int) (slept time.Duration) {
	n := uint32(len(c.gate))
	w := &c.gate[th]
	w.meetings += n
	if all := w.meetings; c.met.Add(1) != all {
		return w.await(&c.met.Uint32, all)
	}
	c.wakeOthers(th)
	return 0
}

// sample counts a step, and how long the caller slept in it. It reports whether the caller is to continue alone.
func (c *Threads) sample(slept time.Duration) (alone bool) {
	if c.steps == 0 {
		c.began, c.slept, c.waits = time.Now(), 0, 0
	}
	if slept > 0 {
		c.waits++
		c.slept += slept
		alone = c.waits > maxWaits && c.slept > time.Since(c.began)/leastSlept
	}
	if c.steps++; alone {
		c.alone = aloneSteps
	}
	if alone || c.steps == sampleSteps {
		c.steps = 0
	}
	return alone
}

// wakeOthers wakes all threads except th. The condition that they wait for must already hold.
func (c *Threads) wakeOthers(th int) {
	for i := range c.gate {
		if i != th {
			c.gate[i].wakeUp()
		}
	}
}

// waiter is where one thread waits for a counter.
type waiter struct {
	meetings uint32 // value of Threads.met after all have arrived at the thread's last meeting
	asleep   atomic.Bool
	wake     chan struct{}
	_        [64]byte
}

// spins is how often a waiting thread checks the counter before it sleeps:
// some 50 µs, several times the difference between the parts of a step
// [chosen: with fewer, threads fall asleep in ordinary steps].
const spins = 1 << 16

// await waits until the counter has reached the value. It returns how long the thread slept.
func (s *waiter) await(counter *atomic.Uint32, value uint32) (slept time.Duration) {
	for i := 0; int32(counter.Load()-value) < 0; i++ {
		if i < spins {
			if i&0x3ff == 0x3ff {
				runtime.Gosched()
			}
			continue
		}
		from := time.Now()
		s.asleep.Store(true)
		// If the counter changed just before asleep was set, no other thread will wake this one.
		if int32(counter.Load()-value) < 0 || !s.asleep.CompareAndSwap(true, false) {
			<-s.wake
		}
		slept += time.Since(from)
	}
	return slept
}

// wakeUp wakes the thread if it sleeps. The counter must already have changed.
func (s *waiter) wakeUp() {
	if s.asleep.Load() && s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}
