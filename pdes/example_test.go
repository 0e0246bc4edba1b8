package pdes_test

import (
	"context"
	"fmt"
	"log"

	"emsim/pdes"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// This example simulates twelve switches on 16 processors. After 100,000 clocks the logical processes move to places
// where their messages cost less. The result stays the same.
func Example() {
	net, err := network.New(network.HXB, 4, 4)
	if err != nil {
		log.Fatal(err)
	}
	c := pdes.Default(net, 3, 300)
	stays, err := pdes.Run(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	c.Migrate = &pdes.Migration{
		At: 100_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	moves, err := pdes.Run(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	m := moves.Migrations[0]
	fmt.Printf("%d of %d processes moved within %d clocks\n", m.Moves, c.LPs(), m.Clocks())
	fmt.Printf("cost of the messages: %.0f, then %.0f\n", m.Before, m.After)
	fmt.Println("same result:", moves.Hash == stays.Hash)
	// Output:
	// 6 of 12 processes moved within 16034 clocks
	// cost of the messages: 10090, then 5068
	// same result: true
}

// This example is a user's own program whose output depends on its input: a sieve. The first process sends the
// numbers from 2 on. Each other process keeps the first number that it gets, its prime, and passes on numbers that
// are not multiples of it. The processes migrate during the run and still find the same primes.
func Example_handler() {
	net, err := network.New(network.HXB, 4, 4)
	if err != nil {
		log.Fatal(err)
	}
	primes := make([]uint32, 12)
	sieve := &lpgraph.Graph{LPs: []lpgraph.LP{{Name: "source", Start: func() lpgraph.Handler {
		return func(slot int64, _, out []lpgraph.Event) int64 {
			out[0] = lpgraph.Event{Full: true, Value: uint32(slot) + 2}
			return 0 // take the clocks of Timing.Step
		}
	}}}}
	for i := range primes {
		sieve.LPs = append(sieve.LPs, lpgraph.LP{Name: fmt.Sprint("sieve", i), Start: func() lpgraph.Handler {
			prime := uint32(0)
			return func(_ int64, in, out []lpgraph.Event) int64 {
				switch n := in[0].Value; {
				case !in[0].Full:
					return 50 // there is little to do
				case prime == 0:
					prime, primes[i] = n, n
				case n%prime > 0 && len(out) > 0:
					out[0] = in[0]
				}
				return 400 // a division
			}
		}})
		rate := []lpgraph.Change{{Value: 300_000}} // rough rates, in millionths, for the placement of the processes
		sieve.Channels = append(sieve.Channels, lpgraph.Channel{From: i, To: i + 1, Rate: rate})
	}
	c := pdes.Default(net, 3, 60)
	c.Graph, c.Map = sieve, mapping.Random(len(sieve.LPs), 16, 1)
	c.Migrate = &pdes.Migration{
		At: 10_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	r, err := pdes.Run(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(primes)
	fmt.Println(r.Migrations[0].Moves, "processes moved")
	// Output:
	// [2 3 5 7 11 13 17 19 23 29 31 37]
	// 2 processes moved
}
