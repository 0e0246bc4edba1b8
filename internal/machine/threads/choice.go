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
type Choice struct {
	Several int           // threads, if not one
	Pause   time.Duration // before the first trial, and at least between two

	several, trial bool          // how it steps now, and whether to see how that is
	steps          uint64        // since it has stepped like this
	lasted         time.Duration // they have taken
	usual          float64       // steps a second before the trial
	next           time.Duration // from the end of a trial to the next one
	step           uint64        // as of the last call
	at             time.Time
}

// pause is the usual one: a short run has no trial [chosen].
const pause = time.Second

// New returns a choice between one thread and as many as there are cores, one for 64
// PEs at most.
func New(pes int) *Choice {
	return &Choice{Several: max(1, min(runtime.GOMAXPROCS(0), (pes+63)/64, Most)), Pause: pause}
}

// Most bounds a number of threads: more never help.
const Most = 64

// Trials are so rare that all of them take a hundredth of the time. Several threads
// must be faster by mustGain [chosen].
const (
	trialTime = 500 * time.Microsecond
	trialPart = 100
	mustGain  = 1.1
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

// took is Next for so many steps that took a time.
func (c *Choice) took(steps uint64, lasted time.Duration) (threads int) {
	c.steps, c.lasted = c.steps+steps, c.lasted+lasted
	switch {
	case !c.trial && c.lasted >= max(c.next, c.Pause):
		c.usual = float64(c.steps) / float64(c.lasted)
		c.turn(!c.several, true)
	case c.trial && c.lasted >= trialTime:
		gain := float64(c.steps) / float64(c.lasted) / c.usual
		c.next = trialPart * c.lasted
		if c.several {
			c.turn(gain > mustGain, false)
		} else {
			c.turn(gain < 1/mustGain, false)
		}
	}
	if c.several {
		return c.Several
	}
	return 1
}

func (c *Choice) turn(several, trial bool) {
	c.several, c.trial, c.steps, c.lasted = several, trial, 0, 0
}
