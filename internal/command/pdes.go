package command

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"emsim/internal/base/answer"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/portable"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/study/spread"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// pdesStudy is the common part of the studies: the flags that choose a machine, a program and a map, and their values.
type pdesStudy struct {
	*knobFlags
	graph, placing string // the values of --graph and --map

	onlyRuns  []string             // knobs without effect in this study
	machineOf *machinefile.Machine // with the setup

	setup  *pdes.Setup
	config pdes.Config
	study  study.Case
	own    mapping.Map // the map of --map, or nil
	scale  float64     // the traffic of one message per slot
}

// newPDESStudy returns a study whose flags it adds to cmd, with a flag for each knob in `more`. placing and usage are
// the default and the help text of --map.
func newPDESStudy(a *app, cmd *cobra.Command, placing, usage string, more ...string) *pdesStudy {
	x := &pdesStudy{knobFlags: newKnobFlags("pdes")}
	x.registerKeys(cmd.Flags(), append(more, "network", "shape", "stages", "wiring")...)
	x.registerMachine(a, cmd)
	cmd.Flags().StringVar(&x.graph, "graph", "",
		"read a program of your own instead of the banyan from this `FILE`, as 'emsim pdes run' does")
	cmd.Flags().StringVar(&x.placing, "map", placing, usage+
		": `MAP` is conventional, greedy, exact, anneal, round-robin or a file, as for 'emsim pdes run'")
	return x
}

