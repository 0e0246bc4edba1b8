package machines

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/threads"
	"emsim/omega"
)

// NetSetup describes the network of the EM-4 alone, under synthetic traffic.
type NetSetup struct {
	PEs    int
	Switch omega.Config
	omega.TrafficConfig
	Warm   int64 // clocks before counting begins
	Clocks int64
}

// DefaultNet returns the setup of 'emsim net traffic' without flags.
func DefaultNet() NetSetup {
	c := em4.Prototype80()
	return NetSetup{
		PEs: c.PEs, Switch: c.Network(),
		TrafficConfig: omega.TrafficConfig{Pattern: omega.Uniform, Load: 0.05, Seed: 1}, Clocks: 10_000,
	}
}

// maxNetClocks is the largest number of clocks in a run. Simulating that many would take years.
const maxNetClocks = 1e14

// netKnobs returns the network's parameters: the traffic's, and the EM-4's that apply to the network.
func netKnobs() []knob.Knob[NetSetup] {
	patterns := lists.Of(omega.Patterns(), func(p omega.Pattern) string { return string(p) })
	em4s := em4.Knobs()
	own := func(key string, ref func(*NetSetup) any) knob.Knob[NetSetup] {
		k := em4s[slices.IndexFunc(em4s, func(k em4.Knob) bool { return k.Key == key })]
		return knob.Knob[NetSetup]{
			Key: k.Key, Flag: k.Flag, Unit: k.Unit, Min: k.Min, Max: k.Max, Source: k.Source, Doc: k.Doc, Ref: ref,
		}
	}
	return []knob.Knob[NetSetup]{
		own("pes", func(s *NetSetup) any { return &s.PEs }),
		{
			Key: "pattern", Flag: "pattern", Values: patterns, Source: "chosen",
			Doc: "where packets go", Ref: func(s *NetSetup) any {
				is := func() string { return string(s.Pattern) }
				parse := func(text string) error { s.Pattern = omega.Pattern(text); return nil }
				return knob.Word{Is: is, Parse: parse}
			},
		},
		{
			Key: "load", Flag: "load", Unit: "words", Real: knob.Interval{High: 1}, Source: "chosen",
			Doc: "words offered per PE and clock", Ref: func(s *NetSetup) any { return &s.Load },
		},
		{
			Key: "warm", Flag: "warm", Unit: "clocks", Max: maxNetClocks, Source: "chosen",
			Doc: "clocks before those that count", Ref: func(s *NetSetup) any { return &s.Warm },
		},
		{
			Key: "clocks", Flag: "clocks", Unit: "clocks", Min: 1, Max: maxNetClocks, Source: "chosen",
			Doc: "clocks to measure", Ref: func(s *NetSetup) any { return &s.Clocks },
		},
		{
			Key: "seed", Flag: "seed", Source: "chosen", Doc: "seed of the traffic",
			Ref: func(s *NetSetup) any { return &s.Seed },
		},
		own("hop_clocks", func(s *NetSetup) any { return &s.Switch.HopClocks }),
		own("bank_clocks", func(s *NetSetup) any { return &s.Switch.BankClocks }),
		own("banks", func(s *NetSetup) any { return &s.Switch.Banks }),
		own("balanced_routes", func(s *NetSetup) any { return &s.Switch.Balanced }),
		own("fair_switch", func(s *NetSetup) any { return &s.Switch.Fair }),
	}
}

// Build returns the network with its synthetic PEs.
func (s *NetSetup) Build() (*omega.Traffic, error) {
	t, err := omega.ForPEs(s.PEs)
	if err != nil {
		return nil, err
	}
	if err := memlimit.Check(fmt.Sprintf("a network of %d PEs", s.PEs), memlimit.Traffic(s.PEs)); err != nil {
		return nil, err
	}
	return omega.NewTraffic(t, s.Switch, s.TrafficConfig)
}

// NetKind returns the kind of the network, which is a part of an EM-4.
func NetKind() machinefile.Kind {
	return machinefile.Kind{
		Name: "net", A: "the network", Doc: "the network of the EM-4", Command: "emsim net traffic",
		Default: "its default",
		New: func() *machinefile.Machine {
			s := DefaultNet()
			return &machinefile.Machine{
				Rows: knob.Bind(netKnobs(), &s), Config: &s,
				From: func(name string) error {
					c, err := machinefile.Load(name)
					s.PEs, s.Switch = c.PEs, c.Network()
					return err
				},
				Validate: func() error {
					if _, err := omega.ForPEs(s.PEs); err != nil {
						return fmt.Errorf("pes: %w", err)
					}
					return s.Switch.Validate()
				},
			}
		},
	}
}

