package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/interrupt"
	"emsim/internal/machines"
	"emsim/pdes"
	"emsim/pdes/study"
)

func newPDESCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pdes",
		Short: "A parallel discrete-event simulation whose logical processes migrate",
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

// pdesCase are the flags that choose machine and program, and further ones of
// the table.
type pdesCase struct{ *knobFlags }

func newPDESCase() *pdesCase { return &pdesCase{newKnobFlags("pdes")} }

func (o *pdesCase) registerCase(f *pflag.FlagSet) {
	o.registerKeys(f, "network", "shape", "stages", "wiring")
}

func (o *pdesCase) registerWeights(f *pflag.FlagSet) { o.registerKeys(f, "a", "b", "neighbour") }

// setup is what the flags choose, checked.
func (o *pdesCase) setup(cmd *cobra.Command) (*pdes.Setup, pdes.Config, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return nil, pdes.Config{}, err
	}
	s := m.Config.(*pdes.Setup)
	if at := s.MigrateAt; at < 0 && o.given["migrate_at"] != nil && cmd.Flags().Changed("migrate-at") {
		return nil, pdes.Config{}, usagef("migrate at: expected a clock, 0 or later, got %d", at)
	}
	c, err := s.Build()
	return s, c, o.named(cmd, err)
}

// study is the case that the flags choose.
func (o *pdesCase) study(cmd *cobra.Command) (*pdes.Setup, study.Case, error) {
	s, _, err := o.setup(cmd)
	if err != nil {
		return nil, study.Case{}, err
	}
	shape, err := s.NodeShape()
	return s, study.Case{Kind: s.Network, Shape: shape, Stages: s.Banyan.Stages, Wiring: s.Banyan.Wiring}, err
}

func newPDESRunCmd(a *app) *cobra.Command {
	o := newPDESCase()
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the banyan on a machine, with or without a migration",
		Long: `run simulates a banyan switch on the processors of a machine and prints what the
simulation saw (hash, drops, sunk: the same on every machine and under every
map) and what it cost (clocks). With --migrate-at the LPs migrate once, in the
nine steps of the paper, to the map that the greedy minimiser finds. Ctrl-C
prints both so far.`,
		Example: `  emsim pdes run --network hxb --shape 4x4 --stages 3 --slots 300 --seed 1 --json
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --map exact
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --migrate-at 100000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			start := time.Now()
			r, err := pdesRunOf(cmd, o)
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
	o.register(cmd)
	return cmd
}

// pdesConfig puts the machine together and finds its map.
func pdesConfig(cmd *cobra.Command, o *pdesCase) (*pdes.Setup, pdes.Config, error) {
	if cmd.Flags().Changed("slow") {
		if slow := o.given["slow"]().(float64); !(slow >= 0 && slow <= 1000) {
			return nil, pdes.Config{}, usagef("--slow: expected 0 to 1000 per cent, got %v", slow)
		}
	}
	s, c, err := o.setup(cmd)
	if err != nil {
		return s, c, err
	}
	err = s.Place(cmd.Context(), &c)
	if interrupt.Ended(err) {
		err = interrupt.Of(cmd.Context(), "during the search for the map of --map %s", s.Placing)
	}
	return s, c, err
}

// pdesResult is an answer that prints itself.
type pdesResult struct{ *machines.PDES }

// pdesRunOf returns the answer; if interrupted, that of the run so far.
func pdesRunOf(cmd *cobra.Command, o *pdesCase) (*pdesResult, error) {
	s, cfg, err := pdesConfig(cmd, o)
	if err != nil {
		return nil, err
	}
	out, r, err := machines.RunPDES(cmd.Context(), s, cfg)
	switch {
	case out == nil:
		return nil, err
	case err != nil:
		err = interrupt.Of(cmd.Context(), "after %d clocks, in which every LP ran %d of %d slots", r.Clocks, r.Slots, s.Slots).With("clock", r.Clocks).With("slots", r.Slots)
	}
	return &pdesResult{out}, err
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
