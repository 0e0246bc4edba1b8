package machines

import (
	"context"
	"math"
	"time"

	"emsim/mnc"
)

// MNC is the answer of 'emsim mnc run'.
type MNC struct {
	Topology       string     `json:"topology"`
	PEs            int        `json:"pes" unit:"PEs" doc:"processing elements"`
	Items          int        `json:"items" unit:"data" doc:"data X to process"`
	Loops          int        `json:"loops" unit:"iterations" doc:"iterations of f() for each datum"`
	Policy         mnc.Policy `json:"policy"`
	Form           mnc.Form   `json:"form"`
	Clocks         int64      `json:"clocks" unit:"clocks" doc:"until the last Y is at the sink"`
	Transfers      int64      `json:"transfers" unit:"data" doc:"data that left QPRs"`
	Efficiency     float64    `json:"efficiency" doc:"share of the PEs' clocks that f() took"`
	Speedup        float64    `json:"speedup" doc:"against one PE that need not transfer"`
	UsedPEs        float64    `json:"used_pes" unit:"PEs" doc:"how many PEs carried the load"`
	ProcClocks     int64      `json:"proc_clocks" unit:"clocks" doc:"of all PEs, in f()"`
	TransferClocks int64      `json:"transfer_clocks" unit:"clocks" doc:"of all PEs, moving data"`
	OverheadClocks int64      `json:"overhead_clocks" unit:"clocks" doc:"of all PEs, sensing and planning"`
	IdleClocks     int64      `json:"idle_clocks" unit:"clocks" doc:"of all PEs, with nothing to do"`
	Busy           int64      `json:"busy" doc:"reads of a QPR that were refused because of a write"`
	AbilityLow     float64    `json:"pa_low" doc:"least PA of the run; 1 is the ability of the PE itself"`
	AbilityHigh    float64    `json:"pa_high" doc:"greatest PA of the run"`
	Time           float64    `json:"time" unit:"clocks" doc:"of the run"`
	Messages       int64      `json:"messages" doc:"actions that put data into a QPR"`
	Imbalance      float64    `json:"imbalance" doc:"of f(): the busiest PE over the mean"`
	PerPE          []MNCPE    `json:"per_pe,omitempty"`
	WallSeconds    float64    `json:"wall_seconds"`
}

// MNCPE is one PE of the answer with --per-pe.
type MNCPE struct {
	PE             int    `json:"pe"`
	Name           string `json:"name"`
	Processed      int64  `json:"processed"`
	XPut           int64  `json:"xput"`
	XGet           int64  `json:"xget"`
	YPut           int64  `json:"yput"`
	YGet           int64  `json:"yget"`
	ToHost         int64  `json:"to_host"`
	Busy           int64  `json:"busy"`
	ProcClocks     int64  `json:"proc_clocks"`
	TransferClocks int64  `json:"transfer_clocks"`
	OverheadClocks int64  `json:"overhead_clocks"`
	IdleClocks     int64  `json:"idle_clocks"`
}

// NewMNC makes the answer of a run, with each PE if wanted.
func NewMNC(c mnc.Config, s mnc.Stats, wall time.Duration, perPE bool) *MNC {
	r := &MNC{
		Topology: c.Wiring.Name, PEs: c.Wiring.PEs, Items: c.Items, Loops: c.Loops, Policy: c.Policy, Form: c.Form,
		Clocks: s.Clocks, Transfers: s.Transfers, Efficiency: s.Efficiency, Speedup: s.Speedup, UsedPEs: s.UsedPEs,
		ProcClocks: s.Proc, TransferClocks: s.Transfer, OverheadClocks: s.Overhead, IdleClocks: s.Idle, Busy: s.Busy,
		AbilityLow: s.AbilityLow, AbilityHigh: s.AbilityHigh, WallSeconds: wall.Seconds(),
	}
	proc := make([]int64, len(s.PE))
	for i, p := range s.PE {
		proc[i] = p.Proc
		r.Messages += p.Actions[mnc.XPut] + p.Actions[mnc.YPut]
	}
	r.Time, r.Imbalance = float64(s.Clocks), imbalance(proc)
	if !perPE {
		return r
	}
	for i, p := range s.PE {
		r.PerPE = append(r.PerPE, MNCPE{
			PE: i, Name: c.Wiring.PEName(i), Processed: p.Processed,
			XPut: p.Moved[mnc.XPut], XGet: p.Moved[mnc.XGet], YPut: p.Moved[mnc.YPut], YGet: p.Moved[mnc.YGet],
			ToHost: p.ToHost, Busy: p.Busy,
			ProcClocks: p.Proc, TransferClocks: p.Transfer, OverheadClocks: p.Overhead, IdleClocks: p.Idle,
		})
	}
	return r
}

// runMNC runs a *mnc.Setup to its end.
func runMNC(ctx context.Context, config any) (any, error) {
	c, err := config.(*mnc.Setup).Build()
	if err != nil {
		return nil, err
	}
	m, err := mnc.New(c)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := m.RunTo(ctx, math.MaxInt64); err != nil {
		return nil, err
	}
	return NewMNC(c, m.Stats(), time.Since(start), false), nil
}
