package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/interrupt"
	"emsim/internal/plural"
	"emsim/internal/run"
	"emsim/internal/simerr"
	"emsim/internal/suggest"
	"emsim/omega"
)

// stillClocks is longer than the network can go without moving a packet:
// after this many clocks it is stuck for ever.
const stillClocks = 64

// trafficFlags are the flags of 'emsim net traffic'.
type trafficFlags struct {
	machineFlags
	pattern string
	load    float64
	clocks  uint64
	drain   bool
	seed    uint64
	threads int
	stats   string
	profile string
}

// trafficAnswer is the answer of 'emsim net traffic'.
type trafficAnswer struct {
	PEs         int      `json:"pes"`
	Pattern     string   `json:"pattern"`
	Load        float64  `json:"load"`
	Seed        uint64   `json:"seed"`
	Clocks      uint64   `json:"clocks"`
	Offered     uint64   `json:"offered"`
	Queued      uint64   `json:"queued"`
	Injected    uint64   `json:"injected"`
	Delivered   uint64   `json:"delivered"`
	InFlight    uint64   `json:"in_flight"`
	Throughput  float64  `json:"throughput"`   // words delivered per PE and clock
	LatencyMean *float64 `json:"latency_mean"` // null if nothing was delivered
	LatencyMax  uint64   `json:"latency_max"`
	FlitHops    uint64   `json:"flit_hops"`
	WallSeconds float64  `json:"wall_seconds"`
	NodeRate    float64  `json:"node_clocks_per_second"`
	FlitRate    float64  `json:"flit_hops_per_second"`
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
deadlock. Ctrl-C prints the statistics so far.

The file of --stats has the columns of 'emsim run --stats', links only.`,
		Example: `  emsim net traffic --pes 80 --pattern uniform --load 0.2 --clocks 100000
  emsim net traffic --pes 1024 --pattern hotspot --load 0.05 --drain --json
  emsim net traffic --load 1 --set banks=1`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := claim([]output{{flag: "--stats", name: f.stats}, {flag: "--profile", name: f.profile}}, f.name); err != nil {
				return err
			}
			return profiled(f.profile, func() error { return a.traffic(cmd, f) })
		},
	}
	f.add(cmd)
	var patterns []string
	for _, p := range omega.Patterns() {
		patterns = append(patterns, string(p))
	}
	cmd.Flags().StringVar(&f.pattern, "pattern", string(omega.Uniform), strings.Join(patterns, "|")+": where packets go")
	completes(cmd, "pattern", cobra.FixedCompletions(patterns, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().Float64Var(&f.load, "load", 0.05, "words offered per PE and clock, 0..1")
	cmd.Flags().Uint64Var(&f.clocks, "clocks", 10000, "clocks to run")
	cmd.Flags().BoolVar(&f.drain, "drain", false, "then continue without new packets until all are delivered")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the traffic")
	cmd.Flags().IntVar(&f.threads, "threads", 0, "threads that step the network, 1..64, or 0 for the number that is fastest for its size; the state at every clock does not depend on it")
	cmd.Flags().StringVar(&f.stats, "stats", "", "write every counter per link to this CSV file")
	addProfileFlag(cmd, &f.profile)
	return cmd
}

// build makes the network with its synthetic PEs.
func (f *trafficFlags) build(cmd *cobra.Command) (*omega.Traffic, error) {
	network := []string{"pes", "hop_clocks", "bank_clocks", "banks"}
	for _, s := range f.sets {
		if key, _, ok := strings.Cut(s, "="); ok && !slices.Contains(network, key) {
			return nil, usagef("--set %s: the network alone has only the knobs %s%s", s, strings.Join(network, ", "), suggest.DidYouMean(key, network))
		}
	}
	c, err := f.config(cmd)
	if err != nil {
		return nil, err
	}
	if err := run.CheckThreads(f.threads); err != nil {
		return nil, err
	}
	patterns := omega.Patterns()
	if !slices.Contains(patterns, omega.Pattern(f.pattern)) {
		var names []string
		for _, p := range patterns {
			names = append(names, string(p))
		}
		return nil, usagef("no pattern is called %q: expected %s%s", f.pattern, strings.Join(names, ", "), suggest.DidYouMean(f.pattern, names))
	}
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	tr, err := omega.NewTraffic(topo, c.Network(), omega.TrafficConfig{Pattern: omega.Pattern(f.pattern), Load: f.load, Seed: f.seed})
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
	begin := time.Now()
	err = a.stepTraffic(ctx, tr, f)
	x := newTrafficAnswer(tr, f, time.Since(begin))
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
	return a.emit(x, x.table)
}

// stepTraffic runs the requested clocks, and the drain.
func (a *app) stepTraffic(ctx context.Context, tr *omega.Traffic, f *trafficFlags) error {
	line := a.newProgress(int64(min(f.clocks, 1<<62)))
	defer line.done()
	threads := f.threads
	if threads == 0 {
		threads = em4.DefaultThreads(tr.Net.N)
	}
	defer tr.UseThreads(threads)()
	// Checking at every clock is worthwhile only if a clock takes long.
	moves, since := uint64(0), uint64(0)
	look := uint64(stillClocks-1) >> bits.Len(uint(tr.Net.N)>>10)
	for {
		offer := tr.Clock() < f.clocks
		if !offer && (!f.drain || tr.InFlight()+tr.Queued() == 0) {
			return nil
		}
		clocks := uint64(1) // until the network is empty
		if offer {
			clocks = min(look+1-tr.Clock()&look, f.clocks-tr.Clock())
		}
		tr.Steps(clocks, offer)
		if tr.Clock()&look == 0 && ctx.Err() != nil {
			return interrupt.Of(ctx, "after %s", plural.Of(tr.Clock(), "clock")).With("clock", tr.Clock())
		}
		if tr.Clock()%stillClocks != 0 {
			continue
		}
		now := tr.Arrived + tr.Net.FlitHops() + tr.Offered - tr.Queued()
		if now != moves {
			moves, since = now, tr.Clock()
		} else if n := tr.InFlight(); n > 0 && tr.Clock()-since >= stillClocks {
			return trafficDeadlock(tr, int(n))
		}
		line.update(tr.Clock(), func() string {
			return fmt.Sprintf("%s packets in flight, %s queued", count(tr.InFlight()), count(tr.Queued()))
		})
	}
}

// trafficDeadlock says which switches wait for what.
func trafficDeadlock(tr *omega.Traffic, inFlight int) error {
	const listed = 20
	h := em4.Hang{InFlight: inFlight}
	wait := func(x omega.Slot) em4.Wait {
		return em4.Wait{PE: tr.Net.Address(x.Unit), Unit: "SU " + omega.PortName(x.Input), Status: x.Status, For: x.String()}
	}
	for i := range tr.Net.N {
		for _, x := range tr.Net.Slots(i, tr.Clock()) {
			switch {
			case !x.Stuck():
			case len(h.Waits) < listed:
				h.Waits = append(h.Waits, wait(x))
			default:
				h.More++
			}
		}
	}
	for _, x := range tr.Net.WaitCycle(tr.Clock()) {
		h.Cycle = append(h.Cycle, wait(x))
	}
	return h.Deadlock(tr.Clock())
}

func newTrafficAnswer(tr *omega.Traffic, f *trafficFlags, wall time.Duration) *trafficAnswer {
	x := &trafficAnswer{
		PEs: tr.Net.N, Pattern: f.pattern, Load: f.load, Seed: f.seed, Clocks: tr.Clock(),
		Offered: tr.Offered, Queued: tr.Queued(), Delivered: tr.Arrived, InFlight: tr.InFlight(),
		LatencyMax: tr.Slowest, FlitHops: tr.Net.FlitHops(), WallSeconds: wall.Seconds(),
	}
	x.Injected = x.Offered - x.Queued
	if x.Delivered > 0 {
		mean := float64(tr.Latency) / float64(x.Delivered)
		x.LatencyMean = &mean
	}
	nodeClocks := float64(x.Clocks) * float64(x.PEs)
	x.Throughput = 2 * float64(x.Delivered) / max(nodeClocks, 1)
	if s := wall.Seconds(); s > 0 {
		x.NodeRate, x.FlitRate = nodeClocks/s, float64(x.FlitHops)/s
	}
	return x
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
