package study

import (
	"context"
	"fmt"

	"emsim/internal/base/rng"
	"emsim/internal/base/simerr"
	"emsim/pdes"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/oracle"
)

// RandomConfig draws a configuration: machine, program, map, window, disturbance, all clock counts that messages and
// slots need, and a migration, which may be due after the end of the run.
func RandomConfig(seed uint64) (pdes.Config, error) {
	draw := rng.New(seed, 6)
	shapes := []struct {
		kind  network.Kind
		shape string
	}{
		{network.HXB, "4x3"},
		{network.HXB, "4x4"},
		{network.HXB, "2x2x2"},
		{network.HXB, "8x4"},
		{network.Torus, "4x3"},
		{network.Torus, "4x4"},
		{network.Torus, "3x3x3"},
		{network.Torus, "4x4x2"},
		{network.HCB, "3"},
		{network.HCB, "4"},
		{network.HCB, "5"},
		{network.HXB, "5"},
		{network.Torus, "2x1"},
	}
	s := shapes[draw.Below(len(shapes))]
	net, err := network.Parse(s.kind, s.shape)
	if err != nil {
		return pdes.Config{}, err
	}
	cfg := pdes.Default(net, 1+draw.Below(4), int64(30+draw.Below(60)))
	cfg.Banyan.Wiring = banyan.Wirings()[draw.Below(3)]
	cfg.Banyan.Load = float64(draw.Below(11)) / 10
	cfg.Banyan.Queue = []int{0, 1, 2, 8}[draw.Below(4)]
	cfg.Banyan.Seed = draw.Next()
	cfg.Window = int64(1 + draw.Below(9))
	cfg.Map = mapping.Random(cfg.Banyan.LPs(), net.Nodes(), draw.Next())
	// Powers of two from 1 to 512.
	clocks := func() int64 { return 1 << draw.Below(10) }
	cfg.Timing = pdes.Timing{
		Cell: clocks(), Null: clocks(), Credit: clocks(), Control: clocks(), Hop: clocks(),
		Send: clocks(), Receive: clocks(), Step: clocks(),
		Decide: 20, Serialise: 2, Entry: 10,
	}
	cfg.Background = pdes.Background{
		Flows: draw.Below(3), Length: clocks(), SlowPPM: int64(draw.Below(3)) * 50_000,
		Seed: draw.Next(),
	}
	if net.Nodes() < 2 {
		cfg.Background.Flows = 0
	}
	cfg.Migrate = &pdes.Migration{
		At: int64(draw.Below(20_000)), Weights: mapping.Reference(),
		Neighbour: mapping.Neighbours()[draw.Below(2)], Objective: mapping.Objectives()[draw.Below(2)],
	}
	if s.kind != network.HXB {
		cfg.Migrate.Neighbour = mapping.Grid
	}
	cfg.MaxClocks = 1 << 31
	return cfg, nil
}

// Checked summarises what happened in random runs.
type Checked struct {
	Runs, Migrated, Moves                 int
	Violations                            int
	First                                 error // the first violation
	EarlyFlushes, EarlyStates, HeldEvents int64
	Packets                               int64
}

// CheckRandom runs the random configurations of the seeds from to from+n-1. The machine checks its invariants, and
// each result is compared with the sequential oracle.
func CheckRandom(ctx context.Context, from uint64, n int) (*Checked, error) {
	c := &Checked{}
	for seed := from; seed < from+uint64(n); seed++ {
		cfg, err := RandomConfig(seed)
		if err != nil {
			return nil, err
		}
		r, err := pdes.Run(ctx, cfg)
		if simerr.Kind(err) == "no_migration" {
			cfg.Migrate = nil // the run was over too soon
			r, err = pdes.Run(ctx, cfg)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.Runs++
		if err == nil {
			err = Agree(ctx, &cfg, r)
		}
		if err != nil {
			c.Violations++
			if c.First == nil {
				c.First = fmt.Errorf("random case %d: %w", seed, err)
			}
			continue
		}
		c.Packets += r.Packets
		for _, m := range r.Migrations {
			c.Migrated++
			c.Moves += m.Moves
			c.EarlyFlushes += m.EarlyFlushes
			c.EarlyStates += m.EarlyStates
			c.HeldEvents += m.HeldEvents
		}
	}
	return c, nil
}

// Agree compares a run with the sequential oracle.
func Agree(ctx context.Context, cfg *pdes.Config, r *pdes.Result) error {
	b := cfg.Banyan
	o, err := oracle.Run(ctx, b.Stages, string(b.Wiring), b.Load, b.Queue, b.Seed, cfg.Slots)
	if err != nil {
		return err
	}
	got := oracle.Result{
		Hash: r.Hash, Injected: r.Injected, Drops: r.Drops, Sunk: r.Sunk, Delay: r.Delay,
		Queued: r.Queued,
	}
	// Cells that are between stages at the end of the last slot are in no queue, here and in the oracle.
	if o != got {
		return fmt.Errorf("the machine and the sequential oracle differ: %+v, expected %+v", got, o)
	}
	return nil
}
