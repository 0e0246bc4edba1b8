package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/omega"
)

// trafficFlags are the flags of 'emsim net traffic'.
type trafficFlags struct {
	machineFlags
	pattern string
	load    float64
	clocks  uint64
	warm    uint64
	drain   bool
	seed    uint64
	threads int
	stats   string
	profile string

	curve   bool
	sizes   []int
	picture string
}

// trafficAnswer is the answer of 'emsim net traffic'.
type trafficAnswer struct {
	*machines.Net
	NodeRate float64 `json:"node_clocks_per_second"`
	FlitRate float64 `json:"flit_hops_per_second"`
}

func newTrafficCmd(a *app) *cobra.Command {
	f := &trafficFlags{}
	cmd := &cobra.Command{
		Use:   "traffic",
		Short: "Run the network alone under synthetic traffic",
		Long: `traffic drives the switches with synthetic PEs. Each offers packets at random
into its own queue and accepts arrivals at once; a packet has two words.
The load is the words offered per PE and clock, 0..1. Patterns:

  uniform    to any other PE
  neighbour  to the next PE in-group and out-of-group, in turn
  hotspot    one in eight to [0,0], the others to any other PE
  reverse    to the PE k out-of-group links on

The latency is the time from the offer to the arrival of the second word. A flit hop is
one word over one link between PEs. --set takes the knobs of the switches,
hop_clocks, bank_clocks and banks; with fewer than 3 banks heavy traffic can
deadlock. --warm runs some clocks first that count for nothing. Ctrl-C prints
the statistics so far.

The file of --stats has the columns of 'emsim run --stats', links only.

` + curveHelp,
		Example: `  emsim net traffic --pes 80 --pattern uniform --load 0.2 --clocks 100000
  emsim net traffic --pes 1024 --pattern hotspot --load 0.05 --drain --json
  emsim net traffic --load 1 --set banks=1
  emsim net traffic --curve --sizes 12,80,1024 -o curve.svg
  emsim net traffic --curve --pattern uniform,hotspot --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.checkCurve(cmd); err != nil {
				return err
			}
			if err := claim([]output{{flag: "--stats", name: f.stats}, {flag: "--profile", name: f.profile}, {flag: "-o", name: f.picture}}, f.name); err != nil {
				return err
			}
			return profiled(f.profile, func() error {
				if f.curve {
					return a.curves(cmd, f)
				}
				return a.traffic(cmd, f)
			})
		},
	}
	f.addFlags(cmd)
	patterns := patternNames()
	cmd.Flags().StringVar(&f.pattern, "pattern", string(omega.Uniform), strings.Join(patterns, "|")+": where packets go; with --curve several with commas, all by default")
	completes(cmd, "pattern", cobra.FixedCompletions(patterns, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().Float64Var(&f.load, "load", 0.05, "words offered per PE and clock, 0..1")
	cmd.Flags().Uint64Var(&f.clocks, "clocks", 10000, "clocks to run; with --curve at each load, 20000 by default")
	cmd.Flags().Uint64Var(&f.warm, "warm", 0, "clocks to run before those that count; with --curve 2000 by default")
	cmd.Flags().BoolVar(&f.drain, "drain", false, "then continue without new packets until all are delivered")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the traffic")
	cmd.Flags().IntVar(&f.threads, "threads", 0, "threads that step the network, 1..64, or 0 for the number that is fastest for its size; the state at every clock does not depend on it")
	cmd.Flags().StringVar(&f.stats, "stats", "", "write every counter per link to this CSV file")
	addProfileFlag(cmd, &f.profile)
	cmd.Flags().BoolVar(&f.curve, "curve", false, "measure latency and throughput from hardly any load to saturation")
	cmd.Flags().IntSliceVar(&f.sizes, "sizes", nil, "numbers of PEs of --curve (default: the machine's)")
	cmd.Flags().StringVarP(&f.picture, "output", "o", "", "draw the curves of --curve to this file, .svg or .png")
	return cmd
}

// patternNames are the words of --pattern.
func patternNames() []string {
	return listOf(omega.Patterns(), func(p omega.Pattern) string { return string(p) })
}

// setup reads what to run, for one pattern and the machine's size.
func (f *trafficFlags) setup(cmd *cobra.Command, pattern string) (machines.NetSetup, error) {
	none := machines.NetSetup{}
	network := []string{"pes", "hop_clocks", "bank_clocks", "banks"}
	for _, s := range f.sets {
		if key, _, ok := strings.Cut(s, "="); ok && !slices.Contains(network, key) {
			return none, usagef("--set %s: the network alone has only the knobs %s%s", s, strings.Join(network, ", "), suggest.DidYouMean(key, network))
		}
	}
	c, err := f.config(cmd)
	if err != nil {
		return none, err
	}
	if err := run.CheckThreads(f.threads); err != nil {
		return none, err
	}
	if names := patternNames(); !slices.Contains(names, pattern) {
		return none, usagef("no pattern is called %q: expected %s%s", pattern, strings.Join(names, ", "), suggest.DidYouMean(pattern, names))
	}
	if _, err := omega.ForPEs(c.PEs); err != nil {
		return none, &simerr.Usage{Err: err}
	}
	return machines.NetSetup{
		PEs: c.PEs, Switch: c.Network(), Warm: f.warm, Clocks: f.clocks,
		TrafficConfig: omega.TrafficConfig{Pattern: omega.Pattern(pattern), Load: f.load, Seed: f.seed},
	}, nil
}

// build makes the network with its synthetic PEs.
func (f *trafficFlags) build(cmd *cobra.Command) (*omega.Traffic, error) {
	s, err := f.setup(cmd, f.pattern)
	if err != nil {
		return nil, err
	}
	tr, err := s.Build()
	if errors.As(err, new(*simerr.Limit)) {
		return nil, err
	}
	if err != nil {
		return nil, usagef("--%w", err) // the errors begin with the name of the value
	}
	return tr, nil
}

func (a *app) traffic(cmd *cobra.Command, f *trafficFlags) error {
	ctx := cmd.Context()
	tr, err := interrupt.Await(ctx, func() (*omega.Traffic, error) { return f.build(cmd) })
	if err != nil {
		return err
	}
	stats, err := createCSV("stats", f.stats, statsHeader)
	if err != nil {
		return err
	}
	x, err := a.stepTraffic(ctx, tr, f)
	if stats != nil {
		for i := range tr.Net.N {
			stats.linkStats(1, tr.Net.Topology, tr.Net.Address(i), &em4.Counters{SwitchCounters: tr.Net.Counters(i, tr.Clock())})
		}
	}
	file := stats.close()
	switch {
	case err != nil:
		return a.failed(errors.Join(err, file), map[string]any{"statistics": x}, x.table)
	case file != nil:
		return a.unwritten(file, x, x.table)
	}
	return a.emitAnswer(x, x.table)
}

// stepTraffic runs the requested clocks, and the drain. The answer is what
// came of them, also with an error.
func (a *app) stepTraffic(ctx context.Context, tr *omega.Traffic, f *trafficFlags) (*trafficAnswer, error) {
	line := a.newProgress(int64(min(f.warm+f.clocks, 1<<62)))
	defer line.erase()
	threads := f.threads
	if threads == 0 {
		threads = em4.DefaultThreads(tr.Net.N)
	}
	defer tr.UseThreads(threads)()
	t := machines.Traffic{Traffic: tr, Look: func() {
		line.update(tr.Clock(), func() string {
			return fmt.Sprintf("%s packets in flight, %s queued", count(tr.InFlight()), count(tr.Queued()))
		})
	}}
	net, err := t.Measure(ctx, &machines.NetSetup{
		Warm: f.warm, Clocks: f.clocks, TrafficConfig: omega.TrafficConfig{Pattern: omega.Pattern(f.pattern), Load: f.load, Seed: f.seed},
	}, f.drain)
	if interrupt.Ended(err) {
		err = interrupt.Of(ctx, "after %s", plural.Of(tr.Clock(), "clock")).With("clock", tr.Clock())
	}
	x := &trafficAnswer{Net: net}
	if s := x.WallSeconds; s > 0 {
		x.NodeRate, x.FlitRate = float64(x.Clocks)*float64(x.PEs)/s, float64(x.FlitHops)/s
	}
	return x, err
}

// table prints the answer for people.
func (x *trafficAnswer) table(w io.Writer) error {
	fmt.Fprintf(w, "%s traffic on %d PEs at load %v, seed %d\n\n", x.Pattern, x.PEs, x.Load, x.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name string, n uint64, note string) { fmt.Fprintf(t, "%s\t%s\t%s\n", name, count(n), note) }
	row("clocks", x.Clocks, "stepped")
	row("offered", x.Offered, "packets that the PEs wanted to send")
	row("queued", x.Queued, "of these, still waiting in their PEs")
	row("injected", x.Injected, "of these, sent into the network")
	row("delivered", x.Delivered, fmt.Sprintf("%.4g words per PE and clock", x.Throughput))
	row("in flight", x.InFlight, "injected and not delivered")
	if x.LatencyMean != nil {
		row("latency", x.LatencyMax, fmt.Sprintf("clocks at most, %.2f on average, from the offer to the second word", *x.LatencyMean))
	}
	row("flit hops", x.FlitHops, "words over links between PEs")
	fmt.Fprintf(t, "simulated in\t%.2f s\t%s node-clocks/s, %s flit hops/s\n", x.WallSeconds, short(x.NodeRate), short(x.FlitRate))
	return t.Flush()
}
