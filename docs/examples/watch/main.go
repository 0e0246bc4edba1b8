// Command watch stops a run every 500 clocks and draws how many packets wait in
// the PEs' input buffers. An observer counts the packets that were spilled.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"emsim/sim"
	"emsim/trace"
)

func main() {
	p, err := sim.Load("fib", nil)
	check(err)
	c := sim.Prototype80()
	c.FIFOWords = 64 // any knob: 'emsim machine show' and docs/PARAMETERS.md list them
	m, err := sim.New(p, c, 1)
	check(err)

	spilled := 0
	check(m.Observe(trace.Func(func(e *trace.Event) {
		if e.Kind == trace.Spilled {
			spilled++
		}
	})))
	check(m.Begin(18))
	fmt.Println("clock  waiting packets, one # for 50")
	for clock := uint64(500); ; clock += 500 {
		ended, err := m.Advance(context.Background(), clock)
		check(err)
		if ended {
			break
		}
		waiting := 0
		for i := range c.PEs {
			waiting += m.PE(i).Queued
		}
		fmt.Printf("%5d  %5d |%s\n", clock, waiting, strings.Repeat("#", waiting/50))
	}
	check(m.Observe(nil)) // closes the observer

	r := m.Result()
	fmt.Printf("fib(18) = %d after %d clocks; %d packets were spilled to memory\n", r.Words[0], r.Clocks, spilled)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
