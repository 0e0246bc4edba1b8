// Command policies runs fib(16) under every placement policy, with and without
// MLPE, and prints how long it takes and how busy the PEs are.
package main

import (
	"context"
	"fmt"
	"log"

	"emsim/sim"
)

func main() {
	fmt.Println("policy             MLPE    clocks  PEs busy")
	for _, policy := range []string{"ring", "random", "round-robin", "ring-random", "ring-round-robin", "line"} {
		for _, mlpe := range []string{"off", "on"} {
			r, err := fib(16, map[string]string{"policy": policy, "mlpe": mlpe})
			if err != nil {
				log.Fatal(err) // says what was wrong and what to do
			}
			fmt.Printf("%-18s %-5s %8d %7.1f %%\n", policy, mlpe, r.Clocks, 100*r.Utilisation())
		}
	}
}

// fib runs fib(n) on the prototype of 80 PEs.
func fib(n int64, params map[string]string) (sim.Result, error) {
	p, err := sim.Load("fib", params)
	if err != nil {
		return sim.Result{}, err
	}
	m, err := sim.New(p, sim.Prototype80(), 1)
	if err != nil {
		return sim.Result{}, err
	}
	return m.Run(context.Background(), n)
}
