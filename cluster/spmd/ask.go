package spmd

// A Reading is what a processor knows when another processor's Power arrives. An Asker decides by it; users can
// write their own.
type Reading struct {
	Processor, From int // the reader, and the processor whose Power it reads
	Own, Heard      int // the reader's own last Power, -1 before the first; and the Power that has just arrived
	Left            int // tasks that the reader has not started yet
}

// An Asker is a policy: it returns the number of tasks to ask the sender of the Power for, 0 or less for none. It
// must depend on the Reading alone.
type Asker func(r Reading) int

// asker returns the policy of a configuration: one of the paper's [002 §2.2], or the user's own.
func (c *Config) asker() Asker {
	switch {
	case c.Ask != nil:
		return c.Ask
	case c.Method == Proposed:
		return ForDifference
	case c.Method == Static:
		return ForOne
	}
	return func(Reading) int { return 0 }
}

// ForOne returns 1 for a slower processor, otherwise 0: the static method.
func ForOne(r Reading) int {
	if r.Own > r.Heard {
		return 1
	}
	return 0
}

// ForDifference returns the difference of the Powers for a slower processor, otherwise 0: the proposed method.
func ForDifference(r Reading) int { return max(0, r.Own-r.Heard) }
