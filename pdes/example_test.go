package pdes_test

import (
	"context"
	"fmt"
	"log"

	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A simulation of twelve switches on 16 processors. After 100,000 clocks the logical
// processes move to where their messages cost less. The result stays the same.
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
	c.Migrate = &pdes.Migration{At: 100_000, Weights: mapping.Reference(), Neighbour: mapping.Grid, Objective: mapping.ByCost}
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
