package verify

import (
	"fmt"
	"strings"
)

// Command returns the command that reproduces a claim's number outside of
// verify, or shows the runs behind it: of a mean over seeds those of the first
// one, of a ratio of two runs the second. Claims that no other command shows have
// "emsim verify ID".
func Command(c Claim) string {
	words := ""
	switch c.PaperNo {
	case "000":
		words = command000(c)
	case "001":
		words = command001(c)
	case "002":
		words = command002(c)
	case "003":
		words = command003(c)
	case "004":
		words = command004(c)
	}
	if words == "" {
		words = "verify " + c.ID
	}
	return "emsim " + words
}

// flags writes the conditions with these names as flags of the same names.
func flags(c Claim, names ...string) string {
	var s strings.Builder
	for _, name := range names {
		if v := c.Cond[name]; v != "" {
			fmt.Fprintf(&s, " --%s %s", name, v)
		}
	}
	return s.String()
}

func command000(c Claim) string {
	if c.Cond["source"] == "recorded" {
		return "mnc run" + flags(c, "pes", "loops", "policy", "topology", "items")
	}
	if c.ID == "000.rel.10" {
		return fmt.Sprintf("mnc run --pes 16 --loops %d --items %d --dead-at %d:5", mncHeavy, mncItems, mncEvent)
	}
	return ""
}

func command001(c Claim) string {
	if c.Cond["nodes"] == "" || c.Cond["network"] == "" || c.Cond["algorithm"] == "" || c.Class == Regression {
		return "" // several runs
	}
	return "rhinet run" + flags(c, "nodes", "network", "algorithm", "load")
}

func command002(c Claim) string {
	if c.Cond["method"] == "" {
		return ""
	}
	return "spmd run" + flags(c, "method") + fmt.Sprintf(" --seeds %d", seeds002)
}

func command003(c Claim) string {
	r, err := run003(c.Cond)
	if err != nil || c.Quantity == "instruction_overhead" || c.Quantity == "ibu_worst_case" {
		return ""
	}
	words := fmt.Sprintf("run fib %d --policy %s", r.N, r.Policy)
	if r.MLPE {
		words += " --mlpe"
	}
	if r.Runs > 1 {
		words += fmt.Sprintf(" --runs %d", r.Runs)
	}
	return words
}

func command004(c Claim) string {
	machine := flags(c, "network", "shape", "stages", "wiring")
	arg := c.Cond["arg"]
	switch measure := c.Cond["measure"]; measure {
	case "table1.run", "table1.mean", "table1.sd", "nstar.sd_ratio", "nstar.mean_ratio":
		return fmt.Sprintf("pdes scatter%s --runs %d", machine, nstarSeeds)
	case "nstar.below":
		_, seeds, _ := strings.Cut(arg, " ")
		return "pdes scatter" + machine + " --runs " + seeds
	case "hstar", "cost", "cost.ratio", "cost.enumeration":
		if strings.Contains(c.Cond["map"], "xbar") {
			machine += " --neighbour xbar"
		}
		return "pdes cost" + machine
	case "pattern.outcome", "pattern.slowdown":
		return "pdes patterns"
	case "zero", "uniform":
		return "pdes calibrate" + machine
	case "golden":
		return "pdes run" + machine + " --slots " + arg
	case "runtime", "runtime.bound":
		timing := strings.Fields(arg)
		if len(timing) != 3 {
			return ""
		}
		return fmt.Sprintf("pdes run%s --map exact --cell %s --window %s --slots %s", machine, timing[0], timing[1], timing[2])
	case "objective":
		return fmt.Sprintf("pdes compare%s --maps %d --cell %d --window %d --slots %d", machine, objectiveMaps, objectiveCell, objectiveWindow, objectiveSlots)
	}
	return ""
}