var netModel = Model{
	Use: "traffic", Short: "Run the network alone under synthetic traffic",
	Long: `traffic drives the switches with synthetic PEs. Each offers packets at random
into its own queue and accepts arrivals at once; a packet has two words.

The load is the words offered per PE and clock, 0..1. Patterns:

  uniform    to any other PE
  neighbour  to the next PE in-group and out-of-group, in turn
  hotspot    one in eight to [0,0], the others to any other PE
  reverse    to the PE that is k out-of-group links away

The latency is the time from the offer to the arrival of the second word. Where the
network is saturated, as --curve defines it, the waits of packets grow with the length
of the run, so no latency is printed. Nor is one printed if the clocks are fewer than
60 packets take, one after another, unless --drain waits for all. A flit hop is
one word over one link between PEs. With fewer than 3 banks heavy traffic can
deadlock. --warm first runs some clocks that are not measured. Ctrl-C prints
the statistics so far.

The file of --stats has the columns of 'emsim run --stats', links only.
`,
	Example: `  emsim net traffic --pes 80 --pattern uniform --load 0.2 --clocks 100000
  emsim net traffic --pes 1024 --pattern hotspot --load 0.05 --drain --json
  emsim net traffic --load 1 --set banks=1
`,
	Machines: machinefile.PresetNames(), Time: "latency_mean", Ends: []string{simerr.KindDeadlock},
	Rows: []Rows{{"stats", "write every counter per link to this CSV `FILE`", statsColumns}},
	Switches: []Switch{
		{"drain", "then continue without new packets until all are delivered", false},
		{"overtaken", "also say how long a packet waited in one switch, and how often other packets took the space " +
			"that it needed", false},
	},
	Threads:  true,
	Run:      runNet,
	Describe: func(x *answer.Answer) { (&Net{}).describe(x) },
}

// Net is the result of a network under traffic.
type Net struct {
	*NetSetup
	omega.Tally          // of the clocks that are counted
	Queued, InFlight     uint64
	Throughput           float64  // words per PE and clock
	LatencyMean          *float64 // nil if nothing was delivered
	Saturated            *bool    // as for a curve; nil if there are too few clocks to tell
	LatencyMax, FlitHops uint64
	Overtakings          *omega.Overtakings // nil unless counted
	Wall                 time.Duration
}

// describe fills in the answer of a run.
func (n *Net) describe(x *answer.Answer) {
	if n.NetSetup == nil {
		n.NetSetup = &NetSetup{}
	}
	x.Title, x.Machine = fmt.Sprintf("%s traffic at load %v", n.Pattern, n.Load),
		fmt.Sprintf("circular omega network, %d PEs, %s clocks", n.PEs, plural.Commas(n.Tally.Clocks))
	x.Next = answer.Next{Command: "emsim net traffic --curve", Why: "latency by load, up to saturation"}
	x.SoFar = "after " + plural.Of(n.Tally.Clocks, "clock")
	x.Keys = map[string]any{"clock": n.Tally.Clocks}
	x.Far = answer.Far{Done: n.Warm + int64(n.Tally.Clocks), Total: n.total(n.Warm + int64(n.Tally.Clocks))}
	x.Number("pes", n.PEs, "PEs", "processing elements")
	x.Say("pattern", n.Pattern)
	x.Number("load", n.Load, "words", "words offered per PE and clock")
	x.Number("seed", n.Seed, "", "of the traffic")
	x.Number("clocks", n.Tally.Clocks, "clocks", "measured clocks, the drain included")
	x.Number("offered", n.Offered, "packets", "packets that the PEs wanted to send").
		Detail("packets offered", "by the PEs")
	x.Number("queued", n.Queued, "packets", "packets that wait in their PEs at the end").
		Detail("packets queued", "in their PEs at the end")
	x.Number("injected", n.Injected, "packets", "packets sent into the network")
	x.Number("delivered", n.Arrived, "packets", "packets delivered").Detail("packets delivered", "")
	x.Number("in_flight", n.InFlight, "packets", "packets in the network at the end").
		Detail("packets in flight", "at the end")
	x.Number("throughput", n.Throughput, "words", "words delivered per PE and clock").
		Head("throughput", "a PE and clock")
	x.Number("latency_mean", n.LatencyMean, "clocks",
		"from the offer to the second word's arrival; empty if nothing was delivered").
		Head("latency", "from the offer to the second word's arrival")
	x.Number("latency_max", n.LatencyMax, "clocks", "the longest of these").Detail("clocks of latency", "at most")
	switch latencies := x.Fields[len(x.Fields)-2:]; {
	case n.Saturated == nil:
		latencies[0].Instead, latencies[1].Instead = unsteady, unsteady
	case *n.Saturated:
		latencies[0].Instead, latencies[1].Instead = saturated, saturated
	}
	x.Number("flit_hops", n.FlitHops, "words", "words over links between PEs").
		Detail("flit hops", "words over links between PEs")
	x.Number("saturated", n.Saturated, "",
		"whether the waits of packets grow with the length of the run, so that latencies say nothing; empty "+
			"where the clocks are too few to tell")
	if o := n.Overtakings; o != nil {
		x.Number("wait_longest", o.Longest.Clocks, "clocks",
			"most clocks that a packet was ready in one switch and did not move").
			Detail("clocks of waiting", "longest time that a packet was ready in one switch and did not move: "+
				"%v", o.Longest).
			Always()
		x.Number("overtaken_most", o.Most.Times, "times",
			"most times that other packets took the space that one packet in one switch was ready for").
			Detail("overtakings", "most times that other packets took the space that one packet was ready for: "+
				"%v", o.Most).Always()
	}
	x.Say("wall_seconds", 0.)
	wall := max(n.Wall.Seconds(), 1e-9)
	x.Say("node_clocks_per_second", float64(n.Tally.Clocks)*float64(n.PEs)/wall)
	x.Say("flit_hops_per_second", float64(n.FlitHops)/wall)
}

