// Package threads chooses how many threads step a machine.
package threads

import (
	"runtime"
	"time"
)

// Choice chooses between one thread and several by trials. On a shared computer two cores are often halves of one core,
// or busy with other work, and then several threads are slower than one. No result may depend on the choice.
//
// The load of the computer varies, so only neighbouring stretches are compared. A trial is a series of pairs: a stretch
// with the other number of threads and a stretch with the usual number. Several threads win a pair if they are more
// than mustGain times as fast.
//
//	one thread  0 ◄─lost─ 1 ◄──► 2 ◄── ... ──► 5 ─won─► 6  several
//
// A trial lasts until score reaches either end. Mostly one pair is enough to stay at the same end.
type Choice struct {
	Several int           // number of threads, if not one
	Pause   time.Duration // time before the first trial; least time between trials

	usual, now bool          // whether several threads step: between trials; in this stretch
	trial      bool          // a trial is in progress
	turned     bool          // the number of threads has just changed: the next steps are not measured
	score      int           // 0..won
	steps      uint64        // in this stretch
	lasted     time.Duration // time of these steps
	other      float64       // steps per nanosecond in the previous stretch
	spent      time.Duration // time in this trial with the number of threads that is tried
	next       time.Duration // time from the end of a trial to the next one
	step       uint64        // at the last call
	at         time.Time
}

// pause is the default Pause. A short run has no trial [chosen].
const pause = 3 * time.Second

// New returns a choice between one thread and one per core, but at most one for every 64 PEs.
func New(pes int) *Choice {
	return &Choice{Several: max(1, min(runtime.GOMAXPROCS(0), (pes+63)/64, Most)), Pause: pause}
}

// Most is the greatest number of threads. More threads never help.
const Most = 64

// While one thread is better, trials with several threads take a hundredth of the time. They cost less than that,
// because several threads also make progress [chosen].
const (
	stretch   = 20 * time.Millisecond // minimum
	trialPart = 100
	mustGain  = 1.1
	won       = 6
)

// Begin begins a measurement: the next call of Next measures the steps from this one on.
func (c *Choice) Begin(step uint64) { c.step, c.at = step, time.Now() }

// Next records that all steps before this one are done, and returns the number of threads for the next steps.
func (c *Choice) Next(step uint64) (threads int) {
	n, at := step-c.step, c.at
	c.Begin(step)
	return c.took(n, c.at.Sub(at))
}

// took works like Next, for n steps that took the given time.
func (c *Choice) took(steps uint64, lasted time.Duration) (threads int) {
	if c.now != c.usual {
		c.spent += lasted
	}
	if c.turned {
		c.turned = false
	} else {
		c.steps, c.lasted = c.steps+steps, c.lasted+lasted
		c.decide()
	}
	if c.now {
		return c.Several
	}
	return 1
}

// decide begins the next stretch if the current one was long enough.
func (c *Choice) decide() {
	switch {
	case !c.trial:
		if c.Several > 1 && c.lasted >= max(c.next, c.Pause) {
			c.trial, c.spent = true, 0
			c.turn(!c.usual)
		}
	case c.lasted < stretch:
	case c.now != c.usual:
		c.other = float64(c.steps) / float64(c.lasted)
		c.turn(c.usual)
	default:
		gain := c.other / (float64(c.steps) / float64(c.lasted))
		if c.usual {
			gain = 1 / gain
		}
		if c.score--; gain > mustGain {
			c.score += 2
		}
		if c.score > 0 && c.score < won {
			c.turn(!c.usual)
			return
		}
		c.next = 0
		if c.score = max(0, min(c.score, won)); c.score == 0 && !c.usual {
			c.next = trialPart * c.spent
		}
		c.trial, c.usual = false, c.score == won
		c.turn(c.usual)
	}
}

// turn begins a stretch with one thread or with several.
func (c *Choice) turn(several bool) {
	c.turned = several != c.now
	c.now, c.steps, c.lasted = several, 0, 0
}
