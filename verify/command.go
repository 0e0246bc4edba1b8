package verify

import (
	"fmt"
	"strings"
)

// A Reproduction is how to get a row's value alone.
type Reproduction struct {
	Command string   // gives the value
	Reading Reading  // where its answer with --json has it
	Behind  []string // commands that show runs behind the value, when Command is 'emsim verify'
}

// Reproduce returns the command that gives a claim's value, with all its runs
// and seeds. A value that no other command prints has 'emsim verify' with its
// id, and the commands that show the runs it is made of, if there are any.
func Reproduce(c Claim) Reproduction {
	words, reading, behind := "", Reading{}, []string(nil)
	switch c.PaperNo {
	case "000":
		words, reading, behind = command000(c)
	case "001":
		words, reading = command001(c)
	case "002":
		words, reading, behind = command002(c)
	case "003":
		words, reading, behind = command003(c)
	case "004":
		words, reading, behind = command004(c)
	}
	for i := range behind {
		behind[i] = "emsim " + behind[i]
	}
	if words == "" {
		words, reading = "verify "+c.ID, Reading{Key: "0.model"}
	}
	return Reproduction{"emsim " + words, reading, behind}
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

func command000(c Claim) (words string, r Reading, behind []string) {
	if c.Cond["source"] == "recorded" {
		return "mnc run" + flags(c, "pes", "loops", "policy", "topology", "items"), Reading{Key: "clocks", And: "transfers"}, nil
	}
	if c.ID == "000.rel.10" {
		behind = []string{fmt.Sprintf("mnc run --pes 16 --loops %d --items %d --dead-at %d:5", mncHeavy, mncItems, mncEvent)}
	}
	return "", Reading{}, behind
}

func command001(c Claim) (words string, r Reading) {
	key, ok := map[string]Reading{
		"total": {Key: "total_s"}, "calc": {Key: "calc_s"}, "comm": {Key: "comm_s"}, "other": {Key: "other_s"},
		"share": {Key: "other_s", Times: 100, Over: "total_s"}, "loops": {Key: "iterations"},
	}[c.Quantity]
	switch {
	case !ok || c.Cond["nodes"] == "" || c.Class == Regression || strings.HasPrefix(c.ID, "001.claim.comm"):
		return "", r // several machines
	case c.Quantity == "loops":
		return "rhinet run" + flags(c, "nodes", "network", "algorithm", "load"), key
	case c.Cond["load"] == "noload" && c.Quantity == "other":
		key.Key = "lb_s" // "other" of tables 2 and 3
	case c.Cond["load"] == "noload" && c.Quantity == "share":
		key.Key = "comm_s"
	}
	return "rhinet run" + flags(c, "nodes", "network", "algorithm", "load") + fmt.Sprintf(" --seeds %d", tableSeeds), key
}

func command002(c Claim) (words string, r Reading, behind []string) {
	of := func(method string) string { return fmt.Sprintf("spmd run --method %s --seeds %d", method, seeds002) }
	switch method := c.Cond["method"]; c.Quantity {
	case "tasks_fall", "end_falls":
		return "", r, []string{of("static"), of("proposed")}
	case "tasks", "end_time":
		if method == "" {
			return "", r, nil
		}
		list := map[string]string{"tasks": "tasks", "end_time": "end_s"}[c.Quantity]
		return of(method), Reading{Key: list + "." + c.Cond["processor"]}, nil
	default:
		return "", r, []string{of(method)}
	}
}

// keys003 are the quantities that 'emsim run' prints the means of.
var keys003 = map[string]Reading{
	"time":           {Key: "bands.time_ms.mean"},
	"pe_utilisation": {Key: "bands.pe_utilisation.mean", Times: 100},
	"exu_fmu":        {Key: "bands.exu_fmu.mean", Times: 100},
	"ibu_only":       {Key: "bands.ibu_only.mean", Times: 100},
	"network_wait":   {Key: "bands.network_wait.mean", Times: 100},
	"instructions":   {Key: "bands.instructions.mean", Times: 1e-6},
	"calls":          {Key: "calls", Plus: -1, Times: 0.5},
	"mlpe_calls":     {Key: "bands.mlpe_calls.mean"},
	"work_per_call":  {Key: "bands.work_per_call.mean"},
	"outcome":        {Key: "error.kind", Ends: true},
}

func command003(c Claim) (words string, r Reading, behind []string) {
	for _, r := range runsOf(c) {
		behind = append(behind, runCommand(r))
	}
	if r, ok := keys003[c.Quantity]; ok && len(behind) > 0 {
		return behind[0], r, nil
	}
	return "", r, behind
}

// runCommand is the command of a run of fib.
func runCommand(r Run003) string {
	words := fmt.Sprintf("run fib %d --policy %s", r.N, r.Policy)
	switch {
	case r.MLPE:
		words += " --mlpe"
	case r.Software:
		words += " --param mlpe=software"
	}
	words += fmt.Sprintf(" --runs %d", r.Runs)
	if r.Seeds > 1 {
		words += fmt.Sprintf(" --seeds %d", r.Seeds)
	}
	return words
}

func command004(c Claim) (words string, r Reading, behind []string) {
	machine := flags(c, "network", "shape", "stages", "wiring")
	arg := c.Cond["arg"]
	switch measure := c.Cond["measure"]; measure {
	case "table1.run", "table1.mean", "table1.sd":
		return "", r, []string{fmt.Sprintf("pdes scatter%s --runs %d", machine, nstarSeeds)}
	case "nstar.sd_ratio", "nstar.mean_ratio":
		_, key, _ := strings.Cut(measure, ".")
		return fmt.Sprintf("pdes scatter%s --runs %d", machine, nstarSeeds), Reading{Key: key}, nil
	case "nstar.below":
		_, seeds, _ := strings.Cut(arg, " ")
		return "", r, []string{"pdes scatter" + machine + " --runs " + seeds}
	case "hstar", "cost", "cost.ratio":
		return costCommand(c, machine)
	case "pattern.outcome":
		return "", r, []string{"pdes patterns"}
	case "pattern.slowdown":
		return "pdes patterns", Reading{Key: patternKey(arg, c.Cond["network"])}, nil
	case "zero":
		return "pdes calibrate" + machine, Reading{Key: arg}, nil
	case "uniform":
		return "pdes calibrate" + machine, Reading{Key: "b_uniform.2.b"}, nil // the third load, 0.6
	case "golden":
		return "pdes run" + machine + " --slots " + arg, Reading{Key: c.Quantity}, nil
	case "runtime", "runtime.bound":
		timing := strings.Fields(arg)
		if len(timing) != 3 {
			return "", r, nil
		}
		run := func(by string) string {
			return fmt.Sprintf("pdes run%s --map %s --cell %s --window %s --slots %s", machine, by, timing[0], timing[1], timing[2])
		}
		return "", r, []string{run("conventional"), run("exact")}
	case "objective":
		return "", r, []string{fmt.Sprintf("pdes compare%s --maps %d --cell %d --window %d --slots %d", machine, objectiveMaps, objectiveCell, objectiveWindow, objectiveSlots)}
	}
	return "", r, nil
}

// patternKey is where 'emsim pdes patterns' has a pattern, numbered from 1, on
// a network.
func patternKey(number, network string) string {
	at := 0
	_, _ = fmt.Sscan(number, &at) // a wrong number is found when the row is measured
	return fmt.Sprintf("%d.%s", at-1, network)
}

// costCommand is the command of a row about the cost of maps.
func costCommand(c Claim, machine string) (words string, r Reading, behind []string) {
	by := c.Cond["map"]
	if strings.Contains(by, "xbar") {
		machine += " --neighbour xbar"
	}
	switch {
	case by == "greedy xbar":
		r.Key = "ratio_greedy"
	case c.Cond["measure"] != "cost":
		r.Key = "ratio"
	case by == "grid" || by == "xbar":
		r.Key = "greedy"
	default:
		r.Key = by
	}
	return "pdes cost" + machine, r, nil
}
