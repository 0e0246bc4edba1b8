package explain

import (
	"fmt"
	"strings"

	"emsim/verify"
)

// how says how the model gets a row's value.
func how(c verify.Claim) string {
	switch c.PaperNo {
	case "000":
		return how000(c)
	case "001":
		return how001(c)
	case "002":
		return how002(c)
	case "003":
		return how003(c)
	}
	return how004(c)
}

func how000(c verify.Claim) string {
	if c.Cond["source"] == "recorded" {
		return "One run of the MNC model: the clocks until the last result is at the sink, and the data that left quad-port RAMs. Both are whole numbers, so every change of the model changes them."
	}
	return "Runs of the MNC model with 100,000 data of 100 (light) or 1,000 (heavy) loops, compared as the claim says. The margins are ours: the paper gives directions, and its curves are lost."
}

func how001(c verify.Claim) string {
	const mean = " The row is the mean of 8 runs, whose seeds draw the speeds of the nodes and the phases of the time slices."
	switch c.Quantity {
	case "total":
		return "The time of rank 0, from its start to its end, on the modelled cluster." + mean
	case "calc":
		return "The time in which rank 0 relaxes rows." + mean
	case "comm":
		if c.Rule == verify.Order {
			return "The time of rank 0 in messages and in waiting outside of balancing, on both networks: means of 8 runs, compared."
		}
		return "The time of rank 0 in messages and in waiting outside of balancing." + mean
	case "comm_factor":
		return "The time of rank 0 in messages and in waiting outside of balancing on Ethernet, divided by that on RHiNET-2: means of 8 runs."
	case "other":
		if c.Cond["load"] == "noload" {
			return "The time of rank 0 in balancing phases." + mean
		}
		return "The time of rank 0 less that in which it relaxes rows: mostly waiting for the loaded hosts." + mean
	case "share":
		if c.Rule == verify.Order {
			return "The share of rank 0's time in which it does not relax rows, with 8, 16, 32 and 64 nodes on both networks."
		}
		return "The mean time that the table calls communication (without load) or other (with load), divided by the mean total." + mean
	case "gain":
		return "The time until the last rank is done, with the algorithm and without balancing (GnoLB for algorithms with groups), at 8, 16, 32 and 64 nodes on both networks; each is a mean of 4 seeds."
	case "finish":
		return "The time until the last rank is done under each algorithm, a mean of 4 seeds: the slowest without groups must take a tenth more than the slowest with groups."
	case "loops":
		return "The loops until the modelled program's own SOR solver has converged; it really solves the equations."
	}
	return "Runs of the cluster model, compared as the claim says."
}

func how002(c verify.Claim) string {
	const mean = "the mean of 16 runs, whose seeds draw the phases and the jitter. The paper's topology is lost; ours, T*, was found by fitting"
	switch c.Quantity {
	case "end_time":
		return "The time at which the processor has no task left, " + mean + "."
	case "tasks":
		if c.Cond["method"] == "" {
			return "A topology in which nobody reads anybody's Power, run under every method: all must do their own 100 tasks."
		}
		return "The tasks that the processor did, " + mean + "."
	case "tasks_sum":
		return "The tasks that all processors did, summed."
	case "tasks_mean_error", "end_mean_error":
		return "The distances between the model's and the paper's numbers of the table's row, as a mean over the seven processors."
	}
	return "Both methods run with the same 16 seeds and are compared seed by seed; the claim must hold in each."
}

