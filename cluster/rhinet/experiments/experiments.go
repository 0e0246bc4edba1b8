// Package experiments answers with the RHiNET-2 cluster what paper 001 leaves
// open: the future work of its section 6, a moving load, and the control that
// shows where the waiting of its tables 4 and 5 comes from.
//
//	experiments.go  what an experiment is, means over seeds
//	list.go         the experiments
//	table.go        observations as a table
//
// An observation is a mean over seeds of node speeds and slice phases.
package experiments

import (
	"context"
	"fmt"

	"emsim/cluster/rhinet"
	"emsim/internal/base/portable"
)

// Options choose how an experiment is run.
type Options struct {
	Seeds   int // runs per mean, from seed 1 on; at least 1
	Network rhinet.Network
}

// An Observation is the mean of runs that differ only in the seed. Times are
// seconds of the model at rank 0.
type Observation struct {
	Application string  `json:"application"`
	Network     string  `json:"network"`
	Load        string  `json:"load"`
	Nodes       int     `json:"nodes"`
	Algorithm   string  `json:"algorithm"`
	Setting     string  `json:"setting"` // what the experiment varies, as in "group 4"; empty where nothing
	TotalS      float64 `json:"total_s"`
	SpreadS     float64 `json:"spread_s"` // standard deviation of total_s over the seeds; 0 for one seed
	CalcS       float64 `json:"calc_s"`
	OtherShare  float64 `json:"other_share"` // share of the total outside of compute: messages and waiting
	Resting     float64 `json:"resting"`     // ranks without rows at the end (WLB)
}

// An Experiment varies the cluster and tabulates the outcome.
type Experiment struct {
	Name   string
	Title  string // one line: the question
	Source string // where the paper asks it, or "ours"
	points func() []point
	across func(Observation) string // the table's column; rows are the rest
	Note   string                   // how to read the table
}

// point is one setting to be observed.
type point struct {
	cfg     rhinet.Config
	setting string
}

// Points counts the settings that the experiment observes.
func (e Experiment) Points() int { return len(e.points()) }

// Run observes all points in order. With an error it returns the completed
// points.
func (e Experiment) Run(ctx context.Context, o Options) ([]Observation, error) {
	if o.Seeds < 1 {
		return nil, fmt.Errorf("experiment %s: %d seeds, expected at least 1", e.Name, o.Seeds)
	}
	var out []Observation
	for _, p := range e.points() {
		p.cfg.Network = o.Network
		obs, err := observe(ctx, p, o.Seeds)
		if err != nil {
			return out, err
		}
		out = append(out, obs)
	}
	return out, nil
}

func observe(ctx context.Context, p point, seeds int) (Observation, error) {
	c := p.cfg
	var totals, calcs, shares, resting []float64
	for seed := 1; seed <= seeds; seed++ {
		c.Seed = uint64(seed)
		r, err := rhinet.Run(ctx, c)
		if err != nil {
			return Observation{}, err
		}
		idle := 0.0
		for _, n := range r.Ranks {
			if n.Rows == 0 {
				idle++
			}
		}
		totals, calcs = append(totals, r.Total()), append(calcs, r.Calc())
		shares, resting = append(shares, r.Other()/r.Total()), append(resting, idle)
	}
	total, deviation := portable.MeanSD(totals)
	obs := Observation{
		Application: string(c.Application), Network: string(c.Network), Load: string(c.Load), Nodes: c.Nodes,
		Algorithm: string(c.Algorithm), Setting: p.setting,
		TotalS: total, CalcS: portable.Mean(calcs),
		OtherShare: portable.Mean(shares), Resting: portable.Mean(resting),
	}
	if seeds > 1 {
		obs.SpreadS = deviation
	}
	return obs, nil
}
