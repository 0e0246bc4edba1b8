package balance

import "emsim/internal/base/lists"

// atHome returns the policy of units that stay where they are.
func atHome(w *Worker) Agent { return &Hooks{w} }

// free returns a policy without costs, a bound for the others.
func free(name, title, information string, i *ideal) Policy {
	return Policy{
		Name: name, Title: title, Free: true,
		Decide: Choice{information, "birth", "one", "all"}, New: atHome, ideal: i,
	}
}

// Policies lists all policies and bounds: none, which does not balance; the papers' policies in the papers' order; the
// others; and the bounds.
func Policies() []Policy {
	static := func(name, title, reach string, rule func(*Worker) func(int) int) Policy {
		return Policy{
			Name: name, Paper: "003", Title: title, Decide: Choice{"none", "birth", "one", reach}, New: staticBy(rule),
		}
	}
	mnc := func(name, policy, title string, c Choice) Policy {
		return Policy{Name: name, Paper: "000", Title: title, Decide: c, New: autonomousOn(policy)}
	}
	periodic := func(name, title, reach string, c PeriodicConfig) Policy {
		return Policy{
			Name: name, Paper: "001", Title: title, Decide: Choice{reach, "timer, barrier", "share", reach},
			New: periodicOn(c),
		}
	}
	return []Policy{
		{
			Name: "none", Title: "units stay where they are born",
			Decide: Choice{"none", "none", "none", "none"}, New: atHome,
		},
		mnc("mnc-naive", "naive", "equal loads among twelve neighbours",
			Choice{"neighbours", "slice", "surplus", "neighbours"}),
		mnc("mnc-auto", "auto", "loads in proportion to measured ability",
			Choice{"neighbours, over time", "slice", "surplus", "neighbours"}),
		periodic("clb", "one worker collects speeds and distributes the work", "all", PeriodicConfig{Size: 1}),
		periodic("dlb", "every worker tells all others its speed", "all", PeriodicConfig{Size: 1, Ring: true}),
		periodic("glb", "each pair balances its own work", "pair", PeriodicConfig{Size: 2, Own: true}),
		periodic("igclb", "within pairs, and in turn between pairs like clb", "pair, all",
			PeriodicConfig{Size: 2, Turns: true}),
		periodic("igdlb", "within pairs, and in turn between pairs like dlb", "pair, all",
			PeriodicConfig{Size: 2, Turns: true, Ring: true}),
		{
			Name: "power-static", Paper: "002", Title: "a worker that has done more asks for one unit",
			Decide: Choice{"one neighbour's rate", "timer", "one", "neighbours"}, New: powerOn(false),
		},
		{
			Name: "power", Paper: "002", Title: "a worker that has done more asks for the difference",
			Decide: Choice{"one neighbour's rate", "timer", "difference", "neighbours"}, New: powerOn(true),
		},
		static("ring", "one child to each circuit's next worker", "two neighbours", ringPolicy),
		static("random", "anywhere", "all", random),
		static("round-robin", "to every worker in turn", "all", roundRobin),
		static("ring-random", "anywhere on both circuits", "circuits", ringRandom),
		static("ring-round-robin", "to every worker of both circuits in turn", "circuits", ringRoundRobin),
		static("line", "to the next two on a line through all", "two neighbours", linePolicy),
		{
			Name: "mlpe", Paper: "003", Title: "ring, and one child to the least loaded of a circuit",
			Decide: Choice{"circuit", "birth", "one", "circuit"}, New: newSearch,
		},
		{
			Name: "lp-mapping", Paper: "004", Title: "units that talk move closer together, once", Only: "graph",
			Decide: Choice{"all: traffic", "once", "exchange", "all"}, New: newMapping,
		},
		stealing(),
		choices("two-choices", 1, "a unit stays, or goes to a random worker that has less"),
		choices("three-choices", 2, "a unit stays, or goes to the less loaded of two random workers, if that has less"),
		// These are not policies, but bounds on them, and systems that queueing theory has solved.
		free("list", "zero-cost list scheduling: the bound", "everything, free", listScheduling),
		free("central-queue", "zero-cost: one queue for all", "who is idle, free", centralQueue),
		free("shortest-queue", "zero-cost: a unit goes to the worker that has the least", "all, free", shortestQueue),
		free("free-two", "zero-cost: a unit goes to the less loaded of two random workers", "two, free", bestOfTwo),
		free("free-random", "zero-cost: a unit goes anywhere", "none", anybody),
		free("free-round-robin", "zero-cost: one dispatcher sends units to every worker in turn", "none", inTurn),
		free("free-stealing", "zero-cost: a worker with no units takes half of another backlog",
			"who has units, free", freeStealing),
	}
}

// FindPolicy returns the policy with the given name.
func FindPolicy(name string) (Policy, bool) {
	return lists.Find(Policies(), func(s Policy) bool { return s.Name == name })
}
