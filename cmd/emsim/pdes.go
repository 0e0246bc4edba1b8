package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/interrupt"
	"emsim/pdes"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

func newPDESCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pdes",
		Short: "Discrete-event simulation whose logical processes migrate",
		Long: `pdes models the parallel discrete-event simulation of paper 004: a banyan switch
as logical processes (LPs) on the processors (PPs) of a hyper-crossbar, a torus
or a hypercube, and the migration that moves LPs to shorten their
messages' paths. docs/PDES.md says what comes from the paper and what is chosen.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPDESRunCmd(a), newPDESCostCmd(a), newPDESCompareCmd(a),
		newPDESPatternsCmd(a), newPDESCalibrateCmd(a), newPDESScatterCmd(a))
	return cmd
}

// pdesCase are the flags that choose machine and program.
type pdesCase struct {
	network, shape, wiring string
	stages                 int
	a, b                   float64
	neighbour, objective   string
}

func (o *pdesCase) register(f *pflag.FlagSet) {
	f.StringVar(&o.network, "network", "hxb", "hxb, torus or hcb")
	f.StringVar(&o.shape, "shape", "", "nodes along X, Y, Z, as in 4x4 or 4x4x2; of a hypercube its dimensions, as in 4\n(default: 16 nodes for up to 3 stages, 32 for 4)")
	f.IntVar(&o.stages, "stages", 3, "stages of the banyan, 1 to 8: 3 are 12 LPs, 4 are 32")
	f.StringVar(&o.wiring, "wiring", "omega", "omega, butterfly or baseline")
}

func (o *pdesCase) registerWeights(f *pflag.FlagSet) {
	w := mapping.Reference()
	f.Float64Var(&o.a, "a", w.A, "cost: weight of distance")
	f.Float64Var(&o.b, "b", w.B, "cost: factor of a change of axis")
	f.StringVar(&o.neighbour, "neighbour", "grid", "who exchanges LPs in the greedy: grid (index +-1) or xbar (one crossbar, hxb only)")
}

func (o *pdesCase) registerObjective(f *pflag.FlagSet) {
	f.StringVar(&o.objective, "objective", "cost", "what minimisers compare first: cost, or load (the busiest port)")
}

// study is the case that the flags choose.
func (o *pdesCase) study() (study.Case, error) {
	kind, err := choice("--network", network.Kind(o.network), network.HXB, network.Torus, network.HCB)
	if err != nil {
		return study.Case{}, err
	}
	wiring, err := choice("--wiring", banyan.Wiring(o.wiring), banyan.Wirings()...)
	if err != nil {
		return study.Case{}, err
	}
	if o.neighbour == string(mapping.XBar) && kind != network.HXB {
		return study.Case{}, usagef("--neighbour xbar means nodes on one crossbar, which only --network hxb has; take grid")
	}
	shape := o.shape
	if shape == "" {
		shape = map[bool]string{true: "4", false: "4x4"}[kind == network.HCB]
		if o.stages == 4 {
			shape = map[bool]string{true: "5", false: "4x4x2"}[kind == network.HCB]
		}
		if o.stages > 4 {
			return study.Case{}, usagef("--stages %d has no default shape; give --shape, as in --shape 8x8x4", o.stages)
		}
	}
	c := study.Case{Kind: kind, Shape: shape, Stages: o.stages, Wiring: wiring}
	_, err = c.Problem(mapping.Reference())
	return c, err
}

func (o *pdesCase) weights() (mapping.Weights, error) {
	w := mapping.Weights{A: o.a, B: o.b}
	return w, w.Validate()
}

func (o *pdesCase) minimiser() (n mapping.Neighbour, ob mapping.Objective, err error) {
	if n, err = choice("--neighbour", mapping.Neighbour(o.neighbour), mapping.Neighbours()...); err != nil {
		return n, ob, err
	}
	ob, err = choice("--objective", mapping.Objective(o.objective), mapping.Objectives()...)
	return n, ob, err
}

// choice refuses a word that is not one of the choices.
func choice[T ~string](flag string, got T, possible ...T) (T, error) {
	if slices.Contains(possible, got) {
		return got, nil
	}
	var words []string
	for _, p := range possible {
		words = append(words, string(p))
	}
	return got, usagef("%s: %q is not one of %s", flag, string(got), strings.Join(words, ", "))
}

// pdesRun are the flags of a run beside the case.
type pdesRun struct {
	pdesCase
	mapName         string
	slots, migrate  int64
	load            float64
	queue           int
	window, cell    int64
	hop             int64
	send, recv, lp  int64
	seed, noiseSeed uint64
	background      int
	slow            float64
	maxClocks       int64
}

func newPDESRunCmd(a *app) *cobra.Command {
	o := &pdesRun{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the banyan on a machine, with or without a migration",
		Long: `run simulates a banyan switch on the processors of a machine and prints what the
