package spmd

// A Reading is what a processor knows when another processor's Power arrives. A Requester decides by it; users can
// write their own.
type Reading struct {
	Processor, From int // the reader, and the processor whose Power it reads
	Own, Heard      int // the reader's own last Power, -1 before the first; and the Power that has just arrived
	Left            int // tasks that the reader has not started yet
}

// A Requester is a policy: it returns the number of tasks to request from the sender of the Power, 0 or less for none.
// It must depend on the Reading alone.
type Requester func(r Reading) int

// requester returns the policy of a configuration: one of the paper's [002 §2.2], or the user's own.
func (c *Config) requester() Requester {
	switch {
	case c.Request != nil:
		return c.Request
	case c.Policy == Proposed:
		return ForDifference
	case c.Policy == Static:
		return ForOne
	}
	return func(Reading) int { return 0 }
}

// ForOne returns 1 for a slower processor, otherwise 0: the static policy.
func ForOne(r Reading) int {
	if r.Own > r.Heard {
		return 1
	}
	return 0
}

// ForDifference returns the difference of the Powers for a slower processor, otherwise 0: the proposed policy.
func ForDifference(r Reading) int { return max(0, r.Own-r.Heard) }
