package machines

import (
	"context"
	"fmt"
	"math"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
)

// PDES is the answer of 'emsim pdes run'.
type PDES struct {
	Network       string           `json:"network"`
	Shape         string           `json:"shape"`
	Graph         string           `json:"graph,omitempty"` // the file of an LP graph
	LPs           int              `json:"lps" unit:"LPs" doc:"logical processes"`
	Stages        int              `json:"stages" unit:"stages" doc:"stages of the banyan; 0 of a graph"`
	Wiring        string           `json:"wiring"`
	MapName       string           `json:"map"`
	Slots         int64            `json:"slots" unit:"slots" doc:"slots of every LP"`
	Seed          uint64           `json:"seed" doc:"of the traffic"`
	Clocks        int64            `json:"clocks" unit:"clocks" doc:"of the whole run"`
	ClocksPerSlot float64          `json:"clocks_per_slot" unit:"clocks" doc:"clocks by slots"`
	Hash          string           `json:"hash"`
	Injected      int64            `json:"injected" unit:"cells" doc:"cells that entered"`
	Drops         int64            `json:"drops" unit:"cells" doc:"cells that a full queue dropped"`
	Sunk          int64            `json:"sunk" unit:"cells" doc:"cells that left"`
	DelayMean     *float64         `json:"delay_mean_slots" unit:"slots" doc:"mean delay of the cells that left; empty if none did"` // null if none did
	Cost          float64          `json:"cost" doc:"of the map at the end, one message per slot and link"`
	Compute       float64          `json:"compute" doc:"compute term of the cost, same map; 0 while its weight c is"`
	MaxPortLoad   float64          `json:"max_port_load" doc:"messages per slot over the busiest port, same map"`
	Migrations    int              `json:"migrations" doc:"migrations of the run"`
	Moved         int              `json:"moved" unit:"LPs" doc:"LPs that the migrations moved"`
	PauseClocks   int64            `json:"pause_clocks" unit:"clocks" doc:"from the trigger of a migration until all LPs run again, summed"`
	Migration     *PDESMigration   `json:"migration"`       // the first; null without one
	Later         []PDESMigration  `json:"later,omitempty"` // the others
	Packets       int64            `json:"packets" unit:"packets" doc:"packets that the network carried"`
	ByKind        map[string]int64 `json:"messages_by_kind"`
	Time          float64          `json:"time" unit:"clocks" doc:"of the run"`
	Efficiency    float64          `json:"efficiency" of:"" doc:"share of the PPs' clocks in which LPs ran slots"`
	Transfers     int              `json:"transfers" unit:"LPs" doc:"LPs that migrated"`
	Messages      int64            `json:"messages" doc:"packets that PPs sent"`
	Imbalance     float64          `json:"imbalance" doc:"of the slots' clocks: the busiest PP over the mean"`
	Placement     mapping.Map      `json:"placement"` // node by LP, at the end
	WallSeconds   float64          `json:"wall_seconds"`

	done int64 // slots that every LP has run
}

// PDESMigration are the clocks of a migration's steps.
type PDESMigration struct {
	Moved       int     `json:"moved"`
	Triggered   int64   `json:"triggered"`
	Quiet       int64   `json:"quiet"`
	Decided     int64   `json:"decided"`
	Arrived     int64   `json:"arrived"`
	Ended       int64   `json:"ended"`
	Evaluations int64   `json:"evaluations"`
	CostBefore  float64 `json:"cost_before"`
	CostAfter   float64 `json:"cost_after"`
	StateBytes  int64   `json:"state_bytes"`
	HeldEvents  int64   `json:"held_events"`
}

