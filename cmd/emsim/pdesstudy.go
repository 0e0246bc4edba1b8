package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// pdesCost is the documented JSON of a line of the cost table.
type pdesCost struct {
	Network      string      `json:"network"`
	Shape        string      `json:"shape"`
	Stages       int         `json:"stages"`
	Wiring       string      `json:"wiring"`
	Neighbour    string      `json:"neighbour"`
	A            float64     `json:"a"`
	B            float64     `json:"b"`
	Conventional float64     `json:"conventional"`
	Greedy       float64     `json:"greedy"`
	Exact        float64     `json:"exact"`
	Ratio        float64     `json:"ratio"` // conventional / exact
	RatioGreedy  float64     `json:"ratio_greedy"`
	Turned       int         `json:"turned"`
	Edges        int         `json:"edges"`
	MaxPortLoad  [3]int64    `json:"max_port_load"` // conventional, greedy, exact
	GreedyMap    mapping.Map `json:"greedy_map"`
	ExactMap     mapping.Map `json:"exact_map"`
	SearchNodes  int64       `json:"search_nodes"`
}

func newPDESCostCmd(a *app) *cobra.Command {
	o := &pdesCase{}
	var all bool
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "Communication cost of the conventional, the greedy and the best map",
		Long: `cost rates maps by the paper's cost function, (1 + A distance) B^(axis changes)
for every message: the conventional map, row by row; what the greedy makes of
it; and a best map, proven. ratio is conventional / exact. --all prints the
ten machines of docs/PDES.md.`,
		Example: `  emsim pdes cost --network hxb --shape 4x4 --stages 3
  emsim pdes cost --network hxb --shape 4x4x2 --stages 4 --neighbour xbar --json
  emsim pdes cost --all`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := o.weights()
			if err != nil {
				return err
			}
			if all {
				return a.costTable(o, w)
			}
			c, err := o.study()
			if err != nil {
				return err
			}
			neighbour, _, err := o.minimiser()
			if err != nil {
				return err
			}
			r, err := study.CostsOf(c, w)
			if err != nil {
				return err
			}
			line := newPDESCost(r, neighbour, w)
			return a.emit(line, func(out io.Writer) error { return costLines(out, []pdesCost{line}) })
		},
	}
	o.objective = string(mapping.ByCost)
	o.register(cmd.Flags())
	o.registerWeights(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "the ten machines of the cost table, in place of --network, --shape and --stages")
	cmd.MarkFlagsMutuallyExclusive("all", "network")
	cmd.MarkFlagsMutuallyExclusive("all", "shape")
	cmd.MarkFlagsMutuallyExclusive("all", "stages")
	return cmd
}

func newPDESCost(r *study.Costs, n mapping.Neighbour, w mapping.Weights) pdesCost {
	g := r.Grid
	if n == mapping.XBar {
		g = r.XBar
	}
	return pdesCost{
		Network: string(r.Kind), Shape: r.Shape, Stages: r.Stages, Wiring: string(r.Banyan().Wiring),
		Neighbour: string(n), A: w.A, B: w.B,
		Conventional: plain(r.Conventional.Cost), Greedy: plain(g.Score.Cost), Exact: plain(r.Exact.Score.Cost),
		Ratio: r.Ratio(), RatioGreedy: r.Over(g.Score), Turned: r.Turned, Edges: r.Edges,
		MaxPortLoad: [3]int64{r.Conventional.MaxLoad, g.Score.MaxLoad, r.Exact.Score.MaxLoad},
		GreedyMap:   g.Map, ExactMap: r.Exact.Map, SearchNodes: r.Exact.Nodes,
	}
}

// costTable prints the ten machines, HXB with both kinds of neighbour.
func (a *app) costTable(o *pdesCase, w mapping.Weights) error {
	c, err := o.study() // checks --wiring
	if err != nil {
		return err
	}
	var lines []pdesCost
	for _, machine := range study.Cases() {
		machine.Wiring = c.Wiring
		r, err := study.CostsOf(machine, w)
		if err != nil {
			return err
		}
		lines = append(lines, newPDESCost(r, mapping.Grid, w))
		if machine.Kind == network.HXB {
			lines = append(lines, newPDESCost(r, mapping.XBar, w))
		}
	}
	return a.emit(lines, func(out io.Writer) error { return costLines(out, lines) })
}

