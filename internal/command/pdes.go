package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/machine/machines"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/study"
)

func newPDESCmd(a *app) *cobra.Command {
	return newGroup("pdes", "A parallel discrete-event simulation whose logical processes migrate",
		`pdes models the parallel discrete-event simulation of paper 004: a banyan switch
as logical processes (LPs) on the processors (PPs) of a hyper-crossbar, a torus
or a hypercube, and the migration that moves LPs to shorten their
messages' paths. docs/PDES.md says what comes from the paper and what is chosen.`,
		machineRunCmd(a, "pdes"), newPDESCostCmd(a), newPDESCompareCmd(a), newPDESPatternsCmd(a), newPDESCalibrateCmd(a), newPDESScatterCmd(a))
}

// pdesStudy is what the studies have in common: the flags that choose a machine, a
// program and a map, and what they chose.
type pdesStudy struct {
	*knobFlags
	graph, placing string // of --graph and --map

	setup  *pdes.Setup
	config pdes.Config
	study  study.Case
	own    mapping.Map // of --map; nil for none
	scale  float64     // the traffic of one message a slot
}

// newPDESStudy adds the flags of a study to its command, with those of some more keys;
// usage says what happens to the map.
func newPDESStudy(cmd *cobra.Command, placing, usage string, more ...string) *pdesStudy {
	x := &pdesStudy{knobFlags: newKnobFlags("pdes")}
	x.registerKeys(cmd.Flags(), append(more, "network", "shape", "stages", "wiring")...)
	x.registerMachine(cmd)
	cmd.Flags().StringVar(&x.graph, "graph", "", "read a program of your own instead of the banyan from this `FILE`, as 'emsim pdes run' does")
	cmd.Flags().StringVar(&x.placing, "map", placing, usage+": `MAP` is conventional, greedy, exact, anneal, round-robin or a file, as for 'emsim pdes run'")
	return x
}

// readSetup is the machine of the flags, with the graph.
func (x *pdesStudy) readSetup(cmd *cobra.Command) error {
	m, err := x.machine(cmd)
	if err != nil {
		return err
	}
	if x.setup = m.Config.(*pdes.Setup); x.graph == "" {
		return nil
	}
	text, err := machines.ReadFile("pdes", "graph", x.graph)
	if err != nil {
		return usagef("--graph: %w", err)
	}
	x.setup.Graph, err = lpgraph.Parse(x.graph, text)
	return err
}

// notOfStudies are knobs of runs that no study has.
var notOfStudies = strings.Fields("map migrate_at migrate_every background background_length slow noise_seed")

// build is the case of what was read, for runs of some slots.
func (x *pdesStudy) build(a *app, cmd *cobra.Command, slots int64) (err error) {
	s := x.setup
	s.Slots = slots
	if x.config, err = s.Build(); err != nil {
		return x.named(cmd, err)
	}
	for _, set := range x.sets {
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

// open reads what the flags say, builds the case and finds the map. A study has
// defaults of its own for these flags: one that was not given has the machine's value
// where that is not the usual one.
func (x *pdesStudy) open(a *app, cmd *cobra.Command, flags map[string]*int64) error {
	if err := x.readSetup(cmd); err != nil {
		return err
	}
	usual := pdes.DefaultSetup()
	for flag, of := range map[string]func(s *pdes.Setup) int64{
		"cell":   func(s *pdes.Setup) int64 { return s.Timing.Cell },
		"window": func(s *pdes.Setup) int64 { return s.Window },
		"slots":  func(s *pdes.Setup) int64 { return s.Slots },
	} {
		if p, v := flags[flag], of(x.setup); p != nil && v != of(&usual) && !cmd.Flags().Changed(flag) {
			*p = v
		}
	}
	if err := x.build(a, cmd, *flags["slots"]); err != nil {
		return err
	}
	return x.place(cmd.Context())
}

// place finds the map of --map, if there is one: that of a minimiser, or that in a file.
func (x *pdesStudy) place(ctx context.Context) error {
	if x.placing == "" {
		return nil
	}
	x.setup.Placing = x.placing
	if slices.Contains(pdes.Placings(), x.placing) {
		err := x.setup.Place(ctx, &x.config)
		x.own = x.config.Map
		return ended(ctx, err, "during the search for the map of --map %s", x.placing)
	}
	text, err := machines.ReadFile("pdes", "map", x.placing)
	if err != nil {
		return usagef("--map: expected conventional, greedy, exact, anneal, round-robin or a file: %w", err)
	}
	x.config.Map, err = x.config.ParseMap(x.placing, text)
	x.own = x.config.Map
	return err
}

// score rates the map of --map.
func (x *pdesStudy) score(w mapping.Weights) mapping.Score { return x.config.Problem(w).Score(x.own) }

// given adds what the user gave to an answer: the graph, and the map.
func (x *pdesStudy) given(answer map[string]any) map[string]any {
	if x.graph != "" {
		answer["graph"] = x.graph
	}
	if x.placing != "" {
		answer["map"] = x.placing
	}
	return answer
}
