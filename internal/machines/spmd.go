package machines

import (
	"context"
	"time"

	"emsim/cluster/spmd"
)

// SPMD is the answer of 'emsim spmd run'; lists are by processor.
type SPMD struct {
	Method      spmd.Method   `json:"method"`
	Topology    string        `json:"topology"`
	Readers     spmd.Topology `json:"readers"`
	Loaded      []int         `json:"loaded"`
	Seed        uint64        `json:"seed" doc:"of the phases and the jitter"`
	Seeds       int           `json:"seeds" doc:"runs in the mean"`
	Tasks       []float64     `json:"tasks"`
	EndS        []float64     `json:"end_s"`
	Given       []float64     `json:"given"`
	Received    []float64     `json:"received"`
	Transfers   float64       `json:"transfers" unit:"tasks" doc:"tasks that moved"`
	FinishS     float64       `json:"finish_s" unit:"s" doc:"when the last processor ended"`
	Requests    float64       `json:"requests" doc:"requests for tasks"`
	Refused     float64       `json:"refused" doc:"of these, answered with no tasks"`
	Messages    float64       `json:"messages" doc:"Powers, requests and answers"`
	Time        float64       `json:"time" unit:"s" doc:"when the last processor ended"`
	Efficiency  float64       `json:"efficiency" doc:"share of the processors' time that went into tasks"`
	Imbalance   float64       `json:"imbalance" doc:"of the time for tasks: the busiest processor over the mean"`
	WallSeconds float64       `json:"wall_seconds"`
}

// NewSPMD makes the answer of the runs of one machine: their mean. c.Seed is
// that of the first.
func NewSPMD(topology string, c spmd.Config, rs []*spmd.Result, wall time.Duration) *SPMD {
	m := spmd.MeanOf(rs)
	x := &SPMD{
		Method: c.Method, Topology: topology, Readers: c.Topology, Loaded: c.Loaded, Seed: c.Seed, Seeds: len(rs),
		Tasks: m.Tasks, EndS: m.EndS, Given: make([]float64, len(m.Tasks)), Received: make([]float64, len(m.Tasks)),
		Transfers: m.Transfers, FinishS: m.FinishS, Requests: m.Requests, Refused: m.Refused, Messages: m.Messages,
		WallSeconds: wall.Seconds(),
	}
	x.Time = m.FinishS
	for _, r := range rs {
		x.Efficiency += share(r.BusyUS, float64(r.FinishUS())) / float64(len(rs))
		x.Imbalance += imbalance(r.BusyUS) / float64(len(rs))
	}
	for i, row := range m.Moved {
		for j, v := range row {
			x.Given[i] += v
			x.Received[j] += v
		}
	}
	return x
}

// runSPMD runs a *spmd.Setup once.
func runSPMD(ctx context.Context, config any) (any, error) {
	s := config.(*spmd.Setup)
	c, err := s.Build()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r, err := spmd.Run(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	return NewSPMD(s.Name, c, []*spmd.Result{r}, time.Since(start)), nil
}