simulation saw (hash, drops, sunk: the same on every machine and under every
map) and what it cost (clocks). With --migrate-at the LPs migrate once, in the
nine steps of the paper, to the map of the greedy. Ctrl-C prints both so far.`,
		Example: `  emsim pdes run --network hxb --shape 4x4 --stages 3 --slots 300 --seed 1 --json
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --map exact
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --migrate-at 100000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			start := time.Now()
			r, err := o.run(cmd)
			if r == nil {
				return err
			}
			r.WallSeconds = time.Since(start).Seconds()
			if err != nil {
				return a.failed(err, map[string]any{"statistics": r}, r.table)
			}
			return a.emit(r, r.table)
		},
	}
	o.registerAll(cmd.Flags())
	return cmd
}

func (o *pdesRun) registerAll(f *pflag.FlagSet) {
	t := pdes.DefaultTiming(64)
	o.register(f)
	f.StringVar(&o.mapName, "map", "conventional", "conventional (row by row), greedy, exact or anneal")
	f.Int64Var(&o.slots, "slots", 20000, "slots of every LP")
	f.Int64Var(&o.migrate, "migrate-at", 0, "migrate once, from this clock on")
	f.Uint64Var(&o.seed, "seed", 1, "of the traffic")
	f.Float64Var(&o.load, "load", 0.8, "cells a slot on every entry line, 0 to 1")
	f.IntVar(&o.queue, "queue", 8, "cells an output queue holds, 0 for no bound")
	f.Int64Var(&o.window, "window", 8, "messages under way on a channel")
	f.Int64Var(&o.cell, "cell", t.Cell, "clocks a cell holds a port; a null message a quarter")
	f.Int64Var(&o.hop, "hop", t.Hop, "clocks from port to port")
	f.Int64Var(&o.send, "send", t.Send, "processor clocks to send a packet")
	f.Int64Var(&o.recv, "receive", t.Receive, "processor clocks to receive one")
	f.Int64Var(&o.lp, "step", t.Step, "processor clocks of an LP's slot")
	o.registerWeights(f)
	o.registerObjective(f)
	f.IntVar(&o.background, "background", 0, "other programs' closed-loop flows over ports between the nodes")
	f.Float64Var(&o.slow, "slow", 0, "per cent by which PPs are slower in the mean")
	f.Uint64Var(&o.noiseSeed, "noise-seed", 1, "of --background and --slow")
	f.Int64Var(&o.maxClocks, "max-clocks", 0, "give up after that many clocks, 0 for never")
}

