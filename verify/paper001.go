package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/cluster/rhinet"
	"emsim/internal/base/knob"
	"emsim/internal/study/ensemble"
)

// The numbers of seeds for node speeds and slice phases. The cells of the tables are means over tableSeeds runs, and so
// are the shares and communication times in claims. Other claims in words use claimSeeds (chosen: the cells then
// scatter by about 1 %).
const (
	tableSeeds = 8
	claimSeeds = 4
)

// paper001 returns the suite for paper 001, the PC cluster.
func paper001() Suite {
	return Suite{
		Paper: "001", Machine: "RHiNET-2 and Ethernet cluster", Means: "means of 8 seeds",
		OneByOne: true,
		New: func(_ context.Context, _ *ensemble.Crew, _ []Claim) func(context.Context, Claim) (Value, error) {
			return func(ctx context.Context, c Claim) (Value, error) {
				m := rhinetMeter{meter[rhinet.Config, *rhinet.Result]{ctx: ctx, run: RunRHiNET}}
				v := m.measure(c)
				return v, m.err
			}
		},
	}
}

var ranRHiNET store[rhinet.Config, *rhinet.Result]

// RunRHiNET returns the result of rhinet.Run. Equal runs are done only once in a process. Callers must not change the
// result.
func RunRHiNET(ctx context.Context, c rhinet.Config) (*rhinet.Result, error) {
	return ranRHiNET.once(ctx, c, func(ctx context.Context) (*rhinet.Result, error) { return rhinet.Run(ctx, c) })
}

type rhinetMeter struct {
	meter[rhinet.Config, *rhinet.Result]
}

// readRun returns f of a run's result, or 0 after an error.
func (m *rhinetMeter) readRun(c rhinet.Config, f func(*rhinet.Result) float64) float64 {
	if r := m.of(c); m.err == nil {
		return f(r)
	}
	return 0
}

// meanOver runs c with the seeds 1..seeds, and returns the mean of f over the results.
func (m *rhinetMeter) meanOver(c rhinet.Config, seeds int, f func(*rhinet.Result) float64) float64 {
	sum := 0.0
	for seed := 1; seed <= seeds; seed++ {
		c.Seed = uint64(seed)
		sum += m.readRun(c, f)
	}
	return sum / float64(seeds)
}

func (m *rhinetMeter) measure(c Claim) Value {
	cfg, err := rhinetConfig(c)
	if err != nil {
		m.err = err
		return Value{}
	}
	kind := strings.Split(strings.TrimPrefix(c.ID, "001."), ".")
	if kind[0] != "claim" {
		return m.tableCell(kind[0], c.Quantity, cfg)
	}
	switch kind[1] {
	case "oneload", "twoload", "noload", "maxgain":
		return m.gainClaim(kind, cfg)
	case "slow64":
		return m.slow64(cfg)
	case "comm":
		return m.commClaim(kind[2], cfg)
	case "waiting":
		return m.waitingClaim(kind[2], cfg)
	case "loops":
		n := m.readRun(cfg, func(r *rhinet.Result) float64 { return float64(r.Iterations) })
		return Holds((n >= 200) == (cfg.Nodes >= 8), "%.0f loops", n)
	}
	m.err = fmt.Errorf("no measurement for the claim")
	return Value{}
}

// rhinetConfig returns the configuration that a claim's conditions describe. Empty conditions keep their defaults.
func rhinetConfig(c Claim) (rhinet.Config, error) {
	cfg := rhinet.Default()
	for _, key := range []string{"nodes", "network", "load", "algorithm"} {
		if v := c.Cond[key]; v != "" {
			if err := knob.Set(rhinet.Knobs(), &cfg, knobOf(key), valueOf(key, v)); err != nil {
				return cfg, err
			}
		}
	}
	return cfg, nil
}

// tableCell returns one number of tables 2-5, or of the text about them.
func (m *rhinetMeter) tableCell(table, quantity string, cfg rhinet.Config) Value {
	read := map[string]func(*rhinet.Result) float64{
		"total": (*rhinet.Result).Total,
		"calc":  (*rhinet.Result).Calc,
		"comm":  (*rhinet.Result).Comm,
		"other": (*rhinet.Result).Other,
	}
	part := read["other"]
	if table == "t2" || table == "t3" { // tables 2 and 3 are without load
		read["other"], part = (*rhinet.Result).LB, read["comm"]
	}
	if quantity == "share" {
		return Number(100 * m.meanOver(cfg, tableSeeds, part) / m.meanOver(cfg, tableSeeds, read["total"]))
	}
	f := read[quantity]
	if f == nil {
		m.err = fmt.Errorf("quantity %q: expected total, calc, comm, other or share", quantity)
		return Value{}
	}
	return Number(m.meanOver(cfg, tableSeeds, f))
}

// gain is the time that a policy saves over its baseline at one point of figures 10-15. It is in per cent of the
// baseline's time until the last rank is done.
type gain struct {
	cfg  rhinet.Config
	gain float64
}

