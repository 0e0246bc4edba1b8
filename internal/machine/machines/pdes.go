package machines

import (
	"context"
	"fmt"
	"math"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/ordered"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
)

var pdesModel = Model{
	Summary: "A parallel discrete-event simulation whose logical processes migrate",
	About: `pdes models the parallel discrete-event simulation of paper 004: a banyan switch
as logical processes (LPs) on the processors (PPs) of a hyper-crossbar, a torus
or a hypercube, and the migration that moves LPs to shorten their
messages' paths. 'emsim docs PDES' says what comes from the paper and what is
chosen.`,
	Next:   answer.Next{Command: "run --vs map=exact", Why: "the best map"},
	Beside: "map=exact",
	Use:    "run", Short: "Run the banyan on a machine, with or without a migration",
	Long: `run simulates a banyan switch on the processors of a machine and prints what the
simulation saw (hash, drops, sunk: the same on every machine and under every
map) and what it cost (clocks). With --migrate-at the LPs migrate once, in the
nine steps of the paper, to the map that the greedy minimiser finds; with
--interval again and again. --c gives the compute term of the cost a weight:
minimisers then level the work of the PPs, too. Ctrl-C prints both so far.

--graph reads a program of your own instead of the banyan: LPs with the clocks of
a slot, channels with messages a slot, and what changes from which slot on:

  # what   name/from to      clocks, or messages a slot
  lp       source            200
  lp       filter            900
  lp       sink                     # the clocks of --slot-clocks
  channel  source    filter  0.5
  channel  filter    sink    2.25
  from     4000                     # from slot 4000 on
  lp       filter            300

--map reads a map, a line for each LP: its name (in the banyan stage and place, as
in 2.1, or its number) and its PP.` + resumes + `
--max-clocks may be different then.`,
	Example: `  emsim pdes run --network hxb --shape 4x4 --stages 3 --slots 300 --seed 1 --json
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --map exact
  emsim pdes run --network torus --shape 8x4 --stages 4 --cell 300 --slots 2000 --migrate-at 100000
  emsim pdes run --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt --slots 2000
  emsim pdes run --graph docs/examples/pdes-graph.txt --slots 8000 --c 10 --migrate-at 500000 --interval 2000000`,
	Saved: true, Time: "clocks", Ends: []string{simerr.KindDeadlock, simerr.KindMaxClocks, "no_proof", "no_migration"},
	Files: []FileKind{
		{"graph", "read a program of your own instead of the banyan from this `FILE`", textFile("an LP graph", 1<<23,
			"100 bytes for each of 65536 channels"), []string{"stages", "wiring", "load", "queue"}, useGraph},
		{
			"map",
			"map at the start of the run: conventional (row by row), greedy, exact, anneal, round-robin or a file",
			textFile("a map", 1<<17, "100 bytes for each of 1024 LPs"),
			[]string{"map"},
			useMap,
		},
	},
	Sampling: Sampling{"sample", int64(10_000)},
	Rows:     []Rows{Series("lps", "doing", "slot_clocks", "inbox"), Events()},
	Terms:    Terms{"PP", "LP", "LPs", "LP", "clocks of slots", false, "clocks", 1, true},
	Again:    []string{"max-clocks"},
	Run:      runPDES,
	Describe: func(x *answer.Answer) { (&pdesRun{Setup: &pdes.Setup{}, Result: &pdes.Result{}}).describe(x) },
	Idles: func(config any) []Idle {
		s := config.(*pdes.Setup)
		return []Idle{
			{[]string{"interval"}, s.MigrateAt == pdes.Never, "nothing migrates; add --migrate-at"},
			{[]string{"neighbour", "objective"}, s.MigrateAt == pdes.Never && (s.Placing == "conventional" ||
				s.Placing == "round-robin"), fmt.Sprintf("the map is %s and nothing migrates", s.Placing)},
			{[]string{"background_length"}, s.Background.Flows == 0, "there is no background; add --background"},
			{
				[]string{"noise_seed"},
				s.Background.Flows == 0 && s.Background.SlowPPM == 0,
				"there is no background; add --background or --noise-slow",
			},
			{[]string{"c"}, s.Objective == mapping.ByLoad, "the objective load looks at ports; leave --objective out"},
		}
	},
}

// pdesRun is a run, with the costs of its last map.
type pdesRun struct {
	*pdes.Setup
	*pdes.Result
	shape, hash         string
	lps                 int
	cost, compute, load float64 // of one message per slot and link
}

