package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/room"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/machines"
	"emsim/internal/study/ensemble"
	"emsim/omega"
)

// curveHelp is the part of the long help about --curve.
const curveHelp = `--curve measures latency and throughput at loads from 0.001, where packets hardly
meet, to 1, for every pattern and size asked for, and looks for the saturation
point: the greatest load of which the network delivers at least 95 % of the words
offered, with a mean latency of at most three times that of packets alone. -o
draws the curves.`

// curveAnswer is the answer of 'emsim net traffic --curve'.
type curveAnswer struct {
	Curves []*machines.Curve `json:"curves"`
}

// checkCurve refuses flags that have no effect with --curve or without it, and
// fills in the defaults of --curve.
func (f *trafficFlags) checkCurve(cmd *cobra.Command) error {
	if !f.curve {
		return onlyWith(cmd, []string{"sizes", "output"}, "has no effect without --curve")
	}
	if err := onlyWith(cmd, []string{"load", "drain", "stats"}, "has no effect with --curve, which runs many loads"); err != nil {
		return err
	}
	if cmd.Flags().Changed("sizes") && cmd.Flags().Changed("pes") {
		return usagef("--pes and --sizes both say how large the network is: leave one of them out")
	}
	if f.picture != "" {
		if err := wantsPicture("-o", f.picture); err != nil {
			return err
		}
	}
	if !cmd.Flags().Changed("warm") {
		f.warm = 2000
	}
	if !cmd.Flags().Changed("clocks") {
		f.clocks = 20_000
	}
	return nil
}

// curveSetups are the networks of --curve: every size with every pattern.
func (f *trafficFlags) curveSetups(cmd *cobra.Command) ([]machines.NetSetup, error) {
	patterns := strings.Split(f.pattern, ",")
	if !cmd.Flags().Changed("pattern") {
		patterns = patternNames()
	}
	var list []machines.NetSetup
	for i, p := range patterns {
		s, err := f.setup(cmd, p)
		if err != nil {
			return nil, err
		}
		if slices.Contains(patterns[:i], p) {
			return nil, usagef("--pattern has %s twice", p)
		}
		list = append(list, s)
	}
	if f.sizes == nil {
		return list, nil
	}
	var all []machines.NetSetup
	for i, n := range f.sizes {
		if _, err := omega.ForPEs(n); err != nil {
			return nil, usagef("--sizes: %w", err)
		}
		if slices.Contains(f.sizes[:i], n) {
			return nil, usagef("--sizes has %d twice", n)
		}
		for _, s := range list {
			s.PEs = n
			all = append(all, s)
		}
	}
	return all, nil
}

// curves is --curve.
func (a *app) curves(cmd *cobra.Command, f *trafficFlags) error {
	setups, err := f.curveSetups(cmd)
	if err != nil {
		return err
	}
	all, err := a.runCurves(cmd.Context(), setups, f.threads)
	x := curveAnswer{all}
	if err != nil {
		return a.partial(err, x, x.table)
	}
	if f.picture != "" {
		if err := drawTo(cmd.Context(), figures.LoadLatency(all), "-o", f.picture); err != nil {
			return errors.Join(a.emitAnswer(x, x.table), err)
		}
	}
	return a.emitAnswer(x, x.table)
}

// runCurves measures the curves, side by side unless threads share one. With an
// error it returns those before the first that is not complete.
func (a *app) runCurves(ctx context.Context, setups []machines.NetSetup, threads int) ([]*machines.Curve, error) {
	line := a.newProgress(int64(len(setups)))
	defer line.erase()
	var mu sync.Mutex
	ended := 0
	all := make([]*machines.Curve, len(setups))
	crew := ensemble.New(0)
	if threads > 1 {
		crew = ensemble.New(1)
	}
	done, err := crew.InOrder(ctx, len(setups), func(i int) uint64 { return room.EM4Bytes(setups[i].PEs) }, func(ctx context.Context, i int) error {
		c, err := machines.RunCurve(ctx, setups[i], max(1, threads))
		mu.Lock()
		defer mu.Unlock()
		all[i] = c
		ended++
		line.showStep(ended, "%d of %d curves", ended, len(setups))
		return err
	})
	if interrupt.Ended(err) {
		err = interrupt.Of(ctx, "with %d of %d curves complete", done, len(all)).With("done", done)
	}
	return all[:min(done, len(all))], err
}

// table prints the curves for people: their saturation points, then all loads.
func (x curveAnswer) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "PEs\tpattern\tlatency alone\tsaturation load\tlatency there\tdelivered at load 1\t\n")
	for _, c := range x.Curves {
		load, latency := "none", ""
		if c.Saturation != nil {
			i := slices.IndexFunc(c.Points, func(p machines.CurvePoint) bool { return p.Load == *c.Saturation })
			load, latency = fmt.Sprintf("%.4f", *c.Saturation), fmt.Sprintf("%.2f", c.Points[i].LatencyMean)
		}
		fmt.Fprintf(t, "%d\t%s\t%.2f\t%s\t%s\t%.3f\t\n", c.PEs, c.Pattern, c.Alone, load, latency, c.Full)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range x.Curves {
		fmt.Fprintf(w, "\n%s on %d PEs: %d clocks at each load after %d\n\n", c.Pattern, c.PEs, c.Clocks, c.Warm)
		fmt.Fprint(t, "load\tdelivered\tlatency\tat most\t\t\n")
		for _, p := range c.Points {
			note := ""
			if p.Saturated {
				note = "saturated"
			}
			fmt.Fprintf(t, "%.5f\t%.5f\t%.2f\t%d\t%s\t\n", p.Load, p.Throughput, p.LatencyMean, p.LatencyMax, note)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