// gains returns the gains of cfg's policy and load at all eight points.
func (m *rhinetMeter) gains(cfg rhinet.Config) (out []gain) {
	for _, net := range rhinet.Networks() {
		for _, nodes := range []int{8, 16, 32, 64} {
			cfg.Network, cfg.Nodes = net, nodes
			base := cfg
			base.Policy = cfg.Policy.Baseline()
			with, without := m.meanOver(cfg, claimSeeds, (*rhinet.Result).Finish),
				m.meanOver(base, claimSeeds, (*rhinet.Result).Finish)
			out = append(out, gain{cfg, float64(100 * (1 - with/without))})
		}
	}
	return out
}

// inside holds if all gains are between low and high. Otherwise its text gives the least and the greatest gain with
// their points, so that a recorded gap shows how far they are off.
func inside(gains []gain, low, high float64) Value {
	if len(gains) == 0 {
		return Holds(false, "nothing was run")
	}
	by := func(a, b gain) int { return cmp.Compare(a.gain, b.gain) }
	least, most := slices.MinFunc(gains, by), slices.MaxFunc(gains, by)
	return Holds(least.gain > low && most.gain < high, "gains from %v to %v", least, most)
}

func (g gain) String() string {
	return fmt.Sprintf("%+.2f %% (%v on %v with %d nodes)", g.gain, g.cfg.Policy, g.cfg.Network, g.cfg.Nodes)
}

func (m *rhinetMeter) gainClaim(kind []string, cfg rhinet.Config) Value {
	if kind[1] == "maxgain" || len(kind) > 2 && kind[2] == "shorter" {
		var all []gain
		for _, a := range rhinet.PaperPolicies()[2:] {
			cfg.Policy = a
			all = append(all, m.gains(cfg)...)
		}
		if kind[1] != "maxgain" {
			return inside(all, 0, 100)
		}
		best := all[0].gain
		for _, g := range all {
			best = max(best, g.gain)
		}
		return Holds(best >= 18 && best <= 25, "largest gain %.1f %%", best)
	}
	g := m.gains(cfg)
	switch {
	case kind[1] == "noload":
		return inside(g, -1, 1)
	case kind[1] == "twoload" && cfg.Policy == rhinet.GLB:
		return inside(g, -2, 1.5)
	}
	return inside(g, 1, 100)
}

// slow64 checks the effect of the gap that the prototype needs if 64 ranks send to one rank: the flat policies,
// which need it, are slower than the grouped ones.
func (m *rhinetMeter) slow64(cfg rhinet.Config) Value {
	finish := map[rhinet.Policy]float64{}
	for _, a := range rhinet.PaperPolicies() {
		cfg.Policy = a
		finish[a] = m.meanOver(cfg, claimSeeds, (*rhinet.Result).Finish)
	}
	return flatIsSlower(finish)
}

// flatIsSlower holds if the flat policies, in which one rank communicates with all others, are slower than the
// grouped ones. The slowest flat policy must take more than 1.1 times as long as the slowest grouped one.
func flatIsSlower(finish map[rhinet.Policy]float64) Value {
	var flat, grouped float64
	for a, t := range finish {
		if a.Grouped() {
			grouped = max(grouped, t)
		} else {
			flat = max(flat, t)
		}
	}
	return Holds(flat > 1.1*grouped, "flat %.2f s, grouped %.2f s", flat, grouped)
}

// comms returns the communication time on each network.
func (m *rhinetMeter) comms(cfg rhinet.Config) map[rhinet.Network]float64 {
	comm := map[rhinet.Network]float64{}
	for _, net := range rhinet.Networks() {
		cfg.Network = net
		comm[net] = m.meanOver(cfg, tableSeeds, (*rhinet.Result).Comm)
	}
	return comm
}

func (m *rhinetMeter) commClaim(which string, cfg rhinet.Config) Value {
	if which == "factor" {
		comm := m.comms(cfg)
		return Number(comm[rhinet.Ethernet] / comm[rhinet.RHiNET2])
	}
	nodes := []int{8, 16, 32}
	if which == "slower64" {
		nodes = []int{64}
	}
	for _, n := range nodes {
		cfg.Nodes = n
		comm := m.comms(cfg)
		if (comm[rhinet.RHiNET2] < comm[rhinet.Ethernet]) != (n < 64) {
			return Holds(false, "%d nodes: RHiNET-2 %.2f s, Ethernet %.2f s", n, comm[rhinet.RHiNET2],
				comm[rhinet.Ethernet])
		}
	}
	return Holds(true, "")
}

func (m *rhinetMeter) waitingClaim(which string, cfg rhinet.Config) Value {
	if which == "slices" {
		const paper = 24.22 // table 5, total of 64
		total := m.meanOver(cfg.SteadyShare(), claimSeeds, (*rhinet.Result).Total)
		return Holds(total < 0.6*paper, "the control takes %.2f s", total)
	}
	for _, net := range rhinet.Networks() {
		cfg.Network = net
		last := 0.0
		for _, n := range []int{8, 16, 32, 64} {
			cfg.Nodes = n
			share := m.tableCell("t5", "share", cfg).Number
			if share <= last {
				return Holds(false, "%v: %.1f %% with %d nodes after %.1f %%", net, share, n, last)
			}
			last = share
		}
	}
	return Holds(true, "")
}