// describe fills in the answer of a run.
func (r *pdesRun) describe(x *answer.Answer) {
	stages, wiring := r.Banyan.Stages, string(r.Banyan.Wiring)
	program := fmt.Sprintf("%d-stage %s", stages, wiring)
	if r.Graph != nil {
		stages, wiring, program = 0, "", plural.Of(r.lps, "LP")+" of "+r.GraphName
	}
	byKind, messages := r.messages()
	migrations, moved, pause := r.migrations(x)
	x.Title, x.Whole = fmt.Sprintf("%s, %s slots", program, plural.Commas(uint64(r.Setup.Slots))), "the PPs' time"
	x.Machine = fmt.Sprintf("%s %s, map %s, load %v",
		r.Network.Title(), r.shape, r.Placing, r.Banyan.Load)
	work, unused := share(r.Slotted, float64(r.Clocks)), r.unused()
	x.SoFar = fmt.Sprintf("after %d clocks, in which every LP ran %d of %d slots",
		r.Clocks, r.Result.Slots, r.Setup.Slots)
	x.Keys = map[string]any{"clock": r.Clocks, "slots": r.Result.Slots}
	x.Far = answer.Far{Done: r.Result.Slots, Total: r.Setup.Slots}
	x.Say("network", r.Network)
	x.Say("shape", r.shape)
	if r.Graph != nil {
		x.Say("graph", r.GraphName)
	}
	x.Number("lps", r.lps, "LPs", "logical processes")
	x.Number("stages", stages, "stages", "stages of the banyan; 0 of a graph")
	x.Say("wiring", wiring)
	x.Say("map", r.Placing)
	x.Number("slots", r.Setup.Slots, "slots", "slots of every LP")
	x.Number("seed", r.Banyan.Seed, "", "of the traffic")
	x.Number("clocks", r.Clocks, "clocks", "of the whole run").
		Head("time", ", %.1f a slot", float64(r.Clocks)/float64(max(1, r.Result.Slots)))
	x.Number("clocks_per_slot", float64(r.Clocks)/float64(max(1, r.Result.Slots)), "clocks", "clocks by slots")
	x.Say("hash", r.hash).Detail("hash", "of the cells' history: the same on every machine, under every map")
	x.Number("injected", r.Injected, "cells", "cells that entered")
	x.Number("drops", r.Drops, "cells", "cells that a full queue dropped")
	x.Number("sunk", r.Sunk, "cells", "cells that left").Detail("cells left", "of %s; %s dropped by full queues",
		plural.Commas(uint64(r.Injected)), plural.Commas(uint64(r.Drops)))
	x.Number("delay_mean_slots", r.meanDelay(), "slots", "mean delay of the cells that left; empty if none did").
		Detail("slots of delay", "mean of the cells that left")
	x.Number("cost", r.cost, "", "of the map at the end, one message per slot and link").
		Detail("cost of the map", "%v messages a slot over the busiest port", r.load)
	x.Number("compute", r.compute, "", "compute term of the cost, same map; 0 while its weight c is").
		Detail("compute term", "of the cost of the map")
	x.Number("max_port_load", r.load, "", "messages per slot over the busiest port, same map")
	x.Number("migrations", len(migrations), "", "migrations of the run")
	x.Number("moved", moved, "LPs", "LPs that the migrations moved").Detail("LPs migrated", "in %s; %s clocks of pause",
		plural.Of(len(migrations), "migration"), plural.Commas(uint64(pause)))
	x.Number("pause_clocks", pause, "clocks", "from the trigger of a migration until all LPs run again, summed")
	if len(migrations) == 0 {
		x.Say("migration", nil)
	} else if x.Say("migration", migrations[0]); len(migrations) > 1 {
		x.Say("later", migrations[1:])
	}
	x.Number("packets", r.Packets, "packets", "packets that the network carried").Detail("packets carried", "")
	x.Say("messages_by_kind", byKind)
	x.Number("time", float64(r.Clocks), "clocks", "of the run")
	x.Share("efficiency", work, "share of the PPs' clocks in which LPs ran slots").
		Head("work", "of the PPs' time in slots").PartOf(answer.Work, "")
	x.Number("transfers", moved, "LPs", "LPs that migrated")
	x.Number("messages", messages, "", "packets that PPs sent")
	x.Number("imbalance", imbalance(r.Slotted), "", "of the slots' clocks: the busiest PP over the mean").
		Detail("times the mean", "the work of the busiest PP")
	x.Share("unused", unused, "share of the PPs that have no LP at the end").PartOf("placement",
		fmt.Sprintf("%.0f of %s have no LP", unused*float64(len(r.Slotted)), plural.Of(len(r.Slotted), "PP")))
	x.Share("exchange", max(0, 1-work-unused), "share of the PPs' clocks in which those that have LPs ran no slot").
		PartOf("messages", "sending, receiving and waiting for messages")
	x.Say("placement", r.Result.Map) // node of each LP, at the end
	x.Say("wall_seconds", 0.)
}

