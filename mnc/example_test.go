package mnc_test

import (
	"context"
	"fmt"
	"log"

	"emsim/mnc"
)

// This example has sixteen PEs. The host gives its data to four of them, which keep everything unless they balance
// their load with their neighbours.
func Example() {
	for _, policy := range []mnc.Policy{mnc.None, mnc.Auto} {
		wiring, err := mnc.MNC(16)
		if err != nil {
			log.Fatal(err)
		}
		c := mnc.Default(wiring)
		c.Items, c.Policy = 2000, policy
		m, err := mnc.New(c)
		if err != nil {
			log.Fatal(err)
		}
		if err := m.Run(context.Background()); err != nil {
			log.Fatal(err)
		}
		s := m.Stats()
		fmt.Printf("%-4s %6d clocks, %2.0f PEs carried the load, %d transfers\n", policy, s.Clocks, s.UsedPEs,
			s.Transfers)
	}
	// Output:
	// none 262857 clocks,  4 PEs carried the load, 5536 transfers
	// auto  84901 clocks, 15 PEs carried the load, 8138 transfers
}