var pdesModel = Model{
	Short: "Run the banyan on a machine, with or without a migration",
	Long: `run simulates a banyan switch on the processors of a machine and prints what the
simulation saw (hash, drops, sunk: the same on every machine and under every
map) and what it cost (clocks). With --migrate-at the LPs migrate once, in the
nine steps of the paper, to the map that the greedy minimiser finds; with
--migrate-every again and again. --c gives the compute term of the cost a weight:
minimisers then level the work of the PPs, too. Ctrl-C prints both so far.

--graph reads a program of your own instead of the banyan: LPs with the clocks of
a slot, channels with messages a slot, and what changes from which slot on:

  # what   name/from to      clocks, or messages a slot
  lp       source            200
  lp       filter            900
  lp       sink                     # the clocks of --step
  channel  source    filter  0.5
  channel  filter    sink    2.25
  from     4000                     # from slot 4000 on
  lp       filter            300

--map reads a map, a line for each LP: its name (in the banyan stage and place, as
in 2.1, or its number) and its PP.`,
	Example: `  emsim pdes run --network hxb --shape 4x4 --stages 3 --slots 300 --seed 1 --json
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --map exact
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --migrate-at 100000
  emsim pdes run --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt --slots 2000
  emsim pdes run --graph docs/examples/pdes-graph.txt --slots 8000 --c 10 --migrate-at 500000 --migrate-every 2000000`,
	Answer: &PDES{}, Time: "clocks", Ends: []string{simerr.KindDeadlock, simerr.KindMaxClocks, "no_proof", "no_migration"},
	Files: []FileKind{
		{"graph", "read a program of your own instead of the banyan from this `FILE`", textFile("an LP graph", 1<<23, "100 bytes for each of 65536 channels"), []string{"stages", "wiring", "load", "queue"}, useGraph},
		{"map", "map at the start of the run: conventional (row by row), greedy, exact, anneal, round-robin or a file", textFile("a map", 1<<17, "100 bytes for each of 1024 LPs"), []string{"map"}, useMap},
	},
	Sampling: Sampling{"sample", int64(10_000), []string{"clock", "pp", "lps", "doing", "slot_clocks", "inbox"}},
	Events:   []string{"clock", "pp", "event", "lp", "began", "sent"},
	run:      runPDES,
	idles: func(config any) []Idle {
		s := config.(*pdes.Setup)
		return []Idle{
			{[]string{"migrate_every"}, s.MigrateAt == pdes.Never, "nothing migrates; add --migrate-at"},
			{[]string{"neighbour", "objective"}, s.MigrateAt == pdes.Never && (s.Placing == "conventional" || s.Placing == "round-robin"), fmt.Sprintf("the map is %s and nothing migrates", s.Placing)},
			{[]string{"c"}, s.Objective == mapping.ByLoad, "the objective load looks at ports; leave --objective out"},
		}
	},
}

// Title says what ran.
func (r *PDES) Title() string {
	program := fmt.Sprintf("%d-stage %s", r.Stages, r.Wiring)
	if r.Graph != "" {
		program = plural.Of(r.LPs, "LP") + " of " + r.Graph
	}
	return fmt.Sprintf("%s %s, %s, map %s; hash %s", r.Network, r.Shape, program, r.MapName, r.Hash)
}

// Progress says how far a run is.
func (r *PDES) Progress() (string, map[string]any) {
	return fmt.Sprintf("after %d clocks, in which every LP ran %d of %d slots", r.Clocks, r.done, r.Slots), map[string]any{"clock": r.Clocks, "slots": r.done}
}

// Lists are the migrations: LPs moved, and clocks from one step to the next.
func (r *PDES) Lists() []List {
	if r.Migration == nil {
		return nil
	}
	l := List{Heads: []string{"migration at", "LPs", "bytes", "cost before", "cost after", "until quiet", "decided", "moved", "all run", "pause"}}
	for _, m := range append([]PDESMigration{*r.Migration}, r.Later...) {
		l.Rows = append(l.Rows, []any{m.Triggered, m.Moved, m.StateBytes, m.CostBefore, m.CostAfter, m.Quiet - m.Triggered, m.Decided - m.Quiet, m.Arrived - m.Decided, m.Ended - m.Arrived, m.Ended - m.Triggered})
	}
	return []List{l}
}