func (o *pdesRun) config(cmd *cobra.Command) (pdes.Config, study.Case, error) {
	c, err := o.study()
	if err != nil {
		return pdes.Config{}, c, err
	}
	w, err := o.weights()
	if err != nil {
		return pdes.Config{}, c, err
	}
	neighbour, objective, err := o.minimiser()
	if err != nil {
		return pdes.Config{}, c, err
	}
	if !(o.slow >= 0 && o.slow <= 1000) {
		return pdes.Config{}, c, usagef("--slow: per cent, 0 to 1000, got %v", o.slow)
	}
	cfg, err := c.Config(o.slots)
	if err != nil {
		return cfg, c, err
	}
	cfg.Banyan.Load, cfg.Banyan.Queue, cfg.Banyan.Seed = o.load, o.queue, o.seed
	cfg.Window, cfg.MaxClocks = o.window, o.maxClocks
	cfg.Timing = pdes.DefaultTiming(o.cell)
	cfg.Timing.Hop, cfg.Timing.Send, cfg.Timing.Receive, cfg.Timing.Step = o.hop, o.send, o.recv, o.lp
	cfg.Background = pdes.Background{Flows: o.background, Length: study.NStar().Background.Length, SlowPPM: int64(o.slow*10_000 + 0.5), Seed: o.noiseSeed}
	if cmd.Flags().Changed("migrate-at") {
		cfg.Migrate = &pdes.Migration{At: o.migrate, Weights: w, Neighbour: neighbour, Objective: objective}
	}
	if err := cfg.Validate(); err != nil {
		return cfg, c, err
	}
	cfg.Map, err = o.chooseMap(cmd.Context(), c, w, neighbour, objective)
	if interrupt.Ended(err) {
		err = interrupt.Of(cmd.Context(), "during the search for the map of --map %s", o.mapName)
	}
	return cfg, c, err
}

// chooseMap runs the minimiser of --map from the conventional map.
func (o *pdesRun) chooseMap(ctx context.Context, c study.Case, w mapping.Weights, n mapping.Neighbour, ob mapping.Objective) (mapping.Map, error) {
	p, err := c.Problem(w)
	if err != nil {
		return nil, err
	}
	start := mapping.Conventional(p.Graph.LPs, p.Net.Nodes())
	switch o.mapName {
	case "conventional":
		return start, nil
	case "greedy":
		s, err := p.Greedy(ctx, start, n, ob)
		return s.Map, err
	case "exact":
		s, err := p.Exact(ctx, ob)
		return s.Map, err
	case "anneal":
		s, err := p.Anneal(ctx, start, ob, mapping.AnnealSteps, o.seed)
		return s.Map, err
	}
	return nil, usagef("--map: %q is not one of conventional, greedy, exact, anneal", o.mapName)
}

// pdesResult is the documented JSON of a run.
type pdesResult struct {
	Network       string           `json:"network"`
	Shape         string           `json:"shape"`
	Stages        int              `json:"stages"`
	Wiring        string           `json:"wiring"`
	MapName       string           `json:"map"`
	Slots         int64            `json:"slots"`
	Seed          uint64           `json:"seed"`
	Clocks        int64            `json:"clocks"`
	ClocksPerSlot float64          `json:"clocks_per_slot"`
	Hash          string           `json:"hash"`
	Injected      int64            `json:"injected"`
	Drops         int64            `json:"drops"`
	Sunk          int64            `json:"sunk"`
	DelayMean     *float64         `json:"delay_mean_slots"` // null if no cell left
	Cost          float64          `json:"cost"`             // of the map at the end, one message per slot and link
	MaxPortLoad   int64            `json:"max_port_load"`    // messages per slot over the busiest port, same map
	Moved         int              `json:"moved"`
	PauseClocks   int64            `json:"pause_clocks"`
	Migration     *pdesMigration   `json:"migration"` // null without --migrate-at
	Packets       int64            `json:"packets"`
	Messages      map[string]int64 `json:"messages"`
	Placement     mapping.Map      `json:"placement"` // node by LP, at the end
	WallSeconds   float64          `json:"wall_seconds"`
}

// pdesMigration are the clocks of a migration's steps.
type pdesMigration struct {
	Triggered   int64   `json:"triggered"`
	Quiet       int64   `json:"quiet"`
	Decided     int64   `json:"decided"`
	Arrived     int64   `json:"arrived"`
	Ended       int64   `json:"ended"`
	Evaluations int64   `json:"evaluations"`
	CostBefore  float64 `json:"cost_before"`
	CostAfter   float64 `json:"cost_after"`
	StateBytes  int64   `json:"state_bytes"`
	HeldEvents  int64   `json:"held_events"`
}

