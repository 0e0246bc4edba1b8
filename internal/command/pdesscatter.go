package command

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/pdes/study"
)

func newPDESCalibrateCmd(a *app) *cobra.Command {
	o, x := newPDESCase(), &pdesOwn{}
	var slots int64
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Coefficients A and B of the cost function, from the packet model",
		Long: `calibrate measures what the cost function's coefficients would be if they were
properties of the network: T0 and A where nothing else is under way, and B under
uniform traffic, under saturation, and for the program's own messages under 40
random maps. --graph measures the messages of a program of your own, and --map
those under one map. B is 1 where no message changes its axis. Ctrl-C prints the
measurements so far.`,
		Example: `  emsim pdes calibrate --network torus --shape 4x4
  emsim pdes calibrate --graph docs/examples/pdes-graph.txt --slots 1000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := x.openStudy(a, o, cmd, map[string]*int64{"slots": &slots}); err != nil {
				return err
			}
			r, err := study.Calibrate(cmd.Context(), x.study, x.own, slots)
			if r == nil {
				return err
			}
			return a.emitParts(cmd.Context(), err, x.calibration(r), func(w io.Writer) error { return calibrationTable(w, r) }, "before all was measured")
		},
	}
	o.registerCase(cmd)
	x.register(cmd, "", "measure the program's messages under one map instead of random ones")
	cmd.Flags().Int64Var(&slots, "slots", study.OwnSlots, "slots of each run that measures the program's messages")
	return cmd
}

// calibration is the JSON form of a calibration; missing measurements are 0
// or absent points.
func (x *pdesOwn) calibration(r *study.Calibration) map[string]any {
	points := func(list []study.BUnder, load string) []map[string]ratio {
		out := []map[string]ratio{}
		for _, b := range list {
			out = append(out, map[string]ratio{load: ratio(b.Load), "b": ratio(b.B)})
		}
		return out
	}
	return x.named(map[string]any{
		"t0": r.T0, "a": r.A, "a_wire": r.AWire, "b_uniform": points(r.Uniform, "rho"),
		"b_saturated": r.Saturate, "b_own": points(r.Own, "cell"),
	})
}

// named adds what the user gave to the keys of an answer.
func (x *pdesOwn) named(keys map[string]any) map[string]any {
	if x.graph != "" {
		keys["graph"] = x.graph
	}
	if x.placing != "" {
		keys["map"] = x.placing
	}
	return keys
}

func calibrationTable(out io.Writer, r *study.Calibration) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "T0\t%.0f clocks\n", r.T0)
	fmt.Fprintf(t, "A\t%.3f\t%.3f without software\n", r.A, r.AWire)
	for _, b := range r.Uniform {
		fmt.Fprintf(t, "B\t%.3f\tuniform traffic, load %.1f\n", b.B, b.Load)
	}
	fmt.Fprintf(t, "B\t%.3f\tsaturated permutations\n", r.Saturate)
	for _, b := range r.Own {
		if math.IsNaN(b.B) {
			fmt.Fprintf(t, "B\t-\tno message left its PP, cells of %.0f clocks\n", b.Load)
			continue
		}
		fmt.Fprintf(t, "B\t%.3f\tthe program's own messages, cells of %.0f clocks\n", b.B, b.Load)
	}
	return t.Flush()
}

func newPDESScatterCmd(a *app) *cobra.Command {
	o, own := newPDESCase(), &pdesOwn{}
	runs, slow, d := 0, 0., study.NStar()
	cmd := &cobra.Command{
		Use:   "scatter",
		Short: "How run times scatter under both maps when the machine is shared (table 1)",
		Long: `scatter runs a machine under the conventional and the best map, seed by seed
against the same background, and compares means and deviations. --map takes
another map than the best, --graph a program of your own; --cell, --slots,
--background and --slow, which are those of the reference background N* of
docs/PDES.md, choose the runs and what disturbs them. Ctrl-C compares the
completed runs.`,
		Example: `  emsim pdes scatter --network hxb --shape 4x4 --runs 300
  emsim pdes scatter --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt --slots 1000 --runs 50`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runs < 2 {
				return usagef("--runs: expected 2 or more, got %d", runs)
			}
			if !(slow >= 0 && slow <= 1000) {
				return usagef("--slow: expected 0 to 1000 per cent, got %v", slow)
			}
			d.Background.SlowPPM = int64(math.Round(slow * 10_000))
			if err := own.openStudy(a, o, cmd, map[string]*int64{"cell": &d.Cell, "slots": &d.Slots}); err != nil {
				return err
			}
			ctx := cmd.Context()
			s, err := study.Shake(ctx, own.study, own.own, d, runs)
			if interrupt.Ended(err) {
				err = interrupt.Of(ctx, "after %d of %d runs per map", len(s.Optimal), runs)
				if len(s.Optimal) < 2 {
					return a.partial(err, map[string]any{"runs": len(s.Optimal)}, nil)
				}
				x := own.scatter(s)
				return a.partial(err, x, x.table)
			}
			if err != nil {
				return err
			}
			x := own.scatter(s)
			return a.emitAnswer(x, x.table)
		},
	}
	o.registerCase(cmd)
	own.register(cmd, "exact", "compare this map with the conventional one")
	cmd.Flags().IntVar(&runs, "runs", 300, "number of seeds to run")
	cmd.Flags().Int64Var(&d.Cell, "cell", d.Cell, "how many clocks a cell holds a port")
	cmd.Flags().Int64Var(&d.Slots, "slots", d.Slots, "slots of every run")
	cmd.Flags().IntVar(&d.Background.Flows, "background", d.Background.Flows, "closed-loop flows of other programs through ports between the nodes")
	cmd.Flags().Float64Var(&slow, "slow", float64(d.Background.SlowPPM)/10_000, "how much slower the PPs are on average (%)")
	return cmd
}

// pdesScatter is the documented JSON of pdes scatter.
type pdesScatter struct {
	Graph          string  `json:"graph,omitempty"`
	Map            string  `json:"map"` // that is called optimal below
	Runs           int     `json:"runs"`
	MeanRatio      float64 `json:"mean_ratio"`
	CVConventional float64 `json:"cv_conventional"`
	CVOptimal      float64 `json:"cv_optimal"`
	SDRatio        ratio   `json:"sd_ratio"`
	SDRatioLow     ratio   `json:"sd_ratio_low"`
	SDRatioHigh    ratio   `json:"sd_ratio_high"`
	PPaper         float64 `json:"p_paper"`
}

// ratio is a number that may be undefined for a few runs: null.
type ratio float64

func (r ratio) MarshalJSON() ([]byte, error) {
	if x := float64(r); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// scatter describes two or more runs per map.
func (own *pdesOwn) scatter(s *study.Shaken) *pdesScatter {
	x := &pdesScatter{Graph: own.graph, Map: own.placing, Runs: len(s.Optimal), MeanRatio: s.MeanRatio(), SDRatio: ratio(s.SDRatio()), PPaper: s.AtLeast(study.PaperSDRatio, 10_000)}
	x.CVConventional, x.CVOptimal = s.CV()
	low, high := s.Interval(1000)
	x.SDRatioLow, x.SDRatioHigh = ratio(low), ratio(high)
	return x
}

func (x *pdesScatter) table(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d runs per map, conventional and %s: mean ratio %.3f, variation %.1f %% and %.1f %%, sd ratio %.2f [%.2f-%.2f]\n5 + 5 runs reach the paper's %.2f with probability %.2f\n",
		x.Runs, x.Map, x.MeanRatio, 100*x.CVConventional, 100*x.CVOptimal, x.SDRatio, x.SDRatioLow, x.SDRatioHigh, study.PaperSDRatio, x.PPaper)
	return err
}
