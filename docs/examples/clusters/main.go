// Command clusters compares the balancing algorithms of a cluster of eight hosts, one
// of which also runs a competitor.
package main

import (
	"context"
	"fmt"
	"log"

	"emsim/cluster/rhinet"
)

func main() {
	fmt.Println("algorithm    total  balancing")
	for _, a := range rhinet.PaperAlgorithms() {
		c := rhinet.Default()
		c.Nodes, c.Algorithm, c.Load = 8, a, rhinet.OneLoad
		r, err := rhinet.Run(context.Background(), c)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-9v %6.2f s  %7.2f s\n", a, r.Total(), r.LB())
	}
}
