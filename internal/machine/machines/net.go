package machines

import (
	"context"
	"fmt"
	"slices"
	"time"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/base/room"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
	"emsim/omega"
)

// NetSetup is the network of the EM-4 alone, under synthetic traffic.
type NetSetup struct {
	PEs    int
	Switch omega.Config
	omega.TrafficConfig
	Warm   uint64 // clocks before those that count
	Clocks uint64
}

// DefaultNet is what 'emsim net traffic' runs without flags.
func DefaultNet() NetSetup {
	c := em4.Prototype80()
	return NetSetup{PEs: c.PEs, Switch: c.Network(), TrafficConfig: omega.TrafficConfig{Pattern: omega.Uniform, Load: 0.05, Seed: 1}, Clocks: 10_000}
}

// maxNetClocks bounds a run: a computer steps for years.
const maxNetClocks = 1e14

// netKnobs lists its parameters: those of the traffic, and the EM-4's that the
// network has.
func netKnobs() []knob.Knob[NetSetup] {
	var patterns []string
	for _, p := range omega.Patterns() {
		patterns = append(patterns, string(p))
	}
	em4s := em4.Knobs()
	own := func(key string, ref func(*NetSetup) any) knob.Knob[NetSetup] {
		k := em4s[slices.IndexFunc(em4s, func(k em4.Knob) bool { return k.Key == key })]
		return knob.Knob[NetSetup]{Key: k.Key, Flag: k.Flag, Unit: k.Unit, Min: k.Min, Max: k.Max, Source: k.Source, Doc: k.Doc, Ref: ref}
	}
	return []knob.Knob[NetSetup]{
		own("pes", func(s *NetSetup) any { return &s.PEs }),
		{Key: "pattern", Flag: "pattern", Values: patterns, Source: "chosen", Doc: "where packets go", Ref: func(s *NetSetup) any {
			return knob.Word{Is: func() string { return string(s.Pattern) }, Parse: func(text string) error { s.Pattern = omega.Pattern(text); return nil }}
		}},
		{Key: "load", Flag: "load", Unit: "words", Real: knob.Interval{High: 1}, Source: "chosen", Doc: "words offered per PE and clock", Ref: func(s *NetSetup) any { return &s.Load }},
		{Key: "warm", Flag: "warm", Unit: "clocks", Max: maxNetClocks, Source: "chosen", Doc: "clocks before those that count", Ref: func(s *NetSetup) any { return &s.Warm }},
		{Key: "clocks", Flag: "clocks", Unit: "clocks", Min: 1, Max: maxNetClocks, Source: "chosen", Doc: "clocks that count", Ref: func(s *NetSetup) any { return &s.Clocks }},
		{Key: "seed", Flag: "seed", Source: "chosen", Doc: "seed of the traffic", Ref: func(s *NetSetup) any { return &s.Seed }},
		own("hop_clocks", func(s *NetSetup) any { return &s.Switch.HopClocks }),
		own("bank_clocks", func(s *NetSetup) any { return &s.Switch.BankClocks }),
		own("banks", func(s *NetSetup) any { return &s.Switch.Banks }),
	}
}

// Build makes the network with its synthetic PEs.
func (s *NetSetup) Build() (*omega.Traffic, error) {
	t, err := omega.ForPEs(s.PEs)
	if err != nil {
		return nil, err
	}
	if err := room.Check(fmt.Sprintf("a network of %d PEs", s.PEs), room.Traffic(s.PEs)); err != nil {
		return nil, err
	}
	return omega.NewTraffic(t, s.Switch, s.TrafficConfig)
}

// NetKind is the network as a kind of machine that sweeps can vary. It has no
// machine files.
func NetKind() machinefile.Kind {
	return machinefile.Kind{
		Name: "net", A: "the network", Doc: "the network of the EM-4", Command: "emsim net traffic", Default: "its default",
		New: func() *machinefile.Machine {
			s := DefaultNet()
			return &machinefile.Machine{Rows: knob.Bind(netKnobs(), &s), Config: &s, Validate: func() error {
				if _, err := omega.ForPEs(s.PEs); err != nil {
					return fmt.Errorf("pes: %w", err)
				}
				return s.Switch.Validate()
			}}
		},
	}
}

