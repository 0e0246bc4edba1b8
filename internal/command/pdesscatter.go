package command

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/interrupt"
	"emsim/internal/plural"
	"emsim/pdes/mapping"
	"emsim/pdes/study"
)

func newPDESCalibrateCmd(a *app) *cobra.Command {
	o := newPDESCase()
	cmd := &cobra.Command{
		Use:     "calibrate",
		Short:   "Coefficients A and B of the cost function, from the packet model",
		Example: "  emsim pdes calibrate --network torus --shape 4x4",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, c, err := o.study(cmd)
			if err != nil {
				return err
			}
			r, err := study.Calibrate(cmd.Context(), c)
			if interrupt.Ended(err) {
				return a.partial(interrupt.Of(cmd.Context(), "before all was measured"), calibrationKeys(r), func(w io.Writer) error { return calibrationTable(w, r) })
			}
			if err != nil {
				return err
			}
			return a.emit(calibrationKeys(r), func(w io.Writer) error { return calibrationTable(w, r) })
		},
	}
	o.registerCase(cmd.Flags())
	return cmd
}

// calibrationKeys is the JSON form of a calibration; missing measurements are 0
// or absent points.
func calibrationKeys(r *study.Calibration) map[string]any {
	points := func(list []study.BUnder, x string) []map[string]float64 {
		out := []map[string]float64{}
		for _, b := range list {
			out = append(out, map[string]float64{x: b.Load, "b": b.B})
		}
		return out
	}
	return map[string]any{
		"t0": r.T0, "a": r.A, "a_wire": r.AWire, "b_uniform": points(r.Uniform, "rho"),
		"b_saturated": r.Saturate, "b_own": points(r.Own, "cell"),
	}
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
		fmt.Fprintf(t, "B\t%.3f\tthe simulation's own messages, cells of %.0f clocks\n", b.B, b.Load)
	}
	return t.Flush()
}

func newPDESScatterCmd(a *app) *cobra.Command {
	o := newPDESCase()
	var runs int
	cmd := &cobra.Command{
		Use:   "scatter",
		Short: "How run times scatter under both maps when the machine is shared (table 1)",
		Long: `scatter runs a machine under the conventional and the best map, seed by seed
against the same reference background, and compares means and deviations. Ctrl-C
compares the completed runs.`,
		Example: "  emsim pdes scatter --network hxb --shape 4x4 --runs 300",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, c, err := o.study(cmd)
			if err != nil {
				return err
			}
			if runs < 2 {
				return usagef("--runs: expected 2 or more, got %d", runs)
			}
			ctx := cmd.Context()
			r, err := study.CostsOf(ctx, c, mapping.Reference())
			if interrupt.Ended(err) {
				return interrupt.Of(ctx, "during the search for the best map")
			}
			if err != nil {
				return err
			}
			if r.Exact.Map == nil {
				return usagef("--shape: %s has %s for %s: the best map needs a PP for each", c.Shape, plural.Of(r.PPs, "PP"), plural.Of(len(r.Grid.Map), "LP"))
			}
			s, err := study.Shake(ctx, c, r.Exact.Map, study.NStar(), runs)
			if interrupt.Ended(err) {
				err = interrupt.Of(ctx, "after %d of %d runs per map", len(s.Optimal), runs)
				if len(s.Optimal) < 2 {
					return a.partial(err, map[string]any{"runs": len(s.Optimal)}, nil)
				}
				x := newPDESScatter(s)
				return a.partial(err, x, x.table)
			}
			if err != nil {
				return err
			}
			x := newPDESScatter(s)
			return a.emit(x, x.table)
		},
	}
	o.registerCase(cmd.Flags())
	cmd.Flags().IntVar(&runs, "runs", 300, "number of seeds to run")
	return cmd
}

// pdesScatter is the documented JSON of pdes scatter.
type pdesScatter struct {
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

// newPDESScatter describes two or more runs per map.
func newPDESScatter(s *study.Shaken) *pdesScatter {
	x := &pdesScatter{Runs: len(s.Optimal), MeanRatio: s.MeanRatio(), SDRatio: ratio(s.SDRatio()), PPaper: s.AtLeast(study.PaperSDRatio, 10_000)}
	x.CVConventional, x.CVOptimal = s.CV()
	low, high := s.Interval(1000)
	x.SDRatioLow, x.SDRatioHigh = ratio(low), ratio(high)
	return x
}

func (x *pdesScatter) table(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d runs per map: mean ratio %.3f, variation %.1f %% and %.1f %%, sd ratio %.2f [%.2f-%.2f]\n5 + 5 runs reach the paper's %.2f with probability %.2f\n",
		x.Runs, x.MeanRatio, 100*x.CVConventional, 100*x.CVOptimal, x.SDRatio, x.SDRatioLow, x.SDRatioHigh, study.PaperSDRatio, x.PPaper)
	return err
}