func costLines(w io.Writer, lines []pdesCost) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "stages\tmachine\tneighbour\tconventional\tgreedy\texact\tratio\tconv/greedy\tturned\tport loads\t")
	for _, l := range lines {
		fmt.Fprintf(t, "%d\t%s %s\t%s\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%d/%d\t%d %d %d\t\n", l.Stages, l.Network, l.Shape, l.Neighbour,
			l.Conventional, l.Greedy, l.Exact, l.Ratio, l.RatioGreedy, l.Turned, l.Edges, l.MaxPortLoad[0], l.MaxPortLoad[1], l.MaxPortLoad[2])
	}
	return t.Flush()
}

// pdesCompared is a line of the comparison of objectives.
type pdesCompared struct {
	Method        string  `json:"method"`
	Objective     string  `json:"objective"` // empty for the conventional map
	Cost          float64 `json:"cost"`
	MaxPortLoad   int64   `json:"max_port_load"`
	ClocksPerSlot float64 `json:"clocks_per_slot"`
}

func newPDESCompareCmd(a *app) *cobra.Command {
	o := &pdesCase{}
	var cell, window, slots int64
	var maps int
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Cost against the busiest port: which of them foretells run time",
		Long: `compare runs a machine under what greedy and annealing find by the paper's cost
function and by the load of the busiest port, and then under random maps, of
which it prints the correlation of run time with both.`,
		Example: "  emsim pdes compare --network torus --shape 8x4 --stages 4 --cell 300\n  emsim pdes compare --maps 150 --cell 512 --json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.study()
			if err != nil {
				return err
			}
			w, err := o.weights()
			if err != nil {
				return err
			}
			runs, err := study.Objectives(cmd.Context(), c, w, cell, window, slots)
			if err != nil {
				return err
			}
			points, err := study.RandomMaps(cmd.Context(), c, w, maps, cell, window, slots)
			if err != nil {
				return err
			}
			lines := []pdesCompared{}
			for _, r := range runs {
				lines = append(lines, pdesCompared{r.Method, string(r.Objective), plain(r.Score.Cost), r.Score.MaxLoad, r.Clocks})
			}
			byCost, byLoad := study.Correlations(points)
			v := map[string]any{"runs": lines, "random_maps": maps, "r_cost": byCost, "r_max_port_load": byLoad}
			return a.emit(v, func(out io.Writer) error {
				t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "map\tobjective\tcost\tmax port load\tclocks a slot")
				for _, l := range lines {
					fmt.Fprintf(t, "%s\t%s\t%.1f\t%d\t%.1f\n", l.Method, l.Objective, l.Cost, l.MaxPortLoad, l.ClocksPerSlot)
				}
				fmt.Fprintf(t, "%d random maps: r(run time, cost) = %.2f, r(run time, max port load) = %.2f\n", maps, byCost, byLoad)
				return t.Flush()
			})
		},
	}
	o.register(cmd.Flags())
	o.registerWeights(cmd.Flags())
	cmd.Flags().Int64Var(&cell, "cell", 512, "clocks a cell holds a port")
	cmd.Flags().Int64Var(&window, "window", 8, "messages under way on a channel")
	cmd.Flags().Int64Var(&slots, "slots", 300, "slots of every run")
	cmd.Flags().IntVar(&maps, "maps", 50, "random maps")
	return cmd
}

func newPDESPatternsCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "patterns",
		Short:   "The eight contention patterns on HXB, TORUS and HCB",
		Long:    "patterns prints by how much each pattern of figure 1 is slower than its senders\nand receivers alone would be: 1 is no contention inside the network.",
		Example: "  emsim pdes patterns",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			nets, err := study.PatternNets()
			if err != nil {
				return err
			}
			lines := []map[string]any{}
			for _, p := range network.Patterns() {
				l := map[string]any{"pattern": p.Number, "shared": p.What, "paper_congested": p.Congested}
				for _, n := range nets {
					l[n.Name] = p.SlowDown(n.Net)
				}
				lines = append(lines, l)
			}
			return a.emit(lines, func(out io.Writer) error {
				t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "pattern\tpaper (HXB)\thxb\ttorus\thcb\thxb, Y first\tshares")
				for _, l := range lines {
					paper := "free"
					if l["paper_congested"] == true {
						paper = "congested"
					}
					fmt.Fprintf(t, "%d\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\n", l["pattern"], paper, l["hxb"], l["torus"], l["hcb"], l["hxb_yfirst"], l["shared"])
				}
				return t.Flush()
			})
		},
	}
}

func newPDESCalibrateCmd(a *app) *cobra.Command {
	o := &pdesCase{}
	cmd := &cobra.Command{
		Use:     "calibrate",
		Short:   "Coefficients A and B of the cost function, from the packet model",
		Example: "  emsim pdes calibrate --network torus --shape 4x4",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.study()
			if err != nil {
				return err
			}
			r, err := study.Calibrate(cmd.Context(), c)
			if err != nil {
				return err
			}
			points := func(list []study.BUnder, x string) []map[string]float64 {
				out := []map[string]float64{}
				for _, b := range list {
					out = append(out, map[string]float64{x: b.Load, "b": b.B})
				}
				return out
			}
			v := map[string]any{
				"t0": r.T0, "a": r.A, "a_wire": r.AWire, "b_uniform": points(r.Uniform, "rho"),
				"b_saturated": r.Saturate, "b_own": points(r.Own, "cell"),
			}
			return a.emit(v, func(out io.Writer) error {
				t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintf(t, "T0\t%.0f clocks\n", r.T0)
				fmt.Fprintf(t, "A\t%.3f\t%.3f without software\n", r.A, r.AWire)
				for _, b := range r.Uniform {
					fmt.Fprintf(t, "B\t%.3f\tuniform traffic, load %.1f\n", b.B, b.Load)
				}
				fmt.Fprintf(t, "B\t%.3f\tsaturated permutations\n", r.Saturate)
				for _, b := range r.Own {
					fmt.Fprintf(t, "B\t%.3f\tthe simulation's own messages, cells of %.0f clocks\n", b.B, b.Load)
				}
				return t.Flush()
			})
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func newPDESScatterCmd(a *app) *cobra.Command {
	o := &pdesCase{}
	var runs int
	cmd := &cobra.Command{
		Use:   "scatter",
		Short: "How run times scatter under both maps when the machine is shared (table 1)",
		Long: `scatter runs a machine under the conventional and the best map, seed by seed
against the same reference background, and compares means and deviations.`,
		Example: "  emsim pdes scatter --network hxb --shape 4x4 --runs 300",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := o.study()
			if err != nil {
				return err
			}
			r, err := study.CostsOf(c, mapping.Reference())
			if err != nil {
				return err
			}
			s, err := study.Shake(cmd.Context(), c, r.Exact.Map, study.NStar(), runs)
			if err != nil {
				return err
			}
			conventional, optimal := s.CV()
			low, high := s.Interval(1000)
			v := map[string]any{
				"runs": runs, "mean_ratio": s.MeanRatio(), "cv_conventional": conventional, "cv_optimal": optimal,
				"sd_ratio": s.SDRatio(), "sd_ratio_low": low, "sd_ratio_high": high, "p_paper": s.AtLeast(study.PaperSDRatio, 10_000),
			}
			return a.emit(v, func(out io.Writer) error {
				_, err := fmt.Fprintf(out, "%d runs a map: mean ratio %.3f, variation %.1f %% and %.1f %%, sd ratio %.2f [%.2f-%.2f]\n5 + 5 runs reach the paper's %.2f with probability %.2f\n",
					runs, s.MeanRatio(), 100*conventional, 100*optimal, s.SDRatio(), low, high, study.PaperSDRatio, v["p_paper"])
				return err
			})
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().IntVar(&runs, "runs", 300, "seeds")
	return cmd
}
