package spmd

// A Reading is what a processor knows when another one's Power has come. An Asker, the
// hook for a policy of one's own, decides by it.
type Reading struct {
	Processor, From int // the reader, and the processor whose Power it reads
	Own, Heard      int // its own last Power, -1 before the first; and the Power that has come
	Left            int // tasks that it has yet to start
}

// An Asker is a policy: it says for how many tasks to ask the sender of the Power,
// 0 or less for none. It must depend on the Reading alone.
type Asker func(r Reading) int

// asker returns the policy of a configuration: one of the paper's [002 §2.2], or one's
// own.
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

// ForOne asks a slower processor for one task: the static method.
func ForOne(r Reading) int {
	if r.Own > r.Heard {
		return 1
	}
	return 0
}

// ForDifference asks a slower processor for the difference of the Powers: the
// proposed method.
func ForDifference(r Reading) int { return max(0, r.Own-r.Heard) }