func useGraph(config any, f File) (err error) {
	s := config.(*pdes.Setup)
	s.Graph, err = lpgraph.Parse(f.Name, f.Text)
	s.GraphName = f.Name
	return err
}

func useMap(config any, f File) error {
	s := config.(*pdes.Setup)
	c, err := s.Build()
	if err == nil {
		s.Map, err = c.ParseMap(f.Name, f.Text)
	}
	s.Placing = f.Name
	return err
}

// runPDES builds, places and runs a *pdes.Setup.
func runPDES(ctx context.Context, config any, w Watch) (Answer, error) {
	s := config.(*pdes.Setup)
	c, err := s.Build()
	if err == nil {
		err = s.Place(ctx, &c)
	}
	if interrupt.Ended(err) {
		return nil, interrupt.Of(ctx, "during the search for the map of --map %s", s.Placing)
	}
	if err != nil {
		return nil, err
	}
	watch := pdes.Watch{Every: w.Every}
	if w.Sample != nil {
		watch.Sample = func(clock int64, pps []pdes.SampleOfPP) {
			for i, p := range pps {
				w.Sample(clock, i, p.LPs, p.Doing, p.Slotted, p.Inbox)
			}
		}
	}
	if w.Event != nil {
		watch.Event = func(e pdes.Event) {
			lp := ""
			if e.LP >= 0 {
				lp = c.LPName(e.LP)
			}
			w.Event(e.Clock, e.PP, e.Kind, lp, e.Began, e.Sent)
		}
	}
	r, err := pdes.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	out := newPDES(s, &c, r)
	if err != nil {
		out.Hash = "" // meaningless for a part of the run
	}
	return out, err
}

// newPDES makes the answer of a run.
func newPDES(s *pdes.Setup, c *pdes.Config, r *pdes.Result) *PDES {
	p := s.Problem(c)
	scale := float64(p.Graph.Scale)
	busiest, _ := p.PortLoad(r.Map)
	out := &PDES{
		Network: string(s.Network), Shape: c.Net.Shape(), Graph: s.GraphName, done: r.Slots, LPs: c.LPs(), Stages: s.Banyan.Stages, Wiring: string(s.Banyan.Wiring), MapName: s.Placing,
		Slots: s.Slots, Seed: s.Banyan.Seed, Clocks: r.Clocks, ClocksPerSlot: float64(r.Clocks) / float64(max(1, r.Slots)),
		Hash: fmt.Sprintf("%016x", r.Hash), Injected: r.Injected, Drops: r.Drops, Sunk: r.Sunk,
		Cost: Plain(p.Cost(r.Map) / scale), Compute: Plain(p.Compute(r.Map) / scale), MaxPortLoad: float64(busiest) / scale, Packets: r.Packets, ByKind: map[string]int64{}, Placement: r.Map,
	}
	if r.Sunk > 0 {
		mean := float64(r.Delay) / float64(r.Sunk)
		out.DelayMean = &mean
	}
	for k, n := range r.Sent {
		if n > 0 {
			out.ByKind[pdes.Kind(k).String()] = n
			out.Messages += n
		}
	}
	out.Time, out.Efficiency, out.Imbalance = float64(r.Clocks), share(r.Slotted, float64(r.Clocks)), imbalance(r.Slotted)
	if c.Graph != nil {
		out.Stages, out.Wiring = 0, ""
	}
	for _, m := range r.Migrations {
		out.Migrations++
		out.Moved += m.Moves
		out.Transfers += m.Moves
		out.PauseClocks += m.Clocks()
		x := PDESMigration{m.Moves, m.Triggered, m.Quiet, m.Decided, m.Arrived, m.Ended, m.Evaluations, Plain(m.Before), Plain(m.After), m.StateBytes, m.HeldEvents}
		if out.Migration == nil {
			out.Migration = &x
		} else {
			out.Later = append(out.Later, x)
		}
	}
	return out
}

// Plain removes the rounding errors of sums of tenths from a cost: 69.2, not
// 69.19999999999999.
func Plain(cost float64) float64 { return math.Round(cost*1e9) / 1e9 }
