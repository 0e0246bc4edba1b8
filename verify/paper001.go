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

// Seeds of node speeds and slice phases: the tables' cells are means over
// tableSeeds runs, the claims in words over claimSeeds (chosen: the cells then
// scatter by about 1 %).
const (
	tableSeeds = 8
	claimSeeds = 4
)

// paper001 measures paper 001, the PC cluster.
func paper001() Suite {
	return Suite{Paper: "001", Machine: "RHiNET-2 and Ethernet cluster", Means: "means of 8 seeds", New: func(_ context.Context, crew *ensemble.Crew, _ []Claim) func(context.Context, Claim) (Value, error) {
		s := &rhinetSession{runs: map[rhinet.Config]*rhinet.Result{}}
		return inTurn(crew, s.measure)
	}}
}

// rhinetSession keeps the runs that claims share.
type rhinetSession struct {
	runs map[rhinet.Config]*rhinet.Result
}

func (s *rhinetSession) run(ctx context.Context, c rhinet.Config) (*rhinet.Result, error) {
	if r, done := s.runs[c]; done {
		return r, nil
	}
	r, err := rhinet.Run(ctx, c)
	if err == nil {
		s.runs[c] = r
	}
	return r, err
}

// mean runs c with the seeds 1..seeds and returns the mean of what f reads.
func (s *rhinetSession) mean(ctx context.Context, c rhinet.Config, seeds int, f func(*rhinet.Result) float64) (float64, error) {
	sum := 0.0
	for seed := 1; seed <= seeds; seed++ {
		c.Seed = uint64(seed)
		r, err := s.run(ctx, c)
		if err != nil {
			return 0, err
		}
		sum += f(r)
	}
	return sum / float64(seeds), nil
}

func (s *rhinetSession) measure(ctx context.Context, c Claim) (Value, error) {
	cfg, err := rhinetConfig(c)
	if err != nil {
		return Value{}, err
	}
	kind := strings.Split(strings.TrimPrefix(c.ID, "001."), ".")
	if kind[0] != "claim" {
		return s.cell(ctx, kind[0], c.Quantity, cfg)
	}
	switch kind[1] {
	case "oneload", "twoload", "noload", "maxgain":
		return s.gainClaim(ctx, kind, cfg)
	case "slow64":
		return s.slow64(ctx, cfg)
	case "comm":
		return s.commClaim(ctx, kind[2], cfg)
	case "waiting":
		return s.waitingClaim(ctx, kind[2], cfg)
	case "loops":
		r, err := s.run(ctx, cfg)
		if err != nil {
			return Value{}, err
		}
		return Holds((r.Iterations >= 200) == (cfg.Nodes >= 8), "%d loops", r.Iterations), nil
	}
	return Value{}, fmt.Errorf("no measurement for the claim")
}

// rhinetConfig reads a claim's conditions; empty ones keep the default.
func rhinetConfig(c Claim) (rhinet.Config, error) {
	cfg := rhinet.Default()
	for _, key := range []string{"nodes", "network", "load", "algorithm"} {
		if v := c.Cond[key]; v != "" {
			if err := knob.Set(rhinet.Knobs(), &cfg, key, v); err != nil {
				return cfg, err
			}
		}
	}
	return cfg, nil
}

// cell is one number of tables 2-5 or of the text around them.
func (s *rhinetSession) cell(ctx context.Context, table, quantity string, cfg rhinet.Config) (Value, error) {
	unloaded := table == "t2" || table == "t3"
	read := map[string]func(*rhinet.Result) float64{
		"total": (*rhinet.Result).Total,
		"calc":  (*rhinet.Result).Calc,
		"comm":  (*rhinet.Result).Comm,
		"other": (*rhinet.Result).Other,
	}
	if unloaded {
		read["other"] = (*rhinet.Result).LB
	}
	if quantity == "share" {
		part := read["other"]
		if unloaded {
			part = read["comm"]
		}
		p, err := s.mean(ctx, cfg, tableSeeds, part)
		if err != nil {
			return Value{}, err
		}
		total, err := s.mean(ctx, cfg, tableSeeds, read["total"])
		return Number(100 * p / total), err
	}
	f := read[quantity]
	if f == nil {
		return Value{}, fmt.Errorf("quantity %q: expected total, calc, comm, other or share", quantity)
	}
	m, err := s.mean(ctx, cfg, tableSeeds, f)
	return Number(m), err
}

// gain is an algorithm's saving over its baseline at one point of figures
// 10-15, in per cent of the baseline's time until the last rank is done.
type gain struct {
	cfg  rhinet.Config
	gain float64
}

// gains returns the gains of cfg's algorithm and load at all eight points.
func (s *rhinetSession) gains(ctx context.Context, cfg rhinet.Config) ([]gain, error) {
	var out []gain
	for _, net := range rhinet.Networks() {
		for _, nodes := range []int{8, 16, 32, 64} {
			cfg.Network, cfg.Nodes = net, nodes
			base := cfg
			base.Algorithm = cfg.Algorithm.Baseline()
			with, err := s.mean(ctx, cfg, claimSeeds, (*rhinet.Result).Finish)
			if err != nil {
				return nil, err
			}
			without, err := s.mean(ctx, base, claimSeeds, (*rhinet.Result).Finish)
			if err != nil {
				return nil, err
			}
			out = append(out, gain{cfg, float64(100 * (1 - with/without))})
		}
	}
	return out, nil
}