// total returns the number of clocks of a run that has done the given number of clocks. It returns 0 while the run
// drains, because that takes an unknown time.
func (s *NetSetup) total(done int64) int64 {
	if done > s.Warm+s.Clocks {
		return 0
	}
	return s.Warm + s.Clocks
}

// runNet runs a *NetSetup.
func runNet(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	s := config.(*NetSetup)
	n, err := s.run(ctx, w)
	if n == nil {
		return nil, err
	}
	if err == nil {
		runtime.GC() // frees the network of this run before a second one of the same size is built
		n.Saturated, err = s.saturates(ctx, n, w.On["drain"], max(1, w.Threads))
	}
	x := &answer.Answer{}
	n.describe(x)
	return x, err
}

// run runs the network. An interrupted run returns what it has measured so far, and the error.
func (s *NetSetup) run(ctx context.Context, w *Watch) (*Net, error) {
	tr, err := interrupt.Await(ctx, s.Build)
	if err != nil {
		return nil, err
	}
	if w.On["overtaken"] {
		tr.Net.CountOvertakings()
	}
	defer tr.UseThreads(w.Threads)()
	t := Traffic{Traffic: tr}
	if w.Threads == 0 {
		t.choice = threads.New(s.PEs)
	}
	if w.Progress != nil {
		t.Progress = func() {
			w.Progress(func() answer.Far {
				return answer.Far{
					Done: int64(tr.Clock()), Total: s.total(int64(tr.Clock())),
					Text: fmt.Sprintf("%s clocks, %s packets in flight, %s queued",
						plural.Commas(tr.Clock()), plural.Commas(tr.InFlight()), plural.Commas(tr.Queued())),
				}
			})
		}
	}
	n, err := t.Measure(ctx, s, w.On["drain"])
	if w.On["overtaken"] {
		x := tr.Net.Overtakings(tr.Clock())
		n.Overtakings = &x
	}
	if write := w.Rows["stats"]; write != nil {
		for i := range tr.Net.N {
			LinkStats(write, 1, tr.Net.Topology, tr.Net.Address(i),
				&em4.Counters{SwitchCounters: tr.Net.Counters(i, tr.Clock())})
		}
	}
	return n, err
}

// The words that replace meaningless latencies.
const (
	saturated = "saturated"
	unsteady  = "too few clocks"
)

// saturates reports whether the load saturates the network, by the rule for curves. For that rule it also measures the
// latency of lone packets. It returns nil if the run was too short to tell. If the network is drained, no run is too
// short, because every packet has been delivered. The error is ctx's.
func (s *NetSetup) saturates(ctx context.Context, n *Net, drained bool, threads int) (*bool, error) {
	if n.Offered == 0 {
		return new(bool), nil
	}
	alone := *s
	// chosen: 800 packets, and twice as many clocks before them as any takes alone on 1,114,112 PEs
	alone.Warm, alone.Clocks = 500, max(1, 1_600_000/int64(s.PEs))
	c := &Curve{}
	if _, err := c.point(ctx, alone, Least, threads); err != nil {
		return nil, err
	}
	if !drained && float64(s.Clocks) < steadyLatencies*c.Alone {
		return nil, nil
	}
	p := CurvePoint{Load: s.Load, Offered: n.words(n.Offered), Throughput: n.Throughput, LatencyMean: math.Inf(1)}
	if n.LatencyMean != nil {
		p.LatencyMean = *n.LatencyMean
	}
	is := c.saturated(&p)
	return &is, nil
}

// words converts a number of packets to words per PE and clock.
func (n *Net) words(packets uint64) float64 {
	return 2 * float64(packets) / max(float64(float64(n.Tally.Clocks)*float64(n.PEs)), 1)
}
