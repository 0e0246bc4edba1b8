// Command hooks gives four machines a balancing policy of its own, without a change
// to their models, and compares it with the paper's and with none.
package main

import (
	"context"
	"fmt"
	"log"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/mnc"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

func main() {
	fmt.Println("machine            none      paper        own")
	for _, m := range []struct {
		name, unit string
		digits     int
		times      func() [3]float64
	}{
		{"MNC", "clocks", 0, quadPort},
		{"workstations", "s", 2, workstations},
		{"RHiNET-2", "s", 2, cluster},
		{"PDES", "clocks", 0, processes},
	} {
		t := m.times()
		fmt.Printf("%-12s %10.*f %10.*f %10.*f %s\n", m.name, m.digits, t[0], m.digits, t[1], m.digits, t[2], m.unit)
	}
}

// quadPort returns the run times of the MNC without balancing, with the paper's policy, and with a
// policy of our own: a PE gives each neighbour half of its excess over that neighbour's load, and
// measures no abilities.
func quadPort() (times [3]float64) {
	own := func(s mnc.Share) {
		for k := range s.Neighbours() {
			s.Give(k, (s.X()-s.Load(k))/2)
		}
	}
	for i, c := range []struct {
		policy mnc.Policy
		give   mnc.Giver
	}{{mnc.None, nil}, {mnc.Auto, nil}, {mnc.None, own}} {
		wiring, err := mnc.MNC(16)
		check(err)
		cfg := mnc.Default(wiring)
		cfg.Items, cfg.Loops, cfg.Policy, cfg.Give = 2000, 300, c.policy, c.give
		m, err := mnc.New(cfg)
		check(err)
		check(m.Run(context.Background()))
		times[i] = float64(m.Stats().Clocks)
	}
	return times
}

// workstations returns the same times for the workstations. With our policy a processor requests
// twice the difference of the Powers, unless it has much to do itself.
func workstations() (times [3]float64) {
	own := func(r spmd.Reading) int {
		if r.Left > 60 {
			return 0
		}
		return 2 * (r.Own - r.Heard)
	}
	for i, c := range []struct {
		policy  spmd.Policy
		request spmd.Requester
	}{{spmd.None, nil}, {spmd.Proposed, nil}, {spmd.None, own}} {
		cfg := spmd.Paper(c.policy)
		cfg.Topology, cfg.Request = spmd.Fano(), c.request
		r, err := spmd.Run(context.Background(), cfg)
		check(err)
		times[i] = float64(r.FinishUS()) / 1e6
	}
	return times
}

// cluster returns the same times for RHiNET-2. Our policy gives a rank rows by its slowest loop,
// not by its mean loop, because all other ranks wait for that one.
func cluster() (times [3]float64) {
	own := func(rows int, reports []rhinet.Report) ([]int, error) {
		speeds := make([]float64, len(reports))
		for i, r := range reports {
			speeds[i] = float64(r.Rows) / float64(max(1, r.Longest)) // its worst loop counts
		}
		return rhinet.Share(rows, speeds)
	}
	for i, c := range []struct {
		policy rhinet.Policy
		split  rhinet.Splitter
	}{{rhinet.NoLB, nil}, {rhinet.CLB, nil}, {rhinet.CLB, own}} {
		cfg := rhinet.Default()
		cfg.Nodes, cfg.Load, cfg.Policy, cfg.Own = 8, rhinet.OneLoad, c.policy, &rhinet.Own{Split: c.split}
		r, err := rhinet.Run(context.Background(), cfg)
		check(err)
		times[i] = r.Finish()
	}
	return times
}

// processes returns the same times for the PDES machine. Our policy spreads the LPs evenly over the
// PPs and ignores the network.
func processes() (times [3]float64) {
	own := func(_ context.Context, p *mapping.Problem, _ mapping.Map) (mapping.Search, error) {
		m := mapping.RoundRobin(p.Graph.LPs, p.Net.Nodes())
		return mapping.Search{Map: m, Score: p.Score(m), Evaluations: 1}, nil
	}
	paper := pdes.Migration{
		At: 100_000, Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost,
	}
	mine := paper
	mine.Minimiser = own
	for i, migration := range []*pdes.Migration{nil, &paper, &mine} {
		net, err := network.Parse(network.HXB, "4x4")
		check(err)
		cfg := pdes.Default(net, 4, 2000)
		cfg.Migrate = migration
		r, err := pdes.Run(context.Background(), cfg)
		check(err)
		times[i] = float64(r.Clocks)
	}
	return times
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