// inside holds if all gains are between low and high; otherwise it reports
// the least and the greatest, so that a gap shows every point.
func inside(gains []gain, low, high float64) Value {
	if len(gains) == 0 {
		return Holds(false, "nothing was run")
	}
	by := func(a, b gain) int { return cmp.Compare(a.gain, b.gain) }
	least, most := slices.MinFunc(gains, by), slices.MaxFunc(gains, by)
	return Holds(least.gain > low && most.gain < high, "gains from %v to %v", least, most)
}

func (g gain) String() string {
	return fmt.Sprintf("%+.2f %% (%v on %v with %d nodes)", g.gain, g.cfg.Algorithm, g.cfg.Network, g.cfg.Nodes)
}

func (s *rhinetSession) gainClaim(ctx context.Context, kind []string, cfg rhinet.Config) (Value, error) {
	if kind[1] == "maxgain" || len(kind) > 2 && kind[2] == "shorter" {
		var all []gain
		for _, a := range rhinet.PaperAlgorithms()[2:] {
			cfg.Algorithm = a
			g, err := s.gains(ctx, cfg)
			if err != nil {
				return Value{}, err
			}
			all = append(all, g...)
		}
		if kind[1] != "maxgain" {
			return inside(all, 0, 100), nil
		}
		best := all[0].gain
		for _, g := range all {
			best = max(best, g.gain)
		}
		return Holds(best >= 18 && best <= 25, "largest gain %.1f %%", best), nil
	}
	g, err := s.gains(ctx, cfg)
	if err != nil {
		return Value{}, err
	}
	switch {
	case kind[1] == "noload":
		return inside(g, -1, 1), nil
	case kind[1] == "twoload" && cfg.Algorithm == rhinet.GLB:
		return inside(g, -2, 1.5), nil
	}
	return inside(g, 1, 100), nil
}

// slow64: if 64 ranks send to one, the prototype needs the gap.
func (s *rhinetSession) slow64(ctx context.Context, cfg rhinet.Config) (Value, error) {
	finish := map[rhinet.Algorithm]float64{}
	for _, a := range rhinet.PaperAlgorithms() {
		cfg.Algorithm = a
		t, err := s.mean(ctx, cfg, claimSeeds, (*rhinet.Result).Finish)
		if err != nil {
			return Value{}, err
		}
		finish[a] = t
	}
	return flatIsSlower(finish), nil
}

// flatIsSlower says whether the slowest of the algorithms in which one rank
// talks to all others takes more than 1.1 times as long as the slowest of the
// grouped ones.
func flatIsSlower(finish map[rhinet.Algorithm]float64) Value {
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

// comms is the time of communication on each network.
func (s *rhinetSession) comms(ctx context.Context, cfg rhinet.Config) (comm map[rhinet.Network]float64, err error) {
	comm = map[rhinet.Network]float64{}
	for _, net := range rhinet.Networks() {
		cfg.Network = net
		if comm[net], err = s.mean(ctx, cfg, tableSeeds, (*rhinet.Result).Comm); err != nil {
			break
		}
	}
	return comm, err
}

func (s *rhinetSession) commClaim(ctx context.Context, which string, cfg rhinet.Config) (Value, error) {
	if which == "factor" {
		comm, err := s.comms(ctx, cfg)
		return Number(comm[rhinet.Ethernet] / comm[rhinet.RHiNET2]), err
	}
	nodes := []int{8, 16, 32}
	if which == "slower64" {
		nodes = []int{64}
	}
	for _, n := range nodes {
		cfg.Nodes = n
		comm, err := s.comms(ctx, cfg)
		if err != nil {
			return Value{}, err
		}
		if (comm[rhinet.RHiNET2] < comm[rhinet.Ethernet]) != (n < 64) {
			return Holds(false, "%d nodes: RHiNET-2 %.2f s, Ethernet %.2f s", n, comm[rhinet.RHiNET2], comm[rhinet.Ethernet]), nil
		}
	}
	return Holds(true, ""), nil
}

func (s *rhinetSession) waitingClaim(ctx context.Context, which string, cfg rhinet.Config) (Value, error) {
	if which == "slices" {
		const paper = 24.22 // table 5, total of 64
		m, err := s.mean(ctx, cfg.SteadyShare(), claimSeeds, (*rhinet.Result).Total)
		return Holds(m < 0.6*paper, "the control takes %.2f s", m), err
	}
	for _, net := range rhinet.Networks() {
		cfg.Network = net
		last := 0.0
		for _, n := range []int{8, 16, 32, 64} {
			cfg.Nodes = n
			share, err := s.cell(ctx, "t5", "share", cfg)
			if err != nil {
				return Value{}, err
			}
			if share.Number <= last {
				return Holds(false, "%v: %.1f %% with %d nodes after %.1f %%", net, share.Number, n, last), nil
			}
			last = share.Number
		}
	}
	return Holds(true, ""), nil
}
