package report

import (
	"fmt"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/machine/machines"
	"emsim/programs"
	"emsim/verify"
)

// about describes what was run for a paper. Titles and authors come from
// docs/DEVIATIONS.md; a test compares them.
var about = map[string]struct{ title, machine, command, page, prefix string }{
	"000": {
		"Autonomous and Dynamic Load Balancing Scheme on Tightly Coupled MultiProcessors (Nakayama, Okawa)",
		"PEs that communicate only through quad-port RAM boards and balance their load by themselves. The paper's " +
			"figures are lost: the exact rows are recorded runs of the model, the others the directions of the " +
			"paper's claims.",
		"emsim mnc run", "'emsim docs MNC'", "mnc",
	},
	"001": {
		"The evaluation of dynamic load balancing algorithm on RHiNET-2 network used at PC cluster (Kitamura, Amano, " +
			"Watanabe, Otsuka)",
		"Up to 64 hosts that solve a linear system by SOR under five balancing policies, on RHiNET-2 and on " +
			"Ethernet, with other programs on some hosts. Cells of the tables, and claims that compare them, are means " +
			"over eight seeds, other claims in words over four.",
		"emsim rhinet run", "'emsim docs RHINET'", "rhinet",
	},
	"002": {
		"A dynamic load balancing method for SPMD programs on a cluster of seven workstations (title and authors are " +
			"not in our copy)",
		"Seven workstations with 100 tasks each, some of them loaded by other work, which report their power to " +
			"readers in a fixed topology.",
		"emsim spmd run", "'emsim docs SPMD'", "spmd",
	},
	"003": {
		"Load Balancing by Function Distribution Methods in a Highly Parallel Dataflow Machine EM-4 (Kodama, " +
			"Sakai, Yamaguchi)",
		"The EM-4 prototype: 80 EMC-R PEs on a circular omega network, clock by clock, with fib in its assembly " +
			"language. All rows come from the one parameter set below and are means over eight consecutive runs on " +
			"one machine, of random policies on eight machines with a seed each.",
		"emsim run fib 20", "'emsim docs CALIBRATION'", "em4",
	},
	"004": {
		"Optimization of communication process by logical process transfer in PDES (Cai, Hidaka, Aida, Saito)",
		"Simulations of banyan switches, spread over the nodes of a hyper-crossbar, a torus or a hypercube; maps " +
			"laid out by rows, by the paper's greedy steps and by exact search.",
		"emsim pdes run", "'emsim docs PDES'", "pdes",
	},
}

// newPaper returns the part for a paper, with the defaults of its machine's knobs.
func newPaper(number string) *Paper {
	a := about[number]
	p := &Paper{Number: number, Title: a.title, Machine: a.machine, Command: a.command, Page: a.page, prefix: a.prefix}
	if kind, ok := machines.KindOf(a.prefix); ok {
		p.Knobs = knobsOf(kind.NewMachine().Rows)
	}
	return p
}

// knobsOf lists knobs with their values.
func knobsOf(rows []knob.Row) []Knob {
	return lists.Of(rows, func(r knob.Row) Knob { return Knob{r.Key, r.TOML(), r.Unit, r.Range(), r.Source, r.Doc} })
}

// em4Knobs lists the machine's knobs, the program's parameters and the seed of a parameter set.
func em4Knobs(s verify.Setup003) []Knob {
	list := knobsOf(knob.Bind(em4.Knobs(), &s.Config))
	if o, err := programs.Assemble("fib", s.Params); err == nil {
		for _, p := range o.Params {
			k := Knob{
				Key: "fib." + p.Name, Value: p.Chosen(), Range: strings.Join(p.Values, ", "), Source: "fib.s",
				Doc: "parameter of the program",
			}
			if len(p.Values) == 0 {
				k.Range = fmt.Sprintf("%d..%d", p.Min, p.Max)
			}
			for _, u := range verify.UncertainKnobs003() {
				if u.Key == k.Key {
					k.Source, k.Doc = "chosen, calibrated", u.Why
				}
			}
			if p.Name == "policy" || p.Name == "mlpe" {
				k.Value, k.Source, k.Doc = "as the row says", "[003 §3.2, §4.2]", "how callee PEs are chosen"
			}
			list = append(list, k)
		}
	}
	return append(list, Knob{
		Key: "seed", Value: strconv.FormatUint(s.Seed, 10), Source: "the default",
		Doc: "the random sequence; of a random policy the first of eight",
	})
}
