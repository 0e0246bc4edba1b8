package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/machine/machines"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/study"
)

// pdesOwn is what the studies take of a user: a program and a map.
type pdesOwn struct {
	graph, placing string // of --graph and --map
	setup          *pdes.Setup
	config         pdes.Config
	study          study.Case
	own            mapping.Map // of --map; nil for none
	scale          float64     // the traffic of one message a slot
}

// register adds --graph and --map; what says what happens to the map.
func (x *pdesOwn) register(cmd *cobra.Command, placing, what string) {
	cmd.Flags().StringVar(&x.graph, "graph", "", "read a program of your own instead of the banyan from this `FILE`, as 'emsim pdes run' does")
	cmd.Flags().StringVar(&x.placing, "map", placing, what+": `MAP` is conventional, greedy, exact, anneal, round-robin or a file, as for 'emsim pdes run'")
}

// readSetup is the machine of the flags, with the graph.
func (x *pdesOwn) readSetup(o *pdesCase, cmd *cobra.Command) (err error) {
	if x.setup, err = o.choose(cmd); err == nil && x.graph != "" {
		x.setup.Graph, err = readGraph(x.graph)
	}
	return err
}

// fillFlags gives a study the machine's values of some flags that were not
// given, where they are not the default ones: a study has defaults of its own.
func (x *pdesOwn) fillFlags(cmd *cobra.Command, flags map[string]*int64) {
	d := pdes.DefaultSetup()
	for _, k := range []struct {
		flag       string
		own, usual int64
	}{
		{"cell", x.setup.Timing.Cell, d.Timing.Cell}, {"window", x.setup.Window, d.Window}, {"slots", x.setup.Slots, d.Slots},
	} {
		if p := flags[k.flag]; p != nil && k.own != k.usual && !cmd.Flags().Changed(k.flag) {
			*p = k.own
		}
	}
}

// notOfStudies are knobs of runs that no study has.
var notOfStudies = strings.Fields("map migrate_at migrate_every background background_length slow noise_seed")

// build is the case of what was read, for runs of some slots.
func (x *pdesOwn) build(a *app, o *pdesCase, cmd *cobra.Command, slots int64) (err error) {
	s := x.setup
	s.Slots = slots
	if x.config, err = s.Build(); err != nil {
		return o.named(cmd, err)
	}
	for _, set := range o.sets {
		if key, _, _ := strings.Cut(set, "="); slices.Contains(notOfStudies, key) {
			fmt.Fprintf(a.err, "note: --set %s changes nothing: a study has maps and a background of its own, and no migration\n", key)
		}
	}
	a.noteIdleFlags(cmd, s.Graph != nil, "--graph decides it", "stages", "wiring")
	shape, err := s.NodeShape()
	x.study = study.Case{Kind: s.Network, Shape: shape, Stages: s.Banyan.Stages, Wiring: s.Banyan.Wiring, Machine: s}
	x.scale = float64(s.Problem(&x.config).Graph.Scale)
	return err
}

// openStudy reads what the flags say for a study of its own defaults, builds
// its case and finds the map.
func (x *pdesOwn) openStudy(a *app, o *pdesCase, cmd *cobra.Command, flags map[string]*int64) error {
	if err := x.readSetup(o, cmd); err != nil {
		return err
	}
	x.fillFlags(cmd, flags)
	if err := x.build(a, o, cmd, *flags["slots"]); err != nil {
		return err
	}
	return x.place(cmd.Context())
}

// place finds the map of --map, if there is one.
func (x *pdesOwn) place(ctx context.Context) error {
	if x.placing == "" {
		return nil
	}
	err := placeBy(ctx, x.setup, &x.config, x.placing)
	x.own = x.config.Map
	return err
}

// placeBy finds the map of a built run: that of a minimiser, or that in a file.
func placeBy(ctx context.Context, s *pdes.Setup, c *pdes.Config, how string) (err error) {
	s.Placing = how
	if !slices.Contains(pdes.Placings(), how) {
		c.Map, err = readMap(how, c)
		return err
	}
	if err = s.Place(ctx, c); interrupt.Ended(err) {
		return interrupt.Of(ctx, "during the search for the map of --map %s", how)
	}
	return err
}

// score rates the map of --map.
func (x *pdesOwn) score(w mapping.Weights) mapping.Score {
	return x.config.Problem(w).Score(x.own)
}

// addRun runs the map of --map, too.
func (x *pdesOwn) addRun(ctx context.Context, runs []study.ObjectiveRun, w mapping.Weights, cell, window int64) ([]study.ObjectiveRun, error) {
	clocks, err := study.RunMap(ctx, x.study, x.own, cell, window, x.setup.Slots)
	if err != nil {
		return runs, err
	}
	return append(runs, study.ObjectiveRun{Method: "own", Point: study.Point{Score: x.score(w), Clocks: clocks}}), nil
}

// readGraph reads the program of --graph.
func readGraph(name string) (*lpgraph.Graph, error) {
	text, err := machines.ReadFile("pdes", "graph", name)
	if err != nil {
		return nil, usagef("--graph: %w", err)
	}
	return lpgraph.Parse(name, text)
}

// readMap reads the map of --map for a machine.
func readMap(name string, c *pdes.Config) (mapping.Map, error) {
	text, err := machines.ReadFile("pdes", "map", name)
	if err != nil {
		return nil, usagef("--map: expected conventional, greedy, exact, anneal, round-robin or a file: %w", err)
	}
	return c.ParseMap(name, text)
}
