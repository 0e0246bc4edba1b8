package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/interrupt"
	"emsim/internal/machines"
	"emsim/internal/plural"
	"emsim/internal/wholefile"
	"emsim/pdes"
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

// registerCase adds the flags of a study, and those of some more keys.
func (o *pdesCase) registerCase(cmd *cobra.Command, more ...string) {
	o.registerKeys(cmd.Flags(), append(more, "network", "shape", "stages", "wiring")...)
	o.registerMachine(cmd)
}

// choose is what the flags say.
func (o *pdesCase) choose(cmd *cobra.Command) (*pdes.Setup, error) {
	m, err := o.machine(cmd)
	if err != nil {
		return nil, err
	}
	s := m.Config.(*pdes.Setup)
	if at := s.MigrateAt; at < 0 && o.given["migrate_at"] != nil && cmd.Flags().Changed("migrate-at") {
		return nil, usagef("migrate at: expected a clock, 0 or later, got %d", at)
	}
	return s, nil
}

// pdesGraph is the file of the example for --graph.
const pdesGraph = `  # what   name/from to      clocks, or messages a slot
  lp       source            200
  lp       filter            900
  lp       sink                     # the clocks of --step
  channel  source    filter  0.5
  channel  filter    sink    2.25
  from     4000                     # from slot 4000 on
  lp       filter            300`

func newPDESRunCmd(a *app) *cobra.Command {
	o, files := newPDESCase(), pdesFiles{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the banyan on a machine, with or without a migration",
		Long: `run simulates a banyan switch on the processors of a machine and prints what the
simulation saw (hash, drops, sunk: the same on every machine and under every
map) and what it cost (clocks). With --migrate-at the LPs migrate once, in the
nine steps of the paper, to the map that the greedy minimiser finds; with
--migrate-every again and again. --c gives the compute term of the cost a weight:
minimisers then level the work of the PPs, too. Ctrl-C prints both so far.

--graph reads a program of your own instead of the banyan: LPs with the clocks of
a slot, channels with messages a slot, and what changes from which slot on:

` + pdesGraph + `

--map reads a map, a line for each LP: its name (in the banyan stage and place, as
in 2.1, or its number) and its PP.`,
		Example: `  emsim pdes run --network hxb --shape 4x4 --stages 3 --slots 300 --seed 1 --json
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --map exact
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --migrate-at 100000
  emsim pdes run --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt --slots 2000
  emsim pdes run --graph docs/examples/pdes-graph.txt --slots 8000 --c 10 --migrate-at 500000 --migrate-every 2000000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			start := time.Now()
			r, err := a.pdesRunOf(cmd, o, &files)
			if r == nil {
				return err
			}
			r.WallSeconds = time.Since(start).Seconds()
			if errors.As(err, new(*wholefile.Error)) {
				return a.unwritten(err, r, r.table)
			}
			if err != nil {
				return a.failed(err, map[string]any{"statistics": r}, r.table)
			}
			return a.emit(r, r.table)
		},
	}
	o.register(cmd)
	cmd.Flags().Lookup("map").Usage = "map at the start of the run: conventional (row by row), greedy, exact, anneal, round-robin or a file"
	files.register(cmd.Flags())
	return cmd
}

// pdesConfig puts the machine together and finds its map.
func (a *app) pdesConfig(cmd *cobra.Command, o *pdesCase, files *pdesFiles) (*pdes.Setup, pdes.Config, error) {
	if cmd.Flags().Changed("slow") {
		if slow := o.given["slow"]().(float64); !(slow >= 0 && slow <= 1000) {
			return nil, pdes.Config{}, usagef("--slow: expected 0 to 1000 per cent, got %v", slow)
		}
	}
	s, err := o.choose(cmd)
	if err != nil {
		return s, pdes.Config{}, err
	}
	if files.graph != "" {
		if s.Graph, err = readGraph(files.graph); err != nil {
			return s, pdes.Config{}, err
		}
	}
	a.noteIdlePDES(s, cmd.Flags().Changed)
	how, file := s.Placing, ""
	if !slices.Contains(pdes.Placings(), how) {
		s.Placing, file = pdes.Placings()[0], how // until the map has been read
	}
	c, err := s.Build()
	if err != nil {
		return s, c, o.named(cmd, err)
	}
	if err := files.claim(a, cmd, file); err != nil {
		return s, c, err
	}
	return s, c, placeBy(cmd.Context(), s, &c, how)
}

// pdesResult is an answer that prints itself.
type pdesResult struct{ *machines.PDES }

// pdesRunOf returns the answer; if interrupted, that of the run so far.
func (a *app) pdesRunOf(cmd *cobra.Command, o *pdesCase, files *pdesFiles) (*pdesResult, error) {
	s, cfg, err := a.pdesConfig(cmd, o, files)
	if err != nil {
		return nil, err
	}
	out, r, err := files.run(cmd.Context(), s, cfg)
	switch {
	case out == nil:
		return nil, err
	case interrupt.Ended(err):
		err = interrupt.Of(cmd.Context(), "after %d clocks, in which every LP ran %d of %d slots", r.Clocks, r.Slots, s.Slots).With("clock", r.Clocks).With("slots", r.Slots)
	}
	out.Graph = files.graph
	return &pdesResult{out}, err
}

func (r *pdesResult) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	program := fmt.Sprintf("%d-stage %s", r.Stages, r.Wiring)
	if r.Graph != "" {
		program = plural.Of(r.LPs, "LP") + " of " + r.Graph
	}
	fmt.Fprintf(t, "machine\t%s %s, %s, map %s\n", r.Network, r.Shape, program, r.MapName)
	fmt.Fprintf(t, "clocks\t%d\t%.1f per slot\n", r.Clocks, r.ClocksPerSlot)
	if r.Hash != "" {
		fmt.Fprintf(t, "hash\t%s\tthe same on every machine\n", r.Hash)
	}
	fmt.Fprintf(t, "cells\t%d entered, %d left, %d dropped\n", r.Injected, r.Sunk, r.Drops)
	if r.DelayMean != nil {
		fmt.Fprintf(t, "delay\t%.3f slots in the mean\n", *r.DelayMean)
	}
	fmt.Fprintf(t, "cost\t%.1f\tat the end, one message per slot and link\n", r.Cost)
	if r.Compute != 0 {
		fmt.Fprintf(t, "compute term\t%.1f\tof the cost that minimisers lower\n", r.Compute)
	}
	fmt.Fprintf(t, "max port load\t%.4g\tmessages per slot over the busiest port\n", r.MaxPortLoad)
	sharedRows(t, "pdes", r.PDES, "efficiency", "transfers", "messages", "imbalance")
	fmt.Fprintf(t, "packets\t%d\n", r.Packets)
	if r.Migrations > 1 {
		fmt.Fprintf(t, "migrations\t%d, %d LPs moved\tpauses of %d clocks in all; of the first:\n", r.Migrations, r.Moved, r.PauseClocks)
	}
	if m := r.Migration; m != nil {
		fmt.Fprintf(t, "migration\t%d LPs moved, %d bytes\tcost of the counted traffic %.1f -> %.1f\n", m.Moved, m.StateBytes, m.CostBefore, m.CostAfter)
		fmt.Fprintf(t, "pause\t%d clocks\t%d until quiet, %d until decided, %d until moved, %d until all run\n",
			m.Ended-m.Triggered, m.Quiet-m.Triggered, m.Decided-m.Quiet, m.Arrived-m.Decided, m.Ended-m.Arrived)
	}
	return t.Flush()
}