// run returns the answer; if interrupted, that of the run so far.
func (o *pdesRun) run(cmd *cobra.Command) (*pdesResult, error) {
	cfg, c, err := o.config(cmd)
	if err != nil {
		return nil, err
	}
	r, ended := pdes.Run(cmd.Context(), cfg)
	if ended != nil && !interrupt.Ended(ended) {
		return nil, ended
	}
	w, err := o.weights()
	if err != nil {
		return nil, err
	}
	p, err := c.Problem(w)
	if err != nil {
		return nil, err
	}
	score := p.Score(r.Map)
	out := &pdesResult{
		Network: o.network, Shape: cfg.Net.Shape(), Stages: o.stages, Wiring: o.wiring, MapName: o.mapName,
		Slots: o.slots, Seed: o.seed, Clocks: r.Clocks, ClocksPerSlot: float64(r.Clocks) / float64(max(1, r.Slots)),
		Hash: fmt.Sprintf("%016x", r.Hash), Injected: r.Injected, Drops: r.Drops, Sunk: r.Sunk,
		Cost: plain(score.Cost), MaxPortLoad: score.MaxLoad, Packets: r.Packets, Messages: map[string]int64{}, Placement: r.Map,
	}
	if r.Sunk > 0 {
		mean := float64(r.Delay) / float64(r.Sunk)
		out.DelayMean = &mean
	}
	for k, n := range r.Sent {
		if n > 0 {
			out.Messages[pdes.Kind(k).String()] = n
		}
	}
	if m := r.Migration; m != nil {
		out.Moved, out.PauseClocks = m.Moves, m.Clocks()
		out.Migration = &pdesMigration{m.Triggered, m.Quiet, m.Decided, m.Arrived, m.Ended, m.Evaluations, plain(m.Before), plain(m.After), m.StateBytes, m.HeldEvents}
	}
	if ended != nil {
		out.Hash = "" // meaningless for a part of the run
		return out, interrupt.Of(cmd.Context(), "after %d clocks, in which every LP ran %d of %d slots", r.Clocks, r.Slots, o.slots).With("clock", r.Clocks).With("slots", r.Slots)
	}
	return out, nil
}

func (r *pdesResult) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "machine\t%s %s, %d-stage %s, map %s\n", r.Network, r.Shape, r.Stages, r.Wiring, r.MapName)
	fmt.Fprintf(t, "clocks\t%d\t%.1f per slot\n", r.Clocks, r.ClocksPerSlot)
	if r.Hash != "" {
		fmt.Fprintf(t, "hash\t%s\tthe same on every machine\n", r.Hash)
	}
	fmt.Fprintf(t, "cells\t%d entered, %d left, %d dropped\n", r.Injected, r.Sunk, r.Drops)
	if r.DelayMean != nil {
		fmt.Fprintf(t, "delay\t%.3f slots in the mean\n", *r.DelayMean)
	}
	fmt.Fprintf(t, "cost\t%.1f\tat the end, one message per slot and link\n", r.Cost)
	fmt.Fprintf(t, "max port load\t%d\tmessages per slot over the busiest port\n", r.MaxPortLoad)
	fmt.Fprintf(t, "packets\t%d\n", r.Packets)
	if m := r.Migration; m != nil {
		fmt.Fprintf(t, "migration\t%d LPs moved, %d bytes\tcost of the counted traffic %.1f -> %.1f\n", r.Moved, m.StateBytes, m.CostBefore, m.CostAfter)
		fmt.Fprintf(t, "pause\t%d clocks\t%d until quiet, %d until decided, %d until moved, %d until all run\n",
			r.PauseClocks, m.Quiet-m.Triggered, m.Decided-m.Quiet, m.Arrived-m.Decided, m.Ended-m.Arrived)
	}
	return t.Flush()
}

// plain removes the rounding errors of sums of tenths from a cost: 69.2, not
// 69.19999999999999.
func plain(cost float64) float64 { return math.Round(cost*1e9) / 1e9 }
