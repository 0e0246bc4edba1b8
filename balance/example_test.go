package balance_test

import (
	"context"
	"fmt"
	"log"

	"emsim/balance"
)

// spread is a user's policy: it sends new units to all workers in turn, without regard to their load.
type spread struct {
	balance.Hooks
	next int
}

func (s *spread) Born(int) int {
	s.next++
	return s.next % s.W.Workers()
}

// This example runs sixteen workers and a bag of 800 units that are all born at one of them, with a user's policy and
// with random stealing.
func Example() {
	own := balance.Policy{
		Name: "spread",
		New:  func(w *balance.Worker) balance.Agent { return &spread{Hooks: balance.Hooks{W: w}} },
	}
	stealing, _ := balance.FindPolicy("stealing")
	for _, policy := range []balance.Policy{own, stealing} {
		r, err := balance.Run(context.Background(), balance.Setup{
			Policy: policy, Workers: 16, Fabric: balance.Common(), Seed: 1,
			Workload: balance.Workload{Name: "bag", Shape: balance.Bag, Units: 50, Work: 10_000, Spread: 50, One: true},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-8s %.2f of the ideal time, %d units moved in %d messages\n", policy.Name,
			float64(r.Time)/float64(r.Ideal), r.Moved, r.Messages)
	}
	// Output:
	// spread   1.10 of the ideal time, 750 units moved in 750 messages
	// stealing 1.05 of the ideal time, 1936 units moved in 542 messages
}