// means003 are the quantities of paper 003.
var means003 = map[string]string{
	"time":                 "The clocks from the entry of the start packet to the last word that comes back to the host, at 80 ns each",
	"pe_utilisation":       "The share of PE-clocks in which IBU, FMU or EXU of a PE is at work",
	"exu_fmu":              "The share of PE-clocks in which EXU or FMU of a PE is at work",
	"ibu_only":             "The share of PE-clocks in which only the IBU of a PE is at work: it has the memory, to spill or refill packets",
	"network_wait":         "The share of PE-clocks in which a PE waits because the network does not take its packet",
	"instructions":         "The instructions that all EXUs executed",
	"calls":                "The function instances that call others: (instances - 1) / 2",
	"mlpe_calls":           "The calls whose operand segment had been found by an MLPE packet",
	"mlpe_share":           "The calls whose operand segment had been found by an MLPE packet, of all calls",
	"work_per_call":        "The PE-clocks in which IBU, FMU or EXU is at work, for each call",
	"exu_fmu_per_call":     "The PE-clocks in which EXU or FMU is at work, for each call",
	"ibu_only_per_call":    "The PE-clocks in which only the IBU is at work, for each call",
	"wait_per_call":        "The PE-clocks of waiting for the network, for each call",
	"instruction_overhead": "The instructions with MLPE, compared with those without",
	"ibu_worst_case":       "Computed from the counts of the run: 4 clocks for each packet, compared with these and the clocks of EXU and FMU",
	"outcome":              "How the program ends: it runs, or a PE has no operand segment left",
}

func how003(c verify.Claim) string {
	r, one := verify.RunOf(c)
	if c.Quantity == "relation" || !one {
		return "Several settings of the clock-by-clock model run as the rows of the tables do. The claim must hold for the means of their runs; the table says in how many single runs it holds too."
	}
	text := means003[c.Quantity] + fmt.Sprintf(", in the clock-by-clock model of the 80-PE prototype. The program runs %d times on one machine, which keeps its memories", r.Runs)
	if r.Seeds > 1 {
		text += fmt.Sprintf(", and on %d machines, with the seeds 1 to %d", r.Seeds, r.Seeds)
	}
	if c.Quantity == "outcome" {
		return text + "."
	}
	return text + "; the row is the mean of these runs."
}

func how004(c verify.Claim) string {
	switch measure, _, _ := strings.Cut(c.Cond["measure"], "."); measure {
	case "table1":
		return "300 runs of the simulation on the modelled network, each against other background traffic; clocks become seconds by one factor, which the mean of the optimal map sets. A single run of the paper must lie within the central 95 % of ours."
	case "nstar":
		return "Runs of the simulation on the modelled network under both maps, each seed with other background traffic."
	case "hstar":
		return "The cost of the conventional map over that of the best one, by the paper's cost function; its coefficients A and B were chosen to give the paper's ratios."
	case "cost":
		return "The cost of a map, or a ratio of costs, by the paper's cost function; the exact search proves its result."
	case "pattern":
		return "Eight pairs of senders and receivers on the modelled network: congested means half as slow again as without the others, or more."
	case "golden":
		return "One run of the simulation on the modelled machine. Its result does not depend on the network, and an independent implementation gave the same."
	case "runtime":
		return "Two runs without background traffic, under the conventional and the best map: clocks of the first over clocks of the second."
	case "zero":
		return "Messages that are alone on the modelled network: T0 is the time of one to a neighbour, and A what each further link adds, as a share of it."
	case "uniform":
		return "Messages to any node at this load: B is how much longer those take that change their axis."
	case "switch":
		return "One modelled switch under random cells, compared with queueing theory, or with the line that its cells must leave on."
	case "invariants":
		return "Random machines, programs and migrations, each compared with a sequential simulation that has no machine."
	case "objective":
		return "The run times under 50 random maps, and how they correlate with the maps' cost and with the load of their busiest port."
	}
	return "Measured on the model as the row's note says."
}

// classes say what agreement with a row is worth.
var classes = map[verify.Class]string{
	verify.Fitted:     "The number set a knob of the model. Agreement shows only that such a value exists; it is no evidence that the model is right.",
	verify.Guided:     "The number helped to choose between readings of the paper, or confirmed a choice. Agreement is weak evidence.",
	verify.Predicted:  "The number was not used to build the model. Agreement is evidence, unless the row follows from a fitted one, as its note may say.",
	verify.Regression: "No paper prints this number: it is our own. Agreement shows only that the model has not changed.",
}
