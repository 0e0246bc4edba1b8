// Command balancing compares a balancing policy of its own with all policies of emsim, on every
// workload, closed and open.
package main

import (
	"context"
	"fmt"
	"log"
	"runtime"

	"emsim/balance"
	"emsim/sim"
)

// sharer gives half of its waiting units to a random other worker whenever a unit is done and more
// than four wait. It sends no requests.
type sharer struct{ balance.Hooks }

func (s *sharer) Done() {
	if waiting := s.W.Givable(); waiting > 4 {
		to := (s.W.ID + 1 + s.W.Rng.IntN(s.W.Workers()-1)) % s.W.Workers()
		s.W.Give(to, waiting/2, balance.Message{})
	}
}

func main() {
	plan := sim.Comparison(balance.Policy{
		Name: "sharer", New: func(w *balance.Worker) balance.Agent { return &sharer{balance.Hooks{W: w}} },
	})
	plan.Workers, plan.Grains, plan.Seeds = []int{16}, []int{30}, 4 // otherwise also 64 workers, grain 3, and 32 seeds
	rows, err := plan.Compare(context.Background(), runtime.NumCPU(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range balance.Ranking(rows) {
		fmt.Printf("%-16s best or tie in %d of %d cells, %.2f over the best, at worst %.1f at %s\n",
			s.Policy, s.Best, s.Cells, s.Mean, s.Worst, s.At)
	}
	for _, r := range rows {
		if r.Policy == "sharer" {
			fmt.Printf("%-8s %.2f (%.2f to %.2f), %.0f %% (%.0f to %.0f) over the best\n",
				r.Workload, *r.Mean, *r.Low, *r.High, 100**r.Regret, 100**r.RegLow, 100**r.RegHigh)
		}
	}
}