// Net is what a network did with its traffic.
type Net struct {
	PEs         int      `json:"pes" unit:"PEs" doc:"processing elements"`
	Pattern     string   `json:"pattern"`
	Load        float64  `json:"load" unit:"words" doc:"words offered per PE and clock"`
	Seed        uint64   `json:"seed" doc:"of the traffic"`
	Clocks      uint64   `json:"clocks" unit:"clocks" doc:"clocks that count"`
	Offered     uint64   `json:"offered" unit:"packets" doc:"packets that the PEs wanted to send"`
	Queued      uint64   `json:"queued" unit:"packets" doc:"packets that wait in their PEs at the end"`
	Injected    uint64   `json:"injected" unit:"packets" doc:"packets sent into the network"`
	Delivered   uint64   `json:"delivered" unit:"packets" doc:"packets delivered"`
	InFlight    uint64   `json:"in_flight" unit:"packets" doc:"packets in the network at the end"`
	Throughput  float64  `json:"throughput" unit:"words" doc:"words delivered per PE and clock"`
	LatencyMean *float64 `json:"latency_mean" unit:"clocks" doc:"from the offer to the second word's arrival; empty if nothing was delivered"` // null if nothing was
	LatencyMax  uint64   `json:"latency_max" unit:"clocks" doc:"the longest of these"`
	FlitHops    uint64   `json:"flit_hops" unit:"words" doc:"words over links between PEs"`
	WallSeconds float64  `json:"wall_seconds"`
}

// newNet describes what came after an earlier tally.
func newNet(tr *omega.Traffic, c omega.TrafficConfig, begin omega.Tally, wall time.Duration) *Net {
	t := tr.Tally().Since(begin)
	x := &Net{
		PEs: tr.Net.N, Pattern: string(c.Pattern), Load: c.Load, Seed: c.Seed, Clocks: t.Clocks,
		Offered: t.Offered, Queued: tr.Queued(), Injected: t.Injected, Delivered: t.Arrived, InFlight: tr.InFlight(),
		LatencyMax: tr.Slowest, FlitHops: tr.Net.FlitHops(), WallSeconds: wall.Seconds(),
	}
	if x.Delivered > 0 {
		mean := float64(t.Latency) / float64(x.Delivered)
		x.LatencyMean = &mean
	}
	x.Throughput = words(x.Delivered, x)
	return x
}

// words is packets as words per PE and clock.
func words(packets uint64, x *Net) float64 {
	return 2 * float64(packets) / max(float64(float64(x.Clocks)*float64(x.PEs)), 1)
}

// measure runs a network on some threads.
func (s *NetSetup) measure(ctx context.Context, threads int) (*Net, error) {
	tr, err := s.Build()
	if err != nil {
		return nil, err
	}
	defer tr.UseThreads(threads)()
	x, err := (&Traffic{Traffic: tr}).Measure(ctx, s, false)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Measure steps through the clocks of a setup, and with drain until all packets are
// delivered. The answer is what came of them, also with an error.
func (t *Traffic) Measure(ctx context.Context, s *NetSetup, drain bool) (*Net, error) {
	var from omega.Tally
	err := t.StepTo(ctx, s.Warm)
	if err == nil && s.Warm > 0 {
		from = t.CountAnew()
	}
	begin := time.Now()
	if err == nil {
		err = t.StepTo(ctx, s.Warm+s.Clocks)
	}
	if err == nil && drain {
		err = t.Drain(ctx)
	}
	return newNet(t.Traffic, s.TrafficConfig, from, time.Since(begin)), err
}

var netModel = Model{Answer: &Net{}, Time: "latency_mean", Ends: []string{simerr.KindDeadlock}, run: func(ctx context.Context, config any, _ Watch) (Answer, error) {
	x, err := config.(*NetSetup).measure(ctx, 1)
	if err != nil {
		return nil, err // not a nil *Net
	}
	return x, nil
}}

// Title says what ran.
func (x *Net) Title() string {
	return fmt.Sprintf("%s traffic on %d PEs at load %v, seed %d", x.Pattern, x.PEs, x.Load, x.Seed)
}

// Progress says how far a run is.
func (x *Net) Progress() (string, map[string]any) {
	return "after " + plural.Of(x.Clocks, "clock"), map[string]any{"clock": x.Clocks}
}

// Lists are none.
func (x *Net) Lists() []List { return nil }