// readSetup reads the machine that the flags describe, and the graph of --graph.
func (x *pdesStudy) readSetup(cmd *cobra.Command) error {
	m, err := x.machine(cmd)
	if err != nil {
		return err
	}
	x.machineOf = m
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

// notOfStudies are knobs that only runs use. notOfCosts are further knobs that the cost table does not use.
var (
	notOfStudies = strings.Fields("map migrate_at interval background background_length noise_slow " +
		"noise_seed control " +
		"control_apart decide serialise entry objective")
	notOfCosts = strings.Fields("seed load queue window cell null credit hop send receive max_clocks")
)

// build builds the study's case for runs of the given number of slots, and prints notes about flags without effect.
func (x *pdesStudy) build(a *app, cmd *cobra.Command, slots int64) (err error) {
	s := x.setup
	s.Slots = slots
	if x.config, err = s.Build(); err != nil {
		return x.named(cmd, err)
	}
	x.noteIdleKnobs(a, cmd, x.machineOf, true, "a study has maps and a background of its own, and no migration",
		notOfStudies...)
	x.noteIdleKnobs(a, cmd, x.machineOf, len(x.onlyRuns) > 0, "it affects nothing that this study runs",
		x.onlyRuns...)
	a.noteIdleFlags(cmd, s.Graph != nil, "--graph decides it", "stages", "wiring")
	shape, err := s.NodeShape()
	x.study = study.Case{Kind: s.Network, Shape: shape, Stages: s.Banyan.Stages, Wiring: s.Banyan.Wiring, Machine: s}
	x.scale = float64(x.config.Problem(s.Weights).Graph.Scale)
	return err
}

// open reads the flags, builds the case and finds the map. A study has its own defaults for some flags: if such a flag
// is not given, the machine's value counts if it differs from the machine's default.
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

// place finds the map of --map, if given: a minimiser's map, or a map in a file.
func (x *pdesStudy) place(ctx context.Context) error {
	if x.placing == "" {
		return nil
	}
	x.setup.Placing = x.placing
	if slices.Contains(pdes.Placings(), x.placing) {
		err := x.setup.FindMap(ctx, &x.config)
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

// score returns the score of the map of --map.
func (x *pdesStudy) score(w mapping.Weights) mapping.Score { return x.config.Problem(w).Score(x.own) }

// given adds the user's graph and map to an answer.
func (x *pdesStudy) given(said *answer.Answer) {
	if x.graph != "" {
		said.Say("graph", x.graph)
	}
	if x.placing != "" {
		said.Say("map", x.placing)
	}
}

// on returns the kind and the shape of the network.
func (x *pdesStudy) on() string { return fmt.Sprintf("%s %s", x.study.Kind, x.study.Shape) }

func newPDESCalibrateCmd(a *app) *cobra.Command {
	var slots int64
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Coefficients A and B of the cost function, from the packet model",
		Long: `calibrate measures what the cost function's coefficients would be if they were
properties of the network: T0 and A with no other message in flight, and B under
uniform traffic, under saturation, and for the program's own messages under 40
random maps. --graph measures the messages of a program of your own, and --map
those under one map. B is 1 where no message changes its axis. Ctrl-C prints the
measurements so far.`,
		Example: `  emsim pdes calibrate --network torus --shape 4x4
  emsim pdes calibrate --graph docs/examples/pdes-graph.txt --slots 1000`,
		Args: noArgs,
	}
	x := newPDESStudy(a, cmd, "", "measure the program's messages under one map instead of random ones")
	x.onlyRuns = []string{"cell"}
	cmd.Flags().Int64Var(&slots, "slots", study.OwnSlots, "slots of each run that measures the program's messages")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := x.open(a, cmd, map[string]*int64{"slots": &slots}); err != nil {
			return err
		}
		line := a.newPart("", 0)
		r, err := study.Calibrate(cmd.Context(), x.study, x.own, slots, line.steps("measurements"))
		line.end()
		if r == nil {
			return err
		}
		said := x.calibration(r)
		return a.emitParts(cmd.Context(), err, steps(0, 0), said, a.shown(said), "before all was measured")
	}
	return cmd
}

// calibration returns the answer of 'emsim pdes calibrate'.
func (x *pdesStudy) calibration(r *study.Calibration) *answer.Answer {
	said := &answer.Answer{Title: "Coefficients of the cost function, as measured", Machine: x.on()}
	said.Number("a", r.A, "", "clocks of a hop over T0").Head("A", "%.3f without software", r.AWire)
	said.Number("a_wire", r.AWire, "", "the same without the software's part of T0")
	said.Say("b_own", ownB.Objects(r.Own))
	said.Number("b_saturated", r.Saturate, "", "B of saturated permutations").Head("B", "saturated permutations")
	said.Say("b_uniform", uniformB.Objects(r.Uniform))
	x.given(said)
	said.Number("t0", r.T0, "clocks", "of a message at distance 0, software included").Head("T0", "at distance 0")
	said.Lists = []answer.List{uniformB.List(r.Uniform), ownB.List(r.Own)}
	said.Lists[0].Title, said.Lists[1].Title = "B under uniform traffic", "B of the program's own messages"
	if slices.ContainsFunc(r.Own, func(b study.BUnder) bool { return math.IsNaN(b.B) }) {
		said.Lists[1].Notes = []string{"-: no message left its PP"}
	}
	return said
}

// The columns of the tables of 'emsim pdes calibrate'.
var (
	uniformB = bUnder("rho", "load", "share of the time")
	ownB     = bUnder("cell", "clocks of a cell", "")
)

// bUnder describes the columns of measurements of B under a load.
func bUnder(key, head, doc string) answer.Columns[study.BUnder] {
	return answer.Columns[study.BUnder]{
		{
			Key: "b", Head: "B", Doc: "null where no message left its PP", Format: "%.3f",
			Of: func(b study.BUnder) any { return ratio(b.B) },
		},
		{Key: key, Head: head, Doc: doc, Of: func(b study.BUnder) any { return ratio(b.Load) }},
	}
}

func newPDESScatterCmd(a *app) *cobra.Command {
	runs, slow, d := 0, 0., study.NStar()
	cmd := &cobra.Command{
		Use:   "scatter",
		Short: "How run times scatter under both maps when the machine is shared (table 1)",
		Long: `scatter runs a machine under the conventional and the best map, seed by seed
against the same background, and compares means and deviations. --map takes
a map other than the best, --graph a program of your own; --cell, --slots,
--background and --noise-slow, which are the flags of the reference background N* of
'emsim docs PDES', choose the runs and what disturbs them. Up to 20 runs are
listed, in the form of table 1. Ctrl-C compares the completed runs.`,
		Example: `  emsim pdes scatter --network hxb --shape 4x4 --runs 300
  emsim pdes scatter --runs 5
  emsim pdes scatter --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt --slots 1000 --runs 50`,
		Args: noArgs,
	}
	x := newPDESStudy(a, cmd, "exact", "compare this map with the conventional one")
	cmd.Flags().IntVar(&runs, "runs", 300, "number of seeds to run")
	cmd.Flags().Int64Var(&d.Cell, "cell", d.Cell, "how many clocks a cell holds a port")
	cmd.Flags().Int64Var(&d.Slots, "slots", d.Slots, "slots of every run")
	cmd.Flags().IntVar(&d.Background.Flows, "background", d.Background.Flows,
		"closed-loop flows of other programs through ports between the nodes")
	cmd.Flags().Float64Var(&slow, "noise-slow", float64(d.Background.SlowPPM)/10_000,
		"how much slower the PPs are on average (%)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !(slow >= 0 && slow <= 1000) {
			return usagef("--noise-slow: expected 0 to 1000 per cent, got %v", slow)
		}
		if err := between("runs", runs, 2, 100_000, "the times of all of them are kept"); err != nil {
			return err
		}
		d.Background.SlowPPM = int64(math.Round(slow * 10_000))
		if err := x.open(a, cmd, map[string]*int64{"cell": &d.Cell, "slots": &d.Slots}); err != nil {
			return err
		}
		ctx := cmd.Context()
		line := a.newPart("", runs)
		s, err := study.Shake(ctx, x.study, x.own, d, runs, line.steps("seeds"))
		line.end()
		if err != nil && !interrupt.Ended(err) {
			return err
		}
		done := len(s.Optimal)
		said, table := &answer.Answer{}, (func(w io.Writer))(nil)
		if said.Say("runs", done); done > 1 {
			said = x.scatter(s)
			table = a.shown(said)
		}
		return a.emitParts(ctx, err, steps(done, runs), said, table, "after %d of %d runs per map", done, runs)
	}
	return cmd
}

