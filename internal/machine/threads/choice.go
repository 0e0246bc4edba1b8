// Package threads chooses how many threads step a machine.
package threads

import (
	"runtime"
	"time"
)

// Choice chooses between one thread and several by trying. Two cores of a shared
// computer are often two halves of one core, or busy with something else, and
// then several threads are slower than one. Nothing that is computed may depend on
// the choice.
//
// What else the computer does changes from moment to moment, so only neighbours are
// compared: a trial is a series of pairs, a stretch with the other number of threads and
// one with the usual number. Several threads win a pair if they are faster by mustGain.
//
//	one thread  0 ◄─lost─ 1 ◄──► 2 ◄── ... ──► 5 ─won─► 6  several
//
// A trial lasts until score is at an end: mostly one pair is enough to stay there.
type Choice struct {
	Several int           // threads, if not one
	Pause   time.Duration // before the first trial, and at least between two

	usual, now bool          // several threads: between trials; in this stretch
	trial      bool          // one is in progress
	turned     bool          // nothing of this stretch is measured yet: first the machine is divided again
	score      int           // 0..won
	steps      uint64        // in this stretch
	lasted     time.Duration // they have taken
	other      float64       // steps a nanosecond in the stretch before
	spent      time.Duration // in this trial with another number of threads than the usual one
	next       time.Duration // from the end of a trial to the next one
	step       uint64        // as of the last call
	at         time.Time
}

// pause is the usual one: a short run has no trial [chosen].
const pause = 3 * time.Second

// New returns a choice between one thread and as many as there are cores, one for 64
// PEs at most.
func New(pes int) *Choice {
	return &Choice{Several: max(1, min(runtime.GOMAXPROCS(0), (pes+63)/64, Most)), Pause: pause}
}

// Most bounds a number of threads: more never help.
const Most = 64

// While one thread is better, trials with several take a hundredth of the time; they
// cost less than that, because several threads do something, too [chosen].
const (
	stretch   = 20 * time.Millisecond // at least
	trialPart = 100
	mustGain  = 1.1
	won       = 6
)

// Begin notes that steps from this one on follow.
func (c *Choice) Begin(step uint64) { c.step, c.at = step, time.Now() }

// Next notes that all steps before this one are done, and returns the number of
// threads for the next ones.
func (c *Choice) Next(step uint64) (threads int) {
	n, at := step-c.step, c.at
	c.Begin(step)
	return c.took(n, c.at.Sub(at))
}

// took works like Next for n steps that took a time.
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

// decide moves to the next stretch if this one was long enough.
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

// turn begins a stretch.
func (c *Choice) turn(several bool) {
	c.turned = several != c.now
	c.now, c.steps, c.lasted = several, 0, 0
}
