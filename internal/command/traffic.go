package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/machines"
	"emsim/internal/study/ensemble"
	"emsim/omega"
)

// curveFlags holds the flags of 'emsim net traffic'.
type curveFlags struct {
	*machineRun
	curve   bool
	sizes   []int
	picture string
}

func newTrafficCmd(a *app) *cobra.Command {
	cmd, of := newMachineRunCmd(a, "net")
	f, once := &curveFlags{machineRun: of}, cmd.RunE
	cmd.Long += `
--curve measures latency and throughput at loads from 0.001, where packets hardly
meet, to 1, for every pattern and size asked for, and looks for the saturation
point: the greatest load at which the network delivers at least 95 % of the words
offered, with a mean latency of at most three times the latency of lone packets. -o
draws the curves.`
	cmd.Example += `  emsim net traffic --curve --workers 12,80,1024 -o curve.svg
  emsim net traffic --curve --pattern uniform,hotspot --json`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !f.curve {
			if err := onlyWith(cmd, []string{"workers", "output"}, "has no effect without --curve"); err != nil {
				return err
			}
			return once(cmd, args)
		}
		return a.curves(cmd, f)
	}
	addProfileFlag(cmd)
	cmd.Flags().BoolVar(&f.curve, "curve", false,
		"measure latency and throughput from hardly any load to saturation: 20000 clocks after 2000 at each "+
			"load, by default for all patterns; --pattern takes several, with commas")
	cmd.Flags().IntSliceVar(&f.sizes, "workers", nil, "numbers of PEs of --curve (default: the machine's)")
	outFlag(cmd, &f.picture, "output,o", "draw the curves of --curve to this file, .svg or .png")
	return cmd
}

// setups returns the networks of --curve: every size with every pattern.
func (f *curveFlags) setups(a *app, cmd *cobra.Command) ([]machines.NetSetup, error) {
	pattern, _ := knob.Find(f.table, "pattern")
	patterns := strings.Split(cmd.Flag("pattern").Value.String(), ",")
	if !cmd.Flags().Changed("pattern") {
		patterns = pattern.Values
	}
	_ = cmd.Flags().Set("pattern", pattern.Values[0]) // any pattern: each setup has its own
	m, err := f.build(a, cmd)
	if err != nil {
		return nil, err
	}
	s := *m.Config.(*machines.NetSetup)
	if !cmd.Flags().Changed("warm") {
		s.Warm = 2000
	}
	if !cmd.Flags().Changed("clocks") {
		s.Clocks = 20_000
	}
	sizes := f.sizes
	if sizes == nil {
		sizes = []int{s.PEs}
	}
	var all []machines.NetSetup
	for i, n := range sizes {
		if _, err := omega.ForPEs(n); err != nil {
			return nil, usagef("--workers: %w", err)
		}
		if slices.Contains(sizes[:i], n) {
			return nil, usagef("--workers has %d twice", n)
		}
		for k, p := range patterns {
			if !slices.Contains(pattern.Values, p) {
				return nil, usagef("no pattern is called %q: expected %s%s", p, strings.Join(pattern.Values, ", "),
					suggest.DidYouMean(p, pattern.Values))
			}
			if slices.Contains(patterns[:k], p) {
				return nil, usagef("--pattern has %s twice", p)
			}
			s.PEs, s.Pattern = n, omega.Pattern(p)
			all = append(all, s)
		}
	}
	return all, nil
}

// curves implements --curve: it measures, prints and draws the curves.
func (a *app) curves(cmd *cobra.Command, f *curveFlags) error {
	if err := onlyWith(cmd, []string{"load", "drain", "stats", "seeds", "vs"},
		"has no effect with --curve, which runs many loads"); err != nil {
		return err
	}
	if cmd.Flags().Changed("workers") && cmd.Flags().Changed("pes") {
		return usagef("--pes and --workers both say how large the network is: leave one of them out")
	}
	if f.picture != "" {
		if err := wantsPicture("-o", f.picture); err != nil {
			return err
		}
	}
	setups, err := f.setups(a, cmd)
	if err != nil {
		return err
	}
	all, err := a.runCurves(cmd.Context(), setups, f.threads)
	x := curvesSaid(all)
	table := a.shown(x)
	if err != nil {
		return a.partial(err, steps(len(all), len(setups)), x, table)
	}
	if f.picture != "" {
		if err := a.drawTo(cmd.Context(), figures.LoadLatency(all), "-o", f.picture); err != nil {
			return errors.Join(a.answer(x, table), err)
		}
	}
	return a.answer(x, table)
}

// runCurves measures the curves, in parallel unless several threads work on one curve. If it fails, it also returns the
// curves before the first incomplete one.
func (a *app) runCurves(ctx context.Context, setups []machines.NetSetup, threads int) ([]*machines.Curve, error) {
	line := a.newPart("", len(setups))
	defer line.end()
	var mu sync.Mutex
	ended := 0
	all := make([]*machines.Curve, len(setups))
	crew := ensemble.New(0)
	if threads > 1 {
		crew = ensemble.New(1)
	}
	done, err := crew.InOrder(ctx, len(setups), func(i int) uint64 { return memlimit.EM4Bytes(setups[i].PEs) },
		func(ctx context.Context, i int) error {
			c, err := machines.RunCurve(ctx, setups[i], max(1, threads))
			mu.Lock()
			defer mu.Unlock()
			all[i] = c
			ended++
			line.steps("curves")(ended, len(setups))
			return err
		})
	if interrupt.Ended(err) {
		err = interrupt.Of(ctx, "with %d of %d curves complete", done, len(all)).With("done", done)
	}
	return all[:min(done, len(all))], err
}

// curvesSaid returns the answer of --curve: the saturation points, then all loads.
func curvesSaid(all []*machines.Curve) *answer.Answer {
	x := &answer.Answer{Title: "Latency and throughput of " + plural.Of(len(all), "network")}
	x.Say("curves", all)
	x.Lists = []answer.List{{Heads: []string{
		"pattern", "PEs", "latency alone", "saturation load", "latency there", "delivered at load 1",
	}}}
	for _, c := range all {
		load, latency := "-", "-"
		l := answer.List{
			Title: fmt.Sprintf("%s on %d PEs: %d clocks at each load after %d", c.Pattern, c.PEs, c.Clocks, c.Warm),
			Heads: []string{"load", "delivered", "latency", "at most", ""},
		}
		for _, p := range c.Points {
			if c.Saturation != nil && p.Load == *c.Saturation {
				load, latency = fmt.Sprintf("%.4f", p.Load), twoPlaces(p.LatencyMean)
			}
			l.Add(fmt.Sprintf("%.5f", p.Load), fmt.Sprintf("%.5f", p.Throughput), twoPlaces(p.LatencyMean),
				p.LatencyMax, map[bool]string{true: "saturated"}[p.Saturated])
		}
		x.Lists[0].Add(c.Pattern, c.PEs, twoPlaces(c.Alone), load, latency, fmt.Sprintf("%.3f", c.Full))
		x.Lists = append(x.Lists, l)
	}
	return x
}
