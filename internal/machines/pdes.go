package machines

import (
	"context"
	"fmt"
	"math"
	"time"

	"emsim/internal/interrupt"
	"emsim/pdes"
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
	Efficiency    float64          `json:"efficiency" doc:"share of the PPs' clocks in which LPs ran slots"`
	Transfers     int              `json:"transfers" unit:"LPs" doc:"LPs that migrated"`
	Messages      int64            `json:"messages" doc:"packets that PPs sent"`
	Imbalance     float64          `json:"imbalance" doc:"of the slots' clocks: the busiest PP over the mean"`
	Placement     mapping.Map      `json:"placement"` // node by LP, at the end
	WallSeconds   float64          `json:"wall_seconds"`
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

// RunPDES runs a built and placed machine. When the context ends, answer and
// result are those of the run so far, beside the error. Whoever searched for
// the map counts that time too: WallSeconds is the caller's.
func RunPDES(ctx context.Context, s *pdes.Setup, c pdes.Config) (*PDES, *pdes.Result, error) {
	return RunPDESWatched(ctx, s, c, pdes.Watch{})
}

// RunPDESWatched is RunPDES with a watch.
func RunPDESWatched(ctx context.Context, s *pdes.Setup, c pdes.Config, w pdes.Watch) (*PDES, *pdes.Result, error) {
	r, ended := pdes.RunWatched(ctx, c, w)
	if ended != nil && !interrupt.Ended(ended) {
		return nil, nil, ended
	}
	p := s.Problem(&c)
	scale := float64(p.Graph.Scale)
	busiest, _ := p.PortLoad(r.Map)
	out := &PDES{
		Network: string(s.Network), Shape: c.Net.Shape(), LPs: c.LPs(), Stages: s.Banyan.Stages, Wiring: string(s.Banyan.Wiring), MapName: s.Placing,
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
	if ended != nil {
		out.Hash = "" // meaningless for a part of the run
	}
	return out, r, ended
}

// runPDES builds, places and runs a *pdes.Setup.
func runPDES(ctx context.Context, config any) (any, error) {
	start := time.Now()
	s := config.(*pdes.Setup)
	c, err := s.Build()
	if err == nil {
		err = s.Place(ctx, &c)
	}
	if err != nil {
		return nil, err
	}
	r, _, err := RunPDES(ctx, s, c)
	if err != nil {
		return nil, err
	}
	r.WallSeconds = time.Since(start).Seconds()
	return r, nil
}

// Plain removes the rounding errors of sums of tenths from a cost: 69.2, not
// 69.19999999999999.
func Plain(cost float64) float64 { return math.Round(cost*1e9) / 1e9 }
