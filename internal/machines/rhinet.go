package machines

import (
	"context"
	"time"

	"emsim/cluster/rhinet"
	"emsim/internal/interrupt"
)

// RHiNET is the answer of 'emsim rhinet run'.
type RHiNET struct {
	Nodes          int           `json:"nodes" unit:"hosts" doc:"hosts of the cluster"`
	Network        string        `json:"network"`
	Algorithm      string        `json:"algorithm"`
	Load           string        `json:"load"`
	Application    string        `json:"application"`
	Seed           uint64        `json:"seed" doc:"of node speeds and slice phases"`
	TotalS         float64       `json:"total_s" unit:"s" doc:"rank 0's time"`
	CalcS          float64       `json:"calc_s" unit:"s" doc:"of it, relaxing rows"`
	CommS          float64       `json:"comm_s" unit:"s" doc:"of it, messages and waiting outside of balancing"`
	LBS            float64       `json:"lb_s" unit:"s" doc:"of it, balancing phases"`
	OtherS         float64       `json:"other_s" unit:"s" doc:"total less calc"`
	FinishS        float64       `json:"finish_s" unit:"s" doc:"when the last rank finished"`
	Iterations     int           `json:"iterations" unit:"loops" doc:"loops of the application"`
	Packets        int64         `json:"packets" unit:"packets" doc:"packets that the network carried"`
	HeaderWaitMaxS float64       `json:"header_wait_max_s" unit:"s" doc:"longest wait of a header for an output"`
	Deviation      float64       `json:"deviation" doc:"sor: largest distance from the true solution"`
	Time           float64       `json:"time" unit:"s" doc:"when the last rank finished"`
	Efficiency     float64       `json:"efficiency" doc:"share of the ranks' time in compute"`
	Transfers      int           `json:"transfers" unit:"rows" doc:"rows that changed rank"`
	Messages       int64         `json:"messages" doc:"messages that ranks sent"`
	Imbalance      float64       `json:"imbalance" doc:"of the time in compute: the busiest rank over the mean"`
	Ranks          []RHiNETRank  `json:"ranks"`
	Epochs         []RHiNETEpoch `json:"epochs"`
	WallSeconds    float64       `json:"wall_seconds"`
}

// RHiNETRank is one rank of the answer.
type RHiNETRank struct {
	CalcS   float64 `json:"calc_s"`
	LBS     float64 `json:"lb_s"`
	WaitS   float64 `json:"wait_s"`
	FinishS float64 `json:"finish_s"`
}

// RHiNETEpoch is how the rows were split after a balancing phase.
type RHiNETEpoch struct {
	AfterLoop int   `json:"after_loop"`
	Rows      []int `json:"rows"`
}

// RHiNETMean is the answer of 'emsim rhinet run' for several seeds: means.
type RHiNETMean struct {
	Nodes       int     `json:"nodes"`
	Network     string  `json:"network"`
	Algorithm   string  `json:"algorithm"`
	Load        string  `json:"load"`
	Application string  `json:"application"`
	Seed        uint64  `json:"seed"` // the first
	Seeds       int     `json:"seeds"`
	TotalS      float64 `json:"total_s"`
	CalcS       float64 `json:"calc_s"`
	CommS       float64 `json:"comm_s"`
	LBS         float64 `json:"lb_s"`
	OtherS      float64 `json:"other_s"`
	FinishS     float64 `json:"finish_s"`
	Iterations  float64 `json:"iterations"`
	Packets     float64 `json:"packets"`
	Time        float64 `json:"time"`
	Efficiency  float64 `json:"efficiency"`
	Transfers   float64 `json:"transfers"`
	Messages    float64 `json:"messages"`
	Imbalance   float64 `json:"imbalance"`
	WallSeconds float64 `json:"wall_seconds"` // of all runs
}

// RHiNETMeanOf returns the means of one or more runs that differ in their
// seeds; the first has the first seed.
func RHiNETMeanOf(runs []*RHiNET) *RHiNETMean {
	r := runs[0]
	m := &RHiNETMean{Nodes: r.Nodes, Network: r.Network, Algorithm: r.Algorithm, Load: r.Load, Application: r.Application, Seed: r.Seed, Seeds: len(runs)}
	for _, r := range runs {
		m.TotalS += r.TotalS
		m.CalcS += r.CalcS
		m.CommS += r.CommS
		m.LBS += r.LBS
		m.OtherS += r.OtherS
		m.FinishS += r.FinishS
		m.Iterations += float64(r.Iterations)
		m.Packets += float64(r.Packets)
		m.Time += r.Time
		m.Efficiency += r.Efficiency
		m.Transfers += float64(r.Transfers)
		m.Messages += float64(r.Messages)
		m.Imbalance += r.Imbalance
		m.WallSeconds += r.WallSeconds
	}
	for _, x := range []*float64{&m.TotalS, &m.CalcS, &m.CommS, &m.LBS, &m.OtherS, &m.FinishS, &m.Iterations, &m.Packets, &m.Time, &m.Efficiency, &m.Transfers, &m.Messages, &m.Imbalance} {
		*x /= float64(len(runs))
	}
	return m
}

// RunRHiNET runs a cluster. When the context ends, the answer is that of the
// run so far, beside the error.
func RunRHiNET(ctx context.Context, c rhinet.Config) (*RHiNET, error) {
	return RunRHiNETWatched(ctx, c, rhinet.Watch{})
}

// RunRHiNETWatched is RunRHiNET with a watch.
func RunRHiNETWatched(ctx context.Context, c rhinet.Config, w rhinet.Watch) (*RHiNET, error) {
	begin := time.Now()
	r, err := rhinet.RunWatched(ctx, c, w)
	if err != nil && !interrupt.Ended(err) {
		return nil, err
	}
	out := &RHiNET{
		Nodes: c.Nodes, Network: c.Network.String(), Algorithm: c.Algorithm.String(), Load: c.Load.String(),
		Application: c.Application.String(), Seed: c.Seed,
		TotalS: r.Total(), CalcS: r.Calc(), CommS: r.Comm(), LBS: r.LB(), OtherS: r.Other(), FinishS: r.Finish(),
		Iterations: r.Iterations, Packets: r.Packets, HeaderWaitMaxS: rhinet.Seconds(r.HeaderWait), Deviation: r.Deviation,
		WallSeconds: time.Since(begin).Seconds(),
	}
	for _, n := range r.Ranks {
		out.Ranks = append(out.Ranks, RHiNETRank{rhinet.Seconds(n.Calc), rhinet.Seconds(n.LB), rhinet.Seconds(n.Wait), rhinet.Seconds(n.Finish)})
	}
	calc := make([]int64, len(r.Ranks))
	for i, n := range r.Ranks {
		calc[i] = n.Calc
	}
	out.Time, out.Transfers, out.Messages, out.Imbalance = r.Finish(), r.Moved(), r.Messages, imbalance(calc)
	out.Efficiency = share(calc, r.Finish()/rhinet.Seconds(1))
	for _, e := range r.Epochs {
		out.Epochs = append(out.Epochs, RHiNETEpoch{e.Loop, e.Rows})
	}
	return out, err
}

func runRHiNET(ctx context.Context, config any) (any, error) {
	return RunRHiNET(ctx, *config.(*rhinet.Config))
}