// ratio is a number that may be undefined, for example if there are too few runs; JSON then has null.
type ratio float64

func (r ratio) MarshalJSON() ([]byte, error) {
	if x := float64(r); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// scatter returns the answer about several runs per map. The optimal map is the map of --map.
func (x *pdesStudy) scatter(s *study.Shaken) *answer.Answer {
	runs, mean, paper := len(s.Optimal), s.MeanRatio(), s.AtLeast(study.PaperSDRatio, 10_000)
	conventional, optimal := s.CV()
	low, high := spread.SDRatio(s.Conventional, s.Optimal)
	interval := "too few runs for an interval"
	if !math.IsNaN(low) {
		interval = fmt.Sprintf("95 %% interval %.2f to %.2f", low, high)
	}
	said := &answer.Answer{
		Title: fmt.Sprintf("%d runs per map, conventional and %s", runs, x.placing), Machine: x.on(),
	}
	x.given(said)
	said.Number("runs", runs, "runs", "per map")
	said.Number("mean_ratio", mean, "", "of the mean clocks, conventional over the other map")
	said.Share("cv_conventional", conventional, "standard deviation over mean, conventional map")
	said.Share("cv_optimal", optimal, "the same under the other map").Head("variation",
		"of run times; %s with the conventional map", answer.InPercent(conventional))
	said.Number("sd_ratio", ratio(s.SDRatio()), "", "conventional over the other map").Head("sd ratio",
		"of the deviations; %s", interval)
	said.Number("sd_ratio_low", ratio(low), "", "end of its 95 % interval")
	said.Number("sd_ratio_high", ratio(high), "", "the other end")
	said.Number("p_paper", paper, "", "probability that 5 + 5 runs reach the paper's ratio").Head("probability",
		"that 5 + 5 runs reach the paper's sd ratio of %.2f", study.PaperSDRatio)
	said.Share("mean_gain", 1-1/mean, "1 - 1/mean_ratio").Head("mean gain", "mean ratio %.3f", mean)
	said.Say("clocks_conventional", s.Conventional)
	said.Say("clocks_optimal", s.Optimal)
	if runs > 20 {
		return said
	}
	l := answer.List{Heads: []string{"clocks", "conventional", x.placing}, Whole: true} // as in table 1 of the paper
	for i, c := range s.Conventional {
		l.Add(fmt.Sprint("run ", i+1), c, s.Optimal[i])
	}
	l.Add("mean", portable.Mean(s.Conventional), portable.Mean(s.Optimal))
	l.Add("deviation", study.SD(s.Conventional), study.SD(s.Optimal))
	said.Lists = []answer.List{l}
	return said
}

func newPDESPatternsCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "patterns",
		Short: "The eight contention patterns on HXB, torus and hypercube",
		Long: "patterns prints how much slower each pattern of figure 1 is than its senders\nand receivers alone: " +
			"1 means no contention inside the network.",
		Example: "  emsim pdes patterns",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			nets, err := study.PatternNets()
			if err != nil {
				return err
			}
			columns, rows := patternColumns(nets), network.Patterns()
			said := &answer.Answer{
				Title: "Contention patterns: how much slower than senders and receivers alone", Machine: "figure 1",
				Lists: []answer.List{columns.List(rows)},
			}
			slices.SortStableFunc(columns,
				func(p, q answer.Column[network.Pattern]) int { return cmp.Compare(p.Key, q.Key) })
			return a.answer(columns.Objects(rows), a.shown(said))
		},
	}
}

// patternColumns describes the rows of 'emsim pdes patterns', in the order of the table. The command sorts them by key
// for JSON.
func patternColumns(nets []study.NamedNet) answer.Columns[network.Pattern] {
	type pattern = network.Pattern
	columns := answer.Columns[pattern]{
		{Key: "pattern", Head: "pattern", Of: func(p pattern) any { return p.Number }},
		{
			Key: "paper_congested", Doc: "what the paper observed on HXB",
			Of: func(p pattern) any { return p.Congested },
		},
		{Head: "paper (HXB)", Of: func(p pattern) any {
			return map[bool]string{false: "free", true: "congested"}[p.Congested]
		}},
	}
	for _, n := range nets {
		columns = append(columns, answer.Column[pattern]{
			Key: n.Name, Head: strings.Replace(n.Name, "_yfirst", ", Y first", 1), Format: "%.2f",
			Doc: "slow-down", Of: func(p pattern) any { return p.SlowDown(n.Net) },
		})
	}
	return append(columns, answer.Column[pattern]{
		Key: "shared", Head: "shares", Doc: "what the flows share", Of: func(p pattern) any { return p.What },
	})
}