// meanDelay returns the mean delay of the cells that left, in slots, or nil if none did.
func (r *pdesRun) meanDelay() *float64 {
	if r.Sunk == 0 {
		return nil
	}
	mean := float64(r.Delay) / float64(r.Sunk)
	return &mean
}

// messages returns the number of messages by kind, and in total.
func (r *pdesRun) messages() (byKind map[string]int64, all int64) {
	byKind = map[string]int64{}
	for k, n := range r.Sent {
		if n > 0 {
			byKind[pdes.Kind(k).String()] = n
			all += n
		}
	}
	return byKind, all
}

// unused returns the share of the PPs that have no LP at the end.
func (r *pdesRun) unused() float64 {
	used := map[int]bool{}
	for _, pp := range r.Result.Map {
		used[int(pp)] = true
	}
	pps := len(r.Slotted)
	return float64(pps-len(used)) / float64(max(1, pps))
}

// migrations returns the run's migrations, the number of LPs moved, and the total pause in clocks, and puts a table of
// the migrations into x.
func (r *pdesRun) migrations(x *answer.Answer) (list []ordered.Object, moved int, pause int64) {
	l := answer.List{Heads: []string{
		"migration at", "LPs", "bytes", "cost before", "cost after", "until quiet",
		"decided", "moved", "all run", "pause",
	}}
	for _, m := range r.Migrations {
		moved, pause = moved+m.Moves, pause+m.Clocks()
		list = append(list, ordered.Object{
			"moved", m.Moves, "triggered", m.Triggered, "quiet", m.Quiet, "decided", m.Decided, "arrived", m.Arrived,
			"ended", m.Ended,
			"evaluations", m.Evaluations, "cost_before", Plain(m.Before), "cost_after", Plain(m.After),
			"state_bytes", m.StateBytes, "held_events", m.HeldEvents,
		})
		l.Rows = append(l.Rows, []any{
			m.Triggered, m.Moves, m.StateBytes, Plain(m.Before), Plain(m.After),
			m.Quiet - m.Triggered, m.Decided - m.Quiet, m.Arrived - m.Decided, m.Ended - m.Arrived, m.Clocks(),
		})
	}
	if l.Rows != nil {
		x.Lists = []answer.List{l}
	}
	return list, moved, pause
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

// runPDES builds a *pdes.Setup, places its LPs and runs it.
func runPDES(ctx context.Context, config any, w *Watch) (*answer.Answer, error) {
	s := config.(*pdes.Setup)
	c, err := s.Build()
	if err == nil {
		err = s.FindMap(ctx, &c)
	}
	if interrupt.Ended(err) {
		return nil, interrupt.Of(ctx, "during the search for the map of --map %s", s.Placing)
	}
	if err != nil {
		return nil, err
	}
	watch := pdes.Watch{
		Every: w.Every, Record: w.Record, Snapshots: w.Snapshots,
		Progress: w.progress(func(at int64) string { return plural.Commas(uint64(at)) + " clocks" }),
	}
	if sample := w.Rows["series"]; sample != nil {
		watch.Sample = func(clock int64, pps []pdes.SampleOfPP) {
			for i, p := range pps {
				sample(clock, i, p.LPs, p.Doing, p.Slotted, p.Inbox)
			}
		}
	}
	r, err := pdes.RunWatched(ctx, c, watch)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	p := c.Problem(s.Weights)
	busiest, _ := p.PortLoad(r.Map)
	scale := float64(p.Graph.Scale)
	x, hash := &answer.Answer{}, ""
	if err == nil { // it has no meaning for a part of a run
		hash = fmt.Sprintf("%016x", r.Hash)
	}
	(&pdesRun{
		s, r, c.Net.Shape(), hash, c.LPs(), Plain(p.Cost(r.Map) / scale), Plain(p.Compute(r.Map) / scale),
		float64(busiest) / scale,
	}).describe(x)
	return x, err
}

// Plain rounds a cost to remove the rounding errors of a sum of tenths: 69.2, not 69.19999999999999.
func Plain(cost float64) float64 { return math.Round(cost*1e9) / 1e9 }
