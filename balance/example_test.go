package balance_test

import (
	"context"
	"fmt"
	"log"

	"emsim/balance"
)

// spread is a user's scheme: it sends new units to all workers in turn, without regard to their load.
type spread struct {
	balance.Hooks
	next int
}

func (s *spread) Born(int) int {
	s.next++
	return s.next % s.W.Workers()
}

// This example runs sixteen workers and a bag of 800 units that are all born at one of them, with a user's scheme and
// with random stealing.
func Example() {
	own := balance.Scheme{
		Name: "spread",
		New:  func(w *balance.Worker) balance.Policy { return &spread{Hooks: balance.Hooks{W: w}} },
	}
	stealing, _ := balance.FindScheme("stealing")
	for _, scheme := range []balance.Scheme{own, stealing} {
		r, err := balance.Run(context.Background(), balance.Setup{
			Scheme: scheme, Workers: 16, Fabric: balance.Common(), Seed: 1,
			Workload: balance.Workload{Name: "bag", Shape: balance.Bag, Units: 50, Work: 10_000, Spread: 50, One: true},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-8s %.2f of the ideal time, %d units moved in %d messages\n", scheme.Name,
			float64(r.Time)/float64(r.Ideal), r.Moved, r.Messages)
	}
	// Output:
	// spread   1.10 of the ideal time, 750 units moved in 750 messages
	// stealing 1.05 of the ideal time, 1936 units moved in 542 messages
}
