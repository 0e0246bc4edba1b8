package mnc

// Limits that keep every product of the model inside 64 bits; far beyond the
// real machine [derived].
const (
	maxItems    = 1<<31 - 1 // a datum's number has 32 bits
	maxLoops    = 1<<31 - 1 // a datum's value too
	maxCost     = 1 << 20   // clocks
	maxClocks   = 1 << 60   // of a whole run
	maxLoopCost = 1 << 11   // clocks
	maxPercent  = 1 << 20
	maxSpan     = 1 << 40   // clocks: slice, kept work, ability interval
	maxAbility  = 256 * One // Q16
	maxBatch    = 1 << 16
	maxStore    = 1<<16 - 1 // half a status word
)

// Validate checks every value; New calls it. It reports the first that is
// wrong as a *Usage.
func (c *Config) Validate() error {
	if err := c.Wiring.Validate(); err != nil {
		return err
	}
	switch c.Policy {
	case Auto, Naive, None:
	default:
		return usagef("policy %q: expected auto, naive or none", c.Policy)
	}
	switch c.Form {
	case FormL, FormS, FormW, FormN:
	default:
		return usagef("form %q of equation (2): expected L, S, W or N", c.Form)
	}
	for _, v := range c.limits() {
		if v.value < v.min || v.value > v.max {
			return usagef("%s is %d: expected %d to %d (%s)", v.name, v.value, v.min, v.max, v.why)
		}
	}
	if c.AbilityMin > c.AbilityMax {
		return usagef("ability's lower bound %d/65536 is above the upper, %d/65536", c.AbilityMin, c.AbilityMax)
	}
	if c.Cost.IdleMax < c.Cost.Idle {
		return usagef("cost IdleMax is %d, less than cost Idle, %d", c.Cost.IdleMax, c.Cost.Idle)
	}
	if err := c.validateWork(); err != nil {
		return err
	}
	if err := c.validateSpeeds(); err != nil {
		return err
	}
	return c.validateTimes()
}

type limit struct {
	name            string
	value, min, max int64
	why             string
}

func (c *Config) limits() []limit {
	const (
		bits32 = "a datum's number and value have 32 bits"
		board  = "a board has room for no more"
		status = "a status word has 16 bits for it"
		far    = "far beyond anything the machine was"
		sums   = "clocks are added up in 60 bits"
	)
	k := c.Cost
	return []limit{
		{"Items", int64(c.Items), 0, maxItems, bits32},
		{"Loops", int64(c.Loops), 0, maxLoops, bits32},
		{"Slots", int64(c.Slots), 1, MaxSlots, board},
		{"Batch", int64(c.Batch), 1, maxBatch, far},
		{"XCap", int64(c.XCap), 1, maxStore, status},
		{"YCap", int64(c.YCap), 1, maxStore, status},
		{"Slice", c.Slice, 1, maxSpan, sums},
		{"KeepClk", c.KeepClk, 0, maxSpan, sums},
		{"AbilityInterval", c.AbilityInterval, 1, maxSpan, sums},
		{"AbilityGain", c.AbilityGain, 0, maxAbility, far},
		{"AbilityMin", c.AbilityMin, 1, maxAbility, far},
		{"AbilityMax", c.AbilityMax, 1, maxAbility, far},
		{"Stall", c.Stall, 0, maxClocks, sums},
		{"cost Loop", k.Loop, 0, maxLoopCost, sums},
		{"cost QPRWord", k.QPRWord, 1, maxCost, sums},
		{"cost LocalWord", k.LocalWord, 0, maxCost, sums},
		{"cost Datum", k.Datum, 0, maxCost, sums},
		{"cost Ring", k.Ring, 0, maxCost, sums},
		{"cost Iteration", k.Iteration, 0, maxCost, sums},
		{"cost Neighbour", k.Neighbour, 0, maxCost, sums},
		{"cost AbilityEntry", k.AbilityEntry, 0, maxCost, sums},
		{"cost Idle", k.Idle, 0, maxCost, sums},
		{"cost IdleMax", k.IdleMax, 0, maxCost, sums},
	}
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

// validateTimes keeps the clock inside its 60 bits and the stall limit above
// what a sound run needs.
func (c *Config) validateTimes() error {
	if p := c.workTime(c.slowest()); p > maxSpan {
		return usagef("one datum takes %d clocks (%d loops at %d %%): expected at most %d", p, c.Loops, c.slowest(), int64(maxSpan))
	} else if c.Stall > 0 && c.Stall <= 100*p {
		return usagef("Stall is %d clocks: expected more than 100 times f(), %d", c.Stall, 100*p)
	}
	// No item stays in the machine longer than a few of the longest actions
	// at each PE.
	pes := int64(max(PaperPEs, c.Wiring.PEs))
	if c.Items > 0 && c.longest() > maxClocks/(4*pes)/int64(c.Items) {
		return usagef("%d items with actions of up to %d clocks could exceed the clock's %d", c.Items, c.longest(), int64(maxClocks))
	}
	return nil
}
