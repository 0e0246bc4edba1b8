package rhinet_test

import (
	"context"
	"fmt"
	"log"

	"emsim/cluster/rhinet"
)

// This example solves a linear system by SOR on eight nodes, one of which also runs another program. Centralised
// balancing gives that node fewer rows.
func Example() {
	for _, a := range []rhinet.Policy{rhinet.NoLB, rhinet.CLB} {
		c := rhinet.Default()
		c.Nodes, c.Load, c.Policy = 8, rhinet.OneLoad, a
		r, err := rhinet.Run(context.Background(), c)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-4s %.2f s, %d iterations, %d rows moved in %d messages\n", a, r.Total(), r.Iterations, r.Moved(),
			r.Messages)
	}
	// Output:
	// nolb 57.27 s, 207 iterations, 0 rows moved in 3304 messages
	// clb  44.88 s, 205 iterations, 1712 rows moved in 3332 messages
}
