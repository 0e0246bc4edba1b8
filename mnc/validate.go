package mnc

import "emsim/internal/base/knob"

// Limits of Knobs. They keep every product in the model within 64 bits, and are far beyond the real machine
// [derived].
const (
	maxItems    = 1<<31 - 1 // a datum's number is a signed 32-bit number
	maxLoops    = 1<<31 - 1 // a datum's value is a signed 32-bit number
	maxCost     = 1 << 20   // clocks
	maxClocks   = 1 << 60   // of a whole run
	maxLoopCost = 1 << 11   // clocks
	maxPercent  = 1 << 20
	maxSpan     = 1 << 40   // clocks: slice, kept work, ability interval
	maxAbility  = 256 * One // Q16
	maxBatch    = 1 << 16
	maxGuard    = 1 << 20   // actions
	maxStore    = 1<<16 - 1 // half a status word
)

// Validate checks every value and returns the first error as a *Usage. New calls it.
func (c *Config) Validate() error {
	if err := c.Wiring.Validate(); err != nil {
		return err
	}
	s := DefaultSetup()
	s.Config = *c
	if err := knob.CheckAll(knob.Bind(Knobs(), &s)); err != nil {
		return usagef("%w", err)
	}
	if c.AbilityMin > c.AbilityMax {
		return usagef("pa_min is %g, above pa_max, %g", float64(c.AbilityMin)/One, float64(c.AbilityMax)/One)
	}
	if c.Cost.IdleMax < c.Cost.Idle {
		return usagef("idle_max is %d, less than idle, %d", c.Cost.IdleMax, c.Cost.Idle)
	}
	if err := c.validateWork(); err != nil {
		return err
	}
	if err := c.validateSpeeds(); err != nil {
		return err
	}
	return c.validateTimes()
}

func (c *Config) validateSpeeds() error {
	if c.Slow != nil && len(c.Slow) != c.Wiring.PEs {
		return usagef("%d speeds for %d PEs: expected one each, or none", len(c.Slow), c.Wiring.PEs)
	}
	for pe, p := range c.Slow {
		if p < 1 || p > maxPercent {
			return usagef("PE %d takes %d %% of the nominal time: expected 1 to %d", pe, p, maxPercent)
		}
	}
	for i, e := range c.Events {
		switch {
		case e.Clock < 0:
			return usagef("event %d is at clock %d: expected 0 or later", i, e.Clock)
		case e.PE < 0 || e.PE >= c.Wiring.PEs:
			return usagef("event %d is at PE %d: expected 0 to %d", i, e.PE, c.Wiring.PEs-1)
		case !e.Dead && (e.Percent < 1 || e.Percent > maxPercent):
			return usagef("event %d sets %d %% of the nominal time: expected 1 to %d", i, e.Percent, maxPercent)
		}
	}
	return nil
}

// validateTimes checks that the clock stays within 60 bits and that the stall limit is longer than a working run
// needs.
func (c *Config) validateTimes() error {
	if p := c.workTime(c.slowest()); p > maxSpan {
		return usagef("one datum takes %d clocks (%d loops at %d %%): expected at most %d", p, c.Loops, c.slowest(),
			int64(maxSpan))
	} else if c.Stall > 0 && c.Stall <= 100*p {
		return usagef("Stall is %d clocks: expected more than 100 times f(), %d", c.Stall, 100*p)
	}
	// No datum stays in the machine longer than a few of the longest actions at each PE.
	pes := int64(max(PaperPEs, c.Wiring.PEs))
	if c.Items > 0 && c.longest() > maxClocks/(4*pes)/int64(c.Items) {
		return usagef("%d items with actions of up to %d clocks could exceed the clock's %d", c.Items, c.longest(),
			int64(maxClocks))
	}
	return nil
}
